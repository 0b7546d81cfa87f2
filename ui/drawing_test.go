package ui

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/shape"
	"blossom/render/camera"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// forPictures takes away what tells of the beginning, where pictures are taken.
func forPictures(a *App, d *uitest.Driver) {
	if os.Getenv("BLOSSOM_PICTURES") != "" {
		calm(a, d)
	}
}

// mapOf is the landmarks of the document.
func mapOf(a *App) (l *landmark.Set) {
	uitest.Do(func() { l = parts.Landmarks.Of(a.desk.Doc.State()) })
	return l
}

func curve(n int, at func(t float64) [2]float64) (path [][2]float64) {
	for i := range n {
		path = append(path, at(float64(i)/float64(n-1)))
	}
	return path
}

// blob is a closed freehand line.
var blob = curve(30, func(t float64) [2]float64 {
	s, c := math.Sincos(2 * math.Pi * t)
	r := 0.2 + 0.05*math.Sin(6*math.Pi*t)
	return [2]float64{0.55 + r*c*0.8, 0.5 + r*s*1.3}
})

// star is a picture that stands out from its ground.
func star() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 200, 200))
	for y := range 200 {
		for x := range 200 {
			dx, dy := float64(x-100), float64(y-100)
			r := 50 + 35*math.Cos(5*math.Atan2(dy, dx))
			if math.Hypot(dx, dy) < r {
				img.Set(x, y, color.Black)
			} else {
				img.Set(x, y, color.White)
			}
		}
	}
	return img
}

// chooseFile types a path into the window's own file dialog.
func chooseFile(d *uitest.Driver, path string) {
	d.Frames(4)
	d.Keys("Ctrl+A")
	d.Type(path)
	d.Keys("Enter")
	d.Frames(4)
}

// Every shape is drawn with the mouse, placed on the map, taken back, and trained on in the map's place.
func TestEveryShapeIsDrawnPlacedAndTrained(t *testing.T) {
	picture := filepath.Join(t.TempDir(), "star.png")
	if err := uitest.WritePNG(picture, star()); err != nil {
		t.Fatal(err)
	}
	a, d := begin(t, 1800, 640, 1, Options{Paths: []string{"demo:s-sheet:1500"}, Still: true})
	opened(t, a, d)
	forPictures(a, d)
	start := mapOf(a)
	d.Keys("3")
	if !d.Has("options/Shape/Grid") {
		t.Fatal("the tool has no options")
	}
	box := [][2]float64{{0.35, 0.25}, {0.5, 0.6}, {0.7, 0.8}}
	for _, c := range []struct {
		kind string
		draw func()
	}{
		{"grid", func() { stand.Strokes(a.desk, d, box...) }},
		{"ring", func() { stand.Strokes(a.desk, d, box...) }},
		{"disc", func() { stand.Strokes(a.desk, d, box...) }},
		{"line", func() {
			stand.Strokes(a.desk, d, curve(25, func(t float64) [2]float64 {
				return [2]float64{0.2 + 0.6*t, 0.5 + 0.2*math.Sin(2*math.Pi*t)}
			})...)
		}},
		{"outline", func() { stand.Strokes(a.desk, d, blob...) }},
		{"piece", func() { stand.Strokes(a.desk, d, [2]float64{0.3, 0.3}, [2]float64{0.6, 0.7}) }},
		{"silhouette", func() {
			d.ClickOn("options/Open image…")
			chooseFile(d, picture)
			d.Wait("the picture is there", 20*time.Second, func() bool { return a.desk.Stage.Hand().Draw.On })
		}},
		{"box", func() { stand.Strokes(a.desk, d, box...) }},
		{"sphere", func() { stand.Strokes(a.desk, d, box...) }},
		{"torus", func() { stand.Strokes(a.desk, d, box...) }},
	} {
		t.Run(c.kind, func(t *testing.T) {
			k, _ := shape.ByID(c.kind)
			d.ClickOn("options/Shape/" + k.Title)
			if k.Solid {
				d.Enter("options/Spacing", "2")
			}
			c.draw()
			n := stand.Drawing(a.desk).Count()
			if n < 4 {
				t.Fatalf("%d landmarks", n)
			}
			if mapOf(a) != start {
				t.Fatal("the map changed before the shape was placed")
			}
			d.Shoot("ghost-" + c.kind)
			if !k.Solid {
				d.Keys("Enter")
				rest(t, a, d)
				l := mapOf(a)
				if l.Len() != start.Len()+n {
					t.Fatalf("%d landmarks, not %d and %d", l.Len(), start.Len(), n)
				}
				if len(l.Edges) <= len(start.Edges) || !l.ByHand {
					t.Error("its edges are not there, or the map is not said to be arranged")
				}
				if sel := a.desk.Stage.Hand().Landmarks.Selected; len(sel) != n {
					t.Errorf("%d of %d new landmarks are selected", len(sel), n)
				}
				d.Keys("Ctrl+Z")
				if got := mapOf(a); got.Len() != start.Len() || a.desk.Doc.History().CanUndo() != "" {
					t.Fatal("placing it was not one entry")
				}
				start = mapOf(a)
				if c.kind == "silhouette" {
					d.ClickOn("options/Shape/Grid")
					d.ClickOn("options/Shape/" + k.Title)
				} else {
					c.draw()
				}
			}
			n = stand.Drawing(a.desk).Count() // the view may have moved
			if !a.desk.Stage.Hand().Draw.Replace {
				d.ClickOn("options/Place as/replace")
			}
			d.ClickOn("options end/place shape")
			d.Wait("it is trained", 60*time.Second, func() bool {
				return parts.Landmarks.Of(a.desk.Doc.State()) != start && a.compute.jobs.Idle()
			})
			rest(t, a, d)
			d.Shoot("trained-" + c.kind)
			l := mapOf(a)
			if l.Len() != n || len(l.Edges) == 0 {
				t.Fatalf("%d landmarks and %d edges after %d were drawn", l.Len(), len(l.Edges), n)
			}
			if k.Solid != (l.Dims() == 3) {
				t.Fatalf("a map of %d dimensions", l.Dims())
			}
			for a.desk.Doc.History().CanUndo() != "" {
				d.Keys("Ctrl+Z")
				rest(t, a, d)
			}
			d.ClickOn("options/Place as/add")
			start = mapOf(a)
		})
	}
}

