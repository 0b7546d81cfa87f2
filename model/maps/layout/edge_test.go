package layout

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/landmarks/graph"
)

// Few landmarks: finite, and done.
func TestFewLandmarks(t *testing.T) {
	each(t, func(t *testing.T, a Algorithm, dims int) {
		for g := range 9 {
			in := clustered(g, 4, dims, uint64(g))
			l := start(t, a, in)
			p := advance(t, l, 1)
			if g < 2 && (!p.Rest || p.Done != 0) {
				t.Errorf("%d landmarks: %+v", g, p)
			}
			p = advance(t, l, 5000)
			if checkFinite(t, l.Pos()); !p.Rest {
				t.Errorf("%d landmarks never rest: %+v, moving by %g", g, p, l.Moving())
			}
		}
	})
}

// Landmarks that all lie on one spot part, by the seed, and fill a map of ordinary size about it.
func TestAllOnOneSpot(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(60, 5, dims, 1)
		for i := range in.Pos.Data {
			in.Pos.Data[i] = 7
		}
		l, twin := start(t, a, in), start(t, a, in)
		for range 3 {
			advance(t, l, 200)
			checkFinite(t, l.Pos())
		}
		advance(t, twin, 600)
		if !slices.Equal(l.Pos().Data, twin.Pos().Data) {
			t.Error("another result from the same seed")
		}
		want := math.Pow(60, 1/float64(dims)) / 2
		if s := spread(l.Pos()); s < 0.8*want || s > 1.2*want {
			t.Errorf("the map has a mean radius of %g, want %g", s, want)
		}
		in.Pinned = make([]bool, 60)
		in.Pinned[3] = true
		l = start(t, a, in)
		advance(t, l, 400)
		checkFinite(t, l.Pos())
		if s := spread(l.Pos()); s < want/10 || s > 10*want || !slices.Equal(l.Pos().Row(3), in.Pos.Row(3)) {
			t.Errorf("with a pin, the map has a mean radius of %g, want about %g", s, want)
		}
	})
}

// The codebook says nothing: all landmarks are alike.
func TestAllAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(80, 3, dims, 2)
		for i := range in.Codebook.Data {
			in.Codebook.Data[i] = 3
		}
		in.Graph = nearestGraph(in.Codebook, 3)
		l := start(t, a, in)
		advance(t, l, 300)
		checkFinite(t, l.Pos())
		if s := spread(l.Pos()) / spread(in.Pos); s < 0.5 || s > 2 {
			t.Errorf("the map is %g times as large", s)
		}
	})
}

// Duplicates of landmarks, on one spot, part on the map.
func TestTwinsPart(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		if a.Once || a.ID == "mds" || a.ID == "trimap" {
			t.Skip("twins belong on a spot")
		}
		in := clustered(100, 5, dims, 3)
		for i := 1; i < 20; i++ {
			copy(in.Codebook.Row(i), in.Codebook.Row(0))
			copy(in.Pos.Row(i), in.Pos.Row(0))
		}
		in.Graph = nearestGraph(in.Codebook, 3)
		l := start(t, a, in)
		advance(t, l, 600)
		checkFinite(t, l.Pos())
		sum, pairs := 0.0, 0.0
		for i := range 20 {
			for j := range i {
				d2 := 0.0
				for c, v := range l.Pos().Row(i) {
					d := float64(v) - float64(l.Pos().Row(j)[c])
					d2 += d * d
				}
				if d2 == 0 {
					t.Fatalf("twins %d and %d are on a spot", i, j)
				}
				sum += math.Sqrt(d2)
				pairs++
			}
		}
		if mean := sum / pairs; mean < 3e-3*diagonal(l.Pos()) {
			t.Errorf("twins are %g apart on a map of %g", mean, diagonal(l.Pos()))
		}
	})
}

