package ui

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/ui/uitest"
)

// F6 goes through all areas and into the panels, where arrows and Space are for the controls: a column is taken out of
// the map, and neither the view moves nor the training starts.
func TestTheKeyboardGoesIntoThePanels(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:cytometry:500"}, Still: true})
	opened(t, a, d)
	v := a.desk.Stage.Scatter()
	var seen any
	var trains bool
	look := func() {
		uitest.Do(func() { seen, trains = v.Eye.Saved(), a.desk.Training().Active() })
	}
	look()
	was, columns := seen, len(parts.Transform.Of(a.desk.Doc.State()).MapColumns())
	entries := a.desk.Doc.History().Done()
	in := func() (x bool) {
		uitest.Do(func() {
			w := imgui.CurrentContext().NavWindow()
			x = w != nil && w.ID() == imgui.InternalFindWindowByName("side bar").ID()
		})
		return x
	}
	for n := 0; !in(); n++ {
		if n == 20 {
			t.Fatal("F6 does not come to the panels")
		}
		d.Keys("F6")
		d.Frames(3)
	}
	d.Keys("Down")
	d.Keys("Down")
	if look(); seen != was {
		t.Errorf("arrows of a control move the view from %v to %v", was, seen)
	}
	d.Keys("Space")
	d.Frames(2)
	if n := len(parts.Transform.Of(a.desk.Doc.State()).MapColumns()); n != columns-1 {
		t.Errorf("%d of %d columns are left", n, columns)
	}
	if look(); trains || a.desk.Doc.History().Done() != entries+1 {
		t.Errorf("training %v after %d entries", trains, a.desk.Doc.History().Done()-entries)
	}
	d.Keys("Shift+F6")
	d.Frames(3)
	if in() {
		t.Error("Shift+F6 stays in the panels")
	}
	d.Keys("Alt+P") // the panel of the projection, whose first number is typed into then
	d.Frames(3)
	for n := 0; !typed(a); n++ {
		if n == 3 {
			t.Fatal("Tab does not come to a number of the panel that a key has shown")
		}
		d.Keys("Tab")
		d.Frames(2)
	}
	d.Keys("Esc")
	d.Keys("Esc")
	look()
	was = seen
	d.Keys("Down")
	d.Frames(3)
	if look(); seen == was {
		t.Error("after Esc the arrows do not move the view")
	}
}

// typed says whether a control has the focus that keys can type into.
func typed(a *App) (is bool) {
	uitest.Do(func() { is = a.ui.Takes(imgui.Key2, false, false) })
	return is
}
