package ui

import (
	"strings"

	"blossom/assets"
	"blossom/model/work/engine"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// What computes the map: the status bar says it, a dialog and the command palette change it while the map
// runs.

// chooseEngine lets the user choose among the engines.
func (a *App) chooseEngine() {
	c := dialog.Engines{List: a.compute.engines.Choices(), Auto: a.options.Engine == "" ||
		a.options.Engine == engine.Auto,
		Choose: a.setEngine}
	if e := a.compute.engines.Engine(); e != nil {
		c.Now = engineWord(e.Name())
	}
	dialog.Engine.Show(a.dialogs, c)
}

// engineWord is what people call an engine.
func engineWord(name string) string {
	r, _ := engine.Named(name)
	return r.Title
}

// engineText is the engine in use and the path that its positions take, or what it runs on. There is no
// room for reasons: the tip has them.
func engineText(name, device, path string) string {
	what, _, _ := strings.Cut(path, ":")
	if what == "" {
		what = device
	}
	return engineWord(name) + ", " + what
}

// engineTip says all that is known of the engine in use.
func engineTip(name, device, path, plan string) string {
	tip := "Computed by " + engineWord(name) + " on " + device + "."
	for _, s := range []string{path, plan} {
		if s != "" {
			tip += "\n" + widget.Sentence(s)
		}
	}
	return tip + "\nClick to change."
}

// setEngine changes the engine while the map runs, and for the next start.
func (a *App) setEngine(name string) {
	var err error
	if a.desk != nil {
		err = a.desk.SetEngine(name)
	} else {
		err = a.compute.engines.Choose(name)
	}
	if err != nil {
		a.fail(err)
		return
	}
	e := a.compute.engines.Engine()
	if name != engine.Auto && e.Name() != name {
		name = engine.Auto // it did not work, which has been said
	}
	a.settings.Engine, a.options.Engine = name, name
	a.keepSettings()
	a.say("engine " + e.Name() + " (" + e.Device() + ")")
}

// engineItems are the engines in the command palette.
func (a *App) engineItems() []dialog.Item {
	var out []dialog.Item
	for _, r := range engine.Registered() {
		out = append(out, dialog.Item{Title: "Compute on " + r.Title, Icon: assets.IconCpu, Can: true,
			Run: func() { a.setEngine(r.Name) }, Also: "engine device"})
	}
	return out
}
