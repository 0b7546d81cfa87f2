package render

import (
	"image"
	"math"

	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/pen"
	"blossom/render/text"
)

// frame is where title and legend of a picture lie, and what they leave for the map. In points, but
// for the margins and rectangles.
type frame struct {
	look             legend.Look
	legendX, legendY float64
	legendW, legendH float64
	hasLegend        bool
	margins          camera.Margins  // pixels
	axes             image.Rectangle // pixels that two axes stand at the left and the bottom of
	area             image.Rectangle // pixels of the map
	titles           bool            // names of two axes stand outside of it
}

const titleSize = 16.0

// arrange puts a bar below the map and a list of labels to the right of it. Where the view is given what lies over the
// map is an Overlay, as in the window, but for a legend that is to stand apart.
func (o *PictureOptions) arrange() (f frame) {
	w, h := float64(o.Width)/o.Scale, float64(o.Height)/o.Scale
	f.area = image.Rect(0, 0, o.Width, o.Height)
	if o.View != nil {
		o.arrangeView(&f)
		return f
	}
	top, right, bottom, left := padding, padding, padding, padding
	if o.Title != "" {
		top += titleSize + 14
	}
	if o.Legend != nil && w > 3*padding && h > 3*padding {
		dx, dy := o.arrangeLegend(&f, top)
		right, bottom = right+dx, bottom+dy
	}
	switch len(o.Axes) {
	case 2:
		top, bottom = top+axes.Over, bottom+axes.Under
		// The frame stands clear of the edges of the picture, and of what is fitted into it.
		const edge, clear = 8, 8
		x0, y0, x1, y1 := axes.Left+edge, top-edge, w-right+edge, h-bottom-axes.Bottom
		if bottom == padding+axes.Under {
			y1 += padding - edge
		}
		if x1-x0 > 3*padding && y1-y0 > 3*padding {
			f.axes = image.Rect(int(x0*o.Scale), int(y0*o.Scale), int(x1*o.Scale), int(y1*o.Scale))
			left, top, right, bottom = x0+clear, y0+clear, w-x1+clear, h-y1+clear
		}
	case 3:
		if min(w, h) > 4*axes.Around {
			left, top, right, bottom = left+axes.Around, top+axes.Around/2, right+axes.Around, bottom+axes.Around
		}
	}
	f.margins = camera.Margins{Left: left * o.Scale, Top: top * o.Scale, Right: right * o.Scale,
		Bottom: bottom * o.Scale}
	return f
}

// arrangeLegend puts the legend below the map, or to the right of it below top, and returns how much less of the
// picture's width and height the map has by that. In points.
func (o *PictureOptions) arrangeLegend(f *frame, top float64) (right, bottom float64) {
	w, h := float64(o.Width)/o.Scale, float64(o.Height)/o.Scale
	f.hasLegend = true
	f.look = legend.Look{
		Fonts: o.Fonts, Scale: o.Scale, Text: o.Theme.Text, TextDim: o.Theme.TextDim,
		MaxW: w - 2*padding, MaxH: h - top - padding,
	}
	labels := len(o.Legend.Entries) > 0 || o.Legend.Square != nil // beside the map
	if labels {
		f.look.MaxW = math.Max(0.45*w, 120)
	}
	f.legendW, f.legendH = o.Legend.Size(f.look)
	if labels {
		f.legendX, f.legendY = w-padding-f.legendW, top
		return f.legendW + padding, 0
	}
	f.legendX, f.legendY = padding, h-padding-f.legendH
	return 0, f.legendH + padding/2
}

// leastArea is the least share of a picture's width and height that its map has beside a legend that stands apart. With
// less the legend lies over the map, as in the window.
const leastArea = 0.5

