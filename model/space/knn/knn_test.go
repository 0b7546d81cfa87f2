package knn

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/matrix"
)

func cloud(n, d int, seed uint64) matrix.Matrix32 {
	r := rand.New(rand.NewPCG(seed, 2))
	x := matrix.New(n, d)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64()) + float32(6*(i/d%8))
	}
	return x
}

// plain sorts all distances.
func plain(x matrix.Matrix32, i, k int) (out []Found) {
	for j := range x.Rows {
		if j != i && Finite(x.Row(j)) {
			out = append(out, Found{int32(j), Squared(x.Row(i), x.Row(j))})
		}
	}
	slices.SortFunc(out, func(a, b Found) int {
		if a.Less(b) {
			return -1
		}
		return 1
	})
	return out[:min(k, len(out))]
}

// Neighbours are those that a sort finds, ties to the lower index, whatever the points.
func TestSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(0, 150).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d")
		k := rapid.IntRange(0, 160).Draw(t, "k")
		values := rapid.IntRange(1, 40).Draw(t, "values") // few make ties
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := matrix.New(n, d)
		for i := range x.Data {
			x.Data[i] = float32(r.IntN(values))
			if r.IntN(100) == 0 {
				x.Data[i] = float32(math.Inf(1))
			}
		}
		got, err := Of(context.Background(), x, k)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			index, _ := got.Row(i)
			if !Finite(x.Row(i)) {
				if got.Near[i] == got.Near[i] || len(index) > 0 && slices.Max(index) != -1 {
					t.Fatalf("point %d is invalid and has %v", i, index)
				}
				continue
			}
			for j, f := range plain(x, i, k) {
				if index[j] != f.Index || math.Abs(got.Squared(i, j)-f.Squared) > 1e-7*f.Squared {
					t.Fatalf("neighbour %d of %d: %d at %g, want %+v", j, i, index[j], got.Squared(i, j), f)
				}
			}
		}
	})
}

// Small differences of large distances are kept, and numbers that float32 squares do not hold.
func TestListsKeepDifferences(t *testing.T) {
	for _, scale := range []float32{1, 1e-30, 1e36} {
		x := matrix.New(4, 1)
		copy(x.Data, []float32{0, 100, 100.001, 100.002})
		for i := range x.Data {
			x.Data[i] *= scale
		}
		l, err := Of(context.Background(), x, 3)
		if err != nil {
			t.Fatal(err)
		}
		want := Squared(x.Row(0), x.Row(2)) - Squared(x.Row(0), x.Row(1))
		if got := l.Unit * float64(l.Beyond[1]); math.Abs(got-want) > 1e-7*want || !(want > 0) {
			t.Errorf("scale %g: the second is %g farther, want %g", scale, got, want)
		}
	}
}

// All threads, the same bits; few of many, the same as of all.
func TestSearchDoesNotDependOnThreads(t *testing.T) {
	x := cloud(400, 9, 4)
	was := runtime.GOMAXPROCS(1)
	one, _ := Of(t.Context(), x, 30)
	runtime.GOMAXPROCS(7)
	seven, _ := Of(t.Context(), x, 30)
	runtime.GOMAXPROCS(was)
	if !slices.Equal(one.Index, seven.Index) || !slices.Equal(one.Beyond, seven.Beyond) {
		t.Error("the number of threads changes neighbours")
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Of(stopped, x, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Where all pairs are too many cells are looked through, until as many neighbours are found as were asked for.
func TestAuto(t *testing.T) {
	x := cloud(6000, 8, 5)
	x.Row(17)[3] = float32(math.NaN())
	exact, err := Auto(t.Context(), x, nil, nil, Plan{K: 15})
	if err != nil || !exact.Exact || exact.Recall != 1 {
		t.Fatalf("%+v, %v", exact, err)
	}
	stages, mu := map[string]bool{}, sync.Mutex{}
	told := func(stage string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		if stages[stage] = true; done > total {
			t.Errorf("%s: %d of %d", stage, done, total)
		}
	}
	probed, err := Auto(t.Context(), x, nil, nil, Plan{K: 15, Work: 1, Seed: 3, Progress: told})
	if err != nil {
		t.Fatal(err)
	}
	if real := recall(exact.Lists, probed.Lists); probed.Exact || probed.Recall < DefaultRecall || real < 0.97 ||
		math.Abs(real-probed.Recall) > 0.02 {
		t.Errorf("%d of %d cells: recall %g, measured %g", probed.Probe, probed.Cells, real, probed.Recall)
	}
	if probed.Probe >= probed.Cells/2 {
		t.Errorf("%d of %d cells were looked through", probed.Probe, probed.Cells)
	}
	if !stages["neighbours"] {
		t.Errorf("it has told of %v", stages)
	}
	again, _ := Auto(t.Context(), x, nil, nil, Plan{K: 15, Work: 1, Seed: 3})
	if !slices.Equal(again.Index, probed.Index) {
		t.Error("the same seed gives others")
	}
	few, err := Auto(t.Context(), cloud(5, 2, 1), nil, nil, Plan{K: 15, Work: 1})
	if err != nil || few.K != 4 {
		t.Errorf("5 points: %+v, %v", few, err)
	}
}

// The k best come to the front, whatever the order.
func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		list := make([]Found, 1+r.IntN(60))
		for i := range list {
			list[i] = Found{int32(i), float64(r.IntN(8))}
		}
		k := 1 + r.IntN(len(list))
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b Found) int { return int(a.Squared - b.Squared) })
		if n := Select(list, k); n != k || list[k-1] != want[k-1] {
			t.Fatalf("%d best of %v", k, list)
		}
		for _, f := range list[:k] {
			if want[k-1].Less(f) {
				t.Fatalf("%v is among the %d best", f, k)
			}
		}
	}
}

// Keys of any lengths and spreads are sorted as every other way sorts them.
func TestKeysAreRising(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for n := range 300 {
		keys := make([]uint64, n)
		spread := []int{1, 2, 100, 1 << 20, 1<<31 - 1}[n%5]
		for i := range keys {
			keys[i] = uint64(r.IntN(spread))<<32 | uint64(i)
		}
		want := slices.Sorted(slices.Values(keys))
		if got := rising(keys); !slices.Equal(got, want) {
			t.Fatalf("%d keys below %d: %v, want %v", n, spread, got, want)
		}
	}
}
