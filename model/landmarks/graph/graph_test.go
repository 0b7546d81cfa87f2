package graph

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/landmarks/landmark"
)

// codebook draws landmarks of which many lie on the same spot or equally far from each other, or all over the place.
func codebook(t *rapid.T) matrix.Matrix32 {
	m := matrix.New(rapid.IntRange(0, 40).Draw(t, "landmarks"), rapid.IntRange(1, 6).Draw(t, "dimensions"))
	whole := rapid.IntRange(0, 4).Draw(t, "whole numbers below")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	for i := range m.Data {
		if whole > 0 {
			m.Data[i] = float32(rng.IntN(whole))
		} else {
			m.Data[i] = float32(rng.NormFloat64())
		}
	}
	return m
}

// all are the pairs of all landmarks, the shortest first, by the definition.
func all(m matrix.Matrix32) []pair {
	var out []pair
	for i := range m.Rows {
		for j := i + 1; j < m.Rows; j++ {
			sum := 0.0
			for c, x := range m.Row(i) {
				sum += math.Pow(float64(x)-float64(m.Row(j)[c]), 2)
			}
			out = append(out, pair{[2]int32{int32(i), int32(j)}, sum})
		}
	}
	sort.SliceStable(out, func(a, b int) bool { return out[a].d < out[b].d })
	return out
}

type pair struct {
	p [2]int32
	d float64
}

// kruskal is the spanning tree by another way: the shortest edge first, unless its ends are joined already.
func kruskal(m matrix.Matrix32) [][2]int32 {
	root := make([]int, m.Rows)
	for i := range root {
		root[i] = i
	}
	find := func(i int32) int {
		at := int(i)
		for root[at] != at {
			at = root[at]
		}
		return at
	}
	var out [][2]int32
	for _, p := range all(m) {
		if a, b := find(p.p[0]), find(p.p[1]); a != b {
			root[a] = b
			out = append(out, p.p)
		}
	}
	return out
}

// near is the k-nearest graph by the definition.
func near(m matrix.Matrix32, k int) [][2]int32 {
	var out [][2]int32
	for i := range m.Rows {
		var mine []pair
		for _, p := range all(m) {
			if p.p[0] == int32(i) {
				mine = append(mine, pair{[2]int32{p.p[1]}, p.d})
			} else if p.p[1] == int32(i) {
				mine = append(mine, pair{[2]int32{p.p[0]}, p.d})
			}
		}
		sort.SliceStable(mine, func(a, b int) bool {
			return mine[a].d < mine[b].d || mine[a].d == mine[b].d && mine[a].p[0] < mine[b].p[0]
		})
		for _, x := range mine[:min(k, len(mine))] {
			out = append(out, [2]int32{min(int32(i), x.p[0]), max(int32(i), x.p[0])})
		}
	}
	return union(out, nil)
}

func TestGraphsAreThoseOfTheDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, k := codebook(t), rapid.IntRange(1, 50).Draw(t, "k")
		tree, nearest := union(kruskal(m), nil), near(m, k)
		for kind, want := range map[string][][2]int32{"tree": tree, "nearest": nearest, "both": union(tree, nearest)} {
			got := Pairs(Choice{kind, step.Values{"k": float64(k)}}, Input{Codebook: m})
			if !slices.Equal(union(got, nil), want) || len(got) != len(want) {
				t.Fatalf("%s with k %d of %v: %v, not %v", kind, k, m.Data, got, want)
			}
		}
	})
}

