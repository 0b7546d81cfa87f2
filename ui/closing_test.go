package ui

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/desk"
	"blossom/ui/panel"
	"blossom/ui/uitest"
)

// A frame that panics deep in a panel saves the work, says so, and the window goes on.
func TestAPanicInAPanel(t *testing.T) {
	broken := &brokenPanel{}
	defer panel.Register(panel.Kind{ID: "broken", Title: "Broken", Closed: true,
		New: func(*desk.Desk) panel.Panel { return broken }})()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}})
	opened(t, a, d)
	uitest.Do(func() { open(a, "broken") })
	d.Frames(3)
	if broken.panics != 1 || a.troubled() == nil || !exists(a.docs.Autosave.Path()) {
		t.Fatalf("panicked %d times, said %v, saved %v", broken.panics, a.troubled(), exists(a.docs.Autosave.Path()))
	}
	d.Keys("Esc")
	d.ClickOn("view1/split")
	rest(t, a, d)
	if a.troubled() != nil || a.desk.Stage.Count() != 2 {
		t.Fatalf("%v, %d views", a.troubled(), a.desk.Stage.Count())
	}
}

// brokenPanel panics when it is drawn first.
type brokenPanel struct{ panics int }

func (b *brokenPanel) Note() string { return "" }

func (b *brokenPanel) Draw() {
	if b.panics == 0 {
		b.panics++
		imgui.Indent()
		panic("a test")
	}
}
