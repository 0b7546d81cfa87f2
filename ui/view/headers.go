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
		headers{s}.draw(v, v == active, i)
	}
	for _, bar := range s.arranged.Bars {
		name, grab := fmt.Sprintf("bar%d", bar.Index), widget.Rect(bar.Grab)
		if options := s.Scene.options; !bar.Rows && grab.Overlaps(options) { // it goes on above them, at the headers
			above := grab
			above.Y1, grab.Y0 = options.Y0, options.Y1
			headers{s}.part(bar, name+" above", above)
		}
		headers{s}.part(bar, name, grab)
	}
}

// headers are the headers of the views of a stage.
type headers struct{ s *Stage }

// part draws what parts two views, and shares the room as it is dragged.
func (h headers) part(bar Bar, name string, grab widget.Rect) {
	s := h.s
	hit := s.Scene.UI.Splitter(name, grab, !bar.Rows,
		"Drag to share the room otherwise; double-click to share it evenly")
	switch {
	case hit.Double:
		s.lay(s.split.Even(bar.Index), nil)
	case hit.Active || hit.Moved:
		s.lay(s.split.Drag(bar.Index, hit.Pos, s.area, SizesAt(s.Scene.Scale)), nil)
	}
}

func (h headers) draw(v *View, active bool, at int) {
	s := h.s
	now := v.State()
	ids := s.split.Views()
	for i, id := range ids {
		if id == v.ID {
			at = i + 1
		}
	}
	o := v.content.Head(widget.HeaderOpts{Active: active && s.Count() > 1, Linked: now.Linked, Maximised: s.Maximised(),
		Full: s.Count() >= Most, Count: s.Count(), At: at, Switch: s.arranged.Small})
	name := "view" + v.ID.Key()
	hit := s.Scene.UI.ViewHeader(name, v.Header, o, func(hit widget.HeaderHit) { h.headerMenus(v, hit) })
	if hit.Pressed {
		s.Activate(v)
	}
	switch hit.Part {
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
	h.swap(v, hit)
}

// Link links a view with the active one, or with those that are linked already; or lets it go.
func (s *Stage) Link(v *View) {
	if v.State().Linked {
		look := v.Look() // which it keeps
		s.Scene.Map.Doc.Always(func(now *state.State) {
			parts.Looks.Put(now, parts.Looks.Of(*now).With(v.ID.Key(), look))
		})
		v.Edit(func(p *parts.View) { p.Linked = false })
		if others := s.linked(); len(others) == 1 { // alone it follows nobody
			others[0].Edit(func(p *parts.View) { p.Linked = false })
		}
		return
	}
	with := s.Active() // the view that it follows: one that is linked already, or the active one
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
	s.Scene.Map.Doc.Always(func(now *state.State) { // whichever of them stands first
		t := parts.Looks.Of(*now)
		parts.Looks.Put(now, t.With(v.ID.Key(), look).With(with.ID.Key(), look))
	})
}

// Linked returns the other views of its kind that zoom and pan together with a view.
func (v *View) Linked() (out []*View) {
	if !v.State().Linked {
		return nil
	}
	for _, o := range v.scene.linked() {
		if o != v && o.kind == v.kind {
			out = append(out, o)
		}
	}
	return out
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
func (h headers) swap(v *View, hit widget.HeaderHit) {
	s := h.s
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

func (h headers) headerMenus(v *View, hit widget.HeaderHit) {
	s := h.s
	menu := "embedding" + v.ID.Key()
	if hit.Part == widget.HeaderEmbedding {
		s.Scene.UI.OpenMenuUnder(menu, hit.Under)
	}
	s.Scene.UI.ContextMenu(menu, func() { h.showMenu(v) })
	v.content.Hit(hit)
}

// showMenu lists what a view can show.
func (h headers) showMenu(v *View) {
	s := h.s
	now := v.State().Recipe
	if v.Scatter() == nil {
		now = embedding.Recipe{}
	}
	for _, k := range embedding.Kinds() {
		switch {
		case k.Columns:
			if s.Scene.UI.MenuItem("Columns…", widget.MenuOpts{Checked: now.Kind == k.ID, Tip: k.Help}) {
				s.AskColumns(v)
			}
		case k.Way == embedding.ByRange: // its dimensions are those of the landmarks
			if s.Scene.UI.MenuItem(k.Title, widget.MenuOpts{Checked: now.Kind == k.ID, Tip: k.Help}) {
				s.Choose(v, embedding.Recipe{Kind: k.ID, Dims: 2})
			}
		default:
			for _, dims := range []int{2, 3} {
				r := embedding.Recipe{Kind: k.ID, Dims: dims}
				if s.Scene.UI.MenuItem(fmt.Sprintf("%s %dD", k.Title, dims), widget.MenuOpts{Checked: now.Equal(r),
					Tip: k.Help}) {
					s.Choose(v, r)
				}
			}
		}
	}
	recipes, titles := embedding.Brought(v.Data())
	for i, r := range recipes {
		if s.Scene.UI.MenuItem("Points at "+titles[i], widget.MenuOpts{Checked: now.Equal(r),
			Tip: "Show points where the file has them"}) {
			s.Choose(v, r)
		}
	}
	for i, k := range viewKinds {
		if i == 0 {
			s.Scene.UI.MenuSeparator()
		}
		if s.Scene.UI.MenuItem(k.Title, widget.MenuOpts{Checked: v.kind == k.ID, Tip: k.Help}) {
			s.ShowKind(v, k.ID)
		}
	}
	p := v.Scatter()
	if p == nil || p.field == nil {
		return
	}
	s.Scene.UI.MenuSeparator()
	if s.Scene.UI.MenuItem("Axes", widget.MenuOpts{Checked: v.State().Axes, Tip: "Show what the coordinates are",
		Disabled: !p.Eye.Solid() && len(p.field.Axes()) == 0}) {
		v.Edit(func(p *parts.View) { p.Axes = !p.Axes })
	}
}
