//go:build linux

package gpuembedsom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
)

// Cards to plan for: of the oldest and of the newest kind.
var cards = []driver.Device{
	{Name: "old", Major: 5, Minor: 2, SMs: 16, ThreadsSM: 2048, SharedSM: 96 << 10, SharedBlock: 48 << 10,
		RegistersSM: 65536},
	{Name: "new", Major: 9, Minor: 0, SMs: 132, ThreadsSM: 2048, SharedSM: 228 << 10, SharedBlock: 227 << 10,
		RegistersSM: 65536},
}

func dim(d driver.Dim) hosted.Dim { return hosted.Dim{X: d.X, Y: d.Y, Z: d.Z} }

// pair is kernels/papers_common.cuh's Pair.
type pair struct {
	distance2 float32
	id        uint32
}

// cloud is a set of points and landmarks for the kernels.
type cloud struct {
	n, d, g, dims int
	x, code, pos  []float32
}

func uniform(rng *rand.Rand, n, d, g, dims int) cloud {
	c := cloud{n: n, d: d, g: g, dims: dims, x: make([]float32, n*d), code: make([]float32, g*d),
		pos: make([]float32, g*dims)}
	for _, s := range [][]float32{c.x, c.code} {
		for i := range s {
			s[i] = rng.Float32()
		}
	}
	side := int(math.Ceil(math.Sqrt(float64(g))))
	for i := range g {
		for q := range dims {
			c.pos[i*dims+q] = []float32{float32(i % side), float32(i / side), 0}[q] + 0.3*rng.Float32()
		}
	}
	return c
}

