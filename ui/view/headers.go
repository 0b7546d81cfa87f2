package view

import (
	"fmt"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/widget"
)

// Headers draws the headers of the views in sight, and what parts them.
func (s *Stage) Headers() {
	active := s.Active()
	for i, v := range s.shown {
		s.header(v, v == active, i)
	}
	for _, bar := range s.arranged.Bars {
		hit := s.UI.Splitter(fmt.Sprintf("bar%d", bar.Index), widget.Rect(bar.Grab), !bar.Rows,
			"Drag to share the room otherwise; double-click to share it evenly")
		switch {
		case hit.Double:
			s.lay(s.split.Even(bar.Index), nil)
		case hit.Active || hit.Moved:
			s.lay(s.split.Drag(bar.Index, hit.Pos, s.area, SizesAt(s.Scale)), nil)
		}
	}
}

func (s *Stage) header(v *View, active bool, at int) {
	now := v.State()
	title, note := embedding.Label(embedding.Inputs{Data: s.Map.Doc.Data, Table: s.Map.Table()}, now.Recipe)
	switch {
	case v.IsMap():
		note = v.landmarkCount(note)
	case v.field != nil && v.field.Runs() && v.field.Err() == nil:
		note = v.runNote()
	}
	by := ""
	if look := v.Look(); look.Column != "" {
		by = v.columnTitle(look.Column)
	}
	if by == "" {
		by = "one colour"
	}
	ids := s.split.Views()
	for i, id := range ids {
		if id == v.ID {
			at = i + 1
		}
	}
	o := widget.HeaderOpts{Name: title, Note: note, By: by, Active: active && s.Count() > 1, Linked: now.Linked,
		Maximised: s.Maximised(), Solid: v.Solid(), Axes: now.Axes, Turning: now.Turntable, Full: s.Count() >= Most,
		Count: s.Count(), At: at, Switch: s.arranged.Small}
	o.Quality, o.QualityPale, o.QualityOpen = v.qualityChip()
	name := "view" + v.ID.Key()
	hit := s.UI.ViewHeader(name, v.Header, o, func(h widget.HeaderHit) { s.headerMenus(v, h) })
	if hit.Pressed {
		s.Activate(v)
	}
	switch hit.Part {
	case widget.HeaderQuality:
		v.quality.open = !v.quality.open
	case widget.HeaderAxes:
		v.Edit(func(p *parts.View) { p.Axes = !p.Axes })
	case widget.HeaderTurn:
		v.Edit(func(p *parts.View) { p.Turntable = !p.Turntable })
	case widget.HeaderLink:
		s.Link(v)
	case widget.HeaderSplit:
		s.Split(v)
	case widget.HeaderMaximise:
		s.Maximise(v)
	case widget.HeaderClose:
		s.Close(v)
	case widget.HeaderViews:
		s.Next()
	}
	if hit.Double && s.Count() > 1 {
		s.Maximise(v)
	}
	s.swap(v, hit)
}

// Link links a view with the active one, or with those that are linked already; or lets it go.
func (s *Stage) Link(v *View) {
	if v.State().Linked {
		look := v.Look() // which it keeps
		s.Map.Doc.Always(func(now *state.State) {
			parts.Looks.Put(now, parts.Looks.Of(*now).With(v.ID.Key(), look))
		})
		v.Edit(func(p *parts.View) { p.Linked = false })
		if others := s.linked(); len(others) == 1 { // alone it follows nobody
			others[0].Edit(func(p *parts.View) { p.Linked = false })
		}
		return
	}
	with := s.Active() // what it follows: those that are linked already, or the active view
	if others := s.linked(); len(others) > 0 {
		with = others[0]
	} else if with == v {
		for _, o := range s.shown {
			if o != v {
				with = o
				break
			}
		}
	}
	if with == v {
		return
	}
	look := with.Look()
	with.Edit(func(p *parts.View) { p.Linked = true })
	v.Edit(func(p *parts.View) { p.Linked = true })
	s.Map.Doc.Always(func(now *state.State) { // whichever of them stands first
		t := parts.Looks.Of(*now)
		parts.Looks.Put(now, t.With(v.ID.Key(), look).With(with.ID.Key(), look))
	})
}

