package ui

import (
	"testing"

	"blossom/model/work/engine"
	"blossom/ui/uitest"
)

// plain is an engine that does not say on what it runs.
type plain struct{ engine.Engine }

func (plain) Device() string { return "this machine" }

// wholeWindow compares the whole window, without a message and the name of the machine's processor.
func wholeWindow(t *testing.T, a *App, d *uitest.Driver, golden string) {
	t.Helper()
	uitest.Do(func() { a.compute.engines.Use(plain{a.compute.engines.Engine()}) })
	calm(a, d)
	rest(t, a, d)
	d.Window(golden)
}

// looks compares a component of an open window with its pictures: light at 100 %, and dark at 200 %.
func looks(a *App, d *uitest.Driver, golden, name string) {
	inBothLooks(a, d, func(suffix string) { d.Picture(golden+suffix, name) })
}

// inBothLooks calls f where the window is light at 100 %, and where it is dark at 200 %.
func inBothLooks(a *App, d *uitest.Driver, f func(suffix string)) {
	size := a.ctx.Size()
	w, h := int(size.X), int(size.Y)
	d.Move(1, 1) // where nothing answers to the mouse
	d.Frames(4)
	f("-light")
	uitest.Do(a.toggleTheme)
	d.SetScale(2)
	d.Resize(2*w, 2*h)
	d.Frames(4)
	f("-dark-200")
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
