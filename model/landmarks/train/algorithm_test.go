package train

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"

	"pgregory.net/rapid"
)

func mustMeasure(t testing.TB, x, code, pos matrix.Matrix32) Quality {
	t.Helper()
	q, err := Measure(background, x, code, pos, 5000, 1)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// From random landmarks a map of the unit square unfolds: neighbours are neighbours, and the points
// are about as near as on a regular net.
func TestSOMRecoversASquare(t *testing.T) {
	x := random(20_000, 2, 1, uniform)
	pos := grid(10, 10)
	for _, id := range []string{"som", "som-batch"} {
		for seed := range uint64(3) {
			in := Input{X: x, Codebook: random(100, 2, seed+10, uniform), Pos: pos, Seed: seed}
			before := mustMeasure(t, x, in.Codebook, pos)
			tr := open(t, id, in, Suggest(id, x.Rows, pos))
			run(t, tr)
			q := mustMeasure(t, x, tr.Codebook(), pos)
			if before.Topographic < 0.5 || q.Topographic > 0.05 || q.Quantization > 0.06 {
				t.Errorf("%s, seed %d: %+v, before %+v", id, seed, q, before)
			}
		}
	}
}

// The update of the online SOM is the formula, on the positions as they are.
func TestSOMFormula(t *testing.T) {
	x := matrix.Matrix32{Rows: 1, Cols: 2, Data: []float32{1, 2}}
	in := Input{X: x, Codebook: matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{1, 1, 5, 5, -3, 0}},
		Pos: matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 1.5, 2, 40, 0}}}
	v := step.Values{"epochs": 0, "sigma_from": 2, "alpha_from": 0.5}
	tr := open(t, "som", in, v)
	if _, err := tr.Step(background, 1); err != nil {
		t.Fatal(err)
	}
	h := 0.5 * math.Exp(-(1.5*1.5+2*2)/4.0)
	want := []float64{1, 1.5, 5 + h*(1-5), 5 + h*(2-5), -3, 0}
	for i, w := range want {
		if got := float64(tr.Codebook().Data[i]); math.Abs(got-w) > 1e-4 {
			t.Errorf("number %d is %g, want %g", i, got, w)
		}
	}
	tr = open(t, "som", in, v)
	pos := in.Pos.Clone()
	copy(pos.Row(1), []float32{0, 1})
	tr.SetLandmarks(matrix.Matrix32{}, pos, nil)
	if _, err := tr.Step(background, 1); err != nil {
		t.Fatal(err)
	}
	if got, want := float64(tr.Codebook().Row(1)[0]), 5-4*0.5*math.Exp(-1.0/4); math.Abs(got-want) > 1e-4 {
		t.Errorf("after moving a landmark: %g, want %g", got, want)
	}
}

func TestDecay(t *testing.T) {
	for q := float32(0); q < cutOff; q += 0.00137 {
		if got, want := float64(decay(q)), math.Exp(-float64(q)); math.Abs(got-want) > 2e-5 {
			t.Fatalf("decay(%g) = %g, want %g", q, got, want)
		}
	}
	if decay(0) != 1 {
		t.Error("decay(0) is not 1")
	}
}

// The batch update is the weighted mean of all points, landmark by landmark.
func TestBatchFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := input(t)
		if in.X.Rows == 0 || len(in.X.Data) > 0 && top(in.Codebook.Data) > 10 || isWide(top(in.Codebook.Data)) {
			t.Skip("nothing to compare")
		}
		sigma := rapid.Float64Range(0.3, 4).Draw(t, "sigma")
		tr := open(t, "som-batch", in, step.Values{"epochs": 1, "sigma_to": sigma})
		run(t, tr)
		for i := range in.Codebook.Rows {
			sum, weight := make([]float64, in.X.Cols), 0.0
			for p := range in.X.Rows {
				x := in.X.Row(p)
				if !finite(x) {
					continue
				}
				q := distance64(in.Pos.Row(i), in.Pos.Row(slowNearest(in.Codebook, x))) / (sigma * sigma)
				if q >= Reach {
					continue
				}
				h := math.Exp(-q)
				weight += h
				for j, v := range x {
					sum[j] += h * float64(v)
				}
			}
			for j, s := range sum {
				want := float64(in.Codebook.Row(i)[j])
				if weight > 0 && (in.Pinned == nil || !in.Pinned[i]) {
					want = s / weight
				}
				if got := float64(tr.Codebook().Row(i)[j]); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
					t.Fatalf("landmark %d: %g, want %g", i, got, want)
				}
			}
		}
	})
}

