package scene

import (
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
	"blossom/render"
)

var nan = float32(math.NaN())

func table(t *testing.T, columns ...dataset.Column) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(t.Context(), "t", columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = "t.csv"
	return ds
}

func plain(ds *dataset.Dataset) transform.Spec {
	return transform.Spec{Columns: make([]transform.Column, len(ds.Columns))}
}

// A density says of which map it is: not of the landmarks' one where points lie elsewhere.
func TestADensityIsOfTheMapThatIsDrawn(t *testing.T) {
	ds := table(t, dataset.Column{Name: "x", Values: []float32{1, 2, 3, 4}},
		dataset.Column{Name: "y", Values: []float32{1, 2, 3, 5}})
	at, err := At(t.Context(), ds, plain(ds), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	own := *at
	own.Embedding.Axes = nil
	other := own
	other.Title = "t-SNE"
	for want, m := range map[string]*Map{"density|log10": at, "density|of EmbedSOM, log10": &own,
		"density of t-SNE|log10": &other} {
		v, err := m.values(t.Context(), densityID, "", []int32{0, 1, 2, 3})
		if err != nil {
			t.Fatal(err)
		}
		l := v.Legend(Colouring(v, Look{High: 100}, false, color.NRGBA{}))
		if got := l.Title + "|" + l.Subtitle; got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}

// Columns are axes through their transforms; a point without a value in one of them has no place.
func TestAt(t *testing.T) {
	ds := table(t, dataset.Column{Name: "PE-A", Label: "CD4", Values: []float32{-150, 0, 1500, nan, 30}},
		dataset.Column{Name: "y", Values: []float32{1, 2, 3, 4, float32(math.Inf(1))}},
		dataset.Column{Name: "z", Values: []float32{5, 6, 7, 8, 9}})
	spec := plain(ds)
	spec.Columns[0] = transform.Column{Op: transform.Asinh, Params: transform.Params{150}, Weight: 2}
	for _, cols := range [][]int{{0, 1}, {1, 0}, {0, 1, 2}} {
		m, err := At(t.Context(), ds, spec, cols)
		if err != nil {
			t.Fatal(err)
		}
		if m.Factors != nil || m.Embedding.Dims != len(cols) {
			t.Errorf("%v: %v, factors %v", cols, m.Embedding.Dims, m.Factors)
		}
		for i := range ds.Points {
			for j, c := range cols {
				want := float64(ds.Columns[c].Values[i])
				if c == 0 {
					want = math.Asinh(want / 150)
				}
				if i >= 3 {
					want = math.NaN()
				}
				if got := float64(m.row(i)[j]); got != got != (want != want) || math.Abs(got-want) > 1e-6 {
					t.Errorf("%v: point %d is at %g, want %g", cols, i, got, want)
				}
			}
		}
		if a := m.Embedding.Axes; len(a) != len(cols) || cols[0] == 0 && (a[0].Title != "CD4" || a[0].Note != "PE-A") {
			t.Errorf("%v: axes %v", cols, a)
		}
	}
	names := dataset.Column{Name: "names", Values: []float32{0, 1}, Categories: []string{"a", "b"}}
	never := dataset.Column{Name: "never", Values: []float32{nan, 1}}
	other := dataset.Column{Name: "else", Values: []float32{1, nan}}
	for want, ds := range map[string]*dataset.Dataset{
		"holds names": table(t, names, other),
		"no point has a value in all of never, else": table(t, never, other),
	} {
		if _, err := At(t.Context(), ds, plain(ds), []int{0, 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Axes of one kind keep their proportions; very uneven ones are drawn equally long, and say by how much.
func TestStretch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	column := func(name string, span float32) dataset.Column {
		v := make([]float32, 2000)
		for i := range v {
			v[i] = span * rng.Float32()
		}
		return dataset.Column{Name: name, Values: v}
	}
	ds := table(t, column("a", 1), column("b", 4), column("time", 9000), dataset.Column{Name: "flat",
		Values: make([]float32, 2000)})
	at := func(cols ...int) *Map {
		m, err := At(t.Context(), ds, plain(ds), cols)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if m := at(0, 1); m.Factors != nil {
		t.Errorf("factors %v of two alike", m.Factors)
	}
	if m := at(0, 3); m.Factors != nil {
		t.Errorf("factors %v where one axis is a single value", m.Factors)
	}
	m := at(0, 2)
	box, ok := m.core()
	w, h := box.Max.X-box.Min.X, box.Max.Y-box.Min.Y
	if !ok || m.Factors == nil || math.Abs(w/h-1) > 0.02 {
		t.Fatalf("%g wide, %g high, factors %v", w, h, m.Factors)
	}
	for i := range 50 {
		if got, want := float64(m.row(i)[1]), m.Factors[1]*float64(ds.Columns[2].Values[i]); math.Abs(got-want) > 1e-5 {
			t.Errorf("point %d at %g, want %g", i, got, want)
		}
	}
	s := Scene{Axes: m.Embedding.Axes, Factors: m.Factors, Look: Look{Low: 1, High: 99}}
	o, err := s.Picture(Options{Width: 100, Height: 100, Scale: 1, Axes: true})
	if err != nil || len(o.Axes) != 2 || o.Axes[1].Factor != m.Factors[1] {
		t.Errorf("%+v, %v", o.Axes, err)
	}
}

// Points are coloured by what is named, a column before one that is derived; else by labels, else by what the map
// suggests, else by the density.
func TestValues(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	cloud := make([]float32, 10000) // half of it in a Gaussian of deviation 0.05, the rest evenly in the unit square
	for i := range cloud {
		cloud[i] = rng.Float32()
		if i/2%2 == 0 {
			cloud[i] = float32(0.5 + 0.05*rng.NormFloat64())
		}
	}
	column := func(name string, labels ...string) dataset.Column {
		c := dataset.Column{Name: name, Values: make([]float32, 5000), Categories: labels}
		for i := range c.Values {
			c.Values[i] = float32(i % 2)
		}
		return c
	}
	a, b, named, labels := column("a"), column("b"), column("Density"), column("cell type", "x", "y")
	for _, c := range []struct {
		columns []dataset.Column
		cols    []int
		by      string
		want    string // title of the legend
	}{
		{[]dataset.Column{a, b}, nil, "", "density"}, {[]dataset.Column{a, b}, []int{1}, "", "b"},
		{[]dataset.Column{a, labels}, []int{0}, "", "cell type"}, {[]dataset.Column{a, labels}, []int{0}, "A", "a"},
		{[]dataset.Column{a, b}, []int{1}, "Density", "density"},
		{[]dataset.Column{a, named}, nil, "density", "Density"}, {[]dataset.Column{a, b}, nil, "x", "x"},
	} {
		ds := table(t, c.columns...)
		m := &Map{Data: ds, Spec: plain(ds), Cols: c.cols, Embedding: embedding.Result{Dims: 2, Pos: cloud}}
		v, err := m.values(t.Context(), c.by, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		if l := v.Legend(Colouring(v, Look{Low: 1, High: 99}, false, render.Light().Accent)); l.Title != c.want {
			t.Errorf("%q is %q, want %q", c.by, l.Title, c.want)
		}
		if c.want == "density" {
			if lo, hi := v.Range(1, 99); lo >= 0 || hi < 1 || hi > 2 { // half of the points in 1 % of the map
				t.Errorf("density from %g to %g", lo, hi)
			}
		}
	}
	ds := table(t, a, b)
	m := &Map{Data: ds, Spec: plain(ds), Embedding: embedding.Result{Dims: 2, Pos: cloud}}
	if v, err := m.values(t.Context(), "None", "", nil); v != nil || err != nil {
		t.Errorf("no colour: %v, %v", v, err)
	}
	_, err := m.values(t.Context(), "bb", "", nil)
	if err == nil || !strings.Contains(err.Error(), `did you mean "b"`) {
		t.Errorf("an unknown column: %v", err)
	}
	m.Embedding.Pos = cloud[:100]
	if _, err := m.values(t.Context(), "density", "", nil); err == nil {
		t.Error("the density of 50 places of 5000 points")
	}
}

// A picture shows what its options say, and no more.
func TestPicture(t *testing.T) {
	set, err := landmark.New(matrix.New(2, 3), matrix.New(2, 2))
	if err != nil {
		t.Fatal(err)
	}
	set.Names, set.Edges = []string{"a", ""}, [][2]int32{{0, 1}}
	look := Look{Low: 1, High: 99}
	look.Size, look.Opacity = 3, 0.5
	s := Scene{Landmarks: set, Look: look, Axes: []embedding.Axis{{Title: "x"}, {Title: "y"}}}
	bare, err := s.Picture(Options{Width: 10, Height: 20, Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	if bare.Landmarks.Rows != 0 || bare.Names != nil || bare.Edges != nil || bare.Axes != nil || bare.Legend != nil ||
		bare.Style.Size != 6 || bare.Style.Opacity != 0.5 || bare.Style.Colouring.Flat != render.Light().Landmark {
		t.Errorf("%+v", bare)
	}
	full, err := s.Picture(Options{Width: 10, Height: 20, Scale: 2, Dark: true, Landmarks: true, Edges: true,
		Names: true, Axes: true, Title: "t", Flat: render.Dark().Accent})
	if err != nil {
		t.Fatal(err)
	}
	if full.Landmarks.Rows != 2 || len(full.Names) != 2 || len(full.Edges) != 1 || len(full.Axes) != 2 ||
		full.Title != "t" || full.Theme != render.Dark() || full.Style.Colouring.Flat != render.Dark().Accent {
		t.Errorf("%+v", full)
	}
}
