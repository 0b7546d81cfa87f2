package colour

import (
	"context"
	"image/color"
	"math"
	"slices"
	"strconv"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render/palette"
)

func table(t *testing.T, columns ...dataset.Column) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(context.Background(), "t", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

var nan = float32(math.NaN())

// Differences have 0 in the middle of a palette whose ends stand out, whichever of them are larger.
func TestDifferencesAreColouredAroundZero(t *testing.T) {
	for name, c := range map[string]struct {
		values []float32
		end    float32
	}{"more above": {[]float32{-1, nan, 0, 3}, 3}, "more below": {[]float32{-4, 1}, 4}, "above": {[]float32{1, 2}, 2},
		"zeros": {[]float32{0, 0}, 1}} {
		ds := table(t, dataset.Column{Name: "d", Values: c.values, Signed: true})
		v := Of(&ds.Columns[0], transform.Column{}, nil)
		got := v.Colouring(Settings{Low: 0, High: 100})
		if got.Lo != -c.end || got.Hi != c.end || got.Palette != palette.ByName("blue-red") {
			t.Errorf("%s: %g to %g of %v", name, got.Lo, got.Hi, got.Palette)
		}
		if got := v.Colouring(Settings{Low: 0, High: 100, Dark: true}); got.Palette.Kind != palette.Diverging ||
			got.Palette.Name == "blue-red" {
			t.Errorf("%s: in the dark of %v", name, got.Palette.Name)
		}
		if got := v.Colouring(Settings{Low: 0, High: 100, Palette: "magma"}); got.Palette.Name != "magma" {
			t.Errorf("%s: magma is asked for, %s is there", name, got.Palette.Name)
		}
	}
}

func TestAQuantity(t *testing.T) {
	values := make([]float32, 1001)
	for i := range values {
		values[i] = float32(i)
	}
	values[500] = nan
	ds := table(t, dataset.Column{Name: "PE-A", Label: "CD3", Values: values})
	spec := transform.Default(ds)
	spec.Columns[0] = spec.Columns[0].With(transform.Asinh, transform.Params{150})
	v := Of(&ds.Columns[0], spec.Columns[0], nil)
	c := v.Colouring(Settings{Low: 1, High: 99})
	want := func(x float64) float32 { return float32(math.Asinh(x / 150)) }
	if math.Abs(float64(c.Lo-want(10))) > 1e-4 || math.Abs(float64(c.Hi-want(990))) > 1e-4 ||
		c.Palette != palette.Default() {
		t.Fatalf("range %g to %g of %v", c.Lo, c.Hi, c.Palette)
	}
	l := v.Legend(c)
	if l.Title != "CD3" || l.Subtitle != "PE-A, asinh/150" || !l.BelowLo || !l.AboveHi || len(l.Entries) != 0 {
		t.Fatalf("legend %+v", l)
	}
	// Under the bar are raw values, where they are on an axis of the column, and as many as an axis would have.
	texts := []string{}
	for _, m := range l.Marks(3) {
		texts = append(texts, m.Text)
		if m.Text == "100" && math.Abs(m.At-float64((want(100)-c.Lo)/(c.Hi-c.Lo))) > 1e-3 {
			t.Errorf("100 is at %g of the bar", m.At)
		}
	}
	if n := len(texts); texts[0] != "≤ 10" || texts[n-1] != "≥ 990" || !slices.Contains(texts, "100") {
		t.Errorf("the legend has %q", texts)
	}
	// Any place on it can be read off.
	for _, x := range []float64{50, 200, 800} {
		at := float64((want(x) - c.Lo) / (c.Hi - c.Lo))
		if text, lower := v.Reading(c, at); text != strconv.Itoa(int(x)) || math.Abs(lower-x/1000) > 2e-3 {
			t.Errorf("at %g there is %s, above %g of all", x, text, lower)
		}
	}
	for _, x := range []float64{-30, 0, 12345} {
		if raw := v.Raw(v.Number(x)); math.Abs(raw-x) > 1e-6*(1+math.Abs(x)) {
			t.Errorf("%g comes back as %g", x, raw)
		}
	}
	counts := make([]float32, 10)
	v.Histogram(counts)
	sum := float32(0)
	for _, n := range counts {
		sum += n
	}
	if sum < 990 || sum > 1000 {
		t.Fatalf("%g values in the histogram", sum)
	}
	if c := v.Colouring(Settings{Palette: "okabe-ito"}); c.Palette.Kind == palette.Categorical {
		t.Fatal("a palette of labels for a quantity")
	}
}

func TestLabelsOfTextAndOfNumbers(t *testing.T) {
	ds := table(t, dataset.Column{Name: "type", Categories: []string{"B", "T", "none here"},
		Values: []float32{1, 0, 1, nan}},
		dataset.Column{Name: "cluster", Values: []float32{7, 3, 3, -1}})
	spec := transform.Default(ds)
	spec.Columns[1] = spec.Columns[1].With(transform.Asinh, transform.Params{5}) // must not touch labels
	v := Of(&ds.Columns[0], spec.Columns[0], []int32{3, 2, 1, 0})
	if !slices.Equal(v.Numbers[1:], []float32{1, 0, 1}) || v.Numbers[0] == v.Numbers[0] ||
		!slices.Equal(v.Counts, []int{1, 2, 0}) {
		t.Fatalf("%v, counts %v", v.Numbers, v.Counts)
	}
	if l := v.Legend(v.Colouring(Settings{})); len(l.Entries) != 3 || l.Entries[1].Name != "T" ||
		l.Entries[1].Count != 2 || l.Entries[2].Name != "none" || l.Entries[2].Count != 1 {
		t.Fatalf("legend %+v", l.Entries)
	}
	v.Count(func(i int) bool { return i != 1 })
	if !slices.Equal(v.Counts, []int{1, 1, 0}) {
		t.Fatalf("counts of drawn points %v", v.Counts)
	}
	v = Of(&ds.Columns[0], spec.Columns[0], []int32{3, 2, 1, 0})
	if v.Leave([]int32{0, 1}); !slices.Equal(v.Counts, []int{1, 1, 0}) || v.left != 0 {
		t.Fatalf("counts without two points %v, %d in none", v.Counts, v.left)
	}
	v = Of(&ds.Columns[1], spec.Columns[1], nil)
	if !slices.Equal(v.Labels, []string{"3", "7"}) || !slices.Equal(v.Numbers[:3], []float32{1, 0, 0}) ||
		v.Numbers[3] == v.Numbers[3] {
		t.Fatalf("%q %v: -1 is none", v.Labels, v.Numbers)
	}
	if l := v.Legend(v.Colouring(Settings{})); l.Entries[2].Name != "none" || l.Entries[2].Count != 1 {
		t.Fatalf("none does not stand last: %+v", l.Entries)
	}

	// Names are those of the file: with commas, and without where numbers are names.
	as := table(t, dataset.Column{Name: "type", Categories: []string{"T, naive", "1,5", " "},
		Values: []float32{1, 0, 2}},
		dataset.Column{Name: "batch", Values: []float32{1234567, 2024, 1234567}})
	as.Columns[1].Role = dataset.Label
	for i, want := range [][]string{{"T, naive", "1,5", " "}, {"2024", "1234567"}} {
		v := Of(&as.Columns[i], spec.Columns[0], nil)
		var got []string
		for _, e := range v.Legend(v.Colouring(Settings{})).Entries {
			got = append(got, e.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("the legend of %s has %q", as.Columns[i].Name, got)
		}
	}
}

func TestNothingToColourBy(t *testing.T) {
	var v *Values
	flat := color.NRGBA{1, 2, 3, 255}
	if c := v.Colouring(Settings{Flat: flat}); c.Palette != nil || c.Flat != flat || v.Legend(c) != nil {
		t.Fatalf("%+v", c)
	}
	ds := table(t, dataset.Column{Name: "x", Values: []float32{nan, nan}})
	w := Of(&ds.Columns[0], transform.Default(ds).Columns[0], nil)
	if c := w.Colouring(Settings{Low: 1, High: 99}); !(c.Hi > c.Lo) {
		t.Fatalf("range %g to %g without a value", c.Lo, c.Hi)
	}
}

// Labels take the place of former ones in their memory, but never in a column's.
func TestLabelsInTheMemoryOfFormerOnes(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Categories: []string{"x", "y"}, Values: []float32{1, 0, 1, nan}},
		dataset.Column{Name: "b", Categories: []string{"x", "y"}, Values: []float32{0, 0, 1, 1}})
	a, b, order := &ds.Columns[0], &ds.Columns[1], []int32{3, 2, 1, 0}
	first := Of(a, transform.Column{}, order)
	second := Again(first, b, transform.Column{}, "", order)
	if &second.Numbers[0] != &first.Numbers[0] || !slices.Equal(second.Numbers, []float32{1, 1, 0, 0}) {
		t.Fatalf("%v in memory of its own", second.Numbers)
	}
	as := Again(second, a, transform.Column{}, "", nil) // as the column has them
	Again(as, b, transform.Column{}, "", order)
	if !slices.Equal(a.Values[:3], []float32{1, 0, 1}) || !slices.Equal(b.Values, []float32{0, 0, 1, 1}) {
		t.Fatalf("the columns are %v and %v by now", a.Values, b.Values)
	}
}

// A bar stands for each of few values, the largest too.
func TestTheHistogramOfThreeValuesHasThreeBars(t *testing.T) {
	c := dataset.Column{Name: "a", Values: make([]float32, 300)}
	for i := range c.Values {
		c.Values[i] = float32(i % 3)
	}
	counts := make([]float32, 24)
	Of(&c, transform.Column{}, nil).Histogram(counts)
	if counts[0] != 100 || counts[12] != 100 || counts[23] != 100 {
		t.Errorf("bars of %v", counts)
	}
}

// A label that has the rest of what it names says so in the legend.
func TestALegendTellsRests(t *testing.T) {
	ds := table(t, dataset.Column{Name: "population", Categories: []string{"live", "T", "B"}, Rests: []bool{true, false,
		false}, Values: []float32{0, 1, 1, 2}})
	v := Of(&ds.Columns[0], transform.Column{}, nil)
	var names []string
	for _, e := range v.Legend(v.Colouring(Settings{})).Entries {
		names = append(names, e.Name)
	}
	if !slices.Equal(names, []string{"live, rest", "T", "B"}) || v.Labels[0] != "live" {
		t.Errorf("%q of %q", names, v.Labels)
	}
}
