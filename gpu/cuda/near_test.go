package cuda

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"blossom/model/maps/embedsom"
)

// The cached neighbours are those of a search in float64, in its order, where distances differ by more than
// float32 can blur: also with fewer landmarks than the filter has groups, and where a tight cluster of
// landmarks lies among others that are far.
func TestNeighbours(t *testing.T) {
	needsCard(t)
	for _, c := range []struct {
		d, g, k int
		tight   int // so many landmarks, and all points, lie within a thousandth
	}{
		{6, 16, 10, 0}, {4, 17, 16, 0}, {3, 1, 1, 0}, {16, 40, 39, 0}, {16, 128, 7, 0}, {16, 256, 16, 0},
		{20, 256, 16, 0}, {20, 300, 31, 0},
		{64, 200, 16, 0}, {70, 100, 20, 0}, {8, 300, 63, 0}, {16, 256, 16, 24}, {5, 300, 40, 50}, {40, 128, 8, 12},
	} {
		t.Run(fmt.Sprintf("%d,%d,%d,%d", c.d, c.g, c.k, c.tight), func(t *testing.T) {
			const n = 70
			x, l := random(n, c.d, c.g, 2)
			if c.tight > 0 {
				for i := range x.Data {
					x.Data[i] = 0.5 + x.Data[i]/1024
				}
				for i := range c.tight * c.d {
					l.Codebook.Data[i] = 0.5 + l.Codebook.Data[i]/1024
				}
			}
			r := loaded(t, x, 0)
			p := embedsom.Params{K: c.k, Boost: 2, Adjust: 0.2}
			r.mustFind(t, l, p, 0, n)
			_, find := p.Neighbours(c.g)
			ids, d2 := make([]uint16, (n+cacheTile-1)/cacheTile*cacheTile*find),
				make([]float32, (n+cacheTile-1)/cacheTile*cacheTile*find)
			leave, err := r.e.c.Enter()
			if err != nil {
				t.Fatal(err)
			}
			defer leave()
			for _, err := range []error{
				r.e.s.ToHost(unsafe.Pointer(&ids[0]), r.ids.at, int64(2*len(ids))),
				r.e.s.ToHost(unsafe.Pointer(&d2[0]), r.d2.at, int64(4*len(d2))), r.e.s.Wait(),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			exact := make([]float64, c.g)
			order := make([]int, c.g)
			for i := range n {
				for j := range c.g {
					exact[j], order[j] = 0, j
					for q := range c.d {
						v := float64(x.Row(i)[q]) - float64(l.Codebook.Row(j)[q])
						exact[j] += v * v
					}
				}
				slices.SortFunc(order, func(a, b int) int {
					if exact[a] < exact[b] {
						return -1
					}
					return 1
				})
				seen := map[uint16]bool{}
				for q := range find {
					at := (i/cacheTile*find+q)*cacheTile + i%cacheTile
					id, want := ids[at], exact[order[q]]
					if int(id) >= c.g || seen[id] {
						t.Fatalf("point %d, rank %d: landmark %d again, or there is none", i, q, id)
					}
					seen[id] = true
					if off := math.Abs(exact[id]-want) / want; off > 4e-6 {
						t.Fatalf("point %d, rank %d: landmark %d at %g, but %d is at %g", i, q, id, exact[id],
							order[q], want)
					}
					if off := math.Abs(float64(d2[at])-exact[id]) / exact[id]; off > 4e-6 {
						t.Fatalf("point %d, rank %d: distance %g instead of %g", i, q, d2[at], exact[id])
					}
				}
			}
		})
	}
}
