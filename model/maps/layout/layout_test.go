package layout

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/landmarks/graph"
)

// clustered is a map as a rough first guess leaves it: a codebook of several populations that lie along a branching
// line, positions that follow it with much noise, and a graph of nearest neighbours.
func clustered(g, d, dims int, seed uint64) Input {
	r := rand.New(rand.NewPCG(seed, 1))
	in := Input{Codebook: matrix.New(g, d), Pos: matrix.New(g, dims), Seed: seed}
	const groups = 6
	centres := matrix.New(groups, d)
	for i := range centres.Data {
		centres.Data[i] = float32(4 * r.NormFloat64())
	}
	for i := range g {
		c := i % groups
		for j := range d {
			in.Codebook.Data[i*d+j] = centres.Row(c)[j] + float32(r.NormFloat64())
		}
		for j := range dims {
			in.Pos.Data[i*dims+j] = 20*float32(r.NormFloat64()) + 3*float32((c>>j)%2)
		}
	}
	if g <= 1000 {
		in.Graph = nearestGraph(in.Codebook, 3)
		return in
	}
	in.Graph.N = g // too many to compare all: chains of the populations
	for i := range g - groups {
		in.Graph.Edges = append(in.Graph.Edges, graph.Edge{A: int32(i), B: int32(i + groups), Length: 4})
	}
	return in
}

func nearestGraph(code matrix.Matrix32, k int) graph.Graph {
	g := graph.Graph{N: code.Rows}
	seen := map[[2]int32]bool{}
	for i := range code.Rows {
		var all []graph.Edge
		for j := range code.Rows {
			if i != j {
				d := 0.0
				for c, v := range code.Row(i) {
					e := float64(v) - float64(code.Row(j)[c])
					d += e * e
				}
				all = append(all, graph.Edge{A: int32(min(i, j)), B: int32(max(i, j)), Length: float32(math.Sqrt(d))})
			}
		}
		slices.SortStableFunc(all, func(a, b graph.Edge) int { return cmpFloat(a.Length, b.Length) })
		for _, e := range all[:min(k, len(all))] {
			if !seen[[2]int32{e.A, e.B}] {
				seen[[2]int32{e.A, e.B}] = true
				g.Edges = append(g.Edges, e)
			}
		}
	}
	slices.SortFunc(g.Edges, func(a, b graph.Edge) int {
		if a.A != b.A {
			return int(a.A - b.A)
		}
		return int(a.B - b.B)
	})
	return g
}

func cmpFloat(a, b float32) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func suggested(a Algorithm, g int) step.Values {
	if a.Suggest == nil {
		return nil
	}
	return a.Suggest(g)
}

func start(t testing.TB, a Algorithm, in Input) Layouter {
	t.Helper()
	l, err := a.New(in, suggested(a, in.Pos.Rows))
	if err != nil {
		t.Fatalf("%s: %v", a.ID, err)
	}
	return l
}

