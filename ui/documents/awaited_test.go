package documents

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
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
