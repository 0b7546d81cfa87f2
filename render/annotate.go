package render

import (
	"image"
	"image/color"
	"math"

	"blossom/render/axes"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/text"
)

// frame is where title and legend of a picture lie, and what they leave for the map. In points, but
// for the margins.
type frame struct {
	look             legend.Look
	legendX, legendY float64
	legendW, legendH float64
	hasLegend, panel bool
	margins          camera.Margins  // pixels
	axes             image.Rectangle // pixels that two axes stand at the left and the bottom of
}

const titleSize = 16.0

// arrange puts a bar below the map and a list of labels to the right of it. Where the view is given
// the map fills the picture, so the legend lies on it, at the bottom left as in the window.
func (o *PictureOptions) arrange() (f frame) {
	w, h := float64(o.Width)/o.Scale, float64(o.Height)/o.Scale
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
		labels := len(o.Legend.Entries) > 0
		if labels {
			f.look.MaxW = math.Max(0.45*w, 120)
		}
		if labels && o.View != nil {
			f.look.MaxH = math.Max(0.4*h, 60)
		}
		f.legendW, f.legendH = o.Legend.Size(f.look)
		f.legendX, f.legendY = padding, h-padding-f.legendH
		switch {
		case o.View != nil:
			f.panel = true
		case labels:
			f.legendX, f.legendY = w-padding-f.legendW, top
			right += f.legendW + padding
		default:
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
		if o.View != nil { // the map fills the picture but for the strips of the axes
			x0, y0, x1, y1 = axes.Left, top-padding, w, h-axes.Bottom
			f.legendX, f.legendY = f.legendX+axes.Left, f.legendY-axes.Bottom-padding
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

// finish paints names, title and legend.
func (j *PictureJob) finish() {
	o, f, k := &j.o, &j.frame, j.o.Scale
	j.drawAxes()
	j.nameCube()
	j.drawNames()
	if o.Title != "" {
		l := text.Line{Size: titleSize * k, Bold: true}
		s := o.Fonts.Shorten(l, o.Title, float64(o.Width)-2*padding*k)
		j.haloed(l, padding*k, (padding+titleSize*0.8)*k, s)
	}
	if !f.hasLegend {
		return
	}
	if f.panel && !o.Transparent {
		const pad = 9
		ground := o.Theme.Background
		ground.A = 224
		legend.Panel(j.img, (f.legendX-pad)*k, (f.legendY-pad)*k, (f.legendW+2*pad)*k, (f.legendH+2*pad)*k, 6*k, ground)
	}
	o.Legend.Draw(j.img, f.look, f.legendX*k, f.legendY*k)
}

// drawAxes paints the axes: at the left and the bottom, or around the box of what is shown.
func (j *PictureJob) drawAxes() {
	o, f := &j.o, &j.frame
	k := axes.Look{Fonts: o.Fonts, Scale: o.Scale, Line: o.Theme.TextDim, Text: o.Theme.Text, TextDim: o.Theme.TextDim,
		Halo: o.Theme.Background, Ground: o.Theme.Background}
	if o.Transparent {
		k.Ground = color.NRGBA{}
	}
	switch {
	case len(o.Axes) == 2 && !f.axes.Empty():
		low := j.cam.WorldFromScreen(float64(f.axes.Min.X), float64(f.axes.Max.Y))
		high := j.cam.WorldFromScreen(float64(f.axes.Max.X), float64(f.axes.Min.Y))
		axes.Draw(j.img, k, f.axes, o.Axes[0], o.Axes[1], axes.Span{Lo: low.X, Hi: high.X},
			axes.Span{Lo: low.Y, Hi: high.Y})
	case len(o.Axes) == 3 && o.View == nil:
		axes.DrawBox(j.img, k, [3]axes.Axis(o.Axes), j.box, j.cam.ScreenFromWorld)
	}
}

// nameCube writes the titles of axes in 3D beside the ends of the box's, as a window does.
func (j *PictureJob) nameCube() {
	o, k := &j.o, j.o.Scale
	if len(o.Axes) != 3 || o.View == nil {
		return
	}
	l := text.Line{Size: 11.5 * k}
	above, below := o.Fonts.Heights(l)
	for i, e := range j.ends {
		s := o.Axes[i].Title
		if !e.Seen || s == "" {
			continue
		}
		w := o.Fonts.Width(l, s)
		x := e.X + e.DX*(w/2+8*k) - w/2
		y := e.Y + e.DY*(above/2+10*k) + above/2
		j.haloed(l, min(max(x, 2*k), float64(o.Width)-w-2*k), min(max(y, above+2*k), float64(o.Height)-below-2*k), s)
	}
}

// haloed draws text that can be read on points.
func (j *PictureJob) haloed(l text.Line, x, y float64, s string) {
	t := j.o.Theme
	j.o.Fonts.Haloed(j.img, l, x, y, s, t.Text, t.Background, 1.6*j.o.Scale)
}

// drawNames writes the names of landmarks above them, leaving out those that would touch an earlier one.
func (j *PictureJob) drawNames() {
	o := &j.o
	l := text.Line{Size: 12.5 * o.Scale, Bold: true}
	above, below := o.Fonts.Heights(l)
	var taken []image.Rectangle
	for i := range min(len(o.Names), o.Landmarks.Rows) {
		if o.Names[i] == "" {
			continue
		}
		kind := Mark(0)
		if i < len(o.Marks) {
			kind = o.Marks[i]
		}
		x, y, ok := pixelOf(&j.proj, o.Landmarks.Row(i))
		if !ok {
			continue
		}
		w := o.Fonts.Width(l, o.Names[i])
		left, base := x-w/2, y-float64(LandmarkReach(o.LandmarkStyle, kind))-4*o.Scale
		box := image.Rect(int(left)-2, int(base-above)-2, int(left+w)+3, int(base+below)+3)
		if !box.Overlaps(j.img.Rect) || overlapsAny(box, taken) {
			continue
		}
		taken = append(taken, box)
		j.haloed(l, left, base, o.Names[i])
	}
}

func overlapsAny(b image.Rectangle, list []image.Rectangle) bool {
	for _, t := range list {
		if b.Overlaps(t) {
			return true
		}
	}
	return false
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
