package transform

import (
	"fmt"
	"slices"

	"blossom/model/data/dataset"
)

// Fill puts a number of its own for each column in the place of what is missing there: the median of the others, so
// that a point is not left out of the map for one gap. Its numbers are those medians, of raw values.
// Infinite values stay, and keep their points out.
const Fill ID = "fill"

func init() {
	RegisterMatrix(MatrixOp{
		ID: Fill, Title: "Fill gaps", Off: "Leave points with gaps out", Order: 9,
		Word: "filled",
		Help: "Takes a missing value for the median of its column, so that points with a few gaps are in the map. " +
			"They lie nearer to the middle than they would. Off: a point with a gap in a column of the map is left " +
			"out.",
		Suggest: func(ds *dataset.Dataset) Suggestion {
			var cols []int
			for i, c := range ds.Columns {
				if c.Role == dataset.Marker {
					cols = append(cols, i)
				}
			}
			m := Filling(ds, cols)
			if len(m.Cols) == 0 {
				return Suggestion{}
			}
			return Suggestion{Mix: m, Said: "points with a missing value in " + oneOf(len(m.Cols)) +
				" are left out of the map"}
		},
		Says: func(columns int) string {
			return fmt.Sprintf("missing values of %s are its median", oneOf(columns))
		},
		Wrong: func(columns int, values []float64) string {
			if len(values) != columns || columns == 0 {
				return fmt.Sprintf("filling the gaps of %d columns takes as many numbers, it has %d", columns,
					len(values))
			}
			for _, x := range values {
				if x-x != 0 {
					return "what gaps are filled with must be finite"
				}
			}
			return ""
		},
		New: func(_ int, values []float64) (forward, back func(Block)) {
			return func(b Block) {
				for j, strip := range b {
					for i, x := range strip {
						if x != x {
							strip[i] = values[j]
						}
					}
				}
			}, func(Block) {}
		},
	})
}

// Filling is the mix that fills the gaps of those of cols that have any; without columns where none has.
func Filling(ds *dataset.Dataset, cols []int) Mix {
	m := Mix{Op: Fill}
	for _, i := range cols {
		if c := &ds.Columns[i]; c.Stats.Invalid > 0 && c.Stats.Count > 0 && c.Categories == nil {
			_, median, _ := c.Quartiles()
			m.Cols, m.Values = append(m.Cols, i), append(m.Values, median)
		}
	}
	return m
}

// FillingNote says what filling did to a table, "" where there is none.
func FillingNote(ds *dataset.Dataset, s Spec) string {
	at := slices.IndexFunc(s.Mixes, func(m Mix) bool { return m.Op == Fill })
	if at < 0 {
		return ""
	}
	gap, n := make([]bool, ds.Points), 0
	for _, c := range s.Mixes[at].Cols {
		for i, x := range ds.Columns[c].Values {
			if x != x && !gap[i] {
				gap[i] = true
				n++
			}
		}
	}
	return fmt.Sprintf("%d of %d points have a missing value in %s, which is taken for the median of its column", n,
		ds.Points, oneOf(len(s.Mixes[at].Cols)))
}

// oneOf writes a number of columns, one of which is meant.
func oneOf(n int) string {
	if n == 1 {
		return "one column"
	}
	return fmt.Sprintf("one of %d columns", n)
}
