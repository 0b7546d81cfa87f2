package exchange

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/export"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// mapOf is the map of a demo, and some of its points as landmarks.
func mapOf(t *testing.T, path string, scale bool) (Map, *landmark.Set) {
	t.Helper()
	ds, err := source.Read(t.Context(), path, format.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Default(ds)
	spec.Scale = scale
	table, err := transform.Build(t.Context(), ds, spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	const g = 60
	rng := rand.New(rand.NewPCG(3, 4))
	code, pos := matrix.New(g, table.X.Cols), matrix.New(g, 2)
	for i := range g {
		copy(code.Row(i), table.X.Row(rng.IntN(table.X.Rows)))
	}
	for i := range pos.Data {
		pos.Data[i] = float32(rng.NormFloat64() * 5)
	}
	set, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	set.Names = make([]string, g)
	set.Names[3], set.Names[9], set.Names[11] = "B cells", "T, \"cells\"", "B cells"
	set.Pinned[5] = true
	return Map{Data: ds, Table: table}, set
}

func fileFor(m Map, set *landmark.Set, v Values) *File {
	shown := *set
	shown.Codebook = m.In(v, set.Codebook)
	return &File{File: &landmark.File{Set: &shown, Columns: export.Dimensions(m.Data, m.Table),
		Mixes: export.Mixes(m.Data, m.Table), Scaled: m.Table.Spec.Scale}, Values: v}
}

func near(t *testing.T, what string, got, want matrix.Matrix32, within float64) {
	t.Helper()
	if got.Rows != want.Rows || got.Cols != want.Cols {
		t.Fatalf("%s: %d x %d, not %d x %d", what, got.Rows, got.Cols, want.Rows, want.Cols)
	}
	for i, x := range want.Data {
		if math.Abs(float64(got.Data[i]-x)) > within*(1+math.Abs(float64(x))) {
			t.Fatalf("%s: value %d is %g, not %g", what, i, got.Data[i], x)
		}
	}
}

// Every kind reads back what it writes, in whatever values, and guesses right what the values are.
func TestThereAndBack(t *testing.T) {
	for _, scale := range []bool{false, true} {
		m, set := mapOf(t, "demo:cytometry:3000", scale)
		for _, k := range Kinds() {
			for _, v := range []Values{AsInMap, AsInData, Centred} {
				if v != AsInMap && !k.Raw {
					continue
				}
				name := fmt.Sprintf("%s, values %d, scaled %v", k.ID, v, scale)
				path := filepath.Join(t.TempDir(), "donor 1"+k.Ending)
				written, err := k.Write(t.Context(), path, fileFor(m, set, v))
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				want := []string{path}
				if k.Files != nil {
					want = k.Files(path)
				}
				if !slices.Equal(written, want) {
					t.Errorf("%s: wrote %q, said %q", name, written, want)
				}
				for _, give := range [][]string{written, {written[0]}, {written[len(written)-1]}} {
					c, err := Open(t.Context(), give...)
					if err != nil {
						t.Fatalf("%s from %q: %v", name, give, err)
					}
					x, err := c.Match(m)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if x.ByName != (k.Files == nil) || len(x.Left) > 0 {
						t.Errorf("%s: matched by name %v, left out %q", name, x.ByName, x.Left)
					}
					if c.Trained == nil {
						if got := c.Guess(m, x); got != v {
							t.Errorf("%s: the values are taken to be %d", name, got)
						}
					}
					back, err := c.Landmarks(m, x, v)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					near(t, name+" positions", back.Pos, set.Pos, 0)
					within := 0.0
					if v != AsInMap {
						within = 2e-4
					}
					near(t, name+" codebook", back.Codebook, set.Codebook, within)
					same := slices.Equal(back.Names, set.Names) && slices.Equal(back.Pinned, set.Pinned)
					if k.Files == nil && !same {
						t.Errorf("%s: names %q, pins %v", name, back.Names, back.Pinned)
					}
				}
			}
		}
	}
}

// A landmark file of another transform comes in through the values of the data.
func TestATrainedFileOfAnotherTransform(t *testing.T) {
	m, set := mapOf(t, "demo:cytometry:2000", false)
	k := Kinds()[0]
	path := filepath.Join(t.TempDir(), "a.json")
	if _, err := k.Write(t.Context(), path, fileFor(m, set, AsInMap)); err != nil {
		t.Fatal(err)
	}
	spec := m.Table.Spec.Clone()
	other, err := transform.Parse("asinh:5")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range m.Table.Cols {
		spec.Columns[i] = spec.Columns[i].WithTransform(other)
	}
	spec.Scale = true
	now := m
	if now.Table, err = transform.Build(t.Context(), m.Data, spec, nil, nil); err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Match(now)
	if err != nil {
		t.Fatal(err)
	}
	back, err := c.Landmarks(now, x, AsInMap)
	if err != nil {
		t.Fatal(err)
	}
	want := now.From(AsInData, m.In(AsInData, set.Codebook))
	near(t, "through the data", back.Codebook, want, 2e-3)
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Columns are found by name in any order and case, or by their order where there are no names.
func TestColumnsAreFound(t *testing.T) {
	cols := []dataset.Column{{Name: "FITC-A", Label: "CD3", Values: []float32{1, 2, 3}},
		{Name: "PE-A", Label: "CD4", Values: []float32{4, 5, 7}}, {Name: "Extra", Values: []float32{1, 5, 2}}}
	ds, err := dataset.FromColumns(t.Context(), "d", cols)
	if err != nil {
		t.Fatal(err)
	}
	spec := transform.Default(ds)
	for i := range spec.Columns {
		spec.Columns[i] = transform.Column{Use: transform.InMap, Weight: 1}
	}
	table, err := transform.Build(t.Context(), ds, spec, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := Map{Data: ds, Table: table}
	for _, c := range []struct{ text, wrong string }{
		{"PE-A,FITC-A,Extra,x,y\n1,2,3,4,5\n6,7,8,9,10\n", ""},
		{"cd4,cd3,EXTRA,position1,position2\n1,2,3,4,5\n6,7,8,9,10\n", ""},
		{"PE-A :: CD4,FITC-A :: CD3,Extra,more,embedsom1,embedsom2\n1,2,3,0,4,5\n6,7,8,0,9,10\n", ""},
		{"CD4,CD3,x,y\n1,2,4,5\n6,7,9,10\n", "missing: Extra"},
		{"a,b,c,x,y\n2,1,3,4,5\n7,6,8,9,10\n", ""},
		{"a,b,x,y\n2,1,4,5\n7,6,9,10\n", "has 2 where the map has 3"},
		{"CD4,CD3,Extra\n1,2,3\n4,5,6\n", "no positions"},
		{"x,y\n1,2\n4,5\n", "no codebook"},
		{"CD4,CD3,Extra,x,y\n1,,3,4,5\n6,7,8,9,10\n", "finite"},
		{"CD4,CD3,Extra,x,y\n", "no"},
		{"{\"format\": \"something\"}", ""},
	} {
		file, err := Open(t.Context(), write(t, "l.csv", c.text))
		var x Match
		if err == nil {
			x, err = file.Match(m)
		}
		if err == nil {
			var set *landmark.Set
			set, err = file.Landmarks(m, x, AsInMap)
			if err == nil && (!slices.Equal(set.Codebook.Row(0), []float32{2, 1, 3}) ||
				!slices.Equal(set.Pos.Row(1), []float32{9, 10})) {
				t.Errorf("%q: codebook %v, positions %v", c.text, set.Codebook.Row(0), set.Pos.Row(1))
			}
		}
		switch {
		case c.wrong == "" && strings.HasPrefix(c.text, "{"):
			if err == nil {
				t.Errorf("%q is read", c.text)
			}
		case (err != nil) != (c.wrong != ""):
			t.Errorf("%q: %v", c.text, err)
		case err != nil:
			p := problem.As(err)
			if !strings.Contains(p.What+p.Remedy, c.wrong) || p.File == "" || p.Remedy == "" {
				t.Errorf("%q: %q, %q, %q", c.text, p.File, p.What, p.Remedy)
			}
		}
	}
}

// Two files are told apart by their widths, then by their names, and must fit.
func TestPairs(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	hd, ld := put("landmarks_hd.tsv", "1\t2\t3\t4\n5\t6\t7\t8\n"), put("landmarks_2d.tsv", "0\t1\n2\t3\n")
	for _, give := range [][]string{{hd, ld}, {ld, hd}, {hd}, {ld}} {
		c, err := Open(t.Context(), give...)
		if err != nil || c.Codebook.Cols != 4 || c.Pos.Row(1)[1] != 3 || c.Columns != nil {
			t.Fatalf("%q: %+v, %v", give, c, err)
		}
		if (len(give) == 1) != (len(c.Said) > 0) {
			t.Errorf("%q: it says %q", give, c.Said)
		}
	}
	flat := put("two_hd.tsv", "1\t2\n5\t6\n")
	if c, err := Open(t.Context(), ld, flat); err != nil || c.Codebook.Row(0)[0] != 1 || c.Pos.Row(0)[0] != 0 {
		t.Errorf("two of two columns: %+v, %v", c, err)
	}
	for _, wrong := range [][]string{{hd, put("long_2d.tsv", "1\t2\n")}, {hd, hd}, {hd, ld, flat}, {put("alone_hd.tsv",
		"1\t2\t3\t4\n")}, {filepath.Join(dir, "gone.csv")}, {dir}} {
		if _, err := Open(t.Context(), wrong...); err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}
