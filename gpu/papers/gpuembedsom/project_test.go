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
	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
)

// tight is a card on which few landmarks fit into shared memory.
var tight = driver.Device{Name: "tight", SMs: 1, ThreadsSM: 1024, SharedSM: 2 << 10, SharedBlock: 2 << 10}

var allPaperProjections = append([]string{"shared:32x1", "aligned:128x2", "registers:64x3"}, paperProjections...)

// project runs a kernel; hard holds the points that it leaves to float64.
func (c cloud) project(t *testing.T, m *hosted.Module, name string, dev driver.Device, p embedsom.Params, from,
	to int, order uint64) (out []float32, hard []int64) {
	t.Helper()
	v, ok, err := parsePaperProjection(name)
	if !ok || err != nil {
		t.Fatal(name, ok, err)
	}
	k, find := p.Neighbours(c.g)
	l, err := v.plan(dev, cuda.Task{D: c.d, G: c.g, K: k, Find: find, Dims: c.dims,
		Count: int64(to - from)})
	if err != nil {
		t.Fatal(err)
	}
	if l.Shared > dev.SharedBlock {
		t.Fatalf("%s: the plan %+v does not fit", name, l)
	}
	var pairs []pair
	for i := from; i < to; i++ {
		pairs = append(pairs, c.nearest(i, find)...)
	}
	out = slices.Repeat([]float32{-777}, (to-from+2)*c.dims)
	hardCount, hardList := make([]uint32, 1), make([]int64, to-from+1)
	args := []any{c.x, int64(from), int64(to - from), int32(c.d), c.code, c.pos, int32(c.dims), int32(c.g), pairs,
		int32(k), int32(find), p.Boost, p.Adjust, out, hardCount, hardList}
	args = append(args, l.Extra)
	if err := m.Launch(l.Kernel, dim(l.Grid), dim(l.Block), l.Shared, order, args...); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, v := range out[(to-from)*c.dims:] {
		if v != -777 {
			t.Fatalf("%s writes beyond its points", name)
		}
	}
	return out[:(to-from)*c.dims], hardList[:hardCount[0]]
}

func (c cloud) mats() (x, code, pos matrix.Matrix32) {
	return matrix.Matrix32{Rows: c.n, Cols: c.d, Data: c.x}, matrix.Matrix32{Rows: c.g, Cols: c.d, Data: c.code},
		matrix.Matrix32{Rows: c.g, Cols: c.dims, Data: c.pos}
}

// checkProjection compares with the float64 reference; the points of hard must be those that the kernel
// hands over.
func (c cloud) checkProjection(t *testing.T, m *hosted.Module, name string, dev driver.Device, p embedsom.Params,
	from, to int, hard []int64, tolerance float64) {
	t.Helper()
	_, code, pos := c.mats()
	ref, err := embedsom.NewReference(code, pos, p)
	if err != nil {
		t.Fatal(err)
	}
	w := ref.Worker()
	lo, hi := slices.Min(c.pos), slices.Max(c.pos)
	what := fmt.Sprintf("%s on the %s card: d %d g %d k %d dims %d", name, dev.Name, c.d, c.g, p.K, c.dims)
	var first []float32
	for order := range uint64(2) { // forward and backward: a missing barrier shows in one of them
		out, left := c.project(t, m, name, dev, p, from, to, order)
		slices.Sort(left)
		if !slices.Equal(left, hard) {
			t.Fatalf("%s, order %d: the points %v are left to float64, not %v", what, order, left, hard)
		}
		for i := from; i < to; i++ {
			y := out[(i-from)*c.dims:][:c.dims]
			var want [3]float64
			w.Point(c.x[i*c.d:][:c.d], want[:c.dims])
			for q, v := range y {
				switch {
				case slices.Contains(hard, int64(i)):
					if v != -777 {
						t.Fatalf("%s: point %d, which is left to float64, is written", what, i)
					}
				case want[q] != want[q] && v != v:
				case !(math.Abs(float64(v)-want[q]) <= tolerance*float64(hi-lo)):
					t.Fatalf("%s, order %d: point %d lands at %v, not %v", what, order, i, y, want[:c.dims])
				}
			}
		}
		if order == 0 {
			first = out
		} else if !slices.EqualFunc(out, first, func(a, b float32) bool {
			return math.Float32bits(a) == math.Float32bits(b)
		}) {
			t.Fatalf("%s: the order of the threads changes the result", what)
		}
	}
}

