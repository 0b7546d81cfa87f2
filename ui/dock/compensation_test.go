package dock

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/spillover"
	"blossom/model/document/parts"
	"blossom/model/space/transform"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// share is the share of light in the matrix that the map is compensated with; ok is false where it is not.
func share(s *stand.Window, i, j int) (x float64, ok bool) {
	for _, m := range parts.Transform.Of(s.Desk.Doc.State()).Mixes {
		if m.Compensates() {
			return m.Matrices(s.Desk.Doc.Data)[0].M[i][j], true
		}
	}
	return 0, false
}

// wants fails unless the map is compensated with this share.
func wants(t *testing.T, s *stand.Window, i, j int, want float64) {
	t.Helper()
	if x, ok := share(s, i, j); !ok || math.Abs(x-want) > 1e-9 {
		t.Errorf("%d of %d is %g, %v; %g is wanted; the last entry is %q", j, i, x, ok, want, s.Last())
	}
}

// A number of the matrix is dragged, and the map follows before the mouse is let go; it is typed over, and each is one
// entry of the history, which undoing takes back. The diagonal is locked, and what cannot be inverted is not taken.
func TestTheMatrixIsEditedWhileTheMapFollows(t *testing.T) {
	s, d := begin(t, "compensation", stand.Options{W: 1000, H: 700, Data: stand.Stained(t)})
	wants(t, s, 0, 1, 0.2)
	r := d.Rect("spillover/0/1/value").Center()
	before := s.Desk.Map.Table()
	d.Move(r.X, r.Y)
	d.Press(shell.Left)
	d.Frames(2)
	d.Move(r.X+30, r.Y)
	d.Frames(2)
	d.Move(r.X+50, r.Y)
	d.Until("the map follows", 600, func() bool { return s.Desk.Map.Table() != before })
	if !s.Desk.Doc.Open() {
		t.Error("the drag is no entry that is open")
	}
	d.Release(shell.Left)
	s.Rest(d)
	wants(t, s, 0, 1, 0.25)
	if last := s.Last(); !strings.HasPrefix(last, "Spillover of ") || s.Desk.Doc.History().Done() != 1 {
		t.Errorf("the history ends with %q, %d entries", last, s.Desk.Doc.History().Done())
	}
	d.Press(shell.Left) // Esc takes a drag back
	d.Frames(2)
	d.Move(r.X+90, r.Y)
	d.Frames(3)
	d.Keys("Escape")
	d.Frames(2)
	d.Release(shell.Left)
	s.Rest(d)
	wants(t, s, 0, 1, 0.25)

	d.ClickOn("spillover/1/0/value")
	d.Frames(3)
	d.Type("3,5")
	d.Keys("Enter")
	s.Rest(d)
	wants(t, s, 1, 0, 0.035)
	done := s.Desk.Doc.History().Done()
	d.ClickOn("spillover/1/0/value") // left as it was: no entry
	d.Frames(3)
	d.Keys("Enter")
	s.Rest(d)
	d.ClickOn("spillover/2/2/value")
	d.Frames(3)
	d.Type("50")
	d.Keys("Enter")
	s.Rest(d)
	wants(t, s, 2, 2, 1)
	if now := s.Desk.Doc.History().Done(); now != done {
		t.Errorf("%d entries, %d are wanted", now, done)
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	s.Rest(d)
	wants(t, s, 1, 0, 0)

	for _, cell := range []string{"spillover/0/1/value", "spillover/1/0/value"} { // two dyes that are one
		d.ClickOn(cell)
		d.Frames(3)
		d.Type("100")
		d.Keys("Enter")
		s.Rest(d)
	}
	wants(t, s, 0, 1, 1)
	wants(t, s, 1, 0, 0)
}

// The matrix is copied, pasted, read and written; switched off and on; and the file's own is taken again.
func TestAMatrixComesAndGoes(t *testing.T) {
	s, d := begin(t, "compensation", stand.Options{W: 1000, H: 700, Data: stand.Stained(t)})
	d.ClickOn("dock-compensation/copy")
	d.Frames(2)
	copied, err := spillover.Pasted(s.Copied, nil)
	if err != nil || len(copied.Names) != 9 || copied.M[0][1] != 0.2 {
		t.Fatalf("%q, %v", s.Copied, err)
	}
	d.ClickOn("dock-compensation/export")
	d.Frames(2)
	path := filepath.Join(t.TempDir(), "m.csv")
	uitest.Do(func() { s.Asked.Answer(path) })
	if text, err := os.ReadFile(path); err != nil || string(text) != s.Copied {
		t.Errorf("%s, %v", text, err)
	}
	copied.M[0][1], copied.M[3][0] = 0.1, 0.07
	s.Copied = spillover.Text(&copied.Spillover)
	d.ClickOn("dock-compensation/paste")
	s.Rest(d)
	wants(t, s, 0, 1, 0.1)
	wants(t, s, 3, 0, 0.07)
	d.ClickOn("dock-compensation/reset")
	s.Rest(d)
	wants(t, s, 0, 1, 0.2)
	d.ClickOn("dock-compensation/on")
	s.Rest(d)
	if _, on := share(s, 0, 1); on {
		t.Error("it is still on")
	}
	off := parts.SwitchedOff.Of(s.Desk.Doc.State()) // a session keeps it
	if off.Op != transform.Compensate || len(off.Values) != 81 || off.Values[1] != 0.2 {
		t.Errorf("what is switched off is %v of %d numbers", off.Op, len(off.Values))
	}
	d.ClickOn("dock-compensation/on")
	s.Rest(d)
	wants(t, s, 0, 1, 0.2)
	if off = parts.SwitchedOff.Of(s.Desk.Doc.State()); off.Op != transform.None {
		t.Error("it is on and switched off")
	}
	d.ClickOn("dock-compensation/on")
	s.Rest(d)
	_, numbers, _ := strings.Cut(s.Copied, "\n")
	s.Copied = strings.ReplaceAll(numbers, ",", "\t") // numbers alone, of the same detectors
	d.ClickOn("dock-compensation/paste")
	s.Rest(d)
	wants(t, s, 0, 1, 0.1)
	d.ClickOn("dock-compensation/import")
	d.Frames(2)
	uitest.Do(func() { s.Asked.Answer(path) })
	s.Rest(d)
	wants(t, s, 0, 1, 0.2)
	s.Copied = "nothing of the kind"
	d.ClickOn("dock-compensation/paste")
	s.Rest(d)
	if err := s.Trouble(); err == nil {
		t.Error("text that is no matrix was taken")
	}
	if !strings.HasPrefix(s.Last(), "Import the matrix of m.csv") {
		t.Errorf("the last entry is %q", s.Last())
	}
}

// The matrix of one of several files is shown and changed, whichever is chosen.
func TestTheMatrixOfAFileIsChosen(t *testing.T) {
	first := stand.Stained(t)
	second := filepath.Join(t.TempDir(), "other.fcs")
	stand.StainedTo(t, second, 0.3)
	s, d := begin(t, "compensation", stand.Options{W: 1000, H: 700, Data: first, More: []string{second}})
	of := func(k int) float64 {
		for _, m := range parts.Transform.Of(s.Desk.Doc.State()).Mixes {
			if m.Op == transform.CompensateEach {
				return m.Matrices(s.Desk.Doc.Data)[k].M[0][1]
			}
		}
		return -1
	}
	if of(0) != 0.2 || of(1) != 0.3 {
		t.Fatal(of(0), of(1))
	}
	d.ClickOn("dock-compensation/file")
	d.Frames(2)
	d.ClickOn("compensation file/1")
	d.Frames(2)
	d.ClickOn("spillover/0/1/value")
	d.Frames(3)
	d.Type("40")
	d.Keys("Enter")
	s.Rest(d)
	if of(0) != 0.2 || of(1) != 0.4 {
		t.Errorf("%g and %g", of(0), of(1))
	}
}

// A table without a matrix offers to import one.
func TestATableWithoutAMatrixTakesOne(t *testing.T) {
	s, d := ofDonors(t, "compensation", 1, stand.Options{W: 900, H: 600})
	d.ClickOn("dock-compensation/first")
	path := filepath.Join(t.TempDir(), "m.csv")
	if err := os.WriteFile(path, []byte("a,b\n1,0.1\n0,1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.Frames(2)
	uitest.Do(func() { s.Asked.Answer(path) })
	s.Rest(d)
	wants(t, s, 0, 1, 0.1)
}
