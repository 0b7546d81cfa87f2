package documents

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// A document that another file takes the place of, dropped on the window or opened otherwise, is a key away, with its
// history, its name, and what is saved of it; so is one that was closed.
func TestTheFormerDocumentIsKept(t *testing.T) {
	csv, _ := csvFile(t, t.TempDir())
	a, d := enter(t, 1280, 800, Options{}, "demo:tesseract:1000")
	opened(t, a, d)
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells") })
	former := a.Desk().Doc.State()
	d.Drop(csv)
	d.ClickOn("question/Open instead")
	d.Wait("the other one is open", time.Minute, func() bool { return a.Desk().Doc.Title == "mine.csv" })
	opened(t, a, d)
	if !d.Has("Reopen it") || len(a.docs.Shelf.List()) != 1 {
		t.Fatal("nothing says where the former one is")
	}
	// It is also on disk, though it was open for less than a save by itself takes.
	a.docs.Autosave.Wait()
	if items, err := a.docs.Autosave.Store.List(t.Context()); err != nil || len(items) == 0 ||
		items[0].Name != "tesseract" ||
		!items[0].Closed || !items[0].Changed {
		t.Fatalf("%+v, %v", items, err)
	}
	session := filepath.Join(t.TempDir(), "mine.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(session) })
	d.Keys("Ctrl+Shift+T")
	d.Wait("the former one is back", time.Minute, func() bool { return a.Desk().Doc.Title == "tesseract" })
	opened(t, a, d)
	if got := a.Desk().Doc.State(); parts.Landmarks.Of(got) != parts.Landmarks.Of(former) || a.Desk().Session != "" {
		t.Fatal("it is not what it was")
	}
	d.Keys("Ctrl+Z")
	if parts.Landmarks.Of(a.Desk().Doc.State()).Names != nil {
		t.Fatal("its history is gone")
	}
	d.Keys("Ctrl+Shift+T")
	d.Wait("the session is back", time.Minute, func() bool { return a.Desk().Doc.Title == "mine.csv" })
	opened(t, a, d)
	if got := a.docs.Saving.Text(); a.Desk().Session != session || got != "saved as mine.blossom" {
		t.Fatalf("saved to %q: %q", a.Desk().Session, got)
	}
	if list := a.docs.Shelf.List(); len(list) != 1 || list[0].Title != "tesseract" {
		t.Fatalf("%d are kept", len(list))
	}
	uitest.Do(a.docs.Leave)
	d.Frames(3)
	if a.Desk() != nil || !d.Has("welcome/kept0") || !d.Has("welcome/kept1") {
		t.Fatal("the welcome page does not have what was closed")
	}
	d.ClickOn("welcome/kept1")
	d.Wait("the first one is back", time.Minute, func() bool { return a.Desk() != nil && a.docs.Opening() == nil })
	opened(t, a, d)
	if a.Desk().Doc.Title != "tesseract" || a.Desk().Doc.History().Len() == 0 {
		t.Fatalf("%s came back", a.Desk().Doc.Title)
	}
	d.Keys("Ctrl+Shift+Z")
	if l := parts.Landmarks.Of(a.Desk().Doc.State()); l.Names[3] != "B cells" {
		t.Fatal("what was undone cannot be done again")
	}
}

// The last of those that are kept makes room for what it takes the place of, and goes on where it was saved.
func TestTheLastOnTheShelfComesBack(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:tesseract:200")
	opened(t, a, d)
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells") })
	saved(t, a, d)
	slot := a.docs.Autosave.ID()
	for i := range opening.Deep {
		uitest.Do(func() { a.docs.Open(fmt.Sprintf("demo:tesseract:%d", 300+i)) })
		d.Wait("the next one is open", time.Minute, func() bool { return a.Desk().Doc.Data.Points == 300+i })
		opened(t, a, d)
	}
	uitest.Do(func() { a.docs.Shelf.Reopen(a.docs.Shelf.List()[opening.Deep-1]) })
	d.Wait("the first one is back", time.Minute, func() bool { return a.Desk().Doc.Data.Points == 200 })
	opened(t, a, d)
	if n := len(a.docs.Shelf.List()); n != opening.Deep || a.docs.Autosave.ID() != slot {
		t.Errorf("%d are kept; saved in %s, not %s", n, a.docs.Autosave.ID(), slot)
	}
}
