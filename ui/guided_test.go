package ui

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/desk/tour"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// toured begins the tour from the menu Help and waits until its map is at rest.
func toured(t *testing.T, a *App, d *uitest.Driver) {
	t.Helper()
	d.Wait("a guest can come", 60*time.Second, a.docs.Guest.Can)
	begun := func() (ok bool) { // its data may take many frames to come, and are not asked for twice
		uitest.Do(func() { ok = a.tour.On() || a.docs.Opening() != nil })
		return ok
	}
	for try := 0; try < 5 && !begun(); try++ { // a menu closes where the window loses the focus
		d.ClickOn("menu bar/Help")
		d.Frames(2)
		d.ClickOn("tour")
		for f := 0; f < 60 && !begun(); f++ {
			d.Frames(1)
		}
	}
	d.Wait("the tour begins", 60*time.Second, a.tour.On)
	rest(t, a, d)
}

// stepNow is the ID of the step that the tour is at, "" behind the last one.
func stepNow(a *App) (id string) {
	uitest.Do(func() {
		if s, _, _ := a.tour.Step(); s != nil {
			id = s.ID
		}
	})
	return id
}

// deeds are what a hand does for each step, with the mouse, and with the keyboard alone.
var deeds = map[string]struct {
	mouse, keys func(t *testing.T, a *App, d *uitest.Driver)
}{
	"look": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := a.active().Rect().Center()
		d.Wheel(c.X, c.Y-100, 2)
		d.Drag(c.X, c.Y-100, c.X-60, c.Y-140, 5)
	}, func(t *testing.T, a *App, d *uitest.Driver) { d.Keys("A"); d.Keys("=") }},
	"colour": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
	}, func(t *testing.T, a *App, d *uitest.Driver) { run(d, "CD3") }},
	"drag": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
		d.Frames(3)
		if a.tools.now.ID != "landmarks" {
			t.Fatalf("what is pointed at has chosen the tool %q", a.tools.now.ID)
		}
		c = spotlit(t, d).Center()
		d.Drag(c.X, c.Y, c.X+50, c.Y-20, 6)
	}, func(t *testing.T, a *App, d *uitest.Driver) {
		d.Keys("2")
		d.Keys("Ctrl+A")
		d.Keys("Right")
		d.Keys("Right")
	}},
	"undo": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
	}, func(t *testing.T, a *App, d *uitest.Driver) { d.Keys("Ctrl+Z") }},
	"select": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
		d.Frames(3)
		r := spotlit(t, d)
		c = r.Center()
		d.Move(c.X-200, c.Y-150)
		d.Press(shell.Left)
		for _, p := range [][2]float32{{200, -150}, {200, 60}, {-200, 60}, {-200, -140}} {
			d.Move(c.X+p[0], c.Y+p[1])
		}
		d.Release(shell.Left)
	}, func(t *testing.T, a *App, d *uitest.Driver) { d.Keys("4"); d.Keys("Ctrl+A") }},
	"name": {func(t *testing.T, a *App, d *uitest.Driver) {
		run(d, "New population") // the bar of the tool scrolls in a window of this width
		d.Type("T cells")
		d.ClickOn("name/Create")
	}, func(t *testing.T, a *App, d *uitest.Driver) {
		d.Keys("Ctrl+G")
		d.Frames(2)
		d.Type("All of them")
		d.Keys("Enter")
	}},
	"train": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
		d.Frames(4)
		d.Click(c.X, c.Y)
	}, func(t *testing.T, a *App, d *uitest.Driver) {
		d.Keys("Ctrl+R")
		d.Frames(3)
		d.Keys("Space")
	}},
	"picture": {func(t *testing.T, a *App, d *uitest.Driver) {
		c := spotlit(t, d).Center()
		d.Click(c.X, c.Y)
		d.Frames(2)
		d.ClickOn("File/export")
	}, func(t *testing.T, a *App, d *uitest.Driver) { d.Keys("Ctrl+E") }},
}

// spotlit is what the tour points at.
func spotlit(t *testing.T, d *uitest.Driver) widget.Rect {
	t.Helper()
	d.Frames(2)
	return d.Rect("spotlight")
}

