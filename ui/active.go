package ui

import (
	"blossom/model/parts"
	"blossom/model/state"
	"blossom/ui/view"
)

// activeView is the ID of the view that the panels and commands speak of.
func (a *App) activeView() string { return parts.Views.Of(a.m.Doc.State()).Active }

// activeState is the active view as the document has it.
func (a *App) activeState() parts.View {
	l := parts.Views.Of(a.m.Doc.State())
	return l.Get(l.Active)
}

// show changes what the active view shows over its points, which is no entry of the history.
func (a *App) show(change func(*parts.View)) {
	id := a.activeView()
	a.m.Doc.Look(func(s *state.State) {
		parts.Views.Put(s, parts.Views.Of(*s).Edit(id, change))
	})
}

// active is the active view, or nil without a map.
func (a *App) active() *view.View {
	if a.stage == nil {
		return nil
	}
	return a.stage.Active()
}
