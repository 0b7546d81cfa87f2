package transform

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

var (
	nan = float32(math.NaN())
	inf = float32(math.Inf(1))
)

// table makes a dataset of markers a, b, c... from columns.
func table(columns ...[]float32) *dataset.Dataset {
	ds := &dataset.Dataset{Path: "t.csv", Format: "csv", Rev: revision.Next()}
	for i, v := range columns {
		c := dataset.Column{Name: string(rune('a' + i)), Values: v}
		c.Stats.Min, c.Stats.Max = math.Inf(1), math.Inf(-1)
		for _, x := range v {
			if x-x == 0 {
				c.Stats.Min, c.Stats.Max = min(c.Stats.Min, float64(x)), max(c.Stats.Max, float64(x))
			}
		}
		ds.Columns = append(ds.Columns, c)
		ds.Points = len(v)
	}
	return ds
}

func mustBuild(t rapid.TB, ds *dataset.Dataset, s Spec, order []int32) *Table {
	t.Helper()
	m, err := Build(context.Background(), ds, s, order, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// same compares bits, so that NaN equals NaN.
func same(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

func genColumn(t *rapid.T) Column {
	c := Column{Weight: rapid.SampledFrom([]float64{0, 0.5, 1, 3}).Draw(t, "weight")}
	c.Use = rapid.SampledFrom([]Use{InMap, InMap, ColourOnly, Off}).Draw(t, "use")
	switch c.Op = rapid.SampledFrom([]ID{None, Linear, Asinh, Logicle, Log}).Draw(t, "op"); c.Op {
	case Linear:
		c.Params = Params{rapid.SampledFrom([]float64{-2, 0.1, 1}).Draw(t, "a"), rapid.Float64Range(-5, 5).Draw(t, "b")}
	case Asinh:
		c.Params[0] = rapid.SampledFrom([]float64{1, 5, 150}).Draw(t, "cofactor")
	case Logicle:
		c.Params = rapid.SampledFrom([]Params{{0, autoWidth, 4.5}, {1000, 0.5, 4, -0.5}, {262144, 0, 4.5}}).Draw(t,
			"logicle")
	case Log:
		c.Params[0] = rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "floor")
	}
	c.SD = rapid.SampledFrom([]float64{0, 0, 2}).Draw(t, "sd")
	return c
}

func genSpec(t *rapid.T, d int) Spec {
	s := Spec{Scale: rapid.Bool().Draw(t, "scale")}
	for range d {
		s.Columns = append(s.Columns, genColumn(t))
	}
	s.Columns[0].Use = InMap
	return s
}

func genData(t *rapid.T) *dataset.Dataset {
	n, d := rapid.IntRange(0, 40).Draw(t, "n"), rapid.IntRange(1, 4).Draw(t, "d")
	if rapid.Bool().Draw(t, "long") {
		n += 1500 // more than a block
	}
	value := rapid.SampledFrom([]float32{0, -1, 1, 2.5, 1e-3, 150, 1e5, 1e38, -1e38, nan, inf, -inf, 7, 8, 9})
	cols := make([][]float32, d)
	for j := range cols {
		seed := rapid.SliceOfN(value, 1, 60).Draw(t, "values")
		for i := range n {
			cols[j] = append(cols[j], seed[(i*i+i/3)%len(seed)])
		}
	}
	return table(cols...)
}

// Update makes the same as Build, bit for bit; and the table that Update was given stays as it is.
func TestUpdateEqualsBuild(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		order := Shuffle(ds.Points, 3)
		if rapid.Bool().Draw(t, "identity") {
			order = nil
		}
		before := mustBuild(t, ds, genSpec(t, len(ds.Columns)), order)
		kept := slices.Clone(before.X.Data)
		spec := before.Spec.Clone()
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			spec.Columns[rapid.IntRange(0, len(spec.Columns)-1).Draw(t, "column")] = genColumn(t)
		}
		spec.Columns[0].Use = InMap
		if rapid.Bool().Draw(t, "flip") {
			spec.Scale = !spec.Scale
		}
		got, err := Update(context.Background(), before, ds, spec, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := mustBuild(t, ds, spec, order)
		if !same(got.X.Data, want.X.Data) || got.Invalid != want.Invalid ||
			!slices.Equal(got.Mean, want.Mean) || !slices.Equal(got.SD, want.SD) ||
			!slices.Equal(got.Factor, want.Factor) {
			t.Fatalf("Update differs from Build: %v %v", got, want)
		}
		if !same(kept, before.X.Data) {
			t.Fatal("Update changed the table before")
		}
		if same(kept, got.X.Data) != (got.Rev == before.Rev) && got.Rev == before.Rev {
			t.Fatal("points changed and the revision did not")
		}
	})
}

