package ui

import (
	"blossom/assets"
	"blossom/model/live"
)

func init() {
	registerCommand(command{id: "layout", menu: "Model", below: "again", title: "Run or pause layout",
		also: "arrange force-directed t-sne umap trimap mds pca",
		help: "Let the chosen layout arrange the landmarks from where they are, or pause it", keys: []string{"O"},
		icon: assets.IconNetwork, rule: true, enabled: hasMap, run: (*App).toggleLayout})
	registerCommand(command{id: "layout-step", menu: "Model", below: "layout", title: "One step of the layout",
		help: "Move the landmarks by one step of the chosen layout", keys: []string{","}, repeat: true,
		enabled: hasMap, run: func(a *App) { a.lay((*live.Layout).Step) }})
	registerCommand(command{id: "layout-again", menu: "Model", below: "layout-step", title: "Start the layout over",
		help: "Put the landmarks where they were before the layout, and run it again", keys: []string{"Ctrl+Shift+O"},
		enabled: hasMap, run: func(a *App) { a.lay((*live.Layout).StartOver) }})
	registerCommand(command{id: "straighten", menu: "Edit", below: "pin", title: "Straighten along a stroke…",
		help: "Draw a line that the selected landmarks follow, in the order of their spanning tree or of a column",
		icon: assets.IconSpline, enabled: func(a *App) bool {
			return a.desk != nil && len(a.desk.Stage.Hand().Selected) > 1
		}, run: (*App).straighten})
}

func (a *App) toggleLayout() {
	l := a.desk.Layout()
	switch {
	case l.Active():
		l.Pause()
		a.say("layout paused")
	case !l.Rested().IsZero() && a.ctx.Now().Sub(l.Rested()) < settledGrace &&
		a.desk.Doc.History().CanUndo() == l.Title(): // not where another has been chosen since
		a.say("the layout has just come to rest by itself; press again to run it on")
	default:
		a.lay((*live.Layout).Run)
	}
}

// lay starts a layout in one of its ways, of the landmarks that are selected if only those are to move.
func (a *App) lay(how func(*live.Layout, []int) error) {
	if err := how(a.desk.Layout(), a.desk.Stage.Hand().Selected); err != nil {
		a.fail(err)
	}
}
