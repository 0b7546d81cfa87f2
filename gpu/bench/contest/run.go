package contest

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"blossom/gpu/cpu"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/landmarks/landmark"
	"blossom/model/work/engine"
)

// run is one contender: its engine, its points, and what was measured on the present shape.
type run struct {
	Contender
	name   string
	engine engine.Engine
	peak   float64 // GFLOP/s

	res  []engine.Resident // a set of points each; they take turns
	n, d int
	of   int  // points of the shape, of which n is the share
	host bool // computes on the points where they are
	sent bool // points of this shape are new to the engine: the first call brings them there

	warm           []bool        // the sets that have been computed once
	near           *landmark.Set // whose neighbours were found last
	quota          int
	once           map[string]bool // stages near and project: far from the best, see prune
	timed          timings
	sample         []float32 // positions of the points that are compared with float64
	maxErr, rmsErr float64
	failed         error
}

// timings are the times of the present shape, by stage.
type timings struct {
	first       map[string]taken
	times, wall map[string][]float64 // ns per point
	device      bool                 // times are from the device's own clock
	spent       time.Duration
}

// taken is how long a call took: by the device's own clock where it has one, and by the clock on the wall.
type taken struct{ device, wall time.Duration }

// Repetitions where the caller does not say.
const (
	hostRepeats = 7
	cardRepeats = 20
	warmPoints  = 1024 // make the processor's tables, outside of the first measurement
)

func (r *run) open() (err error) {
	opt := r.Options
	opt.Threads, opt.Variant = r.Threads, r.Variant
	reg, ok := engine.Named(r.Engine)
	if !ok {
		return problem.New("", "see `blossom doctor`", "there is no engine %q", r.Engine)
	}
	if r.engine, err = reg.New(opt); err != nil {
		return err
	}
	switch knn, projection := r.Options.Knn, r.Options.Projection; {
	case knn+projection != "":
		r.name = knn + " + " + projection
	case r.Variant == "":
		r.name = r.engine.Device()
	case r.cores() == 1:
		r.name = r.Variant + ", 1 core"
	default:
		r.name = fmt.Sprintf("%s, %d cores", r.Variant, r.cores())
	}
	if r.Variant != "" {
		r.peak = peak(r.Variant) * float64(r.cores())
	}
	return nil
}

// title names the run in words.
func (r *run) title() string { return r.Engine + " " + r.name }

func (r *run) cores() int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// peak measures the multiply-adds of one core in GFLOP/s: the best of some short runs.
func peak(variant string) float64 {
	var best float64
	for range 5 {
		t := time.Now()
		ops := cpu.Peak(variant, 100_000)
		best = max(best, ops/float64(time.Since(t).Nanoseconds()))
	}
	return best
}

func (r *run) close() {
	r.free()
	if r.engine != nil {
		_ = r.engine.Close() // nothing was written: there is nothing to lose
	}
}

func (r *run) free() {
	for _, res := range r.res {
		res.Free()
	}
	r.res, r.n, r.d, r.of = nil, 0, 0, 0
}

// fail ends the measurements of this shape and lets go of the points: a failed call may have left
// anything.
func (r *run) fail(err error) {
	r.failed = err
	r.free()
}

// begin makes ready for a shape: points on the engine, one set computed once, and of that the positions
// that are compared with float64.
func (r *run) begin(ctx context.Context, sh Shape, s *sets, o Options) {
	r.timed = timings{first: map[string]taken{}, times: map[string][]float64{}, wall: map[string][]float64{}}
	r.failed, r.once, r.near, r.sample = nil, map[string]bool{}, nil, nil
	r.maxErr, r.rmsErr = 0, 0
	r.sent = r.of != sh.N || r.d != sh.D
	if r.sent {
		r.free()
		if err := r.load(ctx, s); err != nil {
			r.fail(err)
			return
		}
	}
	r.quota = o.Repeats
	switch {
	case r.quota > 0:
	case r.host:
		r.quota = hostRepeats
	default:
		r.quota = cardRepeats
	}
	r.warm = make([]bool, len(r.res))
	s.blank()
	r.warmUp(ctx, s, 0)
	r.keepSample(ctx, s)
}

// load puts points on the engine: several sets of them where a cache could keep one.
func (r *run) load(ctx context.Context, s *sets) error {
	r.n, r.d, r.of = max(1, s.sh.N/max(1, r.Share)), s.sh.D, s.sh.N
	for i := 0; i == 0 || !r.host && i < s.count(); i++ {
		x := s.get(i)
		res, err := r.engine.Load(ctx, matrix.Matrix32{Rows: r.n, Cols: x.Cols, Data: x.Data[:r.n*x.Cols]})
		if err != nil {
			return err
		}
		r.res = append(r.res, res)
		r.host = !res.Caps().Keeps
	}
	return nil
}

