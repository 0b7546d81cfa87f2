package transform

import (
	"math"
	"slices"

	"blossom/model/data/dataset"
)

// Histograms are counts of a column in even bins, before and after its own transform. The outermost 0.2 % of the values
// at each end are counted into the first and the last bin, so that one outlier leaves something to see.
type Histograms struct {
	Raw, Now     []float32 // counts
	RawLo, RawHi float64   // the range of the bins of Raw
	Lo, Hi       float64   // and of those of Now
}

// HistogramsOf counts a sorted sample of a column whose instrument's scale ends at scale, 0 for none. What the
// transform takes from the data, it takes from these.
func HistogramsOf(sorted []float64, scale float64, t Column, bins int) Histograms {
	h := Histograms{Raw: make([]float32, bins), Now: make([]float32, bins)}
	var c dataset.Column
	c.SetExact(sorted)
	c.Range = scale
	f := FunctionOf(&c, t)
	now := f.all(sorted)
	if len(sorted) == 0 || len(now) == 0 || bins < 1 {
		return h
	}
	slices.Sort(now) // a transform may turn the order round
	h.RawLo, h.RawHi = count(h.Raw, sorted)
	h.Lo, h.Hi = count(h.Now, now)
	return h
}

// count counts sorted values and returns the range of the bins.
func count(into []float32, sorted []float64) (lo, hi float64) {
	k := len(sorted) / 500
	lo, hi = sorted[k], sorted[len(sorted)-1-k]
	for _, x := range sorted {
		at := 0.5
		if hi > lo {
			at = min(1, max(0, (x-lo)/(hi-lo)))
		}
		into[min(len(into)-1, int(math.Floor(at*float64(len(into)))))]++
	}
	return lo, hi
}
