//go:build linux

package hosted

import (
	"math"
	"slices"
	"testing"

	"blossom/model/maps/umap"
)

// A sub-step of UMAP has the same bits in whatever order threads come to their turn, of points with no edge, with a few
// and with more than are kept at a time; and places next to those of the map are not touched.
func TestUMAPInAnyOrder(t *testing.T) {
	m := Open(t, "../kernels/umap.cu")
	const n, beyond = 101, 7
	g := &umap.Graph{N: n, Start: make([]int64, n+1), Most: 1}
	for i := range n {
		for j := range n {
			if i != j && i != 50 && j != 50 && (i == 3 || j == 3 || (i+j)%9 == 0) {
				g.Column, g.Weight = append(g.Column, int32(j)), append(g.Weight, float32(1+(i*j)%7)/7)
			}
		}
		g.Start[i+1] = int64(len(g.Column))
	}
	k, rate := umap.Fit(0.1, 1), umap.Rates(g)
	loose := slices.Repeat([]float32{1}, n)
	loose[9] = 0
	for dims, stride := range map[int]int{2: 2, 3: 4} {
		y := make([]float32, n*stride)
		start := umap.RandomStart(n, dims, 1)
		for i := range n {
			copy(y[i*stride:], start[i*dims:(i+1)*dims])
		}
		copy(y[20*stride:], y[30*stride:40*stride]) // on one spot
		var first, next []float32
		kernel := map[int]string{2: "umapPull2", 3: "umapPull3"}[dims]
		m.Run(t, kernel, Dim{X: (n + 15) / 16}, Dim{X: 256}, 0, func() []any {
			next = slices.Repeat([]float32{77}, (n+beyond)*stride)
			return []any{int32(n), y, next, loose, g.Start, g.Column, rate, float32(math.Log2(k.A)), float32(k.B),
				float32(0.5), uint32(5), uint32(2), uint32(5), uint32(12345), uint32(678)}
		}, func(order uint64) {
			if first == nil {
				first = next
			}
			if !slices.Equal(next, first) {
				t.Errorf("%dD: order %d gives other bits", dims, order)
			}
			if slices.ContainsFunc(next[n*stride:], func(v float32) bool { return v != 77 }) {
				t.Errorf("%dD: places beyond the last are written", dims)
			}
			for i, moves := range map[int]bool{9: false, 50: false, 3: true, 100: true} {
				if at := i * stride; slices.Equal(next[at:at+dims], y[at:at+dims]) == moves {
					t.Errorf("%dD: point %d moves: %v", dims, i, !moves)
				}
			}
		})
	}
}
