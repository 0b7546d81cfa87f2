package bench

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"blossom/gpu"
	"blossom/gpu/cpu"
	"blossom/model/embedsom"
	"blossom/model/matrix"
	"blossom/model/problem"
)

// run is one contender: its engine, its points, and what was measured on the present shape.
type run struct {
	Contender
	name   string
	engine gpu.Engine
	peak   float64 // GFLOP/s

	res  []gpu.Resident // a set of points each; they take turns
	dst  []*embedsom.HostTarget
	n, d int
	of   int  // points of the shape, of which n is the share
	host bool // computes on the points where they are

	warm           []bool // the sets that have been computed once
	warmA, warmB   time.Duration
	quota          int
	spent          time.Duration
	times, wall    map[string][]float64 // ns per point by stage
	device         bool                 // times are from the device's own clock
	maxErr, rmsErr float64
	failed         error
}

// Repetitions where the caller does not say.
const (
	hostRepeats = 7
	cardRepeats = 20
	warmPoints  = 1024 // make the processor's tables, outside of the first measurement
)

func (r *run) open() (err error) {
	opt := r.Options
	opt.Threads = r.Threads
	if r.Variant != "" {
		r.engine, err = cpu.NewVariant(r.Variant, opt)
	} else {
		err = problem.New("", "see `blossom doctor`", "there is no engine %q", r.Engine)
		for _, reg := range gpu.Registered() {
			if reg.Name == r.Engine {
				r.engine, err = reg.New(opt)
			}
		}
	}
	if err != nil {
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
	r.res, r.dst, r.n, r.d, r.of = nil, nil, 0, 0, 0
}

// fail ends the measurements of this shape and lets go of the points: a failed call may have left
// anything.
func (r *run) fail(err error) {
	r.failed = err
	r.free()
}

// begin makes ready for a shape: points on the engine, and one set computed once.
func (r *run) begin(ctx context.Context, sh Shape, s *sets, o Options) {
	r.times, r.wall, r.spent, r.failed, r.device = map[string][]float64{}, map[string][]float64{}, 0, nil, false
	r.maxErr, r.rmsErr = 0, 0
	if r.of != sh.N || r.d != sh.D {
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
	r.warmUp(ctx, s, 0)
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
		r.dst = append(r.dst, embedsom.NewHostTarget(r.n, 2))
		_, keeps := res.(gpu.Keeper)
		r.host = !keeps
	}
	return nil
}

// warmUp computes a set once, unmeasured: points are sent, memory taken, tables built.
func (r *run) warmUp(ctx context.Context, s *sets, set int) {
	if r.failed != nil || r.warm[set] {
		return
	}
	r.warm[set] = true
	part := all(r.n)
	if r.host {
		part.To = min(warmPoints, r.n)
	}
	var a, b time.Duration
	var err error
	if a, _, err = r.time(set, func(res gpu.Resident) error { return res.Neighbours(ctx, s.base, s.params, part) }); err == nil {
		b, _, err = r.time(set, func(res gpu.Resident) error { return res.Project(ctx, s.base, s.params, r.dst[set], part) })
	}
	if err != nil {
		r.fail(err)
	}
	r.warmA, r.warmB = a, b
}

// left is how many repetitions are still to be made.
func (r *run) left(budget time.Duration) int {
	did := len(r.times[near])
	if r.failed != nil || budget > 0 && did >= 3 && r.spent >= budget {
		return 0
	}
	return max(0, r.quota-did)
}

// repeat measures every stage once: with a codebook that has moved, so that nothing of the last result
// can be kept; after that with all positions moved; and in the second frame of a drag of one landmark.
func (r *run) repeat(ctx context.Context, s *sets) {
	did := len(r.times[near])
	set := did % len(r.res)
	r.warmUp(ctx, s, set)
	start := time.Now()
	stage := func(name string, f func(res gpu.Resident) error) {
		if r.failed != nil {
			return
		}
		device, wall, err := r.time(set, f)
		if err != nil {
			r.fail(err)
			return
		}
		if name != "" {
			r.times[name] = append(r.times[name], float64(device.Nanoseconds())/float64(r.n))
			r.wall[name] = append(r.wall[name], float64(wall.Nanoseconds())/float64(r.n))
		}
	}
	l := s.trained(s.base)
	stage(near, func(res gpu.Resident) error { return res.Neighbours(ctx, l, s.params, all(r.n)) })
	put := func(res gpu.Resident) error { return res.Project(ctx, l, s.params, r.dst[set], all(r.n)) }
	stage(project, put)
	l = s.shaken(l)
	stage(drag, put)
	which := did % l.Len()
	l = s.dragged(l, which)
	stage("", put)
	l = s.dragged(l, which)
	stage(one, put)
	if r.failed == nil {
		r.times[total] = append(r.times[total], r.times[near][did]+r.times[project][did])
		r.wall[total] = append(r.wall[total], r.wall[near][did]+r.wall[project][did])
	}
	r.spent += time.Since(start)
}

// time runs f until its work is done, and says how long it took: on the device by its own clock where it
// has one, and by the clock on the wall.
func (r *run) time(set int, f func(gpu.Resident) error) (device, wall time.Duration, err error) {
	res := r.res[set]
	async, _ := res.(gpu.Async)
	if async != nil {
		async.Timings(func(gpu.Timing) {}) // what is left of earlier work
	}
	start := time.Now()
	err = f(res)
	if async != nil && err == nil {
		err = async.Wait()
	}
	wall = time.Since(start)
	if async != nil {
		async.Timings(func(t gpu.Timing) { device += t.Time - t.Copy })
	}
	if device == 0 {
		return wall, wall, err
	}
	r.device = true
	return device, wall, err
}

// wait ends what is under way on the first set.
func (r *run) wait() error {
	if a, ok := r.res[0].(gpu.Async); ok {
		return a.Wait()
	}
	return nil
}

// prune lets published kernels that cannot be the best of either stage be measured once only: they
// take most of the time of a large grid. That they are far is known from their first run.
func prune(runs []*run) {
	const far = 3
	var bestA, bestB time.Duration
	for _, r := range runs {
		if r.Published() && r.failed == nil {
			if bestA == 0 || r.warmA < bestA {
				bestA = r.warmA
			}
			if bestB == 0 || r.warmB < bestB {
				bestB = r.warmB
			}
		}
	}
	for _, r := range runs {
		if r.Published() && r.warmA > far*bestA && r.warmB > far*bestB {
			r.quota = 1
		}
	}
}
