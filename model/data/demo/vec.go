package demo

import (
	"math"
	"math/rand/v2"
)

// vec is a point or a direction in space.
type vec [3]float64

func (a vec) add(b vec) vec             { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec) sub(b vec) vec             { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) mul(s float64) vec         { return vec{a[0] * s, a[1] * s, a[2] * s} }
func (a vec) dot(b vec) float64         { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec) norm() float64             { return math.Sqrt(a.dot(a)) }
func (a vec) lerp(b vec, u float64) vec { return a.add(b.sub(a).mul(u)) }

func (a vec) cross(b vec) vec {
	return vec{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a vec) unit() vec {
	n := a.norm()
	if n == 0 {
		return vec{1, 0, 0}
	}
	return a.mul(1 / n)
}

// frame returns two directions that make a right-handed orthonormal frame with the direction d.
func (a vec) frame() (u, v vec) {
	d := a.unit()
	up := vec{0, 0, 1}
	if math.Abs(d[2]) > 0.9 {
		up = vec{1, 0, 0}
	}
	u = d.cross(up).unit()
	return u, d.cross(u)
}

// direction returns a uniform random direction.
func direction(rng *rand.Rand) vec {
	return vec{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.unit()
}

// tubePoint returns a random point on the surface of the tube of the given radius around the curve at,
// at its parameter t; h is the step of the difference that gives the curve's direction.
func tubePoint(rng *rand.Rand, at func(float64) vec, t, h, radius float64) vec {
	u, v := at(t + h).sub(at(t - h)).frame()
	angle := 2 * math.Pi * rng.Float64()
	return at(t).add(u.mul(radius * math.Cos(angle))).add(v.mul(radius * math.Sin(angle)))
}
