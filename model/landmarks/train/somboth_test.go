package train

import (
	"math"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"

	"pgregory.net/rapid"
)

// With more points than the sample takes: steps of any size give the same bits, and units count.
func TestBothWithASample(t *testing.T) {
	x := random(50_000, 2, 1, uniform)
	x.Row(7)[0] = float32(math.NaN())
	in := Input{X: x, Codebook: random(9, 2, 2, uniform), Pos: grid(3, 3), Seed: 5}
	v := step.Values{"epochs": 0.05, "finish": 5, "sigma_from": 2}
	want := open(t, "som-both", in, v)
	p := run(t, want)
	online := int64(math.Round(0.05 * 49_999))
	if total := online + 3*leastOfSample + 2*50_000; p.Done != total || p.Total != total {
		t.Fatalf("%+v, want %d", p, total)
	}
	got := open(t, "som-both", in, v)
	for u := 1; ; u = u*3%40_000 + 1 {
		before, _ := got.Step(background, 0)
		q, err := got.Step(background, u)
		if err != nil {
			t.Fatal(err)
		}
		if q.Rest {
			break
		}
		if q.Done != before.Done+int64(u) {
			t.Fatalf("%d units: from %+v to %+v", u, before, q)
		}
	}
	if !sameBits(got.Codebook(), want.Codebook()) {
		t.Error("steps of another size give another codebook")
	}
	in.Seed = 6
	other := open(t, "som-both", in, v)
	run(t, other)
	if sameBits(other.Codebook(), want.Codebook()) {
		t.Error("the seed does not decide")
	}
}

// The part that is drawn is of valid points, each once, in their order, as likely as any other.
func TestDrawnPoints(t *testing.T) {
	x := random(1000, 1, 1, uniform)
	for i := range x.Rows {
		x.Data[i] = float32(i)
	}
	for _, i := range []int{0, 499, 999} {
		x.Data[i] = float32(math.Inf(1))
	}
	p := look(x)
	hits := make([]int, 1000)
	for seed := range uint64(300) {
		last := float32(-1)
		d := p.draw(100, seed)
		for i := range d.Rows {
			v := d.Row(i)[0]
			if v <= last || v-v != 0 {
				t.Fatalf("%g after %g", v, last)
			}
			last = v
			hits[int(v)]++
		}
	}
	for i, n := range hits {
		if p.valid == nil || (i == 0 || i == 499 || i == 999) != (n == 0) || n > 60 {
			t.Errorf("point %d was drawn %d times of about 30", i, n)
		}
	}
}

// A held training stays: no progress, no rest, sigma of the place; let go it runs to its end.
func TestHold(t *testing.T) {
	in := Input{X: random(400, 2, 1, uniform), Codebook: random(16, 2, 2, uniform), Pos: grid(4, 4), Seed: 4}
	for _, a := range All() {
		if a.Plan == nil {
			continue
		}
		tr := open(t, a.ID, in, step.Values{"epochs": 5, "sigma_from": 4, "sigma_to": 0.5})
		run(t, tr)
		before := tr.Codebook().Clone()
		for _, at := range []float64{0.3, 0, 0.9, 1, 0.5, 0.1} {
			tr.Hold(at)
			was := tr.At()
			if math.Abs(was-at) > 0.21 { // an epoch of five
				t.Errorf("%s: held at %g it stands at %g", a.ID, at, was)
			}
			sigma := tr.Live()["sigma"]
			for range 7 {
				tr.Hold(at) // as every frame does
				if p, err := tr.Step(background, 150); err != nil || p.Rest {
					t.Fatalf("%s: held at %g, %+v %v", a.ID, at, p, err)
				}
			}
			if now := tr.Live()["sigma"]; now != sigma {
				t.Errorf("%s: held at %g, sigma goes from %g to %g", a.ID, at, sigma, now)
			}
		}
		if sameBits(before, tr.Codebook()) {
			t.Errorf("%s: landmarks do not train while the schedule is held", a.ID)
		}
		tr.Hold(-1)
		if p := run(t, tr); p.Fraction() != 1 || tr.At() != 1 {
			t.Errorf("%s: let go, %+v at %g", a.ID, p, tr.At())
		}
	}
}

