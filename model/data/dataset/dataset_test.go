package dataset

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"

	"pgregory.net/rapid"
)

var nan, inf = float32(math.NaN()), float32(math.Inf(1))

func mustColumns(t testing.TB, columns ...Column) *Dataset {
	t.Helper()
	ds, err := FromColumns(context.Background(), "test", columns)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

func TestStatsSkipWhatIsNotFinite(t *testing.T) {
	s := Summarise([]float32{1, nan, 3, inf, -inf, 2})
	want := Stats{Count: 3, Invalid: 3, Min: 1, Max: 3, Mean: 2, SD: 1}
	if s != want {
		t.Fatalf("got %+v, want %+v", s, want)
	}
	if s := Summarise([]float32{nan, nan}); s != (Stats{Invalid: 2}) {
		t.Fatalf("all missing: %+v", s)
	}
	if s := Summarise[float32](nil); s != (Stats{}) {
		t.Fatalf("empty: %+v", s)
	}
	if s := Summarise([]float32{1e38, 1e38, 3e38}); s.Max != float64(float32(3e38)) || math.IsInf(s.SD, 0) ||
		s.SD < 1e38 {
		t.Fatalf("1e38: %+v", s)
	}
}

// A mean far from zero with a small deviation is where sums in float32, or of squares, fail.
func TestStatsAreExactFarFromZero(t *testing.T) {
	v := make([]float32, 1_000_000)
	for i := range v {
		v[i] = 100_000 + float32(i%201-100)
	}
	s := Summarise(v)
	var mean, m2 float64 // textbook Welford
	for i, x := range v {
		d := float64(x) - mean
		mean += d / float64(i+1)
		m2 += d * (float64(x) - mean)
	}
	if sd := math.Sqrt(m2 / float64(len(v)-1)); math.Abs(s.SD/sd-1) > 1e-9 || math.Abs(s.Mean/mean-1) > 1e-12 {
		t.Fatalf("mean %v sd %v, Welford says %v %v", s.Mean, s.SD, mean, sd)
	}
	ds := mustColumns(t, Column{Name: "a", Values: v}, Column{Name: "b", Values: v[:len(v):len(v)]})
	if ds.Columns[0].Stats != ds.Columns[1].Stats || math.Abs(ds.Columns[0].Stats.SD/s.SD-1) > 1e-9 {
		t.Fatalf("in parallel %+v, alone %+v", ds.Columns[0].Stats, s)
	}
}

func TestStatsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float32Range(-1e6, 1e6), 0, 10_000).Draw(t, "v")
		s := Summarise(v)
		var sum float64
		for _, x := range v {
			sum += float64(x)
		}
		if s.Count != len(v) || len(v) == 0 {
			return
		}
		if mean := sum / float64(len(v)); math.Abs(s.Mean-mean) > 1e-9*(1+math.Abs(mean)) {
			t.Fatalf("mean %v, want %v", s.Mean, mean)
		}
		if s.Min != float64(slices.Min(v)) || s.Max != float64(slices.Max(v)) || s.Mean < s.Min || s.Mean > s.Max ||
			s.SD < 0 {
			t.Fatalf("%+v", s)
		}
	})
}

