package session

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work/embedding"
)

func data(t testing.TB, path string) *dataset.Dataset {
	t.Helper()
	ds, err := dataset.FromColumns(context.Background(), "d.csv", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, 4}}, {Name: "b", Values: []float32{5, 3, 8, 1}},
		{Name: "kind", Categories: []string{"x", "y"}, Values: []float32{0, 1, 0, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = path
	return ds
}

func document(t testing.TB, path string) *state.Document {
	t.Helper()
	ds := data(t, path)
	spec := transform.Default(ds)
	spec.Columns[1] = spec.Columns[1].With(transform.Asinh, transform.Params{7.25})
	spec.Columns[1].Weight = 0.3
	code := matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0.1, 1e-30, 3e7, -4, 5.000001, 6}}
	pos := matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 1, 0, 0.3333333, -1}}
	l, err := landmark.New(code, pos)
	if err != nil {
		t.Fatal(err)
	}
	l.Pinned[1] = true
	l.Names = []string{"", "B cells", "T ☃"}
	var now state.State
	parts.Transform.Put(&now, spec)
	l.ByHand, l.Space = true, parts.Transform.Rev(now)
	parts.Landmarks.Put(&now, l)
	parts.Projection.Put(&now, embedsom.Params{K: 12, Boost: 1.7, Adjust: 0.4})
	parts.Training.Put(&now, parts.TrainingChoice{Algorithm: "kmeans", Values: step.Values{"gravity": 0.2},
		Speed: 1000})
	look := parts.DefaultLook()
	look.Column = "b"
	parts.Looks.Put(&now, parts.LookTable{parts.FirstView: look})
	parts.Views.Edit(&now, func(v *parts.ViewList) {
		*v = v.Edit(parts.FirstView, func(v *parts.View) { v.Camera = parts.Camera{X: 1, Y: 2, Scale: 3} })
		v.Views = append(v.Views, parts.NewView("2", embedding.Columns("b", "a")))
	})
	return state.New(ds, "d", 42, now)
}

