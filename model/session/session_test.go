package session

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model"
	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/problem"
	"blossom/model/revision"
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

func document(t testing.TB, path string) *model.Document {
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
	rev := revision.Next()
	return model.New(ds, "d", 42, model.State{Transform: spec, TransformRev: rev, CodeSpace: rev, Landmarks: l,
		Projection: embedsom.Params{K: 12, Boost: 1.7, Adjust: 0.4},
		Train:      model.Train{Algorithm: "kmeans", Values: step.Values{"gravity": 0.2}, Speed: 1000},
		Look:       model.DefaultLook(), HandArranged: true})
}

func write(t testing.TB, d *model.Document, path string) []byte {
	t.Helper()
	s, err := Of(d, View{1, 2, 3}, path, "blossom test", time.Unix(1e9, 0))
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
	e, err := s.Document(data(t, csv), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	a, b := d.State(), e.State()
	if !slices.Equal(a.Landmarks.Codebook.Data, b.Landmarks.Codebook.Data) ||
		!slices.Equal(a.Landmarks.Pos.Data, b.Landmarks.Pos.Data) ||
		!slices.Equal(a.Landmarks.Pinned, b.Landmarks.Pinned) || !slices.Equal(a.Landmarks.Names, b.Landmarks.Names) {
		t.Fatal("other landmarks")
	}
	if !slices.Equal(a.Transform.Columns, b.Transform.Columns) || a.Projection != b.Projection || a.Look != b.Look ||
		!b.HandArranged || b.Train.Algorithm != "kmeans" || b.Train.Values["gravity"] != 0.2 ||
		b.Train.Speed != 1000 || e.Seed != 42 {
		t.Fatalf("other settings: %+v", b)
	}
	// The data is found where it was, and beside the session when both have moved.
	if got := s.DataPaths(filepath.Join(dir, "s.blossom")); !slices.Equal(got, []string{csv}) {
		t.Fatalf("data at %q", got)
	}
	moved := filepath.Join(t.TempDir(), "elsewhere")
	if err := os.Rename(dir, moved); err != nil {
		t.Fatal(err)
	}
	if got := s.DataPaths(filepath.Join(moved, "s.blossom")); !slices.Equal(got,
		[]string{filepath.Join(moved, "data", "d.csv")}) {
		t.Fatalf("moved data at %q", got)
	}
}

func TestOfRefusesATransformUnderWay(t *testing.T) {
	d := document(t, "demo:x")
	d.Do("cofactor", func(s *model.State) { s.TransformRev = revision.Next() })
	if _, err := Of(d, View{}, "s.blossom", "", time.Time{}); err == nil {
		t.Fatal("saved landmarks in the space of another transform")
	}
}

func TestBadSessions(t *testing.T) {
	good := string(write(t, document(t, "demo:x"), "s.blossom"))
	for name, text := range map[string]string{
		"empty": "", "not json": "FCS3.0", "another json": `{"a": 1}`, "cut": good[:len(good)/2],
		"newer":   strings.Replace(good, `"version": 1`, `"version": 99`, 1),
		"no data": strings.Replace(good, `"path": "demo:x"`, `"path": ""`, 1),
	} {
		if _, err := Read(strings.NewReader(text), "s.blossom"); err == nil || problem.As(err).Remedy == "" ||
			problem.As(err).File != "s.blossom" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"other size":       strings.Replace(good, `"points": 4`, `"points": 5`, 1),
		"unknown column":   strings.Replace(good, `"name": "b"`, `"name": "zz"`, 1),
		"unknown kind":     strings.Replace(good, `"transform": "asinh:7.25"`, `"transform": "magic"`, 1),
		"column less":      strings.Replace(good, `"use": "in the map"`, `"use": "off"`, 1),
		"no boost":         strings.Replace(good, `"Boost": 1.7`, `"Boost": 0`, 1),
		"broken landmarks": strings.Replace(good, `"blossom landmarks"`, `"other"`, 1),
	} {
		if text == good {
			t.Fatalf("%s: the replacement does not fit the file any more:\n%s", name, good)
		}
		s, err := Read(strings.NewReader(text), "s.blossom")
		if err == nil {
			_, err = s.Document(data(t, "demo:x"), "s.blossom")
		}
		if err == nil || problem.As(err).Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
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
		if d, err := s.Document(data(t, s.Data.Path), "s.blossom"); err == nil {
			if d.State().Landmarks.Len() == 0 {
				t.Fatal("a document without landmarks")
			}
		}
	})
}
