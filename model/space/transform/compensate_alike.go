package transform

import (
	"maps"
	"slices"

	"blossom/model/data/dataset"
)

// BroughtCompensation is the mix that compensates ds with what its files bring, whatever speaks against that; the zero
// Mix where they bring nothing that changes a value. why says what does not fit.
func BroughtCompensation(ds *dataset.Dataset) (m Mix, why string) {
	if len(ds.Spillovers) > 0 {
		return CompensationOf(ds, ds.Spillovers)
	}
	if ds.Spillover == nil || ds.Spillover.Identity() {
		return Mix{}, ""
	}
	return Compensation(ds, ds.Spillover)
}

// CompensationOf is the mix that compensates each file of ds with its own of some matrices, nil where it has none; of
// one for all of them, or of several that are the same, it is one of all points. why says what does not fit.
func CompensationOf(ds *dataset.Dataset, each []*dataset.Spillover) (m Mix, why string) {
	differ := slices.ContainsFunc(each, func(s *dataset.Spillover) bool { return !s.Equal(each[0]) })
	switch {
	case differ && ds.OriginAt() >= 0:
		m, _, why = eachOf(ds, each)
		return m, why
	case differ:
		return Mix{}, "nothing says which file a point is from"
	case len(each) == 0 || each[0] == nil:
		return Mix{}, ""
	}
	return Compensation(ds, each[0])
}

// Takes says whether a map of ds takes the values of a column just as m compensates them, the zero Mix not at all, and
// as nothing else changes them but what they stand for.
func (s Spec) Takes(ds *dataset.Dataset, col int, m Mix) bool {
	var here Mix
	switch all := slices.DeleteFunc(s.mixesOf(col), Mix.linearises); {
	case len(all) > 1 || len(all) == 1 && !all[0].Compensates():
		return false
	case len(all) == 1:
		here = all[0]
	}
	a, b := here.spilling(ds, col), m.spilling(ds, col)
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	for k := range max(len(a), len(b)) { // one matrix for all files is the same one for each
		if !maps.Equal(a[min(k, len(a)-1)], b[min(k, len(b)-1)]) {
			return false
		}
	}
	return true
}

// share is the place of a number of a matrix, by columns of the table and what their raw values stand for.
type share struct {
	from, to         int
	unitFrom, unitTo Unit
}

// spilling are the numbers of each matrix of a mix in which a column is not left alone, without those that leave the
// others alone; none where no matrix changes the column.
func (m Mix) spilling(ds *dataset.Dataset, col int) (out []map[share]float64) {
	cols := m.Changed()
	n, some := len(cols), false
	if n == 0 {
		return nil
	}
	units := m.Units
	if units == nil {
		units = make([]Unit, n) // raw values are like linear ones where all gains are the same
		if linear := unitsOf(ds, cols); alike(linear) {
			units = linear
		}
	}
	for at := 0; at+n*n <= len(m.Values); at += n * n {
		matrix, of, changes := m.Values[at:at+n*n], map[share]float64{}, false
		for _, i := range mixedBy(n, matrix) {
			changes = changes || cols[i] == col
			for j := range n {
				if x := matrix[i*n+j]; x != 0 {
					of[share{cols[i], cols[j], units[i], units[j]}] = x
				}
			}
		}
		if !changes {
			of = nil
		}
		some = some || changes
		out = append(out, of)
	}
	if !some {
		return nil
	}
	return out
}
