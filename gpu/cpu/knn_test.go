package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/gpu/enginetest"
	"blossom/model/engine"
	"blossom/model/knn"
	"blossom/model/matrix"
)

// ofVariant finds the neighbours of x with one variant on so many threads.
func ofVariant(t testing.TB, name string, threads int, x matrix.Matrix32, q knn.Query) *knn.Lists {
	t.Helper()
	e, err := NewVariant(name, engine.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r, err := e.Load(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	out := knn.NewLists(x, q)
	if err := r.Caps().Neighbours.Others(t.Context(), q, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Neighbours and their distances are the same bits on every instruction set and whatever the number of threads.
func TestNeighboursOfPointsAreTheSameEverywhere(t *testing.T) {
	x := enginetest.Blobs(rand.New(rand.NewPCG(8, 8)), 1500, 17, 40, 3, 2).X
	var want *knn.Lists
	for _, name := range Conforming() {
		for _, threads := range []int{1, 3, 7} {
			got := ofVariant(t, name, threads, x, knn.Query{K: 40})
			if want == nil {
				want = got
			} else if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Near, want.Near) ||
				!slices.Equal(got.Beyond, want.Beyond) {
				t.Errorf("%s on %d threads finds others", name, threads)
			}
		}
	}
}

// clusteredPoints are like those of the tables: around 24 centres.
func clusteredPoints(n, d int) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(1, 1))
	x, centres := matrix.New(n, d), matrix.New(24, d)
	for i := range centres.Data {
		centres.Data[i] = float32(4 * r.NormFloat64())
	}
	for i := range n {
		at := centres.Row(r.IntN(24))
		for c := range d {
			x.Row(i)[c] = at[c] + float32(r.NormFloat64())
		}
	}
	return x
}

// Blocks that are ruled out hold nothing that is looked for: neighbours of points in order are those of all pairs.
func TestNeighboursByBlocks(t *testing.T) {
	defer func(n int) { orderFrom = n }(orderFrom)
	orderFrom = 1
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 1500).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := clusteredPoints(n, d)
		switch rapid.SampledFrom([]string{"clusters", "ties", "tight", "far", "line"}).Draw(t, "kind") {
		case "ties":
			for i := range x.Data {
				x.Data[i] = float32(r.IntN(4))
			}
		case "tight": // in two heaps that are a million times as far apart as they are wide
			for i := range x.Data {
				x.Data[i] = 1e-6*x.Data[i] + float32(i/d%2)
			}
		case "far":
			for range 3 {
				x.Data[r.IntN(len(x.Data))] = 1e30
			}
		case "line":
			for i := range n {
				for c := range d {
					x.Row(i)[c] = float32(i) * 0.01
				}
			}
		}
		for range rapid.IntRange(0, 3).Draw(t, "invalid") {
			x.Data[r.IntN(len(x.Data))] = float32(math.NaN())
		}
		q := knn.Query{K: rapid.SampledFrom([]int{1, 2, 15, 90, 300, 1100}).Draw(t, "k")}
		switch rapid.SampledFrom([]string{"all", "some", "new"}).Draw(t, "rows") {
		case "new":
			q.New = clusteredPoints(rapid.IntRange(1, 200).Draw(t, "new rows"), d)
			q.New.Data[0] *= rapid.SampledFrom([]float32{1, 1e12, 1e30}).Draw(t, "stretch")
		case "some":
			for i := range n {
				if r.IntN(3) == 0 {
					q.Points = append(q.Points, int32(i))
				}
			}
			r.Shuffle(len(q.Points), func(i, j int) { q.Points[i], q.Points[j] = q.Points[j], q.Points[i] })
		}
		want := knn.NewLists(x, q)
		if err := knn.Search(t.Context(), x, q, want); err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom(Conforming()).Draw(t, "variant")
		e, err := NewVariant(name, engine.Options{Threads: 1 + r.IntN(3)})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		res, err := e.Load(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Free()
		got := knn.NewLists(x, q)
		if err := res.Caps().Neighbours.Others(t.Context(), q, got); err != nil {
			t.Fatal(err)
		}
		same := func(a, b float64) bool { return a == b || a != a && b != b }
		if !slices.Equal(got.Index, want.Index) || !slices.EqualFunc(got.Near, want.Near, same) ||
			!slices.Equal(got.Beyond, want.Beyond) {
			t.Fatalf("%s finds others", name)
		}
	})
}

func BenchmarkNeighboursOfPoints(b *testing.B) {
	x := clusteredPoints(20000, 30)
	for _, name := range Conforming() {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				ofVariant(b, name, 1, x, knn.Query{K: 90})
			}
		})
	}
}
