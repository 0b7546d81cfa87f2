package render

import (
	"image"
	"image/color"
	"image/draw"
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
}

const titleSize = 16.0

// arrange puts a bar below the map and a list of labels to the right of it. Where the view is given what lies over the
// map is an Overlay, as in the window.
func (o *PictureOptions) arrange() (f frame) {
	w, h := float64(o.Width)/o.Scale, float64(o.Height)/o.Scale
	f.area = image.Rect(0, 0, o.Width, o.Height)
	if o.View != nil {
		if len(o.Axes) == 2 { // the numbers stand in strips beside the map
			left, bottom := int(math.Round(axes.Left*o.Scale)), int(math.Round(axes.Bottom*o.Scale))
			if o.Width > 2*left && o.Height > 2*bottom {
				f.area = image.Rect(left, 0, o.Width, o.Height-bottom)
			}
		}
		return f
	}
	top, right, bottom, left := padding, padding, padding, padding
	if o.Title != "" {
		top += titleSize + 14
	}
	if o.Legend != nil && w > 3*padding && h > 3*padding {
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
		f.legendX, f.legendY = padding, h-padding-f.legendH
		if labels {
			f.legendX, f.legendY = w-padding-f.legendW, top
			right += f.legendW + padding
		} else {
			bottom += f.legendH + padding/2
		}
	}
	switch len(o.Axes) {
	case 2:
		// The frame stands clear of the edges of the picture, and of what is fitted into it.
		const edge, clear = 8, 8
		x0, y0, x1, y1 := axes.Left+edge, top-edge, w-right+edge, h-bottom-axes.Bottom
		if bottom == padding {
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

// finish paints names, axes, title and legend.
func (j *PictureJob) finish() {
	o, f, k := &j.o, &j.frame, j.o.Scale
	p := &pen.Image{Dst: j.img, Fonts: o.Fonts, Points: k, Origin: f.area.Min}
	over := Overlay{Theme: o.Theme, Cam: j.cam, Landmarks: o.Landmarks, Names: o.Names, Marks: o.Marks, Words: o.Words,
		LandmarkStyle: o.LandmarkStyle, LegendAt: o.LegendAt, Transparent: o.Transparent}
	if o.View != nil {
		over.Axes, over.Ends, over.Legend, over.Keys = o.Axes, j.ends, o.Legend, o.Keys
		over.Paint(p)
		over.PaintWords(p)
		over.PaintKeys(p, over.PaintLegend(p).Box)
		j.paintOver(p)
		j.title()
		j.note(p)
		return
	}
	j.fittedAxes(&over, p)
	over.names(p)
	over.PaintWords(p)
	j.paintOver(p)
	j.title()
	if f.hasLegend {
		o.Legend.Draw(j.img, f.look, f.legendX*k, f.legendY*k)
	}
	j.note(p)
}

// paintOver paints what others add to the picture.
func (j *PictureJob) paintOver(p pen.Pen) {
	for _, paint := range j.o.Over {
		paint(p, float64(j.frame.area.Dx()), float64(j.frame.area.Dy()))
	}
}

// note writes the note into the lower right corner of the map.
func (j *PictureJob) note(p pen.Pen) {
	o, k := &j.o, j.o.Scale
	w := p.Width(pen.Caption, o.Note)
	if area := j.frame.area; o.Note != "" && w+24*k <= float64(area.Dx()) {
		pen.Haloed(p, pen.Caption, float64(area.Dx())-w-12*k, float64(area.Dy())-12*k, o.Theme.TextDim,
			faded(o.Theme.Background, haloAlpha), o.Note)
	}
}

func (j *PictureJob) title() {
	o, k := &j.o, j.o.Scale
	if o.Title == "" {
		return
	}
	l := text.Line{Size: titleSize * k, Bold: true}
	s := o.Fonts.Shorten(l, o.Title, float64(o.Width)-2*padding*k)
	o.Fonts.Haloed(j.img, l, padding*k, (padding+titleSize*0.8)*k, s, o.Theme.Text, o.Theme.Background, 1.6*k)
}

// fittedAxes paints the axes of a picture that fits its map by itself: in a frame, or around the box of what is shown.
func (j *PictureJob) fittedAxes(over *Overlay, p pen.Pen) {
	o, f := &j.o, &j.frame
	switch {
	case len(o.Axes) == 2 && !f.axes.Empty():
		low := j.cam.WorldFromScreen(float64(f.axes.Min.X), float64(f.axes.Max.Y))
		high := j.cam.WorldFromScreen(float64(f.axes.Max.X), float64(f.axes.Min.Y))
		inside := pen.Rect{X0: float64(f.axes.Min.X), Y0: float64(f.axes.Min.Y), X1: float64(f.axes.Max.X),
			Y1: float64(f.axes.Max.Y)}
		frame, ok := axes.Of(p, inside, o.Axes[0], o.Axes[1], axes.Span{Lo: low.X, Hi: high.X},
			axes.Span{Lo: low.Y, Hi: high.Y})
		if !ok {
			return
		}
		ground := image.NewUniform(color.Color(o.Theme.Background))
		if o.Transparent {
			ground = image.NewUniform(color.NRGBA{})
		}
		for _, r := range frame.Strips {
			draw.Draw(j.img, image.Rect(int(r.X0+0.5), int(r.Y0+0.5), int(r.X1+0.5), int(r.Y1+0.5)), ground,
				image.Point{}, draw.Src)
		}
		frame.Paint(p, over.axisInk(), o.Axes[0], o.Axes[1])
	case len(o.Axes) == 3:
		axes.DrawBox(j.img, axes.Look{Fonts: o.Fonts, Scale: o.Scale, Line: o.Theme.TextDim, Text: o.Theme.Text,
			TextDim: o.Theme.TextDim, Halo: o.Theme.Background}, [3]axes.Axis(o.Axes), j.box, j.cam.ScreenFromWorld)
	}
}

// pixelOf returns where drawing puts a position.
func pixelOf(p *camera.Projection, pos []float32) (x, y float64, ok bool) {
	v := [4]float64{float64(pos[0] - p.Origin[0]), float64(pos[1] - p.Origin[1]), -float64(p.Origin[2]), 1}
	if len(pos) > 2 {
		v[2] += float64(pos[2])
	}
	var clip [4]float64
	for r := range clip {
		for c := range v {
			clip[r] += float64(p.M[4*c+r]) * v[c]
		}
	}
	if !(clip[3] > float64(p.Reference)*1e-3) {
		return 0, 0, false
	}
	x = (clip[0]/clip[3] + 1) / 2 * float64(p.W)
	y = (clip[1]/clip[3] + 1) / 2 * float64(p.H)
	return x, y, !math.IsNaN(x+y) && math.Abs(x)+math.Abs(y) < 1e7
}
