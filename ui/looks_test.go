package ui

import (
	"slices"
	"testing"

	"blossom/model/work/engine"
	"blossom/ui/panel"
	"blossom/ui/uitest"
)

// plain is an engine that does not say on what it runs.
type plain struct{ engine.Engine }

func (plain) Device() string { return "this machine" }

// wholeWindow compares the whole window, without a message and the name of the machine's processor.
func wholeWindow(t *testing.T, a *App, d *uitest.Driver, golden string) {
	t.Helper()
	uitest.Do(func() { a.engines.Use(plain{a.engines.Engine()}) })
	calm(a, d)
	rest(t, a, d)
	d.Window(golden)
}

// looks compares a component of an open window with its pictures: light at 100 %, and dark at 200 %.
func looks(a *App, d *uitest.Driver, golden, name string) {
	size := a.ctx.Size()
	w, h := int(size.X), int(size.Y)
	d.Move(1, 1) // where nothing answers to the mouse
	d.Frames(4)
	d.Picture(golden+"-light", name)
	uitest.Do(a.toggleTheme)
	d.SetScale(2)
	d.Resize(2*w, 2*h)
	d.Frames(4)
	d.Picture(golden+"-dark-200", name)
	uitest.Do(a.toggleTheme)
	d.SetScale(1)
	d.Resize(w, h)
	d.Frames(4)
}

// dialogInSight says whether a button of a dialog is within it, and the dialog within the window, in one of 500 x 400.
func dialogInSight(t *testing.T, d *uitest.Driver, dialog, button string) {
	t.Helper()
	d.Resize(500, 400)
	d.Frames(6)
	in, r := d.Rect(dialog), d.Rect(button)
	if r.X0 < in.X0 || r.X1 > in.X1 || r.Y1 > in.Y1 || in.X0 < 0 || in.X1 > 500 || in.Y0 < 0 || in.Y1 > 400 {
		t.Errorf("%s at %v, its button at %v of a window of 500 x 400", dialog, in, r)
	}
}

// The panels that say the same on every machine, at the start of a map of cells.
func TestPanelsLook(t *testing.T) {
	a, d := begin(t, 900, 1250, 1, Options{Paths: []string{"demo:cytometry:2000"}})
	opened(t, a, d)
	deeds(a, 4, 2, 1)
	rest(t, a, d)
	for _, k := range panel.Kinds() {
		if !slices.Contains([]string{"data", "colour", "transform", "layout", "projection", "history",
			"export"}, k.ID) {
			continue
		}
		uitest.Do(func() { open(a, k.ID) })
		looks(a, d, "panel-"+k.ID, k.ID+"/panel")
	}
}
