package splat

import (
	"image/color"
	"math"
	"slices"

	"blossom/render/camera"
	"blossom/render/palette"
)

// Placed is a disc as it lies in a picture, for files that have shapes in the place of pixels.
type Placed struct {
	X, Y, Radius float64
	Colour       color.NRGBA // with the opacity of the disc
}

// Discs returns the discs of points that are seen in a picture, from the lowest to the one on top. They are those that
// a Canvas and the shaders draw; no disc is smaller than a pixel.
func Discs(p Points, proj camera.Projection, s Style) []Placed {
	type deepDisc struct {
		Placed
		w float64
	}
	var found []deepDisc
	n := len(p.Pos) / p.Dims
	for i := n - 1; i >= 0; i-- { // an earlier point lies over a later one
		d, w, ok := disc(&p, &proj, &s, i)
		if ok {
			found = append(found, deepDisc{d, w})
		}
	}
	if proj.Reference > 0 {
		slices.SortStableFunc(found, func(a, b deepDisc) int {
			switch {
			case a.w > b.w:
				return -1
			case a.w < b.w:
				return 1
			}
			return 0
		})
	}
	out := make([]Placed, len(found))
	for i, d := range found {
		out[i] = d.Placed
	}
	return out
}

// disc is that of a point, and how far it is from the eye.
func disc(p *Points, proj *camera.Projection, s *Style, i int) (d Placed, w float64, ok bool) {
	if len(p.States) > 0 && p.States[i]&Hidden != 0 {
		return d, 0, false
	}
	v := [4]float64{0, 0, -float64(proj.Origin[2]), 1}
	for axis := range p.Dims {
		v[axis] = float64(p.Pos[i*p.Dims+axis]) - float64(proj.Origin[axis])
	}
	var clip [4]float64
	for row := range clip {
		for c := range v {
			clip[row] += float64(proj.M[4*c+row]) * v[c]
		}
	}
	w = clip[3]
	size := float64(s.Size)
	if proj.Reference > 0 {
		if !(w > float64(proj.Reference)*nearest) {
			return d, 0, false
		}
		if size *= float64(proj.Reference) / w; !(size >= minSize) {
			return d, 0, false
		}
	}
	radius, opacity := Disc(float32(size), s.Opacity)
	d.Radius = float64(radius)
	d.X = (clip[0]/w + 1) / 2 * float64(proj.W)
	d.Y = (clip[1]/w + 1) / 2 * float64(proj.H)
	reach := d.Radius + 0.5
	if !(d.X > -reach && d.X < float64(proj.W)+reach && d.Y > -reach && d.Y < float64(proj.H)+reach) {
		return d, 0, false
	}
	entry := s.Lookup.Entry(float32(math.NaN()))
	if len(p.Values) > 0 {
		entry = s.Lookup.Entry(p.Values[i])
	}
	if s.DimUnselected && (len(p.States) == 0 || p.States[i]&Selected == 0) {
		entry = palette.MissingEntry
	}
	d.Colour = s.Table[entry]
	if fade := float64(proj.Fade) * float64(s.Ground.A) / 255; proj.Far > proj.Near && fade > 0 {
		share := fade * min(max((w-float64(proj.Near))/float64(proj.Far-proj.Near), 0), 1)
		mix := func(a, b uint8) uint8 { return uint8(float64(a)*(1-share) + float64(b)*share + 0.5) }
		d.Colour = color.NRGBA{mix(d.Colour.R, s.Ground.R), mix(d.Colour.G, s.Ground.G), mix(d.Colour.B, s.Ground.B),
			d.Colour.A}
	}
	d.Colour.A = uint8(float64(d.Colour.A)*float64(opacity) + 0.5)
	return d, w, d.Colour.A > 0
}
