package documents

import (
	"archive/zip"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// stored lists what is in a state folder.
func stored(t *testing.T, dir string) []recovery.Item {
	t.Helper()
	items, err := recovery.In(dir).List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return items
}

// crash leaves a session of what is open behind, as a window does that ends without closing.
func crash(t *testing.T, a *room, dir string, about recovery.About, at time.Time) string {
	t.Helper()
	s, err := recovery.In(dir).Claim()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	uitest.Do(func() {
		picture := a.docs.About().Picture
		about.Picture, about.Landmarks = picture, parts.Landmarks.Of(a.Desk().Doc.State()).Len()
		err = s.Save(a.Desk().Doc.Copy(), about, "blossom test", at)
	})
	if err != nil {
		t.Fatal(err)
	}
	return s.Path()
}

// rename names landmark 0.
func rename(a *room, name string) {
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{0}, name) })
}

// kept is the name of landmark 0 in the newest save of what is open.
func kept(t *testing.T, a *room) string {
	t.Helper()
	return nameIn(t, a.docs.Autosave.Path())
}

// nameIn is the name of landmark 0 in a session.
func nameIn(t *testing.T, path string) string {
	t.Helper()
	text := partsText(t, path)
	for _, name := range []string{"first", "second", "third"} {
		if strings.Contains(text, `"`+name+`"`) {
			return name
		}
	}
	return ""
}

// partsText is the JSON of the parts in a session.
func partsText(t *testing.T, path string) (out string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		if !strings.HasPrefix(f.Name, "parts/") {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out += string(text)
	}
	return out
}

// saved waits until what is open has been saved by itself.
func saved(t *testing.T, a *room, d *uitest.Driver) {
	t.Helper()
	d.Frames(2)
	d.Sleep(Every + time.Second)
	d.Wait("it is saved by itself", 20*time.Second, func() bool {
		return a.docs.Autosave.Has(a.Desk().Doc)
	})
}

// The content alone decides whether a state is saved: a change of a second name is saved, as pins and speed are.
func TestEveryChangeIsSaved(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	rename(a, "first")
	saved(t, a, d)
	if got := kept(t, a); got != "first" {
		t.Fatalf("kept %q", got)
	}
	uitest.Do(a.Undo)
	rename(a, "second")
	saved(t, a, d)
	if got := kept(t, a); got != "second" {
		t.Fatalf("kept %q after the other name was undone", got)
	}
	for what, change := range map[string]func(s *state.State){
		`"pinned":[`: func(s *state.State) {
			l, err := parts.Landmarks.Of(*s).Pin([]int{1}, true)
			if err != nil {
				t.Error(err)
			}
			parts.Landmarks.Put(s, l)
		},
		`"speed":4321`: func(s *state.State) {
			parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Speed = 4321 })
		},
	} {
		uitest.Do(func() { a.Desk().Doc.Do("x", change) })
		saved(t, a, d)
		if !strings.Contains(partsText(t, a.docs.Autosave.Path()), what) {
			t.Errorf("%s was not saved", what)
		}
	}
}