// The tour is walked to its end by a hand: nothing is done before it is, and everything is noticed.
func TestTheTourIsWalkedByHand(t *testing.T) {
	for _, keyboard := range []bool{false, true} {
		t.Run(fmt.Sprintf("keyboard %v", keyboard), func(t *testing.T) {
			a, d := beginTraining(t, 1280, 800, 1, Options{})
			d.Frames(5)
			if keyboard {
				run(d, "guided tour")
			} else {
				d.ClickOn("welcome/tour")
			}
			d.Wait("the tour begins", 60*time.Second, a.tour.On)
			rest(t, a, d)
			for i, s := range tour.Steps() {
				d.Frames(30)
				deed, known := deeds[s.ID]
				if !known {
					t.Fatalf("no hand knows the step %s", s.ID)
				}
				if now := stepNow(a); now != s.ID || a.tour.Done() {
					t.Fatalf("step %d is %q, not %q, and done %v before a hand was at it", i, now, s.ID, a.tour.Done())
				}
				if keyboard {
					deed.keys(t, a, d)
				} else {
					deed.mouse(t, a, d)
				}
				d.Wait(s.ID+" is noticed", 30*time.Second, func() bool {
					now, _, _ := a.tour.Step()
					return a.tour.Done() || now != s
				})
				d.Wait(s.ID+" goes on by itself", 30*time.Second, func() bool {
					now, _, _ := a.tour.Step()
					return now != s
				})
				d.Keys("1")
			}
			if stepNow(a) != "" || !a.tour.On() {
				t.Fatal("the tour is not at its end")
			}
			d.ClickOn("tour/end")
			d.Frames(3)
			if a.tour.On() || a.desk != nil || !d.Has("welcome/open") {
				t.Fatal("the end is not where it began")
			}
		})
	}
}

// trace is all that a window with a document leaves, on disk and in memory.
type trace struct {
	doc               *state.Document
	session           string
	stamp             state.Stamp
	selected          []int
	files, eye, panel string
}

// left looks at what a window leaves.
func left(t *testing.T, a *App, d *uitest.Driver, dirs ...string) (out trace) {
	t.Helper()
	d.Frames(3)
	uitest.Do(func() {
		a.docs.Autosave.Wait()
		a.keepSettings()
		doc := a.desk.Doc
		out.doc, out.stamp = doc, doc.State().Stamp(true)
		out.selected = slices.Clone(a.desk.Stage.Hand().Landmarks.Selected)
		out.eye = fmt.Sprint(a.active().Eye.Saved(), a.tools.now.ID, a.desk.Stage.Active().ID)
		out.panel = fmt.Sprint(a.ui.Open, a.settings.Place, a.settings.Docks, a.settings.Recent, a.docs.Shelf.List())
		s, err := session.Of(doc, "", "test", time.Unix(0, 0))
		var b bytes.Buffer
		if err == nil {
			err = s.Write(&b)
		}
		if err != nil {
			b.Reset()
			b.WriteString(err.Error())
		}
		out.session = b.String()
	})
	out.files = filesIn(t, dirs...)
	return out
}

// filesIn are the files of folders, with their content, but for the times that lists of sessions have.
func filesIn(t *testing.T, dirs ...string) string {
	t.Helper()
	var out strings.Builder
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				content, _ := os.ReadFile(path)
				fmt.Fprintf(&out, "%s %d %x\n", path, len(content), content)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.String()
}

// same says in which way two traces differ, "" in none.
func (x trace) differs(y trace) string {
	switch {
	case x.doc != y.doc:
		return "another document"
	case x.session != y.session:
		return "another session"
	case x.stamp != y.stamp:
		return "other revisions of the state"
	case !slices.Equal(x.selected, y.selected):
		return fmt.Sprintf("landmarks %v are selected, not %v", y.selected, x.selected)
	case x.eye != y.eye:
		return fmt.Sprintf("seen as %s, not %s", y.eye, x.eye)
	case x.panel != y.panel:
		return fmt.Sprintf("panels and files are\n%s, not\n%s", y.panel, x.panel)
	case x.files != y.files:
		return "other files"
	}
	return ""
}

