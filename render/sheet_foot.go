package render

import (
	"image"
	"math"

	"blossom/render/legend"
	"blossom/render/pen"
)

// footShare is how much of a page's height legends at its foot may take.
const footShare = 0.4

// TellsLegend says whether a picture has room for its legend: over its map, or beside it. A legend that is to stand
// apart is not told by its title alone.
func (o PictureOptions) TellsLegend() bool {
	if o.Legend == nil {
		return true
	}
	f := o.arrange()
	if f.hasLegend || o.View == nil {
		return true
	}
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: o.Fonts, Points: o.Scale}
	over, ok := o.Legend.Lay(p, float64(f.area.Dx()), float64(f.area.Dy()), o.LegendAt)
	return ok && (!o.LegendApart || over.Whole())
}

// footed is a legend at the foot of a sheet, and where it lies, in points.
type footed struct {
	of   *legend.Legend
	look legend.Look
	x, y float64
}

// foot lays legends out in rows at the foot of a sheet, and returns how many points of its height they take.
func (o *SheetOptions) foot() (out []footed, high float64) {
	w, h := float64(o.Width)/o.Scale, float64(o.Height)/o.Scale
	x, y, row := padding, padding/2, 0.0
	for _, l := range o.Foot {
		look := legend.Look{Fonts: o.Fonts, Scale: o.Scale, Text: o.Theme.Text, TextDim: o.Theme.TextDim,
			MaxW: min(w-2*padding, 240), MaxH: footShare*h - padding}
		wide, deep := l.Size(look)
		if x > padding && x+wide > w-padding {
			x, y, row = padding, y+row+padding/2, 0
		}
		out = append(out, footed{l, look, x, y})
		x, row = x+wide+padding, max(row, deep)
	}
	if len(out) == 0 {
		return nil, 0
	}
	return out, y + row + padding/2
}

// AboveFoot is what is left of a sheet above the legends at its foot: all of it where these would take too much, and
// then they are left out.
func (o *SheetOptions) AboveFoot() image.Rectangle {
	o.settle()
	r := image.Rect(0, 0, o.Width, o.Height)
	_, high := o.foot()
	if room := int(math.Ceil(high * o.Scale)); float64(room) <= footShare*float64(o.Height) {
		r.Max.Y -= room
	} else {
		o.Foot = nil
	}
	return r
}

// paintFoot paints the legends at the foot.
func (s *SheetJob) paintFoot() {
	list, high := s.o.foot()
	top := float64(s.o.Height) - high*s.o.Scale
	for _, l := range list {
		l.of.Draw(s.canvas, l.look, l.x*s.o.Scale, top+l.y*s.o.Scale)
	}
}