func TestRoles(t *testing.T) {
	whole := []float32{1, 2, 3, 1, 2, 3}
	real := []float32{1.5, 2, 3, 1, 2, 4}
	cases := []struct {
		name, label string
		values      []float32
		want        Role
	}{
		{"FSC-A", "", real, Scatter}, {"FSC-W", "", real, Scatter}, {"SSC-H", "", real, Scatter},
		{"ssc", "", real, Scatter},
		{"FS INT", "", real, Scatter}, {"SS-Lin", "", real, Scatter}, {"FSCA", "", real, Scatter},
		{"P1", "FSC LogH", real, Scatter},
		{"405nm 405SSC (405/10) LogA", "", real, Scatter}, {"VSSC-A", "", real, Scatter},
		{"B-SSC-A", "", real, Scatter},
		{"Forward Scatter", "", real, Scatter}, {"Event_length", "", real, Scatter},
		{"Time", "", real, Time}, {"TIME", "", real, Time}, {"HDR-T", "", real, Time}, {"Time (s)", "", real, Time},
		{"Event #", "", whole, Index}, {"id", "", whole, Index}, {"cell_id", "", whole, Index},
		{"rownames", "", whole, Index},
		{"cluster", "", whole, Label}, {"cluster_id", "", whole, Label}, {"CellType", "", whole, Label},
		{"Batch 2", "", whole, Label},
		{"sample", "", whole, Label}, {"cluster", "", real, Marker}, {"number", "", whole, Marker},
		{"FITC-A", "CD3", real, Marker}, {"FITC-W", "", real, Marker}, {"FL1-H", "", real, Marker},
		{"Ki67", "", real, Marker},
		{"x", "", real, Marker}, {"Timeless", "", real, Marker}, {"PE-A", "sampler", real, Marker},
		{"classy", "", whole, Marker}, {"species_id", "", whole, Label}, {"y", "", whole, Marker},
		{"is_fraud", "", []float32{0, 1, 1, 0}, Label}, {"is_fraud", "", whole, Marker},
		{"isotope", "", []float32{0, 1, 1, 0}, Marker},
		{"CD3", "", []float32{2, 2, 2}, Ignored}, {"CD3", "", []float32{nan, inf, nan}, Ignored},
		{"CD3", "", []float32{2}, Marker},
		{"c1", "", []float32{2, 2, 2}, Marker}, {"c1", "", []float32{nan, nan}, Ignored},
	}
	for _, c := range cases {
		ds := mustColumns(t, Column{Name: c.name, Label: c.label, Values: c.values})
		if got := ds.Columns[0].Role; got != c.want {
			t.Errorf("%q %q %v: %v, want %v", c.name, c.label, c.values, got, c.want)
		}
	}
	text := mustColumns(t, Column{Name: "FSC-A", Categories: []string{"a"}, Values: []float32{0, 0}})
	if text.Columns[0].Role != Label {
		t.Errorf("text is a %v", text.Columns[0].Role)
	}
}

// y is what is to be learned from the columns beside it, unless it is a coordinate beside an x or is measured.
func TestYIsALabelBesideWhatItIsLearnedFrom(t *testing.T) {
	whole, real := []float32{0, 1, 2, 1, 0, 2}, []float32{1.5, 2, 3, 1, 2, 4}
	for _, c := range []struct {
		names []string
		y     []float32
		want  Role
	}{{[]string{"a", "b"}, whole, Label}, {[]string{"a", "b"}, real, Marker}, {[]string{"x", "b"}, whole, Marker},
		{[]string{"a"}, whole, Marker}} {
		columns := []Column{{Name: "y", Values: slices.Clone(c.y)}}
		for _, name := range c.names {
			columns = append(columns, Column{Name: name, Values: slices.Clone(real)})
		}
		if got := mustColumns(t, columns...).Columns[0].Role; got != c.want {
			t.Errorf("beside %q y is a %v", c.names, got)
		}
	}
}

// A bare Width is the shape of a pulse in a cytometer's table, and a marker like any other elsewhere.
func TestPulseRoles(t *testing.T) {
	v := []float32{1.5, 2, 3}
	for beside, want := range map[string]Role{"FSC-A": Scatter, "SSC-H": Scatter, "Time": Scatter, "petal": Marker,
		"CD3": Marker} {
		ds := mustColumns(t, Column{Name: beside, Values: v}, Column{Name: "Width", Values: v},
			Column{Name: "area", Values: v},
			Column{Name: "Height", Label: "Height", Values: v}, Column{Name: "Width 2", Values: v},
			Column{Name: "AREA", Label: "CD4", Values: v})
		for _, c := range ds.Columns[1:4] {
			if c.Role != want {
				t.Errorf("%s beside %s: %v, want %v", c.Name, beside, c.Role, want)
			}
		}
		for _, c := range ds.Columns[4:] {
			if c.Role != Marker {
				t.Errorf("%s beside %s: %v", c.Name, beside, c.Role)
			}
		}
	}
}

// constants are columns in which nothing varies.
func constants(n int) (out []Column) {
	for i := range n {
		out = append(out, Column{Name: string(rune('a' + i)), Values: []float32{5, 5, 5}})
	}
	return out
}

