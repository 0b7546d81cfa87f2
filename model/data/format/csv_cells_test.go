package format

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"blossom/model/base/problem"
)

// Every row of a table is a row, also one that begins with an error of a spreadsheet; only comments before the
// header are none, and are counted.
func TestFirstColumnNA(t *testing.T) {
	nan := nan32
	for _, word := range []string{"#N/A", "#DIV/0!", "#VALUE!", "#NA", "#REF!", "#NUM!", "#NAME?", "#N/A N/A", "NA"} {
		for _, head := range []string{"a,b\n", "", "# a comment\na,b\n", "# a comment\n"} {
			ds := openText(t, head+"1,2\n"+word+",4\n5,6\n", Options{})
			if ds.Points != 3 || !same(ds.Columns[0].Values, []float32{1, nan, 5}) ||
				!same(ds.Columns[1].Values, []float32{2, 4, 6}) {
				t.Errorf("%q after %q: %d rows, %v", word, head, ds.Points, ds.Columns[0].Values)
			}
			if said := warned(ds, "1 line before the table"); said != strings.HasPrefix(head, "#") {
				t.Errorf("%q after %q: %q", word, head, ds.Warnings)
			}
			if ds = openText(t, head+word+",4\n1,2\n5,6\n", Options{}); ds.Points != 3 {
				t.Errorf("%q in the first row after %q: %d rows", word, head, ds.Points)
			}
		}
	}
	// Texts that begin with # are cells like others.
	ds := openText(t, "id,x\n#1,2\n#2,3\n#3,4\n", Options{})
	if ds.Points != 3 || !slices.Equal(ds.Columns[0].Categories, []string{"#1", "#2", "#3"}) {
		t.Errorf("%d rows, %q", ds.Points, ds.Columns[0].Categories)
	}
	// In a table of one column an empty line is a row without a value, but for those at the end.
	for _, o := range []Options{{}, {MaxPoints: 4, Sample: "random"}} {
		ds = openText(t, "\nx\n1\n\n3\n\n\n6\n\n \n", o)
		if ds.Total != 6 || o.MaxPoints == 0 && (!same(ds.Columns[0].Values, []float32{1, nan, 3, nan, nan, 6}) ||
			!warned(ds, "3 empty lines are read as rows without a value")) {
			t.Errorf("%+v: %d of %d: %v %q", o, ds.Points, ds.Total, ds.Columns[0].Values, ds.Warnings)
		}
	}
	ds = openText(t, "x\n1\n2\n"+strings.Repeat("\n", 3*chunkSize), Options{})
	if ds.Points != 2 || len(ds.Warnings) != 0 {
		t.Errorf("empty lines at the end: %d rows, %q", ds.Points, ds.Warnings)
	}
}

// A column of numbers with any share of words for nothing stays one.
func TestMissingWords(t *testing.T) {
	for _, word := range []string{"None", "<NA>", "NA", "n/a", ".", "?", "-", "", "null", "#N/A", "#DIV/0!", "NaN", "–",
		"\\N", " . ", "n.d."} {
		for _, sep := range []string{",", ";", "\t"} {
			var b strings.Builder
			fmt.Fprintf(&b, "id%sx\n", sep)
			for i := range 40 {
				if i%4 == 3 {
					fmt.Fprintf(&b, "%d%s%s\n", i, sep, word)
				} else {
					fmt.Fprintf(&b, "%d%s%d.5\n", i, sep, i)
				}
			}
			ds := openText(t, b.String(), Options{})
			if c := ds.Columns[1]; c.Categories != nil || c.Stats.Count != 30 || c.Stats.Invalid != 10 || ds.Unsure {
				t.Errorf("%q with %q: %q, %+v, %q", word, sep, c.Categories, c.Stats, ds.Warnings)
			}
		}
	}
	// Among labels, words that may be meant are labels.
	ds := openText(t, "x,treatment\n1,none\n2,drug\n3,none\n4,NA\n5,-\n6,drug\n7,cells\n", Options{})
	if c := ds.Columns[1]; !slices.Equal(c.Categories, []string{"none", "drug", "-", "cells"}) || c.Stats.Invalid != 1 {
		t.Errorf("%q %+v", c.Categories, c.Stats)
	}
}

