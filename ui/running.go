package ui

import (
	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work/embedding"
)

func init() {
	below := struct{ view, model string }{"columns", "layout-again"}
	embedding.Each(func(k *embedding.Kind) {
		if k.Way != embedding.Stepwise {
			return
		}
		registerRunning(k, below.view, below.model)
		below.view, below.model = k.ID+"-view", k.ID+"-landmarks"
	})
}

// registerRunning adds the commands of a kind of embedding that runs, below others of the menus View and Model.
func registerRunning(k *embedding.Kind, view, model string) {
	id, title := k.ID, k.Title
	var key, shift []string
	if k.Run.Letter != "" {
		key, shift = []string{k.Run.Letter}, []string{"Shift+" + k.Run.Letter}
	}
	shown := func(a *App) bool {
		if a.desk == nil {
			return false
		}
		_, e := a.desk.RunningView(id)
		return e != nil
	}
	// with does something with the one in sight.
	with := func(do func(*App, *live.Embedding) error) func(*App) {
		return func(a *App) {
			_, e := a.desk.RunningView(id)
			if err := do(a, e); err != nil {
				a.fail(err)
			}
		}
	}
	commands.Add(&entry{ID: id + "-view", Menu: "View", Below: view, Title: title + " beside",
		Help: "Show a " + title + " of the points in a view beside the active one", Icon: assets.IconPanelRight,
		Enabled: hasMap, Run: func(a *App) {
			a.desk.ShowBeside(embedding.Recipe{Kind: id, Dims: 2})
			a.rooms.side.Reveal(id)
		}})
	commands.Add(&entry{ID: id, Menu: "Model", Below: model, Title: "Run or pause " + title,
		Help: "Let the " + title + " in sight form from where it is, or pause it", Keys: key, Icon: assets.IconPlay,
		Rule: true, Enabled: shown, Run: with(toggleRunning)})
	commands.Add(&entry{ID: id + "-step", Menu: "Model", Below: id, Title: "One unit of " + title,
		Help: "Move the points of the " + title + " in sight by one unit", Keys: shift, Repeat: true,
		Enabled: shown, Run: with(func(_ *App, e *live.Embedding) error { return e.StepOnce() })})
	commands.Add(&entry{ID: id + "-again", Menu: "Model", Below: id + "-step", Title: "Start " + title + " over",
		Help: "Let the " + title + " in sight form anew from its beginning", Enabled: shown, Run: with(startOver)})
	commands.Add(&entry{ID: id + "-landmarks", Menu: "Model", Below: id + "-again", Title: title +
		" map as landmarks", Help: "Put landmarks where the " + title +
		" in sight has their points: EmbedSOM then places all points in its picture",
		Icon: assets.IconCircleDot, Enabled: shown, Run: with(landmarksFrom)})
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

func toggleRunning(a *App, e *live.Embedding) error {
	if e.Run().Active {
		e.Pause()
		a.say(e.Kind().Title + " paused")
		return nil
	}
	return e.Start()
}

// startOver lets it form anew from where it is chosen to begin.
func startOver(a *App, e *live.Embedding) error {
	c := parts.Runs.Of(a.desk.Doc.State()).Get(e.Recipe())
	if c.From == nil {
		return e.Restart(nil, false)
	}
	return e.Restart(a.desk.Map.Embedding(*c.From), c.Keep)
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
