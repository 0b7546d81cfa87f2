package glcompute

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
	"blossom/shaders"
)

var ctx = context.Background()

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func load(t testing.TB, e engine.Engine, x matrix.Matrix32) *resident {
	t.Helper()
	r, err := e.Load(ctx, x)
	must(t, err)
	return r.(*resident)
}

func registration(t *testing.T) engine.Registration {
	t.Helper()
	list := engine.Registered()
	i := slices.IndexFunc(list, func(r engine.Registration) bool { return r.Name == Name })
	if i < 0 {
		t.Fatal("the engine is not registered")
	}
	return list[i]
}

func TestRegistered(t *testing.T) {
	openEngine(t, engine.Options{}).Close()
	r := registration(t)
	ok, why, device := r.Probe(engine.Options{GL: offscreen})
	if !ok || why != "" || device == "" || r.Priority != 20 {
		t.Errorf("%v %q %q, priority %d", ok, why, device, r.Priority)
	}
	if software := strings.Contains(device, "software"); r.Prefer(engine.Options{GL: offscreen}) == software {
		t.Errorf("%q is preferred: %v", device, !software)
	}
	if _, err := r.New(engine.Options{GL: offscreen, Knn: "bitonic"}); err == nil {
		t.Error("a kernel that is not there is accepted")
	}
}

func TestNotHere(t *testing.T) {
	r := registration(t)
	broken := func() (func(), error) { return nil, problem.New("", "install one", "there is no driver") }
	for _, o := range []engine.Options{{}, {GL: broken}, {GL: broken, Window: true}} {
		ok, why, _ := r.Probe(o)
		if ok || !strings.HasPrefix(why, "not here: ") || o.GL != nil &&
			!strings.Contains(why, "there is no driver: install one") {
			t.Errorf("%v %q", ok, why)
		}
		if _, err := r.New(o); err == nil || r.Prefer(o) {
			t.Error("it opens all the same")
		}
	}
}

// An OpenGL without compute shaders is told apart without calling what it has not.
func TestTooOld(t *testing.T) {
	if os.Getenv("MESA_GL_VERSION_OVERRIDE") != "" {
		_, why, _ := registration(t).Probe(engine.Options{GL: func() (func(), error) { return contextOf(3, 3) }})
		t.Log(why)
		return
	}
	openEngine(t, engine.Options{}).Close()
	c := exec.Command(os.Args[0], "-test.run=^TestTooOld$", "-test.v")
	c.Env = append(os.Environ(), "MESA_GL_VERSION_OVERRIDE=4.2", "BLOSSOM_REQUIRE_GL=", "CI=")
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "not here: computing needs OpenGL 4.3") {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestKernelsCompile(t *testing.T) {
	e := openEngine(t, engine.Options{}).(*computer)
	defer e.Close()
	most := e.device.chunk
	sizes := map[string][][2]int{
		"neighbours": {{listFor(1), 1}, {listFor(20), 4}, {listFor(33), most}, {listFor(maxKept), most + 1}},
		"far":        {{4, 0}, {maxKept, 0}},
		"project":    {{4, 2}, {16, 3}, {maxKept, 2}, {maxKept, 3}},
	}
	for _, name := range shaders.Compute {
		for _, s := range append(sizes[name], [2]int{4, 2})[:max(1, len(sizes[name]))] {
			e.thread.run(func() {
				if _, err := e.programs.get(variant{name, s[0], s[1]}); err != nil {
					t.Errorf("%s %v: %v", name, s, err)
				}
			})
		}
	}
}

// The card does the work, not the reference that stands in for it.
func TestTheCardDoesIt(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []enginetest.Case{
		enginetest.Uniform(rng, 700, 16, 256, 16, 2), enginetest.Uniform(rng, 2000, 5, 64, 10, 3),
		enginetest.Blobs(rng, 700, 39, 200, 20, 2), enginetest.Blobs(rng, 500, 300, 50, 10, 2),
	} {
		r := load(t, e, c.X)
		l, all := c.Landmarks(), engine.Range{From: 0, To: c.X.Rows}
		must(t, r.Neighbours(ctx, l, c.P, all), r.Project(ctx, l, c.P, embedsom.NewHostTarget(c.X.Rows, c.Pos.Cols),
			all))
		e.(*computer).thread.run(func() {
			if n, err := r.hard.fetch(r.hard.idle[0]); err != nil || n > c.X.Rows/50 || r.host {
				t.Errorf("%s, %d columns: %d of %d points are left to the reference (%v)", c.Name, c.X.Cols, n,
					c.X.Rows, err)
			}
		})
		r.Free()
	}
}

// However little memory there is for invocations and lists, and whatever the latter have room for, the numbers are
// right.
func TestShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	cases := []enginetest.Case{
		enginetest.Uniform(rng, 200, 6, 300, 16, 3), enginetest.Blobs(rng, 50, 3, 150, 100, 2),
		enginetest.Blobs(rng, 100, 36, 200, 10, 2),
	}
	ties := cases[1].Codebook // fewer places than are found
	for i := range ties.Rows {
		for q := range ties.Row(i) {
			ties.Row(i)[q] = float32((i >> q) % 2)
		}
	}
	for _, little := range []int{1 << 14, 1 << 13} {
		e := openEngine(t, engine.Options{}).(*computer)
		e.device.shared, e.device.lists = little, little // one group of invocations of the lists after the other
		e.programs.device = e.device
		for _, c := range cases {
			got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: c.X.Rows})
			must(t, err)
			want, err := embedsom.Embed(ctx, c.X, c.Codebook, c.Pos, c.P)
			must(t, err)
			if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Median > 1e-5 ||
				m.P99 > 1e-3 {
				t.Errorf("%d bytes, %s of %d columns: %v", little, c.Name, c.X.Cols, m)
			}
		}
		must(t, e.Close())
	}
}

