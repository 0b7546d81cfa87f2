package ui

import (
	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/assets"
	"blossom/gpu"
	"blossom/ui/live"
	"blossom/ui/widget"
)

// What computes the map: the status bar says it, a dialog and the command palette change it while the map
// runs.

// engineChoice is the dialog of all engines. They are asked once, when it opens: looking for a card takes
// some milliseconds.
type engineChoice struct {
	open bool
	list []live.Choice
}

func (a *App) chooseEngine() { a.choice = engineChoice{open: true, list: a.engines.Choices()} }

// engineWord is what people call an engine.
func engineWord(name string) string {
	switch name {
	case "cpu":
		return "CPU"
	case "gl":
		return "OpenGL"
	case "cuda":
		return "CUDA"
	case "reference":
		return "Reference"
	}
	return name
}

// engineText is the engine in use and the path that its positions take, or what it runs on.
func engineText(name, device, path string) string {
	if path == "" {
		path = device
	}
	return engineWord(name) + ", " + path
}

// engineItem is the engine's place in the status bar: a click on it opens the dialog.
func (a *App) engineItem() {
	u, t := a.ui, a.ui.Theme()
	e := a.m.Engine()
	if e == nil {
		return
	}
	path, plan := a.m.Path()
	at := imgui.CursorScreenPos()
	spans := []widget.Span{{Text: engineText(e.Name(), e.Device(), path), Face: widget.Status, Color: t.Muted}}
	if plan != "" {
		spans = append(spans, widget.Span{Text: " · " + plan, Face: widget.Status, Color: t.Warning})
	}
	w := u.Rich(spans...)
	box := widget.Rect{X0: at.X, Y0: at.Y, X1: at.X + u.Pt(w), Y1: at.Y + imgui.TextLineHeight()}
	if !a.modal() && imgui.IsMouseHoveringRect(box.Min(), box.Max()) {
		tip := "Computed by " + engineWord(e.Name()) + " on " + e.Device()
		if path != "" {
			tip += ", " + path
		}
		u.Tip(box, tip+". Click to change.")
		if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
			a.chooseEngine()
		}
	}
	imgui.SameLineV(0, u.Pt(16))
}

// engineDialog lists the engines: those that work can be chosen, the others say what is missing.
func (a *App) engineDialog() {
	c := &a.choice
	chosen := ""
	a.ui.Modal("Compute engine", &c.open, widget.ModalOpts{Width: 600}, func() {
		row := func(name, title, note, why string, current bool) {
			icon := " "
			if current {
				icon = assets.IconCheck
			}
			if a.ui.Row(title+"##engine "+name, widget.RowOpts{Icon: icon, Note: note, Selected: current, Disabled: why != ""}).Clicked && why == "" {
				chosen = name
			}
			if why != "" {
				indent := a.ui.Pt(32) // below the name, past the icon
				imgui.IndentV(indent)
				a.ui.Wrapped(widget.Small, a.ui.Theme().Muted, sentence(why))
				imgui.UnindentV(indent)
				a.ui.Space(4)
			}
		}
		row(live.Auto, "Automatic", "the fastest that works here", "", false)
		for _, e := range c.list {
			row(e.Name, engineWord(e.Name), e.Device, e.Why, e.Current)
		}
		a.ui.Space(4)
		a.ui.Note("The map goes on from where it is.")
	})
	if chosen != "" {
		c.open = false
		a.setEngine(chosen)
	}
}

// setEngine changes the engine while the map runs, and for the next start.
func (a *App) setEngine(name string) {
	var err error
	if a.m != nil {
		err = a.m.SetEngine(name)
	} else {
		err = a.engines.Choose(name)
	}
	if err != nil {
		a.fail(err)
		return
	}
	e := a.engines.Engine()
	if a.settings.Engine = name; name != live.Auto && e.Name() != name {
		a.settings.Engine = live.Auto // it did not work, which has been said
	}
	a.keepSettings()
	a.say("engine " + e.Name() + " (" + e.Device() + ")")
}

// engineItems are the engines in the command palette.
func (a *App) engineItems() []paletteItem {
	var out []paletteItem
	for _, r := range gpu.Registered() {
		out = append(out, paletteItem{"Compute on " + engineWord(r.Name), "", "", assets.IconCpu, true, func() { a.setEngine(r.Name) }})
	}
	return out
}