// arrangeView puts the numbers of two axes into strips beside the map of a view, and a legend that is to stand apart
// beside these.
func (o *PictureOptions) arrangeView(f *frame) {
	area := f.area
	if o.Legend != nil && o.LegendApart {
		right, bottom := o.arrangeLegend(f, padding)
		if right > 0 {
			area.Max.X -= int(math.Round((right + padding) * o.Scale))
		} else {
			area.Max.Y -= int(math.Round((bottom + padding) * o.Scale))
		}
		if float64(area.Dx()) < leastArea*float64(o.Width) || float64(area.Dy()) < leastArea*float64(o.Height) {
			area, f.hasLegend = f.area, false
		}
	}
	if len(o.Axes) == 2 {
		left, bottom := int(math.Round(axes.Left*o.Scale)), int(math.Round(axes.Bottom*o.Scale))
		if area.Dx() > 2*left && area.Dy() > 2*bottom {
			area.Min.X, area.Max.Y = left, area.Max.Y-bottom
			o.arrangeTitles(f, &area)
		}
	}
	f.area = area
}

// arrangeTitles leaves room for the titles of two axes that stand apart, if there is some.
func (o *PictureOptions) arrangeTitles(f *frame, area *image.Rectangle) {
	const edge = 8 // numbers stand clear of the edges of the picture
	over, under, side := int(math.Round(axes.Over*o.Scale)), int(math.Round(axes.Under*o.Scale)), int(edge*o.Scale)
	if !o.AxesApart || area.Dy() < 2*(over+under) || area.Dx() < 4*side {
		return
	}
	area.Min.Y, area.Max.Y, f.titles = area.Min.Y+over, area.Max.Y-under, true
	if area.Max.X == o.Width {
		area.Max.X -= side
	}
}

// whole is the rectangle of the picture.
func (o *PictureOptions) whole() pen.Rect {
	return pen.Rect{X1: float64(o.Width), Y1: float64(o.Height)}
}

// finish paints names, axes, title and legend.
func (j *PictureJob) finish() {
	o, f, k := &j.o, &j.frame, j.o.Scale
	p, end := j.canvas.Part(pen.Spot{X: float64(f.area.Min.X), Y: float64(f.area.Min.Y)}, o.whole())
	over := Overlay{Theme: o.Theme, Cam: j.cam, Landmarks: o.Landmarks, Names: o.Names, Marks: o.Marks, Words: o.Words,
		LandmarkStyle: o.LandmarkStyle, Levels: o.Levels, LegendAt: o.LegendAt, Transparent: o.Transparent}
	if o.View != nil {
		over.Axes, over.Ends, over.Keys, over.titlesApart = o.Axes, j.ends, o.Keys, f.titles
		if !f.hasLegend {
			over.Legend = o.Legend
		}
	}
	group(p, "axes", len(o.Axes) > 0 && o.View == nil, func() { j.fittedAxes(&over, p) })
	group(p, "levels", len(o.Levels.Lines) > 0, func() { over.paintLevels(p) })
	group(p, "names", len(o.Names) > 0, func() { over.names(p) })
	group(p, "axes", len(over.Axes) > 0, func() { over.axes(p) })
	group(p, "words", len(o.Words) > 0, func() { over.PaintWords(p) })
	group(p, "legend", o.Legend != nil || len(over.Keys) > 0, func() {
		if f.hasLegend {
			o.Legend.Draw(p, f.look, f.legendX*k-float64(f.area.Min.X), f.legendY*k-float64(f.area.Min.Y))
		}
		if o.View != nil {
			over.PaintKeys(p, over.PaintLegend(p).Box)
		}
	})
	group(p, "view", len(o.Over) > 0, func() { j.paintOver(p) })
	group(p, "note", o.Note != "", func() { j.note(p) })
	end()
	group(j.canvas, "title", o.Title != "", j.title)
}

// group paints something that there is as a group.
func group(c pen.Canvas, id string, is bool, paint func()) {
	if is {
		defer c.Group(id)()
		paint()
	}
}

// paintOver paints what others add to the picture.
func (j *PictureJob) paintOver(p pen.Pen) {
	for _, paint := range j.o.Over {
		paint(p, float64(j.frame.area.Dx()), float64(j.frame.area.Dy()))
	}
}

// note writes the note into the lower right corner of the map.
func (j *PictureJob) note(p pen.Pen) {
	area := j.frame.area
	PaintNote(p, j.o.Note, float64(area.Dx()), float64(area.Dy()), j.o.Theme, !j.o.Transparent)
}

