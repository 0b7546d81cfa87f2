package run

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A map is trained on a shape: at its places, with its edges, the same each time; without --dims as it is.
func TestTrainOnShape(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ring := put("ring.json", `{"format":"blossom shape","version":1,"kind":"ring","spacing":0.5,
		"frame":{"centre":[3,1],"size":[4,4]}}`)
	ball := put("ball.json", `{"format":"blossom shape","version":1,"kind":"sphere","spacing":1,
		"frame":{"centre":[0,0,0],"size":[4,4,4]}}`)
	for path, dims := range map[string]int{ring: 2, ball: 3} {
		var codes [2][]float32
		for i := range codes {
			s := Defaults()
			s.Origin.SOMShape, s.Origin.Epochs = path, 2
			if err := s.Check(); err != nil {
				t.Fatal(err)
			}
			m, err := s.Train(context.Background(), "demo:torus-knot:2000", nil)
			if err != nil {
				t.Fatal(err)
			}
			set := m.File.Set
			if set.Dims() != dims || set.Len() < 20 || len(set.Edges) < set.Len() || m.File.Shape != "" {
				t.Fatalf("%d landmarks in %d dimensions with %d edges, a grid of %q", set.Len(), set.Dims(),
					len(set.Edges), m.File.Shape)
			}
			if m.File.Values["along"] != 1 {
				t.Error("not trained along its edges")
			}
			codes[i] = set.Codebook.Data
		}
		if !slices.Equal(codes[0], codes[1]) {
			t.Error("not the same again")
		}
	}
	for want, s := range map[string]Origin{
		"one place only":          {SOMShape: ring, SOM: "5x5"},
		"--topology":              {SOMShape: ring, Topology: "hex"},
		"dimensions":              {SOMShape: ball, Dims: 2},
		"not the file":            {SOMShape: put("bad.json", `{}`)},
		"does not exist":          {SOMShape: filepath.Join(dir, "gone.json")},
		"standard input":          {SOMShape: "-"},
		"there is an array where": {SOMShape: put("list.json", `[1]`)},
		"map or edges":            {SOM: "3x3", Neighbourhood: "grid"},
		"means nothing":           {KMeans: 5, Algorithm: "lloyd", Neighbourhood: "edges"},
	} {
		d := Defaults()
		s.Topology = cmp.Or(s.Topology, d.Origin.Topology)
		d.Origin = s
		err := d.Check()
		if err == nil {
			_, err = d.Train(context.Background(), "demo:torus-knot:500", nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// The user says which distance sigma measures: along edges of a grid, or on the map under a shape.
func TestNeighbourhoodOfTheCommandLine(t *testing.T) {
	shape := filepath.Join(t.TempDir(), "ring.json")
	err := os.WriteFile(shape, []byte(`{"format":"blossom shape","version":1,"kind":"ring","spacing":0.5,
		"frame":{"centre":[3,1],"size":[4,4]}}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		som, shape, neighbourhood string
		along                     float64
	}{{"4x4", "", "", 0}, {"4x4", "", AlongEdges, 1}, {"", shape, "", 1}, {"", shape, OnMap, 0}} {
		s := Defaults()
		s.Origin.SOM, s.Origin.SOMShape, s.Origin.Neighbourhood, s.Origin.Epochs = c.som, c.shape, c.neighbourhood, 1
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		m, err := s.Train(context.Background(), "demo:torus-knot:300", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.File.Values["along"]; got != c.along {
			t.Errorf("%+v: trained with %g", c, got)
		}
	}
}

// A position that is no number is said to be in the file of positions.
func TestPositionsThatAreNoNumbers(t *testing.T) {
	dir := t.TempDir()
	s := Defaults()
	s.Origin.LandmarksHD, s.Origin.LandmarksLD = filepath.Join(dir, "hd.csv"), filepath.Join(dir, "ld.csv")
	for path, text := range map[string]string{s.Origin.LandmarksHD: "a,b\n1,2\n3,4\n",
		s.Origin.LandmarksLD: "x,y\n0,0\n1,NaN\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err := s.Origin.readMatrices(context.Background())
	if err == nil || !strings.Contains(err.Error(), "ld.csv: landmark 2 has the coordinate NaN") {
		t.Error(err)
	}
}