// A column whose cells are mostly numbers is one of numbers, and what was not understood is said.
func TestMostlyNumbers(t *testing.T) {
	text := "x,y,cluster\n"
	for i := range 100 {
		x, k := fmt.Sprint(i), fmt.Sprint(i%3)
		if i%5 == 0 {
			x, k = [3]string{"off", "saturated", "low"}[i/5%3], "unassigned"
		}
		text += x + "," + fmt.Sprint(i%7) + "," + k + "\n"
	}
	ds := openText(t, text, Options{})
	if c := ds.Columns[0]; c.Categories != nil || c.Stats.Count != 80 || !ds.Unsure || !warned(ds,
		`column "x": 20 cells that `+
			`are no number counted as missing, the first is "off" on line 2; others are "saturated", "low"`) {
		t.Errorf("%q %+v %q", c.Categories, c.Stats, ds.Warnings)
	}
	// Clusters have names, of which some are numbers.
	if c := ds.Columns[2]; len(c.Categories) != 4 ||
		!warned(ds, `column "cluster": read as labels, as only 80 of 100 cells are numbers`) {
		t.Errorf("%q %q", c.Categories, ds.Warnings)
	}
}

func TestWrittenNumbers(t *testing.T) {
	for cell, want := range map[string]float32{
		"1,000": 1000, "12,345,678": 12345678, "1,234.5": 1234.5, "-1,000": -1000, "\u22121.5": -1.5, "1e\u22123": 1e-3,
		"1 234.5": 1234.5, "1\u00a0234": 1234, "1\u202f234\u202f567": 1234567, "1\u2009234": 1234, "1'234.5": 1234.5,
		"1\u2019234": 1234, "1\xa0234": 1234, "+1,000": 1000, "\u00a07\u00a0": 7, "1,234e3": 1234e3,
	} {
		if kind, n := (cellForm{mark: '.'}).read([]byte(cell)); kind != cellNumber || n.value != want {
			t.Errorf("%q: %v %v", cell, kind, n.value)
		}
	}
	for cell, want := range map[string]float32{"1.234,5": 1234.5, "1.234": 1234, "1 234,5": 1234.5, "\u22121,5": -1.5,
		"1.234.567": 1234567, "1'234,5": 1234.5} {
		if kind, n := (cellForm{mark: ','}).read([]byte(cell)); kind != cellNumber || n.value != want {
			t.Errorf("%q with a comma: %v %v", cell, kind, n.value)
		}
	}
	for _, cell := range []string{"0,123", "1,23", "12,34,567", "1234,567", ",123", "1,", "1,000,", "1 23",
		"1,234 567", "1-2",
		"1,2345", "1.5.2", "--1", "1e", "e5", "1''000", "1 000 ,5", "12:30", "2021-01-05", "1_000", "0x10", "5%",
		"1,000.5.5"} {
		if kind, n := (cellForm{mark: '.'}).read([]byte(cell)); kind != cellText {
			t.Errorf("%q: %v %v", cell, kind, n.value)
		}
	}
}