// However far one goes in the tour and whatever one does there, what was open is there again, bit for bit: document,
// history, selection, views, panels, tool, settings and what is saved by itself.
func TestTheTourLeavesNoTrace(t *testing.T) {
	config, dir := t.TempDir(), t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:3000"}, ConfigDir: config, StateDir: dir})
	opened(t, a, d)
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 30)
	d.Drag(x, y, x+60, y-20, 5)
	c := a.active().Rect().Center()
	d.Wheel(c.X, c.Y, 1)
	d.Keys("4")
	d.Keys("Ctrl+A")
	d.Keys("2")
	uitest.Do(func() {
		a.desk.Stage.Hand().Landmarks.Selected = []int{3, 7}
		open(a, "history", "layout")
	})
	d.Keys("Alt+L")
	d.Frames(5)
	rest(t, a, d)
	d.Sleep(40 * time.Second) // it is saved by itself
	d.Wait("it is saved by itself", time.Minute, func() bool { return a.docs.Autosave.Has(a.desk.Doc) })
	before, points := left(t, a, d, config, dir), slices.Clone(a.mapPoints().Host())
	all := tour.Steps()
	for n := range len(all) + 1 {
		toured(t, a, d)
		if a.desk.Doc == before.doc {
			t.Fatal("the tour is on the user's own document")
		}
		for i := range n {
			if i%3 == n%3 {
				deeds[all[i].ID].keys(t, a, d)
			}
			uitest.Do(a.tour.Skip)
			d.Frames(2)
		}
		d.Sleep(20 * time.Second)
		uitest.Do(a.keepSettings)
		if got := filesIn(t, config, dir); got != before.files {
			t.Fatalf("after %d steps files are written of the tour", n)
		}
		leave(t, a, d, n)
		rest(t, a, d)
		if why := before.differs(left(t, a, d, config, dir)); why != "" {
			t.Fatalf("after %d steps: %s", n, why)
		}
		if !slices.Equal(points, a.mapPoints().Host()) {
			t.Fatalf("after %d steps points lie elsewhere", n)
		}
	}
	d.Keys("Ctrl+Z")
	rest(t, a, d)
	if h := a.desk.Doc.History(); h.CanRedo() == "" {
		t.Fatal("what is open cannot be undone any more")
	}
}

// leave ends the tour, in another way each time.
func leave(t *testing.T, a *App, d *uitest.Driver, n int) {
	t.Helper()
	switch n % 4 {
	case 0:
		d.Keys("Esc")
	case 1:
		d.ClickOn("tour/end")
	case 2:
		run(d, "tour: end it")
	case 3:
		d.Keys("Ctrl+Shift+W")
	}
	d.Frames(3)
	if a.tour.On() || d.Has("tour/end") {
		t.Fatalf("it does not end in way %d", n%4)
	}
}

// A window that is killed during the tour leaves the user's document to be recovered, and nothing of the tour.
func TestAKillDuringTheTourLeavesWhatWasOpen(t *testing.T) {
	config, dir, copied := t.TempDir(), t.TempDir(), t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, ConfigDir: config, StateDir: dir})
	opened(t, a, d)
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 30)
	d.Drag(x, y, x+60, y-20, 5)
	var want parts.View
	var moved []float32
	uitest.Do(func() { moved, want = slices.Clone(marksOf(a).Pos.Data), a.desk.Active() })
	toured(t, a, d)
	deeds["look"].keys(t, a, d)
	d.Sleep(40 * time.Second)
	uitest.Do(a.docs.KeepNow)
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil { // as a kill leaves it: whole files, and nobody holds them
		t.Fatal(err)
	}
	uitest.Do(a.docs.Guest.Go)
	d.End()
	b, e := begin(t, 1280, 800, 1, Options{ConfigDir: t.TempDir(), StateDir: copied})
	e.Wait("it is listed", time.Minute, func() bool { return len(b.docs.Recovery.Left.Unsaved("")) > 0 })
	items := b.docs.Recovery.Left.Unsaved("")
	if len(items) != 1 || !items[0].Lost() || !strings.Contains(strings.Join(items[0].Data, ""), "tesseract") {
		t.Fatalf("what is left is %+v", items)
	}
	e.ClickOn("welcome/last")
	opened(t, b, e)
	uitest.Do(func() {
		if !slices.Equal(marksOf(b).Pos.Data, moved) || b.desk.Active().ID != want.ID {
			t.Error("what is recovered is not what was open")
		}
	})
}

