package view

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var wide = Box{44, 32, 1292, 972}

// anySplit draws a split by operations as a user does them, in areas of any size.
func anySplit(t *rapid.T) Split {
	s := One()
	in := anyBox(t)
	z := SizesAt(1)
	for range rapid.IntRange(0, 12).Draw(t, "operations") {
		v := s.Views()
		id := rapid.SampledFrom(v).Draw(t, "view")
		switch rapid.IntRange(0, 6).Draw(t, "operation") {
		case 0, 1, 2:
			s, _ = s.Divide(id, in, z)
		case 3:
			s, _ = s.Close(id)
		case 4:
			s = s.Swap(id, rapid.SampledFrom(v).Draw(t, "other"))
		case 5:
			s = s.Drag(rapid.IntRange(-1, 3).Draw(t, "bar"), rapid.Float32Range(-100, 3000).Draw(t, "pos"), in, z)
		case 6:
			s = s.Maximise(id)
		}
		if n := s.Count(); n < 1 || n > Most {
			t.Fatalf("%d views", n)
		}
		o := s.Views()
		if slices.Sort(o); len(slices.Compact(o)) != s.Count() {
			t.Fatalf("a view stands twice: %v", s.Views())
		}
	}
	return s
}

func anyBox(t *rapid.T) Box {
	x, y := rapid.Float32Range(0, 50).Draw(t, "x"), rapid.Float32Range(0, 50).Draw(t, "y")
	return Box{x, y, x + rapid.Float32Range(0, 3000).Draw(t, "w"), y + rapid.Float32Range(0, 2000).Draw(t, "h")}
}

func arranged(s Split, in Box, active ID, z Sizes) Arrangement {
	var a Arrangement
	s.Arrange(in, active, z, &a)
	return a
}

func overlap(a, b Box) bool { return a.X0 < b.X1 && b.X0 < a.X1 && a.Y0 < b.Y1 && b.Y0 < a.Y1 }

// Views and lines tile the area, whatever was done and whatever its size, and keep their least sizes.
func TestTiles(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, in := anySplit(t), anyBox(t)
		z := SizesAt(rapid.SampledFrom([]float32{0.75, 1, 1.25, 2}).Draw(t, "scale"))
		active := ID(rapid.IntRange(0, 6).Draw(t, "active"))
		a := arranged(s, in, active, z)
		if len(a.Places)+a.Hidden != s.Count() || len(a.Places) == 0 {
			t.Fatalf("%d of %d views shown, %d hidden", len(a.Places), s.Count(), a.Hidden)
		}
		var boxes []Box
		area := 0.0
		for _, p := range a.Places {
			boxes = append(boxes, p.Box)
			if len(a.Places) > 1 && (p.Box.W() < z.MinW-1 || p.Box.H() < z.MinH-1) {
				t.Fatalf("view %d is %v x %v", p.View, p.Box.W(), p.Box.H())
			}
			// float32 keeps fractions of these sizes to a thousandth
			if d := float64(p.Box.X0 - in.X0); math.Abs(d-math.Round(d)) > 1e-3 {
				t.Fatalf("view %d begins %v units from the corner", p.View, d)
			}
		}
		for _, b := range a.Bars {
			boxes = append(boxes, b.Line)
			if g := b.Grab; max(g.W(), g.H()) < 1 || min(g.W(), g.H()) < z.Grab-0.01 {
				t.Fatalf("bar %d is taken hold of in %v", b.Index, g)
			}
		}
		for i, b := range boxes {
			area += float64(b.W()) * float64(b.H())
			if b.X0 < in.X0 || b.Y0 < in.Y0 || b.X1 > in.X1 || b.Y1 > in.Y1 || b.W() < 0 || b.H() < 0 {
				t.Fatalf("%v is not within %v", b, in)
			}
			for _, c := range boxes[:i] {
				if overlap(b, c) {
					t.Fatalf("%v and %v overlap", b, c)
				}
			}
		}
		if want := float64(in.W()) * float64(in.H()); math.Abs(area-want) > 1e-4*want+0.5 {
			t.Fatalf("boxes cover %v of %v", area, want)
		}
	})
}

