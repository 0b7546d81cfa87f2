package umap

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"blossom/model/base/matrix"
	"blossom/model/maps/places"
)

// How many steps of Lanczos's method are made: at most and at least, and how many numbers they may keep.
const (
	mostSteps   = 160
	leastSteps  = 40
	stepNumbers = 60_000_000
)

// SpectralStart puts points where the first vectors of the normalised Laplacian of their graph have them, each
// component of the graph for itself, about its centre on the principal components of the centres of all in x (n x d,
// finite). The error is a problem.Problem, or ctx's.
func SpectralStart(ctx context.Context, g *Graph, x matrix.Matrix32, dims int, seed uint64) ([]float32, error) {
	parts := connected(g)
	y := make([]float64, g.N*dims)
	centres, err := spread(ctx, x, parts, dims)
	if err != nil {
		return nil, err
	}
	for p, points := range parts {
		room := startWidth
		for q := range parts {
			if d := distance(centres, p, q, dims); q != p && d > 0 {
				room = min(room, d/2)
			}
		}
		at, err := eigenmap(ctx, g, points, dims, seed)
		if err != nil {
			return nil, err
		}
		for k, i := range points {
			for c := range dims {
				y[int(i)*dims+c] = centres[p*dims+c] + room*at[k*dims+c]
			}
		}
	}
	return stretched(y, dims, seed), nil
}

// connected are the points of each component of a graph, rising, in the order of their first.
func connected(g *Graph) (parts [][]int32) {
	of := make([]int32, g.N) // 1 + the part
	for first := range g.N {
		if of[first] != 0 {
			continue
		}
		name := int32(len(parts) + 1)
		of[first] = name
		for queue := []int32{int32(first)}; len(queue) > 0; {
			i := queue[len(queue)-1]
			queue = queue[:len(queue)-1]
			for _, j := range g.Column[g.Start[i]:g.Start[i+1]] {
				if of[j] == 0 {
					of[j] = name
					queue = append(queue, j)
				}
			}
		}
		parts = append(parts, nil)
	}
	for i, name := range of {
		parts[name-1] = append(parts[name-1], int32(i))
	}
	return parts
}

// spread are the centres of components on their principal components, within the width of a start.
func spread(ctx context.Context, x matrix.Matrix32, parts [][]int32, dims int) ([]float64, error) {
	means := matrix.New(len(parts), x.Cols)
	for p, points := range parts {
		for c := range x.Cols {
			sum := 0.0
			for _, i := range points {
				sum += float64(x.Row(int(i))[c])
			}
			means.Row(p)[c] = float32(sum / float64(len(points)))
		}
	}
	if len(parts) < 2 {
		return make([]float64, len(parts)*dims), nil
	}
	y, err := components(ctx, means, dims)
	if err != nil {
		return nil, err
	}
	return widen(stretched(y, dims, 0)), nil
}

func distance(y []float64, i, j, dims int) float64 {
	s := 0.0
	for c := range dims {
		s += (y[i*dims+c] - y[j*dims+c]) * (y[i*dims+c] - y[j*dims+c])
	}
	return math.Sqrt(s)
}

// eigenmap are the vectors of a component of a graph, len(points) x dims, within -1/2 to 1/2 or so.
func eigenmap(ctx context.Context, g *Graph, points []int32, dims int, seed uint64) ([]float64, error) {
	n := len(points)
	out := make([]float64, n*dims)
	if n < 2 {
		return out, ctx.Err()
	}
	w := newWalk(g, points)
	vectors, err := w.lanczos(ctx, dims, seed)
	if err != nil {
		return nil, err
	}
	for c, v := range vectors {
		most := 0.0
		for i := range v {
			v[i] /= w.root[i] // steps of a random walk
			most = max(most, math.Abs(v[i]))
		}
		for i := range v {
			out[i*dims+c] = v[i] / (2 * max(most, 1e-300))
		}
	}
	return out, nil
}