func TestUpdateOfNothingKeepsThePoints(t *testing.T) {
	ds := table([]float32{1, 2, 3}, []float32{4, 5, 6})
	s := Spec{Columns: []Column{{Weight: 1}, {Weight: 1, Use: ColourOnly}}, Scale: true}
	a := mustBuild(t, ds, s, nil)
	s = s.Clone()
	s.Columns[1] = Column{Op: Asinh, Params: Params{5}, Weight: 1, Use: ColourOnly}
	b, err := Update(context.Background(), a, ds, s, nil)
	if err != nil || b.Rev != a.Rev || &b.X.Data[0] != &a.X.Data[0] {
		t.Fatalf("a colour column changed the map: %v %v", b, err)
	}
}

func TestStatisticsAreThoseOfFiniteValues(t *testing.T) {
	// 1e6 values of mean 1e5 and deviation 1e2, then a column with NaN, then a constant one.
	const n = 1_000_000
	cols := [][]float32{make([]float32, n), make([]float32, n), make([]float32, n)}
	for i := range n {
		x := float32(1e5 + 100)
		if i%2 == 0 {
			x = 1e5 - 100
		}
		cols[0][i], cols[1][i], cols[2][i] = x, x, 0.1
		if i%10 == 3 {
			cols[1][i] = []float32{nan, inf, -inf}[i%3]
		}
	}
	ds := table(cols...)
	s := Spec{Columns: []Column{{Weight: 1}, {Weight: 1}, {Weight: 2}}, Scale: true}
	m := mustBuild(t, ds, s, Shuffle(n, 1))
	if math.Abs(m.Mean[0]-1e5) > 1e-6 || math.Abs(m.SD[0]-100) > 1e-4 {
		t.Errorf("mean %v sd %v", m.Mean[0], m.SD[0])
	}
	// 5 low values for 4 high ones are left.
	if math.Abs(m.Mean[1]-(1e5-100.0/9)) > 1e-6 || math.Abs(m.SD[1]-math.Sqrt(1e4-1e4/81)) > 1e-4 {
		t.Errorf("with NaN: mean %v sd %v", m.Mean[1], m.SD[1])
	}
	if m.SD[2] != 0 || m.Factor[2] != 2 || m.X.Row(5)[2] != 0.2 {
		t.Errorf("constant: sd %v factor %v value %v", m.SD[2], m.Factor[2], m.X.Row(5)[2])
	}
	if m.Invalid != n/10 {
		t.Errorf("%d invalid points, want %d", m.Invalid, n/10)
	}
}

// Points built with the frozen settings of a map are the points of that map, alone as well as among
// others; and settings survive the way through text.
func TestFrozen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		if ds.Points == 0 {
			t.Skip("no points")
		}
		m := mustBuild(t, ds, genSpec(t, len(ds.Columns)), nil)
		frozen := m.Frozen()
		for i, c := range frozen.Columns {
			p, err := Parse(c.String())
			if err != nil {
				t.Fatal(err)
			}
			frozen.Columns[i] = c.WithTransform(p)
		}
		some := Shuffle(ds.Points, 1)[:1+ds.Points/3]
		got := mustBuild(t, ds, frozen, some)
		for i, r := range some {
			if !same(got.X.Row(i), m.X.Row(int(r))) {
				t.Fatalf("point %d is %v alone and %v among all", r, got.X.Row(i), m.X.Row(int(r)))
			}
		}
	})
}