// A table without a marker says why, and what to do about it.
func TestNoMarkers(t *testing.T) {
	same, none := []float32{5, 5, 5}, []float32{nan, nan, nan}
	for want, columns := range map[string][]Column{
		`all 3 columns are constant: name those to use all the same with --columns a,b,c`: {
			{Name: "a", Values: same}, {Name: "b", Values: same}, {Name: "c", Values: same}},
		`no column is a marker (1 is time, 1 is scatter): name those to use all the same with --columns Time,2`: {
			{Name: "Time", Values: []float32{1, 2, 3}}, {Name: "FSC,A", Values: []float32{1, 2, 3}}},
		`all 12 columns are constant: name those to use all the same with --columns 1-12`: constants(12),
		`the only column is constant: name those to use all the same with --columns a`: {
			{Name: "a", Values: same}},
		`no column has a number: open a table with numbers in it, or save this one again with them`: {
			{Name: "a", Values: none}, {Name: "b", Values: none}},
		`no column has a number below 3.4e38: divide them, so that they fit`: {
			{Name: "a", Values: []float32{nan, nan, inf}}, {Name: "b", Values: none}},
		`no column is a marker (1 is constant, 1 has no number): name those to use all the same with --columns b`: {
			{Name: "a", Values: none}, {Name: "b", Values: same}},
		`no column is a marker (2 are label): open a table with columns of numbers`: {
			{Name: "a", Values: []float32{0, 1, 0}, Categories: []string{"x", "y"}},
			{Name: "b", Values: []float32{0, 1, 0}, Categories: []string{"x", "y"}}},
		`it has no columns: open a table with columns of numbers`: {},
	} {
		ds := mustColumns(t, columns...)
		ds.Path = "t.csv"
		_, err := ds.MapColumns("", "")
		if err == nil || err.Error() != "t.csv: "+want {
			t.Errorf("%v, want %s", err, want)
		}
		if _, list, ok := strings.Cut(want, "--columns "); ok { // the remedy works
			if _, err := ds.MapColumns(list, ""); err != nil {
				t.Error(err)
			}
		}
	}
	ds := mustColumns(t, Column{Name: "a", Values: []float32{1, 2, 3}}, Column{Name: "b", Values: same})
	if _, err := ds.MapColumns("", "a"); err == nil || !strings.Contains(err.Error(), "leaves no column") {
		t.Errorf("%v", err)
	}
	if _, err := ds.MapColumns("a,b", "1-2"); err == nil || !strings.Contains(err.Error(), "leaves no column") {
		t.Errorf("%v", err)
	}
}

func TestFindAndSelect(t *testing.T) {
	v := []float32{1, 2}
	ds := mustColumns(t, Column{Name: "FSC-A", Values: v}, Column{Name: "FITC-A", Label: "CD3", Values: v},
		Column{Name: "PE-A", Label: "CD4", Values: v}, Column{Name: "2", Values: v},
		Column{Name: "a, b", Label: "CD4", Values: v})
	for word, want := range map[string]int{"FSC-A": 0, "CD3": 1, "cd3": 1, "pe-a": 2, "2": 3, "3": 2, " 5 ": 4,
		"CD3 (FITC-A)": 1} {
		if got, err := ds.Find(word); err != nil || got != want {
			t.Errorf("%q: %d %v, want %d", word, got, err, want)
		}
	}
	for word, near := range map[string]string{"CD8": `"CD3"`, "FTIC-A": `"FITC-A"`, "CD4": "PE-A, a, b",
		"9": "1 to 5", "0": "1 to 5"} {
		_, err := ds.Find(word)
		var p *problem.Problem
		if !errors.As(err, &p) || !strings.Contains(p.Remedy, near) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", word, err)
		}
	}
	if near := ds.Nearest("completely different"); near != "" {
		t.Errorf("nearest is %q", near)
	}
	for spec, want := range map[string][]int{"CD3,1": {1, 0}, `"a, b",1,1`: {4, 0}, "3-5": {2, 3, 4}, "": nil,
		" , ": nil} {
		if got, err := ds.Select(spec); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v %v, want %v", spec, got, err, want)
		}
	}
	if _, err := ds.Select("3-9"); err == nil {
		t.Error("a range beyond the last column was taken")
	}
	varied := mustColumns(t, Column{Name: "FSC-A", Values: v}, Column{Name: "CD3", Values: v},
		Column{Name: "CD4", Values: v})
	if got, err := varied.MapColumns("", "CD4"); err != nil || !slices.Equal(got, []int{1}) {
		t.Errorf("default without CD4: %v %v", got, err)
	}
	if got, err := varied.MapColumns("1,CD4", ""); err != nil || !slices.Equal(got, []int{0, 2}) {
		t.Errorf("by name: %v %v", got, err)
	}
	if _, err := varied.MapColumns("", "2,3"); err == nil {
		t.Error("no column left, and no problem")
	}
}

func TestSampleRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(0, 5000).Draw(t, "total")
		want := rapid.IntRange(-1, 6000).Draw(t, "want")
		how := rapid.SampledFrom([]string{"", "first", "random"}).Draw(t, "how")
		seed := rapid.Uint64().Draw(t, "seed")
		rows, err := SampleRows(total, want, how, seed)
		if err != nil {
			t.Fatal(err)
		}
		if want <= 0 || int64(want) >= total {
			if rows != nil {
				t.Fatal("all were wanted")
			}
			return
		}
		if len(rows) != want || rows[0] < 0 || rows[want-1] >= total {
			t.Fatalf("%d rows, want %d of %d", len(rows), want, total)
		}
		for i := 1; i < len(rows); i++ {
			if rows[i] <= rows[i-1] {
				t.Fatal("not ascending")
			}
		}
		again, _ := SampleRows(total, want, how, seed)
		if !slices.Equal(rows, again) {
			t.Fatal("another run differs")
		}
	})
	if _, err := SampleRows(10, 5, "evenly", 1); err == nil {
		t.Error("an unknown way of sampling was taken")
	}
	// Every row has the same chance: 2,000 draws of 10 out of 100, each row expected 200 times (deviation 13).
	for _, total := range []int64{100, 20} {
		hits := make([]int, total)
		for seed := range uint64(2000) {
			rows, _ := SampleRows(total, int(total/10), "random", seed)
			for _, r := range rows {
				hits[r]++
			}
		}
		for r, n := range hits {
			if n < 200-75 || n > 200+75 {
				t.Errorf("row %d of %d was drawn %d times, expected about 200", r, total, n)
			}
		}
	}
}

