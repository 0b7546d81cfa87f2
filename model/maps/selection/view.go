package selection

// View is how points come to the screen, with the meaning that drawing has for it: a world point p is at
// clip coordinates M * (p - Origin, 1), whose square -1..1 covers W x H pixels, y down.
type View struct {
	Origin [3]float32
	M      [16]float32 // column-major
	W, H   int
	// Reference is that of a camera in space: w of the clip coordinates is then the distance from the eye, and
	// points that are not further than a thousandth of Reference are not seen. 0 for a flat map.
	Reference float32
}

// Screen returns where a point of the world is on the screen, and its distance from the eye (1 on a flat
// map). It is not seen if ok is false: it lies behind the eye, or is not a number.
func (v View) Screen(x, y, z float32) (sx, sy, depth float64, ok bool) {
	var at [3][1]float64
	v.Project([]float32{x, y, z}, 3, at[0][:], at[1][:], at[2][:])
	return at[0][0], at[1][0], at[2][0], seen(at[0][0], at[1][0])
}

// Project does what Screen does for row-major positions in dims dimensions; points that are not seen are at
// NaN. x, y and depth are as long as there are points.
func (v View) Project(pos []float32, dims int, x, y, depth []float64) {
	p := v.projector()
	p.project(x, y, depth, pos, dims)
	if p.flat {
		for i := range depth {
			depth[i] = 1
		}
	}
}

// projector is a View in double precision, its rows scaled to pixels: a point is at (x/w, y/w).
type projector struct {
	origin  [3]float64
	x, y, w [4]float64
	near    float64
	flat    bool // w is 1 for all points
}

func (v View) projector() projector {
	p := projector{near: float64(v.Reference) * 1e-3}
	for c := range 4 {
		w := float64(v.M[4*c+3])
		p.x[c] = (float64(v.M[4*c]) + w) * (float64(v.W) / 2)
		p.y[c] = (float64(v.M[4*c+1]) + w) * (float64(v.H) / 2)
		p.w[c] = w
	}
	for c := range 3 {
		p.origin[c] = float64(v.Origin[c])
	}
	if w := p.w[3]; p.w[0] == 0 && p.w[1] == 0 && p.w[2] == 0 && w > p.near {
		p.flat = true
		for c := range 4 {
			p.x[c] /= w
			p.y[c] /= w
		}
	}
	return p
}

// chunkSize points are projected at a time: they stay in the first cache.
const chunkSize = 512

// chunk is points on the screen; w, their distance from the eye, is set unless the projector is flat.
type chunk struct{ x, y, w [chunkSize]float64 }

// fill projects up to chunkSize points.
func (p *projector) fill(c *chunk, pos []float32, dims int) {
	p.project(c.x[:], c.y[:], c.w[:], pos, dims)
}

// project puts points on the screen: at (sx, sy) and, unless the projector is flat, sw from the eye. Those
// that are not seen are at NaN.
//
// Products are converted explicitly so that no compiler fuses them into sums: the same bits on any machine.
func (p *projector) project(sx, sy, sw []float64, pos []float32, dims int) {
	n := len(pos) / dims
	sx, sy, sw = sx[:n], sy[:n], sw[:n]
	for i := range n {
		var z float64
		x, y := float64(pos[i*dims])-p.origin[0], float64(pos[i*dims+1])-p.origin[1]
		if dims == 3 {
			z = float64(pos[i*dims+2])
		}
		z -= p.origin[2]
		u := float64(p.x[0]*x) + float64(p.x[1]*y) + float64(p.x[2]*z) + p.x[3]
		v := float64(p.y[0]*x) + float64(p.y[1]*y) + float64(p.y[2]*z) + p.y[3]
		if !p.flat {
			w := float64(p.w[0]*x) + float64(p.w[1]*y) + float64(p.w[2]*z) + p.w[3]
			if w > p.near {
				u, v = u/w, v/w
			} else {
				u, v = nan, nan
			}
			sw[i] = w
		}
		sx[i], sy[i] = u, v
	}
}

// seen says whether a place is one: NaN and infinity are not.
func seen(x, y float64) bool { return x-x == 0 && y-y == 0 }
