package shape

import (
	"math"

	"blossom/model/base/problem"
)

// Vec is a place or a direction of the map; the last coordinate is 0 on a flat one.
type Vec [3]float64

// farthest bounds coordinates and lengths: beyond it float32 tells no two landmarks apart.
const farthest = 1e6

// Frame is where a shape lies: it is made around 0, mirrored and sized, turned, and moved.
type Frame struct {
	Centre Vec
	Size   Vec    // a negative one mirrors the shape along that axis
	Axes   [3]Vec // where the shape's x, y and z point, of length 1 and at right angles
}

// Upright are the axes of a frame that is not turned.
func Upright() [3]Vec { return [3]Vec{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}} }

// Turned are the axes of a frame that is turned by an angle in degrees, against the clock, on the flat map.
func Turned(degrees float64) [3]Vec {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	switch math.Mod(math.Mod(degrees, 360)+360, 360) { // right angles are exact
	case 0:
		sin, cos = 0, 1
	case 90:
		sin, cos = 1, 0
	case 180:
		sin, cos = 0, -1
	case 270:
		sin, cos = -1, 0
	}
	return [3]Vec{{cos, sin, 0}, {-sin, cos, 0}, {0, 0, 1}}
}

// Turn is how far the frame is turned within the plane of its map, in degrees from -180 to 180.
func (f Frame) Turn() float64 { return math.Atan2(f.Axes[0][1], f.Axes[0][0]) * 180 / math.Pi }

// Flat says whether the frame lies in the flat map.
func (f Frame) Flat() bool {
	return f.Centre[2] == 0 && f.Axes[0][2] == 0 && f.Axes[1][2] == 0 && f.Axes[2][2] == 1
}

// Move returns the frame moved by d.
func (f Frame) Move(d Vec) Frame {
	for c := range d {
		f.Centre[c] += d[c]
	}
	return f
}

// TurnBy returns the frame turned around its centre by degrees in the plane of its first two axes.
func (f Frame) TurnBy(degrees float64) Frame {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	x, y := f.Axes[0], f.Axes[1]
	for c := range x {
		f.Axes[0][c] = cos*x[c] + sin*y[c]
		f.Axes[1][c] = cos*y[c] - sin*x[c]
	}
	return f
}

// In returns a place of the map as seen from the frame: from its centre, along its axes.
func (f Frame) In(p Vec) (q Vec) {
	for a, axis := range f.Axes {
		for c := range p {
			q[a] += (p[c] - f.Centre[c]) * axis[c]
		}
	}
	return q
}

// Out is the place of the map that In takes to q.
func (f Frame) Out(q Vec) (p Vec) {
	p = f.Centre
	for a, axis := range f.Axes {
		for c := range p {
			p[c] += q[a] * axis[c]
		}
	}
	return p
}

// out is Out of a place that is mirrored first where the size is negative.
func (f Frame) out(q Vec) Vec {
	for a := range q {
		if f.Size[a] < 0 {
			q[a] = -q[a]
		}
	}
	return f.Out(q)
}

// check refuses numbers that are none, lengths beyond what a map can have, and axes that are no turn.
func (f Frame) check() error {
	for _, v := range []Vec{f.Centre, f.Size} {
		for _, x := range v {
			if !(math.Abs(x) < farthest) {
				return problem.New("", "give finite numbers below a million",
					"the frame of the shape has the number %g", x)
			}
		}
	}
	for i, a := range f.Axes {
		for j, b := range f.Axes {
			dot, want := a[0]*b[0]+a[1]*b[1]+a[2]*b[2], 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(dot-want) < 1e-3) {
				return problem.New("", "give three directions of length 1 at right angles",
					"the axes of the shape are no turn of it")
			}
		}
	}
	return nil
}
