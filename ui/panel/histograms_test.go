package panel

import (
	"fmt"
	"math"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/ui/desk"
	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// spread opens the panel and returns the place of the curve of CD3, and the number of its column.
func spread(t *testing.T) (s *stand.Window, d *uitest.Driver, r widget.Rect, column int) {
	t.Helper()
	s, d = beginWith(t, stand.Options{Data: "demo:cytometry:2000", W: 760, H: 700, Views: besidePanels}, "histograms")
	s.Rest(d)
	for i := range s.Desk.Doc.Data.Columns {
		if s.Desk.Doc.Data.Columns[i].Short() == "CD3" {
			column = i
		}
	}
	d.Frames(3)
	return s, d, d.Rect(fmt.Sprintf("side bar/histograms/spread%d", column)), column
}

// A drag over the values of a column selects the points in that range in one entry of the history, exactly those that
// its ends say, and names them as limits, which are of other files as well.
func TestADragOverAHistogramSelectsARange(t *testing.T) {
	s, d, r, column := spread(t)
	done := s.Desk.Doc.History().Done()
	y := r.Center().Y
	d.Drag(r.X0+0.15*r.W(), y, r.X0+0.6*r.W(), y, 6)
	d.Frames(3)
	c := &s.Desk.Doc.Data.Columns[column]
	var asked desk.NameQuestion
	d.ClickOn("side bar/histograms/range")
	d.Frames(2)
	if asked = s.Named; asked.Answer == nil {
		t.Fatal("no name is asked for")
	}
	uitest.Do(func() {
		if err := asked.Answer("middle"); err != nil {
			t.Error(err)
		}
	})
	limits := parts.Populations.Of(s.Desk.Doc.State()).All()[0].Rule.(*population.Limits).Of
	if len(limits) != 1 || limits[0].Column != c.Name || !(limits[0].Low < limits[0].High) {
		t.Fatalf("the limits are %v", limits)
	}
	selected := s.Desk.Stage.Selected()
	for row := range c.Values {
		in := c.At(row) >= limits[0].Low && c.At(row) <= limits[0].High
		if in != selected.Contains(row) {
			t.Fatalf("row %d, %g, is in %v of %v", row, c.At(row), selected.Contains(row), limits)
		}
	}
	if n := selected.Count(); n == 0 || n > 1900 {
		t.Errorf("%d points", n)
	}
	if got := s.Desk.Doc.History().Done() - done; got != 2 {
		t.Errorf("%d entries for a drag and a name", got)
	}
	// An end that is dragged to the end of what is seen is none.
	d.Drag(r.X0+0.6*r.W(), y, r.X1+30, y, 6)
	d.Frames(3)
	more, top := s.Desk.Stage.Selected(), 0
	for row := range c.Values {
		if c.At(row) >= limits[0].Low {
			top++
		}
	}
	if more.Count() != top || !selection.Subtract(selected, more).Empty() {
		t.Errorf("%d points of %d from %g on", more.Count(), top, limits[0].Low)
	}
	// A selection that was made otherwise has no range, and a click lets go.
	uitest.Do(func() { s.Desk.Stage.InvertSelection() })
	d.Frames(3)
	if d.Has("side bar/histograms/range") {
		t.Error("the range of what was selected before stands there")
	}
	d.Drag(r.X0+0.15*r.W(), y, r.X0+0.6*r.W(), y, 6)
	d.Click(r.X0+0.8*r.W(), y)
	d.Frames(3)
	if !s.Desk.Stage.Selected().Empty() {
		t.Error("a click lets nothing go")
	}
	d.Move(r.X0+0.2*r.W(), y)
	d.Press(shell.Left)
	d.Move(r.X0+0.5*r.W(), y)
	d.Frames(1)
	d.Keys("Esc")
	d.Release(shell.Left)
	d.Frames(2)
	if !s.Desk.Stage.Selected().Empty() {
		t.Errorf("Esc leaves %d points of a drag", s.Desk.Stage.Selected().Count())
	}
}

// Counted values are those of all points and of some, in the same bins, however few of these there are.
func TestSpreadsCountTheSameValuesInTheSameBins(t *testing.T) {
	s, _, _, column := spread(t)
	data, table := s.Desk.Doc.Data, s.Desk.Table()
	few := rowsFrom(40, 47).Set
	got, err := spreadsOf(t.Context(), data, table, few)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range got.list {
		if x.column != column {
			continue
		}
		all, some := 0.0, 0.0
		for i := range x.all {
			all, some = all+float64(x.all[i]), some+float64(x.some[i])
		}
		if all != 2000 || some != 7 {
			t.Errorf("%g points, and %g of those that are chosen", all, some)
		}
		for row := 40; row < 47; row++ {
			v := x.f.Forward(data.Columns[column].At(row))
			bin := min(max(int(math.Floor((v-x.lo)/(x.hi-x.lo)*spreadBins)), 0), spreadBins-1)
			if x.some[bin] < 1 {
				t.Errorf("the value %g has no place in bin %d", v, bin)
			}
		}
	}
}

func TestHistogramsLook(t *testing.T) {
	s, d, r, _ := spread(t)
	d.Drag(r.X0+0.15*r.W(), r.Center().Y, r.X0+0.6*r.W(), r.Center().Y, 6)
	for _, c := range []struct {
		suffix string
		dark   bool
		scale  int
	}{{"-light", false, 1}, {"-dark-200", true, 2}} {
		uitest.Do(func() { s.Theme(c.dark) })
		d.SetScale(float32(c.scale))
		d.Resize(760*c.scale, 700*c.scale)
		d.Move(1, 1)
		s.Rest(d)
		d.PictureOf("panel-histograms"+c.suffix, rightOf(s))
	}
}

// rightOf is where the panels stand.
func rightOf(s *stand.Window) widget.Rect {
	r := s.UI.Window()
	r.X0 = r.X1 - s.UI.Pt(widget.SideUsual)
	return r
}
