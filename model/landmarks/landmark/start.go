package landmark

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// StartGrid returns a grid of landmarks whose codebook is spanned by the first principal components
// of the valid rows of x (n x d): the longer side of the grid along the first, sides at 2/sqrt(dims)
// deviations, so that corners are at 2. Where the data has fewer directions than the grid, landmarks
// coincide in the codebook until training parts them. Errors: no valid row, ctx.
func StartGrid(ctx context.Context, x matrix.Matrix32, shape Shape, t Topology, seed uint64) (*Set, error) {
	return Pool{X: x}.Grid(ctx, shape, t, seed)
}

// Grid is StartGrid at the points of a pool. Its errors are those, and ErrAll.
func (p Pool) Grid(ctx context.Context, shape Shape, t Topology, seed uint64) (*Set, error) {
	if shape.Cols < 1 || shape.Rows < 1 || shape.Len() > MaxLandmarks {
		return nil, problem.New("", "write COLUMNSxROWS, for example 20x20", "a grid of %s cannot be made", shape)
	}
	pos, edges := Grid(shape, t)
	return p.On(ctx, pos, edges, seed)
}

// StartOn returns landmarks at places that were drawn, pos (g x 2 or 3) joined by edges. Their codebook is spanned as
// that of StartGrid: the longest extent of the places along the first principal component of the valid rows of x (n x
// d). Errors: no valid row, places or edges that no map can have, ctx.
func StartOn(ctx context.Context, x, pos matrix.Matrix32, edges [][2]int32, seed uint64) (*Set, error) {
	return Pool{X: x}.On(ctx, pos, edges, seed)
}

// On is StartOn at the points of a pool. Its errors are those, and ErrAll.
func (p Pool) On(ctx context.Context, pos matrix.Matrix32, edges [][2]int32, seed uint64) (*Set, error) {
	if err := checkCount(pos.Rows, pos.Cols); err != nil {
		return nil, err
	}
	pc, err := principal(ctx, p, pos.Cols, seed)
	if err != nil {
		return nil, err
	}
	low, high := slices.Clone(pos.Row(0)), slices.Clone(pos.Row(0))
	for i := range pos.Rows {
		for c, v := range pos.Row(i) {
			low[c], high[c] = min(low[c], v), max(high[c], v)
		}
	}
	middle, half := make([]float64, pos.Cols), make([]float64, pos.Cols) // the extent of each axis
	for c := range half {
		middle[c] = (float64(low[c]) + float64(high[c])) / 2
		half[c] = (float64(high[c]) - float64(low[c])) / 2
	}
	component := make([]int, pos.Cols) // which component a coordinate follows
	for c := range half {
		for o := range half {
			if half[o] > half[c] || half[o] == half[c] && o < c {
				component[c]++
			}
		}
	}
	code := matrix.New(pos.Rows, p.X.Cols)
	v := make([]float64, p.X.Cols)
	for i := range code.Rows {
		copy(v, pc.mean)
		for c, at := range pos.Row(i) {
			if half[c] == 0 {
				continue
			}
			a := component[c]
			step := 2 / math.Sqrt(float64(pos.Cols)) * pc.sd[a] * (float64(at) - middle[c]) / half[c]
			for j, u := range pc.axis[a] {
				v[j] += step * u
			}
		}
		toFloat32(code.Row(i), v)
	}
	s, err := New(code, pos)
	if err != nil {
		return nil, err
	}
	return s.WithEdges(edges)
}

// StartRandom returns g landmarks at random valid rows of x (each row once while there are enough),
// with positions from the first two or three principal components. Errors: no valid row, ctx.
func StartRandom(ctx context.Context, x matrix.Matrix32, g, dims int, seed uint64) (*Set, error) {
	if err := checkCount(g, dims); err != nil {
		return nil, err
	}
	rows, err := sampleRows(ctx, Pool{X: x}, g, seed)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, errNoPoints()
	}
	code := matrix.New(g, x.Cols)
	for i := range g {
		copy(code.Row(i), x.Row(int(rows[i%len(rows)])))
	}
	return arrange(ctx, Pool{X: x}, code, dims, seed)
}

// StartKMeans returns g landmarks chosen by k-means++ from the valid rows of x (of a sample of
// 100 per landmark, 20,000 to 200,000 in all, where there are more), with positions as StartRandom. Errors: no valid
// row, ctx.
func StartKMeans(ctx context.Context, x matrix.Matrix32, g, dims int, seed uint64) (*Set, error) {
	return Pool{X: x}.KMeans(ctx, g, dims, seed)
}

// KMeans is StartKMeans at the points of a pool. Its errors are those, and ErrAll.
func (p Pool) KMeans(ctx context.Context, g, dims int, seed uint64) (*Set, error) {
	if err := checkCount(g, dims); err != nil {
		return nil, err
	}
	code, err := plusPlus(ctx, p, g, seed)
	if err != nil {
		return nil, err
	}
	return arrange(ctx, p, code, dims, seed)
}

func checkCount(g, dims int) error {
	if g < 1 || g > MaxLandmarks {
		return problem.New("", "choose a number between 1 and 65536", "a map cannot have %d landmarks", g)
	}
	if dims != 2 && dims != 3 {
		return problem.New("", "use 2 or 3", "a map cannot have %d dimensions", dims)
	}
	return nil
}

// arrange puts landmarks of a given codebook onto the map: their projection to the principal
// components of the data, scaled to the extent of a grid of as many. Landmarks that would fall on
// one another are put aside a little, so that each can be seen and taken.
func arrange(ctx context.Context, from Pool, code matrix.Matrix32, dims int, seed uint64) (*Set, error) {
	pc, err := principal(ctx, from, dims, seed)
	if err != nil {
		return nil, err
	}
	g := code.Rows
	at := make([]float64, g*dims)
	low, high := make([]float64, dims), make([]float64, dims)
	extent := 0.0
	for a := range dims {
		low[a], high[a] = math.Inf(1), math.Inf(-1)
		for i := range g {
			s := 0.0
			for j, v := range code.Row(i) {
				s += (float64(v) - pc.mean[j]) * pc.axis[a][j]
			}
			at[i*dims+a] = s
			low[a], high[a] = min(low[a], s), max(high[a], s)
		}
		extent = max(extent, high[a]-low[a])
	}
	side := max(1, math.Pow(float64(g), 1/float64(dims))-1)
	pos := matrix.New(g, dims)
	taken := make(map[[3]float32]bool, g)
	r := rand.New(rand.NewPCG(seed, 0xa44a9e))
	for i := range g {
		p := pos.Row(i)
		for a := range dims {
			if extent > 0 {
				p[a] = float32((at[i*dims+a] - (low[a]+high[a])/2) / extent * side)
			}
		}
		place := func() (k [3]float32) { copy(k[:], p); return k }
		for taken[place()] {
			for a := range p {
				p[a] += float32(r.NormFloat64() / 4)
			}
		}
		taken[place()] = true
	}
	return New(code, pos)
}

// toFloat32 rounds v into dst, at most the largest finite number.
func toFloat32(dst []float32, v []float64) {
	for j, x := range v {
		dst[j] = float32(min(math.MaxFloat32, max(-math.MaxFloat32, x)))
	}
}
