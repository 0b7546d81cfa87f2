package layout

import "math"

// extent returns the centre of the landmarks and their mean distance from it.
func (b *body) extent(x []float64) (centre [3]float64, radius float64) {
	if b.n == 0 {
		return centre, 0
	}
	for i, v := range x {
		centre[i%b.dims] += v
	}
	for c := range b.dims {
		centre[c] /= float64(b.n)
	}
	for i := range b.n {
		r := 0.0
		for c := range b.dims {
			d := x[i*b.dims+c] - centre[c]
			r += d * d
		}
		radius += math.Sqrt(r)
	}
	return centre, radius / float64(b.n)
}

// diameter is the diagonal of the box around the landmarks; that of the map as it will be where that is larger.
func (b *body) diameter() float64 {
	sum := 0.0
	for c := range b.dims {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := c; i < len(b.x); i += b.dims {
			lo, hi = min(lo, b.x[i]), max(hi, b.x[i])
		}
		if hi > lo {
			sum += (hi - lo) * (hi - lo)
		}
	}
	return max(math.Sqrt(sum), b.radius, math.SmallestNonzeroFloat32)
}

// keepFrame takes out of a step what has moved, turned or scaled the map as a whole.
func (b *body) keepFrame() {
	was, before := b.extent(b.from)
	is, r := b.extent(b.x)
	turn := b.turned(was, is)
	f := 1.0
	if r > 0 && before > 0 && b.radius > 0 {
		most := mostScale
		if r < b.radius/4 {
			most = mostGrowth
		}
		f = before / r * min(most, max(1/mostScale, b.radius/before))
	}
	for i := range b.n {
		at := b.x[i*b.dims : (i+1)*b.dims]
		var p [3]float64
		for c := range at {
			p[c] = f * (at[c] - is[c])
		}
		for c := range at {
			at[c] = was[c] + turn[c][0]*p[0] + turn[c][1]*p[1] + turn[c][2]*p[2]
		}
		v := b.v[i*b.dims : (i+1)*b.dims]
		p = [3]float64{}
		copy(p[:], v)
		for c := range v {
			v[c] = turn[c][0]*p[0] + turn[c][1]*p[1] + turn[c][2]*p[2]
		}
	}
	b.unit *= f
	b.temper()
}

// temper shortens a step in which keeping the size of the map has moved some landmark far, as it does where the others
// contract and one does not.
func (b *body) temper() {
	longest := 0.0
	for i := range b.n {
		d := 0.0
		for c := i * b.dims; c < (i+1)*b.dims; c++ {
			d += (b.x[c] - b.from[c]) * (b.x[c] - b.from[c])
		}
		longest = max(longest, d)
	}
	longest = math.Sqrt(longest)
	if most := 2 * mostStep * b.diameter(); longest > most {
		for c, from := range b.from {
			b.x[c] = from + most/longest*(b.x[c]-from)
		}
	}
}

// turned is the rotation that takes back by how much x is turned against from: the small one that leaves no moment,
// omega = I^-1 sum(from x x).
func (b *body) turned(was, is [3]float64) [3][3]float64 {
	var moment [3]float64
	var tensor [3][3]float64 // moment of inertia of from with x
	for i := range b.n {
		var p, q [3]float64
		for c := range b.dims {
			p[c], q[c] = b.from[i*b.dims+c]-was[c], b.x[i*b.dims+c]-is[c]
		}
		m := cross(p, q)
		dot := p[0]*q[0] + p[1]*q[1] + p[2]*q[2]
		for r := range 3 {
			moment[r] += m[r]
			tensor[r][r] += dot
			for c := range 3 {
				tensor[r][c] -= (p[r]*q[c] + p[c]*q[r]) / 2
			}
		}
	}
	if b.dims == 2 {
		return rotation([3]float64{0, 0, -math.Atan2(moment[2], tensor[2][2])})
	}
	omega, ok := solve3(tensor, moment)
	if !ok {
		return rotation([3]float64{})
	}
	return rotation([3]float64{-omega[0], -omega[1], -omega[2]})
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

// solve3 solves a x = y by Cramer's rule; false where a is as good as singular.
func solve3(a [3][3]float64, y [3]float64) (x [3]float64, ok bool) {
	det := func(a [3][3]float64) float64 {
		u := cross(a[1], a[2])
		return a[0][0]*u[0] + a[0][1]*u[1] + a[0][2]*u[2]
	}
	d, trace := det(a), a[0][0]+a[1][1]+a[2][2]
	if !(math.Abs(d) > 1e-9*math.Abs(trace*trace*trace)) {
		return x, false
	}
	for c := range 3 {
		m := a
		for r := range 3 {
			m[r][c] = y[r]
		}
		x[c] = det(m) / d
	}
	return x, true
}

// rotation by the length of w about w, after Rodrigues.
func rotation(w [3]float64) [3][3]float64 {
	angle := math.Sqrt(w[0]*w[0] + w[1]*w[1] + w[2]*w[2])
	out := [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	if !(angle > 0) || math.IsInf(angle, 0) {
		return out
	}
	u := [3]float64{w[0] / angle, w[1] / angle, w[2] / angle}
	s, c := math.Sincos(angle)
	k := [3][3]float64{{0, -u[2], u[1]}, {u[2], 0, -u[0]}, {-u[1], u[0], 0}}
	for i := range 3 {
		for j := range 3 {
			k2 := k[i][0]*k[0][j] + k[i][1]*k[1][j] + k[i][2]*k[2][j]
			out[i][j] += s*k[i][j] + (1-c)*k2
		}
	}
	return out
}

// swell takes growth of the whole out of a step and of velocities where pins hold the map, and gives it to the unit:
// landmarks become larger in the lengths of the algorithm, and not on the map. A map that has become too small may
// grow, and one too large shrink.
func (b *body) swell() {
	if !b.manner.follow || b.loose() {
		return
	}
	is, r := b.extent(b.x)
	growth := b.growth(b.step, is)
	if growth > 0 == (r < b.radius) {
		return
	}
	b.deflate(b.step, is, growth)
	b.deflate(b.v, is, b.growth(b.v, is))
	b.unit /= min(mostScale, max(1/mostScale, 1+growth))
}

// growth is by how much movements of what is free make the map larger, as a part of it.
func (b *body) growth(v []float64, centre [3]float64) float64 {
	growth, squares := 0.0, 0.0
	for c, s := range v {
		at := b.x[c] - centre[c%b.dims]
		squares += at * at
		if b.free[c/b.dims] {
			growth += s * at
		}
	}
	if !(squares > 0) || math.IsNaN(growth) || math.IsInf(growth, 0) {
		return 0
	}
	return growth / squares
}

func (b *body) deflate(v []float64, centre [3]float64, growth float64) {
	for c := range v {
		if b.free[c/b.dims] {
			v[c] -= growth * (b.x[c] - centre[c%b.dims])
		}
	}
}

// keepSize scales what is free where pins hold the map and swell has left growth, or the map was a spot.
func (b *body) keepSize() {
	is, r := b.extent(b.x)
	if !b.manner.follow || !(r > 0) || !(b.radius > 0) {
		return
	}
	f := 1.0
	switch {
	case r > b.radius:
		f = max(1/mostScale, b.radius/r)
	case r < b.radius/4:
		f = mostGrowth
	}
	for c := range b.x {
		if b.free[c/b.dims] {
			b.x[c] = is[c%b.dims] + f*(b.x[c]-is[c%b.dims])
		}
	}
}