func slowNearest(code matrix.Matrix32, x []float32) int {
	best := 0
	for i := range code.Rows {
		if distance64(code.Row(i), x) < distance64(code.Row(best), x) {
			best = i
		}
	}
	return best
}

func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, d := rapid.IntRange(1, 20).Draw(t, "g"), rapid.IntRange(1, 40).Draw(t, "d")
		whole := rapid.Float32Range(-3, 3)
		draw := func(n int, name string) []float32 {
			v := rapid.SliceOfN(whole, n, n).Draw(t, name)
			for i, x := range v {
				v[i] = float32(math.Round(float64(x))) // sums are exact, and there are ties
			}
			return v
		}
		code := matrix.Matrix32{Rows: g, Cols: d, Data: draw(g*d, "code")}
		x := draw(d, "x")
		want := slowNearest(code, x)
		var l lanes
		l.load(code)
		if a, b := l.nearest(x), nearest64(code, x); a != want || b != want {
			t.Fatalf("%d and %d, want %d", a, b, want)
		}
	})
}

// Vector instructions and plain Go give the same bits, and neither touches what is not its own.
func TestLanes(t *testing.T) { rapid.Check(t, lanesAgree) }

func lanesAgree(t *rapid.T) {
	d := rapid.IntRange(1, 40).Draw(t, "d")
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	draw := func(n int) []float32 {
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(r.NormFloat64())
		}
		return v
	}
	x, c := draw(d), draw((d+1)*laneCount)
	var a, b, h [laneCount]float32
	copy(h[:], draw(laneCount))
	least := distances(c[:d*laneCount], x, &a)
	if least != distancesGo(c[:d*laneCount], x, &b) || least != slices.Min(a[:]) || a != b {
		t.Fatalf("distances %v, want %v", a, b)
	}
	four := draw((4*d + 1) * laneCount)
	var all [4 * laneCount]float32
	var leasts [4]float32
	fourDistances(four[:4*d*laneCount], x, &all, &leasts)
	for k, got := range leasts {
		want := distancesGo(four[k*d*laneCount:], x, &b)
		if got != want || !slices.Equal(all[k*laneCount:(k+1)*laneCount], b[:]) {
			t.Fatalf("distances of block %d are %v, want %v", k, all, b)
		}
	}
	e := slices.Clone(c)
	pull(c[:d*laneCount], x, &h)
	pullGo(e[:d*laneCount], x, &h)
	if !slices.Equal(c, e) {
		t.Fatal("pull differs")
	}
	g := rapid.IntRange(1, 40).Draw(t, "g")
	code := matrix.Matrix32{Rows: g, Cols: d, Data: draw(g * d)}
	back := code.Clone()
	var l lanes
	l.load(code)
	l.store(back, nil)
	if !sameBits(code, back) {
		t.Fatal("storing gives another codebook")
	}
}

func inertia(x, code matrix.Matrix32) float64 {
	sum := 0.0
	for i := range x.Rows {
		if finite(x.Row(i)) {
			sum += distance64(x.Row(i), code.Row(slowNearest(code, x.Row(i))))
		}
	}
	return sum
}

func TestLloydNeverGetsWorse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := input(t)
		in.Pinned = nil
		if isWide(top(in.Codebook.Data)) {
			t.Skip("sums of squares are not compared there")
		}
		tr := open(t, "lloyd", in, nil)
		last := inertia(in.X, in.Codebook)
		for {
			p, err := tr.Step(background, in.X.Rows)
			if err != nil {
				t.Fatal(err)
			}
			now := inertia(in.X, tr.Codebook())
			if now > last*(1+1e-6)+1e-9 {
				t.Fatalf("from %g to %g", last, now)
			}
			last = now
			if p.Rest {
				break
			}
		}
		// At rest every landmark is the mean of its points.
		sums, counts := make([]float64, len(in.Codebook.Data)), make([]float64, in.Codebook.Rows)
		var l lanes
		l.load(tr.Codebook())
		for i := range in.X.Rows {
			if x := in.X.Row(i); finite(x) {
				c := l.nearest(x)
				counts[c]++
				for j, v := range x {
					sums[c*in.X.Cols+j] += float64(v)
				}
			}
		}
		for i, s := range sums {
			if n := counts[i/in.X.Cols]; n > 0 && math.Abs(s/n-float64(tr.Codebook().Data[i])) > 1e-5 {
				t.Fatalf("landmark %d is not the mean of its points", i/in.X.Cols)
			}
		}
	})
}

