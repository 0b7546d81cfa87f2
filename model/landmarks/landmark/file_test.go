package landmark

import (
	"bytes"
	"errors"
	"maps"
	"math"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"

	"pgregory.net/rapid"
)

func TestFileRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, d, dims := rapid.IntRange(1, 8).Draw(t, "g"), rapid.IntRange(1, 4).Draw(t, "d"),
			rapid.IntRange(2, 3).Draw(t, "dims")
		number := rapid.Float32Range(-math.MaxFloat32, math.MaxFloat32)
		place := rapid.Float32Range(-Farthest, Farthest)
		s, err := New(
			matrix.Matrix32{Rows: g, Cols: d, Data: rapid.SliceOfN(number, g*d, g*d).Draw(t, "codebook")},
			matrix.Matrix32{Rows: g, Cols: dims, Data: rapid.SliceOfN(place, g*dims, g*dims).Draw(t, "pos")})
		if err != nil {
			t.Fatal(err)
		}
		s.Pinned = rapid.SliceOfN(rapid.Bool(), g, g).Draw(t, "pins")
		if rapid.Bool().Draw(t, "named") {
			s.Names = rapid.SliceOfN(rapid.String(), g, g).Draw(t, "names")
			for i, n := range s.Names {
				s.Names[i] = strings.ToValidUTF8(n, "?")
			}
		}
		if g > 1 {
			s.Edges = [][2]int32{{0, int32(g - 1)}}
		}
		f := &File{Set: s, Scaled: true, Shape: "2x2", Topology: "hex", Method: "som",
			Values: map[string]float64{"epochs": 10},
			Seed:   rapid.Uint64().Draw(t, "seed"), Source: "a.fcs", Points: 12, Program: "blossom 1"}
		for i := range d {
			f.Columns = append(f.Columns, FileColumn{Name: strings.Repeat("é\"x", i+1), Label: "CD4",
				Transform: "asinh:5",
				SD:        rapid.Float64Range(0, 9).Draw(t, "sd"), Weight: 1})
		}
		var b, again bytes.Buffer
		if err := f.Write(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		got, err := Read(&b, "x")
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !equal(got.Set, f.Set) || !maps.Equal(got.Values, f.Values) || got.Seed != f.Seed ||
			got.Columns[d-1] != f.Columns[d-1] {
			t.Fatalf("%+v comes back as %+v", f, got)
		}
		if err := got.Write(&again); err != nil || again.String() != text {
			t.Fatal("writing what was read gives another file")
		}
	})
}

