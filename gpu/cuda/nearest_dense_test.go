//go:build linux && (amd64 || arm64)

package cuda

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/hosted"
	"blossom/model/base/matrix"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Scores of products of halves are off by no more than their margin, also where all coordinates round the same way,
// with centres of cells and with one of all points. Some are off by a good part of it; with cells a margin is mostly
// for what float32 does to points far from these centres, whose errors seldom add up.
func TestDenseMarginEmulated(t *testing.T) {
	m := hosted.Open(t, "../kernels/nearest_dense.cu")
	r := rand.New(rand.NewPCG(3, 8))
	var worst [2]float64
	for try := range 48 {
		d, cells := []int{9, 16, 39, 100}[try/2%4], try%2
		b := adverse(r, d, try/16)
		got, margins := b.scores(t, m, float32(math.Ldexp(1, r.IntN(12)+2)), cells == 1, uint64(try%3))
		for u := range side {
			for v := range side {
				want := b.score(u, v, cells == 1)
				off := math.Abs(got[u][v]-want) / margins[u][v]
				if worst[cells] = max(worst[cells], off); off > 1 {
					t.Fatalf("try %d: %d columns, cells %d: the score of %d and %d is %g, %.3f margins from %g", try,
						d, cells, u, v, got[u][v], off, want)
				}
			}
		}
	}
	if worst[0] < 0.25 || worst[1] < 0.02 {
		t.Errorf("no score is off by more than %.3f of the margin", worst)
	}
}

// score is that of a row of the first block and a point of the second.
func (b *two) score(u, v int, cells bool) float64 {
	if cells {
		return -b.apart(u, v) * b.apart(u, v) / 2
	}
	product, square := 0.0, 0.0
	for c := range b.d {
		x, y := float64(b.packed[c*side+u]), float64(b.packed[(b.d+c)*side+v])
		product, square = product+x*y, square+y*y
	}
	return product - square/2
}