// warmUp computes a set once before it is measured: points are sent, memory taken, tables built. Where all
// of that but the points comes with the first few of them, as with published kernels, which are slow, and
// the points are there, a few are enough.
func (r *run) warmUp(ctx context.Context, s *sets, set int) {
	if r.failed != nil || r.warm[set] {
		return
	}
	r.warm[set] = true
	part := all(r.n)
	if r.host || set > 0 && !r.sent && r.Published() {
		part.To = min(warmPoints, r.n)
	}
	a, err := r.time(set, func(res engine.Resident) error { return res.Neighbours(ctx, s.base, s.params, part) })
	var b taken
	if err == nil {
		b, err = r.time(set, func(res engine.Resident) error {
			return res.Project(ctx, s.base, s.params, s.target, part)
		})
	}
	if err != nil {
		r.fail(err)
	}
	if set == 0 {
		r.timed.first[near], r.timed.first[project], r.near = a, b, s.base
	}
}

// repeatsLeft is how many repetitions are still to be made.
func (r *run) repeatsLeft(budget time.Duration) int {
	return max(r.leftOf(near, budget), r.leftOf(project, budget))
}

// leftOf is left for the neighbours, or for the stages that place points.
func (r *run) leftOf(stage string, budget time.Duration) int {
	did := len(r.timed.times[stage])
	switch {
	case r.failed != nil || budget > 0 && did >= 3 && r.timed.spent >= budget:
		return 0
	case r.once[stage]:
		return max(0, 1-did)
	}
	return max(0, r.quota-did)
}

// repeat measures every stage once: with a codebook that has moved, so that nothing of the last result
// can be kept; after that with all positions moved; and in the second frame of a drag of one landmark.
// What has been measured often enough is left out: a slow kernel's neighbours, or its positions.
func (r *run) repeat(ctx context.Context, s *sets, budget time.Duration) {
	find, place := r.leftOf(near, budget) > 0, r.leftOf(project, budget) > 0
	did := len(r.timed.times[project])
	set := max(did, len(r.timed.times[near])) % len(r.res)
	if !find {
		set = 0 // for whose neighbours another search is not needed
	}
	r.warmUp(ctx, s, set)
	start := time.Now()
	stage := func(name string, f func(res engine.Resident) error) {
		if r.failed != nil {
			return
		}
		t, err := r.time(set, f)
		if err != nil {
			r.fail(err)
			return
		}
		if name != "" {
			r.add(name, t)
		}
	}
	l := r.near
	if find {
		l = s.trained(s.base)
		stage(near, func(res engine.Resident) error { return res.Neighbours(ctx, l, s.params, all(r.n)) })
		if set == 0 {
			r.near = l
		}
	}
	put := func(res engine.Resident) error { return res.Project(ctx, l, s.params, s.target, all(r.n)) }
	if place {
		if !find {
			l = s.shaken(l)
		}
		stage(project, put)
	}
	if place && !r.once[project] {
		l = s.shaken(l)
		stage(drag, put)
		which := did % l.Len()
		l = s.dragged(l, which)
		stage("", put)
		l = s.dragged(l, which)
		stage(one, put)
	}
	r.timed.spent += time.Since(start)
}

// add notes a measurement of a stage.
func (r *run) add(stage string, t taken) {
	r.timed.times[stage] = append(r.timed.times[stage], float64(t.device.Nanoseconds())/float64(r.n))
	r.timed.wall[stage] = append(r.timed.wall[stage], float64(t.wall.Nanoseconds())/float64(r.n))
}

// sum makes the times of both stages together. Where one was measured once only, its time is taken anew
// for every one of the other.
func (r *run) sum() {
	for _, m := range []map[string][]float64{r.timed.times, r.timed.wall} {
		a, b := m[near], m[project]
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		m[total] = nil
		for i := range max(len(a), len(b)) {
			m[total] = append(m[total], a[i%len(a)]+b[i%len(b)])
		}
	}
}

// time runs f until its work is done, and says how long it took.
func (r *run) time(set int, f func(engine.Resident) error) (t taken, err error) {
	res := r.res[set]
	async := res.Caps().Async
	if async != nil {
		async.Timings(func(engine.Timing) {}) // forget the timings of earlier work
	}
	start := time.Now()
	err = f(res)
	if async != nil && err == nil {
		err = async.Wait()
	}
	t.wall = time.Since(start)
	if async != nil {
		async.Timings(func(g engine.Timing) { t.device += g.Time - g.Copy })
	}
	if t.device == 0 {
		t.device = t.wall
		return t, err
	}
	r.timed.device = true
	return t, err
}

// wait ends what is under way on the first set.
func (r *run) wait() error {
	if a := r.res[0].Caps().Async; a != nil {
		return a.Wait()
	}
	return nil
}
