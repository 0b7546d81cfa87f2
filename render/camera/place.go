package camera

import "math"

// Place is where a camera of either kind is, as numbers that can be kept: it shows the same in a viewport of
// another size, along the smaller side.
type Place struct {
	Centre Vec        `json:"centre"`          // the world point in the middle of the viewport
	Span   float64    `json:"span"`            // world units that the smaller side of the viewport covers there
	Facing [4]float64 `json:"facing,omitzero"` // w, x, y, z of a quaternion; all 0 on a flat map
}

func (p Place) valid() bool { return p.Centre.finite() && p.Span > 0 && !math.IsInf(p.Span, 0) }

// Mix returns the place at share t of the way from a to b: it zooms at a steady rate, and where it zooms much
// the point that both see at one pixel stays there; it turns the shorter way.
func Mix(a, b Place, t float64) Place {
	switch {
	case !(t > 0) || !b.valid():
		return a
	case t >= 1 || !a.valid():
		return b
	}
	p := Place{Span: a.Span * math.Pow(b.Span/a.Span, t)}
	// The same share of the way in the plane as in size keeps the fixed point of the zoom. As b's size nears
	// a's this becomes t, and straight motion.
	share := t
	if d := math.Log(b.Span / a.Span); math.Abs(d) > 1e-6 {
		share = math.Expm1(d*t) / math.Expm1(d)
	}
	p.Centre = a.Centre.add(b.Centre.sub(a.Centre).mul(share))
	qa, oka := fromArray(a.Facing)
	qb, okb := fromArray(b.Facing)
	switch {
	case oka && okb:
		p.Facing = slerp(qa, qb, t).array()
	case oka:
		p.Facing = a.Facing
	default:
		p.Facing = b.Facing
	}
	return p
}