func advance(t testing.TB, l Layouter, units int) step.Progress {
	t.Helper()
	p, err := l.Step(context.Background(), units)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// each runs a test for each algorithm, flat and in space.
func each(t *testing.T, f func(t *testing.T, a Algorithm, dims int)) {
	for _, a := range All() {
		for dims := 2; dims <= 3; dims++ {
			t.Run(fmt.Sprintf("%s/%dD", a.ID, dims), func(t *testing.T) { f(t, a, dims) })
		}
	}
}

// spread is the mean distance from the centre.
func spread(pos matrix.Matrix32) (mean float64) {
	var centre [3]float64
	for i, v := range pos.Data {
		centre[i%pos.Cols] += float64(v) / float64(pos.Rows)
	}
	for i := range pos.Rows {
		sum := 0.0
		for c, v := range pos.Row(i) {
			sum += (float64(v) - centre[c]) * (float64(v) - centre[c])
		}
		mean += math.Sqrt(sum) / float64(pos.Rows)
	}
	return mean
}

func diagonal(pos matrix.Matrix32) float64 {
	sum := 0.0
	for c := range pos.Cols {
		lo, hi := math.Inf(1), math.Inf(-1)
		for i := range pos.Rows {
			v := float64(pos.Row(i)[c])
			lo, hi = min(lo, v), max(hi, v)
		}
		sum += (hi - lo) * (hi - lo)
	}
	return math.Sqrt(sum)
}

// farthest is the longest way that a landmark went.
func farthest(a, b matrix.Matrix32) (most float64) {
	for i := range a.Rows {
		sum := 0.0
		for c, v := range a.Row(i) {
			d := float64(v) - float64(b.Row(i)[c])
			sum += d * d
		}
		most = max(most, math.Sqrt(sum))
	}
	return most
}

func checkFinite(t testing.TB, pos matrix.Matrix32) {
	t.Helper()
	for i, v := range pos.Data {
		if !finite(v) {
			t.Fatalf("landmark %d is at %v", i/pos.Cols, pos.Row(i/pos.Cols))
		}
	}
}

func TestComesToRest(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(150, 8, dims, 3)
		l := start(t, a, in)
		before := spread(in.Pos)
		steps := 0
		for p := (step.Progress{}); !p.Rest; steps += 20 {
			if p = advance(t, l, 20); steps > 4000 {
				t.Fatalf("moves by %g after %d steps", l.Moving(), steps)
			}
			checkFinite(t, l.Pos())
		}
		p := advance(t, l, 0)
		t.Logf("rests after %d steps; the map is %.2f times as large", p.Done, spread(l.Pos())/before)
		if after := spread(l.Pos()); math.Abs(after/before-1) > 0.01 {
			t.Errorf("a map of %g has become one of %g", before, after)
		}
		at := l.Pos().Clone()
		if q := advance(t, l, 100); q != p || !slices.Equal(at.Data, l.Pos().Data) || !p.Rest {
			t.Errorf("at rest it goes on: %+v, %+v", p, q)
		}
	})
}

func TestStepsMayBeSplitAndThreadsDoNotMatter(t *testing.T) {
	first, last := 11, 18
	if testing.Short() {
		first, last = 2, 3
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		if testing.Short() && dims == 3 {
			t.Skip("the goroutines are those of the plane")
		}
		in := clustered(430, 5, dims, 4)
		one, two := start(t, a, in), start(t, a, in)
		was := runtime.GOMAXPROCS(1)
		advance(t, one, first+1+last)
		runtime.GOMAXPROCS(7)
		defer runtime.GOMAXPROCS(was)
		advance(t, two, first)
		advance(t, two, 1)
		two.SetLandmarks(Input{Codebook: in.Codebook, Pos: two.Pos().Clone(), Graph: in.Graph, Seed: in.Seed})
		advance(t, two, last)
		if !slices.Equal(one.Pos().Data, two.Pos().Data) {
			t.Errorf("they differ by %g", farthest(one.Pos(), two.Pos()))
		}
		if slices.Equal(one.Pos().Data, in.Pos.Data) {
			t.Error("nothing moved")
		}
	})
}

func TestDoesNotJump(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		if a.Once {
			t.Skip("done in one step")
		}
		in := clustered(200, 8, dims, 5)
		l := start(t, a, in)
		if !slices.Equal(l.Pos().Data, in.Pos.Data) {
			t.Fatal("moved before the first step")
		}
		for i := range 60 {
			before := l.Pos().Clone()
			size := diagonal(before)
			if i == 30 { // somebody drags a landmark and holds it
				in.Pinned = make([]bool, 200)
				in.Pinned[7] = true
				before.Row(7)[0] += float32(size)
				in.Pos = before
				l.SetLandmarks(in)
				size = diagonal(before)
			}
			held := slices.Clone(before.Row(7))
			advance(t, l, 1)
			if most := farthest(before, l.Pos()); most > 0.05*size {
				t.Fatalf("step %d moves a landmark by %g of %g", i, most, size)
			}
			if i >= 30 && !slices.Equal(held, l.Pos().Row(7)) {
				t.Fatalf("step %d moves what is held", i)
			}
		}
	})
}

