package tsne

import (
	"math"

	"gonum.org/v1/gonum/dsp/fourier"
)

// Far is K(L), the kernel 1/(1+r^2) over the diagonal L of the lattice. Spectrum leaves it out of the kernel, so that
// small maps keep their relative accuracy: the potential of n points is n Far more.
func (l Lattice) Far() float64 {
	side := float64(l.N) * l.H
	return 1 / (1 + 2*side*side)
}

// Spectrum is what a spectrum of charges is multiplied by: (N+1) x (N+1) values, row ky and column kx from 0 to N of
// the transform over 2N nodes a side, even in both. It is that of the kernel less Far, sampled at the nodes, over
// those of both splines (cardinal interpolation), and over (2N)^2, so that transforms there and back need no factor.
func (l Lattice) Spectrum() []float64 {
	n := l.N
	side := n + 1
	g := make([]float64, side*side)
	h2, far := l.H*l.H, 2*float64(n)*float64(n)
	rows(side, func(from, to int) {
		f := fourier.NewDCT(side)
		for i := from; i < to; i++ {
			row := g[i*side : (i+1)*side]
			for j := range row {
				r := float64(i*i + j*j)
				row[j] = (far - r) * h2 / ((1 + r*h2) * (1 + far*h2))
			}
			f.Transform(row, row)
		}
	})
	b := make([]float64, side) // 1/b^2, b the transform of the spline's values at integers
	for k := range b {
		t := math.Pi * float64(k) / float64(n)
		v := (2 + math.Cos(t)) / 3
		if l.Spline == 6 {
			v = (33 + 26*math.Cos(t) + math.Cos(2*t)) / 60
		}
		b[k] = 1 / (v * v * 2 * float64(n))
	}
	rows(side, func(from, to int) {
		f := fourier.NewDCT(side)
		column := make([]float64, side)
		for j := from; j < to; j++ {
			for i := range column {
				column[i] = g[i*side+j]
			}
			f.Transform(column, column)
			for i, v := range column {
				g[i*side+j] = v * b[i] * b[j]
			}
		}
	})
	return g
}
