package panel

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// A marker's name colours by it; its box alone takes it in or out of the map. What a row is about shows beside it.
func TestAColumnsNameColoursByIt(t *testing.T) {
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:1500", W: 1100, H: 700, Views: besidePanels}, "data")
	in := func() int { return len(parts.Transform.Of(s.Desk.Doc.State()).MapColumns()) }
	was := in()
	columns := s.Desk.Doc.Data.Columns
	at := 0
	for columns[at].Short() != "CD8" {
		at++
	}
	row := fmt.Sprintf("data/%d", at)
	d.MoveTo(row)
	d.Sleep(time.Second)
	if tip := d.Rect("tooltip"); tip.Overlaps(d.Rect(row)) || tip.Overlaps(d.Rect(fmt.Sprintf("data/%d", at+1))) {
		t.Errorf("the summary of a marker covers the list: %v", tip)
	}
	d.ClickOn(row)
	if got := s.Desk.Look().Column; got != columns[at].Name || in() != was {
		t.Errorf("a click on CD8 colours by %q, and %d columns make the map, %d before", got, in(), was)
	}
	d.ClickOn(row + "/box")
	if got := s.Desk.Look().Column; got != columns[at].Name || in() != was-1 {
		t.Errorf("a click on its box leaves %d columns of %d, coloured by %q", in(), was, got)
	}
	s.Rest(d)
}

// Keywords of a file are searched, and their values copied: the list closes.
func TestKeywordsAreSearchedAndCopied(t *testing.T) {
	s, d := begin(t, "data", "demo:cytometry:1500")
	meta := s.Desk.Doc.Data.Metadata
	keys := make([]string, 0, len(meta))
	for k := range meta {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, key := range keys {
		d.ClickOn("data/keywords")
		d.Frames(3)
		if !d.Has("keywords/" + key) {
			t.Fatalf("no list with %s has opened", key)
		}
		if len(meta) > 12 { // fewer are seen at once
			d.Type(key)
		}
		d.ClickOn("keywords/" + key)
		d.Frames(2)
		if s.Copied != meta[key] || d.Has("keywords/"+key) {
			t.Errorf("a click on %s copies %q, not %q, the list is open: %v", key, s.Copied, meta[key],
				d.Has("keywords/"+key))
		}
	}
}

// The menu of a column shows the Transform panel, about that column.
func TestColumnMenu(t *testing.T) {
	s, d := begin(t, "data", "demo:s-sheet:1000")
	r := d.Rect("data/1")
	d.ClickWith(shell.Right, r.X0+40, r.Center().Y)
	d.Frames(3)
	d.ClickOn("Transform…")
	d.Frames(3)
	if s.Desk.Subject != 2 || !slices.Equal(s.Revealed, []string{"transform"}) {
		t.Fatalf("%q are shown, the transform of %d", s.Revealed, s.Desk.Subject)
	}
}

// Columns that were joined are listed behind the markers, as such, and no more once that is undone.
func TestJoinedColumnsAreListedUntilThatIsUndone(t *testing.T) {
	s, d := begin(t, "data", "demo:cytometry:500")
	more, err := source.Join(t.Context(), s.Desk.Doc.Data, "demo:tesseract:500", format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := len(s.Desk.Doc.Data.Columns)
	uitest.Do(func() {
		if err := s.Desk.Training().Again(); err != nil {
			t.Error(err)
		}
	})
	s.Rest(d)
	trained := func() (values int) {
		uitest.Do(func() {
			_, _, now := s.Desk.Training().Progress()
			values = len(now)
		})
		return values
	}
	if trained() == 0 {
		t.Fatal("nothing was trained")
	}
	uitest.Do(func() { live.Widen(s.Desk.Map, more, "Add columns") })
	s.Rest(d)
	for i, want := range []bool{true, true, true, false} {
		if got := d.Has(fmt.Sprintf("data/%d", own+i)); got != want {
			t.Errorf("joined column %d is listed: %v", i+1, got)
		}
	}
	if trained() == 0 {
		t.Error("columns beside the map have changed what was trained")
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	s.Rest(d)
	if d.Has(fmt.Sprintf("data/%d", own)) {
		t.Error("it is listed though that was undone")
	}
}

// The tip of a column tells of the values that its histogram shows: where the file's matrix changes them, of those
// that are compensated, and it says so.
func TestTheTipOfAColumnIsOfTheValuesInTheMap(t *testing.T) {
	s, d := begin(t, "data", stand.Stained(t))
	p := &data{desk: s.Desk}
	uitest.Do(func() { p.update("") })
	seen := 0
	for _, r := range p.list.rows {
		own := &s.Desk.Doc.Data.Columns[r.at]
		_, among := s.Desk.Value(r.at, 0)
		if among == own {
			if strings.Contains(r.tip, "Comp-") {
				t.Errorf("%s is not compensated: %q", own.Name, r.tip)
			}
			continue
		}
		if among.Stats.Min != own.Stats.Min { // the first detector gets no light of others
			seen++
		}
		least := widget.FigureOf(among.Stats.Min, among.Stats.Digits(4))
		if !strings.Contains(r.tip, "Comp-"+own.Name) || !strings.Contains(r.tip, least) {
			t.Errorf("%s, from %g compensated and %g in the file: %q", own.Name, among.Stats.Min, own.Stats.Min, r.tip)
		}
	}
	if seen < 7 {
		t.Errorf("%d columns are compensated", seen)
	}
	s.Rest(d)
}
