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
	p := v.projector()
	var c chunk
	p.fill(&c, []float32{x, y, z}, 3)
	sx, sy, depth = c.x[0], c.y[0], 1
	if !p.flat {
		depth = c.w[0]
	}
	return sx, sy, depth, sx-sx == 0 && sy-sy == 0
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

// fill projects up to chunkSize points. Those that are not seen are at NaN.
//
// Products are converted explicitly so that no compiler fuses them into sums: the same bits on any machine.
func (p *projector) fill(c *chunk, pos []float32, dims int) {
	n := len(pos) / dims
	for i := range n {
		var z float64
		x, y := float64(pos[i*dims])-p.origin[0], float64(pos[i*dims+1])-p.origin[1]
		if dims == 3 {
			z = float64(pos[i*dims+2])
		}
		z -= p.origin[2]
		sx := float64(p.x[0]*x) + float64(p.x[1]*y) + float64(p.x[2]*z) + p.x[3]
		sy := float64(p.y[0]*x) + float64(p.y[1]*y) + float64(p.y[2]*z) + p.y[3]
		if !p.flat {
			w := float64(p.w[0]*x) + float64(p.w[1]*y) + float64(p.w[2]*z) + p.w[3]
			if w > p.near {
				sx, sy = sx/w, sy/w
			} else {
				sx, sy = nan, nan
			}
			c.w[i] = w
		}
		c.x[i], c.y[i] = sx, sy
	}
}
