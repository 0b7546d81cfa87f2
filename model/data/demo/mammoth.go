package demo

import (
	"math"
	"math/rand/v2"
	"sort"
)

// part is one bone: a surface to draw points from, with its share of all points.
type part struct {
	kind   int // index of its name
	weight float64
	point  func(rng *rand.Rand) vec
}

// skeleton collects the parts. Lengths are metres: x runs from tail to head, y to the left, z up.
type skeleton struct {
	kinds []string
	parts []part
}

func (s *skeleton) kind(name string) int {
	for i, k := range s.kinds {
		if k == name {
			return i
		}
	}
	s.kinds = append(s.kinds, name)
	return len(s.kinds) - 1
}

// tube adds a tube around a curve over t in [0, 1], of a radius that may change along it. Its weight
// is its surface.
func (s *skeleton) tube(name string, at func(t float64) vec, radius func(t float64) float64) {
	// Cumulative surface over equal steps of t, so that points lie evenly whatever the curve's speed.
	const steps = 200
	cum := make([]float64, steps+1)
	for i := range steps {
		t0, t1 := float64(i)/steps, float64(i+1)/steps
		cum[i+1] = cum[i] + at(t1).sub(at(t0)).norm()*radius((t0+t1)/2)
	}
	total := cum[steps]
	s.parts = append(s.parts, part{s.kind(name), 2 * math.Pi * total, func(rng *rand.Rand) vec {
		u := rng.Float64() * total
		i := min(max(sort.SearchFloat64s(cum, u), 1), steps)
		f := 0.0
		if d := cum[i] - cum[i-1]; d > 0 {
			f = (u - cum[i-1]) / d
		}
		t := (float64(i-1) + f) / steps
		return tubePoint(rng, at, t, 1e-3, radius(t))
	}})
}

// bone adds a straight bone from a to b, thicker at its ends.
func (s *skeleton) bone(name string, a, b vec, r float64) {
	s.tube(name, func(t float64) vec { return a.lerp(b, t) },
		func(t float64) float64 { return r * (0.8 + 0.7*math.Pow(2*t-1, 4)) })
}

// shell adds the surface of an ellipsoid with the given half-axes along the directions of the axes,
// tilted by an angle (radians) in the x-z plane.
func (s *skeleton) shell(name string, centre, half vec, tilt float64) {
	// Knud Thomsen's approximation of the surface.
	const p = 1.6075
	ab, ac, bc := math.Pow(half[0]*half[1], p), math.Pow(half[0]*half[2], p), math.Pow(half[1]*half[2], p)
	area := 4 * math.Pi * math.Pow((ab+ac+bc)/3, 1/p)
	sin, cos := math.Sincos(tilt)
	s.parts = append(s.parts, part{s.kind(name), area, func(rng *rand.Rand) vec {
		d := direction(rng)
		v := vec{d[0] * half[0], d[1] * half[1], d[2] * half[2]}
		return centre.add(vec{cos*v[0] - sin*v[2], v[1], sin*v[0] + cos*v[2]})
	}})
}

// both calls add for the left (1) and the right (-1) side.
func both(add func(side float64)) { add(1); add(-1) }

// constant is a radius that does not change along the curve.
func constant(r float64) func(float64) float64 { return func(float64) float64 { return r } }

// taper is a radius that falls from a to b.
func taper(a, b float64) func(float64) float64 {
	return func(t float64) float64 { return a + (b-a)*t }
}

// through is a smooth curve through the points (Catmull and Rom's spline).
func through(points ...vec) func(float64) vec {
	return func(t float64) vec {
		n := len(points) - 1
		x := t * float64(n)
		i := min(max(int(math.Floor(x)), 0), n-1)
		u := x - float64(i)
		get := func(j int) vec { return points[min(max(j, 0), n)] }
		a, b, c, d := get(i-1), get(i), get(i+1), get(i+2)
		p := b.mul(2).add(c.sub(a).mul(u))
		p = p.add(a.mul(2).sub(b.mul(5)).add(c.mul(4)).sub(d).mul(u * u))
		p = p.add(b.mul(3).sub(a).sub(c.mul(3)).add(d).mul(u * u * u))
		return p.mul(0.5)
	}
}

// mammoth: a mammoth's skeleton put together from tubes and shells, with the trunk that a museum's
// lacks, and the name of the bone as a label.
func mammoth() source {
	s := &skeleton{}
	s.spine()
	s.chest()
	both(s.foreLeg)
	both(s.hindLeg)
	s.head()

	names := append([]string(nil), s.kinds...)
	cum := make([]float64, len(s.parts))
	sum := 0.0
	for i, p := range s.parts {
		sum += p.weight
		cum[i] = sum
	}
	return source{
		columns: append(markers("x", "y", "z"), label("part", names)),
		point: func(rng *rand.Rand, _ int, out []float32) {
			i := min(sort.SearchFloat64s(cum, rng.Float64()*sum), len(cum)-1)
			v := s.parts[i].point(rng).add(direction(rng).mul(0.006 * rng.Float64()))
			out[0], out[1], out[2] = float32(v[0]), float32(v[1]), float32(v[2])
			out[3] = float32(s.parts[i].kind)
		},
	}
}

// back is the line of the vertebrae from the neck over the shoulders to the pelvis.
var back = through(vec{1.45, 0, 2.62}, vec{1.1, 0, 2.72}, vec{0.7, 0, 2.72}, vec{0.1, 0, 2.6}, vec{-0.6, 0, 2.42},
	vec{-1.25, 0, 2.12})