// Landmarks without points are put to use, as long as there are places for them.
func TestLloydFillsEmptyLandmarks(t *testing.T) {
	x := matrix.New(400, 2)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range x.Rows {
		x.Row(i)[0] = float32(100*(i%8)) + r.Float32()
		x.Row(i)[1] = r.Float32()
	}
	code := matrix.New(8, 2) // all in one place
	good := 0
	for seed := range uint64(10) {
		tr := open(t, "lloyd", Input{X: x, Codebook: code, Pos: grid(8, 1), Seed: seed}, nil)
		if p := run(t, tr); p.Done >= p.Total {
			t.Errorf("%+v", p)
		}
		if inertia(x, tr.Codebook()) < 300_000 { // at most two of the eight places share one
			good++
		}
	}
	if good < 7 {
		t.Errorf("the empty landmarks were put to use in %d of 10 runs", good)
	}
	// Two places, eight landmarks: it ends, and the sum of squares is 0.
	for i := range x.Rows {
		copy(x.Row(i), []float32{float32(i % 2), 0.1})
	}
	tr := open(t, "lloyd", Input{X: x, Codebook: code, Pos: grid(8, 1)}, nil)
	if p := run(t, tr); inertia(x, tr.Codebook()) != 0 || p.Done >= p.Total || tr.Live()["changed"] != 0 {
		t.Errorf("inertia %g, %+v", inertia(x, tr.Codebook()), p)
	}
}

func TestKMeansFormula(t *testing.T) {
	in := Input{X: matrix.Matrix32{Rows: 1, Cols: 1, Data: []float32{10}},
		Codebook: matrix.Matrix32{Rows: 2, Cols: 1, Data: []float32{8, -6}}, Pos: grid(2, 1)}
	tr := open(t, "kmeans", in, step.Values{"epochs": 0, "alpha_from": 0.5, "gravity": 0.1})
	if _, err := tr.Step(background, 1); err != nil {
		t.Fatal(err)
	}
	if got := tr.Codebook().Data; math.Abs(float64(got[0])-9) > 1e-6 ||
		math.Abs(float64(got[1])-(-6+0.1*0.5/2*16)) > 1e-6 {
		t.Error(got)
	}
}

func TestKMeansFindsClusters(t *testing.T) {
	x := random(4000, 3, 1, func(r *rand.Rand) float64 { return r.NormFloat64() / 10 })
	for i := range x.Rows {
		x.Row(i)[i%3] += 5
	}
	code := matrix.Matrix32{Rows: 3, Cols: 3, Data: []float32{1, 0, 0, 0, 1, 0, 0, 0, 1}}
	tr := open(t, "kmeans", Input{X: x, Codebook: code, Pos: grid(3, 1)}, step.Values{"gravity": 0})
	run(t, tr)
	if q := mustMeasure(t, x, tr.Codebook(), grid(3, 1)); q.Quantization > 0.18 { // mean length of 3 normals is 0.16
		t.Errorf("%+v", q)
	}
}

// search is a Searcher made of a function.
type search func(ctx context.Context, code matrix.Matrix32, from, to int, out []int32) error

func (f search) Nearest(ctx context.Context, code matrix.Matrix32, from, to int, out []int32) error {
	return f(ctx, code, from, to, out)
}

