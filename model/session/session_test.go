package session

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/dataset"
	"blossom/model/embedding"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/model/state"
	"blossom/model/step"
	"blossom/model/transform"
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
	good := string(write(t, document(t, "demo:x"), "s.blossom"))
	for name, text := range map[string]string{
		"empty": "", "not json": "FCS3.0", "another json": `{"a": 1}`, "cut": good[:len(good)/2],
		"newer":   strings.Replace(good, `"version": 2`, `"version": 99`, 1),
		"no data": strings.Replace(good, `"path": "demo:x"`, `"path": ""`, 1),
	} {
		if _, err := Read(strings.NewReader(text), "s.blossom"); err == nil || problem.As(err).Remedy == "" ||
			problem.As(err).File != "s.blossom" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"other size":       strings.Replace(good, `"points": 4`, `"points": 5`, 1),
		"unknown column":   strings.Replace(good, `"name": "b"`, `"name": "zz"`, -1),
		"unknown kind":     strings.Replace(good, `"transform": "asinh:7.25"`, `"transform": "magic"`, -1),
		"column less":      strings.Replace(good, `"use": "in the map"`, `"use": "off"`, 1),
		"broken landmarks": strings.Replace(good, `"blossom landmarks"`, `"other"`, 1),
	} {
		if text == good {
			t.Fatalf("%s: the replacement does not fit the file any more:\n%s", name, good)
		}
		s, err := Read(strings.NewReader(text), "s.blossom")
		if err == nil {
			_, _, err = s.Document(data(t, "demo:x"), "s.blossom")
		}
		if err == nil || problem.As(err).Remedy == "" {
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

// A session of the first version, as it was written then, opens for ever.
func TestFirstVersionOpens(t *testing.T) {
	text, err := os.ReadFile("testdata/first.blossom")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Read(bytes.NewReader(text), "first.blossom")
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := s.Document(data(t, "demo:x"), "first.blossom")
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	want, got := document(t, "demo:x").State(), d.State()
	sameSettings(t, want, got)
	l, w := parts.Landmarks.Of(got), parts.Landmarks.Of(want)
	if !l.ByHand || !slices.Equal(l.Names, w.Names) || !slices.Equal(l.Codebook.Data, w.Codebook.Data) {
		t.Fatalf("other landmarks: %+v", l)
	}
	v := parts.Views.Of(got)
	if len(v.Views) != 1 || v.Views[0].Camera != (parts.Camera{X: 1, Y: 2, Scale: 3}) || !v.Views[0].Legend ||
		!v.Views[0].Landmarks || v.Views[0].Names || parts.Looks.Of(got).Get(parts.FirstView).High != 99 {
		t.Fatalf("other views: %+v", v)
	}
}

// What a newer program has added is kept, said, and saved again; a view whose columns are gone shows the map.
func TestPartsOfTheFuture(t *testing.T) {
	text := string(write(t, document(t, "demo:x"), "s.blossom"))
	text = strings.Replace(text, `"parts": {`, `"parts": {"gates": {"version": 3, "value": {"inside": [1, 2]}},`, 1)
	text = strings.Replace(text, `"projection": {
   "version": 1`, `"projection": {
   "version": 7`, 1)
	text = regexp.MustCompile(`"b",\s*"a"`).ReplaceAllString(text, `"b", "gone"`)
	s, err := Read(strings.NewReader(text), "s.blossom")
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
	again := string(write(t, d, "s.blossom"))
	if !strings.Contains(again, `"gates"`) || !strings.Contains(again, `"version": 7`) {
		t.Fatalf("parts of the future are lost:\n%s", again)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(write(f, document(f, "demo:x"), "s.blossom"))
	f.Add([]byte(`{"format":"blossom session","version":1,"data":{"path":"x"}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Read(bytes.NewReader(text), "s.blossom")
		if err != nil {
			return
		}
		if d, _, err := s.Document(data(t, s.Data.Path), "s.blossom"); err == nil {
			if parts.Landmarks.Of(d.State()).Len() == 0 {
				t.Fatal("a document without landmarks")
			}
		}
	})
}
