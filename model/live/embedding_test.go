package live

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/pca"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

// computed fails the test unless the embedding shows what its kind computes.
func computed(t testing.TB, d *desk, e *Embedding) {
	t.Helper()
	if e.Err() != nil {
		t.Fatal(e.Err())
	}
	in := d.inputs(e.Recipe())
	want, err := e.Kind().Compute(context.Background(), in, e.Recipe(), nil)
	if err != nil {
		t.Fatal(err)
	}
	pos, ok := e.Positions()
	if !ok || e.Shown() != d.Table().X.Rows || e.Stale() != 0 || e.Busy() {
		t.Fatalf("at rest: positions %v, %d shown, stale %g, busy %v", ok, e.Shown(), e.Stale(), e.Busy())
	}
	for i, v := range want.Pos {
		if pos[i] != v && (v == v || pos[i] == pos[i]) {
			t.Fatalf("coordinate %d is %g, should be %g", i, pos[i], v)
		}
	}
	if len(e.Axes()) != len(want.Axes) || e.Dims() != want.Dims {
		t.Fatalf("%d axes, %d dimensions", len(e.Axes()), e.Dims())
	}
}

// recolumn changes the transform of the first column of the map.
func (d *desk) recolumn(cofactor float64) {
	spec := parts.Transform.Of(d.Doc.State()).Clone()
	c := spec.MapColumns()[0]
	spec.Columns[c] = spec.Columns[c].With(transform.Asinh, transform.Params{cofactor})
	d.Doc.Do("Cofactor", func(s *state.State) { parts.Transform.Put(s, spec) })
}

// Several embeddings stand beside each other, each as its recipe says; small ones are there at once, large ones
// are jobs; a changed transform changes those that depend on it, and its undo brings them back.
func TestEmbeddingsBesideEachOther(t *testing.T) {
	for _, points := range []int{1500, 51_000} {
		d := open(t, fmt.Sprintf("demo:cytometry:%d", points))
		names := []string{}
		for _, c := range d.Table().Cols {
			names = append(names, d.Doc.Data.Columns[c].Name)
		}
		recipes := []embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(2), embedding.PCA(3),
			embedding.Columns(names[0], names[1]), embedding.Columns(names[2], names[1], names[3])}
		d.Show(recipes)
		d.settle(t)
		if points < 10_000 {
			d.check(t)
		}
		var all []*Embedding
		for _, r := range recipes {
			e := d.Embedding(r)
			if e != d.Embedding(r) || e.Rev() == 0 {
				t.Fatalf("%v: another one each time, or no revision", r)
			}
			all = append(all, e)
		}
		for _, e := range all[1:] {
			computed(t, d, e)
		}
		if len(all[0].Axes()) != 0 || all[1].Axes()[0].Title != "PC 1" ||
			!strings.HasSuffix(all[1].Axes()[1].Note, " %") || all[3].Axes()[0].Scale == nil {
			t.Fatalf("axes %+v, %+v", all[1].Axes(), all[3].Axes())
		}
		if title, note := all[1].Label(); title != "PCA" || note != fmt.Sprint(len(names), " markers") {
			t.Fatalf("%q, %q", title, note)
		}
		revs := func() (out []uint64) {
			for _, e := range all {
				out = append(out, uint64(e.Rev()))
			}
			return out
		}
		before := revs()
		d.frame(t)
		if !slices.Equal(before, revs()) {
			t.Fatal("revisions change while nothing moves")
		}
		first := slices.Clone(all[1].Target().Host())
		d.recolumn(2000)
		d.settle(t)
		for _, e := range all[1:] {
			computed(t, d, e)
		}
		now := revs()
		for i, changed := range []bool{true, true, true, true, false} {
			if (now[i] != before[i]) != changed {
				t.Errorf("%v: another revision %v, should be %v", recipes[i], now[i] != before[i], changed)
			}
		}
		d.Doc.Undo()
		d.settle(t)
		if !slices.Equal(first, all[1].Target().Host()) {
			t.Fatal("undo does not bring the principal components back")
		}
		d.Show([]embedding.Recipe{embedding.PCA(2)})
		if len(d.list) != 2 || d.alive != 2 {
			t.Fatalf("%d embeddings and %d buffers are left", len(d.list), d.alive)
		}
		d.Close()
		if d.alive != 0 {
			t.Fatalf("%d buffers after closing", d.alive)
		}
		if err := d.Reload(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		computed(t, d, d.Embedding(embedding.PCA(2)))
	}
}