// scores are those of the rows of the first block with the points of the second, by the kernels, with the threads in
// this order, and their margins.
func (b *two) scores(t *testing.T, m *hosted.Module, scale float32, cells bool, order uint64) (out,
	margins [side][side]float64) {
	t.Helper()
	launch := func(kernel string, grid, block int, args ...any) {
		if err := m.Launch(kernel, hosted.Dim{X: grid}, hosted.Dim{X: block}, 0, order, args...); err != nil {
			t.Fatal(err)
		}
	}
	d, steps, room := int32(b.d), blocksOf(b.d, 16), 2*side
	half, self := make([]float32, 2*side), make([]int32, side)
	for i := range 2 * side {
		s := 0.0
		for c := range b.d {
			v := float64(b.packed[(i/side*b.d+c)*side+i%side])
			s += v * v
		}
		half[i] = float32(s / 2)
	}
	for i := range side {
		self[i] = int32(i)
	}
	first, centres := []int32{0, 1, 2}, make([]float32, 2*b.d)
	list, zero, parts := []int32{1}, []int32{0}, []int64{0, 1}
	fragments, begins := make([]uint64, 2*256*steps), make([]float32, 2*side)
	radius, radii := make([]float32, 2*side), make([]float32, 2)
	var pins runtime.Pinner
	defer pins.Unpin()
	a := denseArgs{count: 1, to: 1, blocks: 1, d: d, steps: int32(steps), k: side, cap: int32(room), begin: 1}
	a.margins(int64(d), scale)
	if cells {
		if err := m.Launch("nearestCentre", hosted.Dim{X: 2, Y: b.d}, hosted.Dim{X: 128}, 0, order, b.packed, half, d,
			first, centres); err != nil {
			t.Fatal(err)
		}
		launch("nearestFragments", 2, 256, b.packed, half, b.length, d, int32(steps), scale, []int32{0, 1}, centres,
			fragments, radius, radii, nil)
		launch("nearestBegins", 1, 256, b.packed, half, d, scale, centres, list, zero, zero, first, begins)
		a.start, a.list, a.place, a.first = addressOf(&pins, parts), addressOf(&pins, list), addressOf(&pins, zero),
			addressOf(&pins, first)
	} else {
		launch("nearestFragments", 2, 256, b.packed, half, b.length, d, int32(steps), scale, nil, nil, fragments,
			radius, radii, begins)
		a.list, a.count, a.to = addressOf(&pins, list), 1, 1
	}
	entries, counts, limits := make([]uint64, side*room), make([]int32, side), make([]float32, side)
	a.rows, a.values, a.length, a.radius = addressOf(&pins, fragments), addressOf(&pins, b.packed),
		addressOf(&pins, b.length), addressOf(&pins, radius)
	a.self, a.fragments, a.begins = addressOf(&pins, self), addressOf(&pins, fragments), addressOf(&pins, begins)
	a.longest, a.radii, a.centres = addressOf(&pins, b.longest), addressOf(&pins, radii), addressOf(&pins, centres)
	a.entries, a.counts, a.limits = addressOf(&pins, entries), addressOf(&pins, counts), addressOf(&pins, limits)
	kernel := nearestDense[0]
	if steps < len(nearestDense) {
		kernel = nearestDense[steps]
	}
	launch(kernel, 1, 128, &a)
	square := float64(scale) * float64(scale)
	for u := range side {
		if counts[u] != side {
			t.Fatalf("%d of %d scores of row %d are listed", counts[u], side, u)
		}
		for _, e := range entries[u*room : u*room+side] {
			slot := int(^uint32(e))
			both, apart := float64(b.length[u]+b.length[slot]), float64(radius[u])
			if cells {
				apart = b.from(u, centres[b.d:])
			}
			near := float64(radius[u] + radius[slot])
			apart += near
			margins[u][slot-side] = (float64(a.halfUnit)*near+float64(a.halfFlat)/float64(scale))*near +
				float64(a.halfLeast)/square + (float64(a.halfFar)*apart+0x1.02p-24*both)*apart
			out[u][slot-side] = float64(disordered(uint32(e>>32))) / square
		}
	}
	return out, margins
}

// from is how far a row of the first block is from a centre.
func (b *two) from(u int, centre []float32) float64 {
	s := 0.0
	for c := range b.d {
		v := float64(b.packed[c*side+u]) - float64(centre[c])
		s += v * v
	}
	return math.Sqrt(s)
}

// addressOf is the address of a list for kernels that run on the host.
func addressOf[T any](pins *runtime.Pinner, list []T) driver.Ptr {
	pins.Pin(&list[0])
	return driver.Ptr(uintptr(unsafe.Pointer(&list[0])))
}

