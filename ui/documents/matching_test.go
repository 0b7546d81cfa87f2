package documents

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// panels writes tables of 300 cells under headers like those that FlowJo exports.
func panels(t *testing.T, headers ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for f, header := range headers {
		text := header + "\n"
		for i := range 300 {
			for c := range strings.Count(header, ",") + 1 {
				if c > 0 {
					text += ","
				}
				text += fmt.Sprintf("%.3f", float64((i*(c+3)+7*f)%97)+0.25*float64(i%(c+2)))
			}
			text += "\n"
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("donor%d.csv", f+1)))
		if err := os.WriteFile(paths[f], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

const (
	firstPanel  = "FSC-A,SSC-A,PE-A :: NK1/1,FITC-A :: CD4,APC-A :: CD3,V450-A :: CD8,Qdot 605-A,Time"
	secondPanel = "FSC-A,SSC-A,PE-A :: NK1.1,APC-A :: CD4,FITC-A :: CD3,V450-A :: CD8,G780-A :: CCR7,Time"
	thirdPanel  = "FSC-A,SSC-A,PE-A :: CD33,PacBlu-A :: CD4,PE-Cy7-A :: CD3,Qdot605-A,PerCP-A :: CD20,Time"
)

// matched are the files of the dialog that matches columns. There must be one.
func matched(a *room) *opening.Undecided { return a.dialogs.Open("matching").(*dialog.Matched).Files }

func mapNames(a *room) (out []string) {
	uitest.Do(func() {
		for _, c := range parts.Transform.Of(a.Desk().Doc.State()).MapColumns() {
			out = append(out, a.Desk().Doc.Data.Columns[c].Short())
		}
	})
	return out
}

// Three files of which one has another antigen on a detector: the window asks before it opens them, shows who went
// where, and does as it is told.
func TestDoubtfulColumnsAreAskedAbout(t *testing.T) {
	paths := panels(t, firstPanel, secondPanel, thirdPanel)
	a, d := enter(t, 1280, 800, Options{}, paths...)
	d.Wait("it asks", time.Minute, func() bool { return a.dialogs.Open("matching") != nil })
	d.Frames(5)
	if a.Desk() != nil || len(matched(a).Plan.Doubtful()) != 2 {
		t.Fatalf("%q", matched(a).Plan.Doubts())
	}
	looks(a, d, "matching", "matching")
	d.Resize(480, 420)
	d.Frames(6)
	if r := d.Rect("matching/open"); r.Y1 > 420 || r.X1 > 480 {
		t.Errorf("in a small window the button is at %v", r)
	}
	d.Resize(1280, 800)
	d.Frames(5)

	row := func(name string) int {
		return slices.IndexFunc(matched(a).Plan.Rows, func(r match.Row) bool { return r.Title() == name })
	}
	cell := func(name string, i int) string { return fmt.Sprintf("row%d/cell%d", row(name), i) }
	// PE-A is one column after all; CD8 of the first file is none of the others'; FSC-A makes the map, CD3 does not.
	d.ClickOn(cell("PE-A", 5))
	d.Frames(3)
	d.ClickOn("column/One column")
	d.Frames(3)
	if r := matched(a).Plan.Rows[row("NK1/1")]; r.Doubt != "" || r.Files() != 3 || !r.InMap {
		t.Errorf("decided: %+v", r)
	}
	d.ClickOn(cell("CD8", 1))
	d.Frames(3)
	d.ClickOn("column/–")
	d.Frames(3)
	d.ClickOn(fmt.Sprintf("row%d/box", row("FSC-A")))
	d.Frames(3)
	d.ClickOn(fmt.Sprintf("row%d/box", row("CD3")))
	d.Frames(3)
	d.ClickOn("matching/open")
	opened(t, a, d)
	got := mapNames(a)
	slices.Sort(got)
	if want := []string{"CD4", "FSC-A", "NK1/1"}; !slices.Equal(got, want) || a.Desk().Doc.Data.Points != 900 {
		t.Fatalf("%q of %d", got, a.Desk().Doc.Data.Points)
	}
	// It can be changed afterwards; the map stays.
	was := parts.Landmarks.Of(a.Desk().Doc.State())
	uitest.Do(a.docs.ChangeFiles)
	d.Wait("it shows the files", time.Minute, func() bool { return a.dialogs.Open("matching") != nil })
	d.Frames(3)
	if got := len(matched(a).Plan.Doubtful()); got != 0 {
		t.Errorf("%d columns are in doubt again", got)
	}
	d.ClickOn(fmt.Sprintf("row%d/box", row("FSC-A")))
	d.Frames(3)
	d.ClickOn("matching/open")
	d.Wait("it is read again", time.Minute, func() bool {
		return a.docs.Opening() == nil &&
			len(a.docs.Shelf.List()) == 1
	})
	rest(t, a, d)
	is := parts.Landmarks.Of(a.Desk().Doc.State())
	if !slices.Equal(was.Pos.Data, is.Pos.Data) || is.Codebook.Cols != 2 || len(a.docs.Shelf.List()) != 1 {
		t.Errorf("the map is another one: %d columns, %d kept", is.Codebook.Cols, len(a.docs.Shelf.List()))
	}
}

// Files are added to what is open, and taken away again: the map stays. Close leaves the welcome page.
func TestFilesAreAddedAndTakenAway(t *testing.T) {
	paths := panels(t, firstPanel, secondPanel)
	a, d := enter(t, 1280, 800, Options{}, paths[:1]...)
	opened(t, a, d)
	uitest.Do(func() {
		dialog.NameLandmarks(a.Desk(), []int{2}, "B cells")
		a.Desk().Respec("cofactor", func(s *transform.Spec) {
			s.Columns[3] = s.Columns[3].With(transform.Asinh, transform.Params{7})
		})
	})
	rest(t, a, d)
	was, names := parts.Landmarks.Of(a.Desk().Doc.State()), mapNames(a)
	d.Drop(paths[1])
	d.ClickOn("question/Add")
	d.Wait("both are open", time.Minute, func() bool {
		return a.docs.Opening() == nil &&
			a.Desk().Doc.Data.Points == 600
	})
	rest(t, a, d)
	is := parts.Landmarks.Of(a.Desk().Doc.State())
	if !slices.Equal(was.Pos.Data, is.Pos.Data) || is.Names[2] != "B cells" || !slices.Contains(mapNames(a), "CD4") {
		t.Errorf("the map of %q is another one, of %q", names, mapNames(a))
	}
	if o := a.Desk().Doc.Data.Origin(); o == nil || len(o.Categories) != 2 {
		t.Errorf("nothing says which file a row is from: %+v", o)
	}
	uitest.Do(a.docs.ChangeFiles)
	d.Wait("it shows the files", time.Minute, func() bool { return a.dialogs.Open("matching") != nil })
	d.Keys("Escape")
	d.Frames(3)
	uitest.Do(func() { a.docs.RemoveFile(1) })
	d.Wait("one is open", time.Minute, func() bool {
		return a.docs.Opening() == nil &&
			a.Desk().Doc.Data.Points == 300
	})
	rest(t, a, d)
	if is := parts.Landmarks.Of(a.Desk().Doc.State()); !slices.Equal(was.Pos.Data, is.Pos.Data) {
		t.Error("the map is another one")
	}
	d.Keys("Ctrl+Shift+W")
	d.Frames(3)
	if a.Desk() != nil || len(a.docs.Shelf.List()) == 0 {
		t.Fatal("it is not closed, or not kept")
	}
}

// A file without columns of the map takes them out of it: that is said first, until it is closed, and one click goes
// back to the map as it was.
func TestAddedFileTakesColumnsOut(t *testing.T) {
	paths := panels(t, "FITC-A :: CD4,APC-A :: CD3,V450-A :: CD8,PE-A :: CD19",
		"FITC-A :: CD4,APC-A :: CD3,PE-A :: CD19")
	a, d := enter(t, 1280, 800, Options{}, paths[:1]...)
	opened(t, a, d)
	was := mapNames(a)
	uitest.Do(func() { a.docs.Add(paths[1]) })
	d.Wait("both are open", time.Minute, func() bool {
		return a.docs.Opening() == nil &&
			a.Desk().Doc.Data.Points == 600
	})
	d.Frames(5)
	if is := mapNames(a); slices.Contains(is, "CD8") || len(is) != len(was)-1 {
		t.Fatalf("the map is of %q", is)
	}
	if said := a.UI().Toasts(); !strings.Contains(said, "CD8 left the map, because not all files have it") {
		t.Errorf("it says %q", said)
	}
	d.Sleep(20 * time.Second) // it does not go by itself
	d.ClickOn("Undo")
	d.Wait("it is as it was", time.Minute, func() bool {
		return a.docs.Opening() == nil &&
			a.Desk().Doc.Data.Points == 300
	})
	if is := mapNames(a); !slices.Equal(is, was) {
		t.Errorf("the map is of %q, was of %q", is, was)
	}
}
