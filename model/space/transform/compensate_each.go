package transform

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// CompensateEach is Compensate for a table of several files that bring different matrices: a point is compensated with
// that of its own file. Its last column is the label that tells the file; its numbers are a matrix for each label, one
// after the other. A detector of which nothing spills over in a file keeps its values there, whatever the others are.
const CompensateEach ID = "compensate-each"

func init() {
	RegisterMatrix(MatrixOp{
		ID: CompensateEach, Title: "Compensate", Off: "Do not compensate", Order: 2, Labelled: true,
		Help: "Takes the light out of each detector that spills over from the others, in the points of each file " +
			"with the matrix that came with it. Switch it off to see values as they were measured.",
		Suggest: suggestEach,
		Wrong: func(columns int, values []float64) string {
			n := columns - 1
			if n < 1 || len(values) == 0 || len(values)%(n*n) != 0 {
				return fmt.Sprintf("compensation of %d detectors by files takes a matrix for each, it has %d numbers",
					n, len(values))
			}
			for at := 0; at < len(values); at += n * n {
				if why := MatrixByID(Compensate).Wrong(n, values[at:at+n*n]); why != "" {
					return why
				}
			}
			return ""
		},
		New: func(columns int, values []float64) (forward, back func(Block)) {
			n := columns - 1
			var there, again []portion
			for at := 0; at < len(values); at += n * n {
				matrix := values[at : at+n*n]
				own := mixedBy(n, matrix)
				inverse, _ := invert(n, matrix)
				there = append(there, portion{own, times(len(own), part(n, inverse, own))})
				again = append(again, portion{own, times(len(own), part(n, matrix, own))})
			}
			return byLabel(there), byLabel(again)
		},
	})
}

// portion is what is done to the rows of one label: to some of the detectors.
type portion struct {
	own []int
	do  func(Block)
}

// mixedBy are the detectors that a matrix changes or takes something from.
func mixedBy(n int, values []float64) (own []int) {
	for i := range n {
		for j := range n {
			one := 0.0
			if i == j {
				one = 1
			}
			if values[i*n+j] != one || values[j*n+i] != one {
				own = append(own, i)
				break
			}
		}
	}
	return own
}

// part are the numbers of some of the rows and columns of a square matrix.
func part(n int, m []float64, of []int) []float64 {
	if m == nil {
		return nil
	}
	out := make([]float64, 0, len(of)*len(of))
	for _, r := range of {
		for _, c := range of {
			out = append(out, m[r*n+c])
		}
	}
	return out
}

// byLabel does to each row of a block what its label, the last strip, says. A row without one becomes invalid.
func byLabel(portions []portion) func(Block) {
	return func(b Block) {
		if len(b) == 0 {
			return
		}
		n := len(b) - 1
		rows := make([][]int32, len(portions))
		for r, label := range b[n] {
			if !(label >= 0 && label < float64(len(portions))) {
				for _, strip := range b[:n] {
					strip[r] = math.NaN()
				}
				continue
			}
			rows[int(label)] = append(rows[int(label)], int32(r))
		}
		for k, p := range portions {
			if len(rows[k]) == 0 || len(p.own) == 0 {
				continue
			}
			some, all := make(Block, len(p.own)), make([]float64, len(p.own)*len(rows[k]))
			for i, from := range p.own {
				some[i] = all[i*len(rows[k]):][:len(rows[k])]
				for at, r := range rows[k] {
					some[i][at] = b[from][r]
				}
			}
			p.do(some)
			for i, to := range p.own {
				for at, r := range rows[k] {
					b[to][r] = some[i][at]
				}
			}
		}
	}
}

// suggestEach is about the matrices that files bring which are one table.
func suggestEach(ds *dataset.Dataset) Suggestion {
	if len(ds.Spillovers) == 0 || ds.OriginAt() < 0 {
		return Suggestion{}
	}
	return suggestOf(ds, ds.Spillovers)
}

// suggestOf is about matrices of the files of a table. A file whose operator wants none has none, unless none of them
// wants one.
func suggestOf(ds *dataset.Dataset, matrices []*dataset.Spillover) Suggestion {
	without := ""
	if off := declined(ds); len(off) > 0 && !declinedAll(ds) {
		matrices = slices.Clone(matrices)
		var names []string
		for _, f := range off {
			if f < len(matrices) {
				matrices[f], names = nil, append(names, ds.Columns[ds.OriginAt()].Categories[f])
			}
		}
		says := " say"
		if len(names) == 1 {
			says = " says"
		}
		without = ", but " + strings.Join(names, ", ") + " not, which" + says + " APPLY COMPENSATION FALSE"
	}
	m, bring, why := eachOf(ds, matrices)
	switch {
	case why != "":
		return Suggestion{Said: "not compensated: the files bring different matrices, and that of " + why}
	case bring == 0:
		return Suggestion{Needless: true,
			Said: "not compensated: the matrices of the files are the identity, which changes nothing"}
	}
	what := fmt.Sprintf("each of %d files with its own matrix", len(matrices))
	switch {
	case without != "":
		what = fmt.Sprintf("%d of %d files, each with its own matrix", bring, len(matrices)) + without
	case bring < len(matrices):
		what = fmt.Sprintf("those %d of %d files that bring a matrix, each with its own", bring, len(matrices))
	}
	return asked(ds, m, what)
}

// eachOf is the mix that compensates the points of each file of ds with its own of some matrices, nil where it has
// none, how many that change anything, or the file whose matrix does not fit and why.
func eachOf(ds *dataset.Dataset, matrices []*dataset.Spillover) (m Mix, bring int, why string) {
	file := ds.OriginAt()
	each := make([]Mix, len(matrices))
	m = Mix{Op: CompensateEach}
	for f, s := range matrices {
		if s == nil || s.Identity() {
			continue
		}
		if each[f], why = Compensation(ds, s); why != "" {
			return Mix{}, 0, fmt.Sprintf("%s does not fit: %s", ds.Columns[file].Categories[f], why)
		}
		bring++
		m.Cols = append(m.Cols, each[f].Cols...)
	}
	if bring == 0 {
		return Mix{}, 0, ""
	}
	slices.Sort(m.Cols)
	m.Cols = slices.Compact(m.Cols)
	n := len(m.Cols)
	m.Values = make([]float64, len(each)*n*n)
	for f, own := range each {
		to := m.Values[f*n*n:][:n*n]
		for i := range n {
			to[i*n+i] = 1
		}
		for i, a := range own.Cols {
			for j, b := range own.Cols {
				to[slices.Index(m.Cols, a)*n+slices.Index(m.Cols, b)] = own.Values[i*len(own.Cols)+j]
			}
		}
	}
	m.Units = append(unitsOf(ds, m.Cols), Unit{Gain: 1}) // the label has none
	m.Cols = append(m.Cols, file)
	return m, bring, ""
}

// OwnCompensation is what a table asks for that brings a matrix, or a different one in each of its files.
func OwnCompensation(ds *dataset.Dataset) Suggestion {
	if len(ds.Spillovers) > 0 {
		return suggestEach(ds)
	}
	return suggestCompensation(ds)
}

// Compensates says whether it takes out what spills over between detectors.
func (m Mix) Compensates() bool { return m.Op == Compensate || m.Op == CompensateEach }
