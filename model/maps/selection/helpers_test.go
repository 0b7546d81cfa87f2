package selection

import (
	"math"
	"math/rand/v2"

	"pgregory.net/rapid"
)

// flatView is a view as the camera of a flat map makes it.
func flatView(cx, cy, scale float64, w, h int) View {
	v := View{Origin: [3]float32{float32(cx), float32(cy), 0}, W: w, H: h}
	sx, sy := 2*scale/float64(w), -2*scale/float64(h)
	v.M[0], v.M[5], v.M[15] = float32(sx), float32(sy), 1
	v.M[12], v.M[13] = float32(-(cx-float64(v.Origin[0]))*sx), float32(-(cy-float64(v.Origin[1]))*sy)
	return v
}

// spaceView is a view as the orbit makes it: an eye at a distance from the origin.
func spaceView(turn, tilt, distance float64, w, h int) View {
	v := View{W: w, H: h, Reference: float32(distance)}
	st, ct := math.Sincos(turn)
	sp, cp := math.Sincos(tilt)
	focal := float64(min(w, h))
	row := func(r int, x, y, z, f, t float64) {
		v.M[r], v.M[4+r], v.M[8+r], v.M[12+r] = float32(x*f), float32(y*f), float32(z*f), float32(t)
	}
	row(0, ct, 0, -st, 2*focal/float64(w), 0)
	row(1, -st*sp, cp, -ct*sp, -2*focal/float64(h), 0)
	row(3, st*cp, sp, ct*cp, -1, distance)
	return v
}

// anyView draws a view that shows the square or cube -1..1 about as a camera does, or one of any numbers.
func anyView(t *rapid.T, dims int) View {
	w, h := rapid.IntRange(1, 2000).Draw(t, "w"), rapid.IntRange(1, 2000).Draw(t, "h")
	switch rapid.IntRange(0, 3).Draw(t, "view") {
	case 0:
		f := func(name string) float32 { return float32(rapid.Float64Range(-2, 2).Draw(t, name)) }
		v := View{W: w, H: h, Origin: [3]float32{f("ox"), f("oy"), f("oz")}}
		for i := range v.M {
			v.M[i] = f("m")
		}
		return v
	case 1:
		return flatView(rapid.Float64Range(-1, 1).Draw(t, "cx"), 0.3,
			rapid.Float64Range(1, 3000).Draw(t, "scale"), w, h)
	}
	if dims == 2 {
		return flatView(0, 0, rapid.Float64Range(50, 1000).Draw(t, "scale"), w, h)
	}
	return spaceView(rapid.Float64Range(-4, 4).Draw(t, "turn"), rapid.Float64Range(-1.5, 1.5).Draw(t, "tilt"),
		rapid.Float64Range(0.2, 5).Draw(t, "distance"), w, h)
}

// randomPoints are n points in the square or cube -1..1, some of them without a position, in a random order
// or none. With whole set they lie on a lattice, so that many are at the same place and on edges of paths.
func randomPoints(r *rand.Rand, n, dims int, whole bool) Points {
	p := Points{Pos: make([]float32, n*dims), Dims: dims}
	for i := range p.Pos {
		p.Pos[i] = 2*r.Float32() - 1
		if whole {
			p.Pos[i] = float32(r.IntN(33)-16) / 16
		}
		if r.IntN(200) == 0 {
			p.Pos[i] = [3]float32{float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1))}[r.IntN(3)]
		}
	}
	if r.IntN(2) == 0 {
		p.Order = make([]int32, n)
		for i, row := range r.Perm(n) {
			p.Order[i] = int32(row)
		}
	}
	return p
}

// slowScreen is where a point is, written down independently in double precision.
func slowScreen(v View, p Points, i int) (x, y, w float64, ok bool) {
	var d [4]float64
	d[3] = 1
	for c := range 3 {
		if c < p.Dims {
			d[c] = float64(p.Pos[i*p.Dims+c])
		}
		d[c] -= float64(v.Origin[c])
	}
	var clip [4]float64
	for r := range 4 {
		for c := range 4 {
			clip[r] += float64(v.M[4*c+r]) * d[c]
		}
	}
	if !(clip[3] > float64(v.Reference)*1e-3) {
		return 0, 0, 0, false
	}
	x = (clip[0]/clip[3] + 1) / 2 * float64(v.W)
	y = (clip[1]/clip[3] + 1) / 2 * float64(v.H)
	return x, y, clip[3], x-x == 0 && y-y == 0
}

// slowInside is the even-odd rule, as it stands in any textbook.
func slowInside(path []Point, p Point) bool {
	in := false
	for i, j := 0, len(path)-1; i < len(path); j, i = i, i+1 {
		a, b := path[i], path[j]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < (b.X-a.X)*(p.Y-a.Y)/(b.Y-a.Y)+a.X {
			in = !in
		}
	}
	return in
}

// slowUnder is the test of places under a brush: near any piece of its way.
func slowUnder(path []Point, p Point, radius float64) bool {
	for i := range path {
		if under(path[max(i-1, 0)], path[i], p, radius) {
			return true
		}
	}
	return false
}

// slowOval is the formula of an ellipse in a box.
func slowOval(a, b, p Point) bool {
	x, y := (p.X-(a.X+b.X)/2)/(math.Abs(b.X-a.X)/2), (p.Y-(a.Y+b.Y)/2)/(math.Abs(b.Y-a.Y)/2)
	return x*x+y*y <= 1
}

// randomPath draws a path within a w x h screen and around it: stars that cross themselves, wobbly rounds,
// walks, doubled vertices, vertices on a lattice, on one line, at one place.
func randomPath(r *rand.Rand, m int, w, h float64) []Point {
	path := make([]Point, m)
	kind := r.IntN(6)
	x, y := r.Float64()*w, r.Float64()*h
	for i := range path {
		u, v := r.Float64(), r.Float64()
		switch kind {
		case 0: // anywhere
			x, y = (1.4*u-0.2)*w, (1.4*v-0.2)*h
		case 1: // on a lattice
			x, y = math.Floor(u*20)/20*w, math.Floor(v*20)/20*h
		case 2: // around, with a wobble
			s, c := math.Sincos(2 * math.Pi * (float64(i) + u) / float64(m) * 2)
			x, y = w/2+w*(0.3+0.1*v)*c, h/2+h*(0.3+0.1*v)*s
		case 3: // a walk
			x, y = x+(u-0.5)*0.05*w, y+(v-0.5)*0.05*h
		case 4: // on a line
			x, y = u*w, u*h/2
		case 5: // horizontal and vertical
			if i%2 == 0 {
				x = math.Floor(u*10) / 10 * w
			} else {
				y = math.Floor(v*10) / 10 * h
			}
		}
		path[i] = Point{x, y}
		if i > 0 && r.IntN(10) == 0 {
			path[i] = path[r.IntN(i)]
		}
	}
	return path
}
