//go:build linux && (amd64 || arm64)

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"blossom/gpu/cuda/hosted"
	"blossom/model/base/matrix"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Scores of products of halves are off by no more than their margin, also where all coordinates round the same way, and
// of some by more than a quarter of it.
func TestDenseMarginEmulated(t *testing.T) {
	m := hosted.Open(t, "../kernels/nearest_dense.cu")
	r := rand.New(rand.NewPCG(3, 8))
	worst := 0.0
	for try := range 24 {
		d := []int{9, 16, 39, 100}[try%4]
		b := adverse(r, d, try/8)
		scale := float32(math.Ldexp(1, r.IntN(12)+2))
		got := b.scores(t, m, scale, uint64(try%3))
		unit, flat, least := denseMargin(int64(d), scale)
		for u := range side {
			for v := range side {
				product, square := 0.0, 0.0
				for c := range d {
					x, y := float64(b.packed[c*side+u]), float64(b.packed[(d+c)*side+v])
					product, square = product+x*y, square+y*y
				}
				want := (product - square/2) * float64(scale) * float64(scale)
				both := float64(b.length[u]) + float64(b.length[side+v])
				off := math.Abs(got[u][v]-want) / ((float64(unit)*both+float64(flat))*both + float64(least))
				if worst = max(worst, off); off > 1 {
					t.Fatalf("try %d: %d columns, scale %g: the score of %d and %d is %g, %.3f margins from %g", try, d, scale,
						u, v, got[u][v], off, want)
				}
			}
		}
	}
	if worst < 0.25 {
		t.Errorf("no score is off by more than %.3f of the margin", worst)
	}
}

// scores are those of the rows of the first block with the points of the second, by the kernels, with the threads in
// this order.
func (b *two) scores(t *testing.T, m *hosted.Module, scale float32, order uint64) (out [side][side]float64) {
	t.Helper()
	d, steps, cap := int32(b.d), blocksOf(b.d, 16), 2*side
	half, self, id := make([]float32, 2*side), make([]int32, side), make([]int32, side)
	for i := range 2 * side {
		s := 0.0
		for c := range b.d {
			v := float64(b.packed[(i/side*b.d+c)*side+i%side])
			s += v * v
		}
		half[i] = float32(s / 2)
	}
	for i := range side {
		self[i], id[i] = int32(i), int32(side+i)
	}
	fragments, begins := make([]uint64, 2*256*steps), make([]float32, 2*side)
	if err := m.Launch("nearestFragments", hosted.Dim{X: 2}, hosted.Dim{X: 256}, 0, order, b.packed, half, d,
		int32(steps), scale, fragments, begins); err != nil {
		t.Fatal(err)
	}
	entries, counts, limits := make([]uint64, side*cap), make([]int32, side), make([]float32, side)
	unit, flat, least := denseMargin(int64(d), scale)
	kernel := "nearestDenseAny"
	if steps <= 4 {
		kernel = fmt.Sprint("nearestDense", steps)
	}
	if err := m.Launch(kernel, hosted.Dim{X: 1}, hosted.Dim{X: 128}, 0, order, fragments, b.length, self,
		int32(steps), fragments[256*steps:], begins[side:], b.longest[1:], id, nil, nil, int64(1), int64(0), int64(1),
		int64(1), scale, unit, flat, least, int32(side), int32(cap), int32(1), entries, counts, limits); err != nil {
		t.Fatal(err)
	}
	for u := range side {
		if counts[u] != side {
			t.Fatalf("%d of %d scores of row %d are listed", counts[u], side, u)
		}
		for _, e := range entries[u*cap : u*cap+side] {
			out[u][int(^uint32(e))] = float64(disordered(uint32(e >> 32)))
		}
	}
	return out
}

// Points that halves tell apart are found by products on tensor cores, none of them by comparing with all; where halves
// do not, float32 takes over; and few columns are never for tensor cores.
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
	outlier := normal(300, 20, 1, 0)
	outlier.Data[33] = 1e3
	for name, c := range map[string]struct {
		x     matrix.Matrix32
		dense bool
	}{
		"a step":             {normal(300, 12, 1, 3), true},
		"two steps":          {normal(500, 30, 100, 0), true},
		"three, beside ones": {normal(300, 40, 1e-3, 0.01), true},
		"four":               {normal(200, 64, 1, 0), true},
		"many":               {normal(200, 131, 1, 1), true},
		"one far away":       {outlier, true},
		"clumps":             {normal(700, 20, 1, 200), false},
		"few columns":        {normal(300, 8, 1, 0), false},
	} {
		x := c.x
		q := knn.Query{K: 15}
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
		if err := f.find(); err != nil {
			t.Fatal(err)
		}
		if got := f.dense != nil; got != c.dense || f.left > 0 {
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
