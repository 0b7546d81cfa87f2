package panel

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The transform panel mutes a column, leaves one alone, and lets all count again; each is one entry.
func TestMarkerMix(t *testing.T) {
	s, d := begin(t, "transform", "demo:cytometry:1000")
	d.ClickOn("transform/Weights of each column")
	d.Frames(2)
	col := s.Desk.Table().Cols[2]
	uitest.Do(func() { s.Desk.Subject = col + 1 })
	d.Frames(2)
	weights := func() (counting int, own float64) {
		spec := parts.Transform.Of(s.Desk.Doc.State())
		for _, i := range spec.MapColumns() {
			if spec.Columns[i].Weight > 0 {
				counting++
			}
		}
		return counting, spec.Columns[col].Weight
	}
	all, _ := weights()
	d.ClickOn("transform/mute")
	if n, own := weights(); n != all-1 || own != 0 {
		t.Fatalf("muted: %d of %d count, weight %g", n, all, own)
	}
	d.ClickOn("transform/mute")
	d.ClickOn("transform/solo")
	if n, own := weights(); n != 1 || own != 1 {
		t.Fatalf("alone: %d of %d count, weight %g", n, all, own)
	}
	d.ClickOn("transform/solo")
	if n, _ := weights(); n != all {
		t.Fatalf("all: %d of %d count", n, all)
	}
	if n := s.Desk.Doc.History().Done(); n != 4 {
		t.Errorf("%d entries", n)
	}
	s.Rest(d)
}

// Columns that are taken out of the map and put back faster than tables are made leave no error behind, while the map
// trains and the panel shows them.
func TestColumnsUndoneFast(t *testing.T) {
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:2000", W: 1200, H: 800, Views: besidePanels}, "transform")
	uitest.Do(func() {
		if err := s.Desk.Training().Again(); err != nil {
			t.Error(err)
		}
	})
	d.Frames(30)
	r := rand.New(rand.NewPCG(4, 4))
	for k := range 4 {
		uitest.Do(func() {
			s.Desk.Doc.Do("Take a column out", func(at *state.State) {
				parts.Transform.Edit(at, func(x *transform.Spec) {
					*x = x.Clone()
					x.Columns[x.MapColumns()[0]].Use = transform.Off
				})
			})
		})
		d.Frames(r.IntN(6))
		for range 5 {
			d.Keys("Ctrl+Z")
			d.Frames(r.IntN(2))
			d.Keys("Ctrl+Y")
			d.Frames(r.IntN(2))
		}
		d.Frames(20)
		if err := s.Trouble(); err != nil {
			t.Fatalf("%d: %v", k, err)
		}
		d.Keys("Ctrl+Z")
		d.Frames(10)
	}
	s.Rest(d)
}

// Gaps are filled in one of several ways, or not at all: a choice of which one is on, each click an entry.
func TestGapsAreFilledInOneWayAtATime(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b,c\n")
	r := rand.New(rand.NewPCG(1, 1))
	for i := range 400 {
		if i%5 == 0 {
			fmt.Fprintf(&text, "%g,,%g\n", r.NormFloat64(), r.NormFloat64())
		} else {
			fmt.Fprintf(&text, "%g,%g,%g\n", r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}
	}
	path := filepath.Join(t.TempDir(), "gaps.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, "transform", path)
	for n, want := range []struct {
		click string
		op    []transform.ID
	}{{"Nearest", []transform.ID{transform.FillNearest}}, {"Median", []transform.ID{transform.Fill}}, {"Off", nil}} {
		d.ClickOn("transform/Fill gaps/" + want.click)
		d.Frames(2)
		var on []transform.ID
		for _, m := range parts.Transform.Of(s.Desk.Doc.State()).Mixes {
			on = append(on, m.Op)
		}
		if !slices.Equal(on, want.op) || s.Desk.Doc.History().Done() != n+1 {
			t.Errorf("%s: %v after %d entries", want.click, on, s.Desk.Doc.History().Done())
		}
	}
	s.Rest(d)
}

// An op whose numbers come from the column starts with those, and a number that is typed takes their place, for all
// columns of the map.
func TestNumbersOfLogicleAreThoseOfTheColumnUntilTyped(t *testing.T) {
	s, d := begin(t, "transform", "demo:cytometry:1000")
	d.ClickOn("transform/Transform")
	d.Frames(10)
	d.Shoot("scales")
	d.Keys("Down")
	d.Frames(3)
	d.Keys("Enter")
	d.Frames(10)
	d.Shoot("logicle")
	all := func(text string) {
		t.Helper()
		spec := parts.Transform.Of(s.Desk.Doc.State())
		for _, i := range spec.MapColumns() {
			if got := spec.Columns[i].String(); got != text {
				t.Errorf("column %d is %s, want %s", i, got, text)
			}
		}
	}
	all("logicle")
	d.Enter("transform/Top", "262144")
	d.Enter("transform/Width", "0.75")
	all("logicle:262144:0.75")
	if n := s.Desk.Doc.History().Done(); n != 3 {
		t.Errorf("%d entries", n)
	}
	s.Rest(d)
}

// A transform that is chosen for channels of a logarithmic amplifier is of their linear values; undone they are what
// they were, and there is no switch for it.
func TestAChosenTransformMakesChannelsLinear(t *testing.T) {
	columns := []dataset.Column{{Name: "FL1-H"}, {Name: "FL2-H"}}
	r := rand.New(rand.NewPCG(2, 1))
	for c := range columns {
		columns[c].Log, columns[c].Range = &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}, 1024
		for range 300 {
			columns[c].Values = append(columns[c].Values, float32(r.IntN(1024)))
		}
	}
	ds, err := dataset.FromColumns(t.Context(), "channels", columns)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "channels.fcs")
	if err := format.Save(t.Context(), path, ds, nil); err != nil {
		t.Fatal(err)
	}
	s, d := begin(t, "transform", path)
	linear := func() (n int) {
		spec := parts.Transform.Of(s.Desk.Doc.State())
		for i := range spec.Columns {
			if _, is := spec.Linearised(i); is {
				n++
			}
		}
		return n
	}
	if n := linear(); n != 0 {
		t.Fatalf("%d columns begin as linear", n)
	}
	d.ClickOn("transform/Transform")
	d.Frames(10)
	d.Keys("Down")
	d.Frames(3)
	d.Keys("Enter")
	d.Frames(10)
	d.Shoot("chosen")
	if n := linear(); n != 2 || s.Desk.Doc.History().Done() != 1 {
		t.Errorf("%d columns are linear after %d entries", n, s.Desk.Doc.History().Done())
	}
	uitest.Do(func() { s.Desk.Doc.Undo() })
	d.Frames(4)
	if n := linear(); n != 0 {
		t.Errorf("undone, %d columns are linear", n)
	}
	s.Rest(d)
}