func TestPaperProjection(t *testing.T) {
	m := hosted.Open(t, "../../cuda/kernels/papers_project.cu")
	rng := rand.New(rand.NewPCG(3, 3))
	shapes := []struct{ n, d, g, k, dims int }{
		{9, 16, 64, 16, 2}, {7, 5, 30, 3, 2}, {6, 3, 20, 20, 2}, {5, 39, 100, 11, 3}, {4, 8, 70, 64, 3},
		{3, 130, 90, 33, 2}, {2, 6, 64, 64, 3},
	}
	for _, s := range shapes {
		c := uniform(rng, s.n+2, s.d, s.g, s.dims)
		if c.dims == 3 {
			for i := range c.g {
				c.pos[3*i+2] = 5 * rng.Float32()
			}
		}
		p := embedsom.Params{K: s.k, Boost: 0.5 + 3*rng.Float32(), Adjust: 2 * rng.Float32()}
		for _, name := range allPaperProjections {
			for _, dev := range append([]driver.Device{tight}, cards...) {
				c.checkProjection(t, m, name, dev, p, 1, 1+s.n, nil, 2e-5)
			}
		}
	}
}

// A row that is no point gives NaN; one that float32 cannot do is left to float64.
func TestPaperProjectionEdges(t *testing.T) {
	m := hosted.Open(t, "../../cuda/kernels/papers_project.cu")
	rng := rand.New(rand.NewPCG(4, 4))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for dims := 2; dims <= 3; dims++ {
		c := uniform(rng, 9, 4, 40, dims)
		for i := range c.pos {
			c.pos[i] = 6 * rng.Float32()
		}
		set := func(i int, v ...float32) { copy(c.x[i*4:], v) }
		set(1, nan, 0, 0, 0)
		set(2, 1, inf, 0, 0)
		set(3, 3e38, 0, 0, 0)  // overflows
		set(4, 1e5, 1e5, 0, 0) // distances that differ in their last digits only
		set(5, c.code[20:24]...)
		set(6, 1e19, 0, 0, 0) // squares that are still floats, but not four times them
		p := embedsom.Params{K: 10, Boost: 2, Adjust: 0.2}
		for _, name := range allPaperProjections {
			c.checkProjection(t, m, name, cards[1], p, 0, c.n, []int64{3, 4, 6}, 2e-5)
			flat := c
			flat.pos = slices.Clone(c.pos)
			for i := range flat.g {
				flat.pos[i*dims+1] = 2 * flat.pos[i*dims] // on a line: the equations have no float32 solution
			}
			flat.checkProjection(t, m, name, cards[1], p, 0, c.n, []int64{0, 3, 4, 5, 6, 7, 8}, 2e-5)
			same := c
			same.code = slices.Repeat(c.code[:4], c.g)
			same.checkProjection(t, m, name, cards[1], p, 0, c.n, []int64{0, 3, 4, 5, 6, 7, 8}, 2e-5)
			// a boost so large that only the nearest landmark counts
			c.checkProjection(t, m, name, cards[1], embedsom.Params{K: 10, Boost: 1e6}, 0, c.n,
				[]int64{0, 3, 4, 5, 6, 7, 8}, 2e-5)
			few := c
			few.g, few.pos = 2, []float32{0, 0, 0, 3, 4, 5}
			if dims == 2 {
				few.pos = []float32{0, 0, 3, 4}
			}
			few.checkProjection(t, m, name, cards[1], p, 0, c.n, []int64{0, 3, 4, 5, 6, 7, 8}, 2e-5)
		}
	}
}

