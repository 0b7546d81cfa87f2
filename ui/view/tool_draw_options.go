package view

import (
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/landmarks/shape"
	"blossom/ui/widget"
)

// shapeIcons are the icons of kinds of shapes; others have that of the tool.
var shapeIcons = map[string]string{"grid": assets.IconGrid3x3, "outline": assets.IconSpline,
	"line": assets.IconMinus, "piece": assets.IconCopy, "silhouette": assets.IconImage, "box": assets.IconBox}

// shapeDrawings draw what no icon of the font shows.
var shapeDrawings = map[string]func(dl *imgui.DrawList, x, y, side float32, c widget.Color){
	"ring": func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
		dl.AddCircleV(imgui.Vec2{X: x, Y: y}, side*0.42, uint32(c), 0, side*0.1)
	},
	"disc": func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
		dl.AddCircleV(imgui.Vec2{X: x, Y: y}, side*0.42, uint32(c), 0, side*0.1)
		dl.AddCircleFilledV(imgui.Vec2{X: x, Y: y}, side*0.27, uint32(c), 0)
	},
	"sphere": func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
		at := imgui.Vec2{X: x, Y: y}
		dl.AddCircleV(at, side*0.42, uint32(c), 0, side*0.1)
		dl.AddEllipseV(at, imgui.Vec2{X: side * 0.42, Y: side * 0.15}, uint32(c), 0, 0, side*0.08)
		dl.AddEllipseV(at, imgui.Vec2{X: side * 0.15, Y: side * 0.42}, uint32(c), 0, 0, side*0.08)
	},
	"torus": func(dl *imgui.DrawList, x, y, side float32, c widget.Color) {
		at := imgui.Vec2{X: x, Y: y}
		dl.AddEllipseV(at, imgui.Vec2{X: side * 0.5, Y: side * 0.34}, uint32(c), 0, 0, side*0.1)
		dl.AddEllipseV(at, imgui.Vec2{X: side * 0.2, Y: side * 0.09}, uint32(c), 0, 0, side*0.1)
	},
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
		s.shapeOptions(o, g, d)
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

