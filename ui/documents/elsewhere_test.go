package documents

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/session"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// The later of two windows that save to one session file is asked, and neither loses its work unasked.
func TestTwoWindowsSaveToOneFile(t *testing.T) {
	a, d := enter(t, 1000, 700, Options{})
	csv, _ := csvFile(t, t.TempDir())
	path := savedSession(t, a, d, csv)
	other := func() string { // a session that another window writes
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.Read(bytes.NewReader(text), path)
		if err != nil {
			t.Fatal(err)
		}
		var theirs bytes.Buffer
		s.Program = "theirs!"
		if err := s.Write(&theirs); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, theirs.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return theirs.String()
	}
	holds := func() string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{4}, "T cells") })
	d.Keys("Ctrl+S") // nobody else has written it
	rest(t, a, d)
	if a.dialogs.Count("question") > 0 || !strings.Contains(partsText(t, path), "T cells") {
		t.Fatal("asked about nothing")
	}
	theirs := other()
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{5}, "NK cells") })
	d.Keys("Ctrl+S")
	rest(t, a, d)
	if a.dialogs.Count("question") != 1 || holds() != theirs || a.docs.Saving.Text() == "saved as s.blossom" {
		t.Fatal("written over without a question")
	}
	d.Keys("Esc")
	d.Frames(2)
	if holds() != theirs {
		t.Fatal("written in spite of Esc")
	}
	mine := filepath.Join(t.TempDir(), "mine.blossom")
	d.Keys("Ctrl+S")
	rest(t, a, d)
	d.ClickOn("Save as…")
	rest(t, a, d)
	d.Keys("Ctrl+A")
	d.Type(mine)
	d.Keys("Enter")
	rest(t, a, d)
	if holds() != theirs || !exists(mine) || a.Desk().Session != mine {
		t.Fatal("not saved as another file")
	}
	// Opened from the file and saved over on purpose; once that is done it is not asked again.
	before := a.Desk().Doc
	uitest.Do(func() { a.docs.Open(path) })
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if got := a.docs.Saving.Text(); got != "saved as s.blossom" {
		t.Fatalf("opened it is %q", got)
	}
	other()
	if err := os.WriteFile(path, []byte(strings.Replace(holds(), "theirs!", "again..", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{6}, "monocytes") })
	d.Keys("Ctrl+S")
	rest(t, a, d)
	d.ClickOn("Save anyway")
	rest(t, a, d)
	if !strings.Contains(partsText(t, path), "monocytes") || a.dialogs.Count("question") > 0 {
		t.Fatal("not saved")
	}
	d.Keys("Ctrl+S")
	rest(t, a, d)
	if a.dialogs.Count("question") > 0 {
		t.Fatal("asked again about its own file")
	}
}

// Saving a session whose data is gone says so once, saves all the same, and offers the table that is in memory.
func TestSavingWhenTheDataIsGone(t *testing.T) {
	a, d := enter(t, 1000, 700, Options{})
	csv, _ := csvFile(t, t.TempDir())
	path := savedSession(t, a, d, csv)
	if d.Has("Save the table…") {
		t.Fatal("warned of nothing")
	}
	if err := os.Remove(csv); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{4}, "T cells") })
	d.Keys("Ctrl+S")
	rest(t, a, d)
	if text := partsText(t, path); !strings.Contains(text, "T cells") {
		t.Fatal("not saved")
	}
	if !d.Has("Save the table…") {
		t.Fatal("nothing says that the data is gone")
	}
	d.ClickOn("Save the table…")
	rest(t, a, d)
	d.Keys("Enter") // where it was, under its name
	rest(t, a, d)
	if !exists(csv) {
		t.Fatal("the table was not saved")
	}
	d.Sleep(20 * time.Second)
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{5}, "NK cells") })
	d.Keys("Ctrl+S")
	rest(t, a, d)
	if d.Has("Save the table…") {
		t.Fatal("warned twice")
	}
	before := a.Desk().Doc
	uitest.Do(func() { a.docs.Open(path) })
	d.Wait("it asks about the other content", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	rest(t, a, d)
	d.ClickOn("Open with the data as it is")
	d.Wait("it opens with the table", time.Minute, func() bool { return a.Desk().Doc != before })
	opened(t, a, d)
	if a.Desk().Doc.Data.Points != 400 || a.troubled() != nil {
		t.Fatalf("%d points, %v", a.Desk().Doc.Data.Points, a.troubled())
	}
}
