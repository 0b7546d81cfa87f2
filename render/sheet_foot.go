package render

import (
	"image"
	"math"
	"slices"

	"blossom/render/legend"
	"blossom/render/pen"
)

// footShares are how much of a page's height legends at its foot may take: more where some have no room else.
var footShares = [...]float64{0.3, 0.4}

// leastBeside is the least share of a picture's width and height that its map has beside legend and axes on a page.
const leastBeside = 0.4

// In points: the widths of a bar at the foot of a page, the least width of a list of names beside others, and the least
// height of a legend, to which lists are shortened in steps.
const (
	footBar     = 240.0
	footLeanBar = 120.0
	footNames   = 220.0
	footLeast   = 46.0
	footStep    = 19.0
)

// TellsLegend says whether a picture has room for its legend: over its map, or beside it. A legend that is to stand
// apart is not told by its title alone.
func (o PictureOptions) TellsLegend() bool {
	if o.Legend == nil {
		return true
	}
	f := o.arrange()
	if o.View == nil { // the legend always stands beside the map
		m := f.margins
		return float64(o.Width)-m.Left-m.Right >= leastBeside*float64(o.Width) &&
			float64(o.Height)-m.Top-m.Bottom >= leastBeside*float64(o.Height)
	}
	if f.hasLegend {
		return true
	}
	p := &pen.Image{Dst: image.NewRGBA(image.Rect(0, 0, 1, 1)), Fonts: o.Fonts, Points: o.Scale}
	over, ok := o.Legend.Lay(p, float64(f.area.Dx()), float64(f.area.Dy()), o.LegendAt)
	return ok && (!o.LegendApart || over.Whole())
}

// Fill puts pictures into areas of a sheet; cell makes each for the room that its area leaves below its name. Those
// that have the same legend say it once; a legend for which no picture has room stands at the foot, below all areas.
func (o *SheetOptions) Fill(areas []image.Rectangle,
	cell func(i int, in image.Rectangle) (SheetCell, error)) error {
	o.settle()
	var asked []*legend.Legend // at the foot; some may have no room there either
	for now := areas; ; now = above(o.AboveFoot(), areas) {
		homeless, err := o.fill(now, asked, cell)
		if err != nil || len(homeless) == 0 {
			return err
		}
		asked = append(asked, homeless...)
		o.Foot = slices.Clone(asked)
	}
}

// fill puts pictures into areas, and returns the legends for which none of them has room, beside those at the foot.
func (o *SheetOptions) fill(areas []image.Rectangle, foot []*legend.Legend,
	cell func(i int, in image.Rectangle) (SheetCell, error)) (homeless []*legend.Legend, err error) {
	var told []*legend.Legend
	o.Cells = nil
	for i, area := range areas {
		in := BelowHeader(area, o.Scale)
		c, err := cell(i, in)
		if err != nil {
			return nil, err
		}
		c.Rect = area
		if l := c.Picture.Legend; l != nil && !o.Own {
			sized := c.Picture
			sized.Width, sized.Height, sized.Scale, sized.Fonts = in.Dx(), in.Dy(), o.Scale, o.Fonts
			switch {
			case slices.ContainsFunc(told, l.Same) || slices.ContainsFunc(foot, l.Same):
				c.Picture.Legend = nil
			case sized.TellsLegend():
				told = append(told, l)
			default:
				if c.Picture.Legend = nil; !slices.ContainsFunc(homeless, l.Same) {
					homeless = append(homeless, l)
				}
			}
		}
		o.Cells = append(o.Cells, c)
	}
	return slices.DeleteFunc(homeless, func(l *legend.Legend) bool { // a later one has had room for it
		return slices.ContainsFunc(told, l.Same)
	}), nil
}

// above are the areas of a sheet as they lie in what its foot leaves of it.
func above(left image.Rectangle, areas []image.Rectangle) (out []image.Rectangle) {
	top, all := left.Max.Y, 0
	for _, r := range areas {
		top, all = min(top, r.Min.Y), max(all, r.Max.Y)
	}
	at := func(y int) int { return top + (y-top)*(left.Max.Y-top)/max(all-top, 1) }
	for _, r := range areas {
		r.Min.Y, r.Max.Y = at(r.Min.Y), at(r.Max.Y)
		out = append(out, r)
	}
	return out
}

// footed is a legend at the foot of a sheet, and where it lies, in points.
type footed struct {
	of   *legend.Legend
	look legend.Look
	x, y float64
}

// foot lays legends out at the foot of a sheet, and returns how many points of its height they take: none where they
// would take too much. Lists of names are shortened until they fit.
func (o *SheetOptions) foot() (out []footed, high float64) {
	for _, share := range footShares {
		most := share * float64(o.Height) / o.Scale
		for room := most - padding; room >= footLeast && len(o.Foot) > 0; room -= footStep {
			if out, high = o.footRows(room); high <= most {
				return out, high
			}
		}
	}
	return nil, 0
}

// footRows lays legends out in rows, each as high as room at most. Lists of names share the width that others leave.
func (o *SheetOptions) footRows(room float64) (out []footed, high float64) {
	w := float64(o.Width)/o.Scale - 2*padding
	look := legend.Look{Fonts: o.Fonts, Scale: o.Scale, Text: o.Theme.Text, TextDim: o.Theme.TextDim,
		MaxW: min(w, footBar), MaxH: room}
	lists := 0.0
	for _, l := range o.Foot {
		if len(l.Entries) > 0 {
			lists++
		}
	}
	bars := float64(len(o.Foot)) - lists
	if lists > 0 && bars > 0 {
		look.MaxW = min(max((w-lists*(footNames+padding))/bars-padding, footLeanBar), look.MaxW)
	}
	names := w
	for _, l := range o.Foot {
		if wide, _ := l.Size(look); len(l.Entries) == 0 {
			names -= wide + padding
		}
	}
	if names = (names - padding*(lists-1)) / max(lists, 1); names < footNames {
		names = w
	}
	x, y, row := padding, padding/2, 0.0
	for _, l := range o.Foot {
		of := look
		if len(l.Entries) > 0 {
			of.MaxW = names
			of = l.Low(of)
		}
		wide, deep := l.Size(of)
		if x > padding && x+wide > padding+w {
			x, y, row = padding, y+row+padding/2, 0
		}
		out = append(out, footed{l, of, x, y})
		x, row = x+wide+padding, max(row, deep)
	}
	return out, y + row + padding/2
}

// AboveFoot is what is left of a sheet above the legends at its foot. The last of them are left out where all would
// take too much.
func (o *SheetOptions) AboveFoot() image.Rectangle {
	o.settle()
	r := image.Rect(0, 0, o.Width, o.Height)
	list, high := o.foot()
	for len(list) == 0 && len(o.Foot) > 0 {
		o.Foot = o.Foot[:len(o.Foot)-1]
		list, high = o.foot()
	}
	r.Max.Y -= int(math.Ceil(high * o.Scale))
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