// Another file ends the tour, and takes the place of what was open before it, which is put aside as ever.
func TestAFileEndsTheTour(t *testing.T) {
	config := t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, ConfigDir: config,
		StateDir: t.TempDir()})
	opened(t, a, d)
	own := a.desk.Doc.ID
	toured(t, a, d)
	path, _ := csvFile(t, t.TempDir())
	d.Drop(path)
	d.Wait("it is open", time.Minute, func() bool { return a.desk != nil && a.desk.Doc.Title == "mine.csv" })
	rest(t, a, d)
	list := a.docs.Shelf.List()
	if a.tour.On() || a.docs.Guest.Here() || len(list) != 1 || list[0].ID != own ||
		!slices.Equal(a.settings.Recent, []string{path}) {
		t.Fatalf("tour %v; put aside are %v, recent %q", a.tour.On(), list, a.settings.Recent)
	}
	uitest.Do(func() { a.docs.Shelf.Reopen(list[0]) })
	d.Wait("it is there again", time.Minute, func() bool { return a.desk.Doc.Title == "tesseract" })
	rest(t, a, d)
}

// A window that is closed during the tour closes what was open, as without it.
func TestClosingDuringTheTour(t *testing.T) {
	config, dir := t.TempDir(), t.TempDir()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, ConfigDir: config, StateDir: dir})
	opened(t, a, d)
	d.Keys("2")
	x, y := stand.MarkAt(a.desk, 30)
	d.Drag(x, y, x+60, y-20, 5)
	toured(t, a, d)
	d.End()
	b, e := begin(t, 1280, 800, 1, Options{ConfigDir: config, StateDir: dir})
	e.Wait("it is listed", time.Minute, func() bool { return b.docs.Recovery.Left.Last() != nil })
	items := b.docs.Recovery.Left.Unsaved("")
	if len(items) != 1 || items[0].Crashed() || !items[0].Changed ||
		!strings.Contains(strings.Join(items[0].Data, ""), "tesseract") {
		t.Fatalf("what is left is %+v", items)
	}
	if !b.settings.Sidebar || b.tour.On() {
		t.Fatal("settings are the tour's")
	}
}

// Where a step cannot be done as things are the tour says what to do first, and goes on when it is done.
func TestTheTourSaysWhatAStepNeeds(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Tour: true})
	d.Wait("the tour begins", 60*time.Second, a.tour.On)
	rest(t, a, d)
	for i, s := range tour.Steps() {
		if s.ID == "name" {
			for range i {
				d.ClickOn("tour/skip")
			}
			uitest.Do(func() {
				if s.Needs(a.desk) == "" {
					t.Error("nothing is selected, and it needs nothing")
				}
			})
		}
	}
	was := d.Rect("tour")
	d.Keys("4")
	d.Keys("Ctrl+A")
	d.Frames(3)
	if now := d.Rect("tour"); now.H() >= was.H() {
		t.Error("it says on what is missing when it is there")
	}
	d.ClickOn("tour/Back")
	if stepNow(a) != "select" {
		t.Fatalf("Back goes to %q", stepNow(a))
	}
}

// In every window, theme and size of the interface the card and what it points at are in sight, and no word is cut.
func TestTheTourIsInSight(t *testing.T) {
	for _, c := range []struct {
		w, h  int
		scale float32
		theme string
	}{{1280, 800, 1, "light"}, {500, 400, 1, "dark"}, {1600, 1200, 2, "dark"}, {1000, 800, 2, "light"}} {
		t.Run(fmt.Sprint(c), func(t *testing.T) {
			a, d := begin(t, c.w, c.h, c.scale, Options{Theme: c.theme, Tour: true})
			d.Wait("the tour begins", 60*time.Second, a.tour.On)
			rest(t, a, d)
			for {
				d.Sleep(2 * time.Second) // panels come into sight
				card, end := d.Rect("tour"), d.Rect("tour/end")
				var canvas, all, at widget.Rect
				var points bool
				uitest.Do(func() {
					canvas, all = a.rooms.regions.canvas, a.ui.Window()
					at, points = a.tour.Target()
				})
				id := stepNow(a)
				if !inside(card, canvas) || !inside(end, card) || card.Y1-end.Y1 > 20*c.scale {
					t.Errorf("%s: the card %v with its end %v in %v", id, card, end, canvas)
				}
				if id == "" {
					break
				}
				if !points || !inside(at, all) || !inside(d.Rect("spotlight"), all) || at.W() < 8 || at.H() < 8 {
					t.Errorf("%s points at %v, %v", id, at, points)
				}
				uitest.Do(a.tour.Skip)
			}
		})
	}
}

