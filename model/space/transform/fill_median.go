package transform

import (
	"fmt"

	"blossom/model/data/dataset"
)

// Fill takes a missing value for the median of its column. Its numbers are those medians, of raw values.
const Fill ID = "fill"

func init() {
	registerFill(filler{
		word: "median", does: "is taken for the median of its column", mix: medians,
		op: MatrixOp{
			ID: Fill, Way: "Median", Order: 9,
			Help: "Takes a missing value for the median of its column, so that points with a few gaps are in the " +
				"map. They lie nearer to the middle than they would.",
			Says: func(columns int) string {
				return fmt.Sprintf("missing values of %s are its median", oneOf(columns))
			},
			Wrong: func(columns int, values []float64) string {
				if len(values) != columns || columns == 0 {
					return fmt.Sprintf("filling the gaps of %d columns takes as many numbers, it has %d", columns,
						len(values))
				}
				return unlikely(values)
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
		},
	})
}

// medians is the mix that fills gaps with the median of their column.
func medians(ds *dataset.Dataset, _, gappy []int) Mix {
	m := Mix{Op: Fill, Cols: gappy}
	for _, i := range gappy {
		_, median, _ := ds.Columns[i].Quartiles()
		m.Values = append(m.Values, median)
	}
	return m
}
