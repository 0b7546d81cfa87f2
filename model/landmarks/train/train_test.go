package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"

	"pgregory.net/rapid"
)

var background = context.Background()

// grid returns unit positions of cols x rows, centred.
func grid(cols, rows int) matrix.Matrix32 {
	m := matrix.New(cols*rows, 2)
	for i := range m.Rows {
		m.Row(i)[0] = float32(i%cols) - float32(cols-1)/2
		m.Row(i)[1] = float32(i/cols) - float32(rows-1)/2
	}
	return m
}

func random(n, d int, seed uint64, draw func(r *rand.Rand) float64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 9))
	m := matrix.New(n, d)
	for i := range m.Data {
		m.Data[i] = float32(draw(r))
	}
	return m
}

func uniform(r *rand.Rand) float64 { return r.Float64() }

func open(t rapid.TB, id string, in Input, v step.Values) Trainer {
	t.Helper()
	a, ok := ByID(id)
	if !ok {
		t.Fatalf("no algorithm %q", id)
	}
	tr, err := a.New(in, v)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// run goes on until rest.
func run(t rapid.TB, tr Trainer) step.Progress {
	t.Helper()
	for {
		p, err := tr.Step(background, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rest {
			return p
		}
	}
}

// input draws a small training with everything odd in it: invalid rows, pins, huge values.
func input(t *rapid.T) Input {
	n, d := rapid.IntRange(0, 60).Draw(t, "n"), rapid.IntRange(1, 11).Draw(t, "d")
	cols, rows := rapid.IntRange(1, 4).Draw(t, "cols"), rapid.IntRange(1, 3).Draw(t, "rows")
	seed := rapid.Uint64().Draw(t, "seed")
	scale := rapid.SampledFrom([]float64{1, 1, 1, 1e38, 1e20, 1e-30, 0}).Draw(t, "scale")
	in := Input{X: random(n, d, seed, func(r *rand.Rand) float64 { return scale * (2*r.Float64() - 1) }),
		Codebook: random(cols*rows, d, seed+1, func(r *rand.Rand) float64 { return scale * (2*r.Float64() - 1) }),
		Pos:      grid(cols, rows), Seed: seed}
	if rapid.Bool().Draw(t, "3D") {
		flat := in.Pos
		in.Pos = matrix.New(flat.Rows, 3)
		for i := range flat.Rows {
			copy(in.Pos.Row(i), flat.Row(i))
			in.Pos.Row(i)[2] = float32(i % 3)
		}
	}
	if rapid.Bool().Draw(t, "invalid") {
		r := rand.New(rand.NewPCG(seed, 3))
		for range n * d / 7 {
			in.X.Data[r.IntN(n*d)] = []float32{float32(math.NaN()), float32(math.Inf(1)),
				float32(math.Inf(-1))}[r.IntN(3)]
		}
	}
	if rapid.Bool().Draw(t, "pins") {
		in.Pinned = rapid.SliceOfN(rapid.Bool(), cols*rows, cols*rows).Draw(t, "pinned")
	}
	return in
}

func values(t *rapid.T, a Algorithm) step.Values {
	v := step.Values{"epochs": float64(rapid.IntRange(0, 4).Draw(t, "epochs"))}
	for _, p := range a.Params {
		if p.ID != "epochs" && rapid.Bool().Draw(t, p.ID+" set") {
			v[p.ID] = rapid.Float64Range(p.Min, p.Max).Draw(t, p.ID)
		}
	}
	return v
}

func algorithm(t *rapid.T) Algorithm {
	return rapid.SampledFrom(All()).Draw(t, "algorithm")
}

func sameBits(a, b matrix.Matrix32) bool {
	return a.Rows == b.Rows && a.Cols == b.Cols && slices.EqualFunc(a.Data, b.Data, func(x, y float32) bool {
		return math.Float32bits(x) == math.Float32bits(y)
	})
}

// Step(a) then Step(b) is Step(a+b), bit for bit; the input is not touched; pinned landmarks stay;
// everything stays finite; Done counts; Live is what it says.
func TestEveryAlgorithm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := algorithm(t)
		in, v := input(t), values(t, a)
		x, code := in.X.Clone(), in.Codebook.Clone()
		whole, parts := open(t, a.ID, in, v), open(t, a.ID, in, v)
		sum := 0
		var p step.Progress
		for _, units := range rapid.SliceOfN(rapid.IntRange(0, 50), 1, 8).Draw(t, "steps") {
			var err error
			if p, err = parts.Step(background, units); err != nil {
				t.Fatal(err)
			}
			sum += units
		}
		q, err := whole.Step(background, sum)
		if err != nil {
			t.Fatal(err)
		}
		if p != q || !sameBits(parts.Codebook(), whole.Codebook()) {
			t.Fatalf("%s: steps of another size give another codebook (%+v, %+v)", a.ID, p, q)
		}
		if !p.Rest && p.Done != int64(sum) {
			t.Fatalf("%s: %d units were asked for, %+v", a.ID, sum, p)
		}
		if !sameBits(x, in.X) || !sameBits(code, in.Codebook) {
			t.Fatalf("%s changed its input", a.ID)
		}
		for i := range code.Rows {
			row := whole.Codebook().Row(i)
			if in.Pinned != nil && in.Pinned[i] && !slices.Equal(row, code.Row(i)) {
				t.Fatalf("%s moved a pinned landmark", a.ID)
			}
			if !finite(row) {
				t.Fatalf("%s: landmark %d is %v", a.ID, i, row)
			}
		}
		for id, x := range whole.Live() {
			if x-x != 0 || x < 0 {
				t.Fatalf("%s: live %s is %g", a.ID, id, x)
			}
		}
	})
}