// Landmarks of another dimension lead to another buffer, also by undo, while a drag or training goes on.
func TestTheMapGetsAThirdDimension(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	d := open(t, "demo:torus-knot:9000")
	d.settle(t)
	l, err := landmark.StartGrid(context.Background(), d.Table().X, landmark.ShapeFor(64, 3), landmark.Rect, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Space = parts.Landmarks.Of(d.Doc.State()).Space
	shows := func(dims int) {
		t.Helper()
		d.settle(t)
		d.check(t)
		if e := d.EmbedSOM(); e.Dims() != dims || e.Target().Dims() != dims || d.alive != 1 || e.Shown() != 9000 {
			t.Fatalf("%d dimensions, %d buffers, %d points shown", e.Dims(), d.alive, e.Shown())
		}
	}
	shows(2)
	rev := d.EmbedSOM().Rev()
	d.Doc.Do("3D", func(s *state.State) { parts.Landmarks.Put(s, l) })
	shows(3)
	if d.EmbedSOM().Rev() == rev {
		t.Fatal("the revision of other positions is the same")
	}
	d.Doc.Undo()
	shows(2)
	d.Doc.Redo()
	d.frame(t)
	d.Doc.Undo()
	d.frame(t)
	d.Doc.Redo()
	shows(3)
	if err := d.Training().Again(); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		d.frame(t)
	}
	d.Doc.Undo() // the training
	d.Doc.Undo()
	d.recolumn(3)
	d.frame(t)
	d.Doc.Undo()
	d.Training().Pause()
	shows(2)
}

// Embeddings that cannot be shown say why in words, beside those that can.
func TestEmbeddingsThatCannotBe(t *testing.T) {
	d := open(t, "demo:cytometry:500")
	for _, r := range []embedding.Recipe{{Kind: "nonsense", Dims: 2}, {Kind: "pca", Dims: 7},
		{Kind: "columns", Dims: 2},
		embedding.Columns("x", "gone"),
		embedding.Columns("z of EmbedSOM", "x")} {
		e := d.Embedding(r)
		d.settle(t)
		if p := problem.As(e.Err()); e.Err() == nil || p.Remedy == "" || e.Shown() != 0 || e.Busy() {
			t.Errorf("%v: %v, %d shown", r, e.Err(), e.Shown())
		}
	}
	// z needs a third dimension of the map, which may come.
	e := d.Embedding(embedding.Columns(d.Doc.Data.Columns[0].Name, "z"))
	d.settle(t)
	if e.Err() == nil || !strings.Contains(e.Err().Error(), "three dimensions") {
		t.Fatalf("z of a flat map: %v", e.Err())
	}
	l, err := landmark.StartGrid(context.Background(), d.Table().X, landmark.ShapeFor(27, 3), landmark.Rect, 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Space = parts.Landmarks.Of(d.Doc.State()).Space
	d.Doc.Do("3D", func(s *state.State) { parts.Landmarks.Put(s, l) })
	d.settle(t)
	if e.Err() != nil {
		t.Fatal(e.Err())
	}
	computed(t, d, e)
	pos, _ := d.EmbedSOM().Positions()
	z, _ := e.Positions()
	for i := range 500 {
		if z[2*i+1] != pos[3*i+2] {
			t.Fatalf("point %d has z %g, should be %g", i, z[2*i+1], pos[3*i+2])
		}
	}
}

// Derived columns are listed, made when they are asked for, kept up to date while they are, and can be axes.
func TestDerivedColumns(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(2)})
	d.settle(t)
	var names []string
	for _, c := range d.Columns() {
		names = append(names, c.Name)
		if c.Derived && c.Help == "" || c.Title == "" {
			t.Errorf("%+v", c)
		}
	}
	for _, want := range []string{d.Doc.Data.Columns[0].Name, "density", "density of PCA", "nearest landmark",
		"x of PCA"} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is not in the list %q", want, names)
		}
	}
	if slices.Contains(names, "z") || slices.Contains(names, "z of PCA") {
		t.Error("a third coordinate of two")
	}
	get := func(name string) []float32 {
		t.Helper()
		for range 10_000 {
			c, _, err := d.Column(name)
			if err != nil {
				t.Fatal(err)
			}
			busy := d.Busy()
			d.frame(t)
			if c != nil && !busy {
				return c.Values
			}
		}
		t.Fatalf("%s never came", name)
		return nil
	}
	for _, c := range d.Columns() {
		if v := get(c.Name); len(v) != 3000 {
			t.Fatalf("%s has %d values", c.Name, len(v))
		}
	}
	axes, err := pca.Fit(t.Context(), d.Table().X, nil)
	if err != nil {
		t.Fatal(err)
	}
	pos := make([]float32, 6000)
	if err := axes.Project(d.Table().X, 2, pos, 0, 3000); err != nil {
		t.Fatal(err)
	}
	e := d.Embedding(embedding.Columns("density", "x of PCA"))
	d.settle(t)
	computed(t, d, e)
	shown, _ := e.Positions()
	for i := range 3000 {
		if shown[2*i+1] != pos[2*i] {
			t.Fatalf("point %d: %g, should be %g", i, shown[2*i+1], pos[2*i])
		}
	}
	// A moved landmark changes the density, and the axis follows once the map is at rest.
	rev, before := e.Rev(), slices.Clone(get("density"))
	l, err := parts.Landmarks.Of(d.Doc.State()).Move([]int{3, 4, 5}, []float32{9, 9})
	if err != nil {
		t.Fatal(err)
	}
	d.Doc.Do("Move", func(s *state.State) { parts.Landmarks.Put(s, l) })
	d.settle(t)
	if slices.Equal(before, get("density")) || e.Rev() == rev {
		t.Fatal("the density stays that of another map")
	}
	computed(t, d, e)
	if _, _, err := d.Column("density of nothing"); err == nil {
		t.Fatal("there is a density of nothing")
	}
}

