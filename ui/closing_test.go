package ui

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/panel"
	"blossom/ui/uitest"
)

// A frame that panics deep in a panel saves the work, says so, and the window goes on.
func TestAPanicInAPanel(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}})
	opened(t, a, d)
	broken := &brokenPanel{Panel: a.rooms.panels[1].Panel}
	open(a, a.rooms.panels[1].ID)
	d.Frames(2)
	uitest.Do(func() { a.rooms.panels[1].Panel = broken })
	d.Frames(2)
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

type brokenPanel struct {
	panel.Panel
	panics int
}

func (b *brokenPanel) Draw() {
	if b.panics++; b.panics == 1 {
		imgui.Indent()
		panic("a test")
	}
	b.panics = 1
	b.Panel.Draw()
}
