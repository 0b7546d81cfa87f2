package cpu

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

func TestBitsDoNotDependOnThreads(t *testing.T) {
	c := enginetest.Blobs(rand.New(rand.NewPCG(3, 3)), 5000, 9, 130, 12, 2)
	for _, name := range Conforming() {
		var want []float32
		for _, threads := range []int{1, 2, 3, 7} {
			e, err := NewVariant(name, engine.Options{Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: c.X.Rows})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got.Data
			} else if !slices.Equal(want, got.Data) {
				t.Errorf("%s: %d threads give other bits than one", name, threads)
			}
			e.Close()
		}
	}
}

// The variants round differently but must agree: they are one engine to a user who changes machines.
func TestVariantsAgree(t *testing.T) {
	c := enginetest.Uniform(rand.New(rand.NewPCG(4, 4)), 3000, 16, 256, 16, 2)
	var want matrix.Matrix32
	for _, name := range Variants() {
		e, err := NewVariant(name, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: c.X.Rows})
		e.Close()
		if err != nil {
			t.Fatal(err)
		}
		if want.Data == nil {
			want = got
			continue
		}
		if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Median > 1e-6 ||
			m.P99 > 1e-5 {
			t.Errorf("%s: %v from the best variant", name, m)
		}
	}
}

// The scalar variant is only a baseline, but one that computes the right thing.
func TestScalarMeetsTheOracle(t *testing.T) {
	if !slices.Contains(Variants(), "scalar") {
		t.Skip("this build has no C kernels")
	}
	for _, o := range enginetest.OracleCases(t) {
		e, err := NewVariant("scalar", engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := enginetest.Embed(e, o.Case, engine.Range{From: 0, To: o.X.Rows})
		e.Close()
		if err != nil {
			t.Fatal(err)
		}
		m := enginetest.Measure(got, o.Want, enginetest.Extent(o.Pos))
		if why := m.Fails(nil); why != "" {
			t.Errorf("%s: %s: %v", o.Name, why, m)
		}
	}
}

func TestNoAllocationInTheFramePath(t *testing.T) {
	ctx := context.Background()
	for _, name := range Conforming() {
		c := enginetest.Uniform(rand.New(rand.NewPCG(5, 5)), 4000, 8, 100, 10, 2)
		e, err := NewVariant(name, engine.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Load(ctx, c.X)
		if err != nil {
			t.Fatal(err)
		}
		l := c.Landmarks()
		var dst embedsom.Target = embedsom.NewHostTarget(4000, 2)
		moved := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos.Clone(), CodeRev: l.CodeRev, PosRev: revision.Next()}
		moved.Pos.Data[10]++
		sets := [2]*landmark.Set{l, moved}
		turn := 0
		frame := func() {
			turn++
			set := sets[turn%2] // a landmark is dragged, to and fro
			r := engine.Range{From: 100, To: 3900}
			if err := errors.Join(res.Neighbours(ctx, set, c.P, r), res.Project(ctx, set, c.P, dst, r)); err != nil {
				t.Fatal(err)
			}
		}
		frame()
		frame()
		if n := testing.AllocsPerRun(20, frame); n != 0 {
			t.Errorf("%s: %g allocations a frame", name, n)
		}
		res.Free()
		e.Close()
	}
}

// countTask counts how often each point is done. The block in place after cancels the run; later ones, of other
// threads, wait until it has.
type countTask struct {
	seen   []atomic.Int32
	ctx    context.Context
	cancel context.CancelFunc
	after  int32
	blocks atomic.Int32
}

func (c *countTask) doRange(_, from, to int) {
	for i := from; i < to; i++ {
		c.seen[i].Add(1)
	}
	switch n := c.blocks.Add(1); {
	case c.after == 0 || n < c.after:
	case n == c.after:
		c.cancel()
	default:
		<-c.ctx.Done()
	}
}

func TestPoolDoesEveryPointOnceAndStops(t *testing.T) {
	for _, threads := range []int{1, 2, 5} {
		p := newPool(threads)
		for _, r := range [][3]int{{0, 1, 16}, {5, 1000, 32}, {31, 33, 32}, {64, 96, 32}, {7, 7, 16}} {
			task := &countTask{seen: make([]atomic.Int32, 1000)}
			if err := p.run(context.Background(), r[0], r[1], r[2], task); err != nil {
				t.Fatal(err)
			}
			for i := range task.seen {
				want := int32(0)
				if i >= r[0] && i < r[1] {
					want = 1
				}
				if got := task.seen[i].Load(); got != want {
					t.Fatalf("%d threads, %v: point %d done %d times", threads, r, i, got)
				}
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		task := &countTask{seen: make([]atomic.Int32, 1000), ctx: ctx, cancel: cancel, after: 3}
		if err := p.run(ctx, 0, 1000, 16, task); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled run returns %v", err)
		}
		if n := int(task.blocks.Load()); n > 3+threads-1 { // each of the others may have begun one
			t.Errorf("%d blocks were done although the third was the last", n)
		}
		p.close()
		if err := p.run(context.Background(), 0, 1000, 16, &countTask{seen: make([]atomic.Int32, 1000)}); err != nil {
			t.Errorf("after close: %v", err)
		}
		p.close()
	}
}

// A cancel in the middle of a long run must come back soon, and a later call must start afresh.
func TestCancelInTheMiddle(t *testing.T) {
	c := enginetest.Uniform(rand.New(rand.NewPCG(6, 6)), 60000, 16, 256, 16, 2)
	e, err := NewVariant("go", engine.Options{Threads: 2}) // the slowest: seconds for all
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	ctx, cancel := context.WithCancel(context.Background())
	res, err := e.Load(ctx, c.X)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Free()
	all := engine.Range{From: 0, To: c.X.Rows}
	time.AfterFunc(5*time.Millisecond, cancel)
	l := c.Landmarks()
	if err := res.Neighbours(ctx, l, c.P, all); !errors.Is(err, context.Canceled) {
		t.Fatalf("a cancelled search returns %v", err)
	}
	if err := res.Project(context.Background(), l, c.P, embedsom.NewHostTarget(c.X.Rows, 2), all); err == nil {
		t.Error("points whose search was cancelled are projected")
	}
}

// The scale that keeps squares in range may change while points have neighbours from before.
func TestScaleChangeKeepsOldNeighbours(t *testing.T) {
	ctx := context.Background()
	for _, name := range Conforming() {
		c := enginetest.Blobs(rand.New(rand.NewPCG(7, 7)), 64, 5, 40, 8, 2)
		e, err := NewVariant(name, engine.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		res, err := e.Load(ctx, c.X)
		if err != nil {
			t.Fatal(err)
		}
		dst := embedsom.NewHostTarget(64, 2)
		l := c.Landmarks()
		wide := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos, CodeRev: revision.Next(), PosRev: l.PosRev}
		for i := range wide.Codebook.Data {
			wide.Codebook.Data[i] *= 1e6
		}
		back := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos, CodeRev: revision.Next(), PosRev: l.PosRev}
		a, b := engine.Range{From: 0, To: 32}, engine.Range{From: 32, To: 64}
		// the first half keeps neighbours of l while the scale goes away and comes back
		if err := errors.Join(res.Neighbours(ctx, l, c.P, a), res.Neighbours(ctx, wide, c.P, b),
			res.Neighbours(ctx, back, c.P, b),
			res.Project(ctx, back, c.P, dst, engine.Range{From: 0, To: 64})); err != nil {
			t.Fatal(err)
		}
		want, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 64})
		if err != nil {
			t.Fatal(err)
		}
		if m := enginetest.Measure(matrix.Matrix32{Rows: 64, Cols: 2, Data: dst.Data}, want,
			enginetest.Extent(c.Pos)); m.Strange > 0 || m.Max > 1e-4 {
			t.Errorf("%s: %v", name, m)
		}
		res.Free()
		e.Close()
	}
}

