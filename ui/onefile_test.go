package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/landmarks/train"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render/pen/figure"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// oneFile says that this process is the one of TestOneFileEach: the members of the files onefile_*_test.go are
// registered in it, and in no other, so that the other tests see the program as it is.
var oneFile = os.Getenv(oneFileVariable) != ""

const oneFileVariable = "BLOSSOM_TEST_ONE_FILE"

// A format, an op, a part, a trainer, a layout, an embedding, a derived column, a panel, a dock, a dialog, a step of
// the tour and a command are added, each in one file, and everything that goes over the members of their families has
// them.
func TestOneFileEach(t *testing.T) {
	if !oneFile {
		c := exec.Command(os.Args[0], "-test.run=^TestOneFileEach$", "-test.v")
		c.Env = append(os.Environ(), oneFileVariable+"=1")
		out, err := c.CombinedOutput()
		switch {
		case err != nil:
			t.Fatalf("%v\n%s", err, out)
		case strings.Contains(string(out), "--- SKIP"):
			t.Skip(string(out))
		case !strings.Contains(string(out), "--- PASS: TestOneFileEach"):
			t.Fatalf("it did not run:\n%s", out)
		}
		return
	}
	file := filepath.Join(t.TempDir(), "marks.tally")
	text := "tally\nlength,width\n"
	for i := range 300 {
		text += fmt.Sprintf("%g,%g\n", math.Sin(float64(i)), float64(i%17))
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	config, state := t.TempDir(), t.TempDir()
	a, d := begin(t, 1280, 2400, 1, Options{Paths: []string{file}, ConfigDir: config, StateDir: state, Still: true})
	opened(t, a, d)
	d.Sleep(8 * time.Second) // the note about the file goes

	// The format: read, offered for opening and for export, written.
	if a.desk.Doc.Data.Points != 300 || a.desk.Doc.Data.Columns[1].Name != "width" {
		t.Fatalf("read %d points", a.desk.Doc.Data.Points)
	}
	if !slices.Contains(dialog.OpenKinds(), ".tally") {
		t.Error("files of the format are not offered for opening")
	}
	open(a, "export", "train", "transform")
	d.Frames(4)
	choose(t, d, a, "side bar/export/Format", "TALLY")
	d.ClickOn("side bar/export/coordinates")
	d.Frames(3)
	out := filepath.Join(t.TempDir(), "out.tally")
	d.Keys("Ctrl+A")
	d.Type(out)
	d.Keys("Enter")
	d.Wait("the file is written", 20*time.Second, func() bool { return exists(out) && a.compute.jobs.Idle() })
	back, err := format.Open(t.Context(), out, format.Options{})
	if err != nil || back.Points != 300 || back.Columns[0].Name != "embedsom1" ||
		back.Columns[0].Values[0] != a.mapPoints().Host()[2*at(a.desk.Table().Order, 0)] {
		t.Errorf("what was exported cannot be read: %v", err)
	}

	// The op: chosen, with a form of its number, in the text and in messages.
	choose(t, d, a, "side bar/transform/Transform", "Cube root")
	rest(t, a, d)
	d.Enter("side bar/transform/Gain", "3")
	rest(t, a, d)
	spec := parts.Transform.Of(a.desk.Doc.State())
	if got := spec.Columns[0].Text(); got != "cbrt:3" {
		t.Errorf("the transform is %q", got)
	}
	if x := float64(a.desk.Table().X.Row(at(a.desk.Table().Order, 8))[1]); math.Abs(x-3*math.Cbrt(8)) > 1e-5 {
		t.Errorf("a width of 8 is at %g", x)
	}
	if _, err := transform.Parse("no-such-op"); err == nil || !strings.Contains(err.Error(), "cbrt") {
		t.Errorf("the message of an unknown transform does not name it: %v", err)
	}

	// The trainer: chosen, with a form of its parameters, running.
	choose(t, d, a, "side bar/train/training", "Copycat")
	d.Frames(3)
	d.Enter("side bar/train/Patience", "7")
	d.Frames(2)
	if c := parts.Training.Of(a.desk.Doc.State()); c.Algorithm != "copycat" || c.Values["patience"] != 7 {
		t.Errorf("training is %+v", c)
	}
	if !slices.Contains(train.IDs(true), "copycat") || !strings.Contains(train.Lengths(), "copycat") {
		t.Error("the command line does not offer the trainer")
	}
	code := parts.Landmarks.Of(a.desk.Doc.State()).CodeRev
	d.ClickOn("side bar/train/Step")
	rest(t, a, d)
	if parts.Landmarks.Of(a.desk.Doc.State()).CodeRev == code {
		t.Error("the trainer does not train")
	}

	// The layout: chosen, with a form of its parameters, running to its rest.
	open(a, "layout")
	d.Frames(3)
	choose(t, d, a, "side bar/layout/algorithm", "In a line")
	d.Frames(3)
	d.Enter("side bar/layout/Wide", "3")
	d.Frames(2)
	d.ClickOn("side bar/layout/run")
	rest(t, a, d)
	l := parts.Landmarks.Of(a.desk.Doc.State())
	if p := l.Pos.Row(9); math.Abs(float64(p[0])-27) > 0.01 || a.desk.Doc.History().CanUndo() != "In a line layout" {
		t.Errorf("landmark 10 is at %v after %q", p, a.desk.Doc.History().CanUndo())
	}
	d.Keys("Ctrl+Z") // the landmarks are where other parts of this test expect them

	// The embedding: in the menu of a header, drawn, with axes and a legend of its own.
	d.ClickOn("view1/embedding")
	d.Frames(3)
	d.ClickOn("Spiral 2D")
	rest(t, a, d)
	v := a.active()
	if title, note := v.Field().Label(); title != "Spiral" || note != "of 300" || v.Field().Err() != nil ||
		len(v.Field().Axes()) != 2 {
		t.Errorf("the view shows %q, %q: %v", title, note, v.Field().Err())
	}
	if p := v.Points().Host(); p[2*10] != float32(10*math.Cos(10)) {
		t.Errorf("point 10 is at %g", p[20])
	}

	// The derived column: listed, coloured by from a header's list and from the palette, an axis of a view.
	uitest.Do(func() {
		if !slices.ContainsFunc(a.desk.Columns(), func(c live.ColumnInfo) bool {
			return c.Name == "row number" && c.Derived
		}) {
			t.Error("the derived column is not listed")
		}
	})
	d.ClickOn("view1/colour")
	d.Frames(3)
	choose(t, d, a, "", "row number")
	rest(t, a, d)
	d.Wait("it is coloured by the column", 10*time.Second, func() bool { return v.Colours.Column == "row number" })
	if l := v.Colours.Legend(v.Colouring()); l == nil || l.Title != "row number" {
		t.Errorf("the legend is %+v", l)
	}
	uitest.Do(func() { a.desk.ColourBy("") })
	run(d, "colour by row number")
	d.Wait("the palette colours by it", 10*time.Second, func() bool { return v.Colours.Column == "row number" })
	uitest.Do(func() { a.desk.Stage.SetEmbedding(v.View, embedding.Columns("row number", "width")) })
	rest(t, a, d)
	if p := v.Points().Host(); v.Field().Err() != nil || p[0] != float32(a.desk.Table().Order[0]+1) {
		t.Errorf("the column as an axis: %v", v.Field().Err())
	}

	// The shape: offered by the tool that draws it.
	d.Keys("3")
	d.Frames(2)
	d.ClickOn("options/Shape/Pair")
	if k := stand.Drawing(a.desk).Shape.Kind; k != "pair" {
		t.Errorf("a %q is drawn", k)
	}
	d.Keys("1")
	d.Frames(2)

	// The command and the panel: menu, key, palette, help, and the page of keys. Both write the part.
	memo := func() string { return memoPart.Of(a.desk.Doc.State()) }
	d.Keys("Ctrl+Shift+K")
	d.Frames(2)
	if memo() != "told once" {
		t.Errorf("the key of the command wrote %q", memo())
	}
	run(d, "tell it")
	if memo() != "told twice" {
		t.Errorf("the palette wrote %q", memo())
	}
	d.ClickOn("menu bar/Edit")
	d.Frames(3)
	d.ClickOn("menu bar/Edit/tell")
	d.Frames(3)
	if memo() != "told 3 times" {
		t.Errorf("the menu wrote %q", memo())
	}
	d.Keys("Alt+M")
	d.Frames(3)
	d.ClickOn("memo/Write")
	d.Frames(2)
	if memo() != "from the panel" {
		t.Errorf("the panel wrote %q", memo())
	}

	// The kind of view: in the menu of a header, drawn, zoomed by keys, in a picture; the session has it below.
	uitest.Do(func() { a.desk.Stage.Split(a.desk.Stage.Active()) })
	d.Frames(3)
	d.ClickOn("view2/embedding")
	d.Frames(3)
	d.ClickOn("Plain ground")
	d.Frames(3)
	kind, is := a.desk.Stage.Active().Content().(*plainView)
	if !is || kind.shown == 0 || !hasColour(d.Screenshot(), plainInk) {
		t.Fatal("the kind of view is not shown")
	}
	uitest.Do(func() { commandByID("zoom-in").Run(a) })
	d.Frames(2)
	if kind.Zoom == 0 {
		t.Error("keys do not zoom it")
	}
	uitest.Do(func() {
		format, _ := figure.Of(".png")
		job, err := a.output.NewPicture(desk.Picture{Size: desk.OwnSize, Width: 60, Height: 40, Scale: 1}, format)
		if err != nil {
			t.Error(err)
			return
		}
		defer job.Close()
		for done := 0.0; done < 1 && err == nil; {
			done, err = job.Step(1000)
		}
		if err != nil || !hasColour(job.File.(*figure.PNG).Dst, plainInk) {
			t.Errorf("a picture does not show it: %v", err)
		}
	})

	// The dialog: over everything, left by Esc, answered by Enter, about the subject that it was shown for.
	for _, key := range []string{"Esc", "Enter"} {
		d.Keys("Ctrl+Shift+J")
		d.Frames(3)
		if !d.Has("memo-dialog/Write") || !a.modal() {
			t.Errorf("the dialog is not shown")
		}
		d.Keys(key)
		d.Frames(3)
		if got := memo(); a.modal() || (got == "from the dialog") != (key == "Enter") {
			t.Errorf("after %s the part is %q, the dialog still there: %v", key, got, a.modal())
		}
	}
	d.Keys("Ctrl+Z")
	d.Frames(3)

	// The dock: key, menu, header, room of its own beside another one.
	d.Keys("Alt+W")
	d.Keys("Alt+L")
	d.Frames(3)
	body, other := d.Rect("wide body"), d.Rect("dock-time")
	if body.H() < 80 || body.Overlaps(other) || !d.Has("dock-wide/forget") {
		t.Errorf("the dock has %v beside %v", body, other)
	}
	d.ClickOn("dock-wide/forget")
	if a.log.last != "forget" {
		t.Errorf("its button said %q", a.log.last)
	}
	d.ClickOn("menu bar/View")
	d.Frames(3)
	d.ClickOn("menu bar/View/dock-wide")
	d.Keys("Alt+L")
	d.Frames(3)
	if d.Has("wide body") || d.Has("dock-time") {
		t.Error("the docks cannot be hidden")
	}
	for _, row := range [][2]string{{"Tell it", "Ctrl+Shift+K"}, {"Show Memo panel", "Alt+M"}, {"Wide memo", "Alt+W"}} {
		if !slices.Contains(keyRows(), row) || !strings.Contains(keysPage(), "| "+row[0]+" | `"+row[1]+"` |") {
			t.Errorf("the key of %s is not told", row[0])
		}
	}

	// The part: in the history, undone, done again, noticed as unsaved, saved, read back.
	h := a.desk.Doc.History()
	if h.Name(h.Done()-1) != "Write a memo" {
		t.Errorf("the last entry is %q", h.Name(h.Done()-1))
	}
	d.Keys("Ctrl+Z")
	if memo() != "told 3 times" {
		t.Errorf("undone, it is %q", memo())
	}
	d.Keys("Ctrl+Shift+Z")
	if memo() != "from the panel" {
		t.Errorf("done again, it is %q", memo())
	}
	session := filepath.Join(t.TempDir(), "one.blossom")
	d.Keys("Ctrl+S")
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(session)
	d.Keys("Enter")
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(session) })
	rest(t, a, d)
	saved := func() (text string) {
		uitest.Do(func() { text = a.docs.Saving.Text() })
		return text
	}
	if got := saved(); got != "saved as one.blossom" {
		t.Errorf("after saving: %q", got)
	}
	d.Keys("Ctrl+Shift+K")
	d.Frames(2)
	if got := saved(); got == "saved as one.blossom" {
		t.Error("a changed part is not noticed as unsaved")
	}
	d.Keys("Ctrl+Z")
	d.Frames(2)
	if got := saved(); got != "saved as one.blossom" {
		t.Errorf("undone, it is as saved, but: %q", got)
	}
	d.End()
	b, e := begin(t, 1280, 800, 1, Options{Paths: []string{session}, ConfigDir: config, StateDir: state, Still: true})
	opened(t, b, e)
	s := b.desk.Doc.State()
	if memoPart.Of(s) != "from the panel" || parts.Transform.Of(s).Columns[0].Text() != "cbrt:3" ||
		parts.Training.Of(s).Algorithm != "copycat" || parts.Training.Of(s).Values["patience"] != 7 {
		t.Errorf("the session brings back %q, %s, %+v", memoPart.Of(s), parts.Transform.Of(s).Columns[0].Text(),
			parts.Training.Of(s))
	}
	if k, is := b.desk.Stage.Active().Content().(*plainView); !is || k.Zoom == 0 {
		t.Error("the session does not bring back the kind of view")
	}
	r, err := b.active().View.State().Recipe, b.active().Field().Err()
	if !r.Equal(embedding.Columns("row number", "width")) || err != nil {
		t.Errorf("the session shows %v: %v", r, err)
	}
	if !strings.Contains(b.active().View.Look().Column, "row number") || !e.Has("memo") {
		t.Error("the session is not coloured as it was")
	}
	memoStep(t, b, e)
}

