package cuda

import (
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/work/engine"
)

// The published system's selection finds what our own finds, for queues of either length and for one, among all points
// and among those of other parts, of equal scores the same; also where a launch does a part of the panels.
func TestLightPublishedNearest(t *testing.T) {
	needsCard(t)
	roomForFew(t)
	if emulated(t) {
		stretch = 1 << 16
	}
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	r := rand.New(rand.NewPCG(3, 1))
	x := matrix.New(270, 5)
	for i := range x.Data {
		if x.Data[i] = float32(r.IntN(7)); i/5%2 == 0 { // many of half of the rows are equal
			x.Data[i] += float32(r.NormFloat64())
		}
	}
	res, err := e.Load(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Free()
	for _, metric := range []linkage.Metric{linkage.Euclidean, linkage.L1} {
		l := &linkage.Blocked{X: x, Row: make([]int32, x.Rows), Metric: metric, N: x.Rows, D: x.Cols,
			Blocks: blocksOf(x.Rows, side)}
		label := make([]int32, l.Blocks*side)
		for i := range l.Row {
			l.Row[i], label[i] = int32(i), int32(i*i%5)
		}
		held, _, err := res.Caps().Linkage.Arrange(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		q := linkage.Query{Published: true}
		for b := range l.Blocks {
			q.Blocks = append(q.Blocks, int32(l.Blocks-1-b))
		}
		all := []int{1, 2, 32, 33, 64}
		if metric == linkage.L1 {
			all = []int{1, 31, 40}
		}
		for _, q.K = range all {
			for _, q.Label = range [][]int32{nil, label} {
				var ids [2][]int32
				var scores [2][]float32
				for i, published := range []bool{true, false} {
					q.Published = published
					ids[i], scores[i] = make([]int32, l.Blocks*side*q.K), make([]float32, l.Blocks*side*q.K)
					if err := held.Nearest(t.Context(), q, ids[i], scores[i]); err != nil {
						t.Fatal(err)
					}
				}
				for i, id := range ids[0] {
					if id < 0 { // there is none, and no score
						scores[0][i], scores[1][i] = 0, 0
					}
				}
				if !slices.Equal(ids[0], ids[1]) || !slices.Equal(scores[0], scores[1]) {
					t.Errorf("%v, %d neighbours, labels %t: others than ours", metric, q.K, q.Label != nil)
				}
			}
		}
		h := held.(*holding)
		if err := h.onCard(func() error {
			did, err := h.published(t.Context(), q, l.Blocks)
			if !did {
				t.Error("it is not the published way that was taken")
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		held.Free()
	}
}
