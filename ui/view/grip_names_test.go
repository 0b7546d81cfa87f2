package view_test

import (
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/widget"
)

// The grip of selected points lies beside the name of a population that stands in their middle, is pressed where it is
// seen, and the points go with the hand from there.
func TestTheGripOfASelectionLiesBesideNames(t *testing.T) {
	for _, scale := range []float32{1, 2} {
		s, d := begin(t, stand.Options{Data: "demo:cytometry:3000", W: int(900 * scale), H: int(700 * scale),
			Scale: scale})
		all := make([]uint64, (s.Desk.Doc.Data.Points+63)/64)
		for row := range s.Desk.Doc.Data.Points {
			all[row/64] |= 1 << (row % 64)
		}
		cells := selection.FromBits(s.Desk.Doc.Data.Points, all)
		uitest.Do(func() {
			var tree population.Tree
			tree, _, _ = tree.Add(population.Population{Name: "Living lymphocytes", Rule: population.Of(cells)})
			s.Desk.Doc.Do("Name", func(to *state.State) { parts.Populations.Put(to, tree) })
			s.Desk.Stage.Scatter().View.ColourBy(s.Desk.Populations().Column())
			s.Tool("select")
		})
		s.Rest(d)
		var name widget.Rect
		uitest.Do(func() {
			names := s.Desk.Stage.Scatter().Names()
			if len(names) != 1 {
				t.Fatalf("%d names stand on the map", len(names))
			}
			name = names[0]
			// Points around the name are selected.
			rows := make([]uint64, len(all))
			n := 0
			for i := range s.Desk.Doc.Data.Points {
				x, y, ok := stand.Spot(s.Desk.Stage.Scatter(), i)
				if at := (imgui.Vec2{X: float32(x), Y: float32(y)}); ok && name.Inset(-30*scale, -30*scale).Has(at) {
					row := i
					if o := s.Desk.Table().Order; o != nil {
						row = int(o[i])
					}
					rows[row/64] |= 1 << (row % 64)
					n++
				}
			}
			if n < 5 {
				t.Fatalf("%d points around the name", n)
			}
			s.Desk.Stage.Scene.SetSelection("Select", selection.FromBits(s.Desk.Doc.Data.Points, rows))
		})
		s.Rest(d)
		d.Shoot("grip-beside-name")
		var x, y float64
		uitest.Do(func() {
			p, ok := s.Desk.Stage.Scatter().Grip()
			if !ok {
				t.Fatal("there is no grip")
			}
			x, y, _ = s.Desk.Stage.Scatter().Eye.Screen(p)
		})
		r := scale * widget.GripRadius
		grip := widget.Rect{X0: float32(x) - r, Y0: float32(y) - r, X1: float32(x) + r, Y1: float32(y) + r}
		if grip.Overlaps(name) || !grip.Inset(-60*scale, -60*scale).Overlaps(name) {
			t.Errorf("at scale %g the grip %v is not beside the name %v", scale, grip, name)
		}
		mx, my := middleOf(s)
		d.Drag(float32(x), float32(y), float32(x)+50*scale, float32(y)+30*scale, 5)
		s.Rest(d)
		nx, ny := middleOf(s)
		if dx, dy := nx-mx, ny-my; dx < 40*float64(scale) || dx > 60*float64(scale) || dy < 22*float64(scale) ||
			dy > 38*float64(scale) {
			t.Errorf("at scale %g the points went by %.1f, %.1f", scale, dx, dy)
		}
		d.End()
	}
}