func TestInverses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, in, z := anySplit(t).Restore(), anyBox(t), SizesAt(1)
		v := s.Views()
		id := rapid.SampledFrom(v).Draw(t, "view")
		d, fresh := s.Divide(id, in, z)
		if (fresh == 0) != (s.Count() == Most) {
			t.Fatalf("divided %d views: %d", s.Count(), fresh)
		}
		if fresh != 0 {
			if slices.Contains(v, fresh) || d.Count() != s.Count()+1 {
				t.Fatalf("views %v, then %v", v, d.Views())
			}
			c, ok := d.Close(fresh)
			c.next = s.next // the number itself is not given again
			if !ok || !c.Equal(s) {
				t.Fatalf("closing what was divided: %v, want %v", c.Code(), s.Code())
			}
		}
		other := rapid.SampledFrom(v).Draw(t, "other")
		if w := s.Swap(id, other).Swap(id, other); !w.Equal(s) {
			t.Fatalf("swapped twice: %v, want %v", w.Code(), s.Code())
		}
		if m := s.Maximise(id); !m.Restore().Equal(s) || (m.Maximised() == id) != (len(v) > 1) {
			t.Fatalf("maximised and restored: %v, want %v", m.Restore().Code(), s.Code())
		}
		c, ok := s.Close(id)
		if ok != (len(v) > 1) || (ok && c.Has(id)) {
			t.Fatalf("closed %d of %v: %v %v", id, v, ok, c.Views())
		}
	})
}

func TestCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anySplit(t)
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var r Split
		if err := json.Unmarshal(b, &r); err != nil || !r.Equal(s) {
			t.Fatalf("%s: %v, %v", b, err, r.Code())
		}
	})
	for _, c := range []string{`{}`, `{"tree":{"view":0}}`, `{"tree":{"cut":"rows","share":0.5}}`,
		`{"tree":{"cut":"rows","share":1,"parts":[{"view":1},{"view":2}]}}`,
		`{"tree":{"cut":"rows","share":0.5,"parts":[{"view":1},{"view":1}]}}`,
		`{"tree":{"cut":"diagonal","share":0.5,"parts":[{"view":1},{"view":2}]}}`,
		`{"tree":{"cut":"rows","share":0.5,"parts":[{"view":1},{"view":2},{"view":3}]}}`,
		`{"tree":{"view":4294967295}}`, `{"tree":3}`,
		`{"tree":` + strings.Repeat(`{"cut":"rows","share":0.5,"parts":[{"view":1},`, 9) + `{"view":7}` +
			strings.Repeat(`]}`, 9) + `}`,
	} {
		s := One()
		if err := json.Unmarshal([]byte(c), &s); err == nil || !s.Equal(One()) {
			t.Errorf("%s was read as %v", c, s.Code())
		}
	}
}

// Four views come about as two by two, and a bar dragged near the other lines up with it.
func TestFour(t *testing.T) {
	z := SizesAt(1)
	s := One()
	s, b := s.Divide(1, wide, z)
	s, c := s.Divide(1, wide, z)
	s, d := s.Divide(b, wide, z)
	a := arranged(s, wide, 1, z)
	if s.Count() != 4 || len(a.Places) != 4 || len(a.Bars) != 3 {
		t.Fatalf("%v: %+v", s.Code(), a)
	}
	at := map[ID]Box{}
	for _, p := range a.Places {
		at[p.View] = p.Box
	}
	if !(at[1].X1 < at[b].X0 && at[1].Y1 < at[c].Y0 && at[b].Y1 < at[d].Y0 && at[c].X1 < at[d].X0) {
		t.Fatalf("not two by two: %v", at)
	}
	if _, e := s.Divide(1, wide, z); e != 0 {
		t.Error("a fifth view")
	}
	s = s.Drag(1, 700, wide, z)
	s = s.Drag(2, 704, wide, z)
	a = arranged(s, wide, 1, z)
	if a.Bars[1].Line.Y0 != a.Bars[2].Line.Y0 {
		t.Errorf("bars at %v and %v do not line up", a.Bars[1].Line, a.Bars[2].Line)
	}
	s = s.Drag(1, -1000, wide, z)
	if a = arranged(s, wide, 1, z); math.Abs(float64(a.Places[0].Box.H()-z.MinH)) > 1 {
		t.Errorf("dragged out of the window: %v high", a.Places[0].Box.H())
	}
	s = s.Even(1)
	if a = arranged(s, wide, 1, z); math.Abs(float64(a.Places[0].Box.H()-a.Places[1].Box.H())) > 1 {
		t.Errorf("evened: %v", a.Places)
	}
}