// Lengths around a note, in points.
const (
	noteAside  = 12.0 // from the edges of the map
	notePad    = 6.0
	noteHeight = 18.0
)

// PaintNote writes a note into the lower right corner of a map of w x h pixels, where there is room for it: on a ground
// of its own, as a legend is, or where the picture has none with a rim.
func PaintNote(p pen.Pen, note string, w, h float64, t Theme, ground bool) {
	k, wide := p.Scale(), p.Width(pen.Caption, note)
	if note == "" || wide+2*noteAside*k > w {
		return
	}
	x, y := w-wide-noteAside*k, h-noteAside*k
	if !ground {
		p.Haloed(pen.Caption, x, y, t.TextDim, faded(t.Background, haloAlpha), note)
		return
	}
	p.Fill(pen.Rect{X0: x - notePad*k, Y0: y - noteHeight/2*k, X1: x + wide + notePad*k, Y1: y + noteHeight/2*k}, 4*k,
		faded(t.Background, groundAlpha))
	p.Text(pen.Caption, x, y, t.TextDim, note)
}

func (j *PictureJob) title() {
	o, k := &j.o, j.o.Scale
	l := text.Line{Size: titleSize * k, Bold: true}
	s := o.Fonts.Shorten(l, o.Title, float64(o.Width)-2*padding*k)
	j.canvas.Write(l, padding*k, (padding+titleSize*0.8)*k, o.Theme.Text,
		pen.Rim{Ink: o.Theme.Background, Width: 1.6 * k}, s)
}

// fittedAxes paints the axes of a picture that fits its map by itself: in a frame, or around the box of what is shown.
func (j *PictureJob) fittedAxes(over *Overlay, p pen.Canvas) {
	o, f, k := &j.o, &j.frame, j.o.Scale
	switch {
	case len(o.Axes) == 2 && !f.axes.Empty():
		low := j.cam.WorldFromScreen(float64(f.axes.Min.X), float64(f.axes.Max.Y))
		high := j.cam.WorldFromScreen(float64(f.axes.Max.X), float64(f.axes.Min.Y))
		frame, ok := axes.Of(p, rectOf(f.axes), o.Axes[0], o.Axes[1], axes.Span{Lo: low.X, Hi: high.X},
			axes.Span{Lo: low.Y, Hi: high.Y})
		if ok {
			frame.Outside(k, rectOf(f.axes), padding*k)
			frame.Paint(p, over.axisInk(), o.Axes[0], o.Axes[1])
		}
	case len(o.Axes) == 3:
		axes.DrawBox(p, o.whole(), axes.Look{Fonts: o.Fonts, Scale: o.Scale, Line: o.Theme.TextDim, Text: o.Theme.Text,
			TextDim: o.Theme.TextDim, Halo: o.Theme.Background}, [3]axes.Axis(o.Axes), j.box, j.cam.ScreenFromWorld)
	}
}

// rectOf is a rectangle of whole pixels.
func rectOf(r image.Rectangle) pen.Rect {
	return pen.Box(float64(r.Min.X), float64(r.Min.Y), float64(r.Max.X), float64(r.Max.Y))
}

// clipOf returns where a position is in the projection's coordinates.
func clipOf(p *camera.Projection, pos []float32) (clip [4]float64) {
	v := [4]float64{float64(pos[0] - p.Origin[0]), float64(pos[1] - p.Origin[1]), -float64(p.Origin[2]), 1}
	if len(pos) > 2 {
		v[2] += float64(pos[2])
	}
	for r := range clip {
		for c := range v {
			clip[r] += float64(p.M[4*c+r]) * v[c]
		}
	}
	return clip
}

// pixelOf returns where drawing puts a position.
func pixelOf(p *camera.Projection, pos []float32) (x, y float64, ok bool) {
	clip := clipOf(p, pos)
	if !(clip[3] > float64(p.Reference)*1e-3) {
		return 0, 0, false
	}
	x = (clip[0]/clip[3] + 1) / 2 * float64(p.W)
	y = (clip[1]/clip[3] + 1) / 2 * float64(p.H)
	return x, y, !math.IsNaN(x+y) && math.Abs(x)+math.Abs(y) < 1e7
}