// Whatever the parts that the points are kept in, and however few of them fit: the same bits.
func TestPagesAndMemory(t *testing.T) {
	c := enginetest.Blobs(rand.New(rand.NewPCG(3, 3)), 1500, 9, 60, 12, 2)
	copy(c.X.Row(700), []float32{1e30})
	l := c.Landmarks()
	var want []float32
	for _, o := range []struct {
		block    int
		memory   int64
		plan     string
		refuseAt int // the allocation of pages that fails, 0: none
	}{
		{1 << 27, 0, "", 0},
		{4 * maxKept * 256, 0, "", 0},
		{4 * maxKept * 256, 176_000, "1 of 6 parts", 0},
		{4 * maxKept * 256, 1, "0 of 6 parts", 0},
		{4 * maxKept * 256, 0, "3 of 6 parts", 4*3 + 1},
	} {
		e := openEngine(t, engine.Options{Memory: o.memory}).(*computer)
		e.device.block = o.block
		r := load(t, e, c.X)
		dst := embedsom.NewHostTarget(c.X.Rows, 2)
		made := 0
		refuse = func(bytes int) bool {
			if bytes == 4*12*256 || bytes == 4*12*(1500-5*256+4) {
				made++
			}
			return o.refuseAt > 0 && made > 4 && bytes == 4*12*256
		}
		for _, to := range []int{300, 1500} { // the second time over points that were there
			at := engine.Range{From: 0, To: to}
			must(t, r.Neighbours(ctx, l, c.P, at), r.Project(ctx, l, c.P, dst, at))
		}
		refuse = nil
		if m := r.Status(); !strings.HasPrefix(m.Plan, o.plan) || (m.Plan == "") != (o.plan == "") || m.Points == 0 ||
			m.Neighbours == 0 || m.Other == 0 {
			t.Errorf("%+v: %+v", o, m)
		}
		if want == nil {
			want = dst.Data
		} else if !slices.Equal(want, dst.Data) {
			t.Errorf("%+v: other bits", o)
		}
		r.Free()
		must(t, e.Close(), e.Close())
		r.Free() // too late, but harmless
	}
}

// A card that is full says so, with a remedy, and is not trusted any more.
func TestOutOfMemory(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	c := enginetest.Uniform(rand.New(rand.NewPCG(3, 3)), 100, 5, 40, 8, 2)
	r := load(t, e, c.X)
	defer r.Free()
	refuse = func(int) bool { return true }
	err := r.Neighbours(ctx, c.Landmarks(), c.P, engine.Range{From: 0, To: 100})
	refuse = nil
	var p *problem.Problem
	if !errors.As(err, &p) || p.Remedy == "" || !strings.Contains(p.What, "out of memory") {
		t.Errorf("got %v", err)
	}
	if r.Wait() == nil || r.Project(ctx, c.Landmarks(), c.P, embedsom.NewHostTarget(100, 2),
		engine.Range{From: 0, To: 0}) != nil {
		t.Error("the failure is forgotten")
	}
}

