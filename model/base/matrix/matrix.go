// Package matrix holds the one dense matrix type that the packages of blossom hand to each other.
package matrix

import "math"

// Matrix32 is a dense row-major float32 matrix: row i is Data[i*Cols : (i+1)*Cols].
// A Matrix32 that has been handed to another package is treated as immutable by both sides
// unless the receiving function says otherwise.
type Matrix32 struct {
	Rows, Cols int
	Data       []float32
}

// New returns a zeroed rows x cols matrix.
func New(rows, cols int) Matrix32 {
	return Matrix32{Rows: rows, Cols: cols, Data: make([]float32, rows*cols)}
}

// Row returns row i as a slice of the matrix, with its capacity cut so that append cannot reach row i+1.
func (m Matrix32) Row(i int) []float32 {
	return m.Data[i*m.Cols : (i+1)*m.Cols : (i+1)*m.Cols]
}

// Clone returns a deep copy.
func (m Matrix32) Clone() Matrix32 {
	c := m
	c.Data = append([]float32(nil), m.Data...)
	return c
}

// Empty says whether the matrix holds no element.
func (m Matrix32) Empty() bool { return m.Rows == 0 || m.Cols == 0 }

// NearestRow returns the row nearest to x, the first of several, or -1 if x is not finite or there is none.
func (m Matrix32) NearestRow(x []float32) int {
	best, at := float32(math.Inf(1)), -1
	for i := range m.Rows {
		d := float32(0)
		for j, v := range m.Row(i) {
			d += (v - x[j]) * (v - x[j])
		}
		if d < best {
			best, at = d, i
		}
	}
	return at
}

// Range is the half-open range of rows [From, To).
type Range struct{ From, To int }

// Len returns the number of rows in the range.
func (r Range) Len() int { return r.To - r.From }