// A session that is opened is called by its name until it is changed, also when it was saved by itself since.
func TestTheTitleNamesTheSession(t *testing.T) {
	dir := t.TempDir()
	a, d := enter(t, 900, 600, Options{StateDir: dir}, "demo:s-sheet:500")
	opened(t, a, d)
	rename(a, "third")
	saved(t, a, d)
	name := filepath.Join(t.TempDir(), "mine.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(name) })
	d.Wait("the session is written", 10*time.Second, func() bool { return exists(name) && !a.docs.Saving.Busy() })
	d.Frames(2)
	d.Wait("the slot is told at once", 20*time.Second, func() bool { return a.docs.Autosave.Has(a.Desk().Doc) })
	// Should the window crash now, nobody is told that there was work that was never saved.
	if about, ok := a.docs.Autosave.Store.About(a.docs.Autosave.Path()); !ok || about.Session != name || about.Changed {
		t.Errorf("the slot says %+v", about)
	}
	d.End()
	b, e := enter(t, 900, 600, Options{StateDir: dir}, name)
	opened(t, b, e)
	saved(t, b, e)
	if got := b.docs.Saving.Text(); got != "saved as mine.blossom" {
		t.Fatalf("it says %q", got)
	}
	rename(b, "first")
	saved(t, b, e)
	if got := b.docs.Saving.Text(); !strings.HasPrefix(got, "autosaved") {
		t.Fatalf("changed, it says %q", got)
	}
	// After a crash it is the same session, changed.
	left := filepath.Join(dir, "left")
	path := crash(t, b, left, b.docs.About(), time.Now())
	e.End()
	c, f := enter(t, 900, 600, Options{StateDir: left}, path)
	opened(t, c, f)
	if c.Desk().Session != name || strings.HasPrefix(c.docs.Saving.Text(), "saved as") || !c.docs.Unsaved() {
		t.Fatalf("%q, %q", c.Desk().Session, c.docs.Saving.Text())
	}
}

// Each of several crashed sessions is listed, and is opened or forgotten by itself; what is open elsewhere is left
// alone.
func TestEachCrashedSessionIsListed(t *testing.T) {
	dir := t.TempDir()
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	at := time.Unix(1_700_000_000, 0)
	for i, name := range []string{"one", "two", "three"} {
		crash(t, a, dir, recovery.About{Name: name, Changed: true}, at.Add(time.Duration(i-5)*time.Minute))
	}
	other, err := recovery.In(dir).Claim()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Release()
	uitest.Do(func() {
		err = other.Save(a.Desk().Doc.Copy(), recovery.About{Name: "elsewhere"}, "test", at)
	})
	if err != nil {
		t.Fatal(err)
	}
	d.End()

	b, e := enter(t, 1000, 800, Options{StateDir: dir})
	e.Wait("they are listed", 10*time.Second, func() bool { return len(b.docs.Recovery.Left.Crashed()) == 3 })
	e.Frames(3)
	e.ClickOn("recover")
	e.Frames(3)
	id := map[string]string{}
	for _, i := range stored(t, dir) {
		id[i.Name] = i.ID
		if n := i.Picture.Len(); i.Name != "elsewhere" && n < 300 {
			t.Fatalf("its picture has %d points", n)
		}
	}
	drop, back := func(name string) { e.ClickOn(id[name] + "/drop"); e.Frames(2) },
		func(name string) { e.ClickOn(id[name] + "/open"); e.Frames(2) }
	if e.Has(id["elsewhere"]+"/drop") || e.Has(id["elsewhere"]+"/open") {
		t.Fatal("what another window has open can be opened or forgotten")
	}
	drop("one")
	drop("two")
	back("one") // taken back
	if len(stored(t, dir)) != 4 {
		t.Fatal("forgotten before the list was closed")
	}
	e.ClickOn("end")
	e.Wait("it is forgotten", 10*time.Second, func() bool { return b.Jobs.Idle() })
	names := func() (out []string) {
		for _, i := range stored(t, dir) {
			out = append(out, i.Name)
		}
		return out
	}
	if got := names(); !slices.Equal(got, []string{"three", "one", "elsewhere"}) {
		t.Fatal(got)
	}
	uitest.Do(b.docs.Recovery.Show)
	e.Frames(4)
	back("one")
	opened(t, b, e)
	if b.docs.Autosave.ID() != id["one"] || b.dialogs.Open("recover") != nil {
		t.Fatalf("it does not go on in its slot: %s", b.docs.Autosave.ID())
	}
	if got := names(); !slices.Equal(got, []string{"three", "one", "elsewhere"}) {
		t.Fatal("opening one has forgotten others:", got)
	}
	// Another file leaves it as closed, with the work that there was.
	rename(b, "first")
	e.Frames(2)
	uitest.Do(func() { b.docs.Open("demo:s-sheet:600") })
	e.Wait("the other is open", 20*time.Second, func() bool { return b.Desk().Doc.Data.Points == 600 })
	opened(t, b, e)
	for _, i := range stored(t, dir) {
		if i.ID == id["one"] && (!i.Closed || !i.Changed || i.Held) {
			t.Fatalf("%+v", i)
		}
	}
	// Reopened it goes on there again.
	e.Keys("Ctrl+Shift+T")
	e.Wait("the former one is back", 20*time.Second, func() bool { return b.Desk().Doc.Data.Points == 500 })
	opened(t, b, e)
	if b.docs.Autosave.ID() != id["one"] {
		t.Fatal("reopened it has another slot")
	}
	// Closed, nothing of it counts as open.
	uitest.Do(b.docs.Leave)
	e.Frames(2)
	e.Wait("it is let go of", 10*time.Second, func() bool { return b.Jobs.Idle() })
	for _, i := range stored(t, dir) {
		if i.Held != (i.ID == id["elsewhere"]) || i.Crashed() && i.ID == id["one"] {
			t.Fatalf("%+v", i)
		}
	}
}

// "Continue the last session" goes on with the one that was worked on last, crashed or not.
func TestTheLastSessionIsContinued(t *testing.T) {
	dir := t.TempDir()
	a, d := enter(t, 900, 600, Options{StateDir: dir}, "demo:s-sheet:500")
	opened(t, a, d)
	path := crash(t, a, dir, recovery.About{Name: "crashed"}, time.Now().Add(time.Hour))
	d.End() // which leaves the same as closed, an hour earlier
	b, e := enter(t, 1000, 800, Options{StateDir: dir})
	e.Wait("they are listed", 10*time.Second, func() bool { return b.docs.Recovery.Left.Last() != nil })
	e.Frames(3)
	e.ClickOn("last")
	opened(t, b, e)
	if got := filepath.Base(filepath.Dir(path)); b.docs.Autosave.ID() != got {
		t.Fatalf("opened %s, not %s", b.docs.Autosave.ID(), got)
	}
}

// While a transform is being applied, which may take long, what was done before it is saved.
func TestSavedInTheMiddleOfATransform(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:s-sheet:500")
	opened(t, a, d)
	saved(t, a, d)
	rename(a, "first")
	d.Frames(1)
	uitest.Do(func() {
		a.Desk().Doc.Do("Transform", func(s *state.State) {
			parts.Transform.Edit(s, func(t *transform.Spec) { t.Scale = !t.Scale })
		})
		if parts.Settled(a.Desk().Doc.State()) {
			t.Error("the transform is there at once")
		}
		a.docs.Autosave.Tick(a.docs.context.Now().Add(Every), a.docs.current(), "test", a.docs.About, a.Fail)
	})
	a.docs.Autosave.Wait()
	if got := kept(t, a); got != "first" {
		t.Fatalf("kept %q", got)
	}
	rest(t, a, d)
}

// Where nothing can be saved that is said, once, and the window goes on; when it can be again, it is.
func TestNothingCanBeSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 900, 600, Options{StateDir: dir}, "demo:s-sheet:500")
	opened(t, a, d)
	d.Wait("it is said", 10*time.Second, func() bool { return a.troubled() != nil })
	if a.troubled().Remedy == "" || a.docs.Saving.Text() != "not saved by itself" {
		t.Fatalf("%v, %q", a.troubled(), a.docs.Saving.Text())
	}
	uitest.Do(func() { a.dialogs.Close("problem") })
	rename(a, "first")
	d.Frames(2)
	d.Sleep(Every + time.Second)
	d.Wait("it has tried again", 10*time.Second, func() bool { return a.Jobs.Idle() })
	if a.troubled() != nil {
		t.Fatal("it is said again and again")
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	saved(t, a, d)
	if kept(t, a) != "first" || a.docs.Saving.Text() == "not saved by itself" {
		t.Fatal(a.docs.Saving.Text())
	}
}

