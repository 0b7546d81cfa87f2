package panel

import (
	"math"
	"slices"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// Selected points have the medians of the listed columns in the Data panel at once, those of a plain sort; other
// points, others; none, none.
func TestSelectedPointsHaveTheirMediansInTheList(t *testing.T) {
	s, d := beginWith(t, stand.Options{Data: "demo:cytometry:1500", W: 1100, H: 700, Views: besidePanels}, "data")
	p := &data{desk: s.Desk}
	see := func() {
		uitest.Do(func() {
			for i := range 12 {
				p.median.of(s.Desk, i)
			}
			p.median.count(s.Desk)
		})
		s.Rest(d)
	}
	n := s.Desk.Doc.Data.Points
	for round, every := range []int{3, 7, 1} {
		words := make([]uint64, (n+63)/64)
		for row := 0; row < n; row += every {
			words[row/64] |= 1 << (row % 64)
		}
		set := selection.FromBits(n, words)
		uitest.Do(func() {
			s.Desk.Doc.Do("Select", func(st *state.State) { parts.Select(st, set) })
		})
		see()
		for i := range 12 {
			c := transform.Mixed(s.Desk.Doc.Data, s.Desk.Spec(), i)
			var values []float64
			for row := 0; row < n; row += every {
				if x := c.At(row); x-x == 0 {
					values = append(values, x)
				}
			}
			slices.Sort(values)
			want := (values[(len(values)-1)/2] + values[len(values)/2]) / 2
			got := median{}
			uitest.Do(func() { got = p.median.of(s.Desk, i) })
			shown := transform.FunctionOf(c, s.Desk.Spec().Columns[i]).Forward(want)
			if got.text != shortly(want) || math.Abs(got.shown-shown) > 1e-9*(1+math.Abs(shown)) {
				t.Errorf("round %d, column %d: %q, should be %g", round, i, got.text, want)
			}
		}
	}
	for x, want := range map[float64]string{0: "0", 12.345: "12.3", 999.6: "1000", 21573.6: "21,574", -1234.4: "−1,234",
		-0.5: "−0.5", 1e9: "1e9"} {
		if got := shortly(x); got != want {
			t.Errorf("%g is written %q, not %q", x, got, want)
		}
	}
	d.Frames(3)
	d.Shoot("medians")
	uitest.Do(func() { s.Desk.Doc.Do("None", func(st *state.State) { parts.Select(st, selection.None(n)) }) })
	see()
	uitest.Do(func() {
		if got := p.median.of(s.Desk, 0); got.text != "" || p.Note() != "1,500 points" {
			t.Errorf("without a selection it says %q, %q", got.text, p.Note())
		}
	})
}
