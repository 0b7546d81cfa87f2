package layout

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/base/step"
)

var mdsNear = step.Param{ID: "near", Title: "Nearness", Min: 0, Max: 2, Default: 0,
	Help: "0 takes all distances alike, and shows the large shape; 2 takes an error of a small distance as " +
		"seriously as that of a large one in relation to it, and shows the fine one."}

func init() {
	Register(Algorithm{
		ID: "mds", Title: "Distances (MDS)", Order: 5,
		Help: "Distances on the map become as proportional to those in the data as they can, by stress " +
			"majorization: no step makes the fit worse.",
		Params: []step.Param{mdsNear},
		New: func(in Input, v step.Values) (Layouter, error) {
			return newBody(in, v, &stress{}, manner{window: 20})
		},
	})
}

// stress is multidimensional scaling by majorization (J. de Leeuw 1977; I. Borg and P. Groenen, "Modern
// Multidimensional Scaling", 2005, chapter 8): with delta the distances in the data, d those on the map
// and weights w = delta^-near,
//
//	sigma(X) = sum_{i<j} w_ij (d_ij - delta_ij)^2 <= its majorizer at X, whose minimum solves V Z = B(X) X
//
// V_ij = -w_ij, B_ij = -w_ij delta_ij/d_ij, diagonals such that rows add up to 0. Where some landmarks are fixed, it is
// solved for the others. On the way to the minimum, stress falls: a step may be shortened.
type stress struct {
	delta  []float32 // n x n
	near   float64   // the weights' exponent
	diag   []float64 // diagonal of V
	least  float64   // distances below it weigh as much as it
	sigma  []float64 // stress by landmarks
	stress float64   // before the last step
	r      []float64 // B(X) X - V X
	z, p   []float64
	q, pre []float64
	sums   []float64
}

func (m *stress) prepare(b *body, what changed) {
	n := b.n
	if what&newCodebook != 0 || m.delta == nil {
		if len(m.delta) != n*n {
			m.delta = make([]float32, n*n)
		}
		sums := make([]float64, n)
		m.rows(n, func(i int) {
			own := b.code.Row(i)
			sums[i] = 0
			for j := range n {
				d := 0.0
				for c, v := range b.code.Row(j) {
					e := float64(own[c]) - float64(v)
					d += e * e
				}
				d = min(math.Sqrt(d), math.MaxFloat32)
				m.delta[i*n+j] = float32(d)
				sums[i] += d / float64(n) / float64(n)
			}
		})
		m.least = 0
		for _, s := range sums {
			m.least += s
		}
		m.least *= 1e-3
	}
	m.near = b.values.Get(mdsNear)
	size := n * b.dims
	for _, s := range []*[]float64{&m.r, &m.z, &m.p, &m.q, &m.pre} {
		*s = make([]float64, size)
	}
	m.diag, m.sigma = make([]float64, n), make([]float64, n)
	m.sums = make([]float64, n)
	m.rows(n, func(i int) {
		for j := range n {
			if j != i {
				m.diag[i] += m.weight(m.delta[i*n+j])
			}
		}
	})
}

func (m *stress) rows(n int, row func(i int)) {
	_ = par.Blocks(context.Background(), n, 16, func(_, from, to int) {
		for i := from; i < to; i++ {
			row(i)
		}
	})
}

// weight of a distance; 1 for the mean distance whatever the exponent.
func (m *stress) weight(delta float32) float64 {
	if m.near == 0 || !(m.least > 0) {
		return 1
	}
	f := 1e3 * m.least / max(float64(delta), m.least)
	switch m.near {
	case 1:
		return f
	case 2:
		return f * f
	}
	return math.Pow(f, m.near)
}

// scale is the one at which the distances on the map fit best.
func (m *stress) scale(b *body) float64 {
	n := b.n
	over := make([]float64, n)
	m.rows(n, func(i int) {
		m.sums[i], over[i] = 0, 0
		for j := range n {
			delta := float64(m.delta[i*n+j])
			w := m.weight(m.delta[i*n+j])
			m.sums[i] += w * delta * b.distance(b.x, i, j)
			over[i] += w * delta * delta
		}
	})
	a, c := 0.0, 0.0
	for i := range n {
		a += m.sums[i]
		c += over[i]
	}
	if !(c > 0) {
		return 0
	}
	return a / c
}

func (m *stress) mayRest(*body) bool { return true }

