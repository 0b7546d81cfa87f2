package view

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/landmarks/shape"
	"blossom/ui/widget"
)

// inked returns what draws an icon around a place in a square of a side.
func inked(icon shape.Icon) func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
	return func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
		for _, s := range icon {
			for _, p := range s.Path {
				dl.PathLineTo(imgui.Vec2{X: x + side*float32(p[0]), Y: y + side*float32(p[1])})
			}
			flags := imgui.DrawFlagsNone
			if s.Closed {
				flags = imgui.DrawFlagsClosed
			}
			if s.Width == 0 {
				dl.PathFillConvex(uint32(c))
			} else {
				dl.PathStrokeV(uint32(c), flags, side*float32(s.Width))
			}
		}
	}
}

// drawOptions draws the options of the Draw map tool over the views.
func drawOptions(s *Stage, r widget.Rect, _ string) {
	g := &s.hand
	d := g.drawing()
	label := "Place"
	if n := d.Count(); n > 0 {
		label = "Place " + grouped(n)
	}
	u := s.Scene.UI
	ends := u.Width(widget.Body, label+"Cancel") + u.Pt(2*24+10+2*8) // the two buttons, always in sight
	bar, end := r, r
	if r.W() > ends+u.Pt(120) {
		bar.X1 -= ends
		end.X0 = bar.X1
	} else {
		end = widget.Rect{}
	}
	u.OptionsBar("options", bar, func(o *widget.Options) {
		shapeBar{u, o, g, d}.draw()
		if end.Empty() {
			s.placeOptions(o, g, d, label)
		}
	})
	if !end.Empty() {
		u.OptionsBar("options end", end, func(o *widget.Options) { s.placeOptions(o, g, d, label) })
	}
}

// placeOptions are the buttons that end the drawing.
func (s *Stage) placeOptions(o *widget.Options, g *Hand, d *Drawing, label string) {
	cancel := "Take the shape away; the map stays as it is\tEsc"
	if !d.Sketching() {
		cancel = "There is no shape yet: draw one on the map"
	}
	if o.Button("Cancel##cancel shape", widget.ButtonOpts{Tip: cancel, Disabled: !d.Sketching()}) {
		d.Cancel()
	}
	tip, can := "Make the shape landmarks of the map\tEnter", d.Count() > 0
	switch {
	case !d.Sketching():
		tip = "Draw a shape on the map first"
	case can:
		if err := g.Fits(); err != nil {
			tip, can = problemText(err), false
		}
	case d.err != nil:
		tip = problemText(d.err)
	}
	if o.Button(label+"##place shape", widget.ButtonOpts{Kind: widget.Primary, Tip: tip, Disabled: !can}) {
		g.Confirm()
	}
}

// shapeBar is what the shape is, and what becomes of it, in the bar of options.
type shapeBar struct {
	u *widget.UI
	o *widget.Options
	g *Hand
	d *Drawing
}

// tight says whether there is no room for all words, narrow whether there is none for a track.
func (b shapeBar) tight() bool  { return b.o.Width() < 1120 }
func (b shapeBar) narrow() bool { return b.o.Width() < 980 }

func (b shapeBar) draw() {
	b.kinds()
	k := b.d.kind()
	if k.Packs {
		b.packing()
	}
	b.parameters(k)
	if k.Spaced {
		b.spacing()
	}
	b.actions(k)
	b.place()
	b.values()
	b.files()
}

// kinds is the choice of the kind of shape.
func (b shapeBar) kinds() {
	kinds := shape.Kinds()
	items, chosen := make([]widget.Option, len(kinds)), 0
	for i, k := range kinds {
		items[i] = widget.Option{Label: k.Title, Tip: k.Title + ": " + k.Help}
		if k.Icon != nil {
			items[i].Draw = inked(k.Icon)
		} else {
			items[i].Icon = assets.IconShapes
		}
		if k.ID == b.d.Shape.Kind {
			chosen = i
		}
	}
	if b.o.Choice("Shape", items, &chosen, true) {
		b.g.chooseShape(kinds[chosen])
	}
}

func (b shapeBar) packing() {
	packing, six := int(b.d.Shape.Packing), "Hexagonal"
	if b.tight() {
		six = "Hex"
	}
	if b.o.Choice("Packing", []widget.Option{{Label: six + "##hexagonal", Tip: "Hexagonal: six neighbours each"},
		{Label: "Square", Tip: "Square: four neighbours each"}}, &packing, false) {
		b.d.Shape.Packing = shape.Packing(packing)
		b.d.Shape = b.d.Shape.Fitted()
		b.d.make()
	}
}

// parameters are those of the kind alone: "5 × 4".
func (b shapeBar) parameters(k shape.Kind) {
	for i, p := range k.Params {
		v, label := b.d.Shape.Value(p.ID), p.Title
		if len(k.Params) > 1 { // "5 × 4"
			label = "##" + p.Title
			if i > 0 {
				label = "×" + label
			}
		}
		e := b.o.Number(label, &v, widget.Param{Min: p.Min, Max: p.Max, Default: p.Default, Log: p.Log,
			Integer: p.Integer}, p.Title+": "+strings.ToLower(p.Help[:1])+p.Help[1:])
		if i+1 < len(k.Params) {
			b.o.Close()
		}
		if e.Changed {
			b.g.setParam(p.ID, v)
		}
	}
}

