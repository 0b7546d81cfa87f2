package render

import (
	"image/color"

	"blossom/model/base/matrix"
	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
)

// Overlay is what is written over the points of a view: names of landmarks, axes, the legend. A window paints it over
// its picture, and a picture for a file over the same points, so that a file looks as the window does. Pixels of the
// map.
type Overlay struct {
	Theme         Theme
	Cam           camera.Camera
	Landmarks     matrix.Matrix32
	Names         []string // names of landmarks; nil: none
	Words         []Word   // names of what points are
	Levels        Levels   // lines that say what they enclose
	Marks         []Mark
	LandmarkStyle LandmarkStyle
	Axes          []axes.Axis // one for each coordinate; nil: none
	Ends          [3]AxisEnd  // ends of the axes of a box
	Legend        *legend.Legend
	LegendAt      legend.Place
	Keys          []legend.Key // keys of edges and patches
	Transparent   bool         // the map has no ground, nor has the legend

	titlesApart bool // names of two axes stand outside of the map
}

// Word is a name that stands on the map, around a place.
type Word struct {
	Text string
	At   []float32
}

// haloAlpha is the opacity of the rim of text over points, ground that of what is under a legend.
const (
	haloAlpha   = 217
	groundAlpha = 224
)

func faded(c color.NRGBA, alpha uint8) color.NRGBA {
	c.A = alpha
	return c
}

// Paint paints all of it but the legend, which is laid out and painted last: PaintLegend.
func (o *Overlay) Paint(p pen.Pen) {
	o.paintLevels(p)
	o.names(p)
	o.axes(p)
}

// axes paints the axes.
func (o *Overlay) axes(p pen.Pen) {
	switch len(o.Axes) {
	case 2:
		o.flatAxes(p)
	case 3:
		o.boxAxes(p)
	}
}

// PaintLegend lays the legend out, paints it and returns where it lies; empty: there is none, or no room for it.
func (o *Overlay) PaintLegend(p pen.Pen) legend.Over {
	w, h := o.Cam.Viewport()
	over, ok := o.Legend.Lay(p, float64(w), float64(h), o.LegendAt)
	if ok {
		ground := faded(o.Theme.Background, groundAlpha)
		if o.Transparent {
			ground.A = 0
		}
		over.Paint(p, o.Legend, legend.Ink{Text: o.Theme.Text, Dim: o.Theme.TextDim, Ground: ground})
	}
	return over
}

// PaintKeys paints what edges and patches mean beside the place of the legend.
func (o *Overlay) PaintKeys(p pen.Pen, beside pen.Rect) {
	w, h := o.Cam.Viewport()
	ground := faded(o.Theme.Background, groundAlpha)
	if o.Transparent {
		ground.A = 0
	}
	for i, r := range legend.LayKeys(p, o.Keys, beside, float64(w), float64(h)) {
		o.Keys[i].Paint(p, r, legend.Ink{Text: o.Theme.Text, Dim: o.Theme.TextDim, Ground: ground})
	}
}

// flatAxes paints axes at the left and the bottom of the map, with numbers outside and titles inside.
func (o *Overlay) flatAxes(p pen.Pen) {
	w, h := o.Cam.Viewport()
	low := o.Cam.WorldFromScreen(0, float64(h))
	high := o.Cam.WorldFromScreen(float64(w), 0)
	f, ok := axes.Of(p, pen.Rect{X1: float64(w), Y1: float64(h)}, o.Axes[0], o.Axes[1],
		axes.Span{Lo: low.X, Hi: high.X}, axes.Span{Lo: low.Y, Hi: high.Y})
	if ok {
		if o.titlesApart {
			f.Outside(p.Scale(), pen.Rect{X1: float64(w), Y1: float64(h)}, (8-axes.Left)*p.Scale())
		}
		f.Paint(p, o.axisInk(), o.Axes[0], o.Axes[1])
	}
}

func (o *Overlay) axisInk() axes.Ink {
	return axes.Ink{Line: faded(o.Theme.TextDim, 179), Text: o.Theme.Text, Dim: o.Theme.TextDim,
		Halo: faded(o.Theme.Background, haloAlpha)}
}

// boxAxes writes the titles of axes in 3D beside the ends of the box's.
func (o *Overlay) boxAxes(p pen.Pen) {
	k := p.Scale()
	w, h := o.Cam.Viewport()
	half := 0.5 * pen.Caption.Size() * k
	for i, e := range o.Ends {
		s := o.Axes[i].Title
		if !e.Seen || s == "" {
			continue
		}
		wide := p.Width(pen.Caption, s)
		x := min(max(e.X+e.DX*(8*k+wide/2)-wide/2, 2*k), float64(w)-wide-2*k)
		y := min(max(e.Y+e.DY*12*k, half+2*k), float64(h)-half-2*k)
		p.Haloed(pen.Caption, x, y, o.Theme.Text, faded(o.Theme.Background, haloAlpha), s)
	}
}

// names writes the names of landmarks above them, leaving out those that would touch an earlier one.
func (o *Overlay) names(p pen.Pen) {
	if len(o.Names) == 0 {
		return
	}
	k, proj := p.Scale(), o.Cam.Projection()
	w, h := o.Cam.Viewport()
	map_ := pen.Rect{X1: float64(w), Y1: float64(h)}
	var taken []pen.Rect
	for i := range min(len(o.Names), o.Landmarks.Rows) {
		if o.Names[i] == "" {
			continue
		}
		kind := Mark(0)
		if i < len(o.Marks) {
			kind = o.Marks[i]
		}
		x, y, ok := pixelOf(&proj, o.Landmarks.Row(i))
		if !ok {
			continue
		}
		half := p.Width(pen.Strong, o.Names[i]) / 2
		y -= float64(LandmarkReach(o.LandmarkStyle, kind&^Hovered)) + 9*k
		box := pen.Rect{X0: x - half - 2*k, Y0: y - 7*k, X1: x + half + 2*k, Y1: y + 7*k}
		if !box.Overlaps(map_) || overlapsAny(box, taken) {
			continue
		}
		taken = append(taken, box)
		p.Haloed(pen.Strong, x-half, y, o.Theme.Text, faded(o.Theme.Background, haloAlpha), o.Names[i])
	}
}

// PaintWords writes the names of what points are, leaving out those that would touch an earlier one where they do not
// fit above or below either.
func (o *Overlay) PaintWords(p pen.Pen) {
	k, proj := p.Scale(), o.Cam.Projection()
	w, h := o.Cam.Viewport()
	map_ := pen.Rect{X1: float64(w), Y1: float64(h)}
	var taken []pen.Rect
	for _, word := range o.Words {
		x, y, ok := pixelOf(&proj, word.At)
		if !ok {
			continue
		}
		text := pen.Shorten(p, pen.Strong, word.Text, 160*k)
		half := p.Width(pen.Strong, text) / 2
		for _, by := range []float64{0, -16, 16, -32, 32} {
			at := y + by*k
			box := pen.Rect{X0: x - half - 2*k, Y0: at - 8*k, X1: x + half + 2*k, Y1: at + 8*k}
			if !box.Overlaps(map_) {
				break
			}
			if overlapsAny(box, taken) {
				continue
			}
			taken = append(taken, box)
			p.Haloed(pen.Strong, x-half, at, o.Theme.Text, faded(o.Theme.Background, haloAlpha), text)
			break
		}
	}
}

func overlapsAny(b pen.Rect, list []pen.Rect) bool {
	for _, t := range list {
		if b.Overlaps(t) {
			return true
		}
	}
	return false
}
