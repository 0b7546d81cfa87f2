package dataset

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

func table(t *testing.T, name string, columns ...Column) *Dataset {
	t.Helper()
	ds, err := FromColumns(context.Background(), name, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = "/data/" + name
	return ds
}

func TestConcat(t *testing.T) {
	nan := float32(math.NaN())
	a := table(t, "a.fcs", Column{Name: "CD3", Values: []float32{1, 2}},
		Column{Name: "only a", Values: []float32{1, 2}},
		Column{Name: "type", Categories: []string{"B", "T"}, Values: []float32{1, 0}})
	b := table(t, "a.fcs", Column{Name: "type", Categories: []string{"T", "NK"}, Values: []float32{0, 1, nan}},
		Column{Name: "CD3", Label: "CD3e", Values: []float32{3, 4, 5}})
	ds, err := Concat(context.Background(), []*Dataset{a, b})
	if err != nil {
		t.Fatal(err)
	}
	if ds.Points != 5 || len(ds.Columns) != 3 {
		t.Fatalf("%d points, %d columns", ds.Points, len(ds.Columns))
	}
	if c := ds.Columns[0]; !slices.Equal(c.Values, []float32{1, 2, 3, 4, 5}) || c.Label != "CD3e" || c.Stats.Mean != 3 {
		t.Fatalf("CD3 is %+v", c)
	}
	c := ds.Columns[1]
	text := ""
	for _, v := range c.Values {
		if v != v {
			text += "? "
			continue
		}
		text += c.Categories[int(v)] + " "
	}
	if text != "T B T NK ? " {
		t.Fatalf("types are %s", text)
	}
	if f := ds.Columns[2]; f.Role != Label || !slices.Equal(f.Categories, []string{"a.fcs", "a.fcs (2)"}) ||
		!slices.Equal(f.Values, []float32{0, 0, 1, 1, 1}) {
		t.Fatalf("the file column is %+v", f)
	}
	if len(ds.Warnings) != 1 || !strings.Contains(ds.Warnings[0], "only a") || len(ds.Parts) != 2 {
		t.Fatalf("warnings %q, parts %q", ds.Warnings, ds.Parts)
	}
}

// A label has the colour of the first file that gives it one, whichever of the files those are.
func TestColoursOfAnyFileAreThoseOfAll(t *testing.T) {
	const red, blue, none = "\xff\x00\x00\xff", "\x00\x00\xff\xff", "\x00\x00\x00\x00"
	of := func(name, own string, categories ...string) *Dataset {
		return table(t, name, Column{Name: "type", Categories: categories, Values: []float32{0}, Own: own})
	}
	for _, c := range []struct {
		tables []*Dataset
		want   string
	}{
		{[]*Dataset{of("a", "", "B", "T"), of("b", red+blue, "T", "B")}, blue + red},
		{[]*Dataset{of("a", red+none, "B", "T"), of("b", blue+blue, "B", "T")}, red + blue},
		{[]*Dataset{of("a", "", "B"), of("b", red, "NK")}, none + red},
		{[]*Dataset{of("a", "", "B"), of("b", "", "B")}, ""},
	} {
		ds, err := Concat(context.Background(), c.tables)
		if err != nil {
			t.Fatal(err)
		}
		if got := ds.Columns[0].Own; got != c.want {
			t.Errorf("colours are %x, want %x", got, c.want)
		}
	}
}

func TestConcatOfStrangers(t *testing.T) {
	a := table(t, "a.csv", Column{Name: "x", Values: []float32{1}})
	b := table(t, "b.csv", Column{Name: "y", Values: []float32{1}})
	if _, err := Concat(context.Background(), []*Dataset{a, b}); err == nil ||
		!strings.Contains(err.Error(), "/data/b.csv: has no column in common with a.csv") {
		t.Fatalf("error %v", err)
	}
}

// A matrix of compensation follows the detectors of its own file: it holds for the table only where these went to the
// same columns in all files; else each file keeps its own.
func TestSpilloverFollowsDetectors(t *testing.T) {
	of := func(names ...string) *Dataset {
		ds := table(t, "a.fcs", Column{Name: names[0], Values: []float32{1, 2}},
			Column{Name: names[1], Values: []float32{1, 2}})
		ds.Spillover = &Spillover{Names: names, M: [][]float64{{1, 0.2}, {0.1, 1}}}
		return ds
	}
	for _, x := range []struct {
		second []string
		from   [2][]int // columns of CD4 and CD8
		want   []string
	}{
		{[]string{"PE", "APC"}, [2][]int{{0, 0}, {1, 1}}, []string{"CD4", "CD8"}},
		// Other detectors, the same shares; then PE that measures CD4 here and CD8 there.
		{[]string{"FITC", "PE"}, [2][]int{{0, 0}, {1, 1}}, []string{"CD4", "CD8"}},
		{[]string{"PE", "APC"}, [2][]int{{0, 1}, {1, 0}}, nil},
	} {
		ds, err := Stack(context.Background(), []*Dataset{of("PE", "APC"), of(x.second...)},
			[]Joined{{Name: "CD4", From: x.from[0]}, {Name: "CD8", From: x.from[1]}})
		if err != nil {
			t.Fatal(err)
		}
		if x.want == nil && (ds.Spillover != nil || len(ds.Spillovers) != 2 ||
			!slices.Equal(ds.Spillovers[1].Names, []string{"CD8", "CD4"})) ||
			x.want != nil &&
				(ds.Spillover == nil || !slices.Equal(ds.Spillover.Names, x.want) || len(ds.Warnings) > 0) {
			t.Errorf("%v: %+v, %q", x.from, ds.Spillover, ds.Warnings)
		}
	}
}

// Columns that files have in different units are warned of.
func TestColumnsOfDifferentAmplificationAreWarnedOf(t *testing.T) {
	table := func(gain float64, log *LogScale) *Dataset {
		ds, err := FromColumns(t.Context(), "f", []Column{{Name: "a", Values: []float32{1, 2}, Gain: gain, Log: log}})
		if err != nil {
			t.Fatal(err)
		}
		return ds
	}
	four := &LogScale{Decades: 4, Offset: 1, Range: 1024}
	for i, c := range []struct {
		a, b *Dataset
		warn bool
	}{{table(1, nil), table(1, nil), false}, {table(1, nil), table(2, nil), true}, {table(0, nil), table(1, nil),
		false},
		{table(0, four), table(0, &LogScale{Decades: 4, Offset: 1, Range: 1024}), false}, {table(0, four), table(0,
			nil), true},
		{table(0, four), table(0, &LogScale{Decades: 5, Offset: 1, Range: 1024}), true}} {
		ds, err := Concat(t.Context(), []*Dataset{c.a, c.b})
		if err != nil || (len(ds.Warnings) > 0) != c.warn {
			t.Errorf("%d: %q, %v", i, ds.Warnings, err)
		}
	}
}
