package exchange

import "blossom/model/base/matrix"

// column is column j of a matrix.
func column(m matrix.Matrix32, j int) []float32 {
	out := make([]float32, m.Rows)
	for i := range out {
		out[i] = m.Row(i)[j]
	}
	return out
}
