package panel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/render/palette"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// donors writes files of cells in three islands, in a column "island" 1 to 3; of the second half of the files the third
// has four times as many. It returns their paths.
func donors(t *testing.T, n int) (paths []string) {
	t.Helper()
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	for f := range n {
		var text strings.Builder
		text.WriteString("a,b,c,island\n")
		third := 60
		if f >= n/2 {
			third = 240
		}
		for island, size := range []int{400, 400, third} {
			for range size {
				for k := range 3 {
					x := 0.6 * r.NormFloat64()
					if k == island {
						x += 8
					}
					fmt.Fprintf(&text, "%g,", x)
				}
				fmt.Fprintf(&text, "i%d\n", island+1)
			}
		}
		path := filepath.Join(dir, fmt.Sprintf("donor%d.csv", f+1))
		if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// compared opens files of donors in two groups, the view coloured by the difference of groups.
func compared(t *testing.T, n int) (*stand.Window, *uitest.Driver) {
	t.Helper()
	paths := donors(t, n)
	s, d := beginWith(t, stand.Options{Data: paths[0], More: paths[1:], W: 1100, H: 800, Views: besidePanels,
		Trained: true}, "colour")
	uitest.Do(func() {
		known, err := sheet.Sheet{}.Add("group")
		if err != nil {
			t.Fatal(err)
		}
		names, _ := known.Of(s.Desk.Doc.Data)
		for i, name := range names {
			known = known.Set(name, 0, []string{"case", "ctrl", "other"}[2*i/n])
		}
		s.Desk.Doc.Do("Groups", func(now *state.State) { parts.Samples.Put(now, known) })
		s.Desk.ColourBy("difference of groups")
	})
	s.Rest(d)
	return s, d
}

// means are the mean of the values of each island, and how many of its points have one.
func means(t *testing.T, s *stand.Window) (mean [3]float64, share [3]float64) {
	t.Helper()
	c, _, err := s.Desk.Column("difference of groups")
	if err != nil || c == nil {
		t.Fatalf("there is no column: %v", err)
	}
	data := s.Desk.Doc.Data
	island := &data.Columns[data.Places()["island"]]
	var all [3]float64
	for row, x := range c.Values {
		i := int(island.Values[row])
		if all[i]++; x == x {
			mean[i] += float64(x)
			share[i]++
		}
	}
	for i := range mean {
		mean[i] /= max(1, share[i])
		share[i] /= all[i]
	}
	return mean, share
}

// The difference of two groups, whose donors differ in one island, is that of the shares of their points; the palette
// is one of differences with 0 in its middle, and other groups are chosen in the panel.
func TestGroupsAreComparedOnTheMap(t *testing.T) {
	s, d := compared(t, 6)
	mean, share := means(t, s)
	// A donor of the first group has 60 of 860 points in the third island, one of the second 240 of 1040.
	third := math.Log2(240. / 1040 / (60. / 860))
	if math.Abs(mean[2]-third) > 0.35 || share[2] < 0.8 {
		t.Errorf("the third island is at %.2f, %.2f is wanted, in %.0f %% of its points", mean[2], third, 100*share[2])
	}
	for i := range 2 {
		if share[i] > 0.35 || mean[i] > 0 || mean[i] < -1 { // a little below 0, which is mostly noise
			t.Errorf("island %d is at %.2f in %.0f %% of its points", i+1, mean[i], 100*share[i])
		}
	}
	c := s.Desk.Stage.Scatter().Colouring()
	if c.Palette == nil || c.Palette.Kind != palette.Diverging || c.Lo != -c.Hi || !(c.Hi > 1) {
		t.Errorf("the palette is %+v from %g to %g", c.Palette, c.Lo, c.Hi)
	}
	if l := s.Desk.Stage.Scatter().Colours.Legend(c); !strings.Contains(l.Title, "ctrl against case") {
		t.Errorf("the legend is called %q", l.Title)
	}
	d.Shoot("contrast")
	d.ClickOn("colour/first")
	d.Frames(2)
	d.ClickOn("colour/first/ctrl")
	s.Rest(d)
	if p := parts.Contrast.Of(s.Desk.Doc.State()); p.A != "ctrl" || p.B != "case" {
		t.Errorf("turned round the groups are %+v", p)
	}
	if again, _ := means(t, s); math.Abs(again[2]+mean[2]) > 1e-3 {
		t.Errorf("turned round the third island is at %.3f, before at %.3f", again[2], mean[2])
	}
	uitest.Do(func() { s.Theme(true) })
	d.SetScale(2)
	d.Resize(2200, 1600)
	s.Rest(d)
	d.Shoot("contrast-dark-200")
	uitest.Do(func() { s.Desk.Doc.Undo() })
	s.Rest(d)
	if again, _ := means(t, s); math.Abs(again[2]-mean[2]) > 1e-3 {
		t.Errorf("undone the third island is at %.3f, before at %.3f", again[2], mean[2])
	}
	uitest.Do(func() { // groups that are gone, and a column that cannot be one
		s.Desk.Doc.Do("Gone", parts.Contrast.With(parts.GroupPair{Column: "sample: donor", A: "x", B: "y"}))
	})
	s.Rest(d)
	if _, _, err := s.Desk.Column("difference of groups"); err == nil {
		t.Error("groups of a column that is gone are compared")
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("Itself", parts.Contrast.With(parts.GroupPair{Column: "difference of groups", A: "x", B: "y"}))
	})
	s.Rest(d)
	uitest.Do(func() {
		s.Desk.Doc.Do("None", parts.Contrast.With(parts.GroupPair{Column: "sample: group", A: "x", B: "ctrl"}))
	})
	s.Rest(d)
	_, _, err := s.Desk.Column("difference of groups")
	if err == nil || !strings.Contains(err.Error(), `no group "x"`) {
		t.Errorf("a group that is gone is told as %v", err)
	}
	d.ClickOn("colour/first") // another is chosen where it is missed
	d.Frames(2)
	d.ClickOn("colour/first/case")
	s.Rest(d)
	if _, share := means(t, s); share[2] < 0.8 {
		t.Errorf("of another group chosen %v of the points differ", share)
	}
}