// A newer change cancels the job of an older one; a job that the user cancels says so in the view.
func TestJobsOfEmbeddings(t *testing.T) {
	o, err := opening.Load(context.Background(), []string{"demo:cytometry:51000"}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := desktop(t, o, "cpu")
	e := d.Embedding(embedding.PCA(2))
	d.frame(t)
	if l := d.Values.Jobs.List(); len(l) != 1 || l[0].Title != "PCA" || !e.Busy() || !d.Busy() || e.Shown() != 0 {
		t.Fatalf("jobs %v", l)
	}
	d.Values.Jobs.CancelAll()
	d.settle(t)
	if e.Err() == nil || e.Shown() != 0 {
		t.Fatal("a cancelled computation is not told")
	}
	for _, cofactor := range []float64{3, 30, 300} {
		d.recolumn(cofactor)
		for range 3 {
			d.frame(t)
		}
	}
	d.settle(t)
	computed(t, d, e)
	// Closing while jobs run: nothing comes after it, and nothing is left.
	d.recolumn(5)
	d.frame(t)
	d.Close()
	for len(d.Values.Jobs.List()) > 0 {
		(<-d.posts)()
	}
	if e.Target() != nil || d.alive != 0 || len(d.errors) > 0 {
		t.Fatalf("after closing: %d buffers, errors %v", d.alive, d.errors)
	}
}

func TestMissingAxesAreZero(t *testing.T) {
	d := open(t, "demo:tesseract:200")
	spec := parts.Transform.Of(d.Doc.State()).Clone()
	for _, c := range spec.MapColumns()[1:] {
		spec.Columns[c].Use = transform.ColourOnly
	}
	d.Doc.Do("One", func(s *state.State) { parts.Transform.Put(s, spec) })
	e := d.Embedding(embedding.PCA(3))
	d.settle(t)
	computed(t, d, e)
	pos, _ := e.Positions()
	varies := false
	for i := range 200 {
		varies = varies || math.Abs(float64(pos[3*i])) > 0.01
		if pos[3*i+1] != 0 || pos[3*i+2] != 0 {
			t.Fatalf("point %d is at %v", i, pos[3*i:3*i+3])
		}
	}
	if _, note := e.Label(); !varies || note != "1 column" {
		t.Fatalf("varies %v, note %q", varies, note)
	}
}