// Without a valid point or without landmarks there is nothing to do.
func TestRestAtOnce(t *testing.T) {
	nan := float32(math.NaN())
	for _, a := range All() {
		for name, in := range map[string]Input{
			"no points": {X: matrix.New(0, 2), Codebook: matrix.New(4, 2), Pos: grid(2, 2)},
			"invalid points": {X: matrix.Matrix32{Rows: 2, Cols: 1, Data: []float32{nan, nan}},
				Codebook: matrix.New(4, 1), Pos: grid(2, 2)},
			"no landmarks": {X: matrix.New(5, 2), Codebook: matrix.New(0, 2), Pos: matrix.New(0, 2)},
		} {
			p, err := open(t, a.ID, in, nil).Step(background, 10)
			if err != nil || !p.Rest || p.Done != 0 {
				t.Errorf("%s, %s: %+v %v", a.ID, name, p, err)
			}
		}
		for name, in := range map[string]Input{
			"dimensions": {X: matrix.New(5, 2), Codebook: matrix.New(4, 3), Pos: grid(2, 2)},
			"positions":  {X: matrix.New(5, 2), Codebook: matrix.New(4, 2), Pos: grid(3, 2)},
			"pins":       {X: matrix.New(5, 2), Codebook: matrix.New(4, 2), Pos: grid(2, 2), Pinned: []bool{true}},
			"NaN": {X: matrix.New(5, 1), Codebook: matrix.Matrix32{Rows: 1, Cols: 1, Data: []float32{nan}},
				Pos: grid(1, 1)},
		} {
			if _, err := a.New(in, nil); err == nil {
				t.Errorf("%s took wrong %s", a.ID, name)
			}
		}
	}
}

// A cancelled step returns the error, and going on gives what would have been without it.
func TestCancel(t *testing.T) {
	for _, a := range All() {
		in := Input{X: random(500, 3, 1, uniform), Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3), Seed: 4}
		v := step.Values{"epochs": 5}
		want := open(t, a.ID, in, v)
		run(t, want)
		got := open(t, a.ID, in, v)
		for i := 0; ; i++ {
			ctx, cancel := context.WithCancel(background)
			if i%2 == 0 {
				cancel()
			}
			p, err := got.Step(ctx, 77)
			cancel()
			if i%2 == 0 && !p.Rest && !errors.Is(err, context.Canceled) {
				t.Fatalf("%s: cancelled, %+v %v", a.ID, p, err)
			}
			if p.Rest {
				break
			}
		}
		if !sameBits(got.Codebook(), want.Codebook()) {
			t.Errorf("%s: cancelling changed the result", a.ID)
		}
	}
}

func TestSeeds(t *testing.T) {
	for _, id := range []string{"som", "kmeans"} {
		in := Input{X: random(500, 3, 1, uniform), Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3), Seed: 4}
		a, b := open(t, id, in, nil), open(t, id, in, nil)
		in.Seed = 5
		c := open(t, id, in, nil)
		run(t, a)
		run(t, b)
		run(t, c)
		if !sameBits(a.Codebook(), b.Codebook()) || sameBits(a.Codebook(), c.Codebook()) {
			t.Errorf("%s: the seed does not decide", id)
		}
	}
}

// Landmarks come, go and move while training goes on.
func TestSetLandmarks(t *testing.T) {
	for _, a := range All() {
		in := Input{X: random(300, 3, 1, uniform), Codebook: random(9, 3, 2, uniform), Pos: grid(3, 3), Seed: 4}
		tr := open(t, a.ID, in, step.Values{"epochs": 50})
		steps := func() {
			t.Helper()
			before, _ := tr.Step(background, 0)
			p, err := tr.Step(background, 123)
			if err != nil || p.Done != before.Done+123 {
				t.Fatalf("%s: %+v then %+v %v", a.ID, before, p, err)
			}
		}
		steps()
		tr.SetLandmarks(matrix.Matrix32{}, grid(9, 1), nil) // moved
		steps()
		tr.SetLandmarks(random(12, 3, 3, uniform), grid(4, 3), nil) // added
		steps()
		pinned := []bool{true, false}
		code := random(2, 3, 4, uniform)
		tr.SetLandmarks(code, grid(2, 1), pinned) // removed
		steps()
		steps()
		steps()
		if got := tr.Codebook(); got.Rows != 2 || !slices.Equal(got.Row(0), code.Row(0)) ||
			slices.Equal(got.Row(1), code.Row(1)) {
			t.Errorf("%s: %v from %v", a.ID, got, code)
		}
		tr.SetLandmarks(matrix.Matrix32{}, matrix.New(0, 2), nil)
		if p, err := tr.Step(background, 1); err != nil || !p.Rest {
			t.Errorf("%s: all removed, %+v %v", a.ID, p, err)
		}
		tr.SetLandmarks(code, grid(2, 1), nil)
		steps()
	}
}

