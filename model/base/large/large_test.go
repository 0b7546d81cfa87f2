package large

import "testing"

// Slices of any size are of zeros, and every element of them is theirs.
func TestSlicesAreOfZeros(t *testing.T) {
	for _, n := range []int{0, 1, 1000, least/4 + 3} {
		for range 2 {
			s := Make[int32](n)
			if len(s) != n {
				t.Fatalf("%d elements, want %d", len(s), n)
			}
			for i, v := range s {
				if v != 0 {
					t.Fatalf("element %d of %d is %d", i, n, v)
				}
				s[i] = 1
			}
		}
	}
}
