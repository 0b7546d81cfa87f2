package matrix

import "context"

// Source is the rows of a matrix by ranges: in memory, or from wherever only a part of them is at hand at a time. Its
// rows do not change.
type Source interface {
	// Shape returns the number of rows and of columns.
	Shape() (rows, cols int)
	// Read writes rows [from, to) to out, which has (to-from) x cols values, row by row. The error is ctx's, or of
	// whatever the rows come from.
	Read(ctx context.Context, from, to int, out []float32) error
	// Memory returns all rows as they lie in memory; ok is false where they do not.
	Memory() (m Matrix32, ok bool)
}

var _ Source = Matrix32{}

// Shape returns the number of rows and of columns.
func (m Matrix32) Shape() (rows, cols int) { return m.Rows, m.Cols }

// Read copies rows [from, to) to out. The error is ctx's.
func (m Matrix32) Read(ctx context.Context, from, to int, out []float32) error {
	copy(out, m.Data[from*m.Cols:to*m.Cols])
	return ctx.Err()
}

// Memory returns the matrix itself.
func (m Matrix32) Memory() (Matrix32, bool) { return m, true }

// gathered is how many values Gather reads at once: 4 MiB.
const gathered = 1 << 20

// Gather returns all rows of a source: as they lie in memory, else read by ranges into memory of their own.
func Gather(ctx context.Context, s Source) (Matrix32, error) {
	if m, ok := s.Memory(); ok {
		return m, ctx.Err()
	}
	m := New(s.Shape())
	step := max(1, gathered/max(1, m.Cols))
	for from := 0; from < m.Rows; from += step {
		to := min(from+step, m.Rows)
		if err := s.Read(ctx, from, to, m.Data[from*m.Cols:to*m.Cols]); err != nil {
			return Matrix32{}, err
		}
		if err := ctx.Err(); err != nil {
			return Matrix32{}, err
		}
	}
	return m, nil
}
