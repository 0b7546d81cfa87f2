package linkage

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/space/blocks"
)

// shortest is the least length that is reckoned with in the filter's space, in which the longest is about 1: squares of
// it and the margins made of them are still normal numbers of float32.
const shortest = 0x1p-40

// up32 is the least float32 not below x.
func up32(x float64) float32 {
	f := float32(x)
	if float64(f) < x {
		f = math.Nextafter32(f, float32(math.Inf(1)))
	}
	return f
}

// newLayout is a layout whose places are the points, in the order of the rows; the rest of it is to be made.
func newLayout(ctx context.Context, p *points) (*Blocked, error) {
	l := &Blocked{X: p.x, Row: make([]int32, p.n), Metric: p.metric, Norm: p.norm, Core: p.core, N: p.n, D: p.x.Cols,
		Blocks: par.Count(p.n, BlockSize)}
	err := par.On(ctx, p.threads, p.n, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			l.Row[i] = p.rowOf(p.leaf(int32(i)))
		}
	})
	return l, err
}

// row is the values of a place.
func (l *Blocked) row(place int32) []float32 { return l.X.Row(int(l.Row[place])) }

// Move puts places into another order: of each place, what it was before.
func (l *Blocked) Move(ctx context.Context, threads int, ids []int32) error {
	rows, norm, core := l.Row, l.Norm, l.Core
	l.Row = make([]int32, l.N)
	if norm != nil {
		l.Norm = make([]float64, l.N)
	}
	if core != nil {
		l.Core = make([]float64, l.N)
	}
	return par.On(ctx, threads, l.N, block, func(_, from, to int) {
		for i := from; i < to; i++ {
			l.Row[i] = rows[ids[i]]
			if norm != nil {
				l.Norm[i] = norm[ids[i]]
			}
			if core != nil {
				l.Core[i] = core[ids[i]]
			}
		}
	})
}

// Arrange puts places in order and makes the rest of the layout. It returns what each place was before.
func (l *Blocked) Arrange(ctx context.Context, threads int) ([]int32, error) {
	// The mean is taken while places are rows in their order: through the table from one end to the other.
	if err := l.centre(ctx, threads, false); err != nil {
		return nil, err
	}
	ids := make([]int32, l.N)
	for i := range ids {
		ids[i] = int32(i)
	}
	if err := blocks.Order(ctx, threads, l.D, ids, l.row); err != nil {
		return nil, err
	}
	if err := l.Move(ctx, threads, ids); err != nil {
		return nil, err
	}
	sweep(l.N)
	return ids, l.fill(ctx, threads)
}

// fill makes the filter's points and what is known of blocks, when there is a centre.
func (l *Blocked) fill(ctx context.Context, threads int) error {
	blocks, d := l.Blocks, l.D
	places := blocks * BlockSize
	l.Packed = make([]float32, places*d)
	l.Half, l.Length = make([]float32, places), make([]float32, places)
	l.Centre, l.CentreHalf, l.CentreLength = make([]float32, blocks*d), make([]float32, blocks), make([]float32, blocks)
	l.CentreCols = make([]float32, par.Count(blocks, BlockSize)*BlockSize*d)
	l.Radius, l.Longest = make([]float32, blocks), make([]float32, blocks)
	return par.On(ctx, threads, blocks, 64, func(_, from, to int) {
		sum, row := make([]float64, d), make([]float64, d)
		for b := from; b < to; b++ {
			l.pack(b, sum, row)
		}
	})
}

// values writes the coordinates of a place in the filter's space, before the mean goes and the scale comes.
func (l *Blocked) values(place int, to []float64) {
	x := l.X.Row(int(l.Row[place]))[:len(to)]
	if l.Norm != nil {
		for c, v := range x {
			to[c] = float64(v) / l.Norm[place]
		}
		return
	}
	for c, v := range x {
		to[c] = float64(v)
	}
}

// centre finds the mean, which raw leaves at 0, and the scale.
func (l *Blocked) centre(ctx context.Context, threads int, raw bool) error {
	const size = 1 << 12
	l.Mean = make([]float64, l.D)
	sums := make([][]float64, par.Count(l.N, size))
	err := par.On(ctx, threads, l.N, size, func(b, from, to int) {
		sum, row := make([]float64, l.D), make([]float64, l.D)
		for i := from; i < to; i++ {
			l.values(i, row)
			for c, v := range row {
				sum[c] += v
			}
		}
		sums[b] = sum
	})
	if err != nil {
		return err
	}
	for _, s := range sums {
		for c, v := range s {
			if !raw {
				l.Mean[c] += v / float64(l.N)
			}
		}
	}
	longest := make([]float64, len(sums))
	err = par.On(ctx, threads, l.N, size, func(b, from, to int) {
		row := make([]float64, l.D)
		most := 0.0
		for i := from; i < to; i++ {
			l.values(i, row)
			for c, m := range l.Mean {
				row[c] -= m
			}
			most = max(most, l.parts(row))
		}
		longest[b] = most
	})
	most := 0.0
	for _, s := range longest {
		most = max(most, s)
	}
	if l.Metric != L1 {
		most = math.Sqrt(most)
	}
	l.Scale = 1
	if most > 0 {
		_, e := math.Frexp(most)
		l.Scale = math.Ldexp(1, -e)
	}
	return err
}