// walk is D^-1/2 W D^-1/2 of a component, which has the vectors of the Laplacian and 1 less its values.
type walk struct {
	g      *Graph
	points []int32
	at     map[int32]int32 // number of a point in the component; nil: its own
	root   []float64       // root of the sum of weights at a point
}

func newWalk(g *Graph, points []int32) *walk {
	w := &walk{g: g, points: points, root: make([]float64, len(points))}
	if len(points) < g.N {
		w.at = make(map[int32]int32, len(points))
		for k, i := range points {
			w.at[i] = int32(k)
		}
	}
	for k, i := range points {
		sum := 0.0
		for _, v := range g.Weight[g.Start[i]:g.Start[i+1]] {
			sum += float64(v)
		}
		w.root[k] = math.Sqrt(sum)
	}
	return w
}

// times writes the product with v.
func (w *walk) times(v, out []float64) {
	rows(len(w.points), func(from, to int) {
		for k := from; k < to; k++ {
			i, sum := w.points[k], 0.0
			for e := w.g.Start[i]; e < w.g.Start[i+1]; e++ {
				j := w.g.Column[e]
				if w.at != nil {
					j = w.at[j]
				}
				sum += float64(w.g.Weight[e]) * v[j] / w.root[j]
			}
			out[k] = sum / w.root[k]
		}
	})
}

// lanczos finds the vectors of the largest values but for the first, which is known (C. Lanczos 1950, with each vector
// kept at right angles to all former ones).
func (w *walk) lanczos(ctx context.Context, dims int, seed uint64) ([][]float64, error) {
	n := len(w.points)
	steps := min(n-1, max(leastSteps, min(mostSteps, stepNumbers/n)))
	basis := [][]float64{unit(append([]float64(nil), w.root...))}
	v := make([]float64, n)
	for i := range v {
		v[i] = places.Normal(seed, 1, uint64(i))
	}
	var diagonal, beside []float64
	for range steps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		length := straighten(v, basis)
		if len(diagonal) > 0 {
			if length < 1e-10 {
				break // the others are of no use
			}
			beside = append(beside, length)
		}
		v = unit(v)
		basis = append(basis, v)
		next := make([]float64, n)
		w.times(v, next)
		diagonal = append(diagonal, dot(v, next))
		v = next
	}
	return ritz(basis[1:], diagonal, beside, dims), nil
}

// ritz are the vectors of the largest values of the matrix with this diagonal and what is beside it, in their basis;
// those that there are not are 0.
func ritz(basis [][]float64, diagonal, beside []float64, dims int) [][]float64 {
	m := len(diagonal)
	out := make([][]float64, dims)
	for c := range out {
		out[c] = make([]float64, len(basis[0]))
	}
	t := mat.NewSymDense(m, nil)
	for i, d := range diagonal {
		t.SetSym(i, i, d)
		if i+1 < m {
			t.SetSym(i, i+1, beside[i])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(t, true) {
		return out
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	for c := range min(dims, m) {
		column := m - 1 - c // values rise
		for k, b := range basis {
			f := vectors.At(k, column)
			for i := range b {
				out[c][i] += f * b[i]
			}
		}
		if sign(out[c]) < 0 {
			for i := range out[c] {
				out[c][i] = -out[c][i]
			}
		}
	}
	return out
}

// sign is that of the largest entry, the first of them.
func sign(v []float64) float64 {
	most := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(most)*(1+1e-6) {
			most = x
		}
	}
	return most
}

// straighten takes from v what lies along the others (Gram and Schmidt, twice), and returns its length.
func straighten(v []float64, others [][]float64) float64 {
	for range 2 {
		for _, o := range others {
			f := dot(v, o)
			for i := range v {
				v[i] -= f * o[i]
			}
		}
	}
	return math.Sqrt(dot(v, v))
}

func unit(v []float64) []float64 {
	f := 1 / max(math.Sqrt(dot(v, v)), 1e-300)
	for i := range v {
		v[i] *= f
	}
	return v
}

func dot(a, b []float64) (sum float64) {
	for i, x := range a {
		sum += x * b[i]
	}
	return sum
}