// More landmarks than the pair table holds, and more than 16-bit ids hold.
func TestManyLandmarks(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	rng := rand.New(rand.NewPCG(8, 8))
	c := enginetest.Uniform(rng, 50, 4, maxTabled+37, 12, 2)
	e, err := New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 50})
	if err != nil {
		t.Fatal(err)
	}
	want, err := embedsom.Embed(context.Background(), c.X, c.Codebook, c.Pos, c.P)
	if err != nil {
		t.Fatal(err)
	}
	if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Max > 1e-5 {
		t.Errorf("beyond the table: %v", m)
	}
	c = enginetest.Uniform(rng, 5, 1, maxLandmarks+1, 12, 2)
	if _, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 5}); err == nil {
		t.Error("more landmarks than ids are accepted")
	}
}

func TestRegistered(t *testing.T) {
	for _, r := range engine.Registered() {
		if r.Name != Name {
			continue
		}
		ok, why, device := r.Probe(engine.Options{})
		e, err := r.New(engine.Options{Threads: 1})
		if !ok || why != "" || device == "" || err != nil || e.Name() != Name || r.Priority != 10 {
			t.Errorf("%+v: %v %q %q %v", r, ok, why, device, err)
		}
		return
	}
	t.Error("the engine is not registered")
}

func TestVariantNames(t *testing.T) {
	if _, err := NewVariant("abacus", engine.Options{}); err == nil {
		t.Error("an unknown variant is accepted")
	}
	for _, name := range Variants() {
		if p := Peak(name, 10); name != "go" && !(p > 0) {
			t.Errorf("%s has a peak of %g operations", name, p)
		}
	}
}

func TestScaleIsAPowerOfTwoNearOne(t *testing.T) {
	for _, spread := range []float64{1e-45, 1e-30, 0.3, 1, 7, 1e20, 3e38} {
		s := suited(spread, 0)
		if f, _ := math.Frexp(float64(s)); f != 0.5 {
			t.Errorf("spread %g: the scale %g is no power of two", spread, s)
		}
		if p := spread * float64(s); spread > 1e-30 && (p < 0.5 || p > 4) {
			t.Errorf("spread %g: the scale %g gives %g", spread, s, p)
		}
		if suited(spread*3, s) != s && spread > 1e-30 && spread < 1e38 {
			t.Errorf("spread %g: the scale does not stay", spread)
		}
	}
	if suited(0, 0) != 1 || suited(0, 4) != 4 {
		t.Error("no spread: the scale should stay or be 1")
	}
}