// From a coordinate of a map point back to the raw value.
func TestFuncsLeadBack(t *testing.T) {
	ds := table([]float32{1, 20, 300}, []float32{5, 6, 8})
	m := mustBuild(t, ds, Spec{Scale: true, Columns: []Column{{Op: Asinh, Params: Params{5}, Weight: 2},
		{Op: Log, Weight: 1}}}, nil)
	for i := range 3 {
		for j := range 2 {
			if got, want := m.Funcs[j].Inverse(float64(m.X.Row(i)[j])/m.Factor[j]),
				float64(ds.Columns[j].Values[i]); math.Abs(got-want) > 1e-4*want {
				t.Errorf("%g comes back as %g", want, got)
			}
		}
	}
}

func TestFunctions(t *testing.T) {
	ds := table([]float32{-5, 0, 0.25, 100, nan, inf})
	for text, cases := range map[string][][2]float64{
		"none":       {{3, 3}, {-1, -1}},
		"linear":     {{3, 3}},
		"linear:2:1": {{3, 7}},
		"asinh:5": {{0, 0}, {5, math.Asinh(1)}, {-5, -math.Asinh(1)}, {1e38, math.Asinh(1e38 / 5)},
			{1e-9, 2e-10}},
		"asinh":          {{150, math.Asinh(1)}},
		"log":            {{100, 2}, {0.25, math.Log10(0.25)}, {0, math.Log10(0.25)}, {-7, math.Log10(0.25)}},
		"log:1":          {{0.5, 0}, {10, 1}},
		" ASINH:1e-3":    {{1, math.Asinh(1000)}},
		"linear:-1:0.25": {{1, -0.75}},
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		f := Function(ds, Spec{Columns: []Column{c}}, 0)
		for _, p := range cases {
			if got := f.Forward(p[0]); math.Abs(got-p[1]) > 1e-12*(1+math.Abs(p[1])) {
				t.Errorf("%s of %g is %.17g, want %.17g", text, p[0], got, p[1])
			}
		}
		if x := f.Forward(math.NaN()); x == x {
			t.Errorf("%s of NaN is %g", text, x)
		}
		for _, x := range []float64{math.Inf(1), math.Inf(-1)} {
			if y := f.Forward(x); !math.IsInf(y, 0) {
				t.Errorf("%s of %g is %g: an invalid value became valid", text, x, y)
			}
		}
	}
}

func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genColumn(t)
		if c.Op == Log {
			c.Params[0] = 0.01
		}
		f := Function(table([]float32{1}), Spec{Columns: []Column{c}}, 0)
		x := rapid.Float64Range(0.011, 1e6).Draw(t, "x")
		if got := f.Inverse(f.Forward(x)); math.Abs(got-x) > 1e-9*(x+150) {
			t.Fatalf("%v: %g comes back as %g", c, x, got)
		}
	})
}

func TestAsinhIsAsExactAsTheLibrary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64().Draw(t, "x")
		if got, want := asinh(x), math.Asinh(x); math.Abs(got-want) > 1e-13*math.Abs(want) {
			t.Fatalf("asinh(%g) = %.17g, want %.17g", x, got, want)
		}
	})
}

func TestParseStringRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genColumn(t)
		got, err := Parse(c.String())
		if err != nil || !got.sameTransform(c) {
			t.Fatalf("%s gives %v, %v; want %v", c, got, err, c)
		}
	})
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "asin", "asinh:0", "asinh:-5", "asinh:x", "asinh:5:5", "log:-1", "log:NaN",
		"linear:0", "linear:Inf", "asinh:", "none:1", "logicle:-1", "logicle:1000:3:4", "logicle:1000:1:4:2.5",
		"logicle:1000:1:4:-1.5", "logicle:0:0:0", "logicle:NaN", "logicle:0:-1", "logicle:0:0:Inf"} {
		_, err := Parse(text)
		var p *problem.Problem
		if !errors.As(err, &p) || p.Remedy == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, _, err := ParseSetting("=asinh:5"); err == nil {
		t.Error("a setting without a name was taken")
	}
	name, c, err := ParseSetting("a=b=asinh:7")
	if err != nil || name != "a=b" || c.Params[0] != 7 {
		t.Errorf("%q %v %v", name, c, err)
	}
	if name, _, err := ParseSetting("log"); name != "" || err != nil {
		t.Errorf("%q %v", name, err)
	}
}

func TestValidate(t *testing.T) {
	ds := table([]float32{1, 2})
	for _, s := range []Spec{
		{},
		{Columns: []Column{{Use: Off}}},
		{Columns: []Column{{Op: Asinh, Weight: 1}}},
		{Columns: []Column{{Weight: math.NaN()}}},
		{Columns: []Column{{Weight: -1}}},
		{Columns: []Column{{Weight: 1, SD: math.Inf(1)}}},
		{Columns: []Column{{Op: "no such op", Weight: 1}}},
		{Columns: []Column{{Use: 9, Weight: 1}}},
	} {
		if _, err := Build(context.Background(), ds, s, nil, nil); problem.As(err).Remedy == "" {
			t.Errorf("%v: %v", s, err)
		}
	}
	if _, err := Build(context.Background(), ds, Default(ds), []int32{0, 2}, nil); err == nil {
		t.Error("an order with a row that does not exist was taken")
	}
}

func TestShuffleIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		a := Shuffle(n, seed)
		if !slices.Equal(a, Shuffle(n, seed)) {
			t.Fatal("same seed, other order")
		}
		slices.Sort(a)
		for i, r := range a {
			if int(r) != i {
				t.Fatal("not a permutation")
			}
		}
	})
	// A prefix is a fair sample: its mean index is near the middle.
	sum := 0
	for _, r := range Shuffle(100_000, 7)[:10_000] {
		sum += int(r)
	}
	if mean := float64(sum) / 10_000; math.Abs(mean-50_000) > 1500 {
		t.Errorf("mean row of a prefix is %g", mean)
	}
}

func TestOrderAndSubset(t *testing.T) {
	ds := table([]float32{1, 2, 3, 4}, []float32{10, 20, nan, 40})
	m := mustBuild(t, ds, Spec{Columns: Default(ds).Columns}, []int32{2, 0})
	if m.X.Rows != 2 || m.X.Row(0)[0] != 3 || m.X.Row(1)[1] != 10 || m.Invalid != 1 {
		t.Errorf("%v, %d invalid", m.X, m.Invalid)
	}
	v := ColumnValues(&ds.Columns[1], Default(ds).Columns[1], []int32{3, 1})
	if !slices.Equal(v, []float32{40, 20}) {
		t.Error(v)
	}
}