// Raising the epochs of a finished training makes it go on.
func TestSetValues(t *testing.T) {
	in := Input{X: random(300, 2, 1, uniform), Codebook: random(9, 2, 2, uniform), Pos: grid(3, 3)}
	for _, id := range []string{"som", "som-batch", "kmeans"} {
		tr := open(t, id, in, step.Values{"epochs": 2})
		if p := run(t, tr); p.Done != 600 || p.Total != 600 {
			t.Errorf("%s: %+v", id, p)
		}
		tr.SetValues(step.Values{"epochs": 4})
		if p := run(t, tr); p.Done != 1200 {
			t.Errorf("%s: %+v", id, p)
		}
		tr.SetValues(step.Values{"epochs": 0, "sigma_from": 3, "alpha_from": 0.25})
		if p, err := tr.Step(background, 1000); err != nil || p.Rest || p.Total != 0 || p.Done != 2200 {
			t.Errorf("%s: %+v %v", id, p, err)
		}
		for key, want := range map[string]float64{"sigma": 3, "alpha": 0.25} {
			if x, ok := tr.Live()[key]; ok && math.Abs(x-want) > 1e-12 {
				t.Errorf("%s: %s is %g in a run without end, want %g", id, key, x, want)
			}
		}
	}
}

func TestSchedule(t *testing.T) {
	in := Input{X: random(100, 2, 1, uniform), Codebook: random(9, 2, 2, uniform), Pos: grid(3, 3)}
	for fall, middle := range []float64{2, 4.25} { // from 8 to 0.5
		v := step.Values{"epochs": 10, "sigma_from": 8, "sigma_to": 0.5, "fall": float64(fall)}
		tr := open(t, "som", in, v)
		for _, want := range []float64{8, middle, 0.5} {
			if got := tr.Live()["sigma"]; math.Abs(got-want) > 1e-9 {
				t.Errorf("fall %d: sigma %g, want %g", fall, got, want)
			}
			if _, err := tr.Step(background, 500); err != nil {
				t.Fatal(err)
			}
		}
		v["epochs"] = 3
		tr = open(t, "som-batch", in, v)
		for _, want := range []float64{8, middle, 0.5} {
			if got := tr.Live()["sigma"]; math.Abs(got-want) > 1e-9 {
				t.Errorf("batch, fall %d: sigma %g, want %g", fall, got, want)
			}
			if _, err := tr.Step(background, 100); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestDescriptors(t *testing.T) {
	if len(All()) < 5 { // with that of registered_test.go
		t.Errorf("%d algorithms", len(All()))
	}
	for _, a := range All() {
		if a.Title == "" || a.Help == "" {
			t.Errorf("%s has no words", a.ID)
		}
		ids := map[string]bool{}
		for _, p := range a.Params {
			if p.Title == "" || p.Help == "" || p.Min >= p.Max || p.Default < p.Min && p.Zero == "" ||
				p.Default > p.Max || p.Log &&
				p.Min <= 0 || ids[p.ID] {
				t.Errorf("%s: %+v", a.ID, p)
			}
			ids[p.ID] = true
		}
		for _, n := range []int{0, 1, 50_000, 100_000_000} {
			for id, x := range Suggest(a.ID, n, grid(20, 20)) {
				if p, ok := a.Param(id); !ok || p.Clamp(x) != x {
					t.Errorf("%s: suggests %s %g", a.ID, id, x)
				}
			}
		}
	}
	if _, ok := ByID("SOM-Batch"); !ok {
		t.Error("ids are not found in capitals")
	}
	if _, ok := ByID("x"); ok {
		t.Error("x was found")
	}
}

// Online training allocates nothing for a sample: a frame takes thousands.
func TestStepDoesNotAllocate(t *testing.T) {
	for _, id := range []string{"som", "kmeans"} {
		tr := open(t, id, Input{X: random(500, 5, 1, uniform), Codebook: random(40, 5, 2, uniform), Pos: grid(8, 5)},
			step.Values{"epochs": 0})
		if n := testing.AllocsPerRun(10, func() {
			if _, err := tr.Step(background, 100); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: %g allocations in a step", id, n)
		}
	}
}
