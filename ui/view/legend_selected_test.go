package view_test

import (
	"testing"

	"blossom/model/maps/selection"
	"blossom/render/camera"
	"blossom/render/scene"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// With points selected a legend tells of each label how many of its points are selected and how many there are, in the
// window and in pictures; with none it tells how many there are.
func TestALegendCountsWhatIsSelected(t *testing.T) {
	s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: 1000, H: 800})
	uitest.Do(func() { s.Desk.Stage.Scatter().View.ColourBy("population") })
	s.Rest(d)
	table, fitted := s.Desk.Table(), camera.Projection{}
	check := func(set *selection.Set) {
		t.Helper()
		uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", set) })
		s.Rest(d)
		uitest.Do(func() {
			v := s.Desk.Stage.Scatter()
			p, err := v.Picture(scene.Options{Width: 800, Height: 600, Scale: 1})
			if err != nil {
				t.Error(err)
				return
			}
			if now := v.Eye.Cam.Projection(); fitted.W == 0 {
				fitted = now
			} else if now != fitted {
				t.Errorf("with %d selected the map has moved", set.Count())
			}
			l := p.Legend
			if l == nil || set.Empty() != (l.Chosen == nil) {
				t.Errorf("with %d selected: %+v", set.Count(), l)
				return
			}
			for i, n := range l.Chosen {
				want := 0
				for at, x := range v.Colours.Numbers {
					row := at
					if table.Order != nil {
						row = int(table.Order[at])
					}
					if label := int(x); x == x && label == l.Entries[i].Label && set.Contains(row) {
						want++
					}
				}
				if n != want || n > l.Entries[i].Count {
					t.Errorf("%s: %d of %d, want %d", l.Entries[i].Name, n, l.Entries[i].Count, want)
				}
			}
		})
	}
	n := s.Desk.Doc.Data.Points
	words := make([]uint64, (n+63)/64)
	for row := 0; row < n; row += 3 {
		words[row/64] |= 1 << (row % 64)
	}
	check(selection.None(n))
	check(selection.FromBits(n, words))
	d.Shoot("selected")
	check(selection.All(n))
	check(selection.None(n))
}
