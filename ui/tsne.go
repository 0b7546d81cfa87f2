package ui

import (
	"blossom/assets"
	"blossom/model/embedding"
	"blossom/model/live"
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
		run: func(a *App) { a.running(func(e *live.Embedding) error { return e.Restart(nil, false) }) }})
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
