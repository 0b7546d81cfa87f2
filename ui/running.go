package ui

import (
	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/ui/command"
	"blossom/ui/desk"
)

func init() {
	view := "columns"
	desk.EachRun(func(r *desk.RunKind) {
		commands.Add(command.Of(r.Commands(), deskOf)...)
		if k := embedding.ByID(r.Run.ID); k != nil {
			addForming(k, r, view)
			view = k.ID + "-view"
		}
	})
}

// addForming adds what else can be done with an embedding that runs, below another command of the menu View.
func addForming(k *embedding.Kind, r *desk.RunKind, view string) {
	commands.Add(&entry{ID: k.ID + "-view", Menu: "View", Below: view, Title: k.Title + " beside",
		Help: "Show a " + k.Title + " of the points in a view beside the active one", Icon: assets.IconPanelRight,
		Enabled: hasMap, Run: func(a *App) {
			a.desk.ShowBeside(embedding.Recipe{Kind: k.ID, Dims: 2})
			a.rooms.side.Reveal(k.ID)
		}})
	commands.Add(&entry{ID: k.ID + "-landmarks", Menu: "Model", Below: r.Again.ID, Title: k.Title +
		" map as landmarks", Help: "Put landmarks where the " + k.Title +
		" in sight has their points: EmbedSOM then places all points in its picture",
		Icon:    assets.IconCircleDot,
		Enabled: func(a *App) bool { return a.desk != nil && len(r.InSight(a.desk)) > 0 },
		Run: func(a *App) {
			_, e := a.desk.RunningView(k.ID)
			if err := landmarksFrom(a, e); err != nil {
				a.fail(err)
			}
		}})
}

// chose opens the panel of what runs when the user has chosen the first such embedding of a document: it is steered
// there.
func (a *App) chose(r embedding.Recipe) {
	if k := embedding.ByID(r.Kind); k == nil || k.Way != embedding.Stepwise || a.desk.Steered {
		return
	}
	a.desk.Steered = true
	if a.rooms.regions.narrow { // panels would lie over it
		a.ui.Open[r.Kind] = true
		return
	}
	a.rooms.side.Reveal(r.Kind)
}

// landmarksFrom makes landmarks of the embedding in sight that runs.
func landmarksFrom(a *App, e *live.Embedding) error {
	e.Pause()
	m := a.desk.Map
	g := a.desk.Placed
	if g == 0 {
		g = parts.Landmarks.Of(a.desk.Doc.State()).Len()
	}
	hand := a.desk.Stage.Hand()
	return a.desk.LandmarksFrom(e, g, func() {
		if a.current() != m {
			return
		}
		hand.Cancel()
		hand.Landmarks.Selected, hand.Hover = nil, -1
		for _, v := range a.desk.Stage.Scatters() {
			if v.IsMap() {
				v.Eye.Moved = false
				v.FitLandmarks()
			}
		}
		a.say("landmarks lie where " + e.Kind().Title + " has their points")
	})
}
