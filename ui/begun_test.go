package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/uitest"
)

// finishedByOthers is a finished folder, and the folder of a plan beside it that something else has begun, by landmarks
// that were moved.
func finishedByOthers(t *testing.T) (folder string, next *scale.Plan) {
	t.Helper()
	folder = finishedFolder(t)
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{scale.Shown(folder)}, Still: true})
	opened(t, a, d)
	moveLandmarks(t, a)
	rest(t, a, d)
	var asked scale.Asked
	uitest.Do(func() {
		var err error
		asked, err = scale.AskedBy(a.desk.Doc.Snapshot(a.desk.Doc.State()), a.desk.Table(), "a", "blossom test")
		if err != nil {
			t.Error(err)
		}
	})
	d.End()
	w, err := scale.WholeOf(scale.SampleIn(folder))
	if err == nil {
		next, err = w.Again(t.Context(), asked, scale.Beside(folder), "blossom test", nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder, next
}

// there is a map that is open, whatever goes on beside it.
func there(t *testing.T, a *App, d *uitest.Driver) {
	t.Helper()
	d.Wait("a map is open", 60*time.Second, func() bool { return a.desk != nil && a.docs.Opening() == nil })
}

// going says whether the status bar has one thing going on, which says so of itself.
func going(a *App, title, far string) func() bool {
	return func() bool {
		list := a.compute.jobs.List()
		return len(list) == 1 && list[0].Title == title && list[0].Remarked() == far
	}
}

// told says whether a message over the map says this.
func told(a *App, text string) func() bool {
	return func() bool { return strings.Contains(a.ui.Toasts(), text) }
}

// A run that goes on elsewhere when a window is opened is found, with its progress, and what it has made is offered.
func TestAReopenedWindowFindsWhatGoesOn(t *testing.T) {
	folder, next := finishedByOthers(t)
	_, release := next.Hold(t.Context())
	defer release()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	can := false
	if uitest.Do(func() { can = a.output.AllRows.CanAgain() }); can {
		t.Error("it can be embedded again twice at once")
	}
	makeParts(t, next.Folder())
	release()
	d.Wait("it is offered", 60*time.Second, told(a, "All 5,000 rows are embedded again, in out-again"))
	rest(t, a, d)
	d.Shoot("begun-offered")
	uitest.Do(func() {
		if live.AllRowsOf(a.desk.Map).Folder != folder {
			t.Error("another density is shown than that of the landmarks, which have not moved")
		}
	})
	d.End()
	a, d = begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}})
	opened(t, a, d)
	if !told(a, "All rows were embedded again, in out-again")() {
		t.Errorf("what has ended meanwhile is not told: %s", a.ui.Toasts())
	}
}

// Where the landmarks have moved from those of the folder, the new density is shown in its place when it is there.
func TestADensityMadeElsewhereIsShown(t *testing.T) {
	folder, next := finishedByOthers(t)
	_, release := next.Hold(t.Context())
	defer release()
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	moveLandmarks(t, a)
	makeParts(t, next.Folder())
	release()
	d.Wait("it is shown", 60*time.Second, func() bool {
		return live.AllRowsOf(a.desk.Map).Folder == next.Folder()
	})
	uitest.Do(func() {
		if live.AllRowsOf(a.desk.Map).Footing() != live.Saved {
			t.Error("it is not that of the landmarks")
		}
	})
}

