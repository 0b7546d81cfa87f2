package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// star are lists in which all points have the same first points as neighbours, but for those, which have the next.
func star(n, k int) (*knn.Lists, []float32) {
	near, value := &knn.Lists{N: n, K: k, Index: make([]int32, n*k), Beyond: make([]float32, n*k)}, make([]float32, n*k)
	r := rand.New(rand.NewPCG(uint64(n), uint64(k)))
	for e := range value {
		i, j := e/k, e%k
		if near.Index[e] = int32(j); i < k {
			near.Index[e] = int32(i + 1 + j)
		}
		value[e] = r.Float32()
	}
	return near, value
}

// A graph is the same in however many pieces it is made and sorted; without memory for it the processor has to make it.
func TestJoinedRungs(t *testing.T) {
	needsCard(t)
	defer func(piece, vast int64) { joinPiece, joinVast = piece, vast }(joinPiece, joinVast)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	by := joiner{e.(*card)}
	near, value := star(joinLong+700, 3)
	want, err := knn.Join(t.Context(), near, 3, value, knn.Blend{})
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []int64{1, 1000, 1 << 20} {
		joinPiece, joinVast = piece, piece
		got, err := by.Join(t.Context(), near, 3, value, knn.Blend{})
		if err != nil || !slices.Equal(got.Column, want.Column) || !slices.Equal(got.Value, want.Value) {
			t.Errorf("in pieces of %d it is another graph: %v", piece, err)
		}
	}
	little, err := New(engine.Options{Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer little.Close()
	if _, err := (joiner{little.(*card)}).Join(t.Context(), near, 3, value, knn.Blend{}); err != knn.ErrRoom {
		t.Errorf("without memory: %v", err)
	}
}
