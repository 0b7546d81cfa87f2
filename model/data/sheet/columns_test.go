package sheet

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/texts"
)

// Columns of numbers are measures, but for few whole ones and for numbers that are names.
func TestColumnsAreGuessed(t *testing.T) {
	many := []string{}
	for i := range MostGroups + 1 {
		many = append(many, fmt.Sprint(20+i))
	}
	for name, c := range map[string]struct {
		texts   []string
		measure bool
	}{
		"words": {[]string{"a", "b"}, false}, "days": {[]string{"0", "7", "14"}, false}, "ages": {many, true},
		"decimals": {[]string{"41", "39.5"}, true}, "comma": {[]string{"41", "39,5"}, true},
		"names": {[]string{"001", "002.5"}, false}, "mixed": {append(many, "old"), false}, "gaps": {[]string{"", "1.5"},
			true},
		"none": {[]string{"", ""}, false}, "hex": {[]string{"0x1f", "1.5"}, false}, "below": {[]string{"-1.5", "0.5"},
			true},
		"large": {[]string{"1e300", "1e10"}, false}, "infinite": {[]string{"inf", "1.5"}, false},
	} {
		s := must(t, Sheet{}, "x")
		for i, text := range c.texts {
			s = s.Set(fmt.Sprint(i), 0, text)
		}
		if got := s.Guessed(0).Measure(0); got != c.measure {
			t.Errorf("%s is a measure: %t", name, got)
		}
	}
}

// Numbers of rows are those of their samples, exactly.
func TestNumbersOfRowsAreThoseOfTheirSamples(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		names := []string{"a", "b", "c", "d"}
		s := must(t, Keyed("batch"), "x", "y").As(1, true)
		want := map[string]float64{}
		for _, name := range names {
			if rapid.Bool().Draw(rt, "there") {
				x := rapid.Float64Range(-1e30, 1e30).Draw(rt, "value")
				want[name], s = x, s.Set(name, 1, fmt.Sprintf("%.17g", x))
			}
		}
		raw, _ := json.Marshal(s)
		if again, err := Decode(raw); err != nil || !Equal(again, s) || !again.Measure(1) || again.Measure(0) {
			rt.Fatalf("%s is read as %+v, %v", raw, again, err)
		}
		data := files(t, rapid.IntRange(1, 100).Draw(rt, "rows"), names...)
		values, ok := s.Numbers(data, "Y")
		if !ok {
			rt.Fatal("there is no column")
		}
		for row, x := range values {
			exact := math.NaN()
			if of := data.Columns[0].Values[row]; of == of {
				if v, known := want[names[int(of)]]; known {
					exact = v
				}
			}
			if !(x == exact || x != x && exact != exact) {
				rt.Fatalf("row %d is %g, not %g", row, x, exact)
			}
		}
		if _, ok := s.Numbers(data, "x"); ok {
			rt.Fatal("labels are numbers")
		}
		if renamed := s.Rename(1, "z"); !renamed.Measure(1) || s.Remove(1).Measure(0) {
			rt.Fatal("a measure does not go along with its name")
		}
	})
}