func TestReadRefuses(t *testing.T) {
	good := &File{Set: &Set{Codebook: matrix.New(2, 2), Pos: matrix.New(2, 2)},
		Columns: []FileColumn{{Name: "a", Transform: "none", Weight: 1}, {Name: "b", Transform: "none", Weight: 1}}}
	var b bytes.Buffer
	if err := good.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if _, err := Read(strings.NewReader(text), "m.json"); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		"empty": "", "not JSON": "x,y\n1,2\n", "other JSON": `{"a": 1}`,
		"newer":     strings.Replace(text, `"version":1`, `"version":99`, 1),
		"ragged":    strings.Replace(text, "[0,0]", "[0,0,0]", 1),
		"too large": strings.Replace(text, "[0,0]", "[0,1e39]", 1),
		"columns":   strings.Replace(text, `"name":"a"`, `"name":"a"},{"name":"c"`, 1),
		"pins":      strings.Replace(text, `"scaled"`, `"pinned":[2],"scaled"`, 1),
		"names":     strings.Replace(text, `"scaled"`, `"names":["a"],"scaled"`, 1),
		"edges":     strings.Replace(text, `"scaled"`, `"edges":[[0,7]],"scaled"`, 1),
		"edge of 3": strings.Replace(text, `"scaled"`, `"edges":[[0,1,1]],"scaled"`, 1),
		"edge of 1": strings.Replace(text, `"scaled"`, `"edges":[[0]],"scaled"`, 1),
		"none":      text[:strings.Index(text, "\"positions\"")] + `"positions":[],"codebook":[]}`,
	}
	for i := 1; i < len(text)-2; i++ { // cut anywhere
		if _, err := Read(strings.NewReader(text[:i]), "m.json"); err == nil {
			t.Fatalf("a file cut at %d was read", i)
		}
	}
	for what, text := range bad {
		_, err := Read(strings.NewReader(text), "m.json")
		var p *problem.Problem
		if !errors.As(err, &p) || p.File != "m.json" || p.Remedy == "" || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Text that a JSON reader would let pass and read as another map is refused, and said where.
func TestStrictLandmarkFiles(t *testing.T) {
	good := &File{Set: &Set{Codebook: matrix.New(2, 2), Pos: matrix.New(2, 2), Names: []string{"null, \"null", "n"}},
		Columns: []FileColumn{{Name: "a", Transform: "none", Weight: 1}, {Name: "null", Transform: "none", Weight: 1}}}
	var b bytes.Buffer
	if err := good.Write(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if _, err := Read(strings.NewReader(text+" \n\t\n"), "m.json"); err != nil {
		t.Fatalf("names that look like null, spaces at the end: %v", err)
	}
	swap := func(old, now string) string {
		out := strings.Replace(text, old, now, 1)
		if out == text {
			t.Fatalf("no %s in %s", old, text)
		}
		return out
	}
	for bad, want := range map[string]string{
		swap("[0,0]", "[0,null]"):                       "null) on line 3",
		swap("[0,0]", "null"):                           "null) on line 3",
		swap(`"weight":1`, `"weight":null`):             "null) on line 1",
		swap(`"scaled"`, `"pinned":[null],"scaled"`):    "null) on line 1",
		swap(`"scaled"`, `"edges":[[null,1]],"scaled"`): "null) on line 1",
		swap(`"version":1`, `"version":0`):              "version 0",
		swap(`"version":1`, `"version":-1`):             "version -1",
		swap(`"version":1,`, ``):                        "version 0",
		text + "junk":                                   "follows the landmarks on line 9",
		text + text:                                     "follows the landmarks on line 9",
		text + "]":                                      "follows the landmarks on line 9",
		text + "\x00":                                   "follows the landmarks on line 9",
		swap(`"name":"null"`, `"name":"a"`):             `columns 1 and 2 are both named "a"`,
		swap(`"name":"a"`, `"name":""`):                 "column 1 has no name",
		swap(`,"weight":1`, ``):                         `column "a" has no weight`,
		swap(`"weight":1`, `"wuight":1`):                `column "a" has no weight`,
	} {
		_, err := Read(strings.NewReader(bad), "m.json")
		var p *problem.Problem
		if !errors.As(err, &p) || p.File != "m.json" || p.Remedy == "" || !strings.Contains(p.What, want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	const start = `{"format":"blossom landmarks","version":1,`
	sound := fuzzing.Texts(
		start+`"columns":[{"name":"a","weight":1}],"positions":[[0,1]],"codebook":[[2]],"pinned":[0]}`,
		start+`"columns":[{"name":"b","weight":1}],"positions":[[0,1],[3]],"codebook":[[2],[1e38]],"edges":[[0,1]]}`)
	fuzzing.Target(f, sound, 3000, func(t testing.TB, b []byte) string {
		file, err := Read(bytes.NewReader(b), "f")
		if err != nil {
			return err.Error()
		}
		if err := file.Set.Validate(); err != nil {
			t.Fatalf("an invalid set was read: %v", err)
		}
		return "read"
	})
}

// A file of something else is refused in plain words.
func TestReadRefusesInPlainWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "it ends too early",
		`{"format":`:                "it ends too early",
		"x,y\n1,2\n":                "no JSON at byte 1",
		`{"seed": "a"}`:             "a string is no seed",
		`{"codebook": [[1,"b"]]}`:   "a string is no codebook",
		`[1, 2]`:                    "an array where an object should be",
		`{"format": "something"}`:   "not a landmarks file",
		`{"columns": [{"sd": []}]}`: "an array is no columns.sd",
	} {
		_, err := Read(strings.NewReader(text), "l.json")
		if err == nil || !strings.HasPrefix(err.Error(), "l.json: not a landmarks file") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "Go ") || strings.Contains(err.Error(), " json:")) {
			t.Errorf("words of the programming language: %v", err)
		}
	}
}
