package ui

import (
	"strings"

	"blossom/assets"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/widget"
)

// computing is what computes the map: the engine in use and those to choose from, and the jobs beside the window. The
// status bar says it, a dialog and the command palette change it while the map runs.
type computing struct {
	jobs    *work.Jobs
	engines engine.Chooser

	w          documents.Window
	dialogs    *dialog.Stack
	asked      string  // the name of the engine that was asked for; "" or engine.Auto: the fastest that works
	remembered *string // the same for the next start
}

// open opens the engine that is asked for. One that is remembered may have gone with the driver; the window must open
// all the same.
func (c *computing) open(o engine.Options) (err error) {
	if c.engines, err = engine.Open(c.asked, o); err != nil {
		c.w.Log("%v", err)
		c.asked = engine.Auto
		c.engines, err = engine.Open(engine.Auto, o)
	}
	return err
}

// ask lets the user choose among the engines.
func (c *computing) ask() {
	d := dialog.Engines{List: c.engines.Choices(), Auto: c.asked == "" || c.asked == engine.Auto, Choose: c.choose}
	if e := c.engines.Engine(); e != nil {
		d.Now = engineWord(e.Name())
	}
	dialog.Engine.Show(c.dialogs, d)
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

// choose changes the engine while the map runs, and for the next start.
func (c *computing) choose(name string) {
	var err error
	if d := c.w.Desk(); d != nil {
		err = d.SetEngine(name)
	} else {
		err = c.engines.Choose(name)
	}
	if err != nil {
		c.w.Fail(err)
		return
	}
	e := c.engines.Engine()
	if name != engine.Auto && e.Name() != name {
		name = engine.Auto // it did not work, which has been said
	}
	*c.remembered, c.asked = name, name
	c.w.Remember()
	c.w.Say("engine " + e.Name() + " (" + e.Device() + ")")
}

// items are the engines in the command palette.
func (c *computing) items() (out []dialog.Item) {
	for _, r := range engine.Registered() {
		out = append(out, dialog.Item{Title: "Compute on " + r.Title, Icon: assets.IconCpu, Can: true,
			Run: func() { c.choose(r.Name) }, Also: "engine device"})
	}
	return out
}
