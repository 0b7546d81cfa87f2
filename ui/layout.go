package ui

import (
	"blossom/assets"
	"blossom/model/live"
)

func init() {
	commands.Add(&entry{ID: "layout", Menu: "Model", Below: "again", Title: "Run or pause layout",
		Also: "arrange force-directed t-sne umap trimap mds pca",
		Help: "Let the chosen layout arrange the landmarks from where they are, or pause it", Keys: []string{"O"},
		Icon: assets.IconNetwork, Rule: true, Enabled: hasMap, Run: (*App).toggleLayout})
	commands.Add(&entry{ID: "layout-step", Menu: "Model", Below: "layout", Title: "One step of the layout",
		Help: "Move the landmarks by one step of the chosen layout", Keys: []string{","}, Repeat: true,
		Enabled: hasMap, Run: func(a *App) { a.lay((*live.Layout).Step) }})
	commands.Add(&entry{ID: "layout-again", Menu: "Model", Below: "layout-step", Title: "Start the layout over",
		Help: "Put the landmarks where they were before the layout, and run it again", Keys: []string{"Ctrl+Shift+O"},
		Enabled: hasMap, Run: func(a *App) { a.lay((*live.Layout).StartOver) }})
	commands.Add(&entry{ID: "straighten", Menu: "Edit", Below: "pin", Title: "Straighten along a stroke…",
		Help: "Draw a line that the selected landmarks follow, in the order of their spanning tree or of a column",
		Icon: assets.IconSpline, Enabled: func(a *App) bool {
			return a.desk != nil && len(a.desk.Stage.Hand().Landmarks.Selected) > 1
		}, Run: (*App).straighten})
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
	if err := how(a.desk.Layout(), a.desk.Stage.Hand().Landmarks.Selected); err != nil {
		a.fail(err)
	}
}
