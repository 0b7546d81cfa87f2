package view

import (
	"strconv"

	"blossom/assets"
	"blossom/model/maps/selection"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

func init() {
	Register(&Tool{ID: "select", Title: "Select",
		Also: "gate lasso polygon rectangle ellipse quadrants brush population subset filter",
		Help: "Drag encloses points", Key: "4",
		Icon: assets.IconLassoSelect, Options: selectOptions, Points: true,
		Sketching: func(g *Hand) bool { return g.polygon.open() },
		Press: func(g *Hand) gesture {
			if g.press.mods.Has(shell.Ctrl) {
				return nil
			}
			if g.encloser() != nil { // a polygon goes on, whatever lies under its next corner
				return shapes[g.Shape].press(g)
			}
			if taken := g.takeGate(); taken != nil {
				return taken
			}
			if taken := g.takePoints(); taken != nil {
				return taken
			}
			if press := shapes[g.Shape].press; press != nil {
				return press(g)
			}
			return newStroke(g.Shape, false)
		},
		Click: func(g *Hand) {
			switch {
			case g.press.mods.Has(shell.Ctrl):
				g.clickToAdd()
			case g.encloser() != nil:
				shapes[g.Shape].click(g)
			case g.press.mods == 0 && g.clickGate():
			case g.press.mods == 0 && g.onGrip(g.press.at): // nothing is let go of by a click on what drags it
			case shapes[g.Shape].click != nil && shapes[g.Shape].click(g):
			case g.mode() == Replace && !g.Space.Held: // a click on nothing lets go
				g.Host.Enclosed(g.At, selection.Lasso(nil), Replace)
			}
		}})
}

// modes are what a stroke does to the selection, by Mode.
var modes = []widget.Option{
	Replace:   {Label: "Replace", Icon: assets.IconSquare},
	Add:       {Label: "Add", Icon: assets.IconPlus, Tip: "Add; Shift does while it is held"},
	Subtract:  {Label: "Subtract", Icon: assets.IconMinus, Tip: "Subtract; Alt does while it is held"},
	Intersect: {Label: "Intersect", Icon: assets.IconFunnel, Tip: "Keep what is selected and enclosed"},
}

// keepOptions are what becomes of the selection when the map moves, and in 3D which points a stroke means.
func (p Picking) keepOptions(o *widget.Options, word string, narrow bool) {
	s := p.Stage
	v := s.Scatter()
	keeps, why := int(p.Keeps()), gated{v}.unlive(s.hand.Shape)
	if why != "" && !p.Live() {
		keeps = int(ThesePoints)
	}
	if o.Choice("Keep", keepings(word, why), &keeps, narrow && (v.dims == 3 || o.Width() < 1300)) {
		p.KeepAs(Keeping(keeps))
	}
	if v.dims == 3 {
		deep := int(s.Scene.Gating.Deep)
		if o.Choice("Depth", deeps, &deep, narrow) {
			s.Scene.Gating.Deep = Deep(deep)
		}
	}
}

// countOption says how many points are selected, and their share of all and of those that the view shows.
func (p Picking) countOption(o *widget.Options, word string) {
	s := p.Stage
	set, n := s.Selected(), s.Scene.Map.Doc.Data.Points
	if set.Empty() {
		o.Count("0", "of "+grouped(n)+" "+word+"s selected")
		return
	}
	share := func(of int) string {
		return strconv.FormatFloat(100*float64(set.Count())/float64(max(1, of)), 'f', 1, 64) + " %"
	}
	rest := word + "s · " + share(n)
	if name, of := s.Scene.above(set); of > 0 {
		rest += " · " + share(of) + " of " + s.Scene.UI.Fit(widget.Body, name, s.Scene.UI.Pt(110))
	}
	o.Count(grouped(set.Count()), rest)
}

// selectOptions draws the options of the Select tool over the views.
func selectOptions(s *Stage, r widget.Rect, word string) {
	s.Scene.UI.OptionsBar("options", r, func(o *widget.Options) {
		shape, mode := int(s.hand.Shape), int(s.hand.Mode)
		var which []widget.Option
		for _, x := range shapes {
			which = append(which, x.Option)
		}
		narrow := o.Width() < 1700
		if o.Choice("Shape", which, &shape, narrow) {
			s.hand.Shape = Shape(shape)
		}
		if s.hand.Shape == ByBrush {
			size := widget.Param{Min: 2, Max: 200, Default: usualBrush, Log: true, Integer: true}
			o.Slider("Size", &s.hand.Brush, size, "How far from its middle the brush paints, in points")
		}
		if o.Choice("Mode", modes, &mode, narrow) {
			s.hand.Mode = Mode(mode)
		}
		picking := Picking{s}
		picking.keepOptions(o, word, narrow)
		set := s.Selected()
		picking.countOption(o, word)
		if o.Button("Invert", widget.ButtonOpts{Tip: "Select what is not selected, and let go of what is",
			Disabled: set.Empty()}) {
			s.InvertSelection()
		}
		if o.Button("None", widget.ButtonOpts{Tip: "Select nothing", Disabled: set.Empty()}) {
			s.SelectNone()
		}
		if o.Button("Grow", widget.ButtonOpts{Disabled: set.Empty(), Tip: "Take the points near the selected ones in " +
			"the space of the map, too, further each time"}) {
			picking.Grow()
		}
		if s.hand.Host.Name != nil && o.Button("New population", widget.ButtonOpts{Kind: widget.Primary,
			Tip: "Name what is selected  (Ctrl+G)", Disabled: set.Empty()}) {
			s.hand.Host.Name()
		}
	})
}