// A shape is saved by itself and opened again; a file that is none says so.
func TestShapesAreSavedAndOpened(t *testing.T) {
	dir := t.TempDir()
	a, d := begin(t, 1800, 640, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	d.Keys("3")
	d.ClickOn("options/Shape/Outline")
	stand.Strokes(a.desk, d, blob...)
	want := stand.Drawing(a.desk).Count()
	uitest.Do(func() {
		for _, bad := range []string{"", "hello", `{"format":"blossom shape","version":9}`} {
			path := filepath.Join(dir, "bad.json")
			if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := shape.Open(path); err == nil {
				t.Errorf("%q was read", bad)
			}
		}
	})
	d.ClickOn("options/save shape")
	path := filepath.Join(dir, "blob.json")
	chooseFile(d, path)
	d.Wait("it is saved", 10*time.Second, func() bool { _, err := os.Stat(path); return err == nil })
	d.Keys("Escape")
	d.ClickOn("options/open shape")
	chooseFile(d, path)
	d.Wait("it is shown", 10*time.Second, func() bool { return a.desk.Stage.Hand().Draw.On })
	if got := stand.Drawing(a.desk).Count(); got != want {
		t.Errorf("%d landmarks were saved, %d read", want, got)
	}
}

// Selected landmarks are sized and turned by the frame around them, aligned, merged and split: an entry each.
func TestSelectedLandmarksInAFrame(t *testing.T) {
	a, d := begin(t, 1800, 640, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	d.Keys("2")
	r := stand.Canvas(a.desk)
	d.Drag(r.X0+0.3*r.W(), r.Y0+0.35*r.H(), r.X0+0.6*r.W(), r.Y0+0.7*r.H(), 5)
	sel := slices.Clone(a.desk.Stage.Hand().Landmarks.Selected)
	if len(sel) < 6 {
		t.Fatalf("%d landmarks are selected", len(sel))
	}
	start := mapOf(a)
	steps := 0
	one := func(what string) {
		t.Helper()
		if steps++; a.desk.Doc.History().Len() != steps {
			t.Fatalf("%s: %d entries, not %d (%s)", what, a.desk.Doc.History().Len(), steps, a.log.last)
		}
	}
	f := d.Rect("selected frame")
	d.Shoot("selected")
	d.Drag(f.X1, f.Y0, f.X1+60, f.Y0-60, 5)
	one("scale")
	g := d.Rect("selected frame")
	if math.Abs(float64(g.X1-f.X1-60)) > 2 || math.Abs(float64(g.X0-f.X0)) > 2 {
		t.Errorf("scaled from %v to %v", f, g)
	}
	d.Drag(g.Center().X, g.Y0-20, g.Center().X+120, g.Y0+40, 6)
	one("rotate")
	g = d.Rect("selected frame")
	d.Drag(g.Center().X, g.Y0-20, g.Center().X, g.Y0-21, 1) // a click is none
	if a.desk.Doc.History().Len() != steps {
		t.Error("a click on the knob is an entry")
	}
	run := func(id string) { uitest.Do(func() { commandByID(id).Run(a) }); d.Frames(2) }
	run("align-left")
	one("align")
	l := mapOf(a)
	for _, id := range sel {
		if l.Pos.Row(id)[0] != l.Pos.Row(sel[0])[0] {
			t.Fatal("not on a line")
		}
	}
	run("distribute-down")
	one("distribute")
	run("split-landmarks")
	one("split")
	if mapOf(a).Len() != start.Len()+len(sel) {
		t.Error("not split")
	}
	run("merge-landmarks")
	one("merge")
	if mapOf(a).Len() != start.Len()-len(sel)+1 {
		t.Error("not merged")
	}
	for range steps {
		d.Keys("Ctrl+Z")
	}
	if got := mapOf(a); !slices.Equal(got.Pos.Data, start.Pos.Data) {
		t.Error("undo does not bring the places back")
	}
	// Esc in mid-drag takes all of it back.
	uitest.Do(func() { a.desk.Stage.Hand().Landmarks.Selected = sel })
	d.Frames(2)
	f = d.Rect("selected frame")
	d.Move(f.X1, f.Y1)
	d.Frames(1)
	d.Press(shell.Left)
	d.Move(f.X1+50, f.Y1+50)
	d.Keys("Escape")
	d.Release(shell.Left)
	if got := mapOf(a); !slices.Equal(got.Pos.Data, start.Pos.Data) {
		t.Error("Esc does not take the drag back")
	}
}

// The tool looks right in both themes, at 100 % and 200 %, and in a small window.
func TestDrawMapPictures(t *testing.T) {
	if os.Getenv("BLOSSOM_PICTURES") == "" {
		t.Skip("set BLOSSOM_PICTURES to a folder for pictures to look at")
	}
	for _, theme := range []string{"light", "dark"} {
		for _, c := range []struct {
			w, h  int
			scale float32
		}{{1440, 900, 1}, {2560, 1600, 2}, {500, 400, 1}} {
			t.Run(fmt.Sprint(theme, c), func(t *testing.T) {
				a, d := begin(t, c.w, c.h, c.scale, Options{Paths: []string{"demo:cytometry:4000"}, Theme: theme})
				opened(t, a, d)
				d.Keys("3")
				uitest.Do(func() { a.desk.Stage.Hand().Draw.Shape.Kind = "outline" })
				stand.Strokes(a.desk, d, blob...)
				d.Shoot(fmt.Sprintf("tool-%s-%dx%d", theme, c.w, c.h))
				d.Keys("Enter")
				d.Keys("2")
				d.Frames(4)
				rest(t, a, d)
				d.Shoot(fmt.Sprintf("placed-%s-%dx%d", theme, c.w, c.h))
				d.End()
			})
		}
	}
}

// In a map of three dimensions a shape is drawn in the plane that faces the eye; around it a drag turns the view.
func TestDrawInThreeDimensions(t *testing.T) {
	a, d := begin(t, 1800, 640, 1, Options{Paths: []string{"demo:torus-knot:3000"}, Still: true})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Start.Way = 0
		a.desk.Start.SetSolid(true)
		commandByID("new-map").Run(a)
	})
	rest(t, a, d)
	start := mapOf(a)
	if start.Dims() != 3 {
		t.Fatal("the map is flat")
	}
	d.Keys("3")
	for _, kind := range []string{"Ring", "Sphere"} {
		d.ClickOn("options/Shape/" + kind)
		stand.Strokes(a.desk, d, [2]float64{0.4, 0.3}, [2]float64{0.5, 0.5}, [2]float64{0.6, 0.7})
		n := stand.Drawing(a.desk).Count()
		f := d.Rect("ghost")
		r := stand.Canvas(a.desk)
		if n < 4 || math.Abs(float64(f.W()-0.2*r.W()-16)) > 4 || math.Abs(float64(f.H()-0.4*r.H()-16)) > 4 {
			t.Fatalf("%s: %d landmarks in %v of %v", kind, n, f, r)
		}
		d.Drag(f.Center().X, f.Y0-20, f.Center().X+90, f.Y0+30, 5)
		c := stand.Drawing(a.desk).Shape.Frame.Centre
		was := a.active().Eye.Saved()
		d.Drag(r.X0+60, r.Y0+200, r.X0+120, r.Y0+260, 4)
		if a.active().Eye.Saved() == was || stand.Drawing(a.desk).Shape.Frame.Centre != c {
			t.Errorf("%s: a drag beside the ghost does not turn the view alone", kind)
		}
		d.Shoot("solid-" + kind)
		before := mapOf(a).Len()
		d.Keys("Enter")
		rest(t, a, d)
		l := mapOf(a)
		if l.Len() != before+n || l.Dims() != 3 {
			t.Fatalf("%s: %d landmarks of %d dimensions", kind, l.Len(), l.Dims())
		}
	}
	d.Keys("2")
	d.Frames(2)
	if !d.Has("selected frame") {
		t.Error("what was placed stands in no frame")
	}
	f := d.Rect("selected frame")
	d.Drag(f.X1, f.Y0, f.X1+40, f.Y0-40, 4)
	if name := a.desk.Doc.History().CanUndo(); name != "Scale landmarks" {
		t.Errorf("the last entry is %q", name)
	}
	d.Shoot("solid-selected")
}