// inside says whether a rectangle lies in another.
func inside(r, in widget.Rect) bool {
	return r.X0 >= in.X0 && r.Y0 >= in.Y0 && r.X1 <= in.X1 && r.Y1 <= in.Y1 && !r.Empty()
}

// A run of the map that was open waits while the tour goes on, and goes on after it; a t-SNE that was shown is there
// again, point for point.
func TestWhatRunsWaitsForTheTour(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:500"}})
	opened(t, a, d)
	uitest.Do(func() {
		a.desk.Stage.SetEmbedding(a.desk.Stage.Active(), embedding.Recipe{Kind: "tsne", Dims: 2})
	})
	d.Frames(10)
	rest(t, a, d)
	points := slices.Clone(a.active().Points().Host())
	toured(t, a, d)
	uitest.Do(a.docs.Guest.Go)
	rest(t, a, d)
	if now := a.active().Points().Host(); len(points) == 0 || !slices.Equal(points, now) {
		t.Fatal("the t-SNE is another one")
	}
	uitest.Do(func() {
		a.desk.Doc.Do("Train longer", func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Values = step.Values{"epochs": 1000} })
		})
	})
	d.Keys("Ctrl+R")
	d.Frames(5)
	if !a.desk.Training().Active() {
		t.Fatal("it does not train")
	}
	toured(t, a, d)
	d.Frames(20)
	uitest.Do(a.docs.Guest.Go)
	d.Frames(5)
	at := func() (done int64) { _, p, _ := a.desk.Training().Progress(); return p.Done }
	before := at()
	d.Frames(30)
	if !a.desk.Training().Active() || at() <= before {
		t.Fatal("the training does not go on")
	}
	d.Keys("Space")
}

// The step of moving landmarks is done by one whose cells follow, and not by one that no cell follows; the tour points
// at one that moves cells.
func TestTheTourAsksForALandmarkThatCellsFollow(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{})
	toured(t, a, d)
	for stepNow(a) != "drag" {
		uitest.Do(a.tour.Skip)
		d.Frames(2)
	}
	idle, leading := -1, -1
	d.Wait("it is known whom landmarks move", 60*time.Second, func() bool {
		f := a.desk.Map.Influence()
		for i := range parts.Landmarks.Of(a.desk.Doc.State()).Len() {
			if f == nil {
				return false
			}
			if s := f.Standing(i, 0).Carries; s == 0 {
				idle = i
			} else if s > 0.02 {
				leading = i
			}
		}
		return true
	})
	if leading < 0 {
		t.Fatal("no landmark moves cells")
	}
	move := func(id int) {
		uitest.Do(func() {
			a.desk.Doc.Do("Move a landmark", func(s *state.State) {
				moved, err := parts.Landmarks.Of(*s).Move([]int{id}, []float32{0.3, 0.2})
				if err != nil {
					t.Error(err)
					return
				}
				moved.ByHand = true
				parts.Landmarks.Put(s, moved)
			})
		})
		rest(t, a, d)
	}
	var done bool
	if idle >= 0 {
		move(idle)
		if uitest.Do(func() { done = a.tour.Done() }); done || stepNow(a) != "drag" {
			t.Errorf("landmark %d, which moves no cells, is enough", idle)
		}
	} else {
		t.Log("each landmark moves cells")
	}
	move(leading)
	d.Wait("it is done", 10*time.Second, func() bool {
		s, _, _ := a.tour.Step()
		return a.tour.Done() || s.ID != "drag"
	})
}
