package embedsom

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// Influence is which of a sample of the points each landmark carries, and how it stands out among them. It is of one
// codebook; moving landmarks does not change it.
type Influence struct {
	N int // points of the sample: the first of the table, in its order
	c *Carriers

	by    [][]int32 // for each landmark indices into c.IDs where it carries a point, its nearest points first
	mean  []float64 // mean of each column of the map, over the sample
	sd    []float64
	usual float64 // distance of a point to its nearest landmark, root of the mean square
	code  matrix.Matrix32
	x     matrix.Matrix32
}

// influenceSample is how many points are looked at at most, influenceWork how many differences of coordinates.
const (
	influenceSample = 8000
	influenceWork   = 1 << 27
)

// NewInfluence returns which points of x (n x d, in the order of which any first part is a sample) the landmarks carry:
// codebook (g x d) and pos (g x 2 or 3) are theirs.
func NewInfluence(ctx context.Context, codebook, pos matrix.Matrix32, p Params, x matrix.Matrix32) (*Influence, error) {
	ref, err := NewReference(codebook, pos, p)
	if err != nil {
		return nil, err
	}
	n := min(x.Rows, influenceSample, max(1000, influenceWork/max(1, codebook.Rows*x.Cols)))
	x = matrix.Matrix32{Rows: n, Cols: x.Cols, Data: x.Data[:n*x.Cols]}
	f := &Influence{N: n, code: codebook, x: x, by: make([][]int32, codebook.Rows)}
	if f.c, err = NewCarriers(ctx, ref, x); err != nil {
		return nil, err
	}
	for rank := range f.c.K { // the nearest first
		for i := range f.c.Len() {
			id := f.c.IDs[i*f.c.K+rank]
			f.by[id] = append(f.by[id], int32(i*f.c.K+rank))
		}
	}
	f.mean, f.sd = make([]float64, x.Cols), make([]float64, x.Cols)
	for _, r := range f.c.Rows {
		for c, v := range x.Row(int(r)) {
			f.mean[c] += float64(v) / float64(len(f.c.Rows))
		}
	}
	for i, r := range f.c.Rows {
		for c, v := range x.Row(int(r)) {
			f.sd[c] += (float64(v) - f.mean[c]) * (float64(v) - f.mean[c])
		}
		f.usual += apart(x.Row(int(r)), codebook.Row(int(f.c.IDs[i*f.c.K])))
	}
	for c := range f.sd {
		f.sd[c] = math.Sqrt(f.sd[c] / float64(max(1, len(f.c.Rows))))
	}
	f.usual = math.Sqrt(f.usual / float64(max(1, len(f.c.Rows))))
	return f, nil
}

// apart is the square of the distance of two rows.
func apart(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += (float64(x) - float64(b[i])) * (float64(x) - float64(b[i]))
	}
	return sum
}

// Carried calls fn for each point of the sample that a landmark carries, which are those that move with it, with its
// share in the place of the point, 0 to 1.
func (f *Influence) Carried(id int, fn func(point int, share float64)) {
	if id < 0 || id >= len(f.by) {
		return
	}
	for _, at := range f.by[id] {
		fn(int(f.c.Rows[int(at)/f.c.K]), f.c.Weights[at])
	}
}

// Standing is how a landmark stands among the points.
type Standing struct {
	Share   float64 // share of all points that it is nearest to
	Points  int     // number of the sample's points that it is nearest to
	Carries float64 // share of all points that it carries
	Spread  float64 // distance from it of the points that it is nearest to, root of the mean square; NaN: none
	Usual   float64 // the same of all landmarks
	// Columns are those of the map in which its points, or itself where it has none, differ most from the whole, the
	// most distinctive first.
	Columns []Distinct
}

// Distinct is a column in which a landmark stands out.
type Distinct struct {
	Dim   int     // an index into the columns of the map
	Value float64 // mean of its points, in the space of the map
	Off   float64 // from the mean of all, in standard deviations
}

// Standing returns how a landmark stands, with at most so many columns.
func (f *Influence) Standing(id, columns int) Standing {
	s := Standing{Spread: math.NaN(), Usual: f.usual}
	if id < 0 || id >= len(f.by) || f.c.Len() == 0 {
		return s
	}
	s.Carries = float64(len(f.by[id])) / float64(f.c.Len())
	mean, square := make([]float64, len(f.mean)), 0.0
	for _, at := range f.by[id] {
		if int(at)%f.c.K != 0 {
			break // no longer the nearest
		}
		row := f.x.Row(int(f.c.Rows[int(at)/f.c.K]))
		s.Points++
		square += apart(row, f.code.Row(id))
		for c, v := range row {
			mean[c] += float64(v)
		}
	}
	s.Share = float64(s.Points) / float64(f.c.Len())
	if s.Points > 0 {
		s.Spread = math.Sqrt(square / float64(s.Points))
	}
	for c := range mean {
		if s.Points > 0 {
			mean[c] /= float64(s.Points)
		} else {
			mean[c] = float64(f.code.Row(id)[c])
		}
		if f.sd[c] > 0 {
			s.Columns = append(s.Columns, Distinct{Dim: c, Value: mean[c], Off: (mean[c] - f.mean[c]) / f.sd[c]})
		}
	}
	slices.SortStableFunc(s.Columns, func(a, b Distinct) int {
		return cmp.Compare(math.Abs(b.Off), math.Abs(a.Off))
	})
	s.Columns = s.Columns[:min(columns, len(s.Columns))]
	return s
}
