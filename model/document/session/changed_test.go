package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// put writes a file, and the folders above it.
func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// printed is a document of a file, with its print.
func printed(t *testing.T, path string) *state.Document {
	t.Helper()
	d := document(t, path)
	p, err := fingerprint.Of(path)
	if err != nil {
		t.Fatal(err)
	}
	d.Prints = fingerprint.Set{path: p}
	return d
}

func read(t *testing.T, text []byte) *Session {
	t.Helper()
	s, err := Read(bytes.NewReader(text), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// table is data of these columns, of whole numbers, and labels for one called kind.
func table(t *testing.T, path string, rows int, names ...string) *dataset.Dataset {
	t.Helper()
	var cols []dataset.Column
	for i, name := range names {
		c := dataset.Column{Name: name}
		if name == "kind" {
			c.Categories = []string{"x", "y"}
		}
		for r := range rows {
			c.Values = append(c.Values, float32((r*(i+3))%7))
			if name == "kind" {
				c.Values[r] = float32(r % 2)
			}
		}
		cols = append(cols, c)
	}
	ds, err := dataset.FromColumns(context.Background(), "d.csv", cols)
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = path
	return ds
}

// A moved file is found where it stood as seen from the session, where it was, and beside the session; a file of
// that name with other content comes only after one with the right one.
func TestMovedData(t *testing.T) {
	dir := t.TempDir()
	csv := put(t, filepath.Join(dir, "study", "raw", "d.csv"), "a,b\n1,2\n")
	at := filepath.Join(dir, "study", "maps", "s.blossom")
	s := read(t, write(t, printed(t, csv), at))
	if s.Data.Beside != "../raw/d.csv" || s.Data.Path != csv || s.Data.Print == nil {
		t.Fatalf("%+v", s.Data)
	}
	found := func(session, want string) {
		t.Helper()
		if got, missing := s.Find(session); len(missing) > 0 || !slices.Equal(got, []string{want}) {
			t.Fatalf("found %q, missing %q, want %q", got, missing, want)
		}
	}
	found(at, csv)
	// The session alone has moved.
	found(filepath.Join(dir, "elsewhere", "s.blossom"), csv)
	// Another file of that name stands in the relative place: the one with the content goes first.
	put(t, filepath.Join(dir, "b", "raw", "d.csv"), "other\n")
	found(filepath.Join(dir, "b", "maps", "s.blossom"), csv)
	// Both in one folder now, on another machine.
	if err := os.Rename(filepath.Join(dir, "study"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	beside := put(t, filepath.Join(dir, "one", "d.csv"), "a,b\n1,2\n")
	found(filepath.Join(dir, "one", "s.blossom"), beside)
	// Only the other one is there: it is found, and its print tells.
	other := filepath.Join(dir, "b", "raw", "d.csv")
	found(filepath.Join(dir, "b", "maps", "s.blossom"), other)
	p, err := fingerprint.Of(other)
	if err != nil {
		t.Fatal(err)
	}
	if what := s.Differences(data(t, other), []string{other}, fingerprint.Set{other: p}); len(what) == 0 ||
		!strings.Contains(what[0], "6 bytes, where it had 8") {
		t.Fatalf("%q", what)
	}
	// Nowhere.
	_, missing := s.Find(filepath.Join(dir, "two", "s.blossom"))
	if !slices.Equal(missing, []string{csv}) {
		t.Fatalf("missing %q", missing)
	}
	if text := (&Missing{Session: "s.blossom", Files: missing}).Error(); !strings.Contains(text, "does not exist") {
		t.Fatal(text)
	}
	for path, want := range map[string]string{"s.blossom": "beside the session", "figure.png": "beside this file"} {
		if text := (&Missing{Session: path, Files: []string{"gone.csv"}}).Error(); !strings.Contains(text, want) {
			t.Errorf("%s: %q does not say %q", path, text, want)
		}
	}
	chosen := put(t, filepath.Join(dir, "x", "renamed.csv"), "a,b\n1,2\n")
	got, missing := s.FindIn(filepath.Join(dir, "two", "s.blossom"), csv, chosen)
	if len(missing) > 0 || got[0] != chosen {
		t.Fatalf("%q, missing %q", got, missing)
	}
}

// The user points at one of several files, and the others are found in its folder.
func TestSeveralMovedFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := put(t, filepath.Join(dir, "raw", "a.csv"), "1"), put(t, filepath.Join(dir, "raw", "b.csv"), "2")
	d := document(t, a)
	d.Data.Parts = []string{a, b}
	s := read(t, write(t, d, filepath.Join(dir, "maps", "s.blossom")))
	if err := os.Rename(filepath.Join(dir, "raw"), filepath.Join(dir, "new")); err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "maps", "s.blossom")
	if _, missing := s.Find(at); !slices.Equal(missing, []string{a, b}) {
		t.Fatalf("missing %q", missing)
	}
	want := []string{filepath.Join(dir, "new", "a.csv"), filepath.Join(dir, "new", "b.csv")}
	if got, missing := s.FindIn(at, a, want[0]); len(missing) > 0 || !slices.Equal(got, want) {
		t.Fatalf("%q, missing %q", got, missing)
	}
}

// Differences are said: size, content, rows, columns gone, new and renamed.
func TestChangedDataIsSaid(t *testing.T) {
	dir := t.TempDir()
	csv := put(t, filepath.Join(dir, "d.csv"), "as it was")
	s := read(t, write(t, printed(t, csv), filepath.Join(dir, "s.blossom")))
	for name, c := range map[string]struct {
		text string
		data *dataset.Dataset
		want []string
	}{
		"nothing": {"as it was", table(t, csv, 4, "a", "b", "kind"), nil},
		"content": {"as it is.", table(t, csv, 4, "a", "b", "kind"), []string{"other content", "same columns"}},
		"size":    {"as it is now", table(t, csv, 4, "a", "b", "kind"), []string{"12 bytes, where it had 9"}},
		"rows": {"longer text", table(t, csv, 5000, "a", "b", "kind"),
			[]string{"5,000 rows, where there were 4"}},
		"a new one": {"longer text", table(t, csv, 4, "a", "b", "kind", "c"), []string{"1 column new: c"}},
		"one gone":  {"longer text", table(t, csv, 4, "a", "kind"), []string{"1 column gone: b"}},
		"renamed": {"longer text", table(t, csv, 4, "a", "B", "kind"),
			[]string{"1 column called otherwise: B in place of b"}},
		"rearranged": {"longer text", table(t, csv, 4, "b", "a", "kind"), []string{"another order"}},
		"all at once": {"longer text", table(t, csv, 7, "x", "a", "kind", "y"),
			[]string{"7 rows", "1 column gone: b", "2 columns new: x, y"}},
	} {
		put(t, csv, c.text)
		p, err := fingerprint.Of(csv)
		if err != nil {
			t.Fatal(err)
		}
		what := strings.Join(s.Differences(c.data, []string{csv}, fingerprint.Set{csv: p}), "|")
		if c.want == nil && what != "" {
			t.Errorf("%s: %s", name, what)
		}
		for _, w := range c.want {
			if !strings.Contains(what, w) {
				t.Errorf("%s: %q does not say %q", name, what, w)
			}
		}
	}
	// A session from before there were prints and names says what it can.
	s.Data.Print, s.Data.Names = nil, nil
	if what := s.Differences(table(t, csv, 4, "a", "z", "kind"), nil, nil); len(what) > 0 {
		t.Errorf("an old session says %q", what)
	}
	_, _, err := s.Document(table(t, csv, 9, "a", "b"), "s.blossom")
	var changed *Changed
	if !errors.As(err, &changed) || !strings.Contains(err.Error(), "9 rows") {
		t.Errorf("an old session says %v", err)
	}
}

// Opened all the same, what is of columns and rows that are still there is kept: settings, dimensions of the
// landmarks by name, places, names.
func TestChangedDataOpens(t *testing.T) {
	d := document(t, "demo:x")
	d.Do("Select", func(s *state.State) {
		parts.Selection.Put(s, selection.FromBits(4, []uint64{4}))
	})
	s := read(t, write(t, d, "s.blossom"))
	was := parts.Landmarks.Of(d.State())
	e, notes, err := s.Adapt(table(t, "demo:x", 90, "c", "b", "kind"), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	l := parts.Landmarks.Of(e.State())
	if l.Codebook.Cols != 1 || l.Codebook.Data[0] != was.Codebook.Data[1] || l.Names[1] != "B cells" || !l.Pinned[1] ||
		!slices.Equal(l.Pos.Data, was.Pos.Data) || !parts.Settled(e.State()) {
		t.Fatalf("%+v", l)
	}
	spec := parts.Transform.Of(e.State())
	if b := spec.Columns[1]; b.Op != transform.Asinh || b.Weight != 0.3 || b.Use != transform.InMap {
		t.Fatalf("column b: %+v", b)
	}
	if spec.Columns[0].Use == transform.InMap {
		t.Fatal("a new column is in the map, whose landmarks do not know it")
	}
	if !parts.Selection.Of(e.State()).Empty() {
		t.Fatal("a selection of other rows")
	}
	said := strings.Join(notes, "|")
	for _, w := range []string{"from the map: a", "selection is left out", "EmbedSOM in place"} {
		if !strings.Contains(said, w) {
			t.Errorf("notes %q do not say %q", said, w)
		}
	}
	// Columns in another order: each dimension follows its column.
	e, _, err = s.Adapt(table(t, "demo:x", 4, "b", "kind", "a"), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	if l := parts.Landmarks.Of(e.State()); l.Codebook.Row(2)[0] != was.Codebook.Row(2)[1] ||
		l.Codebook.Row(2)[1] != was.Codebook.Row(2)[0] {
		t.Fatalf("%v, was %v", l.Codebook.Row(2), was.Codebook.Row(2))
	}
	// Nothing of the map is left.
	if _, _, err := s.Adapt(table(t, "demo:x", 4, "p", "q"), "s.blossom"); err == nil {
		t.Fatal("a map of no columns")
	}
}

// Notes of a newer program about the data are saved again.
func TestDataOfTheFuture(t *testing.T) {
	text := replaced(t, write(t, document(t, "demo:x"), "s.blossom"), `"data":{`,
		`"data":{"of another day": {"missing": ["-9"]},`, 1)
	s := read(t, text)
	d, _, err := s.Document(data(t, "demo:x"), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	again := read(t, write(t, d, "s.blossom"))
	var rest struct{ Missing []string }
	if err := json.Unmarshal(again.Data.Rest["of another day"], &rest); err != nil || len(again.Data.Rest) != 1 ||
		!slices.Equal(rest.Missing, []string{"-9"}) {
		t.Fatalf("%v, %v", again.Data.Rest, err)
	}
}
