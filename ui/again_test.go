package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/model/scale"
	"blossom/ui/uitest"
	"blossom/ui/uitest/folder"
)

// finishedFolder is one with the parts of two files, of which 800 rows are shown.
func finishedFolder(t *testing.T) (path string) {
	t.Helper()
	return folder.Finished(t, "8x8", 800)
}

// keptData is the table of the session that is kept by itself, once it is kept.
func keptData(t *testing.T, a *App, d *uitest.Driver) (path string) {
	t.Helper()
	d.Wait("it is kept", 60*time.Second, func() bool { return a.docs.Autosave.Has(a.desk.Doc) })
	f, err := os.Open(a.docs.Autosave.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := session.Read(f, f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return s.Data.Path
}

// makeParts makes what is missing in a folder, and finishes it.
func makeParts(t *testing.T, path string) {
	t.Helper()
	p, err := scale.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	folder.Make(t, p)
}

// moveLandmarks has the density of all rows be of other landmarks.
func moveLandmarks(t *testing.T, a *App) {
	t.Helper()
	uitest.Do(func() {
		l, err := parts.Landmarks.Of(a.desk.Doc.State()).Move([]int{0, 1, 2, 8, 9, 10}, []float32{-3, -2})
		if err != nil {
			t.Error(err)
			return
		}
		a.desk.Doc.Do("Move landmarks", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
	})
}

// All rows are embedded again when landmarks were moved: asked from beside what says so, by the program, into a folder
// beside the old one. Who cancels keeps what is made and goes on; then the window shows the new density.
func TestAllRowsAreEmbeddedAgain(t *testing.T) {
	folder := finishedFolder(t)
	program, said := filmer(t, `echo "progress 50 parts 1/2" >&2
: > "$0.begun"
trap 'rm "$0.begun"; exit 130' INT TERM
while [ ! -e "$0.go" ]; do sleep 0.05; done
`)
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{scale.Shown(folder)}, Still: true, Program: program})
	opened(t, a, d)
	can := func() (ok bool) {
		uitest.Do(func() { ok = window{a}.Command("embed-again").Can })
		return ok
	}
	if can() {
		t.Error("it can be embedded again before anything was moved")
	}
	moveLandmarks(t, a)
	rest(t, a, d)
	uitest.Do(func() { a.docs.Autosave.Off = false })
	if kept := keptData(t, a, d); kept != scale.SampleIn(folder) {
		t.Errorf("what is kept is of %s", kept)
	}
	d.Shoot("again-moved")
	if !can() {
		t.Fatal("it cannot be embedded again")
	}
	d.ClickOn("remake1/remake")
	d.Frames(3)
	d.Shoot("again-asked")
	d.Keys("Enter")
	runs := func() bool { return exists(program+".begun") && len(a.compute.jobs.List()) == 1 }
	remarked := func() bool { return runs() && a.compute.jobs.List()[0].Remarked() == "1 of 2 parts" }
	d.Wait("the program runs", 60*time.Second, remarked)
	d.Frames(2)
	d.Shoot("again-runs")
	next := scale.Beside(folder)
	if !strings.HasSuffix(next, "out-again-2") {
		t.Errorf("the next folder would be %s", next)
	}
	next = filepath.Join(filepath.Dir(folder), "out-again")
	raw, _ := os.ReadFile(said)
	args := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if len(args) != 5 || args[0] != "resume" || args[1] != next || args[3] != "--runner" || args[4] != "local" {
		t.Errorf("it runs %q", args)
	}
	if can() {
		t.Error("it can be embedded again twice at once")
	}
	uitest.Do(func() { a.compute.jobs.CancelAll() })
	d.Wait("it is cancelled", 20*time.Second, func() bool {
		return len(a.compute.jobs.List()) == 0 && a.compute.jobs.Idle() && !exists(program+".begun")
	})
	d.Frames(3)
	d.Shoot("again-left")
	makeParts(t, next)
	if err := os.WriteFile(program+".go", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	d.ClickOn("toast 2/Go on")
	d.Wait("it is done", 60*time.Second, func() bool {
		return live.AllRowsOf(a.desk.Map).Folder == next && a.compute.jobs.Idle()
	})
	rest(t, a, d)
	d.Shoot("again-done")
	uitest.Do(func() {
		if live.AllRowsOf(a.desk.Map).Footing() != live.Saved || a.desk.Doc.Title != "out-again" ||
			a.desk.Doc.Data.Path != scale.SampleIn(next) {
			t.Errorf("%v of %s, data %s", live.AllRowsOf(a.desk.Map).Footing(), a.desk.Doc.Title, a.desk.Doc.Data.Path)
		}
	})
	if kept := keptData(t, a, d); kept != scale.SampleIn(next) {
		t.Errorf("what is kept goes on with %s", kept)
	}
	if can() {
		t.Error("it can be embedded again though nothing has moved")
	}
}

// A runner elsewhere goes on when the window has gone, one of this machine ends with it; what went wrong is told in the
// program's words.
func TestARunnerElsewhereOutlivesTheWindow(t *testing.T) {
	folder := finishedFolder(t)
	p, err := scale.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	program, said := filmer(t, `: > "$0.begun"
trap 'rm "$0.begun"; exit 130' INT TERM
while [ ! -e "$0.go" ]; do sleep 0.05; done
echo "blossom: sbatch: no such partition: ask who runs the cluster" >&2
: > "$0.ended"
exit 1
`)
	if err := p.Note(scale.Placed{Runner: "prism", Args: []string{"--a=b"}}); err != nil {
		t.Fatal(err)
	}
	a, d := begin(t, 900, 700, 1, Options{Paths: []string{scale.Shown(folder)}, Still: true, Program: program})
	opened(t, a, d)
	moveLandmarks(t, a)
	rest(t, a, d)
	next := filepath.Join(filepath.Dir(folder), "out-again")
	uitest.Do(func() { a.output.AllRows.Again(next) })
	d.Wait("the program runs", 60*time.Second, func() bool { return exists(program + ".begun") })
	raw, _ := os.ReadFile(said)
	if got := strings.Join(strings.Fields(string(raw)), " "); got != "resume "+next+
		" --progress --runner prism --runner-args --a=b" {
		t.Errorf("it runs %q", got)
	}
	uitest.Do(func() { a.output.Leave(); a.compute.jobs.CancelAll() })
	d.Wait("the window has let go", 20*time.Second, func() bool { return len(a.compute.jobs.List()) == 0 })
	if !exists(program + ".begun") {
		t.Fatal("it was ended with the window")
	}
	if err := os.WriteFile(program+".go", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(5 * time.Minute); !exists(program + ".ended"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it has not gone on")
		}
	}
}