// A hand that holds sigma and alpha wins over the schedule, in every part of a training.
func TestHeldValues(t *testing.T) {
	in := Input{X: random(400, 2, 1, uniform), Codebook: random(16, 2, 2, uniform), Pos: grid(4, 4), Seed: 4}
	rapid.Check(t, func(t *rapid.T) {
		a := algorithm(t)
		v := step.Values{"epochs": 3, "sigma": 1.25, "alpha": 0.125}
		tr := open(t, a.ID, in, v)
		if _, err := tr.Step(background, rapid.IntRange(0, 4000).Draw(t, "units")); err != nil {
			t.Fatal(err)
		}
		for id, want := range map[string]float64{"sigma": 1.25, "alpha": 0.125} {
			if got, ok := tr.Live()[id]; ok && got != want {
				t.Errorf("%s: %s is %g", a.ID, id, got)
			}
		}
	})
}

// 1, 2, 3 and 4,096 landmarks, all in one spot of the data and of the map, with edges and without: all is finite, and
// the landmarks come apart where they may.
func TestOddMaps(t *testing.T) {
	x := random(600, 2, 1, uniform)
	for _, g := range []int{1, 2, 3, 64 * 64} {
		pos, edges := grid(g, 1), lattice(g, 1)
		if g > 3 {
			pos, edges = grid(64, 64), lattice(64, 64)
		}
		for name, in := range map[string]Input{
			"grid":     {Pos: pos, Edges: edges, Codebook: random(g, 2, 2, uniform)},
			"one spot": {Pos: matrix.New(g, 2), Edges: edges, Codebook: matrix.New(g, 2)},
			"pieces":   {Pos: pos, Edges: edges[:len(edges)/2], Codebook: random(g, 2, 2, uniform)},
		} {
			for _, along := range []float64{0, 1} {
				in.X, in.Seed = x, 1
				tr := open(t, "som-both", in, step.Values{"epochs": 1, "finish": 1, "along": along,
					"sigma_from": min(6, max(1, Extent(pos)/2))})
				run(t, tr)
				if !finite(tr.Codebook().Data) {
					t.Errorf("%d landmarks, %s, along %g: not finite", g, name, along)
				}
				if name == "grid" && sameBits(tr.Codebook(), in.Codebook) {
					t.Errorf("%d landmarks, %s, along %g: nothing moved", g, name, along)
				}
			}
		}
	}
}

// A finish of no steps is online training, and one that is given up on the way ends.
func TestFinish(t *testing.T) {
	in := Input{X: random(400, 2, 1, uniform), Codebook: random(16, 2, 2, uniform), Pos: grid(4, 4), Seed: 4}
	v := step.Values{"epochs": 3, "finish": 0}
	both, som := open(t, "som-both", in, v), open(t, "som", in, step.Values{"epochs": 3})
	if p := run(t, both); p.Done != 1200 {
		t.Errorf("%+v", p)
	}
	run(t, som)
	if !sameBits(both.Codebook(), som.Codebook()) {
		t.Error("without batch steps it is not online training")
	}
	both = open(t, "som-both", in, step.Values{"epochs": 3, "finish": 8})
	if _, err := both.Step(background, 1700); err != nil {
		t.Fatal(err)
	}
	both.SetValues(v)
	if p, err := both.Step(background, 400); err != nil || !p.Rest {
		t.Errorf("given up on the way: %+v %v", p, err)
	}
	both.SetValues(step.Values{"epochs": 0, "finish": 8, "sigma_from": 3})
	if p, err := both.Step(background, 5000); err != nil || p.Rest || p.Total != 0 || both.Live()["sigma"] != 3 {
		t.Errorf("made endless: %+v %v, sigma %g", p, err, both.Live()["sigma"])
	}
}
