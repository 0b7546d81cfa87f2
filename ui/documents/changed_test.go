package documents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/recovery"
	"blossom/ui/uitest"
)

// otherColumns writes a table over another that has none of its columns.
func otherColumns(t *testing.T, csv string) {
	t.Helper()
	var b strings.Builder
	b.WriteString("u,v,w\n")
	for i := range 300 {
		b.WriteString(strings.Repeat(string(rune('0'+i%10))+",", 2) + "1\n")
	}
	if err := os.WriteFile(csv, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Where no column of the map is left in the data, what cannot work is not offered: it is said why, the default is to
// look for the file that belongs to the session, and the data opens by itself.
func TestDataWithoutAnyColumnOfTheMapOpensByItself(t *testing.T) {
	csv, _ := csvFile(t, t.TempDir())
	a, d := enter(t, 1280, 800, Options{})
	s := savedSession(t, a, d, csv)
	otherColumns(t, csv)
	before := a.Desk().Doc
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks about the change", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	d.Shoot("data-changed")
	q := a.asked()
	says := strings.Join(q.Says, "|")
	if !strings.Contains(says, "mine.csv has none of the columns of its map (a, b)") {
		t.Errorf("it says %q", says)
	}
	for _, b := range q.Answers {
		if strings.Contains(b.Label, "as it is") {
			t.Errorf("%q is offered", b.Label)
		}
	}
	d.Keys("Enter")
	d.Frames(3)
	if a.dialogs.Open("files") == nil {
		t.Fatal("Enter does not look for the file")
	}
	d.Keys("Esc")
	d.Frames(3)
	uitest.Do(func() { a.docs.Open(s) })
	d.Wait("it asks again", time.Minute, func() bool { return a.dialogs.Count("question") == 1 })
	d.Frames(3)
	d.ClickOn("Open the data by itself")
	d.Wait("the data is open", time.Minute, func() bool { return a.Desk().Doc != before && a.docs.Opening() == nil })
	opened(t, a, d)
	names := parts.Landmarks.Of(a.Desk().Doc.State()).Names
	if a.Desk().Session != "" || a.Desk().Doc.Data.Path != csv || slices.Contains(names, "B cells") ||
		a.troubled() != nil {
		t.Errorf("open is %s of session %q, %v", a.Desk().Doc.Data.Path, a.Desk().Session, a.troubled())
	}
}

// Work that was saved by itself is never called by the name of its file, which nobody has given it: neither while it
// is opened nor where its data has changed.
func TestWorkSavedByItselfHasNoNameOfAFile(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, t.TempDir())
	a, d := enter(t, 900, 600, Options{}, csv)
	opened(t, a, d)
	rename(a, "B cells")
	slot := crash(t, a, dir, recovery.About{Name: "mine", Changed: true}, time.Unix(1_700_000_000, 0))
	d.End()
	otherColumns(t, csv)
	b, e := enter(t, 1000, 800, Options{StateDir: dir})
	var title string
	uitest.Do(func() { b.docs.Open(slot); title = b.docs.Opening().Title })
	e.Wait("it asks about the change", time.Minute, func() bool { return b.dialogs.Count("question") == 1 })
	q := b.asked()
	for _, text := range append(append([]string{title, q.Hint, q.About}, q.Says...), b.logged...) {
		if strings.Contains(text, filepath.Base(slot)) || strings.Contains(text, filepath.Dir(slot)) {
			t.Errorf("it says %q", text)
		}
	}
	if !strings.Contains(q.Says[0], "this work was autosaved") {
		t.Errorf("it says %q", q.Says[0])
	}
	otherwise := os.WriteFile(slot, []byte("no session"), 0o644)
	uitest.Do(func() { b.dialogs.Close("question"); b.docs.Open(slot) })
	e.Wait("it fails", time.Minute, func() bool { return b.troubled() != nil })
	if p := b.troubled(); otherwise != nil || strings.Contains(p.Error(), filepath.Base(slot)) {
		t.Errorf("%v; it says %v", otherwise, p)
	}
}
