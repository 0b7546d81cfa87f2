package transform

import (
	"math"
	"slices"
	"testing"
)

// The panel shows this beside a transform: every value counted once, in the ranges before and after it.
func TestHistogramsBeforeAndAfter(t *testing.T) {
	var sample []float64
	for i := range 1000 {
		sample = append(sample, math.Exp(float64(i)/100))
	}
	sample = append(sample, 1e30)
	for text, skew := range map[string]bool{"none": true, "log": false, "linear:-1": true} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		h := HistogramsOf(sample, 0, c, 20)
		for what, counts := range map[string][]float32{"raw": h.Raw, text: h.Now} {
			sum := float32(0)
			for _, n := range counts {
				sum += n
			}
			if int(sum) != len(sample) {
				t.Errorf("%s of %s: %g values of %d", what, text, sum, len(sample))
			}
		}
		if h.RawHi > 1e5 || !(h.Lo < h.Hi) { // the outlier is drawn in
			t.Errorf("%s: raw to %g, %g to %g", text, h.RawHi, h.Lo, h.Hi)
		}
		if most := slices.Max(h.Now); (most > 500) != skew {
			t.Errorf("%s: the fullest bin has %g", text, most)
		}
	}
	if h := HistogramsOf(nil, 0, Column{}, 5); len(h.Raw) != 5 || h.Raw[2] != 0 {
		t.Error("of nothing")
	}
}