// Points that halves tell apart are found by products on tensor cores, none of them by comparing with all, also clumps
// far from each other that are cells; where halves do not, float32 takes over; and few columns are never for tensor
// cores.
func TestDenseRungs(t *testing.T) {
	needsCard(t)
	emulated(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !e.(*card).hasTensor() {
		t.Skip("this card has no tensor cores")
	}
	r := rand.New(rand.NewPCG(5, 6))
	normal := func(n, d int, wide, far float64) matrix.Matrix32 {
		x := matrix.New(n, d)
		for i := range x.Data {
			x.Data[i] = float32(r.NormFloat64()*wide + far*float64(i/d%2))
		}
		return x
	}
	outlier, equal := normal(300, 20, 1, 0), normal(2000, 20, 1, 0)
	for i := 30; i < 280; i++ { // more than a list has room for
		copy(equal.Row(i), equal.Row(29))
	}
	outlier.Data[33] = 1e3
	for name, c := range map[string]struct {
		x     matrix.Matrix32
		dense bool
		cells int
	}{
		"a step":             {normal(300, 12, 1, 3), true, 0},
		"two steps":          {normal(500, 30, 100, 0), true, 0},
		"three, beside ones": {normal(300, 40, 1e-3, 0.01), true, 0},
		"four":               {normal(200, 64, 1, 0), true, 0},
		"many":               {normal(200, 131, 1, 1), true, 0},
		"one far away":       {outlier, true, 0},
		"clumps":             {normal(700, 20, 1, 200), false, 0},
		"equal points":       {equal, true, 0},
		"clumps in cells":    {normal(700, 20, 1, 200), true, 2},
		"outlier in cells":   {outlier, true, 4},
		"few columns":        {normal(300, 8, 1, 0), false, 0},
	} {
		x := c.x
		q := knn.Query{K: 15}
		if c.cells > 0 {
			if q.Cells, err = knn.MakeCells(t.Context(), x, c.cells, 1, nil); err != nil {
				t.Fatal(err)
			}
			q.Cells.Look(c.cells, 15)
		}
		loaded, err := e.Load(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		out := knn.NewLists(x, q)
		leave, err := e.(*card).c.Enter()
		if err != nil {
			t.Fatal(err)
		}
		f := finder{r: loaded.(*resident), ctx: t.Context(), q: q, out: out, shares: 1}
		if err := f.begin(f.r.e); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.find(), f.brought()); err != nil {
			t.Fatal(err)
		}
		if got := f.dense != nil; got != c.dense || f.left > 0 && name != "equal points" {
			t.Errorf("%s: on tensor cores %v, want %v; %d rows compared with all", name, got, c.dense, f.left)
		}
		f.end()
		leave()
		loaded.Free()
		want := knn.NewLists(x, q)
		if err := knn.Search(t.Context(), x, q, want); err != nil {
			t.Fatal(err)
		}
		for i, v := range want.Index {
			if out.Index[i] != v || out.Beyond[i] != want.Beyond[i] {
				t.Fatalf("%s: neighbour %d of %d is %d, want %d", name, i%15, i/15, out.Index[i], v)
			}
		}
	}
}

// Many rows look through cells, of which those too far away are left out, and find the nearest of all points: where
// groups are near each other, far apart, far from the mean, of one place, and where some points are invalid.
func TestDenseFindsTheNearestThroughCells(t *testing.T) {
	needsCard(t)
	emulated(t)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if !e.(*card).hasTensor() {
		t.Skip("this card has no tensor cores")
	}
	defer func(was int) { allCellsLeast = was }(allCellsLeast)
	allCellsLeast = 1
	r := rand.New(rand.NewPCG(7, 3))
	for name, c := range map[string]struct {
		d             int
		apart, spread float64
	}{"near": {12, 2, 1}, "apart": {30, 30, 1}, "far": {16, 3e4, 1}, "places": {20, 5, 0}, "rings": {10, 8, 3}} {
		const n, groups = 1100, 7
		x := matrix.New(n, c.d)
		for i := range n {
			own, row := rand.New(rand.NewPCG(uint64(i%groups), 1)), x.Row(i)
			for j := range row {
				row[j] = float32(c.apart*own.NormFloat64() + c.spread*r.NormFloat64())
			}
			if i%groups == 3 { // one group is much wider
				row[0] *= 20
			}
		}
		x.Row(17)[2], x.Row(900)[0] = float32(math.NaN()), float32(math.Inf(1))
		loaded, err := e.Load(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		q := knn.Query{K: 11}
		got, want := knn.NewLists(x, q), knn.NewLists(x, q)
		if err := errors.Join(loaded.Caps().Neighbours.Others(t.Context(), q, got),
			knn.Search(t.Context(), x, q, want)); err != nil {
			t.Fatal(err)
		}
		loaded.Free()
		for i, v := range want.Index {
			if got.Index[i] != v || got.Beyond[i] != want.Beyond[i] {
				t.Fatalf("%s: neighbour %d of %d is %d, want %d", name, i%q.K, i/q.K, got.Index[i], v)
			}
		}
	}
}