// More landmarks than a map takes are refused with what to do; the menu of several landmarks aligns them.
func TestTooManyLandmarksAndTheMenuOfSeveral(t *testing.T) {
	a, d := begin(t, 1800, 640, 1, Options{Paths: []string{"demo:tesseract:2000"}, Still: true})
	opened(t, a, d)
	start := mapOf(a)
	d.Keys("3")
	d.ClickOn("options/Shape/Disc")
	stand.Strokes(a.desk, d, [2]float64{0.2, 0.1}, [2]float64{0.8, 0.9})
	d.Enter("options/Spacing", "0.1")
	if stand.Drawing(a.desk).Count() != 0 || !stand.Drawing(a.desk).On {
		t.Fatalf("%d landmarks", stand.Drawing(a.desk).Count())
	}
	d.Shoot("too-many")
	d.Keys("Enter")
	if !strings.Contains(a.log.last, "4096") || !strings.Contains(a.log.last, "spacing") || mapOf(a) != start {
		t.Fatalf("it says %q", a.log.last)
	}
	d.Keys("Escape")
	d.ClickOn("options/Shape/Grid")
	stand.Strokes(a.desk, d, [2]float64{0.4, 0.6}, [2]float64{0.6, 0.97}) // no room for what is written below it
	if f, text := d.Rect("ghost"), d.Rect("frame text"); text.Y1 > f.Y0-24 && text.Y0 < f.Y0-16 {
		t.Errorf("%v is written over the knob of %v", text, f)
	}
	d.Shoot("low")
	d.Keys("Escape")
	d.Keys("2")
	r := stand.Canvas(a.desk)
	d.Drag(r.X0+0.3*r.W(), r.Y0+0.35*r.H(), r.X0+0.6*r.W(), r.Y0+0.7*r.H(), 5)
	hand := a.desk.Stage.Hand()
	if len(hand.Landmarks.Selected) < 3 {
		t.Fatal("nothing is selected")
	}
	l := mapOf(a)
	row := l.Pos.Row(hand.Landmarks.Selected[1])
	// The menu opens where the press was, though the mouse had come there, and was gone, in the frame of the press.
	d.Move(r.X0+20, r.Y0+20)
	d.Frames(2)
	var x, y float64
	uitest.Do(func() { x, y, _ = a.active().Eye.Screen(camera.Vec{X: float64(row[0]), Y: float64(row[1])}) })
	uitest.Do(func() {
		d.Shell().Move(float32(x), float32(y))
		d.Shell().Button(shell.Right, true)
		d.Shell().Button(shell.Right, false)
		d.Shell().Move(r.X0+30, r.Y0+20)
	})
	d.Frames(5)
	d.Shoot("menu-several")
	if item := d.Rect("map/Align…"); math.Abs(float64(item.X0)-x) > 40 {
		t.Errorf("right-clicked at %g, the menu has opened at %g", x, item.X0)
	}
	d.ClickOn("map/Align…")
	d.Frames(3)
	d.Shoot("menu-align")
	d.ClickOn("align/align-left")
	if name := a.desk.Doc.History().CanUndo(); name != "Align left" {
		t.Errorf("the last entry is %q", name)
	}
}
