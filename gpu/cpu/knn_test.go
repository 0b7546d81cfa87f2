package cpu

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
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

// smallSearches has searches put points in order whatever their number, in steps of so little that all loops go round.
func smallSearches(t *testing.T) {
	t.Helper()
	from, first, work := orderFrom, firstBlocks, chunkWork
	t.Cleanup(func() { orderFrom, firstBlocks, chunkWork = from, first, work })
	orderFrom, firstBlocks, chunkWork = 1, 1, 1<<14
}

// strangePoints are n points of d coordinates on which bounds are hard to keep.
func strangePoints(r *rand.Rand, kind string, n, d int) matrix.Matrix32 {
	x := clusteredPoints(n, d)
	for i := range n {
		scale := float32(math.Pow(10, 82*r.Float64()-44))
		for c, v := range x.Row(i) {
			switch kind {
			case "ties":
				v = float32(r.IntN(4))
			case "tight": // in two heaps that are a million times as far apart as they are wide
				v = 1e-6*v + float32(i%2)
			case "far":
				if r.IntN(n*d) < 3 {
					v = 1e30
				}
			case "line":
				v = float32(i) * 0.01
			case "scales": // a row each
				v *= scale
			case "tiny":
				v *= 1e-42
			case "offset":
				v += 1e5
			case "one place":
				v = 7
			}
			x.Row(i)[c] = v
		}
	}
	return x
}

var strangeKinds = []string{"clusters", "ties", "tight", "far", "line", "scales", "tiny", "offset", "one place"}

// Blocks that are ruled out hold nothing that is looked for: neighbours of points in order are those of all pairs.
func TestNeighboursByBlocks(t *testing.T) {
	smallSearches(t)
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 5000).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "d")
		if rapid.IntRange(0, 9).Draw(t, "wide") == 0 {
			n, d = 1+n/10, 3000 // few rows fit into memory at a time
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := strangePoints(r, rapid.SampledFrom(strangeKinds).Draw(t, "kind"), n, d)
		for range rapid.IntRange(0, 3).Draw(t, "invalid") {
			x.Data[r.IntN(len(x.Data))] = float32(math.NaN())
		}
		q := knn.Query{K: rapid.SampledFrom([]int{1, 2, 15, 90, 300, 1100}).Draw(t, "k")}
		switch rows := rapid.IntRange(1, 200).Draw(t, "rows"); {
		case n < 400 && r.IntN(2) == 0: // all
		case r.IntN(3) == 0:
			q.New = clusteredPoints(rows, d)
			q.New.Data[0] *= rapid.SampledFrom([]float32{1, 1e12, 1e30}).Draw(t, "stretch")
		default: // in any order, and some again
			for range rows {
				q.Points = append(q.Points, int32(r.IntN(n)))
			}
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