// linked returns the views that are linked with each other.
func (s *Stage) linked() (out []*View) {
	for _, id := range s.split.Views() {
		if v := s.views[id]; v != nil && v.State().Linked {
			out = append(out, v)
		}
	}
	return out
}

// swap lets two views change places when the header of one is dragged on to the other.
func (s *Stage) swap(v *View, hit widget.HeaderHit) {
	if hit.Held {
		s.held = v.ID
		return
	}
	if s.held != v.ID {
		return
	}
	s.held = 0
	for _, p := range s.arranged.Places {
		if mouse := imgui.MousePos(); p.View != v.ID && widget.Rect(p.Box).Has(mouse) {
			s.lay(s.split.Swap(v.ID, p.View), nil)
		}
	}
}

func (s *Stage) headerMenus(v *View, h widget.HeaderHit) {
	menu, list := "embedding"+v.ID.Key(), "colour"+v.ID.Key()
	switch h.Part {
	case widget.HeaderEmbedding:
		s.UI.OpenMenuUnder(menu, h.Under)
	case widget.HeaderColour:
		s.UI.OpenList(list, h.Under)
	}
	s.UI.ContextMenu(menu, func() { s.embeddingMenu(v) })
	if h.Part == widget.HeaderColour { // a table may have tens of thousands of columns: listed when it opens
		s.colourOf = v.ID
		s.items, s.names = s.columnItems()
	}
	if s.colourOf != v.ID {
		return
	}
	chosen := 0
	for i, name := range s.names {
		if name == v.Look().Column {
			chosen = i
		}
	}
	if s.UI.List(list, s.items, &chosen) {
		s.ColourBy(v, s.names[chosen])
	}
}

// embeddingMenu lists what a view can show.
func (s *Stage) embeddingMenu(v *View) {
	now := v.State().Recipe
	for _, k := range embedding.Kinds() {
		switch {
		case k.Columns:
			if s.UI.MenuItem("Columns…", widget.MenuOpts{Checked: now.Kind == k.ID, Tip: k.Help}) {
				s.AskColumns(v)
			}
		case k.Way == embedding.ByRange: // its dimensions are those of the landmarks
			if s.UI.MenuItem(k.Title, widget.MenuOpts{Checked: now.Kind == k.ID, Tip: k.Help}) {
				s.Choose(v, embedding.Recipe{Kind: k.ID, Dims: 2})
			}
		default:
			for _, dims := range []int{2, 3} {
				r := embedding.Recipe{Kind: k.ID, Dims: dims}
				if s.UI.MenuItem(fmt.Sprintf("%s %dD", k.Title, dims), widget.MenuOpts{Checked: now.Equal(r),
					Tip: k.Help}) {
					s.Choose(v, r)
				}
			}
		}
	}
	s.UI.MenuSeparator()
	if s.UI.MenuItem("Axes", widget.MenuOpts{Checked: v.State().Axes, Tip: "Show what the coordinates are",
		Disabled: !v.Solid() && len(v.field.Axes()) == 0}) {
		v.Edit(func(p *parts.View) { p.Axes = !p.Axes })
	}
}

// ColourBy colours a view by a column, "" for none. A view that follows another stops doing so.
func (s *Stage) ColourBy(v *View, name string) {
	title := "nothing"
	if name != "" {
		title = v.columnTitle(name)
	}
	id := v.ID.Key()
	s.Map.Doc.Do("Colour by "+title, func(now *state.State) {
		t := parts.Looks.Of(*now)
		l := v.Look()
		l.Column = name
		id = parts.Views.Of(*now).LookOf(id)
		parts.Looks.Put(now, t.With(id, l))
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
	return name
}

// columnItems lists the columns to colour by, with their names; "" is one colour.
func (s *Stage) columnItems() (items []widget.ComboItem, names []string) {
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