// A bar is drawn where it is dragged to.
func TestDragFollows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, z := anySplit(t).Restore(), SizesAt(1)
		z.Snap = 0
		in := Box{0, 0, 2600, 1900}
		a := arranged(s, in, 0, z)
		if len(a.Bars) == 0 {
			return
		}
		bar := rapid.SampledFrom(a.Bars).Draw(t, "bar")
		middle := func(b Bar) float32 {
			if b.Rows {
				return (b.Line.Y0 + b.Line.Y1) / 2
			}
			return (b.Line.X0 + b.Line.X1) / 2
		}
		to := middle(bar) + rapid.Float32Range(-30, 30).Draw(t, "by")
		s2 := s.Drag(bar.Index, to, in, z)
		b := arranged(s2, in, 0, z)
		got := middle(b.Bars[bar.Index])
		if math.Abs(float64(got-to)) > 1 && b.Places[0].Box.W() > z.MinW+1 {
			n, most := 0, float32(0) // it stopped, because something is at its least size
			for _, p := range b.Places {
				most = max(most, p.Box.W(), p.Box.H())
				if p.Box.W() < z.MinW+2 || p.Box.H() < z.MinH+2 {
					n++
				}
			}
			if n == 0 {
				t.Fatalf("dragged to %v, it is at %v: %v", to, got, b.Places)
			}
		}
	})
}

// A window of 500 x 400 shows the active view alone, and larger ones all.
func TestSmall(t *testing.T) {
	z := SizesAt(1)
	s, second := One().Divide(1, wide, z)
	small := Box{44, 32, 500, 372}
	a := arranged(s, small, second, z)
	if !a.Small || len(a.Places) != 1 || a.Places[0] != (Place{second, small}) || a.Hidden != 1 {
		t.Errorf("in a small window: %+v", a)
	}
	if a = arranged(s, small, 99, z); a.Places[0].View != 1 {
		t.Errorf("with no active view: %+v", a)
	}
	if a = arranged(s, wide, second, z); a.Small || len(a.Places) != 2 {
		t.Errorf("in a large window: %+v", a)
	}
	if a = arranged(s.Maximise(second), wide, 1, z); a.Small || len(a.Places) != 1 || a.Places[0].View != second {
		t.Errorf("maximised: %+v", a)
	}
	rows, _ := One().Divide(1, Box{0, 0, 300, 900}, z)
	if a = arranged(rows, small, 1, z); !a.Small {
		t.Errorf("one above the other: %+v", a)
	}
}

func TestEvenOfThree(t *testing.T) {
	z := SizesAt(1)
	in := Box{0, 0, 1802, 500}
	s, _ := One().Divide(1, in, z)
	s, _ = s.Divide(1, in, z)
	s = s.Even(0).Even(1)
	for _, p := range arranged(s, in, 1, z).Places {
		if p.Box.W() != 600 {
			t.Errorf("view %d is %v wide, want 600", p.View, p.Box.W())
		}
	}
}

func TestArrangeDoesNotAllocate(t *testing.T) {
	z := SizesAt(1)
	s, _ := One().Divide(1, wide, z)
	s, _ = s.Divide(1, wide, z)
	var a Arrangement
	if n := testing.AllocsPerRun(20, func() { s.Arrange(wide, 1, z, &a) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