func (s *skeleton) spine() {
	s.tube("spine", back, constant(0.075))
	const vertebrae = 26
	for i := range vertebrae {
		t := float64(i) / (vertebrae - 1)
		foot := back(t)
		// The spines of the vertebrae make the hump: longest over the shoulders.
		long := 0.12 + 0.42*math.Exp(-math.Pow((t-0.3)/0.16, 2))
		tip := foot.add(vec{-0.35 * long, 0, long})
		s.tube("spine", func(t float64) vec { return foot.lerp(tip, t) }, taper(0.028, 0.014))
	}
	s.tube("tail", through(vec{-1.25, 0, 2.12}, vec{-1.5, 0, 1.95}, vec{-1.62, 0, 1.6}, vec{-1.66, 0, 1.15},
		vec{-1.7, 0, 0.95}), taper(0.05, 0.012))
}

func (s *skeleton) chest() {
	const ribs = 17
	for i := range ribs {
		u := float64(i) / (ribs - 1)
		top := back(0.3 + 0.55*u)
		wide := 0.34 + 0.3*math.Sin(math.Pi*math.Min(1, 0.25+0.75*u))
		deep := 0.68 + 0.18*math.Sin(math.Pi*u) - 0.22*u*u
		end := math.Pi * (0.93 - 0.3*u) // the last ribs float
		both(func(side float64) {
			s.tube("ribs", func(t float64) vec {
				a := 0.12 + (end-0.12)*t
				return vec{top[0] - 0.22*t, side * wide * math.Sin(a), top[2] - deep*(1-math.Cos(a))}
			}, constant(0.022))
		})
	}
	s.tube("ribs", through(vec{0.85, 0, 1.5}, vec{0.5, 0, 1.3}, vec{0.05, 0, 1.22}), constant(0.045))
}

func (s *skeleton) foreLeg(side float64) {
	y := func(v float64) float64 { return side * v }
	s.shell("shoulder blade", vec{0.92, y(0.5), 2.18}, vec{0.2, 0.03, 0.42}, -0.35)
	elbow, wrist := vec{0.72, y(0.6), 1.22}, vec{0.92, y(0.58), 0.42}
	s.bone("fore legs", vec{1.06, y(0.56), 1.8}, elbow, 0.1)
	s.bone("fore legs", elbow, wrist, 0.085)
	s.bone("fore legs", elbow.add(vec{-0.1, 0, 0.08}), wrist.add(vec{-0.06, 0, 0}), 0.05)
	s.foot("fore legs", wrist, 0.17)
}

func (s *skeleton) hindLeg(side float64) {
	y := func(v float64) float64 { return side * v }
	s.shell("pelvis", vec{-1.02, y(0.38), 2.08}, vec{0.09, 0.36, 0.3}, 0.5)
	s.bone("pelvis", vec{-1.1, y(0.3), 1.95}, vec{-1.3, y(0.1), 1.66}, 0.07)
	knee, heel := vec{-0.92, y(0.5), 1.05}, vec{-1.16, y(0.48), 0.4}
	s.bone("hind legs", vec{-1.12, y(0.44), 1.88}, knee, 0.1)
	s.bone("hind legs", knee, heel, 0.075)
	s.bone("hind legs", knee.add(vec{-0.06, side * 0.06, -0.05}), heel.add(vec{0.02, side * 0.06, 0}), 0.032)
	s.foot("hind legs", heel, 0.15)
}

// foot adds the small bones between wrist or heel and the ground, spread like a fan.
func (s *skeleton) foot(name string, joint vec, wide float64) {
	s.shell(name, joint.add(vec{0, 0, -0.06}), vec{wide * 0.75, wide * 0.7, 0.07}, 0)
	for toe := -2; toe <= 2; toe++ {
		a := float64(toe) * 0.55
		end := vec{joint[0] + wide*math.Cos(a)*1.1, joint[1] + wide*math.Sin(a)*1.1, 0.05}
		s.bone(name, joint.add(vec{0.03 * math.Cos(a), 0.06 * math.Sin(a), -0.1}), end, 0.035)
	}
}

func (s *skeleton) head() {
	s.shell("skull", vec{1.78, 0, 2.82}, vec{0.27, 0.29, 0.44}, -0.3)
	s.shell("skull", vec{1.98, 0, 2.4}, vec{0.2, 0.22, 0.26}, -0.2)
	both(func(side float64) {
		jaw := through(vec{1.72, side * 0.24, 2.4}, vec{1.74, side * 0.22, 2.08}, vec{1.98, side * 0.13, 1.96},
			vec{2.2, side * 0.02, 2.02})
		s.tube("jaw", jaw, taper(0.05, 0.065))
		// Out of the skull down and forward, then up and inward again.
		tusk := through(vec{2.08, side * 0.15, 2.3}, vec{2.36, side * 0.3, 1.72}, vec{2.86, side * 0.56, 1.34},
			vec{3.42, side * 0.7, 1.4},
			vec{3.78, side * 0.6, 1.84}, vec{3.74, side * 0.36, 2.34}, vec{3.5, side * 0.2, 2.6})
		s.tube("tusks", tusk, taper(0.095, 0.02))
	})
	trunk := through(vec{2.12, 0, 2.52}, vec{2.36, 0, 2.1}, vec{2.46, 0, 1.5}, vec{2.5, 0, 0.9}, vec{2.66, 0, 0.5},
		vec{2.92, 0, 0.46}, vec{3, 0, 0.66})
	s.tube("trunk", trunk, taper(0.15, 0.05))
}
