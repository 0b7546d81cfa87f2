package transform

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/data/dataset"

	"gonum.org/v1/gonum/mat"
)

// Compensate undoes spillover between the detectors of a cytometer. What was measured is x S, where row i of S
// tells which share of the signal of detector i is seen in each detector; so it takes x to x S⁻¹ (Bagwell and
// Adams, "Fluorescence spectral overlap compensation for any number of flow cytometry parameters", 1993). Its
// numbers are S, row after row.
const Compensate ID = "compensate"

// maxCondition is how ill a matrix of spillover may be: beyond it, rounding of float32 values alone
// would reach into the digits that are seen.
const maxCondition = 1e6

func init() {
	RegisterMatrix(MatrixOp{
		ID: Compensate, Title: "Compensate", Off: "Do not compensate", Order: 1,
		Help: "Takes the light out of each detector that spills over from the others, with the matrix that came with " +
			"the file. Switch it off to see values as they were measured.",
		Suggest: suggestCompensation,
		Wrong: func(columns int, values []float64) string {
			if columns == 0 || len(values) != columns*columns {
				return fmt.Sprintf("compensation of %d detectors takes %d numbers, it has %d", columns,
					columns*columns, len(values))
			}
			for _, x := range values {
				if x-x != 0 {
					return "the matrix of compensation must be finite"
				}
			}
			if inverse(columns, values) == nil {
				return "the matrix of compensation cannot be inverted"
			}
			return ""
		},
		New: func(columns int, values []float64) (forward, back func(Block)) {
			return times(inverse(columns, values)), times(mat.NewDense(columns, columns, slices.Clone(values)))
		},
	})
}

// inverse returns the inverse of a square matrix, nil if it has none that is worth the name.
func inverse(n int, values []float64) *mat.Dense {
	var lu mat.LU
	lu.Factorize(mat.NewDense(n, n, slices.Clone(values)))
	if !(lu.Cond() <= maxCondition) {
		return nil
	}
	one := mat.NewDiagDense(n, nil)
	for i := range n {
		one.SetDiag(i, 1)
	}
	var out mat.Dense
	if err := lu.SolveTo(&out, false, one); err != nil {
		return nil
	}
	return &out
}

// times returns what multiplies the rows of a block with m from the right. An invalid value makes all values of
// its row invalid: what they would be without its light is not known.
func times(m *mat.Dense) func(Block) {
	return func(b Block) {
		if len(b) == 0 || m == nil {
			return
		}
		n := len(b[0])
		all := make([]float64, len(b)*n)
		for j := range b {
			to := all[j*n : j*n+n]
			for i, strip := range b {
				a := m.At(i, j)
				for k, x := range strip {
					to[k] += a * x
				}
			}
		}
		for j := range b {
			copy(b[j], all[j*n:])
		}
	}
}

// suggestCompensation is about the matrix that came with a file. A file of a cytometer holds what was measured,
// so a newly opened one is compensated, unless the file says that its operator did not want that, or that it has
// been done. Nothing is said of a matrix that changes nothing.
func suggestCompensation(ds *dataset.Dataset) Suggestion {
	if ds.Spillover == nil || ds.Spillover.Identity() {
		return Suggestion{}
	}
	what := fmt.Sprintf("with the file's matrix of %d detectors (%s)", len(ds.Spillover.Names), ds.Spillover.Keyword)
	m, why := Compensation(ds, ds.Spillover)
	if why != "" {
		return Suggestion{Said: "not compensated " + what + ", which does not fit: " + why}
	}
	return asked(ds, m, what)
}

// asked is the suggestion of a mix that compensates, unless the table speaks against it.
func asked(ds *dataset.Dataset, m Mix, what string) Suggestion {
	for _, i := range m.Changed() {
		name := "Comp-" + ds.Columns[i].Name
		if slices.ContainsFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == name }) {
			return Suggestion{Mix: m, Said: "not compensated " + what + ": there is " + name + " already"}
		}
	}
	for key, value := range ds.Metadata {
		if strings.EqualFold(key, "APPLY COMPENSATION") && strings.EqualFold(strings.TrimSpace(value), "FALSE") {
			return Suggestion{Mix: m,
				Said: "not compensated " + what + ", as the file says APPLY COMPENSATION FALSE"}
		}
	}
	return Suggestion{Mix: m, On: true, Said: "compensated " + what}
}

// Compensation returns the mix that compensates ds with the matrix s, or why that cannot be.
func Compensation(ds *dataset.Dataset, s *dataset.Spillover) (m Mix, why string) {
	m.Op = Compensate
	for _, name := range s.Names {
		i := slices.IndexFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == name })
		switch {
		case i < 0 && slices.ContainsFunc(ds.Columns, func(c dataset.Column) bool { return c.Name == "Comp-"+name }):
			return Mix{}, "Comp-" + name + " is compensated already"
		case i < 0:
			return Mix{}, fmt.Sprintf("%q is no column", name)
		case slices.Contains(m.Cols, i):
			return Mix{}, fmt.Sprintf("it names %q twice", name)
		case ds.Columns[i].Categories != nil:
			return Mix{}, fmt.Sprintf("%q has no numbers", name)
		case ds.Columns[i].Log != nil:
			return Mix{}, fmt.Sprintf("the values of %q are logarithms", name)
		}
		m.Cols = append(m.Cols, i)
	}
	for i, row := range s.M {
		if len(row) != len(s.Names) || i >= len(s.Names) {
			return Mix{}, "it is not square"
		}
		m.Values = append(m.Values, row...)
	}
	o := MatrixByID(Compensate)
	if why := o.Wrong(len(m.Cols), m.Values); why != "" {
		return Mix{}, strings.Replace(why, "the matrix of compensation", "it", 1)
	}
	return m, ""
}
