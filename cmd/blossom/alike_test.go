package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/job"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/layout"
)

// Two engines train the same map on a drawn shape, and layouts of their maps come to the same places, within the
// rounding of float32.
func TestEnginesAgreeOnShapesAndLayouts(t *testing.T) {
	ctx := context.Background()
	file := filepath.Join(t.TempDir(), "disc.json")
	err := os.WriteFile(file, []byte(`{"format":"blossom shape","version":1,"kind":"disc","spacing":1,
		"frame":{"centre":[0,0],"size":[7,7]}}`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	train := func(engine, variant string) *landmark.Set {
		s := settings()
		s.Origin.SOMShape, s.Machine.Engine, s.Machine.GPU.Variant, s.Origin.Epochs = file, engine, variant, 5
		j, err := job.Open(ctx, &s, []string{"demo:s-sheet:1500"}, false, nil)
		if err == nil {
			err = j.ForMap(ctx, &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		w, err := job.Execute(ctx, j, job.Options{Engine: s.Machine.GPU})
		if err != nil {
			t.Fatalf("%s: %v", engine, err)
		}
		return w.Landmarks.Set
	}
	lay := func(a layout.Algorithm, l *landmark.Set, steps int) matrix.Matrix32 {
		v := step.Values{}
		if a.Suggest != nil {
			v = a.Suggest(l.Len())
		}
		x, err := a.New(layout.Input{Codebook: l.Codebook, Pos: l.Pos, Seed: 1,
			Graph: graph.Of(graph.Default(), l)}, v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := x.Step(ctx, steps); err != nil {
			t.Fatal(err)
		}
		return x.Pos()
	}
	want := train("reference", "")
	for _, e := range [][2]string{{"cpu", ""}, {"cpu", "cpu/go"}} {
		got := train(e[0], e[1])
		d := differ(got.Codebook, want.Codebook)
		t.Logf("%v: %d landmarks, codebooks differ by %.1e of their size", e, got.Len(), d)
		if d > 1e-4 {
			t.Errorf("%v: codebooks differ by %g of their size", e, d)
		}
		for _, a := range layout.All() {
			d := differ(lay(a, got, 60), lay(a, want, 60))
			t.Logf("%v: maps by %s differ by %.1e of their size", e, a.ID, d)
			if d > 1e-2 {
				t.Errorf("%v: maps by %s differ by %g of their size", e, a.ID, d)
			}
		}
	}
}

// differ is the largest difference of two matrices as a part of the largest value of the second.
func differ(a, b matrix.Matrix32) float64 {
	if a.Rows != b.Rows || a.Cols != b.Cols {
		return math.Inf(1)
	}
	most, size := 0.0, 0.0
	for i, v := range b.Data {
		most = max(most, math.Abs(float64(a.Data[i])-float64(v)))
		size = max(size, math.Abs(float64(v)))
	}
	return most / size
}
