package population

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/clusters/gating"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// gatesOf reads a table and a file of gates for it.
func gatesOf(t *testing.T, fcs, gates string) (*dataset.Dataset, *gating.Strategy) {
	t.Helper()
	ds, err := format.Open(t.Context(), fcs, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := gating.Read(t.Context(), gates, ds)
	if err != nil {
		t.Fatal(err)
	}
	return ds, s
}

// columnsOf are the columns of a table by name, as they are.
func columnsOf(ds *dataset.Dataset) map[string]*dataset.Column {
	out := map[string]*dataset.Column{}
	for i := range ds.Columns {
		out[ds.Columns[i].Name] = &ds.Columns[i]
	}
	return out
}

// Gates of the compliance set and of FlowJo become populations with just their points, by rules of ours where these can
// say them, and are the same when they have been written and read.
func TestGatesOfOthersBecomePopulationsWithTheirPoints(t *testing.T) {
	dir := oracle.Formats(t)
	ours := map[string]string{"Rectangle1": "gate", "Polygon1": "gating", "Range1": "limits",
		"Range2": "limits", "ScaleRange1": "limits", "ScaleRange2": "limits", "ScaleRange4": "limits", "And1": "all",
		"Or1": "any", "Not1": "all", "FL2P-FL4N": "gate", "FL2N-FL4P": "gate", "FSCD-SSCN-FL1N": "limits",
		"Ellipse1": "gating", "Ellipsoid3D": "gating", "RatRange1": "gating", "ScaleRect1": "gating",
		"upper_right": "gate", "Q2: channel_A+ , channel_B+": "gate"}
	files, _ := filepath.Glob(filepath.Join(dir, "gml", "*.xml"))
	more, _ := filepath.Glob(filepath.Join(dir, "wsp", "*.wsp"))
	for _, file := range append(files, more...) {
		fcs := filepath.Join(dir, "gml", "data1.fcs")
		if strings.HasSuffix(file, ".wsp") {
			fcs = filepath.Join(dir, "wsp", "test_data_diamond_01.fcs")
		}
		ds, s := gatesOf(t, fcs, file)
		want, err := s.Rows(t.Context(), ds)
		if err != nil {
			t.Fatal(err)
		}
		tree, carried, err := Tree{}.OfGates(t.Context(), s, 0, ds, transform.Spec{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(text, ds.Points, func(said string) { t.Error(said) })
		if err != nil {
			t.Fatal(err)
		}
		alone := 0
		for _, tree := range []Tree{tree, again} {
			in := Table(ds.Points, columnsOf(ds))
			in.Data = ds
			made, err := LabelRows(t.Context(), tree, in)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range tree.All() {
				at := slices.IndexFunc(s.Gates, func(g gating.Named) bool { return g.Name == p.Name })
				if made.Why[i] != nil || !selection.Equal(made.Sets[i], want[at]) {
					t.Errorf("%s: %s has %d points, want %d (%v)", filepath.Base(file), p.Name, made.Sets[i].Count(),
						want[at].Count(), made.Why[i])
				}
				if kind, ok := ours[p.Name]; ok && p.Rule.Kind() != kind {
					t.Errorf("%s: %s is a rule of the kind %q, want %q", filepath.Base(file), p.Name, p.Rule.Kind(),
						kind)
				}
				if p.Rule.Kind() == "gating" {
					alone++
				}
			}
		}
		if carried > 0 != (alone > 0) && !strings.Contains(file, "boolean") {
			t.Errorf("%s: %d gates are said to be carried along, %d are", file, carried, alone/2)
		}
	}
}

// A gate that is carried along follows the name of a column, and needs the columns of its matrix.
func TestACarriedGateFollowsNames(t *testing.T) {
	dir := oracle.Formats(t)
	ds, s := gatesOf(t, filepath.Join(dir, "gml", "data1.fcs"),
		filepath.Join(dir, "gml", "gml_matrix_transform_logicle_rect1_gate.xml"))
	tree, _, err := Tree{}.OfGates(t.Context(), s, 0, ds, transform.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	if got := tree.Columns(); !slices.Equal(got, []string{"FL1-H", "FL2-H", "FL3-H"}) {
		t.Errorf("it looks at %v", got)
	}
	renamed := tree.RenameColumn("FL2-H", "PE")
	if got := renamed.Columns(); !slices.Equal(got, []string{"FL1-H", "PE", "FL3-H"}) {
		t.Errorf("renamed, it looks at %v", got)
	}
	other := *ds
	other.Columns = slices.Clone(ds.Columns)
	other.Columns[ds.Places()["FL2-H"]].Name = "PE"
	in := Table(ds.Points, columnsOf(&other))
	if _, err := renamed.All()[0].Rule.Rows(t.Context(), in); err == nil || !strings.Contains(err.Error(), "at hand") {
		t.Errorf("without the table: %v", err)
	}
	in.Data = &other
	set, err := renamed.All()[0].Rule.Rows(t.Context(), in)
	if err != nil || set.Count() != 809 {
		t.Errorf("renamed, it has %v points, %v", set.Count(), err)
	}
}

// The rows of all of several terms, some of which are what a rule leaves.
func TestAllHasWhatEveryTermHas(t *testing.T) {
	ds := &dataset.Dataset{Points: 4, Columns: []dataset.Column{{Name: "a", Values: []float32{0, 1, 2, 3}}}}
	at := func(low, high float64) Rule { return &Limits{[]Limit{{"a", low, high}}} }
	r := &All{[]Term{{at(1, 3), false}, {at(2, 2), true}}}
	raw, err := EncodeRule(r)
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeRule(raw, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Rule{r, again, r.Renamed("b", "c")} {
		set, err := r.Rows(t.Context(), Table(4, columnsOf(ds)))
		if err != nil || set.Count() != 2 || !set.Contains(1) || !set.Contains(3) {
			t.Errorf("%v, %v", set, err)
		}
	}
	if got := r.Renamed("a", "b").Needs().Columns; !slices.Equal(got, []string{"b", "b"}) {
		t.Errorf("renamed it looks at %v", got)
	}
}

// A gate on values that are compensated otherwise than the map takes them is carried along, though a rule on raw ones
// has the same of these rows: it would have others of other data.
func TestAGateIsARuleOnlyWhereTheMapCompensatesAsItDoes(t *testing.T) {
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", []dataset.Column{
		{Name: "A", Values: []float32{0, 10, 2000}}, {Name: "B", Values: []float32{0, 0, 10}},
		{Name: "C", Values: []float32{1, 2, 3}}})
	if err != nil {
		t.Fatal(err)
	}
	spill := func(share float64) *dataset.Spillover {
		return &dataset.Spillover{Names: []string{"B", "A"}, M: [][]float64{{1, share}, {0, 1}}}
	}
	low := 1000.0
	at := func(s gating.Side) *gating.Gate {
		return &gating.Gate{Sides: []gating.Side{s}, Range: []gating.Range{{Low: &low}}}
	}
	gates := map[string]*gating.Gate{"raw": at(gating.Side{Column: "A"}),
		"own": at(gating.Side{Column: "A", Own: true}),
		"matrix": at(gating.Side{Column: "A", Matrix: &gating.Matrix{Dyes: []string{"A", "B"},
			Detectors: []string{"A", "B"}, Rows: [][]float64{{1, 0}, {0.2, 1}}}})}
	ds.Spillover = spill(0.2)
	by := func(s *dataset.Spillover) transform.Spec {
		m, why := transform.Compensation(ds, s)
		if why != "" {
			t.Fatal(why)
		}
		return transform.Spec{Columns: make([]transform.Column, 3), Mixes: []transform.Mix{m}}
	}
	for name, c := range map[string]struct {
		spec transform.Spec
		ours map[string]bool
	}{
		"raw":         {transform.Spec{Columns: make([]transform.Column, 3)}, map[string]bool{"raw": true}},
		"compensated": {by(ds.Spillover), map[string]bool{"own": true, "matrix": true}},
		"otherwise":   {by(spill(0.3)), nil},
	} {
		for kind, g := range gates {
			tree, carried, err := Tree{}.OfGates(t.Context(), &gating.Strategy{Gates: []gating.Named{{Name: kind,
				Parent: -1, Gate: g}}}, 0, ds, c.spec)
			if err != nil {
				t.Fatal(err)
			}
			if got := tree.All()[0].Rule.Kind(); (got == "limits") != c.ours[kind] || (carried == 0) != c.ours[kind] {
				t.Errorf("on a map that is %s, a gate on %s is a rule of the kind %q", name, kind, got)
			}
		}
	}
}

// A gate finds what it has for each file by the name of the file, in whatever order it stands.
func TestAGateOfSeveralFilesFindsEachByItsName(t *testing.T) {
	var files []*dataset.Dataset
	for _, name := range []string{"a.fcs", "b.fcs"} {
		ds, err := dataset.FromColumns(t.Context(), name, []dataset.Column{{Name: "A", Values: []float32{0, 10, 2000}},
			{Name: "B", Values: []float32{0, 500, 10}}})
		if err != nil {
			t.Fatal(err)
		}
		ds.Name = name
		files = append(files, ds)
	}
	both, err := dataset.Concat(t.Context(), files)
	if err != nil {
		t.Fatal(err)
	}
	names := both.Origin().Categories
	rows := [][][]float64{{{1, 0.1}, {0.2, 1}}, {{1, 0.3}, {0.4, 1}}}
	var spilled []*dataset.Spillover
	var each []gating.OfFile
	for f, m := range rows {
		spilled = append(spilled, &dataset.Spillover{Names: []string{"A", "B"}, M: m})
		each = append(each, gating.OfFile{File: names[f], Side: gating.Side{Column: "A", Matrix: &gating.Matrix{
			Dyes: []string{"A", "B"}, Detectors: []string{"A", "B"}, Rows: m}}})
	}
	mix, why := transform.CompensationOf(both, spilled)
	if why != "" {
		t.Fatal(why)
	}
	spec := transform.Spec{Columns: make([]transform.Column, len(both.Columns)), Mixes: []transform.Mix{mix}}
	low := 1000.0
	other := each[0]
	other.File = names[1]
	for name, c := range map[string]struct {
		of   []gating.OfFile
		ours bool
	}{
		"in order":         {each, true},
		"in another order": {[]gating.OfFile{each[1], each[0]}, true},
		"of other files":   {[]gating.OfFile{{File: names[0], Side: each[1].Side}, other}, false},
	} {
		g := &gating.Gate{Sides: []gating.Side{{Files: c.of}}, Range: []gating.Range{{Low: &low}}}
		tree, carried, err := Tree{}.OfGates(t.Context(), &gating.Strategy{Gates: []gating.Named{{Name: "g", Parent: -1,
			Gate: g}}}, 0, both, spec)
		if err != nil {
			t.Fatal(err)
		}
		if (carried == 0) != c.ours {
			t.Errorf("%s it is a rule of the kind %q", name, tree.All()[0].Rule.Kind())
		}
	}
}

// Gates look at linear values of a logarithmic amplifier. A map that takes these has their own rules, with the rows
// that a map of channel numbers has.
func TestGatesOfLinearChannelsAreRules(t *testing.T) {
	var values []float32
	for i := range 1024 {
		values = append(values, float32(i))
	}
	other := slices.Clone(values)
	slices.Reverse(other)
	ds, err := dataset.FromColumns(t.Context(), "x.fcs", []dataset.Column{
		{Name: "A", Values: values, Log: &dataset.LogScale{Decades: 4, Offset: 1, Range: 1024}, Range: 1024},
		{Name: "B", Values: other}})
	if err != nil {
		t.Fatal(err)
	}
	low, high := 20.0, 3000.0
	a, b := gating.Side{Column: "A"}, gating.Side{Column: "B"}
	scaled := gating.Side{Column: "A", Scale: "fasinh:10000:4:1"}
	gates := &gating.Strategy{Gates: []gating.Named{
		{Name: "range", Parent: -1, Gate: &gating.Gate{Sides: []gating.Side{a},
			Range: []gating.Range{{Low: &low, High: &high}}}},
		{Name: "polygon", Parent: -1, Gate: &gating.Gate{Sides: []gating.Side{scaled, b},
			Polygon: [][2]float64{{0.4, 100}, {0.9, 200}, {0.6, 800}}}}}}
	want, err := gates.Rows(t.Context(), ds)
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Spec{Columns: make([]transform.Column, 2)}
	spec.Columns[0] = spec.Columns[0].With(transform.Asinh, transform.Params{150})
	spec = spec.WithLinear(ds, []int{0})
	tree, carried, err := Tree{}.OfGates(t.Context(), gates, 0, ds, spec)
	if err != nil || carried > 0 {
		t.Fatalf("%d are carried along: %v", carried, err)
	}
	in := Table(ds.Points, map[string]*dataset.Column{"A": transform.Mixed(ds, spec, 0), "B": &ds.Columns[1]})
	in.Data = ds
	made, err := LabelRows(t.Context(), tree, in)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range tree.All() {
		if n := want[i].Count(); made.Why[i] != nil || !selection.Equal(made.Sets[i], want[i]) || n == 0 || n == 1024 {
			t.Errorf("%s has %d points, want %d (%v)", p.Name, made.Sets[i].Count(), n, made.Why[i])
		}
	}
}
