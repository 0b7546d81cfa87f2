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
	size := a.ctx.Size()
	w, h := int(size.X), int(size.Y)
	if a.settings.Theme == "dark" {
		uitest.Do(a.toggleTheme)
	}
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