// Landmarks on a line in space, or on a line of the plane, leave it.
func TestLinesAreLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	each(t, func(t *testing.T, a Algorithm, dims int) {
		in := clustered(90, 5, dims, 4)
		for i := range 90 {
			row := in.Pos.Row(i)
			clear(row)
			row[0] = float32(i)
		}
		l := start(t, a, in)
		advance(t, l, 400)
		checkFinite(t, l.Pos())
		for c := range dims {
			lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
			for i := range 90 {
				lo, hi = min(lo, l.Pos().Row(i)[c]), max(hi, l.Pos().Row(i)[c])
			}
			if float64(hi-lo) < 0.03*diagonal(l.Pos()) {
				t.Errorf("axis %d is only %g wide on a map of %g", c, hi-lo, diagonal(l.Pos()))
			}
		}
	})
}

// Pieces of a graph that nothing joins stay near each other.
func TestPiecesDoNotFlyAway(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		a, _ := ByID("force")
		in := clustered(120, 5, dims, 5)
		in.Graph.Edges = slices.DeleteFunc(in.Graph.Edges, func(e graph.Edge) bool { return e.A%4 != e.B%4 || e.A < 8 })
		in.Pinned = make([]bool, 120)
		in.Pinned[50] = true // so that nothing scales the map back
		l := start(t, a, in)
		advance(t, l, 3000)
		checkFinite(t, l.Pos())
		if s := diagonal(l.Pos()) / diagonal(in.Pos); s > 2 {
			t.Errorf("%dD: the map is %g times as large", dims, s)
		}
	}
}

// The largest map runs, and steps of it are steps.
func TestLargestMap(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	in := clustered(4096, 6, 2, 6)
	for _, a := range All() {
		l := start(t, a, in)
		advance(t, l, 3)
		checkFinite(t, l.Pos())
		if slices.Equal(l.Pos().Data, in.Pos.Data) {
			t.Errorf("%s: nothing moves", a.ID)
		}
	}
}

// Input that does not agree is refused in words; a value that is not a number never gets in.
func TestBadInput(t *testing.T) {
	each(t, func(t *testing.T, a Algorithm, dims int) {
		nan := float32(math.NaN())
		for name, spoil := range map[string]func(in *Input){
			"codebook of others":   func(in *Input) { in.Codebook = matrix.New(3, 4) },
			"graph of others":      func(in *Input) { in.Graph.N = 99 },
			"edge to nowhere":      func(in *Input) { in.Graph.Edges[0].B = 40 },
			"edge to itself":       func(in *Input) { in.Graph.Edges[0].B = in.Graph.Edges[0].A },
			"pins of others":       func(in *Input) { in.Pinned = make([]bool, 3) },
			"selection of others":  func(in *Input) { in.Active = make([]bool, 41) },
			"no position":          func(in *Input) { in.Pos.Data[5] = nan },
			"no codebook":          func(in *Input) { in.Codebook.Data[5] = float32(math.Inf(1)) },
			"too many coordinates": func(in *Input) { in.Pos = matrix.New(40, 4) },
		} {
			in := clustered(40, 4, dims, 7)
			in.Graph.Edges = slices.Clone(in.Graph.Edges)
			spoil(&in)
			l, err := a.New(in, nil)
			if l != nil && err == nil || problem.As(err).Remedy == "" {
				t.Errorf("%s: %v", name, err)
			}
			in = clustered(40, 4, dims, 7)
			l = start(t, a, in)
			advance(t, l, 3)
			in.Graph.Edges = slices.Clone(in.Graph.Edges)
			spoil(&in)
			l.SetLandmarks(in)
			advance(t, l, 20)
			checkFinite(t, l.Pos())
		}
	})
}

