package live

import (
	"context"
	"errors"
	"fmt"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
	"blossom/model/work/schedule"
)

// device is the points on the engine in use, and what it offers.
type device struct {
	m        *Map
	engines  *engine.Chooser
	resident engine.Resident
	caps     engine.Caps
	broken   bool // it has failed in training
	plan     string
}

func (d *device) keep(r engine.Resident) {
	*d = device{m: d.m, engines: d.engines, resident: r, caps: r.Caps()}
	d.m.proj.unsettled, d.m.proj.resting = false, 0
	d.m.proj.sched.Async(d.caps.Async != nil)
}

func (d *device) free() {
	if d.caps.Async != nil {
		_ = d.caps.Async.Wait() // its result is not wanted any more; the target may go away after this
	}
	if d.resident != nil {
		d.resident.Free()
	}
	*d = device{m: d.m, engines: d.engines}
	d.m.proj.unsettled, d.m.proj.resting = false, 0
	d.m.proj.sched.Finished()
}

// load puts the table on the engine; if the engine cannot take it, on the next one. The picture on
// screen stays if it is one of as many points.
func (d *device) load() error {
	d.free()
	for {
		e := d.engines.Engine()
		if e == nil {
			return engine.ErrNoEngine()
		}
		r, err := e.Load(context.Background(), d.m.table.X)
		if err == nil {
			d.keep(r)
			d.m.proj.anew()
			return nil
		}
		if !d.engines.Next() {
			return problem.Wrap(err, "", "close other programs or open a sample of the points",
				"the points do not fit on engine %s: %v", e.Name(), err)
		}
		d.moved(e, err)
	}
}

// moved tells that another engine has taken over.
func (d *device) moved(from engine.Engine, cause error) {
	d.m.alert(fmt.Sprintf("engine %s failed (%v); now on %s", from.Name(), cause, d.engines.Engine().Name()))
	d.m.proj.sched.Forget()
}

// reload puts the points on another engine: all is computed anew, over the picture that there is.
func (d *device) reload() error {
	n := d.m.proj.sched.Len()
	before := d.m.proj.sched
	if err := d.load(); err != nil {
		return err
	}
	if n == d.m.table.X.Rows {
		d.m.proj.sched = before
		d.m.proj.sched.Forget()
		d.m.proj.sched.Invalidate()
		d.m.proj.sched.Async(d.caps.Async != nil)
	}
	return nil
}

// report takes the measurements of work that has finished meanwhile.
func (d *device) report() {
	if d.caps.Async != nil {
		d.caps.Async.Timings(d.observed)
	}
}

func (d *device) observed(t engine.Timing) {
	stage := schedule.Neighbours
	if t.Stage == engine.StageProject {
		stage = schedule.Project
	}
	d.m.proj.sched.Observe(stage, t.Points, t.Time)
}

// Wait returns when all that was asked of the engine is done; if that failed, the next engine has begun
// anew.
func (m *Map) Wait() error {
	if m.dev.caps.Async == nil {
		return nil
	}
	m.proj.unsettled, m.proj.resting = false, 0
	err := m.dev.caps.Async.Wait()
	m.dev.report()
	m.proj.sched.Finished()
	if err != nil {
		return m.dev.fallBack(err)
	}
	return nil
}

// fallBack moves to the next engine after a failure of the present one. Nothing is lost: all that the
// engine held can be computed again.
func (d *device) fallBack(cause error) error {
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	if d.m.proj.sent != nil && engine.CheckLandmarks(d.m.proj.sent, d.m.proj.params, d.m.table.X.Cols) != nil {
		return cause // the next engine could not do it either
	}
	failed := d.engines.Engine()
	d.leave()
	d.free() // before its engine closes, of which it is a part
	if !d.engines.Next() {
		return problem.Wrap(cause, "", "save your work and restart blossom", "engine %s failed: %v", failed.Name(),
			cause)
	}
	d.moved(failed, cause)
	return d.reload()
}

// leave takes runs off the engine in use, which is about to close: they go on from where they are on the next one.
func (d *device) leave() {
	for _, e := range d.m.list {
		if w := e.steps; w != nil && d.caps.TSNE != nil && d.caps.Async != nil {
			w.Leave()
		}
	}
}

// blame notes an error of the engine in training, where errors of the trainer itself come the same way.
func (d *device) blame(err error) error {
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, context.Canceled) {
		d.broken = true
	}
	return err
}

// SetEngine changes to the engine of that name, or the best for "auto", while running. If it does not
// work, the present one stays.
func (m *Map) SetEngine(name string) error {
	if e := m.dev.engines.Engine(); e != nil && e.Name() == name {
		return nil
	}
	m.dev.leave()
	m.dev.free()
	return errors.Join(m.dev.engines.Choose(name), m.dev.reload())
}

// Engine returns the engine in use.
func (m *Map) Engine() engine.Engine { return m.dev.engines.Engine() }

// Caps are what the engine offers for the points as they are.
func (m *Map) Caps() engine.Caps { return m.dev.caps }

// Path says in words how positions get to the picture and how points are kept, where there is something
// to say: "shared buffer".
func (m *Map) Path() (path, plan string) {
	if m.dev.resident != nil {
		path = m.dev.resident.Status().Path
	}
	return path, m.dev.plan
}

// tellPlan tells how the points are kept where they do not fit as a whole.
func (d *device) tellPlan() {
	if p := d.resident.Status().Plan; p != d.plan {
		if d.plan = p; p != "" {
			d.m.alert(fmt.Sprintf("engine %s: %s", d.engines.Engine().Name(), p))
		}
	}
}

// lent is what the engine in use does of a training. The engine may change while a run goes on: what the
// present one does not offer, the trainer does.
type lent struct{ d *device }

func (l lent) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if s := l.d.caps.Searcher; s != nil {
		return l.d.blame(s.Nearest(ctx, codebook, from, to, out))
	}
	return errors.ErrUnsupported
}

func (l lent) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	if s := l.d.caps.Summer; s != nil {
		return l.d.blame(s.Sum(ctx, codebook, from, to, bmu, largest, sums, counts))
	}
	return errors.ErrUnsupported
}

func (l lent) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
	weights []float64) error {
	if s := l.d.caps.Summer; s != nil {
		return l.d.blame(s.Smooth(ctx, pos, sigma, sums, counts, out, weights))
	}
	return errors.ErrUnsupported
}

// mended is the error that is left where the engine has failed: none where another has taken over.
func (d *device) mended(err error) error {
	if d.broken {
		d.broken = false
		return d.fallBack(err)
	}
	return err
}