func TestDecimalMarks(t *testing.T) {
	nan := nan32
	for name, c := range map[string]struct {
		text   string
		values [][]float32
		warn   string
	}{
		"sep=":            {"sep=;\na;b\n1,5;x\n2,5;y\n", [][]float32{{1.5, 2.5}}, ""},
		"quoted sep=":     {"\"sep=;\"\r\n1;2\r\n3;4\r\n", [][]float32{{1, 3}, {2, 4}}, ""},
		"sep= of odd":     {"sep=:\na:b\n1:2\n3:4\n", [][]float32{{1, 3}, {2, 4}}, ""},
		"European":        {"a;b\n1.234,5;1\n-12,25;2\n", [][]float32{{1234.5, -12.25}, {1, 2}}, "the dot stands"},
		"American":        {"a;b\n1,234.5;1\n-12.25;2\n", [][]float32{{1234.5, -12.25}, {1, 2}}, "the comma stands"},
		"quoted":          {"a,b\n\"1,000\",1\n999,2\n", [][]float32{{1000, 999}, {1, 2}}, "the comma stands"},
		"quoted decimals": {"a,b\n\"1,5\",1\n\"2,25\",2\n", [][]float32{{1.5, 2.25}, {1, 2}}, ""},
		"one of each":     {"a;b\n1,5;1.5\n2,5;2.5\n", [][]float32{{1.5, 2.5}, {1.5, 2.5}}, ""},
		"minus":           {"a;b\n\u22121,5;1\n\u22122,5;2\n", [][]float32{{-1.5, -2.5}, {1, 2}}, ""},
		"either way": {"a;b\n1,234;1\n2,345;2\n", [][]float32{{1.234, 2.345}, {1, 2}},
			"could stand between thousands"},
		"others tell": {"a;b\n1,234;1.5\n2,345;2.5\n", [][]float32{{1234, 2345}, {1.5, 2.5}}, "the comma stands"},
		"mixed":       {"a;b\n1,5;1\n2.5;2\n3,5;3\n", [][]float32{{1.5, nan, 3.5}, {1, 2, 3}}, "no number"},
	} {
		t.Run(name, func(t *testing.T) {
			ds := openText(t, c.text, Options{})
			for j, want := range c.values {
				if !same(ds.Columns[j].Values, want) {
					t.Errorf("column %q: %v, want %v", ds.Columns[j].Name, ds.Columns[j].Values, want)
				}
			}
			if c.warn == "" && len(ds.Warnings) > 0 || !warned(ds, c.warn) {
				t.Errorf("%q, want %q", ds.Warnings, c.warn)
			}
		})
	}
	// The beginning does not tell, the rest does.
	text := "a;b\n" + strings.Repeat("1,234;1\n", 2000) + "12,5;1\n"
	if c := openText(t, text, Options{}).Columns[0]; c.Stats.Max != 12.5 || c.Stats.Min != float64(float32(1.234)) {
		t.Errorf("%+v", c.Stats)
	}
	if c := openText(t, strings.Replace(text, "12,5", "12.5", 1), Options{}).Columns[0]; c.Stats.Max != 1234 ||
		c.Stats.Invalid != 0 {
		t.Errorf("%+v", c.Stats)
	}
}

func TestMarkedThousands(t *testing.T) {
	want := []float32{999, 1000, 12500}
	for _, text := range []string{"999\n1,000\n12,500\n", "x\n999\n1,000\n12,500\n", "x;y\n999;1\n1,000;2\n12,500;3\n",
		"x\ty\n999\t1\n1,000\t2\n12,500\t3\n", "x,y\n999,1\n\"1,000\",2\n\"12,500\",3\n", "x\n1,000\n999\n12,500\n"} {
		ds := openText(t, text, Options{})
		got := slices.Clone(ds.Columns[0].Values)
		slices.Sort(got)
		if !slices.Equal(got, want) || !warned(ds, "between thousands") {
			t.Errorf("%q: %v %q", text, ds.Columns[0].Values, ds.Warnings)
		}
	}
}

func TestMixedMarks(t *testing.T) {
	for _, text := range []string{"a;b\n1,5;2.5\n3,5;4.5\n", "a;b\n1,5;2.5\n3.5;4,5\n5,5;1.5\n", "a;b\n1,5;2.5\n",
		"a;b\n1.5;2,5\n2;3\n"} {
		ds := openText(t, text, Options{})
		if len(ds.Columns) != 2 || ds.Columns[0].Name != "a" || ds.Columns[1].Name != "b" ||
			ds.Columns[0].Categories != nil || ds.Columns[1].Categories != nil {
			t.Errorf("%q: %d columns, the first is %q", text, len(ds.Columns), ds.Columns[0].Name)
		}
	}
}

func TestJSONIsNoTable(t *testing.T) {
	for content, what := range map[string]string{
		`{"a": [1, 2], "b": [3, 4]}`:                          "is JSON",
		"[\n [1, 2],\n [3, 4]\n]\n":                           "is JSON",
		"\xef\xbb\xbf  [{\"x\": 1.5, \"y\": \"k\"}]":          "is JSON",
		"[" + strings.Repeat("[0.5, 1.5],\n", 200_000):        "is JSON",
		"<!DOCTYPE html>\n<html><body>Log in</body></html>":   "is a web page",
		"<?xml version=\"1.0\"?>\n<Workbook>1,2</Workbook>\n": "is XML",
		"{\\rtf1 a,b\n1,2\n}":                                 "formatted text",
	} {
		for _, name := range []string{"t.csv", "t.txt", "t.tsv", "t.json", "t"} {
			_, err := Open(ctx, write(t, name, []byte(content)), Options{})
			wantProblem(t, err, name, what, "not a table")
		}
	}
	const ml = `<?xml version="1.0"?><g:Gating-ML xmlns:g="http://www.isac-net.org/std/Gating-ML/v2.0/gating">`
	const mtx = `<?xml version="1.0"?><m:spilloverMatrix xmlns:m="http://www.isac-net.org/std/Gating-ML/v2.0/x">`
	for content, flag := range map[string]string{ml: "--gates", "<Workspace version=\"20.0\">": "--gates",
		mtx: "--compensation"} {
		for _, name := range []string{"g.xml", "g.wsp", "g.csv", "g.mtx", "g"} {
			_, err := Open(ctx, write(t, name, []byte(content)), Options{})
			wantProblem(t, err, name, "not a table")
			if p := problem.As(err); !strings.Contains(p.Remedy, flag) {
				t.Errorf("%s: the remedy is %q", name, p.Remedy)
			}
		}
	}
	for _, content := range []string{"[x],[y]\n1,2\n3,4\n", "[1],[2]\n[3],[4]\n", "{x};{y}\n1;2\n", "<x>,<y>\n1,2\n"} {
		if ds := openText(t, content, Options{}); len(ds.Columns) != 2 {
			t.Errorf("%q: %d columns", content, len(ds.Columns))
		}
	}
}