// shapeOptions are what the shape is, and what becomes of it.
func (s *Stage) shapeOptions(o *widget.Options, g *Hand, d *Drawing) {
	kinds := shape.Kinds()
	items, chosen := make([]widget.Option, len(kinds)), 0
	for i, k := range kinds {
		items[i] = widget.Option{Label: k.Title, Icon: shapeIcons[k.ID], Draw: shapeDrawings[k.ID],
			Tip: k.Title + ": " + k.Help}
		if items[i].Icon == "" && items[i].Draw == nil {
			items[i].Icon = assets.IconShapes
		}
		if k.ID == d.Shape.Kind {
			chosen = i
		}
	}
	if o.Choice("Shape", items, &chosen, true) {
		g.chooseShape(kinds[chosen])
	}
	k := d.kind()
	tight := o.Width() < 1120 // there is no room for all words
	narrow := o.Width() < 980 // nor for a track
	if k.Packs {
		packing, six := int(d.Shape.Packing), "Hexagonal"
		if tight {
			six = "Hex"
		}
		if o.Choice("Packing", []widget.Option{{Label: six + "##hexagonal", Tip: "Hexagonal: six neighbours each"},
			{Label: "Square", Tip: "Square: four neighbours each"}}, &packing, false) {
			d.Shape.Packing = shape.Packing(packing)
			d.Shape = d.Shape.Fitted()
			d.make()
		}
	}
	for i, p := range k.Params {
		v, label := d.Shape.Value(p.ID), p.Title
		if len(k.Params) > 1 { // "5 × 4"
			label = "##" + p.Title
			if i > 0 {
				label = "×" + label
			}
		}
		e := o.Number(label, &v, widget.Param{Min: p.Min, Max: p.Max, Default: p.Default, Log: p.Log,
			Integer: p.Integer}, p.Title+": "+strings.ToLower(p.Help[:1])+p.Help[1:])
		if i+1 < len(k.Params) {
			o.Close()
		}
		if e.Changed {
			g.setParam(p.ID, v)
		}
	}
	if k.Spaced {
		usual := d.Shape.Spacing
		spacing := o.Slider
		if narrow {
			spacing = o.Number
		}
		if e := spacing("Spacing", &usual, g.spacing(), "How far landmarks are from their neighbours, "+
			"in units of the map. Raising it makes fewer."); e.Changed {
			d.Shape.Spacing = usual
			d.Shape = d.Shape.Fitted()
			d.make()
		}
	}
	if k.By == shape.ByPiece && d.On {
		if o.Button("Mirror", widget.ButtonOpts{Tip: "Swap left and right"}) {
			d.Shape.Frame.Size[0] = -d.Shape.Frame.Size[0]
			d.make()
		}
	}
	if k.By == shape.ByImage {
		open := widget.ButtonOpts{Tip: "A PNG or JPEG: what stands out from its ground", Icon: assets.IconImage}
		label := "Open image…"
		if narrow {
			label, open.Icon = "Open…", ""
		}
		if o.Button(label+"##Open image…", open) && d.Load != nil {
			d.Load()
		}
	}
	to := 0
	if d.Replace {
		to = 1
	}
	add, instead, values := "Add to the map", "Replace it", "Values"
	if tight {
		add, instead, values = "Add", "Replace", ""
	}
	if o.Choice("Place as", []widget.Option{
		{Label: add + "##add", Tip: "Add it to the map: the landmarks that are there stay"},
		{Label: instead + "##replace", Tip: "Replace the map: the shape takes the place of all its landmarks"}}, &to,
		false) {
		d.Replace = to == 1
	}
	value := "from neighbours"
	if d.Train && d.Replace {
		value = "from training"
	}
	if narrow {
		value = strings.TrimPrefix(value, "from ")
	}
	clicked, under := o.Menu("Values", values, value, "Where the new landmarks get their values from")
	if clicked {
		s.Scene.UI.OpenMenuUnder("shape values", under)
	}
	s.Scene.UI.ContextMenu("shape values", func() {
		if s.Scene.UI.MenuItem("From neighbours", widget.MenuOpts{Checked: !d.Train || !d.Replace,
			Tip: "From the landmarks of the map that are near, weighted by distance"}) {
			d.Train = false
		}
		if s.Scene.UI.MenuItem("From training", widget.MenuOpts{Checked: d.Train && d.Replace, Disabled: !d.Replace,
			Tip: "The map is trained on the shape, along its edges; for a shape that replaces the map"}) {
			d.Train = true
		}
	})
	if o.Icon("open shape", assets.IconFolderOpen, "Open a shape from a file", false) && d.Open != nil {
		d.Open()
	}
	o.Close()
	if o.Icon("save shape", assets.IconSave, "Save the shape as a file: the map itself is saved with the session",
		d.Count() == 0) && d.Save != nil {
		d.Save()
	}
}

// spacing is the range of the spacing: a tenth to ten times that of the map.
func (g *Hand) spacing() widget.Param {
	l := parts.Landmarks.Of(g.Doc.State())
	if g.usualOf != l.PosRev || g.usual == 0 {
		g.usual, g.usualOf = usualSpacing(l), l.PosRev
	}
	return widget.Param{Min: g.usual / 10, Max: g.usual * 10, Default: g.usual, Log: true}
}

// chooseShape changes the kind of the shape. A ghost takes its frame along; what has to be drawn is drawn anew.
func (g *Hand) chooseShape(k shape.Kind) {
	d := g.drawing()
	was := d.On && d.kind().By == shape.ByFrame
	d.corners = nil
	s := d.Shape
	s.Kind, s.Values, s.Path, s.Piece = k.ID, nil, nil, nil
	d.Shape = s
	if k.Solid && g.Map != nil && !g.Map.Solid() {
		d.Replace = true // a flat map cannot take it
	}
	switch {
	case k.By == shape.ByFrame && was:
		d.put(s.Fitted())
	case k.By == shape.ByPiece && len(g.Selected) > 0:
		g.cut(g.Selected)
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