// A large codebook takes the ways that share work among cores.
func TestLargeGraphs(t *testing.T) {
	m := matrix.New(2400, 20)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range m.Data {
		m.Data[i] = float32(rng.NormFloat64())
	}
	got := union(spanningTree(m), nil)
	// Prim's algorithm in its plainest form.
	d, by, in := make([]float64, m.Rows), make([]int32, m.Rows), make([]bool, m.Rows)
	for i := range d {
		d[i] = math.Inf(1)
	}
	var want [][2]int32
	for at := 0; len(want) < m.Rows-1; {
		in[at] = true
		next := -1
		for j := range d {
			if in[j] {
				continue
			}
			if x := apart(m.Row(at), m.Row(j)); x < d[j] {
				d[j], by[j] = x, int32(at)
			}
			if next < 0 || d[j] < d[next] {
				next = j
			}
		}
		want = append(want, [2]int32{min(int32(next), by[next]), max(int32(next), by[next])})
		at = next
	}
	if !slices.Equal(got, union(want, nil)) {
		t.Fatal("the spanning tree of 2,400 landmarks is another than Prim's")
	}
}

func set(t interface{ Fatal(...any) }, m matrix.Matrix32) *landmark.Set {
	s, err := landmark.New(m, matrix.New(m.Rows, 2))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWhatIsDoneByHand(t *testing.T) {
	m := matrix.New(5, 1)
	copy(m.Data, []float32{0, 1, 2, 10, 11})
	s := set(t, m)
	edit := func(a, b int, mark landmark.EdgeMark) {
		n, err := s.EditEdge(a, b, mark)
		if err != nil {
			t.Fatal(err)
		}
		s = n
	}
	tree := Choice{Kind: "tree"}
	if g := Of(tree, s); len(g.Edges) != 4 || g.Find(3, 2) < 0 || g.Edges[g.Find(2, 3)].Length != 8 {
		t.Fatalf("%+v", g)
	}
	edit(3, 2, landmark.EdgeCut)
	edit(4, 0, landmark.EdgeJoined)
	edit(0, 1, landmark.EdgeLocked)
	g := Of(tree, s)
	if len(g.Edges) != 4 || g.Find(2, 3) >= 0 || g.Find(0, 4) < 0 || g.Edges[g.Find(0, 4)].Length != 11 ||
		g.Edges[g.Find(0, 4)].Locked || !g.Edges[g.Find(1, 0)].Locked {
		t.Fatalf("%+v", g)
	}
	// An edge locked or joined stays whatever graph is chosen, one that was cut stays out of it.
	g = Of(Choice{Kind: "net"}, s)
	if len(g.Edges) != 2 || g.Find(0, 1) < 0 || g.Find(0, 4) < 0 {
		t.Fatalf("%+v", g)
	}
	edit(2, 3, 0)
	if g := Of(tree, s); len(g.Edges) != 5 {
		t.Fatalf("the edge is still cut: %+v", g)
	}
	if g := Of(Choice{Kind: "no such"}, s); len(g.Edges) != 2 || g.N != 5 {
		t.Fatalf("an unknown kind: %+v", g)
	}
	if g := Of(tree, nil); g.N != 0 || len(g.Edges) != 0 {
		t.Fatalf("no landmarks: %+v", g)
	}
}

func TestHeightsOfAUMatrix(t *testing.T) {
	m := matrix.New(4, 1)
	copy(m.Data, []float32{0, 1, 4, math.MaxFloat32})
	g := With([][2]int32{{0, 1}, {2, 1}, {1, 2}, {0, 9}, {-1, 2}, {2, 2}}, set(t, m))
	u := g.Around()
	if len(g.Edges) != 2 || u[0] != 1 || u[1] != 2 || u[2] != 3 || u[3] == u[3] {
		t.Fatalf("%v of %+v", u, g)
	}
	m = matrix.New(2, 4)
	for i := range m.Data {
		m.Data[i] = math.MaxFloat32 * float32(1-i/4*2)
	}
	if l := With([][2]int32{{0, 1}}, set(t, m)).Edges[0].Length; l-l != 0 {
		t.Fatalf("a length of %g", l)
	}
}

func BenchmarkBoth1024(b *testing.B) { bench(b, 1024) }
func BenchmarkBoth4096(b *testing.B) { bench(b, 4096) }

func bench(b *testing.B, g int) {
	m := matrix.New(g, 30)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range m.Data {
		m.Data[i] = float32(rng.NormFloat64())
	}
	for b.Loop() {
		Pairs(Default(), Input{Codebook: m})
	}
}
