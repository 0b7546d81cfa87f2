package cpu

import "testing"

// The curve goes through every cell once, and from each to one beside it.
func TestHilbert(t *testing.T) {
	for dims := uint(2); dims <= 3; dims++ {
		const order = 3
		cells := 1 << (order * dims)
		at := make([][3]int, cells)
		seen := make([]bool, cells)
		for i := range cells {
			x, y, z := i&7, i>>3&7, i>>6
			k := hilbert(uint32(x), uint32(y), uint32(z), order, dims)
			if int(k) >= cells || seen[k] {
				t.Fatalf("%dD: cell %d, %d, %d is number %d", dims, x, y, z, k)
			}
			seen[k], at[k] = true, [3]int{x, y, z}
		}
		for k := 1; k < cells; k++ {
			far := 0
			for c := range 3 {
				d := at[k][c] - at[k-1][c]
				far += d * d
			}
			if far != 1 {
				t.Fatalf("%dD: from %v to %v", dims, at[k-1], at[k])
			}
		}
	}
}

func TestSorter(t *testing.T) {
	s := sorter{make([]uint64, 5000), make([]uint64, 5000)}
	for i := range s.keys {
		s.keys[i] = uint64(uint32(i*2654435761)>>2)<<32 | uint64(i)
	}
	s.keys[7] = s.keys[3]&^0xffffffff | 7
	last := uint64(0)
	for _, k := range s.sort(30) {
		if k < last {
			t.Fatalf("%x after %x", k, last)
		}
		last = k
	}
}
