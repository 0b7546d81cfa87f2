package view

import (
	"math"

	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/render"
	"blossom/render/scene"
	"blossom/render/splat/tally"
)

// sceneLook is a look of the document as pictures take it.
func sceneLook(l parts.Look) scene.Look {
	look := scene.Look{Palette: l.Palette, Reverse: l.Reverse, Low: l.Low, High: l.High, Size: l.Size,
		Opacity: l.Opacity, Raw: l.Spread != transform.SpreadMap, Centred: l.Centred, Centre: l.Centre, Inks: l.Inks,
		Tally: Tally(l.Drawing)}
	if l.ByValue() {
		look.From, look.To = l.From, l.To
	}
	return look
}

// Tally is how points become cells, as pictures take it, its lengths in points.
func Tally(d parts.Drawing) tally.Settings {
	t := tally.Settings{Mode: d.Draw, Scale: d.Counts, Size: d.Cell, Smooth: d.Smooth,
		Median: d.Show == parts.ShowMedian}
	t.Share, _ = d.Share()
	return t
}

// PictureSize returns the size of the view in framebuffer pixels without its header: the picture and, beside it, the
// numbers of flat axes, for which a picture for a file needs the same room.
func (v *Scatter) PictureSize() (w, h int) {
	w, h = v.Eye.Cam.Viewport()
	if v.axesShown() && !v.Eye.Solid() {
		w += int(math.Round(float64(v.Eye.Box.X0-v.View.area.X0) * v.Eye.Ratio))
		h += int(math.Round(float64(v.View.area.Y1-v.Eye.Box.Y1) * v.Eye.Ratio))
	}
	return w, h
}

// Picture says how to draw the view as it is for a file: what the window shows of it, at the picture's own scale. What
// the mouse hovers over is not marked.
func (v *Scatter) Picture(o scene.Options) (render.PictureOptions, error) {
	l := v.View.scene.Map.Landmarks()
	now := v.View.State()
	o.Landmarks, o.Names, o.Edges = v.HasLandmarks(), now.Names, v.EdgesShown()
	o.Legend.Shown, o.Shade = now.Legend, v.graphChoice().Shade
	look := v.View.Look()
	o.Lines = scene.LineOptions{Alone: v.contours.alone(v), Shares: now.ContourLabels}
	out, err := scene.Scene{Points: v.Points(), Contours: v.contours.shown(), Values: v.picture.values,
		States: v.among.in(v.View.scene), Colours: v.Colours.Values,
		Look: sceneLook(look), Landmarks: l, Arranged: v.Arranged(), Graph: v.graph.shown(v),
		View: v.Eye.Cam}.Picture(o)
	if err != nil {
		return out, err
	}
	style := v.Style()
	if o.Dark != v.View.scene.Dark { // another ground than the window's
		style.Colouring, style.Ground = out.Style.Colouring, render.Haze(out.Style.Colouring, out.Theme)
	}
	style.Size *= float32(o.Scale / v.View.scene.pixels())
	style.Tally.Size *= o.Scale / v.View.scene.pixels()
	style.Tally.Smooth *= o.Scale / v.View.scene.pixels()
	style.Colouring.Only = 0 // a picture has no mouse: no label stands out
	out.Style, out.LegendAt = style, v.key.place(v)
	out.LegendApart, out.AxesApart = o.Legend.Apart && now.LegendAt.Unmoved(), o.Legend.Apart
	if out.Legend != nil {
		out.Legend = v.Colours.picked.legend(v, out.Legend.Colouring)
		style.Tally.Tell(out.Legend, out.Keys, v.picture.layer.Levels())
	}
	out.LandmarkStyle = v.picture.landmarkStyle(v, out.Theme, float32(o.Scale))
	for _, k := range v.picture.kinds {
		out.Marks = append(out.Marks, k&^render.Hovered)
	}
	v.tree.print(v, &out)
	for _, over := range overs {
		if over.Print != nil {
			over.Print(v, &out)
		}
	}
	out.Axes = v.Axes()
	if b, ok := v.Extent(); ok {
		out.Cube = &b
		if !v.Eye.Moved {
			w, h := v.PictureSize()
			if v.key.unseen {
				w, h = 0, 0 // no shape is the one in which the legend has been laid
			}
			out.Fitted = &render.Fitted{Box: b, Width: w, Height: h, Scale: v.View.scene.pixels()}
		}
	}
	return out, nil
}
