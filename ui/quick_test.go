package ui

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// stroke presses and lets go of a key that types a character, without a frame.
func stroke(h *shell.Headless, k imgui.Key, r rune) {
	h.Key(k, true)
	h.Rune(r)
	h.Key(k, false)
}

// However few frames there are, what is typed after a click into a field is for the field, all of it and in order; what
// is typed after a shortcut that opens one as well.
func TestQuickKeysAreForTheFieldThatWasClicked(t *testing.T) {
	a, d := begin(t, 1400, 1000, 1, Options{Paths: []string{"demo:cytometry:1200"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		open(a, "clusters")
		commandByID("cluster").Run(a)
	})
	clustered(t, a, d)
	rest(t, a, d)
	tool := a.desk.Stage.Hand().Tool.ID
	click := func(h *shell.Headless, r widget.Rect) {
		h.Move(r.Center().X, r.Center().Y)
		h.Button(shell.Left, true)
		h.Button(shell.Left, false)
	}
	type33 := func(h *shell.Headless) {
		h.Key(imgui.KeyLeftCtrl, true)
		h.Key(imgui.KeyA, true)
		h.Key(imgui.KeyA, false)
		h.Key(imgui.KeyLeftCtrl, false)
		stroke(h, imgui.Key3, '3')
		stroke(h, imgui.Key3, '3')
	}
	field := d.Rect("side bar/clusters/least/value")
	title := d.Rect("side bar/clusters/least")
	title.X1 = title.X0 + 40
	for pause := range 5 { // frames between the click and the keys
		d.Move(10, 10)
		d.Frames(2)
		uitest.Do(func() { click(d.Shell(), field) })
		d.Frames(pause)
		uitest.Do(func() {
			type33(d.Shell())
			click(d.Shell(), title) // elsewhere, which takes it over
		})
		d.Frames(20)
		if _, cut, _ := cutOf(a); cut.Least != 33 {
			t.Errorf("with %d frames after the click the least size is %d", pause, cut.Least)
		}
		if n := len(a.desk.Stage.Hand().Landmarks.Selected); n > 0 || a.desk.Stage.Hand().Tool.ID != tool {
			t.Fatalf("with %d frames after the click %d landmarks are selected, the tool is %s", pause, n,
				a.desk.Stage.Hand().Tool.ID)
		}
		d.Keys("Ctrl+Z")
		d.Frames(2)
		if _, cut, _ := cutOf(a); cut.Least == 33 {
			t.Fatal("it is no entry of the history")
		}
	}
	uitest.Do(func() {
		h := d.Shell()
		h.Key(imgui.KeyLeftCtrl, true)
		h.Key(imgui.KeyP, true)
		h.Key(imgui.KeyP, false)
		h.Key(imgui.KeyLeftCtrl, false)
		stroke(h, imgui.KeyS, 's')
		stroke(h, imgui.KeyN, 'n')
		stroke(h, imgui.KeyE, 'e')
	})
	d.Frames(12)
	if p := a.dialogs.Open("palette").(*dialog.Finder); p.Text != "sne" {
		t.Errorf("the palette has %q", p.Text)
	}
}
