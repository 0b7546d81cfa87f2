package ui

import (
	"slices"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/work/embedding"
	"blossom/ui/panel"
	"blossom/ui/widget"
)

func init() {
	registerCommand(command{id: "tsne-view", menu: "View", below: "columns", title: "t-SNE beside",
		help: "Show a t-SNE of the points in a view beside the active one", icon: assets.IconPanelRight,
		enabled: hasMap, run: func(a *App) { a.desk.ShowBeside(embedding.TSNE(2)); a.showPanel("tsne") }})
	registerCommand(command{id: "tsne", menu: "Model", below: "layout-again", title: "Run or pause t-SNE",
		help: "Let the t-SNE in sight form from where it is, or pause it", keys: []string{"Y"}, icon: assets.IconPlay,
		rule: true, enabled: hasRunning, run: (*App).toggleRunning})
	registerCommand(command{id: "tsne-step", menu: "Model", below: "tsne", title: "One unit of t-SNE",
		help: "Move the points of the t-SNE in sight by one unit", keys: []string{"Shift+Y"}, repeat: true,
		enabled: hasRunning, run: func(a *App) { a.running((*live.Embedding).StepOnce) }})
	registerCommand(command{id: "tsne-again", menu: "Model", below: "tsne-step", title: "Start t-SNE over",
		help: "Let the t-SNE in sight form anew from its beginning", enabled: hasRunning,
		run: func(a *App) { a.running(a.startOver) }})
	registerCommand(command{id: "tsne-landmarks", menu: "Model", below: "tsne-again", title: "t-SNE map as landmarks",
		help: "Put landmarks where the t-SNE in sight has their points: EmbedSOM then places all points in its picture",
		icon: assets.IconCircleDot, enabled: hasRunning, run: (*App).landmarksFrom})
	registerCommand(command{id: "pin-points", menu: "Edit", below: "pin", title: "Pin or unpin selected points",
		help: "Selected points stay where they are in the t-SNE of the active view", keys: []string{"Shift+P"},
		icon: assets.IconPin, enabled: func(a *App) bool {
			return a.desk != nil && a.active().Field() != nil && a.active().Field().Runs() &&
				!a.desk.Stage.Selected().Empty()
		}, run: (*App).pinPoints})
}

// chose opens the panel of what runs when the user has chosen the first such embedding of a document: it is steered
// there.
func (a *App) chose(r embedding.Recipe) {
	if k := embedding.ByID(r.Kind); k == nil || k.Way != embedding.Stepwise || a.desk.Steered {
		return
	}
	a.desk.Steered = true
	if a.narrow() { // panels would lie over it
		a.ui.Open["tsne"] = true
		return
	}
	a.showPanel("tsne")
}

func hasRunning(a *App) bool {
	if a.desk == nil {
		return false
	}
	_, e := a.desk.RunningView()
	return e != nil
}

func (a *App) toggleRunning() {
	if _, e := a.desk.RunningView(); e.Run().Active {
		e.Pause()
		a.say(e.Kind().Title + " paused")
		return
	}
	a.running((*live.Embedding).Start)
}

// running does something with the embedding in sight that runs.
func (a *App) running(do func(*live.Embedding) error) {
	_, e := a.desk.RunningView()
	if err := do(e); err != nil {
		a.fail(err)
	}
}

// startOver lets it form anew from where it is chosen to begin.
func (a *App) startOver(e *live.Embedding) error {
	c := parts.Runs.Of(a.desk.Doc.State()).Get(e.Recipe())
	if c.From == nil {
		return e.Restart(nil, false)
	}
	return e.Restart(a.desk.Map.Embedding(*c.From), c.Keep)
}

// landmarksFrom makes landmarks of the embedding in sight that runs.
func (a *App) landmarksFrom() {
	_, e := a.desk.RunningView()
	e.Pause()
	m := a.desk.Map
	g := a.desk.Placed
	if g == 0 {
		g = parts.Landmarks.Of(a.desk.Doc.State()).Len()
	}
	hand := a.desk.Stage.Hand()
	if err := a.desk.LandmarksFrom(e, g, func() {
		if a.current() != m {
			return
		}
		hand.Cancel()
		hand.Selected, hand.Hover = nil, -1
		for _, v := range a.desk.Stage.Scatters() {
			if v.IsMap() {
				v.Moved = false
				v.FitLandmarks()
			}
		}
		a.say("landmarks lie where t-SNE has their points")
	}); err != nil {
		a.fail(err)
	}
}

// pinPoints pins the selected points in the active view, or lets them go where all of them are pinned.
func (a *App) pinPoints() {
	e := a.active().Field()
	points := a.desk.Stage.AllSelected()
	pinned := e.Pinned()
	on := slices.ContainsFunc(points, func(p int) bool {
		_, is := slices.BinarySearch(pinned, p)
		return !is
	})
	if err := e.Pin(points, on); err != nil {
		a.fail(err)
		return
	}
	if on {
		a.say(grouped(len(points)) + " points stay where they are")
	} else {
		a.say(grouped(len(points)) + " points are let go")
	}
}

// runItem says in the status bar how the embedding in sight runs, with a cross that pauses it.
func (a *App) runItem(item func(...widget.Span)) {
	_, e := a.desk.RunningView()
	if e == nil {
		return
	}
	r := e.Run()
	if !r.Active || r.Job != nil && !r.Forming { // a job is in the status bar by itself
		return
	}
	title, _ := e.Label()
	item(widget.Span{Text: title, Color: a.ui.Theme().Text})
	if r.Total > 0 {
		imgui.SameLineV(0, a.ui.Pt(8))
		a.ui.Progress(float32(r.Units)/float32(r.Total), 56)
		imgui.SameLineV(0, a.ui.Pt(8))
	}
	if r.Rate > 0 {
		item(widget.Span{Text: panel.UnitRate(r.Rate)})
	}
	a.cross("pause-run", "Pause "+title, e.Pause)
}
