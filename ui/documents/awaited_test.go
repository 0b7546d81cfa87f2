package documents

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// A script that has opened the window finds in its file what the user has done, soon after it and when the window
// closes; the file is not asked for, and nothing of it is among the user's own files.
func TestAScriptHasTheSession(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, dir)
	to := filepath.Join(dir, "result.blossom")
	a, d := enter(t, 1280, 800, Options{To: to, StateDir: filepath.Join(dir, "state")}, csv)
	opened(t, a, d)
	named := func() string {
		o, err := opening.LoadSession(t.Context(), to, "", "", format.Options{}, nil)
		if err != nil {
			return ""
		}
		return parts.Landmarks.Of(o.Doc.State()).Names[3]
	}
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells") })
	d.Sleep(2 * time.Second)
	d.Wait("the name is in the file", time.Minute, func() bool { return !a.docs.Awaited.busy && named() == "B cells" })
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "T cells") })
	d.Keys("Ctrl+S")
	d.Wait("it was saved without a question", time.Minute, func() bool {
		return !a.docs.Saving.Busy() && named() == "T cells"
	})
	if a.docs.Saving.Text() != "saved as result.blossom" {
		t.Errorf("the window says %q", a.docs.Saving.Text())
	}
	uitest.Do(func() {
		dialog.NameLandmarks(a.Desk(), []int{3}, "NK cells")
		a.docs.End()
	})
	if got := named(); got != "NK cells" || a.docs.Awaited.Err() != nil {
		t.Errorf("when it closes, %q is in the file (%v)", got, a.docs.Awaited.Err())
	}
	if _, err := os.Stat(filepath.Join(dir, "state", "sessions")); err == nil || len(a.docs.Recent.Recent) > 0 {
		t.Errorf("the window remembers %q, and has saved by itself (%v)", a.docs.Recent.Recent, err)
	}
}

// Before another document takes the place of the script's, what was done is in the file; the other is none of the
// script's, and is among the recent ones.
func TestAnotherDocumentIsNotTheScripts(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, dir)
	to := filepath.Join(dir, "result.blossom")
	a, d := enter(t, 1280, 800, Options{To: to, StateDir: filepath.Join(dir, "state")}, "demo:tesseract:1000")
	opened(t, a, d)
	uitest.Do(func() {
		dialog.NameLandmarks(a.Desk(), []int{3}, "B cells")
		a.docs.Open(csv)
	})
	d.Wait("the other one is open", time.Minute, func() bool { return a.Desk().Doc.Title == "mine.csv" })
	opened(t, a, d)
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "none of it") })
	d.Sleep(3 * time.Second)
	uitest.Do(a.docs.End)
	o, err := opening.LoadSession(t.Context(), to, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := parts.Landmarks.Of(o.Doc.State()).Names[3]; got != "B cells" || o.Doc.Title != "tesseract" {
		t.Errorf("the file has %q of %s", got, o.Doc.Title)
	}
	if len(a.docs.Recent.Recent) != 1 || filepath.Base(a.docs.Recent.Recent[0]) != "mine.csv" {
		t.Errorf("recent files are %q", a.docs.Recent.Recent)
	}
}

// Where the file cannot be written that is said once, and it is the reason why the script gets nothing.
func TestAFileThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "gone", "result.blossom")
	if err := os.WriteFile(filepath.Join(dir, "gone"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 1280, 800, Options{To: to}, "demo:tesseract:1000")
	d.Wait("it is said", time.Minute, func() bool { return a.docs.Awaited.fails })
	d.Keys("Esc")
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells") })
	d.Sleep(3 * time.Second)
	uitest.Do(a.docs.End)
	if a.docs.Awaited.Err() == nil {
		t.Error("nothing says why the file is not there")
	}
}

// A script whose window was closed before there was a document is told so: it has no file.
func TestAScriptWithoutADocumentIsTold(t *testing.T) {
	to := filepath.Join(t.TempDir(), "result.blossom")
	a, _ := enter(t, 1280, 800, Options{To: to})
	uitest.Do(a.docs.End)
	if err := a.docs.Awaited.Err(); problem.As(err).File != to || !strings.Contains(err.Error(), "was closed before") {
		t.Errorf("it is told %v", err)
	}
	if err := os.WriteFile(to, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := a.docs.Awaited.Err(); err != nil {
		t.Errorf("of a file that was there already: %v", err)
	}
}

// A save that ends after a later one has ended changes nothing of what is known of the file.
func TestASaveThatEndsLateIsNotTheLast(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "result.blossom")
	a, d := enter(t, 1280, 800, Options{To: to, StateDir: filepath.Join(dir, "state")}, "demo:tesseract:1000")
	opened(t, a, d)
	w := &a.docs.Awaited
	d.Wait("it is written", time.Minute, func() bool { return !w.busy && w.saved.doc != nil && !a.Desk().Busy() })
	uitest.Do(func() {
		dialog.NameLandmarks(a.Desk(), []int{3}, "B cells")
		late := w.begin()
		dialog.NameLandmarks(a.Desk(), []int{3}, "T cells")
		w.now()
		last, saved, written := w.saved, a.Desk().Saved, a.Desk().Written
		w.wrote(late, fingerprint.Print{}, nil)
		w.wrote(late, fingerprint.Print{}, errors.New("no room"))
		if late.saved == last || w.saved != last || a.Desk().Saved != saved || a.Desk().Written != written ||
			w.Err() != nil {
			t.Errorf("what is known is of an earlier save (%v)", w.Err())
		}
	})
}

// While the document makes no sense as a session, as a transform is being applied, the same is not written again.
func TestTheSameSessionIsNotWrittenAgain(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "result.blossom")
	a, d := enter(t, 1280, 800, Options{To: to, StateDir: filepath.Join(dir, "state")}, "demo:tesseract:1000")
	opened(t, a, d)
	w := &a.docs.Awaited
	d.Wait("it is written", time.Minute, func() bool { return !w.busy && w.saved.doc != nil && !a.Desk().Busy() })
	uitest.Do(func() {
		a.Desk().Doc.Do("Change the transform", func(s *state.State) {
			spec := parts.Transform.Of(*s).Clone()
			spec.Columns[0].Weight = 3
			parts.Transform.Put(s, spec)
		})
		w.now() // it is one step of the history more
		if parts.Settled(a.Desk().Doc.State()) {
			t.Error("the document makes sense")
		}
		w.next = time.Time{}
		now := time.Now()
		w.tick(now)
		if _, due := w.due(); w.busy || !due || !w.next.Equal(now.Add(awaitedEvery)) {
			t.Errorf("it is written again (%v), next in %v", w.busy, w.next.Sub(now))
		}
	})
}
