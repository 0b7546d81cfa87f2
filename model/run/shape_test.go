package run

import (
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
			s.SOMShape, s.Epochs = path, 2
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
	for want, s := range map[string]Settings{
		"one place only": {SOMShape: ring, SOM: "5x5"},
		"--topology":     {SOMShape: ring, Topology: "hex"},
		"dimensions":     {SOMShape: ball, Dims: 2},
		"not the file":   {SOMShape: put("bad.json", `{}`)},
		"cannot be read": {SOMShape: filepath.Join(dir, "gone.json")},
	} {
		d := Defaults()
		d.SOMShape, d.SOM, d.Dims = s.SOMShape, s.SOM, s.Dims
		if s.Topology != "" {
			d.Topology = s.Topology
		}
		err := d.Check()
		if err == nil {
			_, err = d.Train(context.Background(), "demo:torus-knot:500", nil)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
