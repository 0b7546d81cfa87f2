package dock

import (
	"fmt"
	"strings"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// inSamples opens the table with populations of fixed rows, one in another, by the true populations of the demo data.
func inSamples(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	o.Data = "demo:cytometry:1000"
	s, d := begin(t, "frequencies", o)
	uitest.Do(func() {
		tree := population.Tree{}
		for i, to := range []int{600, 300, 60} {
			words := make([]uint64, 16)
			for row := 0; row < to; row++ {
				words[row/64] |= 1 << (row % 64)
			}
			p := population.Population{Name: fmt.Sprintf("first %d\tof \"all\"", to), Parent: population.ID(i % 2),
				Rule: population.Of(selection.FromBits(1000, words))}
			var err error
			if tree, _, err = tree.Add(p); err != nil {
				t.Fatal(err)
			}
		}
		s.Desk.Doc.Do("Name", func(now *state.State) { parts.Populations.Put(now, tree) })
	})
	s.Rest(d)
	d.ClickOn("dock-frequencies/by")
	d.Frames(2)
	d.ClickOn("by population")
	s.Rest(d)
	return s, d
}

// The table has the counts that a loop over all rows gives, as counts and as shares; a click on a title sorts by it,
// one on a row selects its points, and the copy for a spreadsheet has all samples.
func TestFrequenciesAreThoseOfEachSample(t *testing.T) {
	s, d := inSamples(t, stand.Options{W: 1000, H: 500})
	data := s.Desk.Doc.Data
	kind := &data.Columns[data.Places()["population"]]
	now, _ := s.Desk.Populations().Now()
	want := now.Count(kind.Categories, func(row int) int { return int(kind.Values[row]) })
	for sample := range kind.Categories {
		sums := make([]int, 4)
		for row := range 1000 {
			if int(kind.Values[row]) != sample {
				continue
			}
			for i := range 3 {
				if now.Sets[i].Contains(row) {
					sums[i]++
				}
			}
			if row >= 600 {
				sums[3]++
			}
		}
		for i, n := range sums {
			if want.Points[i][sample] != n {
				t.Fatalf("population %d in %s: %d points, %d by counting", i, kind.Categories[sample],
					want.Points[i][sample], n)
			}
		}
	}
	d.ClickOn("dock-frequencies/copy")
	lines := strings.Split(strings.TrimRight(s.Copied, "\n"), "\n")
	if len(lines) != 5 || strings.Count(lines[1], "\t") != len(kind.Categories)+1 ||
		!strings.HasPrefix(lines[1], "first 600 of \"all\"\t") {
		t.Fatalf("copied is %.200q", s.Copied)
	}
	for i, line := range lines[1:] {
		for sample, cell := range strings.Split(line, "\t")[2:] {
			if cell != fmt.Sprint(want.Points[i][sample]) {
				t.Fatalf("line %d: %s, %d are wanted", i, cell, want.Points[i][sample])
			}
		}
	}
	d.ClickOn("dock-frequencies/show")
	d.Frames(2)
	d.ClickOn("% of the parent")
	d.Frames(2)
	d.ClickOn("dock-frequencies/copy")
	part := strings.Split(strings.Split(s.Copied, "\n")[2], "\t")[2] // the second lies in the first
	if of := want.Points[0][0]; of == 0 || part != fmt.Sprintf("%.10g", 100*float64(want.Points[1][0])/float64(of)) {
		t.Errorf("the share of the parent is %s of %d", part, of)
	}
	d.ClickOn("dock-frequencies/frequencies/head1")
	d.Frames(2)
	d.ClickOn("dock-frequencies/frequencies/0")
	d.Frames(2)
	if s.Desk.Stage.Scene.Gating.Chosen == 0 && s.Desk.Stage.Selected().Count() != 400 ||
		s.Desk.Stage.Selected().Empty() {
		t.Errorf("population %d is chosen, %d points", s.Desk.Stage.Scene.Gating.Chosen,
			s.Desk.Stage.Selected().Count())
	}
}

func TestFrequenciesLook(t *testing.T) {
	s, d := inSamples(t, stand.Options{W: 900, H: 420})
	uitest.Do(func() { s.Desk.Stage.Scene.Gating.Chosen = 2 })
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(900*c.scale, 420*c.scale)
		d.Move(1, 1)
		s.Rest(d)
		d.Picture("dock-frequencies"+c.suffix, "dock-frequencies")
	}
}