// hasColour says whether a pixel has a colour.
func hasColour(img *image.RGBA, c color.NRGBA) bool {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] == c.R && img.Pix[i+1] == c.G && img.Pix[i+2] == c.B {
			return true
		}
	}
	return false
}

// choose chooses from what stands side by side, from a list of that name, or, with none, from the one that is open.
func choose(t *testing.T, d *uitest.Driver, a *App, name, title string) {
	t.Helper()
	if d.Has(name + "/" + title) {
		d.ClickOn(name + "/" + title)
		d.Frames(3)
		return
	}
	if name != "" {
		d.ClickOn(name)
		d.Frames(3)
	}
	var names []string
	uitest.Do(func() { names = a.ui.Names() })
	if slices.ContainsFunc(names, func(s string) bool { return strings.HasSuffix(s, "/search") }) {
		d.Type(title)
		d.Frames(2)
		d.Keys("Enter")
		d.Frames(3)
		return
	}
	for _, n := range names {
		if n == title || strings.HasSuffix(n, "/"+title) {
			d.ClickOn(n)
			d.Frames(3)
			return
		}
	}
	slices.Sort(names)
	t.Fatalf("%s does not offer %q; there are %q", name, title, names)
}

// run runs a command of the palette.
func run(d *uitest.Driver, text string) {
	d.Keys("Ctrl+P")
	d.Frames(2)
	d.Type(text)
	d.Frames(2)
	d.Keys("Enter")
	d.Frames(3)
}

// at is the place of a row in the order of the map.
func at(order []int32, row int32) int { return slices.Index(order, row) }
