package view

import (
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/widget"
)

var _ Content = (*Scatter)(nil)

// Place tells where the picture and what stands around it is drawn.
func (v *Scatter) Place(b Box, ratio float64, still bool) {
	f, scale := &v.Eye.framing, v.View.scene.Scale
	switch {
	case f.scale != 0 && f.scale != scale:
		v.Eye.SetBoxFramed(v.Frame(b), ratio)
		if !v.Eye.Moved {
			f.fits = refitted
		}
	case still:
		v.Eye.SetBoxStill(v.Frame(b), ratio)
	default:
		v.Eye.SetBox(v.Frame(b), ratio)
	}
	f.scale = scale
}

// Stir says what is under way.
func (v *Scatter) Stir() Stir {
	p := v.Points()
	return Stir{Moving: p != nil && !p.Ready() || v.field != nil && v.field.Busy(),
		Unfinished: v.picture.unfinished || v.contours.due || v.allRows.reading(), Flying: v.Eye.Flying()}
}

// Label names the embedding.
func (v *Scatter) Label() (title, note string) {
	m := v.View.scene.Map
	return embedding.Label(embedding.Inputs{Data: m.Doc.Data, Table: m.Table()}, v.View.State().Recipe)
}

// Head names the embedding and the column that it is coloured by.
func (v *Scatter) Head(o widget.HeaderOpts) widget.HeaderOpts {
	now := v.View.State()
	o.Name, o.Note = v.Label()
	switch {
	case v.IsMap():
		o.Note = v.landmarkCount(o.Note)
	case v.field != nil && v.field.Runs() && v.field.Err() == nil:
		o.Note = v.ran.note(v)
	}
	o.By = "one colour"
	if v.Style().Tally.Cells() {
		o.By = "how many points"
	}
	if look := v.View.Look(); look.Column != "" {
		if o.By = v.View.columnTitle(look.Column); v.Colours.Second() != nil {
			o.By += " and " + v.View.columnTitle(look.And)
		}
	}
	o.Of = v.View.ofWhat()
	o.Solid, o.Axes, o.Turning = v.Eye.Solid(), now.Axes, now.Turntable
	o.Quality, o.QualityPale, o.QualityOpen = v.quality.text(v)
	return o
}

// Hit does what was done to the header, and lists the columns to colour by.
func (v *Scatter) Hit(h widget.HeaderHit) {
	s, list := v.View.scene, "colour"+v.View.ID.Key()
	switch h.Part {
	case widget.HeaderQuality:
		v.quality.open = !v.quality.open
	case widget.HeaderAxes:
		v.View.Edit(func(p *parts.View) { p.Axes = !p.Axes })
	case widget.HeaderTurn:
		v.View.Edit(func(p *parts.View) { p.Turntable = !p.Turntable })
	case widget.HeaderOf:
		s.UI.OpenList("of"+v.View.ID.Key(), h.Under)
		s.populations.open(v)
	case widget.HeaderColour: // a table may have tens of thousands of columns: listed when it opens
		s.UI.OpenList(list, h.Under)
		s.colours.of = v.View.ID
		s.colours.items, s.colours.names = s.columnItems()
	}
	s.populations.draw(v)
	if s.colours.of != v.View.ID {
		return
	}
	chosen := 0
	for i, name := range s.colours.names {
		if name == v.View.Look().Column {
			chosen = i
		}
	}
	if s.UI.List(list, s.colours.items, &chosen) {
		v.View.ColourBy(s.colours.names[chosen])
	}
}

// columnMenu is the list of columns to colour by that is open.
type columnMenu struct {
	of    ID // the view whose list it is
	items []widget.ComboItem
	names []string
}

// ColourBy colours the view by a column, "" for none. A view that follows another stops doing so.
func (v *View) ColourBy(name string) {
	title := "nothing"
	if name != "" {
		title = v.columnTitle(name)
	}
	v.scene.Map.Doc.Do("Colour by "+title, func(now *state.State) {
		parts.EditLook(now, parts.Views.Of(*now).LookOf(v.ID.Key()), func(l *parts.Look) { l.Column = name })
	})
}

// columnTitle is the shortest name people use for a column.
func (v *View) columnTitle(name string) string {
	data := v.scene.Map.Doc.Data
	for i := range data.Columns {
		if data.Columns[i].Name == name {
			return data.Columns[i].Short()
		}
	}
	samples := v.scene.Map.Populations().Samples()
	for _, of := range samples.Sheet().Columns() {
		if samples.Column(of) == name {
			return of
		}
	}
	return name
}

// columnItems lists the columns to colour by, with their names; "" is one colour.
func (s *Scene) columnItems() (items []widget.ComboItem, names []string) {
	items, names = []widget.ComboItem{{Name: "One colour"}}, []string{""}
	for _, c := range s.Map.Columns() {
		note := ""
		if c.Derived {
			note = "derived"
		}
		items = append(items, widget.ComboItem{Name: c.Title, Secondary: c.Secondary, Note: note})
		names = append(names, c.Name)
	}
	return items, names
}