// A run that goes on elsewhere ends when it is cancelled here, goes on when the window goes, and is gone on with.
func TestWhatGoesOnElsewhereIsCancelledAndGoneOnWith(t *testing.T) {
	folder, next := finishedByOthers(t)
	if err := next.Note(scale.Placed{Runner: "prism"}); err != nil {
		t.Fatal(err)
	}
	inner, release := next.Hold(t.Context())
	ended := context.AfterFunc(inner, release)
	defer ended()
	program, said := filmer(t, "exit 0\n")
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{scale.Shown(folder)}, Program: program})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	uitest.Do(func() { a.output.Leave(); a.compute.jobs.CancelAll() })
	d.Wait("the window has let go", 20*time.Second, func() bool { return len(a.compute.jobs.List()) == 0 })
	if d.End(); inner.Err() != nil || !scale.Held(next.Folder()) {
		t.Fatal("it has ended with the window")
	}
	a, d = begin(t, 900, 700, 1, Options{Paths: []string{scale.Shown(folder)}, Program: program})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	uitest.Do(func() { a.compute.jobs.CancelAll() })
	d.Wait("it has ended", 60*time.Second, func() bool { return inner.Err() != nil && !scale.Held(next.Folder()) })
	d.Wait("that is told", 60*time.Second, told(a, "out-again has 0 of 2 parts"))
	d.Frames(3)
	d.Shoot("begun-left")
	makeParts(t, next.Folder())
	d.ClickOn("toast 2/Go on")
	d.Wait("it is gone on with", 60*time.Second, told(a, "All 5,000 rows are embedded again, in out-again"))
	raw, _ := os.ReadFile(said)
	if got := strings.Join(strings.Fields(string(raw)), " "); got != "resume "+next.Folder()+
		" --progress --runner prism" {
		t.Errorf("it runs %q", got)
	}
}

// A run that has ended elsewhere without all parts says why, in its words.
func TestWhatFailsElsewhereIsTold(t *testing.T) {
	folder, next := finishedByOthers(t)
	_, release := next.Hold(t.Context())
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{scale.Shown(folder)}})
	there(t, a, d)
	d.Wait("it is found", 60*time.Second, going(a, "Embedding again: out-again", "0 of 2 parts"))
	err := os.WriteFile(filepath.Join(next.Folder(), "resume.log"),
		[]byte("progress 10 parts 0/2\nblossom: sbatch: no such partition: ask who runs the cluster\n"), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	release()
	d.Wait("it is told", 60*time.Second, func() bool { return a.dialogs.Any() })
	d.Frames(3)
	d.Shoot("begun-failed")
	if !strings.Contains(a.log.text(), "could not be embedded again: sbatch: no such partition") {
		t.Errorf("the log says %s", a.log.text())
	}
}

// A folder that is not finished is opened when it is: who opens it sees how far it is, and has it gone on with.
func TestAFolderThatIsNotFinishedIsOpenedWhenItIs(t *testing.T) {
	folder := finishedFolder(t)
	for _, name := range []string{"manifest.json", "parts/000001.json", "sample.json", "sample.parquet"} {
		if err := os.Remove(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	program, _ := filmer(t, "exit 0\n")
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{folder}, Program: program})
	d.Wait("it is asked", 60*time.Second, func() bool { return a.dialogs.Any() })
	d.Frames(3)
	d.Shoot("begun-asked")
	makeParts(t, folder)
	d.Keys("Enter")
	opened(t, a, d)
	uitest.Do(func() {
		if live.AllRowsOf(a.desk.Map) == nil || parts.Landmarks.Of(a.desk.Doc.State()).Len() != 64 {
			t.Error("something else is open")
		}
	})
	d.End()
	if err := os.Remove(filepath.Join(folder, "manifest.json")); err != nil {
		t.Fatal(err)
	}
	p, err := scale.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	_, release := p.Hold(t.Context())
	defer release()
	a, d = begin(t, 900, 700, 1, Options{Paths: []string{folder}, Program: program})
	d.Wait("it is followed", 60*time.Second, going(a, "Making out", "2 of 2 parts"))
	d.Frames(2)
	d.Shoot("begun-going")
	makeParts(t, folder)
	release()
	opened(t, a, d)
}

// The views of a map stand where an empty window has shown all rows of its folder.
func TestTheMapStandsWhereAllRowsStood(t *testing.T) {
	for _, w := range []int{1280, 500} { // beside the panels, and without them
		a, d := begin(t, w, 700, 1, Options{Still: true})
		d.Frames(3)
		was := a.rooms.side.Views(a.rooms.regions.canvas)
		uitest.Do(func() { a.docs.Open("demo:tesseract:900") })
		opened(t, a, d)
		if is := a.rooms.regions.canvas; was != is {
			t.Errorf("%d wide: %v before, %v with a map", w, was, is)
		}
		d.End()
	}
}
