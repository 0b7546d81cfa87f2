// Package knn finds the k nearest other points of every point, exactly: by the square of the Euclidean distance, ties
// to the lower index. It declares what engines offer for that (Finder), and has the search in float64 that they are
// judged by, which serves where there is no engine and few points. Where comparing all pairs takes too long, Auto looks
// through the nearest cells of points only, and measures how many neighbours it finds (Cells, Recall).
//
// Distances are sums over coordinates, ascending, of squared differences, with every difference, product and sum
// rounded to float64: the same bits on every engine. |a|^2 - 2ab + |b|^2 may filter, and decides nothing.
package knn

import (
	"context"
	"math"

	"blossom/model/base/large"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// Finder is what a device offers that holds n x d points.
type Finder interface {
	// Others writes to out, which NewLists made for these points and q, a row for each point that q asks for. The
	// result does not depend on the device. It returns within 100 ms once ctx is cancelled, with its error; out is
	// then of no use. With errors.ErrUnsupported, for what the device is not made for, Search does it.
	Others(ctx context.Context, q Query, out *Lists) error
}

// Query says whose neighbours are looked for.
type Query struct {
	K      int
	Points []int32         // by index, of whom each leaves itself out; nil: all points, in order
	New    matrix.Matrix32 // if it has rows (m x d): those, which are no points of the set and leave nobody out
	// Cells, unless nil, has each point look through the cells named in Cells.Probe alone. Not with New.
	Cells    *Cells
	Threads  int                     // threads of Search, at most; 0: all cores
	Progress func(done, total int64) // rows; from several goroutines; nil: nobody is told
}

// Rows is how many rows the answer has, for n points.
func (q *Query) Rows(n int) int {
	switch {
	case q.New.Rows > 0:
		return q.New.Rows
	case q.Points != nil:
		return len(q.Points)
	}
	return n
}

// Row returns the coordinates that row r of the answer is about, and which of the points x that is, or -1.
func (q *Query) Row(x matrix.Matrix32, r int) (coordinates []float32, self int) {
	switch {
	case q.New.Rows > 0:
		return q.New.Row(r), -1
	case q.Points != nil:
		r = int(q.Points[r])
	}
	return x.Row(r), r
}

// Check says (problem.Problem) why q cannot be asked of x (n x d).
func (q *Query) Check(x matrix.Matrix32) error {
	const defect = "this is a defect of the program"
	if q.K < 0 {
		return problem.New("", defect, "%d nearest points were asked for", q.K)
	}
	if q.New.Rows > 0 && (q.New.Cols != x.Cols || q.Cells != nil || q.Points != nil) {
		return problem.New("", defect, "new points have %d columns, those that they are compared with %d", q.New.Cols,
			x.Cols)
	}
	for _, p := range q.Points {
		if p < 0 || int(p) >= x.Rows {
			return problem.New("", defect, "point %d of %d was asked for", p, x.Rows)
		}
	}
	if x.Rows > math.MaxInt32 {
		return problem.New("", "take a sample of fewer points", "neighbours of more than %d points are not found",
			math.MaxInt32)
	}
	return nil
}

// Lists are neighbours, nearest first. They take 8 bytes a neighbour.
type Lists struct {
	N, K  int     // rows, and neighbours of each: as many as were asked for, or as there are
	Index []int32 // N x K; -1 throughout the row of a point with NaN or Inf
	// Near (N) is the squared distance of the nearest, NaN for a point with NaN or Inf; Beyond (N x K) is by how much
	// that of each is more, in units of Unit, rounded once: float32 then holds small differences of large distances.
	Near   []float64
	Beyond []float32
	Unit   float64 // a power of two near the square of the spread of the points
}

// NewLists returns room for the answer to q among x (n x d).
func NewLists(x matrix.Matrix32, q Query) *Lists { return SurveyOf(x).Lists(x, q) }

// Survey is what lists have to know of points: it is the same for all questions about them.
type Survey struct {
	Valid  int     // points without NaN or Inf
	Spread float64 // their widest column has it
}

// SurveyOf looks at all points.
func SurveyOf(x matrix.Matrix32) Survey {
	const rows = 1 << 13
	parts := make([]extent, par.Count(x.Rows, rows))
	_ = par.Blocks(context.Background(), x.Rows, rows, func(b, from, to int) {
		e := extent{lo: make([]float32, x.Cols), hi: make([]float32, x.Cols)}
		for i := from; i < to; i++ {
			e.add(x.Row(i))
		}
		parts[b] = e
	})
	all := extent{lo: make([]float32, x.Cols), hi: make([]float32, x.Cols)}
	for _, e := range parts {
		all.join(e)
	}
	s := Survey{Valid: all.valid}
	for c := range all.lo {
		s.Spread = max(s.Spread, float64(all.hi[c])-float64(all.lo[c]))
	}
	return s
}

// extent is the box of some valid points.
type extent struct {
	valid  int
	lo, hi []float32
}

func (e *extent) add(row []float32) {
	if !Finite(row) {
		return
	}
	if e.valid++; e.valid == 1 {
		copy(e.lo, row)
		copy(e.hi, row)
		return
	}
	lo, hi := e.lo[:len(row)], e.hi[:len(row)]
	for c, v := range row {
		if v < lo[c] {
			lo[c] = v
		}
		if v > hi[c] {
			hi[c] = v
		}
	}
}

func (e *extent) join(o extent) {
	switch {
	case o.valid == 0:
	case e.valid == 0:
		copy(e.lo, o.lo)
		copy(e.hi, o.hi)
	default:
		lo, hi := e.lo, e.hi
		for c, v := range o.lo {
			lo[c], hi[c] = min(lo[c], v), max(hi[c], o.hi[c])
		}
	}
	e.valid += o.valid
}

// Lists returns room for the answer to q among the points x that were looked at.
func (s Survey) Lists(x matrix.Matrix32, q Query) *Lists {
	l, valid := &Lists{N: q.Rows(x.Rows)}, s.Valid
	if q.New.Rows == 0 {
		valid--
	}
	l.K = max(0, min(q.K, valid))
	l.Unit = unitOf(s.Spread)
	_ = par.Blocks(context.Background(), 2, 1, func(b, _, _ int) { // memory that was in use before is cleared
		if b == 0 {
			l.Index = large.Make[int32](l.N * l.K)
		} else {
			l.Beyond, l.Near = large.Make[float32](l.N*l.K), make([]float64, l.N)
		}
	})
	return l
}

// unitOf is the power of two nearest to the square of the spread, from below.
func unitOf(spread float64) float64 {
	if !(spread > 0) {
		return 1
	}
	return math.Ldexp(1, 2*math.Ilogb(spread))
}

// Found is a neighbour, with its squared distance.
type Found struct {
	Index   int32
	Squared float64
}

// Less orders neighbours by distance, ties to the lower index.
func (a Found) Less(b Found) bool {
	return a.Squared < b.Squared || a.Squared == b.Squared && a.Index < b.Index
}

// Set writes row r: K neighbours in order, or none for a point with NaN or Inf.
func (l *Lists) Set(r int, found []Found) {
	if len(found) == 0 {
		l.Clear(r)
		return
	}
	near := found[0].Squared
	l.Near[r] = near
	index, beyond := l.Row(r)
	for j, f := range found[:l.K] {
		index[j], beyond[j] = f.Index, l.Round(f.Squared-near)
	}
}

// Round is what Beyond holds of a difference of squared distances.
func (l *Lists) Round(d float64) float32 { return float32(min(d/l.Unit, math.MaxFloat32)) }

// Clear marks row r as that of a point with NaN or Inf.
func (l *Lists) Clear(r int) {
	l.Near[r] = math.NaN()
	index, beyond := l.Row(r)
	for j := range index {
		index[j], beyond[j] = -1, 0
	}
}

// Row returns the neighbours in row r.
func (l *Lists) Row(r int) (index []int32, beyond []float32) {
	from, to := r*l.K, (r+1)*l.K
	return l.Index[from:to:to], l.Beyond[from:to:to]
}

// Squared returns the squared distance of neighbour j of row r.
func (l *Lists) Squared(r, j int) float64 { return l.Near[r] + l.Unit*float64(l.Beyond[r*l.K+j]) }

// Squared is the square of the distance of two points, to the bit.
func Squared(a, b []float32) float64 {
	b = b[:len(a)]
	s := 0.0
	for c, v := range a {
		d := float64(v) - float64(b[c])
		s += float64(d * d) // no fused multiply-add, on any machine
	}
	return s
}

// Finite says whether a point has neither NaN nor Inf.
func Finite(row []float32) bool {
	for _, v := range row {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// Centre is the mean of the valid points, of a part of them where there are many: distances do not depend on it. Cores
// share the points that are looked at, and then the columns.
func Centre(x matrix.Matrix32) []float64 {
	step := 1 + x.Rows/10000
	valid := make([]bool, par.Count(x.Rows, step))
	_ = par.Blocks(context.Background(), len(valid), 512, func(_, from, to int) {
		for i := from; i < to; i++ {
			valid[i] = Finite(x.Row(i * step))
		}
	})
	mean := make([]float64, x.Cols)
	_ = par.Blocks(context.Background(), x.Cols, 4, func(_, from, to int) {
		n, mean := 0.0, mean[from:to]
		for i, ok := range valid {
			if !ok {
				continue
			}
			n++
			for c, v := range x.Row(i * step)[from:to] {
				mean[c] += (float64(v) - mean[c]) / n
			}
		}
	})
	return mean
}