func (m *stress) move(b *body) {
	if b.dims == 2 {
		m.rows(b.n, func(i int) { m.flat(b, i) })
	} else {
		m.rows(b.n, func(i int) { m.spatial(b, i) })
	}
	m.stress = 0
	for _, s := range m.sigma {
		m.stress += s
	}
	for i, f := range b.free {
		if !f {
			clear(m.r[i*b.dims : (i+1)*b.dims])
		}
	}
	if m.near == 0 || !(m.least > 0) {
		m.even(b)
	} else {
		m.solve(b)
	}
	longest := 0.0
	for i := range b.n {
		length := 0.0
		for _, v := range m.z[i*b.dims : (i+1)*b.dims] {
			length += v * v
		}
		longest = max(longest, math.Sqrt(length))
	}
	f := b.unit
	if most := mostStep * b.diameter() * (1 - 1e-9); f*longest > most {
		f = most / longest
	}
	for c, v := range m.z {
		b.step[c] = f * v
	}
}

// flat computes row i of B(X) X - V X in 2D, sum_j w_ij (delta_ij/d_ij - 1) (x_i - x_j), and the stress of its pairs.
func (m *stress) flat(b *body, i int) {
	n, over := b.n, 1/b.unit
	px, py := b.x[2*i], b.x[2*i+1]
	even := m.near == 0
	var rx, ry, sigma float64
	for j, delta := range m.delta[i*n : (i+1)*n] {
		dx, dy := over*(px-b.x[2*j]), over*(py-b.x[2*j+1])
		d := math.Sqrt(dx*dx + dy*dy)
		off := float64(delta) - d
		w := 1.0
		if !even {
			w = m.weight(delta)
		}
		if j != i {
			sigma += w * off * off
		}
		if d > 0 {
			w *= off / d
			rx += w * dx
			ry += w * dy
		}
	}
	m.r[2*i], m.r[2*i+1], m.sigma[i] = rx, ry, sigma/2
}

// spatial is flat in 3D.
func (m *stress) spatial(b *body, i int) {
	n, over := b.n, 1/b.unit
	px, py, pz := b.x[3*i], b.x[3*i+1], b.x[3*i+2]
	even := m.near == 0
	var rx, ry, rz, sigma float64
	for j, delta := range m.delta[i*n : (i+1)*n] {
		dx, dy, dz := over*(px-b.x[3*j]), over*(py-b.x[3*j+1]), over*(pz-b.x[3*j+2])
		d := math.Sqrt(dx*dx + dy*dy + dz*dz)
		off := float64(delta) - d
		w := 1.0
		if !even {
			w = m.weight(delta)
		}
		if j != i {
			sigma += w * off * off
		}
		if d > 0 {
			w *= off / d
			rx += w * dx
			ry += w * dy
			rz += w * dz
		}
	}
	m.r[3*i], m.r[3*i+1], m.r[3*i+2], m.sigma[i] = rx, ry, rz, sigma/2
}

// even solves V z = r where all weights are 1: V is n I - 11', of the free landmarks.
func (m *stress) even(b *body) {
	n := float64(b.n)
	var sum [3]float64
	for c, v := range m.r {
		sum[c%b.dims] += v
	}
	for c, v := range m.r {
		m.z[c] = v / n
		if b.fixed > 0 && b.free[c/b.dims] {
			m.z[c] += sum[c%b.dims] / (n * float64(b.fixed))
		}
	}
}

// Rounds of solving for the minimum of the majorizer, and how much of the residual may be left: every round leaves it
// lower, so that stress falls even where it is far from solved.
const (
	mdsRounds = 30
	mdsLeft   = 0.01
)

// solve solves V z = r by conjugate gradients with V's diagonal as preconditioner.
func (m *stress) solve(b *body) {
	dims := b.dims
	clear(m.z)
	precondition := func() {
		for c, v := range m.r {
			m.pre[c] = 0
			if d := m.diag[c/dims]; d > 0 {
				m.pre[c] = v / d
			}
		}
	}
	precondition()
	copy(m.p, m.pre)
	rho := dot(m.r, m.pre)
	first := rho
	for range mdsRounds {
		if !(rho > mdsLeft*mdsLeft*first) {
			return
		}
		m.rows(b.n, func(i int) { m.times(b, i) })
		below := dot(m.p, m.q)
		if !(below > 0) {
			return
		}
		alpha := rho / below
		for c := range m.z {
			m.z[c] += alpha * m.p[c]
			m.r[c] -= alpha * m.q[c]
		}
		precondition()
		next := dot(m.r, m.pre)
		for c := range m.p {
			m.p[c] = m.pre[c] + next/rho*m.p[c]
		}
		rho = next
	}
}

// times writes row i of V p to q.
func (m *stress) times(b *body, i int) {
	n, dims := b.n, b.dims
	var sum [3]float64
	if b.free[i] {
		for j, delta := range m.delta[i*n : (i+1)*n] {
			w := m.weight(delta)
			for c := range dims {
				sum[c] += w * (m.p[i*dims+c] - m.p[j*dims+c])
			}
		}
	}
	copy(m.q[i*dims:(i+1)*dims], sum[:dims])
}

func dot(x, y []float64) float64 {
	sum := 0.0
	for c := range x {
		sum += x[c] * y[c]
	}
	return sum
}
