package glcompute

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/gpu/enginetest"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// target is a Target as drawing has it.
type target struct {
	*embedsom.HostTarget
	buffer  uint32
	storage uint64
	wrote   engine.Ranges
}

func newTarget(_ testing.TB, n, m int) *target {
	return &target{HostTarget: embedsom.NewHostTarget(n, m)}
}

// onCard gives the target a buffer in the current context.
func (t *target) onCard() *target {
	if t.buffer == 0 {
		gl.GenBuffers(1, &t.buffer)
	}
	t.storage++
	gl.BindBuffer(gl.ARRAY_BUFFER, t.buffer)
	gl.BufferData(gl.ARRAY_BUFFER, 4*t.N*t.M, nil, gl.DYNAMIC_DRAW)
	gl.ClearBufferData(gl.ARRAY_BUFFER, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, nil)
	gl.BindBuffer(gl.ARRAY_BUFFER, 0)
	return t
}

func (t *target) GLBuffer() (uint32, uint64) { return t.buffer, t.storage }
func (t *target) Wrote(from, to int)         { t.wrote.Add(engine.Range{From: from, To: to}) }

func (t *target) read() []float32 {
	v := make([]float32, t.N*t.M)
	b := buffer{id: t.buffer}
	read(&b, 0, v)
	unbind()
	return v
}

// window makes a context current on the test's own thread, as a window has one, and the engine in it.
func window(t *testing.T) *computer {
	t.Helper()
	openEngine(t, engine.Options{}).Close()
	runtime.LockOSThread()
	release, err := offscreen()
	must(t, err)
	e, err := New(engine.Options{GL: func() (func(), error) { return func() {}, nil }, Window: true})
	must(t, err)
	t.Cleanup(func() {
		must(t, e.Close())
		release()
		runtime.UnlockOSThread()
	})
	return e.(*computer)
}

func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
}

// The buffer that is drawn gets the same as the host, hard points and invalid ones too.
func TestDirect(t *testing.T) {
	e := window(t)
	for _, dims := range []int{2, 3} {
		c := enginetest.Blobs(rand.New(rand.NewPCG(4, 4)), 3000, 7, 80, 12, dims)
		for i := range 40 {
			c.X.Row(i * 70)[i%7] = float32(math.Pow(10, float64(i))) // ever farther, then +Inf
		}
		c.X.Row(1)[0] = float32(math.NaN())
		e.device.block = 4 * maxKept * 512 // several pages
		l, all := c.Landmarks(), engine.Range{From: 0, To: 3000}
		want, err := enginetest.Embed(e, c, all)
		must(t, err)
		r := load(t, e, c.X)
		dst := newTarget(t, 3000, dims).onCard()
		must(t, r.Neighbours(ctx, l, c.P, all))
		cuts := []int{0, 1, 33, 512, 1100, 2999, 3000}
		for i := range len(cuts) - 1 {
			must(t, r.Project(ctx, l, c.P, dst, engine.Range{From: cuts[i], To: cuts[i+1]}))
			if r.Status().Path != sharedBuffer {
				t.Errorf("it did not write there: %s", r.Status().Path)
			}
		}
		must(t, r.Wait())
		if got := dst.read(); !sameBits(got, want.Data) {
			for i := range c.X.Rows {
				if !sameBits(got[i*dims:(i+1)*dims], want.Row(i)) {
					t.Fatalf("point %d is at %v, want %v", i, got[i*dims:(i+1)*dims], want.Row(i))
				}
			}
		}
		if !dst.wrote.Contains(all) {
			t.Error("the target was not told")
		}
		// Nothing may be left bound, and no error.
		for _, what := range []uint32{gl.CURRENT_PROGRAM, gl.SHADER_STORAGE_BUFFER_BINDING, gl.ARRAY_BUFFER_BINDING} {
			if v := [1]int32{}; func() bool { gl.GetIntegerv(what, &v[0]); return v[0] != 0 }() {
				t.Errorf("%#x is left at %d", what, v[0])
			}
		}
		must(t, check("all of it"))
		// Without a buffer the host gets them.
		host := newTarget(t, 3000, dims)
		must(t, r.Project(ctx, l, c.P, host, all))
		if r.Status().Path == sharedBuffer || !sameBits(host.Data, want.Data) {
			t.Error("over the host it differs")
		}
		r.Free()
	}
}

// A list of hard points that arrives when the buffer is another one, or k, is dropped.
func TestDirectTargetGone(t *testing.T) {
	e := window(t)
	c := enginetest.Blobs(rand.New(rand.NewPCG(5, 5)), 200, 4, 30, 8, 2)
	for i := range 20 {
		c.X.Row(i)[0] = 1e20
	}
	l, all := c.Landmarks(), engine.Range{From: 0, To: 200}
	r := load(t, e, c.X)
	defer r.Free()
	dst := newTarget(t, 200, 2).onCard()
	must(t, r.Neighbours(ctx, l, c.P, all))
	project := func() { // without the wait that a list that was not empty brings
		r.hard.last = 0
		j := len(r.hard.open)
		must(t, r.Project(ctx, l, c.P, dst, all))
		if len(r.hard.open) == j { // it has arrived already: make another on its way
			r.hard.open = append(r.hard.open, r.hard.idle[len(r.hard.idle)-1])
			r.hard.idle = r.hard.idle[:len(r.hard.idle)-1]
			r.hard.open[j].fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
		}
	}
	project()
	dst.onCard()
	must(t, r.Wait())
	if v := dst.read(); slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		t.Error("a buffer with new storage was written")
	}
	project()
	other := c.P
	other.K = 5
	must(t, r.Neighbours(ctx, l, other, all), r.Wait())
	must(t, r.Project(ctx, l, other, dst, all), r.Wait())
	c.P = other
	want, err := enginetest.Embed(e, c, all)
	must(t, err)
	if !sameBits(dst.read(), want.Data) {
		t.Error("after a change of k it differs")
	}
}

func TestNoAllocationInTheFramePath(t *testing.T) {
	e := window(t)
	c := enginetest.Uniform(rand.New(rand.NewPCG(5, 5)), 2000, 8, 100, 10, 2)
	r := load(t, e, c.X)
	defer r.Free()
	l := c.Landmarks()
	moved := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos.Clone(), CodeRev: l.CodeRev, PosRev: revision.Next()}
	moved.Pos.Data[10]++
	sets := [2]*landmark.Set{l, moved}
	for _, dst := range []*target{newTarget(t, 2000, 2).onCard(), newTarget(t, 2000, 2)} {
		var to embedsom.Target = dst
		turn := 0
		yield := func(engine.Timing) {}
		frame := func() {
			turn++
			set, at := sets[turn%2], engine.Range{From: 100, To: 1900} // a landmark is dragged, to and fro
			if r.Neighbours(ctx, set, c.P, at) != nil || r.Project(ctx, set, c.P, to, at) != nil {
				t.Fatal("failed")
			}
			r.Timings(yield)
		}
		for range 4 {
			frame()
		}
		if n := testing.AllocsPerRun(20, frame); n != 0 {
			t.Errorf("%g allocations a frame", n)
		}
	}
}