// recoverItems are sessions of every kind, for pictures.
func recoverItems(a *room) {
	now := a.docs.context.Now()
	p := a.docs.About().Picture
	item := func(name, data string, points int, ago time.Duration, size int64) recovery.Item {
		return recovery.Item{ID: name, Path: name, Points: points, At: now.Add(-ago), Size: size,
			Data: []string{data}, About: recovery.About{Name: name, Changed: true, Landmarks: 400, Things: "cells"}}
	}
	panel := item("cytometry-panel-2", "/data/patient 01.fcs", 94_944, 7*time.Minute, 3_100_000)
	panel.Data = append(panel.Data, "/data/patient 02.fcs", "/data/patient 03.fcs")
	panel.Session, panel.SessionAt = "x", panel.At.Add(-12*time.Minute)
	study := item("mammoth study", "demo:mammoth", 20_000, 3*time.Hour, 400_000)
	study.Things, study.Closed = "points", true
	gates := item("68983 gates", "/data/68983.fcs", 19_225, 28*time.Hour, 1_200_000)
	gates.Session, gates.SessionAt, gates.Missing = "x", gates.At.Add(-20*time.Hour), gates.Data
	none := item("untitled", "/data/cytometry.csv", 60_000, 4*24*time.Hour, 900_000)
	none.Damage = "colours damaged, the rest is whole"
	open := item("timecourse", "/data/well A1.fcs", 1_204_118, 0, 5_600_000)
	open.Held = true
	items := []recovery.Item{panel, study, gates, none, open}
	for i := range items {
		items[i].Picture = p
	}
	dialog.Recover.Show(a.dialogs, dialog.LeftWork{List: func() []recovery.Item { return items }})
}

func TestRecoverPictures(t *testing.T) {
	local := time.Local
	time.Local = time.UTC
	t.Cleanup(func() { time.Local = local })
	a, d := enter(t, 960, 640, Options{}, "demo:cytometry:4000")
	opened(t, a, d)
	uitest.Do(func() { recoverItems(a) })
	d.Frames(4)
	looks(a, d, "recover", "recover")
}