// A faster search of the engine is used, gives the same result, and its mistakes are not believed.
func TestNearestOfTheEngine(t *testing.T) {
	x := random(3000, 6, 1, uniform)
	x.Row(17)[2] = float32(math.NaN())
	calls := atomic.Int64{}
	in := Input{X: x, Codebook: random(16, 6, 2, uniform), Pos: grid(4, 4)}
	fast := in
	fast.Searcher = search(func(ctx context.Context, code matrix.Matrix32, from, to int, out []int32) error {
		calls.Add(1)
		var l lanes
		l.load(code)
		for i := from; i < to; i++ {
			out[i-from] = -1
			if finite(x.Row(i)) {
				out[i-from] = int32(l.nearest(x.Row(i)))
			}
		}
		return ctx.Err()
	})
	for _, id := range []string{"som-batch", "lloyd"} {
		a, b := open(t, id, in, nil), open(t, id, fast, nil)
		run(t, a)
		run(t, b)
		if !sameBits(a.Codebook(), b.Codebook()) || calls.Load() == 0 {
			t.Errorf("%s: another result with the engine's search", id)
		}
		for name, nearest := range map[string]search{
			"fails": func(context.Context, matrix.Matrix32, int, int, []int32) error { return errors.New("no device") },
			"wrong": func(_ context.Context, _ matrix.Matrix32, _, _ int,
				out []int32) error {
				out[0] = 16
				return nil
			},
		} {
			bad := in
			bad.Searcher = nearest
			if p, err := open(t, id, bad, nil).Step(background, 10); err == nil || p.Done != 0 {
				t.Errorf("%s, %s: %+v %v", id, name, p, err)
			}
		}
	}
}

func TestMeasure(t *testing.T) {
	pos := grid(3, 3)
	q := mustMeasure(t, pos, pos, pos)
	if q.Quantization != 0 || q.Topographic != 0 || q.Points != 9 {
		t.Errorf("%+v", q)
	}
	// Turned inside out: the order of the middle row is gone.
	mixed := pos.Clone()
	perm := []int{4, 8, 0, 6, 2, 7, 1, 5, 3}
	for i, p := range perm {
		copy(mixed.Row(i), pos.Row(p))
	}
	if q := mustMeasure(t, pos, pos, mixed); q.Topographic < 0.3 {
		t.Errorf("%+v", q)
	}
	shifted := pos.Clone()
	for i := range shifted.Rows {
		shifted.Row(i)[0] += 0.25
	}
	shifted.Row(0)[1] = float32(math.NaN())
	if q := mustMeasure(t, shifted, pos, pos); math.Abs(q.Quantization-0.25) > 1e-6 || q.Points != 8 {
		t.Errorf("%+v", q)
	}
	if q := mustMeasure(t, pos, matrix.New(0, 2), matrix.New(0, 2)); q != (Quality{}) {
		t.Errorf("%+v", q)
	}
	qe, err1 := QuantizationError(background, pos, pos, 0, 1)
	te, err2 := TopographicError(background, pos, pos, pos, 0, 1)
	if qe != 0 || te != 0 || err1 != nil || err2 != nil {
		t.Error(qe, te, err1, err2)
	}
	if !slices.Equal(pos.Data, grid(3, 3).Data) {
		t.Error("measuring changed its input")
	}
}

// An empty landmark finds points among those of landmarks that move: those that a pinned one has stay with it.
func TestLloydAddsDetailWhereLandmarksMove(t *testing.T) {
	x := random(600, 2, 5, uniform)
	for i := range 300 {
		x.Row(i)[0] += 10 // two clouds, far apart
	}
	code := matrix.Matrix32{Rows: 5, Cols: 2, Data: []float32{10.5, 0.5, 0.5, 0.5, 50, 50, 51, 51, 52, 52}}
	in := Input{X: x, Codebook: code, Pos: random(5, 2, 6, uniform), Pinned: []bool{true, false, false, false, false},
		Seed: 3}
	tr := open(t, "lloyd", in, nil)
	run(t, tr)
	for i := range 5 {
		row := tr.Codebook().Row(i)
		switch {
		case i == 0 && (row[0] != 10.5 || row[1] != 0.5):
			t.Errorf("the pinned landmark is at %v", row)
		case i > 0 && !(row[0] < 2 && row[1] < 2):
			t.Errorf("landmark %d took points of the pinned one: it is at %v", i, row)
		}
	}
	in.Pinned = []bool{true, true, false, false, false} // no points but those of pinned ones
	tr = open(t, "lloyd", in, nil)
	run(t, tr)
	if row := tr.Codebook().Row(4); row[0] > 12 {
		t.Errorf("an empty landmark stays at %v though there are points", row)
	}
}