func (b shapeBar) spacing() {
	usual := b.d.Shape.Spacing
	spacing := b.o.Slider
	if b.narrow() {
		spacing = b.o.Number
	}
	if e := spacing("Spacing", &usual, b.g.spacing(), "How far landmarks are from their neighbours, "+
		"in units of the map. Raising it makes fewer."); e.Changed {
		b.d.Shape.Spacing = usual
		b.d.Shape = b.d.Shape.Fitted()
		b.d.make()
	}
}

// actions are what can be done with a shape of some kinds alone.
func (b shapeBar) actions(k shape.Kind) {
	if k.By == shape.ByPiece && b.d.On {
		if b.o.Button("Mirror", widget.ButtonOpts{Tip: "Swap left and right"}) {
			b.d.Shape.Frame.Size[0] = -b.d.Shape.Frame.Size[0]
			b.d.make()
		}
	}
	if k.By == shape.ByImage {
		open := widget.ButtonOpts{Tip: "A PNG or JPEG: what stands out from its ground", Icon: assets.IconImage}
		label := "Open image…"
		if b.narrow() {
			label, open.Icon = "Open…", ""
		}
		if b.o.Button(label+"##Open image…", open) && b.d.Load != nil {
			b.d.Load()
		}
	}
}

// place is whether the shape is added to the map, or replaces it.
func (b shapeBar) place() {
	to := 0
	if b.d.Replace {
		to = 1
	}
	add, instead := "Add to the map", "Replace it"
	if b.tight() {
		add, instead = "Add", "Replace"
	}
	if b.o.Choice("Place as", []widget.Option{
		{Label: add + "##add", Tip: "Add it to the map: the landmarks that are there stay"},
		{Label: instead + "##replace", Tip: "Replace the map: the shape takes the place of all its landmarks"}}, &to,
		false) {
		b.d.Replace = to == 1
	}
}

// values is where the new landmarks get their values from.
func (b shapeBar) values() {
	title := "Values"
	if b.tight() {
		title = ""
	}
	value := "from neighbours"
	if b.d.Train && b.d.Replace {
		value = "from training"
	}
	if b.narrow() {
		value = strings.TrimPrefix(value, "from ")
	}
	clicked, under := b.o.Menu("Values", title, value, "Where the new landmarks get their values from")
	if clicked {
		b.u.OpenMenuUnder("shape values", under)
	}
	b.u.ContextMenu("shape values", func() {
		if b.u.MenuItem("From neighbours", widget.MenuOpts{Checked: !b.d.Train || !b.d.Replace,
			Tip: "From the landmarks of the map that are near, weighted by distance"}) {
			b.d.Train = false
		}
		if b.u.MenuItem("From training", widget.MenuOpts{Checked: b.d.Train && b.d.Replace, Disabled: !b.d.Replace,
			Tip: "The map is trained on the shape, along its edges; for a shape that replaces the map"}) {
			b.d.Train = true
		}
	})
}

// files opens and saves shapes.
func (b shapeBar) files() {
	if b.o.Icon("open shape", assets.IconFolderOpen, "Open a shape from a file", false) && b.d.Open != nil {
		b.d.Open()
	}
	b.o.Close()
	if b.o.Icon("save shape", assets.IconSave, "Save the shape as a file: the map itself is saved with the session",
		b.d.Count() == 0) && b.d.Save != nil {
		b.d.Save()
	}
}

// spacing is the range of the spacing: a tenth to ten times that of the map.
func (g *Hand) spacing() widget.Param {
	l := parts.Landmarks.Of(g.Landmarks.Doc.State())
	if g.usual.of != l.PosRev || g.usual.gap == 0 {
		g.usual.gap, g.usual.of = usualSpacing(l), l.PosRev
	}
	return widget.Param{Min: g.usual.gap / 10, Max: g.usual.gap * 10, Default: g.usual.gap, Log: true}
}

// chooseShape changes the kind of the shape. A ghost takes its frame along; what has to be drawn is drawn anew.
func (g *Hand) chooseShape(k shape.Kind) {
	d := g.drawing()
	was := d.On && d.kind().By == shape.ByFrame
	d.corners = nil
	s := d.Shape
	s.Kind, s.Values, s.Path, s.Piece = k.ID, nil, nil, nil
	d.Shape = s
	if k.Solid && g.Map != nil && !g.Map.Lens().Solid() {
		d.Replace = true // a flat map cannot take it
	}
	switch {
	case k.By == shape.ByFrame && was:
		d.put(s.Fitted())
	case k.By == shape.ByPiece && len(g.Landmarks.Selected) > 0:
		g.cut(g.Landmarks.Selected)
	case k.By == shape.ByImage && s.Mask != nil && g.Map != nil:
		d.put(g.sized(s, g.middle()))
	default:
		d.On = false
	}
}

// setParam sets a parameter that was typed: a shape that has none yet appears in the middle of the view.
func (g *Hand) setParam(id string, v float64) {
	d := g.drawing()
	s := d.Shape.With(id, v)
	switch {
	case d.On && d.kind().Size != nil:
		s = s.Sized()
	case d.On:
		s = s.Fitted()
	case g.Map != nil && d.kind().By == shape.ByFrame:
		s = g.sized(s, g.middle())
	default:
		d.Shape = s
		return
	}
	d.put(s)
}
