package cuda

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"blossom/gpu/cpu"
	"blossom/gpu/cuda/driver"
	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/landmarks/train"
	"blossom/model/work/engine"
)

// trained is the codebook that some epochs of a training come to with what an engine offers.
func trained(t *testing.T, id string, c enginetest.Case, offered engine.Caps) []float32 {
	t.Helper()
	a, _ := train.ByID(id)
	tr, err := a.New(train.Input{X: c.X, Codebook: c.Codebook, Pos: c.Pos, Seed: 1, Searcher: offered.Searcher,
		Summer: offered.Summer}, step.Values{"epochs": 5, "sigma_from": 3, "sigma_to": 0.7})
	if err != nil {
		t.Fatal(err)
	}
	for {
		p, err := tr.Step(t.Context(), c.X.Rows/2+1)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rest {
			return slices.Clone(tr.Codebook().Data)
		}
	}
}

// bitsCases are tables that trainings would come to other codebooks of if winners or sums were rounded: usual ones, of
// whole numbers, in which points are as near to several landmarks, of close calls, and of columns whose values are of
// all magnitudes.
func bitsCases(r *rand.Rand, n int) []enginetest.Case {
	shape := func() (d, g int) { return 1 + r.IntN(40), 2 + r.IntN(90) }
	d, g := shape()
	usual := enginetest.Blobs(r, n, d, g, 1, 2)
	usual.X.Row(n / 2)[d-1] = float32(math.NaN())
	d, g = shape()
	uniform := enginetest.Uniform(r, n, d, g, 1, 2)
	d, g = 1+r.IntN(4), 2+r.IntN(40)
	whole := enginetest.Uniform(r, n, d, g, 1, 2)
	whole.Name = "whole numbers"
	for _, m := range []matrix.Matrix32{whole.X, whole.Codebook} {
		for i, v := range m.Data {
			m.Data[i] = float32(math.Floor(float64(4 * v)))
		}
	}
	d, g = shape()
	sizes := enginetest.Uniform(r, n, d, g, 1, 2)
	sizes.Name = "all magnitudes"
	for i := range sizes.X.Data {
		sizes.X.Data[i] *= float32(math.Pow(2, -float64(r.IntN(120)))) * float32(1-2*r.IntN(2))
	}
	d, g = shape()
	return []enginetest.Case{usual, uniform, whole, sizes, enginetest.CloseCalls(r, n, d, g, 3)}
}

// A training on a card, real or emulated, comes to the very codebook that it comes to on the processor, by whatever
// instructions that searches, or without an engine. `go test ./gpu/cuda -run TestTrainerHasTheBits -v` shows it on a
// card, of more points.
func TestTrainerHasTheBitsOfTheProcessor(t *testing.T) {
	n := 600
	if os.Getenv(driver.Environment) == "" {
		n = 300_000
	}
	seed := rand.Uint64()
	t.Logf("seed %d, %d points", seed, n)
	processor, err := cpu.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer processor.Close()
	for _, c := range bitsCases(rand.New(rand.NewPCG(seed, 1)), n) {
		points, err := processor.Load(t.Context(), c.X)
		if err != nil {
			t.Fatal(err)
		}
		r := newTrainRig(t, c.X, 0)
		for _, id := range []string{"som-batch", "lloyd"} {
			want := trained(t, id, c, engine.Caps{})
			if got := trained(t, id, c, points.Caps()); !slices.Equal(got, want) {
				t.Errorf("%s, %d x %d, %d landmarks, %s: the processor's search leads to another codebook", c.Name, n,
					c.X.Cols, c.Codebook.Rows, id)
			}
			if got := trained(t, id, c, engine.Caps{Searcher: r, Summer: r}); !slices.Equal(got, want) {
				t.Errorf("%s, %d x %d, %d landmarks, %s: the card comes to another codebook", c.Name, n, c.X.Cols,
					c.Codebook.Rows, id)
			}
		}
		points.Free()
	}
}
