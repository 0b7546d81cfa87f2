package tsne

import "math"

// Forces are what moves the points of a map, and how well it fits. Their arrays are kept from one map to the next.
type Forces struct {
	Attraction []float64 // n x dims: A_i
	Repulsion  []float64 // n x dims: R_i, not yet divided by Z
	Z          float64
	KL         float64 // without exaggeration

	z, kl []float64 // by points
}

// Of computes the forces at the map y (n x dims).
func (f *Forces) Of(p *Affinities, y []float64, dims int) {
	n := p.N
	if len(f.z) != n || len(f.Attraction) != n*dims {
		f.Attraction, f.Repulsion = make([]float64, n*dims), make([]float64, n*dims)
		f.z, f.kl = make([]float64, n), make([]float64, n)
	}
	rows(n, func(from, to int) {
		for i := from; i < to; i++ {
			if dims == 2 {
				f.flat(p, y, i)
			} else {
				f.spatial(p, y, i)
			}
		}
	})
	f.Z = Total(f.z)
	f.KL = p.Entropy + Total(f.kl)
	if f.Z > 0 {
		f.KL += math.Log(f.Z)
	}
}

// flat computes row i in 2D, without branches among the pairs: what a point adds to itself is 1 to Z, and taken off as
// a whole number of rows would be; so the row is done in two parts that leave it out.
func (f *Forces) flat(p *Affinities, y []float64, i int) {
	px, py := y[2*i], y[2*i+1]
	var z, rx, ry float64
	for part := range 2 {
		from, to := 0, i
		if part == 1 {
			from, to = i+1, p.N
		}
		q := y[2*from : 2*to]
		for len(q) >= 2 {
			dx, dy := px-q[0], py-q[1]
			q = q[2:]
			w := 1 / (1 + dx*dx + dy*dy)
			z += w
			w *= w
			rx += w * dx
			ry += w * dy
		}
	}
	var kl, ax, ay float64
	for e := p.Start[i]; e < p.Start[i+1]; e++ {
		j := p.Column[e]
		dx, dy := px-y[2*j], py-y[2*j+1]
		d := dx*dx + dy*dy
		w := p.Value[e] / (1 + d)
		kl += p.Value[e] * math.Log1p(d)
		ax += w * dx
		ay += w * dy
	}
	f.z[i], f.kl[i] = z, kl
	f.Attraction[2*i], f.Attraction[2*i+1] = ax, ay
	f.Repulsion[2*i], f.Repulsion[2*i+1] = rx, ry
}

// spatial is flat in 3D.
func (f *Forces) spatial(p *Affinities, y []float64, i int) {
	px, py, pz := y[3*i], y[3*i+1], y[3*i+2]
	var z, rx, ry, rz float64
	for part := range 2 {
		from, to := 0, i
		if part == 1 {
			from, to = i+1, p.N
		}
		q := y[3*from : 3*to]
		for len(q) >= 3 {
			dx, dy, dz := px-q[0], py-q[1], pz-q[2]
			q = q[3:]
			w := 1 / (1 + dx*dx + dy*dy + dz*dz)
			z += w
			w *= w
			rx += w * dx
			ry += w * dy
			rz += w * dz
		}
	}
	var kl, ax, ay, az float64
	for e := p.Start[i]; e < p.Start[i+1]; e++ {
		j := p.Column[e]
		dx, dy, dz := px-y[3*j], py-y[3*j+1], pz-y[3*j+2]
		d := dx*dx + dy*dy + dz*dz
		w := p.Value[e] / (1 + d)
		kl += p.Value[e] * math.Log1p(d)
		ax += w * dx
		ay += w * dy
		az += w * dz
	}
	f.z[i], f.kl[i] = z, kl
	f.Attraction[3*i], f.Attraction[3*i+1], f.Attraction[3*i+2] = ax, ay, az
	f.Repulsion[3*i], f.Repulsion[3*i+1], f.Repulsion[3*i+2] = rx, ry, rz
}

// Gradient writes g = e A - R/Z to out (n x dims): a quarter of the gradient of KL where e is 1.
func (f *Forces) Gradient(e float64, out []float64) {
	over := 0.0
	if f.Z > 0 {
		over = 1 / f.Z
	}
	for c := range out {
		out[c] = e*f.Attraction[c] - f.Repulsion[c]*over
	}
}
