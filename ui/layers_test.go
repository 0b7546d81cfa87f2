package ui

import (
	"testing"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// Esc closes one thing at a time, from the innermost on: what is left is still there.
func TestEscClosesOneLayer(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:300"}, Still: true})
	opened(t, a, d)
	hand := a.desk.Stage.Hand()
	selected := func(what string, want int) {
		t.Helper()
		uitest.Do(func() {
			if n := len(hand.Landmarks.Selected); n != want {
				t.Fatalf("after Esc in %s %d landmarks are selected, want %d", what, n, want)
			}
		})
	}
	open := func() (is bool) {
		uitest.Do(func() { is = a.modal() })
		return is
	}
	d.Keys("Ctrl+A")
	all := parts.Landmarks.Of(a.desk.Doc.State()).Len()
	layers := map[string]func(){
		"a menu":             func() { d.ClickOn("menu bar/Edit") },
		"a list":             func() { d.ClickOn("view1/embedding") },
		"a context menu":     func() { d.ClickWith(shell.Right, 100, 100) },
		"the commands":       func() { d.Keys("Ctrl+P") },
		"the keys":           func() { uitest.Do(func() { commandByID("shortcuts").Run(a) }) },
		"the manual":         func() { d.Keys("F1") },
		"the name":           func() { d.Keys("F2") },
		"what is about":      func() { uitest.Do(a.showAbout) },
		"a problem":          func() { uitest.Do(func() { a.fail(errNothing) }) },
		"columns as axes":    func() { uitest.Do(func() { dialog.Axes.Show(a.dialogs, a.active().View) }) },
		"a menu of keyboard": func() { d.Keys("Tab"); d.Keys("Shift+Tab"); d.ClickOn("menu bar/View") },
	}
	for what, show := range layers {
		show()
		d.Frames(3)
		if !open() {
			t.Fatalf("%s is not open", what)
		}
		d.Keys("Esc")
		d.Frames(2)
		if open() {
			t.Fatalf("Esc does not close %s", what)
		}
		selected(what, all)
	}

	// A list in a dialog: first the list, then the dialog, then the selection.
	uitest.Do(func() { dialog.Axes.Show(a.dialogs, a.active().View) })
	d.Frames(3)
	d.ClickOn("columns-as-axes/Up")
	d.Frames(3)
	d.Keys("Esc")
	d.Frames(2)
	if !a.dialogs.Any() {
		t.Fatal("Esc in a list closed the dialog as well")
	}
	d.Keys("Esc")
	d.Frames(2)
	if a.dialogs.Any() {
		t.Fatal("a second Esc does not close the dialog")
	}
	selected("a list of a dialog", all)

	// A slider in the hand, then a landmark.
	uitest.Do(func() { a.rooms.side.Reveal("projection") })
	d.Frames(4)
	r := d.Rect("side bar/projection/Boost")
	d.Move((r.X0+r.X1)/2, r.Center().Y)
	d.Press(shell.Left)
	d.Move((r.X0+r.X1)/2+20, r.Center().Y)
	d.Keys("Esc")
	d.Release(shell.Left)
	selected("a drag of a slider", all)
	if n := a.desk.Doc.History().Done(); n != 0 {
		t.Fatalf("the drag that was taken back is %d entries of the history", n)
	}
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, all/2)
	d.Move(x, y)
	d.Press(shell.Left)
	d.Move(x+50, y+20)
	d.Keys("Esc")
	d.Release(shell.Left)
	selected("a drag", all)
	d.Keys("Esc")
	selected("nothing", 0)
}

