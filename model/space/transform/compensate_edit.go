package transform

import (
	"slices"

	"blossom/model/data/dataset"
)

// Matrices are the matrices of a mix that compensates ds, with the names of its detectors: one, or one for each file.
func (m Mix) Matrices(ds *dataset.Dataset) (out []*dataset.Spillover) {
	cols := m.Changed()
	n := len(cols)
	if !m.Compensates() || n == 0 {
		return nil
	}
	for at := 0; at+n*n <= len(m.Values); at += n * n {
		s := &dataset.Spillover{}
		for i, c := range cols {
			s.Names = append(s.Names, ds.Columns[c].Name)
			s.M = append(s.M, slices.Clone(m.Values[at+i*n:at+i*n+n]))
		}
		out = append(out, s)
	}
	return out
}

// WithShare is a mix that compensates with another share of the light of its detector i in its detector j, in its
// matrix number k. It may be one that cannot be inverted.
func (m Mix) WithShare(k, i, j int, share float64) Mix {
	n := len(m.Changed())
	m.Values = slices.Clone(m.Values)
	m.Values[(k*n+i)*n+j] = share
	return m
}

// WithMatrix is a mix that compensates ds with s in the place of its matrix number k, or why that cannot be. The zero
// Mix becomes one of all points.
func (m Mix) WithMatrix(ds *dataset.Dataset, k int, s *dataset.Spillover) (out Mix, why string) {
	if m.Op != CompensateEach {
		return Compensation(ds, s)
	}
	all := m.Matrices(ds)
	all[k] = s
	out, bring, why := eachOf(ds, all)
	if why == "" && bring == 0 {
		why = "all of them would be the identity, which changes nothing"
	}
	return out, why
}