func write(t testing.TB, d *state.Document, path string) []byte {
	t.Helper()
	s, err := Of(d, path, "blossom test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	csv := filepath.Join(dir, "data", "d.csv")
	if err := os.MkdirAll(filepath.Dir(csv), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(csv, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	d := document(t, csv)
	text := write(t, d, filepath.Join(dir, "s.blossom"))
	if !Sniff(text[:200]) {
		t.Fatal("does not know its own files")
	}
	s, err := Read(bytes.NewReader(text), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	e, notes, err := s.Document(data(t, csv), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	a, b := d.State(), e.State()
	x, y := parts.Landmarks.Of(a), parts.Landmarks.Of(b)
	if !slices.Equal(x.Codebook.Data, y.Codebook.Data) || !slices.Equal(x.Pos.Data, y.Pos.Data) ||
		!slices.Equal(x.Pinned, y.Pinned) || !slices.Equal(x.Names, y.Names) || !y.ByHand || !parts.Settled(b) {
		t.Fatal("other landmarks")
	}
	sameSettings(t, a, b)
	if e.Seed != 42 || len(notes) > 0 {
		t.Fatalf("seed %d, notes %q", e.Seed, notes)
	}
	if !equalViews(parts.Views.Of(a), parts.Views.Of(b)) {
		t.Fatalf("other views: %+v", parts.Views.Of(b))
	}
	// The data is found where it was, and beside the session when both have moved.
	if got, _ := s.Find(filepath.Join(dir, "s.blossom")); !slices.Equal(got, []string{csv}) {
		t.Fatalf("data at %q", got)
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Find(filepath.Join(moved, "s.blossom")); !slices.Equal(got,
		[]string{filepath.Join(moved, "data", "d.csv")}) {
		t.Fatalf("moved data at %q", got)
	}
}

func TestOfRefusesATransformUnderWay(t *testing.T) {
	d := document(t, "demo:x")
	d.Do("scale", func(s *state.State) { parts.Transform.Edit(s, func(t *transform.Spec) { t.Scale = !t.Scale }) })
	if _, err := Of(d, "s.blossom", "", time.Time{}); err == nil {
		t.Fatal("saved landmarks in the space of another transform")
	}
}

func TestBadSessions(t *testing.T) {
	good := write(t, document(t, "demo:x"), "s.blossom")
	old, err := os.ReadFile("testdata/second.blossom")
	if err != nil {
		t.Fatal(err)
	}
	without := func(name string) []byte {
		return edited(t, good, func(n string, content []byte) []byte {
			if strings.HasPrefix(n, name) {
				return nil
			}
			return content
		})
	}
	// Numbers that are none, in an array with the right sum.
	nan := write(t, document(t, "demo:x"), "s.blossom")
	m := matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{float32(math.NaN()), 0, 0, 0, 0, 0}}
	nan = edited(t, nan, func(n string, content []byte) []byte {
		code := parts.Landmarks.Of(document(t, "demo:x").State()).Codebook
		if n == arrayFile(state.NameOf(code)) {
			return nil
		}
		return bytes.ReplaceAll(content, []byte(state.NameOf(code)), []byte(state.NameOf(m)))
	})
	nan = with(t, nan, arrayFile(state.NameOf(m)), npy(m))
	for name, text := range map[string][]byte{
		"empty": nil, "not json": []byte("FCS3.0"), "another json": []byte(`{"a": 1}`), "cut": good[:len(good)/2],
		"cut early": good[:100], "old, cut": old[:len(old)/2], "another archive": without(headName),
		"newer":            replaced(t, good, `"version":3`, `"version":99`, 1),
		"old, newer":       bytes.Replace(old, []byte(`"version": 2`), []byte(`"version": 99`), 1),
		"no data":          replaced(t, good, `"path":"demo:x"`, `"path":""`, 1),
		"other size":       replaced(t, good, `"points":4`, `"points":5`, 1),
		"unknown column":   replaced(t, good, `"name":"b"`, `"name":"zz"`, -1),
		"unknown kind":     replaced(t, good, `"transform":"asinh:7.25"`, `"transform":"magic"`, -1),
		"column less":      replaced(t, good, `"use":"in the map"`, `"use":"off"`, 1),
		"broken landmarks": replaced(t, good, `"blossom landmarks"`, `"other"`, 1),
		"no landmarks":     without(partFolder + "landmarks"),
		"no arrays":        without(arrayFolder),
		"no numbers":       nan,
		"a bit flipped":    flipped(good, bytes.Index(good, []byte(".npy"))+10),
		"an array edited": edited(t, good, func(name string, content []byte) []byte {
			if arrayOf(name) != "" {
				content[len(content)-1] ^= 1
			}
			return content
		}),
	} {
		s, err := Read(bytes.NewReader(text), "s.blossom")
		if err == nil {
			_, _, err = s.Document(data(t, "demo:x"), "s.blossom")
		}
		if err == nil || problem.As(err).Remedy == "" || problem.As(err).File != "s.blossom" ||
			problem.As(err).What == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func sameSettings(t *testing.T, a, b state.State) {
	t.Helper()
	if !slices.Equal(parts.Transform.Of(a).Columns, parts.Transform.Of(b).Columns) ||
		parts.Projection.Of(a) != parts.Projection.Of(b) {
		t.Fatalf("other settings: %+v", b)
	}
	if x := parts.Training.Of(b); x.Algorithm != "kmeans" || x.Values["gravity"] != 0.2 || x.Speed != 1000 {
		t.Fatalf("other training: %+v", x)
	}
}

func equalViews(a, b parts.ViewList) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return bytes.Equal(x, y)
}

// Sessions of the first versions, as they were written then, open for ever.
func TestFirstVersionOpens(t *testing.T) {
	got := openOld(t, "first.blossom")
	v := parts.Views.Of(got)
	if len(v.Views) != 1 || v.Views[0].Camera != (parts.Camera{X: 1, Y: 2, Scale: 3}) || !v.Views[0].Legend ||
		!v.Views[0].Landmarks || v.Views[0].Names || parts.Looks.Of(got).Get(parts.FirstView).High != 99 {
		t.Fatalf("other views: %+v", v)
	}
}

func TestSecondVersionOpens(t *testing.T) {
	got := openOld(t, "second.blossom")
	if !equalViews(parts.Views.Of(got), parts.Views.Of(document(t, "demo:x").State())) {
		t.Fatalf("other views: %+v", parts.Views.Of(got))
	}
}

func openOld(t *testing.T, name string) state.State {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if !Sniff(text[:200]) {
		t.Fatal("does not know old files")
	}
	s, err := Read(bytes.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := s.Document(data(t, "demo:x"), name)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	want, got := document(t, "demo:x").State(), d.State()
	sameSettings(t, want, got)
	l, w := parts.Landmarks.Of(got), parts.Landmarks.Of(want)
	if !l.ByHand || !slices.Equal(l.Names, w.Names) || !slices.Equal(l.Codebook.Data, w.Codebook.Data) {
		t.Fatalf("other landmarks: %+v", l)
	}
	return got
}

// Parts that a newer program has added are kept, said, and saved again; a view whose columns are gone shows the map.
func TestPartsOfTheFuture(t *testing.T) {
	text := write(t, document(t, "demo:x"), "s.blossom")
	more := matrix.Matrix32{Rows: 1, Cols: 2, Data: []float32{7, 8}}
	text = with(t, text, partFolder+"gates.json", []byte(`{"version": 3, "value": {"inside": [1, 2]}, "arrays": ["`+
		state.NameOf(more)+`"]}`))
	text = with(t, text, arrayFile(state.NameOf(more)), npy(more))
	text = replaced(t, text, `{"version":1,"value":{"K"`, `{"version":7,"value":{"K"`, 1)
	text = replaced(t, text, `"b","a"`, `"b","gone"`, -1)
	s, err := Read(bytes.NewReader(text), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := s.Document(data(t, "demo:x"), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	if len(notes) != 3 || !strings.Contains(strings.Join(notes, "|"), `"gates"`) ||
		!strings.Contains(strings.Join(notes, "|"), "gone") {
		t.Fatalf("notes: %q", notes)
	}
	if parts.Projection.Of(d.State()) != embedsom.Defaults() {
		t.Fatal("a projection of the future is understood")
	}
	if v := parts.Views.Of(d.State()).Views[1]; v.Recipe.Kind != "embedsom" {
		t.Fatalf("a view of columns that are gone shows %+v", v.Recipe)
	}
	again := write(t, d, "s.blossom")
	if !strings.Contains(content(t, again, partFolder+"gates.json"), `{"inside":[1,2]}`) ||
		!strings.Contains(content(t, again, partFolder+"projection.json"), `"version":7`) ||
		content(t, again, arrayFile(state.NameOf(more))) != string(npy(more)) {
		t.Fatalf("parts of the future are lost:\n%s", again)
	}
}

func FuzzRead(f *testing.F) {
	old, err := os.ReadFile("testdata/second.blossom")
	if err != nil {
		f.Fatal(err)
	}
	sound := [][]byte{write(f, document(f, "demo:x"), "s.blossom"), old,
		[]byte(`{"format":"blossom session","version":1,"data":{"path":"x"}}`)}
	fuzzing.Target(f, sound, 1000, func(t testing.TB, b []byte) string {
		s, err := Read(bytes.NewReader(b), "s.blossom")
		if err != nil {
			return err.Error()
		}
		if d, _, err := s.Document(data(t, s.Data.Path), "s.blossom"); err == nil {
			if parts.Landmarks.Of(d.State()).Len() == 0 {
				t.Fatal("a document without landmarks")
			}
		}
		return "read"
	})
}
