package format

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const jsonSample = `{"x :: CD3": 1.5, "far": 1000000000.25, "kind": "a", "live": true, "v": [1, 2.5], ` +
	`"odd": 1, "n": {"m": 1}}
{"kind": "b\u00e4\n", "far": 1000000000.5, "x :: CD3": null, "live": false, "v": [3, null], ` +
	`"odd": "one", "words": ["x"]}

 {"late": -2e3, "x :: CD3": NaN, "far": 1000000000.75, "uneven": [1]}
{"x :: CD3": 4, "uneven": [1, 2], "far": 1000000001}
`

// Objects, one a line, are the rows of a table; names that only some have are columns with gaps.
func TestJSONLinesBecomeATable(t *testing.T) {
	ds, err := Open(ctx, write(t, "a.bin", []byte(jsonSample)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", names(ds)); ds.Format != "jsonl" || ds.Points != 4 ||
		got != `["x" "far" "kind" "live" "v0" "v1" "odd" "late"]` {
		t.Fatalf("%s of %d points: %s", ds.Format, ds.Points, got)
	}
	for name, want := range map[string][]float64{"x": {1.5, math.NaN(), math.NaN(), 4}, "far": {1e9 + 0.25, 1e9 + 0.5,
		1e9 + 0.75, 1e9 + 1}, "v1": {2.5, math.NaN(), math.NaN(), math.NaN()},
		"late": {math.NaN(), math.NaN(), -2000, math.NaN()}, "live": {1, 0, math.NaN(), math.NaN()}} {
		c := column(t, ds, name)
		for i, x := range want {
			if v := c.At(i); v != x && (v == v || x == x) {
				t.Errorf("%s %d is %v, want %v", name, i, v, x)
			}
		}
	}
	if got := texts(column(t, ds, "kind")); !slices.Equal(got, []string{"a", "bä\n", "?", "?"}) {
		t.Errorf("kinds are %q", got)
	}
	if got := texts(column(t, ds, "odd")); !slices.Equal(got, []string{"1", "one", "?", "?"}) || !warned(ds, `"odd"`) {
		t.Errorf("numbers and texts are %q, %v", got, ds.Warnings)
	}
	for _, name := range []string{`"n"`, `"words"`, `"uneven"`} {
		if !warned(ds, name) {
			t.Errorf("%s is not named: %v", name, ds.Warnings)
		}
	}
	if ds.Columns[0].Label != "CD3" {
		t.Errorf("the label of the first column is %q", ds.Columns[0].Label)
	}
}

// Random objects are read as another reader reads them, packed or not; a sample has rows of the whole.
func TestJSONLinesAreReadAsTheyAre(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	var rows []map[string]any
	for range 3000 {
		row := map[string]any{"a": r.NormFloat64(), "b": r.IntN(1000), "text": fmt.Sprint("t\"", r.IntN(9), "\\ü\t"),
			"v": []float64{r.Float64(), r.ExpFloat64()}, "s": map[string]any{"x": []any{1, "]}"}}}
		if r.IntN(3) == 0 {
			row["a"] = nil
		}
		if r.IntN(3) == 0 {
			delete(row, "text")
		}
		line, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
		rows = append(rows, row)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if _, err := z.Write(b.Bytes()); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"a.jsonl": b.Bytes(), "a.ndjson": b.Bytes(),
		"a.jsonl.gz": packed.Bytes()} {
		for _, o := range []Options{{}, {MaxPoints: 700}} {
			ds, err := Open(ctx, write(t, name, content), o)
			if err != nil {
				t.Fatal(err)
			}
			if ds.Total != len(rows) || o.MaxPoints == 0 && ds.Points != len(rows) || o.MaxPoints > 0 &&
				ds.Points != 700 {
				t.Fatalf("%s: %d points of %d", name, ds.Points, ds.Total)
			}
			text := texts(column(t, ds, "text"))
			for i := range ds.Points {
				row := rows[i]
				a, isNumber := row["a"].(float64)
				want, isText := row["text"].(string)
				if !isText {
					want = "?"
				}
				v := row["v"].([]float64)
				if got := column(t, ds, "a").At(i); isNumber && math.Abs(got-a) > 1e-6*math.Abs(a) ||
					!isNumber && got == got || column(t, ds, "b").At(i) != float64(row["b"].(int)) ||
					text[i] != want || math.Abs(column(t, ds, "v1").At(i)-v[1]) > 1e-6*v[1] {
					t.Fatalf("seed %d, %s: row %d differs: %v", seed, name, i, row)
				}
			}
		}
	}
}

// Lines that are no objects are named, and files that hold one value of JSON are none of this format.
func TestDamagedJSONLinesAreNamed(t *testing.T) {
	for text, words := range map[string]string{
		"{\"a\": 1}\n{\"a\": }\n":            "line 2",
		"{\"a\": 1}\n{\"a\": 1\n":            "line 2",
		"{\"a\": 1}\n\n[1]\n":                "line 3",
		"{\"a\": 1} {\"a\": 2}\n{\"a\": 1}":  "line 1",
		"{\"a\": 01x}\n{\"a\": 1}":           "line 1",
		"{\"a\": " + strings.Repeat("[", 99): "line 1",
	} {
		_, err := Open(ctx, write(t, "a.jsonl", []byte(text)), Options{})
		wantProblem(t, err, "a.jsonl", words)
	}
	_, err := Open(ctx, write(t, "a.json", []byte("{\n \"a\": [1, 2]\n}\n")), Options{})
	wantProblem(t, err, "a.json", "JSON, not a table")
	var wide strings.Builder
	for i := range mostNames + 1 {
		fmt.Fprintf(&wide, `,"%d":1`, i)
	}
	_, err = Open(ctx, write(t, "a.jsonl", []byte("{"+wide.String()[1:]+"}\n")), Options{})
	wantProblem(t, err, "a.jsonl", "131,072 names")
	within, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(within, write(t, "a.jsonl", []byte(jsonSample)), Options{}); err != context.Canceled {
		t.Errorf("%v", err)
	}
}

// Numbers among texts are labels as people write numbers: a day or the number of a patient has no exponent.
func TestNumbersAmongTextsKeepTheirDigits(t *testing.T) {
	path := write(t, "x.jsonl", []byte(`{"a": 1, "day": 20231101}
{"a": 2, "day": "unknown"}
{"a": 3, "day": 123456789012345}
{"a": 4, "day": -0.00000025}
`))
	ds, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"20231101", "unknown", "123456789012345", "-0.00000025"}
	if got := texts(column(t, ds, "day")); !slices.Equal(got, want) {
		t.Errorf("days are %q, want %q", got, want)
	}
}