func TestPaperProjectionNames(t *testing.T) {
	for name, want := range map[string]struct{ ok, fails bool }{
		"base": {true, false}, "registers:64x4": {true, false}, "table": {false, false}, "base:32x1": {true, true},
		"aligned:33x1": {true, true}, "shared:256x2": {true, true}, "shared:a": {true, true},
	} {
		if _, ok, err := parsePaperProjection(name); ok != want.ok || (err != nil) != want.fails {
			t.Errorf("%q: %v, %v", name, ok, err)
		}
	}
	for _, dev := range cards {
		for _, name := range allPaperProjections {
			v, _, _ := parsePaperProjection(name)
			for _, d := range []int{1, 2, 16, 64, 300, 1024, 4095, 4096} {
				for _, k := range []int{1, 2, 3, 8, 16, 31, 64} {
					for dims := 2; dims <= 3; dims++ {
						l, err := v.plan(dev, cuda.Task{D: d, G: 4096, K: k, Find: k + 1, Dims: dims,
							Count: 1 << 20})
						if err != nil || l.Shared > dev.SharedBlock || l.Block.X*l.Block.Y > 256 || l.Grid.X < 1 {
							t.Fatalf("%s on the %s card, d %d k %d: %+v, %v", name, dev.Name, d, k, l, err)
						}
					}
				}
			}
			if _, err := v.plan(dev, cuda.Task{D: 4, G: 100, K: 10, Find: 12, Dims: 2, Count: 1}); err == nil {
				t.Error("a projection by 10 of 12 neighbours is planned")
			}
		}
	}
}

// A point that moves from among the landmarks to 1e19 times their spread: where float32 has not enough
// digits left, it is handed over in time.
func TestPaperProjectionOutlier(t *testing.T) {
	m := hosted.Open(t, "../../cuda/kernels/papers_project.cu")
	const steps, decades = 400, 20
	for dims := 2; dims <= 3; dims++ {
		rng := rand.New(rand.NewPCG(5, uint64(dims)))
		c := uniform(rng, steps, 6, 100, dims)
		for i := range c.code {
			c.code[i] = float32(4*rng.Float64() + 0.3*rng.NormFloat64())
		}
		for i := range c.pos {
			c.pos[i] = 10 * rng.Float32()
		}
		var way [6]float64
		for q := range way {
			way[q] = rng.NormFloat64()
		}
		for i := range c.n {
			distance := 0.1 * math.Pow(10, decades*float64(i)/steps)
			for q := range way {
				c.x[i*6+q] = c.code[3*6+q] + float32(distance*way[q])
			}
		}
		_, code, pos := c.mats()
		p := embedsom.Params{K: 10, Boost: 1, Adjust: 1}
		ref, err := embedsom.NewReference(code, pos, p)
		if err != nil {
			t.Fatal(err)
		}
		w := ref.Worker()
		for _, name := range paperProjections {
			out, hard := c.project(t, m, name, cards[1], p, 0, c.n, 0)
			var worst float64
			done, last := 0, 0
			for i := range c.n {
				if slices.Contains(hard, int64(i)) {
					continue
				}
				var want [3]float64
				w.Point(c.x[i*6:][:6], want[:dims])
				done, last = done+1, i
				for q := range dims {
					worst = max(worst, math.Abs(float64(out[i*dims+q])-want[q])/10)
				}
			}
			t.Logf("%s, %dD: %d of %d points, the last at %.0f, largest error %.1e", name, dims, done, c.n,
				0.1*math.Pow(10, decades*float64(last)/steps), worst)
			if !(worst < 1e-3) || done < c.n/10 {
				t.Errorf("%s, %dD: %d points, largest error %g", name, dims, done, worst)
			}
		}
	}
}
