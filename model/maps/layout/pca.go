package layout

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/space/pca"

	"gonum.org/v1/gonum/mat"
)

func init() {
	Register(Algorithm{
		ID: "pca", Title: "Principal components", Order: 6, Once: true,
		Help: "Puts landmarks where the codebook varies most, as a start for other layouts: at once, turned and " +
			"mirrored so that the map stays as much as it was as it can, and as large. Where some are fixed, the " +
			"others join them.",
		New: func(in Input, v step.Values) (Layouter, error) {
			if side := min(in.Codebook.Rows, in.Codebook.Cols); side > pca.MaxSide {
				return nil, problem.New("", "take fewer columns into the map, or another layout",
					"principal components of %d landmarks of %d columns are too large a task: one of the two may be "+
						"%d at most", in.Codebook.Rows, in.Codebook.Cols, pca.MaxSide)
			}
			return newBody(in, v, components{}, manner{once: true, window: 1})
		},
	})
}

// components places landmarks by the first principal components of the codebook.
type components struct{}

func (components) prepare(*body, changed) {}

func (components) scale(*body) float64 { return 1 }

func (components) mayRest(*body) bool { return true }

// enoughFixed is from how many fixed landmarks on the others join those.
const enoughFixed = 3

func (components) move(b *body) {
	axes, err := pca.Fit(context.Background(), b.code, nil)
	if err != nil {
		return // too large, which New has refused
	}
	dims := b.dims
	y := make([]float64, b.n*dims)
	for i := range b.n {
		for c := range dims {
			for j, v := range b.code.Row(i) {
				y[i*dims+c] += (float64(v) - axes.Mean[j]) * axes.Axis[c][j]
			}
		}
	}
	_, size := b.extent(y)
	if !(size > 0) {
		return
	}
	fit := func(int) bool { return true }
	if b.fixed >= enoughFixed {
		fit = func(i int) bool { return !b.free[i] }
	}
	turn, from, to, scale := procrustes(y, b.x, dims, fit)
	even := b.radius / size
	if b.fixed < enoughFixed {
		scale = even
	}
	scale = max(even/4, min(4*even, scale))
	for i := range b.n {
		for c := range dims {
			at := to[c]
			for a := range dims {
				at += scale * (y[i*dims+a] - from[a]) * turn.At(a, c)
			}
			b.step[i*dims+c] = at - b.x[i*dims+c]
		}
	}
}

// procrustes finds the rotation or reflection, and the scale, that bring the rows of y nearest to those of x, about
// their centres from and to: x_i = to + scale (y_i - from) turn (P. Schönemann 1966). Rows that do not fit are left
// out.
func procrustes(y, x []float64, dims int, fit func(i int) bool) (turn *mat.Dense, from, to [3]float64,
	scale float64) {
	count := 0.0
	for i := range len(x) / dims {
		if fit(i) {
			count++
			for c := range dims {
				from[c] += y[i*dims+c]
				to[c] += x[i*dims+c]
			}
		}
	}
	for c := range dims {
		from[c] /= count
		to[c] /= count
	}
	m := mat.NewDense(dims, dims, nil)
	squares := 0.0
	for i := range len(x) / dims {
		if !fit(i) {
			continue
		}
		for a := range dims {
			v := y[i*dims+a] - from[a]
			squares += v * v
			for c := range dims {
				m.Set(a, c, m.At(a, c)+v*(x[i*dims+c]-to[c]))
			}
		}
	}
	turn = mat.NewDense(dims, dims, nil)
	var d mat.SVD
	if !d.Factorize(m, mat.SVDFull) {
		for c := range dims {
			turn.Set(c, c, 1)
		}
		return turn, from, to, 0
	}
	var u, v mat.Dense
	d.UTo(&u)
	d.VTo(&v)
	turn.Mul(&u, v.T())
	for _, s := range d.Values(nil) {
		scale += s
	}
	if squares > 0 {
		scale /= squares
	}
	return turn, from, to, scale
}