// F2 names all selected landmarks at once, as one entry, and what is typed then is the name and nothing else.
func TestSeveralLandmarksAreNamedAtOnce(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:300"}, Still: true})
	opened(t, a, d)
	before := a.desk.Doc.State()
	look := parts.Views.Rev(before)
	d.Keys("F2") // nothing is selected
	for _, k := range []string{"L", "M", "X", "P", "N", "G", "3", "Space"} {
		d.Keys(k)
	}
	d.Frames(2)
	if a.troubled() == nil || parts.Views.Rev(a.desk.Doc.State()) != look || a.tools.now.ID != "navigate" ||
		a.desk.Busy() {
		t.Fatal("F2 without a selection says nothing, or lets the letters through")
	}
	d.Keys("Esc")
	d.Frames(2)
	uitest.Do(func() { a.desk.Stage.Hand().Landmarks.Selected = []int{3, 4, 7} })
	d.Keys("F2")
	for _, k := range []string{"N", "K"} {
		d.Keys(k)
	}
	d.Type("NK cells")
	if !d.Has("name/Name them") {
		t.Error("the button says it of three landmarks")
	}
	d.Keys("Enter")
	d.Frames(2)
	l := parts.Landmarks.Of(a.desk.Doc.State())
	for _, i := range []int{3, 4, 7} {
		if l.Names == nil || l.Names[i] != "NK cells" {
			t.Fatalf("names are %q", l.Names)
		}
	}
	if l.Names[5] != "" || a.desk.Doc.History().Done() != 1 || a.desk.Doc.History().CanUndo() != "Name landmarks" {
		t.Fatalf("%d entries, the last %q", a.desk.Doc.History().Done(), a.desk.Doc.History().CanUndo())
	}
	d.Keys("F2") // it begins with the name that they have
	d.Frames(2)
	if a.dialogs.Open("name").(*dialog.Naming).Text != "NK cells" {
		t.Fatalf("the dialog begins with %q", a.dialogs.Open("name").(*dialog.Naming).Text)
	}
	d.Keys("Esc")
	d.Frames(2)
	uitest.Do(func() { a.desk.Stage.Hand().Landmarks.Selected = []int{3, 9} })
	d.Keys("F2")
	d.Frames(2)
	if a.dialogs.Open("name").(*dialog.Naming).Text != "" {
		t.Fatal("landmarks of different names begin with one of them")
	}
	d.Keys("Esc")
	d.Keys("Ctrl+Z")
	if parts.Landmarks.Of(a.desk.Doc.State()) != parts.Landmarks.Of(before) {
		t.Fatal("undo does not take all names back")
	}
}

var errNothing = problem.New("", "go on", "nothing is wrong")

// Esc lets a row of the tree of populations lie where it was, and what is selected stays.
func TestEscEndsTheDragOfARowAlone(t *testing.T) {
	a, d := begin(t, 1280, 900, 1, Options{Paths: []string{"demo:tesseract:300"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		var tree population.Tree
		for _, name := range []string{"a", "b"} {
			tree, _, _ = tree.Add(population.Population{Name: name, Rule: population.Of(selection.All(300))})
		}
		a.desk.Doc.Do("Populations", func(s *state.State) { parts.Populations.Put(s, tree) })
		a.desk.Window.Reveal("populations")
		a.desk.Stage.Scene.SetSelection("Select", selection.All(300))
	})
	rest(t, a, d)
	d.Frames(4)
	from, to := d.Rect("side bar/populations/population2").Center(), d.Rect("side bar/populations/population1").Center()
	d.Move(from.X, from.Y)
	d.Press(shell.Left)
	for i := range 4 {
		d.Move(from.X, from.Y+(to.Y-from.Y)*float32(i+1)/4)
		d.Frames(1)
	}
	d.Keys("Esc")
	d.Frames(2)
	d.Release(shell.Left)
	d.Frames(3)
	uitest.Do(func() {
		if n := a.desk.Stage.Selected().Count(); n != 300 {
			t.Errorf("%d points are selected", n)
		}
		if p := parts.Populations.Of(a.desk.Doc.State()).All()[1]; p.Name != "b" || p.Parent != 0 {
			t.Errorf("the second is %+v", p)
		}
	})
}
