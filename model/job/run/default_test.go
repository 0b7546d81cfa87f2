package run

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/document/opening"
	"blossom/model/landmarks/train"
)

// The training that a map begins with comes within 3 % of the quantization error of a batch SOM that has converged at
// the same last sigma, from the same start: on demos, and on more and larger ones, and on real files where they are,
// where BLOSSOM_LONG says so.
func TestDefaultIsConverged(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	inputs := []string{"demo:mammoth:4000", "demo:s-sheet:4000", "demo:cytometry:5000"}
	if os.Getenv("BLOSSOM_LONG") != "" {
		inputs = append(inputs, "demo:mammoth:8000", "demo:torus-knot:4000", "demo:tesseract:4000",
			"demo:cytometry:10000", "demo:cytometry:100000")
		for _, name := range []string{"mammoth.csv", "fcs/68983.fcs"} {
			path := filepath.Join(os.Getenv("BLOSSOM_TESTDATA"), name)
			if _, err := os.Stat(path); err == nil {
				inputs = append(inputs, path)
			}
		}
	}
	for _, input := range inputs {
		s := begun(t, input)
		in := inputOf(s)
		got := quantization(t, in, trainedBy(t, s.Algorithm, in, s.Values))
		code, err := train.Converged(context.Background(), in, s.Values, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := quantization(t, in, code)
		t.Logf("%s, %s: %.5g, a batch SOM %.5g, %+.1f %%", filepath.Base(input), s.Algorithm, got, want,
			100*(got/want-1))
		if got > 1.03*want {
			t.Errorf("%s: quantization error %g of %s, %g of a batch SOM", input, got, s.Algorithm, want)
		}
	}
}

// The map of ten times as many points is as near to its points; BLOSSOM_LONG raises the size to 1 M or 10 M.
func TestDefaultSeesEnough(t *testing.T) {
	few, sizes := "demo:cytometry:10000", []string{"demo:cytometry:100000"}
	switch long := os.Getenv("BLOSSOM_LONG"); {
	case testing.Short():
		t.Skip("long")
	case long == "10M":
		sizes = append(sizes, "demo:cytometry:10000000")
		fallthrough
	case long != "":
		few, sizes = "demo:cytometry:30000", append(sizes, "demo:cytometry:300000", "demo:cytometry:1000000")
	}
	s := begun(t, few)
	want := quantization(t, inputOf(s), trainedBy(t, s.Algorithm, inputOf(s), s.Values))
	for _, input := range sizes {
		s := begun(t, input)
		got := quantization(t, inputOf(s), trainedBy(t, s.Algorithm, inputOf(s), s.Values))
		t.Logf("%s: %.5g, %s %.5g, %+.1f %%", input, got, few, want, 100*(got/want-1))
		if got > 1.03*want {
			t.Errorf("%s: quantization error %g, %g of %s", input, got, want, few)
		}
	}
}

// begun is what the map of an input begins with.
func begun(t *testing.T, input string) *opening.Start {
	t.Helper()
	d := Defaults()
	ds, err := d.Input.Read(context.Background(), input, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := opening.Begin(context.Background(), ds, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func inputOf(s *opening.Start) train.Input {
	return train.Input{X: s.Table.X, Codebook: s.Landmarks.Codebook, Pos: s.Landmarks.Pos, Edges: s.Landmarks.Edges,
		Seed: 1}
}

// trainedBy is the codebook at rest.
func trainedBy(t *testing.T, id string, in train.Input, v step.Values) matrix.Matrix32 {
	t.Helper()
	a, _ := train.ByID(id)
	x, err := a.New(in, v)
	if err == nil {
		_, err = step.ToRest(context.Background(), x, 256, 20*time.Millisecond, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x.Codebook().Clone()
}

// quantization is measured on the same points whatever the training.
func quantization(t *testing.T, in train.Input, code matrix.Matrix32) float64 {
	t.Helper()
	q, err := train.QuantizationError(context.Background(), in.X, code, 20_000, 1)
	if err != nil {
		t.Fatal(err)
	}
	return q
}
