package ui

import (
	"blossom/assets"
	"blossom/ui/desk/tour"
	"blossom/ui/dialog"
	"blossom/ui/panel"
	"blossom/ui/view"
)

func init() {
	on := func(a *App) bool { return a.tour.On() }
	commands.Add(
		&entry{ID: "tour", Menu: "Help", Below: "manual", Title: "Guided tour",
			Also: "help tutorial introduction start",
			Help: "Three minutes on demo data, each step done by your own hand; what is open now is there again " +
				"afterwards",
			Icon: assets.IconMap, Enabled: func(a *App) bool { return a.docs.Guest.Can() },
			Run: (*App).startTour},
		&entry{ID: "tour-skip", Title: "Tour: the next step",
			Help:    "Go on with the tour, whether the step is done or not",
			Enabled: on, Run: func(a *App) { a.tour.Skip() }},
		&entry{ID: "tour-back", Title: "Tour: the step before", Help: "Go back in the tour", Enabled: on,
			Run: func(a *App) { a.tour.Back() }},
		&entry{ID: "tour-end", Title: "Tour: end it", Help: "Back to what was open before; nothing of the tour is kept",
			Enabled: on, Run: func(a *App) { a.docs.Guest.Go() }})
}

// startTour begins the tour, on demo data that are a guest. Panels are as on the first start while it goes on, and as
// they were afterwards.
func (a *App) startTour() {
	if !a.docs.Guest.Can() {
		return
	}
	var former tools
	a.docs.Guest.Come("Preparing the tour", tour.Data, func() {
		former = a.tools
		a.settings.hold()
		clear(a.ui.Open)
		clear(a.settings.Docks)
		a.settings.Place = panel.Place{Sidebar: true, Width: a.settings.Width}
		a.setTool(view.Tools()[0])
		a.tour.Begin()
	}, func() {
		a.tour.Stop()
		a.settings.release()
		a.tools = former
	})
}

// readOn ends the tour and opens the tutorials.
func (a *App) readOn() {
	a.docs.Guest.Go()
	dialog.Manual.Show(a.dialogs, "tutorial-cytometry")
}
