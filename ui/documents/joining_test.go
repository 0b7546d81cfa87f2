package documents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
)

// labelled writes a table of so many rows with a column of labels and one of numbers.
func labelled(t *testing.T, path string, rows int) {
	t.Helper()
	text := "kind,score\n" + strings.Repeat("T,0.5\nB,1.5\n", rows/2)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// uses are how the columns after the first so many are used.
func uses(a *room, own int) (out []transform.Use) {
	for _, c := range a.Desk().Spec().Columns[own:] {
		out = append(out, c.Use)
	}
	return out
}

// Columns of another file stand beside those of the data, and points are coloured by them; to undo it by its name
// leaves them out. A session knows the file, the history and where both have gone.
func TestColumnsAreJoined(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, dir)
	labels := filepath.Join(dir, "labels.csv")
	labelled(t, labels, 400)
	a, d := enter(t, 1280, 800, Options{}, csv)
	opened(t, a, d)
	doc, own, table := a.Desk().Doc, len(a.Desk().Doc.Data.Columns), a.Desk().Table()
	rename(a, "B cells")
	uitest.Do(func() { a.docs.AskJoin() })
	d.Frames(3)
	d.Keys("Ctrl+A")
	d.Type(labels)
	d.Keys("Enter")
	d.Wait("the columns are there", time.Minute, func() bool { return len(a.Desk().Doc.Data.Columns) == own+2 })
	rest(t, a, d)
	if a.Desk().Doc != doc || &a.Desk().Table().X.Data[0] != &table.X.Data[0] {
		t.Error("the document or the points of the map are others")
	}
	data := a.Desk().Doc.Data
	if c := data.Columns[own:]; c[0].Name != "kind (2)" || c[1].Name != "score" || data.JoinedFrom(own).Path != labels {
		t.Fatalf("joined %q and %q", c[0].Name, c[1].Name)
	}
	if u := uses(a, own); u[0] != transform.ColourOnly || u[1] != transform.ColourOnly {
		t.Errorf("they are used as %v", u)
	}
	d.ClickOn("Colour by kind (2)")
	rest(t, a, d)
	if c, _, err := a.Desk().Column("kind (2)"); err != nil || len(c.Categories) != 2 ||
		a.Desk().Look().Column != "kind (2)" {
		t.Fatalf("coloured by %q, %v", a.Desk().Look().Column, err)
	}
	undo := func(r *room, want string, back bool, use transform.Use) {
		t.Helper()
		uitest.Do(func() {
			do := (*state.Document).Redo
			if back {
				do = (*state.Document).Undo
			}
			if got := do(r.Desk().Doc); got != want {
				t.Errorf("undone or done again: %q, want %q", got, want)
			}
		})
		rest(t, r, d)
		if u := uses(r, own); u[0] != use || u[1] != use {
			t.Errorf("%s: the columns are used as %v", want, u)
		}
	}
	colour := a.Desk().Doc.History().CanUndo()
	undo(a, colour, true, transform.ColourOnly)
	undo(a, "Add the columns of labels.csv", true, transform.Off)
	undo(a, "Add the columns of labels.csv", false, transform.ColourOnly)
	undo(a, colour, false, transform.ColourOnly)

	short := filepath.Join(dir, "short.csv")
	labelled(t, short, 10)
	uitest.Do(func() { a.docs.Join(short) })
	d.Wait("it is refused", time.Minute, func() bool { return a.troubled() != nil })
	if p := a.troubled(); p.File != short || p.What != "it has 10 rows, and "+csv+" has 400" {
		t.Errorf("%q: %q", p.File, p.What)
	}
	d.Keys("Escape")
	d.Frames(3)

	moved := t.TempDir()
	session := filepath.Join(dir, "s.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(session) })
	rest(t, a, d)
	for _, file := range []string{csv, labels, session} {
		if err := os.Rename(file, filepath.Join(moved, filepath.Base(file))); err != nil {
			t.Fatal(err)
		}
	}
	uitest.Do(func() { a.docs.Open(filepath.Join(moved, "s.blossom")) })
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != doc })
	opened(t, a, d)
	data = a.Desk().Doc.Data
	if j := data.JoinedFrom(own); j == nil || j.Path != filepath.Join(moved, "labels.csv") ||
		len(data.Columns) != own+2 || a.Desk().Look().Column != "kind (2)" || a.troubled() != nil {
		t.Fatalf("%v, coloured by %q, %v", data.Joined, a.Desk().Look().Column, a.troubled())
	}
	undo(a, colour, true, transform.ColourOnly)
	undo(a, "Add the columns of labels.csv", true, transform.Off)
}
