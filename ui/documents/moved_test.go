package documents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// savedSession opens a table, names a landmark, and saves that as a session in another folder.
func savedSession(t *testing.T, a *room, d *uitest.Driver, csv string) (path string) {
	t.Helper()
	uitest.Do(func() { a.docs.Open(csv) })
	opened(t, a, d)
	path = filepath.Join(t.TempDir(), "maps", "s.blossom")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells"); a.docs.Saving.SessionTo(path) })
	rest(t, a, d)
	return path
}

// A session whose data has moved asks for it; one whose data has changed says what is different, and opens with it
// when that is wanted.
func TestDataThatMovedOrChangedIsAskedFor(t *testing.T) {
	dir := t.TempDir()
	csv, text := csvFile(t, dir)
	a, d := enter(t, 1280, 800, Options{})
	s := savedSession(t, a, d, csv)
	before := a.Desk().Doc
	moved := filepath.Join(t.TempDir(), "renamed.csv")
	if err := os.Rename(csv, moved); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks where the data is", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	if a.troubled() != nil || a.Desk().Doc != before || a.asked().About != csv {
		t.Fatalf("%v, asks about %q", a.troubled(), a.asked().About)
	}
	d.ClickOn("Look for it…")
	d.Frames(3)
	if a.dialogs.Open("files") == nil {
		t.Fatal("no dialog to look for it")
	}
	d.Keys("Ctrl+A")
	d.Type(moved)
	d.Keys("Enter")
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if l := parts.Landmarks.Of(a.Desk().Doc.State()); l.Names[3] != "B cells" || a.Desk().Doc.Data.Path != moved {
		t.Fatalf("data at %s", a.Desk().Doc.Data.Path)
	}

	// Two rows less, a column more, and another one called otherwise.
	lines := strings.Split(strings.TrimSpace(text), "\n")
	lines = lines[:len(lines)-2]
	for i := range lines {
		lines[i] += ",1"
	}
	lines[0] = "a,B,kind,new"
	if err := os.WriteFile(csv, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	before = a.Desk().Doc
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks about the change", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	said := strings.Join(a.asked().List, "|")
	for _, w := range []string{"398 rows, where there were 400", "gone: b", "new: B, new", "bytes, where it had"} {
		if !strings.Contains(said, w) {
			t.Errorf("%q does not say %q", said, w)
		}
	}
	d.Frames(3)
	d.ClickOn("Cancel")
	d.Frames(2)
	if a.Desk().Doc != before || a.dialogs.Count("question") > 0 {
		t.Fatal("opened in spite of Cancel")
	}
	// The old file, wherever it is, is the one that belongs to it.
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks again", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	d.ClickOn("Look for another file…")
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(moved)
	d.Keys("Enter")
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if a.Desk().Doc.Data.Path != moved || a.dialogs.Count("question") > 0 {
		t.Fatalf("data at %s", a.Desk().Doc.Data.Path)
	}
	before = a.Desk().Doc
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks again", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	d.ClickOn("Open with the data as it is")
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if l := parts.Landmarks.Of(a.Desk().Doc.State()); l.Names[3] != "B cells" || l.Codebook.Cols != 1 ||
		a.Desk().Doc.Data.Points != 398 || a.troubled() != nil {
		t.Fatalf("%d rows, %d columns, %v", a.Desk().Doc.Data.Points, l.Codebook.Cols, a.troubled())
	}
}

// A session that was saved by itself and whose data has moved asks for the data at once, in one press, and never by the
// name of a file that nobody has given it.
func TestRecoverLooksForTheData(t *testing.T) {
	dir, data := t.TempDir(), t.TempDir()
	csv, _ := csvFile(t, data)
	a, d := enter(t, 900, 600, Options{}, csv)
	opened(t, a, d)
	rename(a, "B cells")
	slot := crash(t, a, dir, recovery.About{Name: "mine", Changed: true}, time.Unix(1_700_000_000, 0))
	d.End()
	moved := filepath.Join(t.TempDir(), "renamed.csv")
	if err := os.Rename(csv, moved); err != nil {
		t.Fatal(err)
	}
	b, e := enter(t, 1000, 800, Options{StateDir: dir})
	e.Wait("it is listed", 10*time.Second, func() bool { return len(b.docs.Recovery.Left.Crashed()) == 1 })
	uitest.Do(func() { b.docs.Recovery.Show() })
	e.Frames(3)
	e.ClickOn("recover/" + b.docs.Recovery.Left.Crashed()[0].ID + "/open")
	e.Frames(3)
	if b.dialogs.Open("files") == nil || b.dialogs.Count("question") > 0 {
		t.Fatal("it does not look at once")
	}
	e.Keys("Ctrl+A")
	e.Type(moved)
	e.Keys("Enter")
	e.Wait("it is open", time.Minute, func() bool { return b.Desk() != nil && b.docs.Opening() == nil })
	opened(t, b, e)
	if l := parts.Landmarks.Of(b.Desk().Doc.State()); l.Names[0] != "B cells" || b.Desk().Doc.Data.Path != moved {
		t.Fatalf("data at %s, names %v", b.Desk().Doc.Data.Path, l.Names)
	}
	// It is never called by the name of a file that nobody has given it.
	if text := b.docs.sessionText(slot); strings.Contains(text, filepath.Base(slot)) {
		t.Errorf("it is called %q", text)
	}
	if text := b.docs.sessionText("/data/mine.blossom"); !strings.Contains(text, "mine.blossom") {
		t.Errorf("the user's own is called %q", text)
	}
	for path, want := range map[string]string{"/figures/moved.png": "The picture moved.png",
		"a.svg": "The picture a.svg", "run.json": "The job run.json",
		"s.blossom": "The session s.blossom"} {
		if text := b.docs.sessionText(path); text != want {
			t.Errorf("%s is called %q", path, text)
		}
	}
}