// The scale that keeps squares in range may change while points have neighbours from before; so may
// what the card can do at all.
func TestScaleChangeKeepsOldNeighbours(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	for _, f := range []float32{1e6, 1e-6, 1e-35} {
		c := enginetest.Blobs(rand.New(rand.NewPCG(7, 7)), 64, 5, 40, 8, 2)
		r := load(t, e, c.X)
		dst := embedsom.NewHostTarget(64, 2)
		l := c.Landmarks()
		other := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos, CodeRev: revision.Next(), PosRev: l.PosRev}
		for i := range other.Codebook.Data {
			other.Codebook.Data[i] *= f
		}
		back := &landmark.Set{Codebook: l.Codebook, Pos: l.Pos, CodeRev: revision.Next(), PosRev: l.PosRev}
		a, b := engine.Range{From: 0, To: 32}, engine.Range{From: 32, To: 64}
		// the first half keeps neighbours of l while the scale goes away and comes back
		must(t, r.Neighbours(ctx, l, c.P, a), r.Neighbours(ctx, other, c.P, b), r.Project(ctx, other, c.P, dst, b),
			r.Neighbours(ctx, back, c.P, b), r.Project(ctx, back, c.P, dst, engine.Range{From: 0, To: 64}))
		want, err := embedsom.Embed(ctx, c.X, c.Codebook, c.Pos, c.P)
		must(t, err)
		if m := enginetest.Measure(matrix.Matrix32{Rows: 64, Cols: 2, Data: dst.Data}, want,
			enginetest.Extent(c.Pos)); m.Strange > 0 || m.Max > 1e-4 {
			t.Errorf("%g: %v", f, m)
		}
		r.Free()
	}
}

// More landmarks than the pair table holds, and more than 16-bit ids hold.
func TestManyLandmarks(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	rng := rand.New(rand.NewPCG(8, 8))
	c := enginetest.Uniform(rng, 30, 4, 4096+37, 12, 2)
	got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 30})
	must(t, err)
	want, err := embedsom.Embed(ctx, c.X, c.Codebook, c.Pos, c.P)
	must(t, err)
	if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Max > 1e-5 {
		t.Errorf("beyond the table: %v", m)
	}
	c = enginetest.Uniform(rng, 5, 1, maxLandmarks+1, 12, 2)
	if _, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 5}); err == nil {
		t.Error("more landmarks than ids are accepted")
	}
}

// Mesa's software ends loops that go round too often, without a word.
func TestMoreLoopsThanMesaAllows(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	rng := rand.New(rand.NewPCG(6, 6))
	sizes := [][3]int{{300, 1000, 1}, {200, 400, 20}, {32, 2000, 10}, {300, 80, 64}}
	switch {
	case os.Getenv("BLOSSOM_LONG") != "": // between those
		sizes = append(sizes, [3]int{300, 500, 1}, [3]int{64, 1200, 10})
	case !enginetest.Software.Whole(t):
		sizes = sizes[1:2]
	}
	for _, s := range sizes {
		c := enginetest.Blobs(rng, 60, s[0], s[1], s[2], 2)
		for i := 0; i+1 < s[1]; i += 2 { // twins, whose pairs are computed from coordinates
			for q, v := range c.Codebook.Row(i) {
				c.Codebook.Row(i + 1)[q] = v + 1e-4*rng.Float32()
			}
		}
		got, err := enginetest.Embed(e, c, engine.Range{From: 0, To: 60})
		must(t, err)
		want, err := embedsom.Embed(ctx, c.X, c.Codebook, c.Pos, c.P)
		must(t, err)
		// Loops that end early are off by parts of the map; twins in hundreds of columns by some 1e-5 of it.
		if m := enginetest.Measure(got, want, enginetest.Extent(c.Pos)); m.Strange > 0 || m.Median > 3e-5 ||
			m.P99 > 1e-3 {
			t.Errorf("%v: %v", s, m)
		}
	}
}

func TestTimings(t *testing.T) {
	e := openEngine(t, engine.Options{})
	defer e.Close()
	c := enginetest.Uniform(rand.New(rand.NewPCG(9, 9)), 500, 8, 64, 10, 2)
	r := load(t, e, c.X)
	defer r.Free()
	l := c.Landmarks()
	must(t, r.Neighbours(ctx, l, c.P, engine.Range{From: 0, To: 500}),
		r.Project(ctx, l, c.P, embedsom.NewHostTarget(500, 2), engine.Range{From: 7, To: 300}), r.Wait())
	var got []engine.Timing
	r.Timings(func(x engine.Timing) { got = append(got, x) })
	if len(got) != 2 || got[0].Stage != engine.StageNeighbours || got[0].Points != 500 ||
		got[1].Stage != engine.StageProject ||
		got[1].Points != 293 || got[0].Time <= 0 || got[1].Time <= 0 {
		t.Errorf("%+v", got)
	}
	r.Timings(func(x engine.Timing) { t.Errorf("again: %+v", x) })
	for range 2 * maxSamples { // nobody asks: they must not pile up
		must(t, r.Project(ctx, l, c.P, embedsom.NewHostTarget(500, 2), engine.Range{From: 0, To: 1}))
	}
	if len(r.clock.open) > maxSamples {
		t.Errorf("%d samples are kept", len(r.clock.open))
	}
}