// A sheet that is written as a table and read again says the same of every sample, and makes the same columns.
func TestAWrittenSheetMakesTheSameColumns(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		samples := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z][a-z0-9]{0,6}\.fcs`), 1, 8, rapid.ID).Draw(rt,
			"samples")
		s := Sheet{}
		for i := range rapid.IntRange(1, 4).Draw(rt, "columns") {
			s = must(t, s, fmt.Sprintf("c%d", i))
			cell := rapid.SampledFrom([]*rapid.Generator[string]{rapid.StringMatching(`[a-zß😀",; ]{0,5}`),
				rapid.StringMatching(`[0-9]{1,2}(\.[0-9])?`)}).Draw(rt, "kind")
			for _, sample := range samples {
				s = s.Set(sample, i, cell.Draw(rt, "cell"))
			}
			s = s.Guessed(i)
		}
		table := &texts.Table{Heads: append([]string{"file_name"}, s.Columns()...), Rows: s.Table(samples)}
		for i := range table.Rows {
			table.Lines = append(table.Lines, i+2)
		}
		found, err := Look(table, samples, "")
		if err != nil {
			rt.Fatal(err)
		}
		// Texts that say nothing, as "na" in capitals does, are nothing when they are read.
		for _, sample := range samples {
			for i := range s.Columns() {
				if got, want := found.Sheet.Cell(sample, i), s.Cell(sample, i); got != want && !texts.Missing(want) {
					rt.Fatalf("%s of %s is %q, %q is wanted", s.Columns()[i], sample, got, want)
				}
			}
		}
		if !slices.ContainsFunc(found.Sheet.Known(), func(string) bool { return true }) && len(s.Known()) > 0 {
			rt.Fatal("nothing is known")
		}
	})
}

// A column is of the same kind whichever of the samples of a file are opened.
func TestKindsOfColumnsAreThoseOfTheWholeFile(t *testing.T) {
	table, err := texts.Parse("s.csv", "file_name,age,donor\na.fcs,41.5,7.5\nb.fcs,NA,NA\nc.fcs,,anna\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, samples := range [][]string{{"a.fcs"}, {"b.fcs"}, {"c.fcs"}, {"a.fcs", "b.fcs", "c.fcs"}} {
		found, err := Look(table, samples, "")
		if err != nil || !found.Sheet.Measure(0) || found.Sheet.Measure(1) {
			t.Errorf("of %q: %+v, %v", samples, found, err)
		}
	}
}

// A name after a dot is an ending only where files of data end so.
func TestSamplesWithDotsInTheirNamesAreToldApart(t *testing.T) {
	table, err := texts.Parse("s.csv", "file_name,x\n060909.001,a\n060909.003,b\n060909.005,c\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, samples := range [][]string{{"060909.001"}, {"060909.001", "060909.003"}} {
		found, err := Look(table, samples, "")
		if err != nil || found.Wrong() != nil || found.Sheet.Cell("060909.001", 0) != "a" ||
			len(found.Strange) != 3-len(samples) {
			t.Errorf("of %q: %+v, %v", samples, found, err)
		}
	}
}

func FuzzSheet(f *testing.F) {
	ds, err := dataset.FromColumns(f.Context(), "all", []dataset.Column{{Name: "batch", Categories: []string{"a.fcs",
		"b.fcs"},
		Values: []float32{0, 1, 0, float32(math.NaN())}}})
	if err != nil {
		f.Fatal(err)
	}
	fuzzing.Target(f, fuzzing.Texts("file_name,group,age\na.fcs,x,41\nb,y,39.5\n",
		"FCS;note\nA.FCS;\"x\ny\"\n\na;2\n"), 2000, func(t testing.TB, b []byte) string {
		table, err := texts.Parse("fuzz", string(b))
		if err != nil {
			return err.Error()
		}
		found, err := Look(table, []string{"a.fcs", "b.fcs"}, "batch")
		if err != nil {
			if problem.As(err).Remedy == "" {
				t.Fatalf("without a remedy: %v", err)
			}
			return err.Error()
		}
		found.Says()
		if err := found.Wrong(); err != nil && problem.As(err).Remedy == "" {
			t.Fatalf("without a remedy: %v", err)
		}
		raw, err := json.Marshal(found.Sheet)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Decode(raw); err != nil || !Equal(again, found.Sheet) {
			t.Fatalf("%s is read as %+v, %v", raw, again, err)
		}
		for _, name := range found.Sheet.Columns() {
			if values, _, _, ok := found.Sheet.Labels(ds, name); !ok || len(values) != 4 {
				t.Fatalf("%q has no labels", name)
			}
			found.Sheet.Numbers(ds, name)
		}
		return "read"
	})
}
