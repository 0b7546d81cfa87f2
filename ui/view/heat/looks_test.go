package heat_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// twelve puts landmarks of fixed numbers into the document: three groups of four, one of which has names.
func twelve(s *stand.Window) {
	uitest.Do(func() {
		old := s.Marks()
		cols := old.Codebook.Cols
		l := &landmark.Set{Space: old.Space, CodeRev: revision.Next(), PosRev: revision.Next(), PinRev: revision.Next(),
			NameRev: revision.Next(), EdgeRev: revision.Next(), Pinned: make([]bool, 12), Names: make([]string, 12),
			Codebook: matrix.Matrix32{Rows: 12, Cols: cols, Data: make([]float32, 12*cols)},
			Pos:      matrix.Matrix32{Rows: 12, Cols: 2, Data: make([]float32, 24)}}
		for i := range 12 {
			for c := range cols {
				l.Codebook.Data[i*cols+c] = float32(i%3)*0.5*float32((c+i%3)%4-1) + 0.03125*float32(i/3*(c+1)%5)
			}
			l.Pos.Data[2*i], l.Pos.Data[2*i+1] = float32(i%4), float32(i/4)
			if i%3 == 0 {
				l.Names[i] = fmt.Sprintf("naive %d", i/3+1)
			}
		}
		s.Desk.Doc.Do("Landmarks", func(now *state.State) { parts.Landmarks.Put(now, l) })
	})
}

// alone opens a heat map in a window of its own and returns its view.
func alone(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver, *view.View) {
	t.Helper()
	o.Data, o.Views = "demo:tesseract:200", stand.Whole
	s, d := stand.Open(t, o)
	twelve(s)
	v := s.Desk.Stage.Active()
	uitest.Do(func() { s.Desk.Stage.ShowKind(v, "heat") })
	s.Rest(d)
	d.Frames(3)
	return s, d, v
}

// below is the place of a view without its header.
func below(v *view.View) widget.Rect {
	a := v.Area()
	return widget.Rect{X0: a.X0, Y0: v.Header.Y1, X1: a.X1, Y1: a.Y1}
}

// A heat map looks as it did: all of it, and some rows of it with what is selected and what the mouse is on.
func TestHeatMapLooks(t *testing.T) {
	_, d, v := alone(t, stand.Options{W: 520, H: 420})
	d.PictureOf("heat-light", below(v))
	d.End()

	s, d, v := alone(t, stand.Options{W: 1040, H: 840, Scale: 2, Dark: true})
	r := below(v)
	x, y := r.X0+0.5*r.W(), r.Y0+0.5*r.H()
	d.Wheel(x, y, 4)
	d.Frames(2)
	uitest.Do(func() { s.Desk.Stage.Hand().Landmarks.Selected = []int{0, 3, 6} })
	d.Move(r.X1-3, r.Y1-3)
	uitest.Do(func() { s.Desk.Stage.Hand().Hover = 6 })
	d.Frames(1)
	d.PictureOf("heat-dark-200", below(v))
}

// Linked heat maps show the same rows: by the wheel in either, by the keys, and all of them again. One that is let go
// keeps its own.
func TestLinkedHeatMapsZoomTogether(t *testing.T) {
	s, d, first := alone(t, stand.Options{W: 1000, H: 600})
	uitest.Do(func() { s.Desk.Stage.Split(first) })
	d.Frames(3)
	second := s.Desk.Stage.Active()
	uitest.Do(func() {
		s.Desk.Stage.ShowKind(second, "heat")
		s.Desk.Stage.Link(second)
	})
	s.Rest(d)
	rows := func(v *view.View) (w struct{ Top, Span float64 }) {
		uitest.Do(func() {
			v.Content().Keep()
			if raw := v.State().Settings; len(raw) > 0 {
				if err := json.Unmarshal(raw, &w); err != nil {
					t.Error(err)
				}
			}
		})
		return w
	}
	same := func(what string, zoomed bool) {
		t.Helper()
		a, b := rows(first), rows(second)
		if math.Abs(a.Top-b.Top) > 1e-9 || math.Abs(a.Span-b.Span) > 1e-9 || zoomed != (a.Span > 0) {
			t.Errorf("%s: %+v and %+v", what, a, b)
		}
	}
	for _, v := range []*view.View{first, second} {
		r := below(v)
		d.Wheel(r.X0+0.5*r.W(), r.Y0+0.3*r.H(), 3)
		d.Frames(2)
		same("the wheel", true)
	}
	uitest.Do(func() { s.Desk.Stage.Glide(0, -0.5) })
	d.Frames(2)
	same("a glide", true)
	uitest.Do(func() { first.Content().Fit(false) })
	d.Frames(2)
	same("all rows", false)
	uitest.Do(func() { s.Desk.Stage.Link(second) })
	r := below(first)
	d.Wheel(r.X0+0.5*r.W(), r.Y0+0.3*r.H(), 3)
	d.Frames(2)
	if rows(first).Span == 0 || rows(second).Span != 0 {
		t.Errorf("let go: %+v and %+v", rows(first), rows(second))
	}
}

// Messages are told where the names of the columns are, as long as there are any.
func TestMessagesSpareTheNamesOfAHeatMap(t *testing.T) {
	s, d, v := alone(t, stand.Options{W: 520, H: 420})
	uitest.Do(func() {
		r, all := s.Desk.Stage.Scene.Spared(), below(v)
		if len(r) != 1 || r[0].Y0 != all.Y0 || r[0].Y1 < all.Y0+20 || r[0].Y1 > all.Y0+60 || r[0].W() != all.W() {
			t.Errorf("spared are %v of %v", r, all)
		}
		s.Desk.Stage.ShowKind(v, view.ScatterKind)
	})
	d.Frames(3)
	uitest.Do(func() {
		if r := s.Desk.Stage.Scene.Spared(); len(r) > 0 {
			t.Errorf("a map spares %v", r)
		}
	})
}