// nearest returns the kernels' answer by the most direct way: float32 sums in parts of 64, a stable sort.
func (c cloud) nearest(i, find int) []pair {
	x := c.x[i*c.d:][:c.d]
	all := make([]pair, c.g)
	for j := range all {
		var s, part float32
		for q, v := range x {
			t := v - c.code[j*c.d+q]
			part += float32(t * t)
			if q%64 == 63 || q == c.d-1 {
				s, part = s+part, 0
			}
		}
		all[j] = pair{s, uint32(j)}
	}
	for _, v := range x {
		if v-v != 0 {
			return slices.Repeat([]pair{{float32(math.NaN()), 0}}, find)
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int {
		switch {
		case a.distance2 < b.distance2:
			return -1
		case a.distance2 > b.distance2:
			return 1
		}
		return 0
	})
	all = all[:find]
	if math.IsInf(float64(all[find-1].distance2), 1) {
		for r := range all {
			all[r] = pair{float32(math.Inf(1)), uint32(r)}
		}
	}
	return all
}

func samePairs(a, b []pair) bool {
	return slices.EqualFunc(a, b, func(a, b pair) bool {
		return a.id == b.id && (a.distance2 == b.distance2 || a.distance2 != a.distance2 && b.distance2 != b.distance2)
	})
}

func (c cloud) checkKnn(t *testing.T, m *hosted.Module, name string, dev driver.Device, find, from, to int) {
	t.Helper()
	v, ok, err := parsePaperKnn(name)
	if !ok || err != nil {
		t.Fatal(name, ok, err)
	}
	l, err := v.plan(dev, cuda.Task{D: c.d, G: c.g, Find: find, Count: int64(to - from)})
	if err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("%s on the %s card: d %d g %d find %d points %d-%d of %d", name, dev.Name, c.d, c.g, find,
		from, to, c.n)
	if l.Shared > dev.SharedBlock || l.Block.X*l.Block.Y > 1024 {
		t.Fatalf("%s: the plan %v does not fit", what, l)
	}
	const beyond = 3
	for order := range uint64(2) { // forward and backward: a missing barrier shows in one of them
		out := make([]pair, (to-from+beyond)*find)
		for i := range out {
			out[i] = pair{-7, 7}
		}
		args := []any{c.x, int64(from), int64(to - from), int32(c.d), c.code, int32(c.g), int32(find), out}
		args = append(args, l.Extra)
		if err := m.Launch(l.Kernel, dim(l.Grid), dim(l.Block), l.Shared, order, args...); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		for i := from; i < to; i++ {
			got, want := out[(i-from)*find:][:find], c.nearest(i, find)
			if !samePairs(got, want) {
				t.Fatalf("%s, order %d: point %d\n got  %v\n want %v", what, order, i, got, want)
			}
		}
		if !samePairs(out[(to-from)*find:], slices.Repeat([]pair{{-7, 7}}, beyond*find)) {
			t.Fatalf("%s: it writes beyond its points", what)
		}
	}
}

var allPaperKnns = append([]string{"gridinsert:32x8", "gridinsert:96x3"}, paperKnns...)

func TestPaperKnn(t *testing.T) {
	m := hosted.Open(t, "../../cuda/kernels/papers_knn.cu")
	rng := rand.New(rand.NewPCG(1, 1))
	shapes := []struct{ n, d, g, find int }{
		{37, 3, 20, 9}, {5, 16, 256, 17}, {3, 5, 300, 33}, {2, 2, 700, 65}, {9, 1, 1, 1}, {4, 1, 2, 2},
		{7, 33, 64, 64}, {1, 700, 40, 8}, {3, 4, 129, 16}, {2, 1, 1100, 5}, {1, 1, 4096, 65}, {1, 4096, 3, 3},
	}
	for _, s := range shapes {
		c := uniform(rng, s.n+3, s.d, s.g, 2)
		for _, name := range allPaperKnns {
			for _, dev := range cards {
				c.checkKnn(t, m, name, dev, s.find, 2, 2+s.n)
			}
		}
	}
}

// Ties, points on landmarks, and numbers that float32 cannot square.
func TestPaperKnnEdges(t *testing.T) {
	m := hosted.Open(t, "../../cuda/kernels/papers_knn.cu")
	rng := rand.New(rand.NewPCG(2, 2))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	c := uniform(rng, 12, 3, 70, 2)
	for i := range c.code { // a coarse lattice, with many ties and duplicates
		c.code[i] = float32(rng.IntN(3))
	}
	for i := range 5 * 3 {
		c.x[i] = float32(rng.IntN(3))
	}
	set := func(i int, v ...float32) { copy(c.x[i*3:], v) }
	set(5, nan, 0, 0)
	set(6, 1, -nan, inf)
	set(7, 0, 0, inf)
	set(8, 3e38, 0, 1)
	set(9, 1.8e19, 0, 0) // some squares overflow, some do not
	set(10, -3e38, 3e38, 3e38)
	copy(c.code[30*3:], []float32{1e38, 1e38, 0, -3e38, 3e38, 2e19})
	for _, name := range allPaperKnns {
		for _, find := range []int{1, 8, 21, 65} {
			c.checkKnn(t, m, name, cards[1], find, 0, c.n)
		}
	}
	small := cloud{n: c.n, d: 3, g: 31, x: c.x, code: c.code[:31*3]}
	for _, name := range allPaperKnns {
		small.checkKnn(t, m, name, cards[0], 31, 0, c.n)
	}
}

func TestPaperKnnNames(t *testing.T) {
	for name, want := range map[string]struct{ ok, fails bool }{
		"base": {true, false}, "gridinsert": {true, false}, "gridinsert:64x4": {true, false}, "tiles": {false, false},
		"gridinsert:33x4": {true, true}, "gridinsert:1024x2": {true, true}, "gridinsert:x": {true, true},
		"gridinsert:32": {true, true}, "gridinsert:32x-1": {true, true}, "bitonic:2x2": {true, true},
		"":                         {false, false},
		"gridinsert:99999999999x9": {true, true},
	} {
		if _, ok, err := parsePaperKnn(name); ok != want.ok || (err != nil) != want.fails {
			t.Errorf("%q: %v, %v", name, ok, err)
		}
	}
	v := paperKnn{name: "radix"}
	if _, err := v.plan(cards[0], cuda.Task{D: 4, G: 10, Find: 4, Count: 1 << 40}); err == nil {
		t.Error("a launch of 2^40 blocks is planned")
	}
	for _, shape := range [][3]int{{0, 10, 3}, {4, 0, 0}, {4, 10, 11}, {4, 5000, 3}, {5000, 10, 3}, {4, 100, 66}} {
		if _, err := v.plan(cards[0], cuda.Task{D: shape[0], G: shape[1], Find: shape[2], Count: 1}); err == nil {
			t.Errorf("the shape %v is planned", shape)
		}
	}
}

// Every shape gets a launch that the card can do.
func TestPaperKnnPlansFit(t *testing.T) {
	for _, dev := range cards {
		for _, name := range allPaperKnns {
			v, _, _ := parsePaperKnn(name)
			for _, d := range []int{1, 2, 16, 64, 300, 1024, 4096} {
				for _, g := range []int{1, 30, 256, 1024, 4096} {
					for _, find := range []int{1, 9, 17, 33, 65} {
						l, err := v.plan(dev, cuda.Task{D: d, G: g, Find: min(find, g), Count: 1 << 20})
						if err != nil || l.Shared > dev.SharedBlock || l.Block.X*l.Block.Y > 1024 || l.Grid.X < 1 {
							t.Fatalf("%s on the %s card, d %d g %d find %d: %+v, %v", name, dev.Name, d, g, find, l,
								err)
						}
					}
				}
			}
		}
	}
}
