package job

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/demo"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// A document whose window shows another embedding says so where EmbedSOM is computed, and nowhere else.
func TestOnlyCoordinatesAreSaidToBeOfEmbedSOM(t *testing.T) {
	data, err := demo.Generate(t.Context(), "tesseract", 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(t.Context(), data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Always(func(s *state.State) {
		parts.Views.Edit(s, func(l *parts.ViewList) {
			l.Views = append([]parts.View(nil), l.Views...)
			for i := range l.Views {
				l.Views[i].Recipe = embedding.TSNE(2)
			}
		})
	})
	for _, w := range []Want{&Labels{}, DefaultTSNE(), &Embedding{}} {
		j, err := OfDocument(t.Context(), o.Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Want(w)
		if said := strings.Contains(strings.Join(j.notes, "\n"), "EmbedSOM"); said != (w.What() == "embedding") {
			t.Errorf("%s: %q", w.What(), j.notes)
		}
	}
}

// A picture of a session has the colours of its window, but for what is asked for.
func TestAPictureOfASessionLooksAsItsWindow(t *testing.T) {
	data, err := demo.Generate(t.Context(), "tesseract", 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(t.Context(), data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	look := parts.Look{Column: "y", Palette: "magma", Reverse: true, Low: 2, High: 90, Size: 3, Opacity: 0.5, From: -1,
		To: 1, Of: "y"}
	for _, c := range []struct {
		column, of string
		given      []string
		want       Picture
		notes      int
	}{
		{"y", "y", nil, Picture{Colour: "y", Palette: "magma", Reverse: true, Percentiles: [2]float64{2, 90},
			Ends: [2]float64{-1, 1}, PointSize: 3, Opacity: 0.5}, 0},
		{"y", "x", []string{"palette", "opacity"}, Picture{Colour: "y", Reverse: true, Percentiles: [2]float64{2, 90},
			PointSize: 3}, 0},
		{"y", "y", []string{"colour"}, Picture{Colour: "corner"}, 0},
		{"", "", []string{"reverse", "range", "point-size", "contours"},
			Picture{Colour: "none", Palette: "magma", Opacity: 0.5}, 0},
		{"density", "", []string{"palette", "reverse", "range", "point-size", "opacity"},
			Picture{Colour: "density"}, 0},
		{"nearest landmark", "", nil, Picture{}, 1},
		{"gone", "", nil, Picture{}, 1},
	} {
		look.Column, look.Of = c.column, c.of
		o.Doc.Always(func(s *state.State) {
			views := parts.Views.Of(*s)
			parts.Looks.Put(s, parts.Looks.Of(*s).With(views.Active, look))
			parts.Views.Put(s, views.Edit(views.Active, func(v *parts.View) { v.Contours = parts.ContoursAlone }))
		})
		j, err := OfDocument(t.Context(), o.Doc)
		if err != nil {
			t.Fatal(err)
		}
		p := &Picture{}
		if slices.Contains(c.given, "colour") {
			p.Colour = "corner"
		}
		j.Seen(p, func(name string) bool { return slices.Contains(c.given, name) })
		if p.Graph == nil || !p.Graph.Equal(graph.Default()) {
			t.Errorf("the graph over its landmarks is %+v", p.Graph)
		}
		p.Graph = nil
		if !slices.Contains(c.given, "contours") {
			c.want.Contours = parts.ContoursAlone
		}
		if !reflect.DeepEqual(*p, c.want) || len(j.notes) != c.notes {
			t.Errorf("%q, given %q: %+v, %q", c.column, c.given, *p, j.notes)
		}
	}
}

// A picture has the scale, centre and second column of its view, but for what flags say; ends that are values on
// one scale are none on another.
func TestPicturesHaveTheScaleOfTheirView(t *testing.T) {
	data, err := dataset.FromColumns(t.Context(), "t", []dataset.Column{{Name: "x", Values: []float32{1, 2, 3}},
		{Name: "y", Values: []float32{3, 1, 2}}, {Name: "kind", Categories: []string{"a"}, Values: []float32{0, 0, 0}}})
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(t.Context(), data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		and    string
		given  []string
		scale  transform.Spread
		wanted Picture
	}{
		{"y", nil, "", Picture{And: "y", Scale: "log", Ends: [2]float64{1, 9}}},
		{"kind", nil, "", Picture{Scale: "log", Ends: [2]float64{1, 9}}},
		{"y", []string{"colour-and", "centre", "colour-scale"}, "asinh", Picture{Scale: "asinh"}},
		{"", []string{"colour-scale"}, "log", Picture{Scale: "log", Ends: [2]float64{1, 9}}},
	} {
		o.Doc.Always(func(s *state.State) {
			parts.Looks.Put(s, parts.Looks.Of(*s).With(parts.Views.Of(*s).Active, parts.Look{Column: "x", From: 1,
				To: 9,
				Of: "x", And: c.and, Spread: transform.SpreadLog, Centred: true, Centre: 4}))
		})
		j, err := OfDocument(t.Context(), o.Doc)
		if err != nil {
			t.Fatal(err)
		}
		p := &Picture{Scale: c.scale}
		j.Seen(p, func(name string) bool { return slices.Contains(c.given, name) })
		centre := p.Centre != nil && *p.Centre == 4
		if p.And != c.wanted.And || p.Scale != c.wanted.Scale || p.Ends != c.wanted.Ends ||
			centre == slices.Contains(c.given, "centre") {
			t.Errorf("%+v, given %q: %+v", c.wanted, c.given, *p)
		}
	}
}
