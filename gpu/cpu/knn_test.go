package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"

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
