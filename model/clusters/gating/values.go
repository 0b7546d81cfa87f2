package gating

import (
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"

	"gonum.org/v1/gonum/mat"
)

// mostIll is how ill a matrix may be: its condition number in the 1-norm, as compensation has it.
const mostIll = 1e6

// unmix is what rows of detectors are multiplied with: the inverse of the spectra, or of fewer dyes than detectors what
// leaves the least squares.
func (m *Matrix) unmix() (*mat.Dense, error) {
	bad := func(format string, args ...any) error {
		return problem.New("", "leave it out", "a matrix of spillover "+format, args...)
	}
	dyes, detectors := len(m.Dyes), len(m.Detectors)
	if dyes == 0 || detectors > maxDetector || dyes > detectors || len(m.Rows) != dyes {
		return nil, bad("of %d dyes in %d detectors with %d rows is none", dyes, detectors, len(m.Rows))
	}
	s := mat.NewDense(dyes, detectors, nil)
	for i, row := range m.Rows {
		if len(row) != detectors {
			return nil, bad("with %d numbers in a row for %d detectors is none", len(row), detectors)
		}
		for j, x := range row {
			if !finite(x) {
				return nil, bad("needs finite numbers")
			}
			s.Set(i, j, x)
		}
	}
	if m.Inverse {
		if dyes != detectors {
			return nil, bad("that is inverted already must be square")
		}
		return s, nil
	}
	out := inverse(s)
	if out == nil || !(mat.Norm(s, 1)*mat.Norm(out, 1) <= mostIll) {
		return nil, bad("cannot be inverted")
	}
	return out, nil
}

// inverse is that of a square matrix, or the pseudoinverse of one with fewer rows than columns; nil where a row is made
// of the others. The latter is by singular values of the matrix itself: its product with itself would be as ill as the
// square of what it is.
func inverse(s *mat.Dense) *mat.Dense {
	n, columns := s.Dims()
	var out mat.Dense
	if n == columns {
		var lu mat.LU
		if lu.Factorize(s); math.IsInf(lu.Cond(), 1) || lu.SolveTo(&out, false, eye(n)) != nil {
			return nil
		}
		return &out
	}
	var svd mat.SVD
	if !svd.Factorize(s, mat.SVDThin) {
		return nil
	}
	sizes := svd.Values(nil)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	for k, size := range sizes {
		if !(size > 0) {
			return nil
		}
		for i := range columns {
			v.Set(i, k, v.At(i, k)/size)
		}
	}
	out.Mul(&v, u.T())
	return &out
}

// eye is the identity.
func eye(n int) *mat.DiagDense {
	one := mat.NewDiagDense(n, nil)
	for i := range n {
		one.SetDiag(i, 1)
	}
	return one
}

// values returns a function that makes the values of a dimension before its scale.
func (p *plan) values(s Side) (func(from, to int) []float64, error) {
	if s.Files != nil {
		return p.byFile(s.Files)
	}
	if s.Ratio == nil {
		return p.column(s, s.Column)
	}
	x, err := p.column(s, s.Ratio.X)
	if err != nil {
		return nil, err
	}
	y, err := p.column(s, s.Ratio.Y)
	if err != nil {
		return nil, err
	}
	r := *s.Ratio
	return func(from, to int) []float64 {
		a, b := x(from, to), y(from, to)
		for i := range a {
			a[i] = r.A * (a[i] - r.B) / (b[i] - r.C)
		}
		return a
	}, nil
}

// column makes the values of a column as a dimension takes it.
func (p *plan) column(s Side, name string) (func(from, to int) []float64, error) {
	switch {
	case s.Matrix != nil && s.Matrix.has(name):
		return p.unmixed(s.Matrix, name)
	case s.Own:
		return p.own(name)
	}
	i, err := p.find(name)
	if err != nil {
		return nil, err
	}
	c := &p.ds.Columns[i]
	return func(from, to int) []float64 {
		v := make([]float64, to-from)
		for k := range v {
			v[k] = c.ScaleValue(c.At(from + k))
		}
		return v
	}, nil
}

// find is the number of a column of numbers.
func (p *plan) find(name string) (int, error) {
	i, ok := p.at[name]
	if !ok || p.ds.Columns[i].Categories != nil {
		return 0, problem.New(p.ds.Path, "give the gates of this data", "has no column %.60q, which a gate looks at",
			name)
	}
	return i, nil
}

// unmixed makes the values of a dye.
func (p *plan) unmixed(m *Matrix, dye string) (func(from, to int) []float64, error) {
	by, err := m.unmix()
	if err != nil {
		return nil, err
	}
	to := slices.Index(m.Dyes, dye)
	var columns []*dataset.Column
	var shares []float64
	for j, name := range m.Detectors {
		i, err := p.find(name)
		if err != nil {
			return nil, err
		}
		columns, shares = append(columns, &p.ds.Columns[i]), append(shares, by.At(j, to))
	}
	return weighted(columns, shares), nil
}

// weighted makes sums of scale values.
func weighted(columns []*dataset.Column, shares []float64) func(from, to int) []float64 {
	return func(from, to int) []float64 {
		v := make([]float64, to-from)
		for j, c := range columns {
			if shares[j] == 0 {
				continue
			}
			for k := range v {
				v[k] += shares[j] * c.ScaleValue(c.At(from+k))
			}
		}
		return v
	}
}

// own makes the values of a detector compensated as the file of the data says; as they were measured where that says
// nothing of it.
func (p *plan) own(name string) (func(from, to int) []float64, error) {
	plain, err := p.column(Side{}, name)
	if err != nil {
		return nil, err
	}
	of := func(s *dataset.Spillover) (func(from, to int) []float64, error) {
		m, err := p.among(s, name)
		if m == nil || err != nil {
			return plain, err
		}
		return p.unmixed(m, name)
	}
	if len(p.ds.Spillovers) == 0 || p.ds.OriginAt() < 0 {
		return of(p.ds.Spillover)
	}
	each := make([]func(from, to int) []float64, len(p.ds.Spillovers))
	for i, s := range p.ds.Spillovers {
		if each[i], err = of(s); err != nil {
			return nil, err
		}
	}
	return p.portions(each), nil
}

// gaps are n values that are not there.
func gaps(n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = math.NaN()
	}
	return v
}

// among is a matrix of the data under the names of its columns, nil where it leaves a detector alone. A matrix names
// detectors as people and programs do: see dataset.Detector.
func (p *plan) among(s *dataset.Spillover, name string) (*Matrix, error) {
	if s == nil {
		return nil, nil
	}
	var columns []string
	var missing error
	here := false
	for _, n := range s.Names {
		at, alike := dataset.Detector(p.ds.Columns, n)
		switch {
		case at >= 0 && slices.Contains(columns, p.ds.Columns[at].Name):
			missing = problem.New(p.ds.Path, "name each detector once", "has a matrix that names %.60q twice", n)
		case at >= 0:
			columns = append(columns, p.ds.Columns[at].Name)
			here = here || columns[len(columns)-1] == name
		case len(alike) > 0:
			here = here || slices.Contains(alike, name)
			missing = problem.New(p.ds.Path, "give each column a name of its own",
				"has a matrix with the detector %.60q, which may be %q or %q", n, alike[0], alike[1])
		default:
			missing = problem.New(p.ds.Path, "give the data with all of their detectors",
				"has no column %.60q of its matrix, by which a gate compensates %.60q", n, name)
		}
	}
	switch {
	case !here:
		return nil, nil
	case missing != nil:
		return nil, missing
	}
	return &Matrix{Dyes: columns, Detectors: columns, Rows: s.M}, nil
}
