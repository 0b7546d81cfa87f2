//go:build linux && (amd64 || arm64)

package cuda

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Answers of many pieces come back by turns, beside the work on the next, each to its rows: of all points, through
// cells, of some points in any order.
func TestDenseAnswersOfManyPieces(t *testing.T) {
	needsCard(t)
	emulated(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	panels := int(panelsAtATime * max(1, e.(*card).dev.SMs))
	if panels > 64 {
		t.Skip("a piece of this card is more than a test has points for")
	}
	r := rand.New(rand.NewPCG(12, 1))
	n := 4*side*panels + 77
	x := matrix.New(n, 3)
	for i := range x.Data {
		x.Data[i] = float32(r.NormFloat64() + float64(5*(i/3%9)))
	}
	x.Row(5)[1], x.Row(n - 1)[0] = float32(math.NaN()), float32(math.Inf(-1))
	cells, err := knn.MakeCells(t.Context(), x, 19, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := e.Load(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer loaded.Free()
	some := make([]int32, n)
	for i := range some {
		some[i] = int32(r.IntN(n))
	}
	for name, q := range map[string]knn.Query{"all": {K: 4}, "cells": {K: 4, Cells: cells},
		"some": {K: 1, Points: some}, "some in cells": {K: 3, Points: some, Cells: cells}} {
		if q.Cells != nil {
			cells.Look(3, q.K)
		}
		pieces := 0
		q.Progress = func(_, _ int64) { pieces++ }
		got, want := knn.NewLists(x, q), knn.NewLists(x, q)
		if err := loaded.Caps().Neighbours.Others(t.Context(), q, got); err != nil || pieces < 4 {
			t.Fatalf("%s: %d pieces, %v", name, pieces, err)
		}
		q.Progress = nil
		if err := knn.Search(t.Context(), x, q, want); err != nil {
			t.Fatal(err)
		}
		same := func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b }
		if !slices.Equal(got.Index, want.Index) || !slices.Equal(got.Beyond, want.Beyond) ||
			!slices.EqualFunc(got.Near, want.Near, same) {
			t.Errorf("%s: neighbours differ", name)
		}
	}
}
