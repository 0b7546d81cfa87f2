package dock

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/maps/selection"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

// The list of points is that of a set, sorted by a column with what is missing last in both directions, and of what a
// search finds in labels or by its number.
func TestPointsAreListedSortedAndFound(t *testing.T) {
	nan := float32(math.NaN())
	data, err := dataset.FromColumns(t.Context(), "x", []dataset.Column{
		{Name: "a", Values: []float32{3, nan, 1, 2, 3, 0}},
		{Name: "kind", Values: []float32{1, 0, nan, 1, 0, 0}, Categories: []string{"B cell", "naive T"}}})
	if err != nil {
		t.Fatal(err)
	}
	number, kind := &data.Columns[0], &data.Columns[1]
	for _, c := range []struct {
		set  *selection.Set
		by   *dataset.Column
		key  listedKey
		want []int32
	}{
		{nil, nil, listedKey{}, []int32{0, 1, 2, 3, 4, 5}},
		{nil, number, listedKey{}, []int32{5, 2, 3, 0, 4, 1}},
		{nil, number, listedKey{down: true}, []int32{0, 4, 3, 2, 5, 1}},
		{selection.FromBits(6, []uint64{0b10011}), number, listedKey{}, []int32{0, 4, 1}},
		{nil, kind, listedKey{}, []int32{1, 4, 5, 0, 3, 2}},
		{nil, kind, listedKey{down: true}, []int32{0, 3, 1, 4, 5, 2}},
		{nil, nil, listedKey{seek: " T "}, []int32{0, 3}},
		{nil, nil, listedKey{seek: "3"}, []int32{2}},
		{nil, nil, listedKey{seek: "CELL"}, []int32{1, 4, 5}},
		{nil, nil, listedKey{seek: "nothing"}, []int32{}},
		{selection.None(6), number, listedKey{}, []int32{}},
	} {
		got, err := listed(t.Context(), data, c.set, c.by, c.key)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v is wanted (%v)", c.key, got, c.want, err)
		}
	}
}

// A click on a row holds the card of its point, in a view that goes there.
func TestAClickOnARowGoesToThePoint(t *testing.T) {
	s, d := begin(t, "points", stand.Options{Data: "demo:cytometry:1000", W: 1000, H: 700})
	s.Rest(d)
	v := s.Desk.Stage.Scatters()[0]
	uitest.Do(func() { v.Eye.ZoomAt(10, 10, 30) }) // nearly all is out of sight
	s.Rest(d)
	d.ClickOn("dock-points/points/2")
	s.Rest(d)
	h := s.Desk.Stage.Hover()
	if !h.On || !h.Held || h.Row != 2 || int(s.Desk.Table().Order[h.Point]) != 2 {
		t.Fatalf("held is row %d, point %d: %v", h.Row, h.Point, h.Held)
	}
	if x, y, ok := stand.Spot(v, h.Point); !ok || !v.Eye.Contains(x, y) {
		t.Errorf("the point is at %g, %g", x, y)
	}
	d.Keys("Esc")
	d.Frames(2)
	if h.Held {
		t.Error("Esc does not let go")
	}
	d.ClickOn("dock-points/seek/seek")
	d.Type("17")
	s.Rest(d)
	if !d.Has("dock-points/points/0") || d.Has("dock-points/points/1") {
		t.Error("the search for row 17 does not find one row")
	}
}

func TestPointsLook(t *testing.T) {
	s, d := begin(t, "points", stand.Options{Data: "demo:cytometry:1000", W: 900, H: 420})
	words := make([]uint64, 16)
	words[3] = 0xff
	uitest.Do(func() { s.Desk.Stage.Scene.SetSelection("Select", selection.FromBits(1000, words)) })
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
		d.Picture(fmt.Sprint("dock-points", c.suffix), "dock-points")
	}
}
