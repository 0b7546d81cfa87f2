package ui

import (
	"math"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/ui/dialog"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// A pasted piece keeps the codebook of the landmarks that it is a copy of; a line that replaces the map widens the
// projection, so that points keep near it; undoing it all shows the map again.
func TestPiecesAndLinesKeepTheirPoints(t *testing.T) {
	a, d := begin(t, 1400, 900, 1, Options{Paths: []string{"demo:s-sheet:2000"}, Still: true})
	opened(t, a, d)
	ids := []int{3, 7, 19, 40}
	chooseIDs(a, ids...)
	was := mapOf(a)
	d.Keys("3")
	d.ClickOn("options/Shape/Piece")
	d.Keys("Enter")
	rest(t, a, d)
	now := mapOf(a)
	if now.Len() != was.Len()+len(ids) {
		t.Fatalf("%d landmarks, not %d more than %d", now.Len(), len(ids), was.Len())
	}
	for i, id := range ids {
		if !slices.Equal(now.Codebook.Row(was.Len()+i), was.Codebook.Row(id)) {
			t.Errorf("the copy of landmark %d has another codebook", id)
		}
	}
	d.ClickOn("options/Shape/Line")
	stand.Strokes(a.desk, d, curve(25, func(t float64) [2]float64 {
		return [2]float64{0.2 + 0.6*t, 0.5 + 0.2*math.Sin(2*math.Pi*t)}
	})...)
	d.ClickOn("options/Place as/replace")
	uitest.Do(func() { a.desk.Stage.Hand().Draw.Train = false })
	d.Keys("Enter")
	rest(t, a, d)
	line := mapOf(a)
	if k := parts.Projection.Of(a.desk.Doc.State()).K; k != 30 {
		t.Errorf("points of a line are projected from %d neighbours", k)
	}
	extent := 0.0
	for i := range line.Len() {
		extent = max(extent, math.Abs(float64(line.Pos.Row(i)[0])))
	}
	pos, _ := placedPoints(a)
	var far []float64
	for _, p := range pos {
		least := math.Inf(1)
		for i := range line.Len() {
			q := line.Pos.Row(i)
			least = min(least, math.Hypot(p[0]-float64(q[0]), p[1]-float64(q[1])))
		}
		far = append(far, least/extent)
	}
	slices.Sort(far)
	t.Logf("points are %.2f of the line's extent from it at the median, %.2f at most but 1 %%", far[len(far)/2],
		far[len(far)*99/100])
	if at := far[len(far)*99/100]; at > 2 {
		t.Errorf("1 %% of the points are more than %.1f of the line's extent from it", at)
	}

	// The camera goes along where a step through the history takes the map out of sight.
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if k := parts.Projection.Of(a.desk.Doc.State()).K; k == 30 {
		t.Error("the neighbours of the projection are not undone")
	}
	seen := 0
	r := stand.Canvas(a.desk)
	for i := range mapOf(a).Len() {
		if x, y := stand.MarkAt(a.desk, i); x > r.X0 && x < r.X1 && y > r.Y0 && y < r.Y1 {
			seen++
		}
	}
	if n := mapOf(a).Len(); seen < n*7/10 {
		t.Errorf("%d of %d landmarks are in sight after the map was taken back", seen, n)
	}
}

// A right click beside the selected landmarks offers what can be done with them.
func TestMenuBesideTheSelected(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	d.Keys("2")
	chooseIDs(a, 0, 1, 2, 3)
	r := stand.Canvas(a.desk)
	d.ClickWith(shell.Right, r.X0+40, r.Y0+120)
	d.Frames(3)
	for _, item := range []string{"merge-landmarks", "Align…", "pin"} {
		if !d.Has(item) {
			t.Errorf("the menu has no %s", item)
		}
	}
	d.Shoot("menu-selected")
	d.Keys("Esc")
	uitest.Do(func() {
		a.desk.Stage.Hand().Landmarks.Selected = nil
		a.desk.Stage.Scene.SetSelection("Select points", selection.FromBits(500, []uint64{1<<7 - 1}))
	})
	d.ClickWith(shell.Right, r.X0+40, r.Y0+120)
	d.Frames(3)
	d.Shoot("menu-selected-points")
	d.ClickOn("invert")
	if n := a.desk.Stage.Selected().Count(); n != 493 {
		t.Errorf("%d of 500 points are selected where the menu inverted 7", n)
	}
}

// The end of a comparison is in sight however narrow the window is, and the list of keys is whole.
func TestNarrowBars(t *testing.T) {
	a, d := begin(t, 500, 400, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() { commandByID("new-map").Run(a) })
	rest(t, a, d)
	uitest.Do(func() { commandByID("compare").Run(a) })
	d.Frames(4)
	if b := d.Rect("compare-done"); b.X1 > 500 || b.X0 < 200 {
		t.Errorf("Done is at %v of a window 500 wide", b)
	}
	d.Shoot("compare-500")
	d.ClickOn("compare-done")
	d.Frames(3)
	if a.desk.Compare.On() {
		t.Error("Done does not end the comparison")
	}
	d.Resize(1280, 800)
	d.Frames(3)
	d.Type("?")
	d.Frames(4)
	d.Shoot("keys-1280")
	if m := d.Rect("keys"); m.Y0 < 0 || m.Y1 > 800 || m.H() >= 712 {
		t.Errorf("the keys are at %v and cut off", m)
	}
}

// The palette finds commands by what they do, after those whose names fit.
func TestPaletteBySense(t *testing.T) {
	items := []dialog.Item{{Title: "Open…"}, {Title: "Export…",
		Help: "Write coordinates, landmarks or a picture", Also: "csv"}, {Title: "Coordinates"}}
	titles := func(text string) (out []string) {
		for _, x := range dialog.Matching(items, text) {
			out = append(out, x.Title)
		}
		return out
	}
	for text, want := range map[string][]string{"coordinates": {"Coordinates", "Export…"}, "write csv": {"Export…"},
		"open": {"Open…"}, "umap": nil} {
		if got := titles(text); !slices.Equal(got, want) {
			t.Errorf("%q finds %q, not %q", text, got, want)
		}
	}
}
