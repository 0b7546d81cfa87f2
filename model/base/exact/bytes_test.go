package exact

import (
	"bytes"
	"io"
	"math/rand/v2"
	"testing"
)

// A sum comes back from its bytes as it was, and nothing but a sum does.
func TestSumsComeBackFromTheirBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	var all []byte
	var sums []Sum
	for name, of := range mixtures {
		for range 200 {
			var s Sum
			for range r.IntN(5) {
				s.Add(of(r))
			}
			b := s.Append(nil)
			if name == "measured" && len(b) > 25 {
				t.Errorf("%s: %d bytes", name, len(b))
			}
			all, sums = append(all, b...), append(sums, s)
		}
	}
	sums = append(sums, Sum{0, 0, 0, 0, 1 << 63}, Sum{1, 0, 0, 0, ^uint64(0)})
	all = sums[len(sums)-2].Append(all)
	all = sums[len(sums)-1].Append(all)
	in := bytes.NewReader(all)
	for i, want := range sums {
		if got, err := ReadSum(in); err != nil || got != want {
			t.Fatalf("sum %d became %x, was %x (%v)", i, got, want, err)
		}
	}
	if _, err := ReadSum(in); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for head := range 256 {
		if _, err := ReadSum(bytes.NewReader([]byte{byte(head)})); err == nil && head&7 != head>>3&7 {
			t.Errorf("%#x alone is a sum", head)
		}
	}
}