func TestPinsAndSelections(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(120, 6, dims, 6)
		in.Pinned, in.Active = make([]bool, 120), make([]bool, 120)
		for i := range 120 {
			in.Pinned[i], in.Active[i] = i%10 == 0, i < 100
		}
		l := start(t, a, in)
		advance(t, l, 150)
		checkFinite(t, l.Pos())
		moved := 0
		for i := range 120 {
			same := slices.Equal(l.Pos().Row(i), in.Pos.Row(i))
			if (in.Pinned[i] || !in.Active[i]) && !same {
				t.Fatalf("landmark %d has moved", i)
			}
			if !same {
				moved++
			}
		}
		if moved < 80 {
			t.Errorf("%d landmarks moved", moved)
		}
		if size := diagonal(l.Pos()) / diagonal(in.Pos); size > 3 {
			t.Errorf("the map is %g times as large", size)
		}
		for i := range in.Pinned {
			in.Pinned[i] = true
		}
		l = start(t, a, in)
		if p := advance(t, l, 5); !p.Rest || !slices.Equal(l.Pos().Data, in.Pos.Data) {
			t.Errorf("all pinned: %+v", p)
		}
		// Let go, it begins.
		in.Pinned = nil
		l.SetLandmarks(in)
		if p := advance(t, l, 5); p.Done == 0 || slices.Equal(l.Pos().Data, in.Pos.Data) {
			t.Errorf("let go: %+v", p)
		}
		checkFinite(t, l.Pos())
	})
}

func TestLockedEdgesKeepTheirLength(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(100, 6, dims, 7)
		in.Pinned = make([]bool, 100)
		in.Pinned[in.Graph.Edges[0].A] = true
		lengths := map[int]float64{}
		length := func(pos matrix.Matrix32, e graph.Edge) float64 {
			sum := 0.0
			for c, v := range pos.Row(int(e.A)) {
				d := float64(v) - float64(pos.Row(int(e.B))[c])
				sum += d * d
			}
			return math.Sqrt(sum)
		}
		used := map[int32]int{}
		for k := range in.Graph.Edges {
			e := &in.Graph.Edges[k]
			if k%4 == 0 && used[e.A] < 2 && used[e.B] < 2 {
				used[e.A]++
				used[e.B]++
				e.Locked = true
				lengths[k] = length(in.Pos, *e)
			}
		}
		l := start(t, a, in)
		for range 20 {
			advance(t, l, 10)
			for k, want := range lengths {
				if is := length(l.Pos(), in.Graph.Edges[k]); math.Abs(is-want) > 1e-4*diagonal(l.Pos()) {
					t.Fatalf("an edge of %g is %g long", want, is)
				}
			}
		}
		if size := diagonal(l.Pos()) / diagonal(in.Pos); size > 3 || size < 0.3 {
			t.Errorf("the map is %g times as large", size)
		}
	})
}

// Training may go on beside a layout: a codebook that changes, in scale too, makes no landmark jump.
func TestCodebookChangesWhileItRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		if a.Once {
			t.Skip("done in one step")
		}
		in := clustered(150, 6, dims, 8)
		l := start(t, a, in)
		advance(t, l, 40)
		for round := range 30 {
			in.Codebook = in.Codebook.Clone()
			for i := range in.Codebook.Data {
				in.Codebook.Data[i] *= 1.1
				if i/6%7 == round%7 {
					in.Codebook.Data[i] += 0.1
				}
			}
			for k := range in.Graph.Edges {
				in.Graph.Edges = slices.Clone(in.Graph.Edges)
				in.Graph.Edges[k].Length *= 1.1
			}
			in.Pos = l.Pos().Clone()
			l.SetLandmarks(in)
			advance(t, l, 1)
			if most, size := farthest(in.Pos, l.Pos()), diagonal(in.Pos); most > 0.05*size {
				t.Fatalf("round %d moves a landmark by %g of %g", round, most, size)
			}
		}
		checkFinite(t, l.Pos())
		if s := spread(l.Pos()) / spread(in.Pos); s < 0.7 || s > 1.4 {
			t.Errorf("the map is %g times as large", s)
		}
	})
}

// A cancelled layout has done whole steps, and goes on as if it had not been.
func TestCancelled(t *testing.T) {
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(60, 6, dims, 8)
		one, two := start(t, a, in), start(t, a, in)
		advance(t, one, 20)
		ctx, cancel := context.WithCancel(t.Context())
		advance(t, two, 12)
		cancel()
		before := two.Pos().Clone()
		if p, err := two.Step(ctx, 5); err == nil || p.Done > 12 || !slices.Equal(before.Data, two.Pos().Data) {
			t.Errorf("cancelled: %+v, %v", p, err)
		}
		advance(t, two, 8)
		if !slices.Equal(one.Pos().Data, two.Pos().Data) {
			t.Error("another result after being cancelled")
		}
	})
}
