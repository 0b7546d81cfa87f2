package camera

// Projection is what drawing reads of a camera. A world point p is at clip coordinates
// M * (p - Origin, 1). Its normalised y points down, so that the first row of a picture is its top;
// depth is not used. Subtracting Origin, which lies in the middle of the view, before scaling is what
// keeps a deep zoom free of jitter: for near points the difference of two float32 is exact.
type Projection struct {
	Origin [3]float32
	M      [16]float32 // column-major
	W, H   int         // pixels that the normalised square -1..1 covers

	// In 3D, w of the clip coordinates is the distance from the eye. A disc is Reference/w times its
	// size, and the share of the ground in its colour grows from 0 at distance Near to Fade at distance Far.
	// Reference is 0 in 2D.
	Reference, Near, Far, Fade float32
}

// Tile returns the projection of the w x h pixels whose top left corner is at (x, y) of p's picture;
// they may lie outside of it.
func (p Projection) Tile(x, y, w, h int) Projection {
	sx, sy := float64(p.W)/float64(w), float64(p.H)/float64(h)
	tx := float64(p.W-2*x-w) / float64(w)
	ty := float64(p.H-2*y-h) / float64(h)
	q := p
	for c := range 4 {
		last := float64(p.M[4*c+3])
		q.M[4*c] = float32(sx*float64(p.M[4*c]) + tx*last)
		q.M[4*c+1] = float32(sy*float64(p.M[4*c+1]) + ty*last)
	}
	q.W, q.H = w, h
	return q
}