// gzip members that give far more text than the memory can hold as a table, however the file begins.
func TestCompressedBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("long: hundreds of MB on one goroutine")
	}
	member := func(text []byte) []byte {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		z.Write(text)
		z.Close()
		return b.Bytes()
	}
	var real strings.Builder
	rng := rand.New(rand.NewPCG(1, 2))
	for real.Len() < 4<<20 {
		fmt.Fprintf(&real, "%g,%g\n", rng.Float64(), rng.Float64())
	}
	rows := bytes.Repeat(member(bytes.Repeat([]byte("1,2\n"), 4<<20)), 512) // 8 GiB
	blank := bytes.Repeat(member(bytes.Repeat([]byte("\n"), 16<<20)), 4)
	line := bytes.Repeat(member(bytes.Repeat([]byte("1"), 16<<20)), 16)
	for name, c := range map[string]struct {
		file []byte
		say  string // "": it is read
	}{
		"rows":                 {rows, "memory"},
		"rows after real ones": {append(member([]byte("x,y\n"+real.String())), rows...), "memory"},
		"empty lines":          {append(member([]byte("x,y\n1,2\n")), blank...), ""},
		"one line":             {line, "line is longer"},
		"one line of a table":  {append(member([]byte("x,y\n1,2\n3,4\n5,")), line...), "is longer"},
	} {
		t.Run(name, func(t *testing.T) {
			path := write(t, "t.csv.gz", c.file)
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			_, err := Open(ctx, path, Options{Memory: 2 << 30})
			runtime.ReadMemStats(&after)
			if taken := (after.HeapSys - before.HeapSys) >> 20; taken > 256 && after.HeapSys > before.HeapSys {
				t.Errorf("%d MiB were taken", taken)
			}
			if c.say != "" {
				wantProblem(t, err, "t.csv.gz", c.say)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	// A table that is packed tightly and fits is read.
	path := write(t, "t.csv.gz", append(member([]byte("x,y\n")), bytes.Repeat(member(bytes.Repeat([]byte("1,2\n"),
		1<<20)), 6)...))
	ds, err := Open(ctx, path, Options{})
	if err != nil || ds.Points != 6<<20 || ds.Columns[1].Stats.Mean != 2 {
		t.Errorf("%v %v", ds, err)
	}
}

// Notes of a table with very many odd columns tell of the first.
func TestManyNotes(t *testing.T) {
	text := strings.Repeat("x,", 5000) + "y\n" + strings.Repeat(strings.Repeat("1,", 5000)+"2\n", 3) +
		strings.Repeat("off,", 5000) + "2\n"
	ds := openText(t, text, Options{})
	if n := len(ds.Warnings); n > mostNotes+3 || !warned(ds, "5,000 times in all") || !ds.Unsure {
		t.Errorf("%d warnings, the last %q", n, ds.Warnings[n-1])
	}
}

// A number that stands for no value may be written with a comma, as all others of its table are.
func TestMissingNumberWithAComma(t *testing.T) {
	ds := openText(t, "x;y\n1,5;2\n-999,0;3\n2,5;4\n", Options{Reading: Reading{Decimal: ",",
		Missing: []string{"-999,0"}}})
	if c := &ds.Columns[0]; c.Stats.Invalid != 1 || c.Stats.Min != 1.5 {
		t.Errorf("%+v", c.Stats)
	}
}