func TestTakeAndSample(t *testing.T) {
	ctx := context.Background()
	ds := mustColumns(t, Column{Name: "x", Values: []float32{1, 2, 3, nan}},
		Column{Name: "s", Values: []float32{0, 1, 0, 1}, Categories: []string{"a", "b"}})
	sub, err := Take(ctx, ds, []int32{2, 0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(sub.Columns[0].Values, []float32{3, 1, 1}) || sub.Columns[0].Stats.Max != 3 || sub.Points != 3 ||
		sub.Total != 4 || sub.Rev == ds.Rev || sub.Columns[1].Role != Label || ds.Points != 4 {
		t.Fatalf("%+v", sub)
	}
	none, err := Take(ctx, ds, nil)
	if err != nil || none.Points != 0 || none.Columns[0].Stats != (Stats{}) {
		t.Fatalf("%+v %v", none, err)
	}
	first, err := Sample(ctx, ds, 2, "first", 0)
	if err != nil || !slices.Equal(first.Columns[0].Values, []float32{1, 2}) {
		t.Fatalf("%+v %v", first, err)
	}
	if all, _ := Sample(ctx, ds, 4, "random", 0); all != ds {
		t.Error("sampling all made a copy")
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Take(gone, ds, []int32{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := FromColumns(gone, "", []Column{{Name: "x", Values: []float32{1}}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestQuantilesHistogramDistinct(t *testing.T) {
	ds := mustColumns(t, Column{Name: "x", Values: []float32{4, nan, 1, 2, inf, 3}})
	c := &ds.Columns[0]
	if q := c.Quantiles(0, 0.5, 1, 0.25, -1, 2); !slices.Equal(q, []float64{1, 2.5, 4, 1.75, 1, 4}) {
		t.Errorf("quantiles %v", q)
	}
	empty := mustColumns(t, Column{Name: "x", Values: []float32{nan}})
	if q := empty.Columns[0].Quantiles(0.5); !math.IsNaN(q[0]) {
		t.Errorf("quantile of nothing %v", q)
	}
	if h := c.Histogram(3, 1, 4); !slices.Equal(h, []int{1, 1, 2}) {
		t.Errorf("histogram %v", h)
	}
	if h := c.Histogram(3, 4, 4); h != nil {
		t.Errorf("histogram of nothing %v", h)
	}
	if n := c.Distinct(0); n != 4 {
		t.Errorf("%d distinct", n)
	}
	if n := c.Distinct(2); n != 2 {
		t.Errorf("%d distinct, limit 2", n)
	}
	big := make([]float32, 1_000_000)
	for i := range big {
		big[i] = float32(i * 7919 % len(big))
	}
	many := mustColumns(t, Column{Name: "x", Values: big})
	if q := many.Columns[0].Quantiles(0.1)[0]; math.Abs(q/1e5-1) > 0.02 {
		t.Errorf("first decile of 0 to 999,999 is %v", q)
	}
	if n := len(many.Columns[0].finiteSample(quantileExact)); n != quantileExact {
		t.Errorf("%d values sampled", n)
	}
}

func TestFromMatrix(t *testing.T) {
	m := matrix.Matrix32{Rows: 2, Cols: 3, Data: []float32{1, 2, 3, 4, 2, 6}}
	ds, err := FromMatrix(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	if ds.Points != 2 || ds.Columns[2].Name != "c3" || ds.Columns[1].Role != Marker ||
		!slices.Equal(ds.Columns[2].Values, []float32{3, 6}) {
		t.Fatalf("%+v", ds)
	}
	if back := ds.Matrix([]int{0, 1, 2}); !slices.Equal(back.Data, m.Data) {
		t.Fatalf("%v", back)
	}
	if _, err := FromMatrix([]string{"a"}, m); err == nil {
		t.Error("one name for three columns")
	}
	if _, err := FromMatrix([]string{"a", "b", "a"}, m); err == nil {
		t.Error("a name twice")
	}
	if _, err := FromColumns(context.Background(), "", []Column{{Name: "a", Values: []float32{1}},
		{Name: "b"}}); err == nil {
		t.Error("columns of different lengths")
	}
	if empty, err := FromMatrix(nil, matrix.Matrix32{}); err != nil || empty.Points != 0 {
		t.Errorf("empty: %v", err)
	}
}

func TestInvalidPoints(t *testing.T) {
	ds := mustColumns(t, Column{Name: "x", Values: []float32{1, nan, inf}},
		Column{Name: "y", Values: []float32{nan, nan, 1}})
	if n := ds.Invalid([]int{0, 1}); n != 3 {
		t.Errorf("%d invalid points of x and y, want 3", n)
	}
	if n := ds.Invalid([]int{0}); n != 2 {
		t.Errorf("%d invalid points of x, want 2", n)
	}
}

func TestLogScale(t *testing.T) {
	l := LogScale{Decades: 4, Offset: 1, Range: 1024}
	if got := l.Linear(512); math.Abs(got-100) > 1e-9 {
		t.Errorf("channel 512 of 1024 over 4 decades is %v, want 100", got)
	}
}

func TestColumnWord(t *testing.T) {
	marker, scatter := Column{Role: Marker}, Column{Role: Scatter}
	for name, c := range map[string]struct {
		ds   Dataset
		want string
	}{
		"a table":          {Dataset{Format: "csv", Columns: []Column{marker, marker}}, "column"},
		"one with scatter": {Dataset{Format: "csv", Columns: []Column{marker, scatter}}, "marker"},
		"fcs":              {Dataset{Cells: true, Columns: []Column{marker}}, "marker"},
		"nothing in it":    {Dataset{}, "column"},
	} {
		if got := c.ds.ColumnWord(); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