// length is that of a vector by the sum of squares, or for L1 of absolute values.
func (l *Blocked) length(s float64) float64 {
	if l.Metric == L1 {
		return s
	}
	return math.Sqrt(s)
}

// parts is the sum that length takes.
func (l *Blocked) parts(x []float64) (s float64) {
	if l.Metric == L1 {
		for _, v := range x {
			s += math.Abs(v)
		}
		return s
	}
	for _, v := range x {
		s += v * v
	}
	return s
}

// rounding is how far float32 moves a coordinate of length 1, and a bit; what it does to a vector is no more.
const rounding = 0x1.1p-24

// pack copies a block and finds its centre and radius.
func (l *Blocked) pack(b int, sum, row []float64) {
	d, from, to := l.D, b*BlockSize, min(l.N, (b+1)*BlockSize)
	to32 := l.Packed[b*BlockSize*d : (b+1)*BlockSize*d]
	clear(sum)
	for i := from; i < to; i++ {
		l.values(i, row)
		for c, m := range l.Mean {
			v := float32((row[c] - m) * l.Scale)
			to32[c*BlockSize+i-from] = v
			row[c] = float64(v)
			sum[c] += row[c]
		}
		s := l.parts(row)
		if l.Metric != L1 {
			l.Half[i] = float32(s / 2)
		}
		l.Length[i] = max(shortest, up32(l.length(s)*(1+1e-7)))
		l.Longest[b] = max(l.Longest[b], l.Length[i])
	}
	for i := to; i < (b+1)*BlockSize; i++ {
		l.Half[i] = float32(math.Inf(1))
	}
	centre := l.Centre[b*d : (b+1)*d]
	for c := range centre {
		centre[c] = float32(sum[c] / float64(to-from))
		row[c] = float64(centre[c])
		l.CentreCols[(b/BlockSize*d+c)*BlockSize+b%BlockSize] = centre[c]
	}
	s := l.parts(row)
	if l.Metric != L1 {
		l.CentreHalf[b] = float32(s / 2)
	}
	l.CentreLength[b] = max(shortest, up32(l.length(s)*(1+1e-7)))
	radius := 0.0
	var apart [BlockSize]float64 // from the centre, a column of all at a time
	for c, m := range centre {
		col := to32[c*BlockSize : (c+1)*BlockSize]
		if l.Metric == L1 {
			for i, v := range col {
				apart[i] += math.Abs(float64(v) - float64(m))
			}
			continue
		}
		for i, v := range col {
			apart[i] += (float64(v) - float64(m)) * (float64(v) - float64(m))
		}
	}
	for i, s := range apart[:to-from] {
		radius = max(radius, l.length(s)*(1+1e-9)+rounding*float64(l.Length[from+i]))
	}
	l.Radius[b] = up32(radius)
}

// reach is the distance in the filter's space within which all points lighter than t lie, rounded up.
func (l *Blocked) reach(t float64) float32 {
	if math.IsInf(t, 1) {
		return math.MaxFloat32
	}
	const eps = 0x1p-52
	d := float64(l.D)
	switch l.Metric {
	case Cosine: // |x-y|^2 = 2 (1 - cos) of vectors of length 1
		t = math.Sqrt(2*t + (d+8)*4*eps)
	default:
		t *= 1 + (d+8)*eps
	}
	return up32(min(math.MaxFloat32/4, t*l.Scale*(1+0x1p-30)))
}

// Within is reach rounded down: a point is left out for its core only if that is certainly too far.
func (l *Blocked) Within(t float64) float32 {
	if l.Metric == Cosine {
		t = math.Sqrt(2 * t)
	}
	return math.Nextafter32(float32(t*l.Scale*(1-0x1p-30)), float32(math.Inf(-1)))
}

// margin is how far the product of two points may be off, by the sum of their lengths: of float32, with sums that
// begin at -|y|^2/2, half the squared distance is off by (D/2 + 3) 2^-24 of its square at most, thresholds included.
// This is twice that. For L1, of the sum itself.
func (l *Blocked) margin(length float32) float32 {
	m := float32(l.D+6) * 0x1p-24 * length
	if l.Metric == L1 {
		return m
	}
	return m * length
}