// Whatever is typed, dragged, pinned and cut, landmarks have places, and what is held stays.
func TestAlwaysFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(All()).Draw(t, "algorithm")
		dims, g := rapid.IntRange(2, 3).Draw(t, "dims"), rapid.IntRange(1, 30).Draw(t, "landmarks")
		number := rapid.OneOf(rapid.Float32Range(-10, 10), rapid.Float32Range(-1e30, 1e30),
			rapid.SampledFrom([]float32{0, 1, 1e-30, 1e6}))
		in := Input{Codebook: matrix.New(g, 3), Pos: matrix.New(g, dims), Seed: rapid.Uint64().Draw(t, "seed")}
		fill := func(m matrix.Matrix32, name string) {
			copy(m.Data, rapid.SliceOfN(number, len(m.Data), len(m.Data)).Draw(t, name))
		}
		fill(in.Codebook, "codebook")
		fill(in.Pos, "positions")
		flags := func(name string) []bool {
			if rapid.Bool().Draw(t, "no "+name) {
				return nil
			}
			return rapid.SliceOfN(rapid.Bool(), g, g).Draw(t, name)
		}
		edges := func() graph.Graph {
			out := nearestGraph(in.Codebook, rapid.IntRange(0, 4).Draw(t, "neighbours"))
			for k := range out.Edges {
				out.Edges[k].Locked = rapid.IntRange(0, 9).Draw(t, "lock") == 0
			}
			return out
		}
		in.Pinned, in.Active, in.Graph = flags("pinned"), flags("active"), edges()
		values := func() step.Values {
			v := step.Values{}
			for _, p := range a.Params {
				if rapid.Bool().Draw(t, "set "+p.ID) {
					v[p.ID] = rapid.SampledFrom([]float64{p.Min, p.Default, p.Max, math.NaN()}).Draw(t, p.ID)
				}
			}
			return v
		}
		l, err := a.New(in, values())
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 4).Draw(t, "rounds") {
			before := l.Pos().Clone()
			if _, err := l.Step(t.Context(), rapid.IntRange(0, 40).Draw(t, "units")); err != nil {
				t.Fatal(err)
			}
			for i, v := range l.Pos().Data {
				held := in.Pinned != nil && in.Pinned[i/dims] || in.Active != nil && !in.Active[i/dims]
				if !finite(v) || held && v != before.Data[i] {
					t.Fatalf("%s: landmark %d is at %v, was at %v, held: %v", a.ID, i/dims, l.Pos().Row(i/dims),
						before.Row(i/dims), held)
				}
			}
			if m := l.Moving(); !(m >= 0) || math.IsInf(m, 0) {
				t.Fatalf("%s: moving by %g", a.ID, m)
			}
			switch rapid.IntRange(0, 4).Draw(t, "then") {
			case 0:
				l.SetValues(values())
			case 1:
				in.Pos = l.Pos().Clone()
				in.Pos.Data[rapid.IntRange(0, len(in.Pos.Data)-1).Draw(t, "dragged")] = number.Draw(t, "to")
				l.SetLandmarks(in)
			case 2:
				in.Pos = l.Pos().Clone()
				in.Pinned, in.Active, in.Graph = flags("pinned"), flags("active"), edges()
				l.SetLandmarks(in)
			case 3:
				in.Pos, in.Codebook = l.Pos().Clone(), matrix.New(g, 3)
				fill(in.Codebook, "codebook")
				l.SetLandmarks(in)
			}
		}
	})
}

// All of them are what their forms and help say.
func TestRegistered(t *testing.T) {
	seen := map[string]bool{}
	for i, a := range All() {
		if a.ID == "" || a.Title == "" || a.Help == "" || seen[a.Title] || i > 0 && All()[i-1].Order >= a.Order {
			t.Errorf("%+v", a)
		}
		seen[a.Title] = true
		for _, p := range a.Params {
			if p.ID == "" || p.Title == "" || p.Help == "" || p.Clamp(p.Default) != p.Default || p.Log && p.Min <= 0 {
				t.Errorf("%s: %+v", a.ID, p)
			}
		}
		for _, g := range []int{0, 1, 2, 10, 400, 4096} {
			for id, v := range suggested(a, g) {
				k := slices.IndexFunc(a.Params, func(p step.Param) bool { return p.ID == id })
				if k < 0 || a.Params[k].Clamp(v) != v {
					t.Errorf("%s suggests %s = %g for %d landmarks", a.ID, id, v, g)
				}
			}
		}
	}
	want := []string{"force", "tsne", "umap", "trimap", "mds", "pca"}
	for _, id := range want {
		if _, ok := ByID(id); !ok {
			t.Errorf("no %s", id)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("the same ID twice")
		}
	}()
	Register(Algorithm{ID: "force", Title: "again"})
}