func TestCancelAndProgress(t *testing.T) {
	ds := table(make([]float32, 10_000))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Build(ctx, ds, Default(ds), nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	calls := make(chan [2]int64, 1000)
	if _, err := Build(context.Background(), ds, Default(ds), nil,
		func(d, n int64) { calls <- [2]int64{d, n} }); err != nil {
		t.Fatal(err)
	}
	close(calls)
	last := int64(0)
	for c := range calls {
		if c[1] != 20_000 {
			t.Fatal(c)
		}
		last = max(last, c[0])
	}
	if last != 20_000 {
		t.Errorf("progress ended at %d", last)
	}
}

func TestDefault(t *testing.T) {
	fcs := func(meta map[string]string, names ...string) *dataset.Dataset {
		ds := &dataset.Dataset{Cells: true, Metadata: meta}
		for _, name := range names {
			c := dataset.Column{Name: name, Stats: dataset.Stats{Min: -100, Max: 1e5}}
			switch {
			case strings.HasPrefix(name, "FSC"):
				c.Role = dataset.Scatter
			case name == "Time":
				c.Role = dataset.Time
			case name == "empty":
				c.Role = dataset.Ignored
			}
			ds.Columns = append(ds.Columns, c)
		}
		return ds
	}
	file := fcs(nil, "FSC-A", "FITC-A", "PE-A", "Time", "empty")
	file.Columns[2].Log = &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}
	flow := Default(file)
	want := []Column{
		{Weight: 1, Use: ColourOnly}, {Op: Asinh, Params: Params{150}, Weight: 1},
		{Op: Linear, Params: Params{4 * math.Ln10 / 1024}, Weight: 1},
		{Weight: 1, Use: ColourOnly}, {Weight: 1, Use: Off}}
	if !slices.Equal(flow.Columns, want) {
		t.Errorf("flow: %v", flow.Columns)
	}
	for _, ds := range []*dataset.Dataset{
		fcs(map[string]string{"$CYT": "DVSSCIENCES-CYTOF-6.0"}, "Time", "CD4"),
		fcs(nil, "Time", "Nd143Di", "(Yb176)Dd"),
		fcs(nil, "143Nd_CD4", "170Er_CD3"),
	} {
		if c := Default(ds).Columns[1]; c.Op != Asinh || c.Params[0] != 5 {
			t.Errorf("mass cytometry %v: %v", ds.Columns, c)
		}
	}
	small := fcs(nil, "FITC-A", "CD4")
	for i := range small.Columns {
		small.Columns[i].Stats = dataset.Stats{Min: 0, Max: 8}
	}
	if c := Default(small).Columns[0]; c.Op != None {
		t.Errorf("transformed before: %v", c)
	}
	if c := Default(table([]float32{1, 1e6})).Columns[0]; c.Op != None || c.Use != InMap {
		t.Errorf("csv: %v", c)
	}
}

func BenchmarkBuild(b *testing.B) {
	const n, d = 1_000_000, 30
	cols := make([][]float32, d)
	for j := range cols {
		cols[j] = make([]float32, n)
		for i := range cols[j] {
			cols[j][i] = float32((i*7919+j*104729)%100003) - 1000
		}
	}
	ds := table(cols...)
	s := Spec{Scale: true}
	for range d {
		s.Columns = append(s.Columns, Column{Op: Asinh, Params: Params{150}, Weight: 1})
	}
	order := Shuffle(n, 1)
	var m *Table
	b.Run("all", func(b *testing.B) {
		for b.Loop() {
			m = mustBuild(b, ds, s, order)
		}
	})
	t := s.Clone()
	t.Columns[3].Weight = 2
	b.Run("weight", func(b *testing.B) {
		for b.Loop() {
			if _, err := Update(context.Background(), m, ds, t, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// A point is its row, whatever the order, whether all rows are points, some are, or one is there twice.
func TestOrderSaysWhichRowIsWhichPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		s := genSpec(t, len(ds.Columns))
		s.Scale = false // statistics are of the rows that are there
		plain := mustBuild(t, ds, s, nil)
		order := Shuffle(ds.Points, rapid.Uint64().Draw(t, "seed"))
		switch rows := rapid.IntRange(0, 2).Draw(t, "rows"); {
		case len(order) == 0:
		case rows == 1:
			order = order[:max(1, len(order)/2)]
		case rows == 2:
			order[0] = order[len(order)-1]
		}
		got := mustBuild(t, ds, s, order)
		for i, r := range order {
			if !sameButNaN(got.X.Row(i), plain.X.Row(int(r))) {
				t.Fatalf("point %d of %d rows is %v, and row %d %v", i, ds.Points, got.X.Row(i), r, plain.X.Row(int(r)))
			}
		}
	})
}
