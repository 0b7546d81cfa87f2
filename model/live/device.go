package live

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/landmarks/landmark"
	"blossom/model/work/engine"
	"blossom/model/work/schedule"
)

// device is the points on the engine in use, and what it offers.
type device struct {
	resident engine.Resident
	caps     engine.Caps

	broken    bool // it has failed in training
	unsettled bool // work has been asked for whose errors have not been asked for
	resting   int  // frames since the last work was asked for
	plan      string
}

// restFrames is how long work that is not reported is waited for without a stall, once all that is
// wanted has been asked for.
const restFrames = 16

func (m *Map) keep(r engine.Resident) {
	m.device = device{resident: r, caps: r.Caps()}
	m.sched.Async(m.caps.Async != nil)
}

func (m *Map) free() {
	if m.caps.Async != nil {
		_ = m.caps.Async.Wait() // what it was to compute is not wanted any more; its target may go away now
	}
	if m.resident != nil {
		m.resident.Free()
	}
	m.device = device{}
	m.sched.Finished()
}

// load puts the table on the engine; if the engine cannot take it, on the next one. The picture on
// screen stays if it is one of as many points.
func (m *Map) load() error {
	m.free()
	for {
		e := m.engines.Engine()
		if e == nil {
			return engine.ErrNoEngine()
		}
		r, err := e.Load(context.Background(), m.table.X)
		if err == nil {
			m.keep(r)
			m.sched.Reset(m.table.X.Rows)
			m.neighbours = neighbourInputs{}
			return nil
		}
		if !m.engines.Next() {
			return problem.Wrap(err, "", "close other programs or open a sample of the points",
				"the points do not fit on engine %s: %v", e.Name(), err)
		}
		m.moved(e, err)
	}
}

// moved tells that another engine has taken over.
func (m *Map) moved(from engine.Engine, cause error) {
	m.alert(fmt.Sprintf("engine %s failed (%v); now on %s", from.Name(), cause, m.engines.Engine().Name()))
	m.sched.Forget()
}

// reload puts the points on another engine: all is computed anew, over the picture that there is.
func (m *Map) reload() error {
	n := m.sched.Len()
	before := m.sched
	if err := m.load(); err != nil {
		return err
	}
	if n == m.table.X.Rows {
		m.sched = before
		m.sched.Forget()
		m.sched.Invalidate()
		m.sched.Async(m.caps.Async != nil)
	}
	return nil
}

// report takes the measurements of work that has finished meanwhile.
func (m *Map) report() {
	if m.caps.Async != nil {
		m.caps.Async.Timings(m.observe)
	}
}

func (m *Map) observed(t engine.Timing) {
	stage := schedule.Neighbours
	if t.Stage == engine.StageProject {
		stage = schedule.Project
	}
	m.sched.Observe(stage, t.Points, t.Time)
}

// settle asks for the errors of work that should have ended, once nothing more is wanted. It waits only
// if an engine has not reported its work for many frames.
func (m *Map) settle() error {
	if !m.unsettled {
		return nil
	}
	if m.resting++; m.sched.Waiting() > 0 && m.resting < restFrames {
		return nil
	}
	m.unsettled, m.resting = false, 0
	m.sched.Finished()
	return m.caps.Async.Wait()
}

// Wait returns when all that was asked of the engine is done; if that failed, the next engine has begun
// anew.
func (m *Map) Wait() error {
	if m.caps.Async == nil {
		return nil
	}
	m.unsettled, m.resting = false, 0
	err := m.caps.Async.Wait()
	m.report()
	m.sched.Finished()
	if err != nil {
		return m.fallBack(err)
	}
	return nil
}

// fallBack moves to the next engine after a failure of the present one. Nothing is lost: all that the
// engine held can be computed again.
func (m *Map) fallBack(cause error) error {
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	if m.sent != nil && engine.CheckLandmarks(m.sent, m.params, m.table.X.Cols) != nil {
		return cause // the next engine could not do it either
	}
	failed := m.engines.Engine()
	m.leave()
	m.free() // before its engine closes, of which it is a part
	if !m.engines.Next() {
		return problem.Wrap(cause, "", "save your work and restart blossom", "engine %s failed: %v", failed.Name(),
			cause)
	}
	m.moved(failed, cause)
	return m.reload()
}

// leave takes runs off the engine in use, which is about to close: they go on from where they are on the next one.
func (m *Map) leave() {
	for _, e := range m.list {
		w := e.steps
		if w == nil || m.caps.TSNE == nil || m.caps.Async == nil {
			continue
		}
		w.forgo() // it may be making one there
		if w.runner != nil && !w.runner.Beside() {
			if w.marked && w.ahead {
				w.store()
			}
			w.runner.Close()
			w.runner = nil
		}
	}
}

// blame notes an error of the engine in training, where errors of the trainer itself come the same way.
func (m *Map) blame(err error) error {
	if err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, context.Canceled) {
		m.broken = true
	}
	return err
}

// SetEngine changes to the engine of that name, or the best for "auto", while running. If it does not
// work, the present one stays.
func (m *Map) SetEngine(name string) error {
	if e := m.engines.Engine(); e != nil && e.Name() == name {
		return nil
	}
	m.leave()
	m.free()
	return errors.Join(m.engines.Choose(name), m.reload())
}

// Engine returns the engine in use.
func (m *Map) Engine() engine.Engine { return m.engines.Engine() }

// Caps are what the engine offers for the points as they are.
func (m *Map) Caps() engine.Caps { return m.caps }

// Path says in words how positions get to the picture and how points are kept, where there is something
// to say: "shared buffer".
func (m *Map) Path() (path, plan string) {
	if m.resident != nil {
		path = m.resident.Status().Path
	}
	return path, m.plan
}

// tellPlan tells how the points are kept where they do not fit as a whole.
func (m *Map) tellPlan() {
	if p := m.resident.Status().Plan; p != m.plan {
		if m.plan = p; p != "" {
			m.alert(fmt.Sprintf("engine %s: %s", m.engines.Engine().Name(), p))
		}
	}
}

// manyLandmarks is the part of the landmarks whose move is not that of a few: one of so many.
const manyLandmarks = 16

// few says whether only a few landmarks have moved from one state to the next.
func few(before, now *landmark.Set) bool {
	if before == nil || before.Len() != now.Len() || before.Pos.Cols != now.Pos.Cols {
		return false
	}
	left := max(1, now.Len()/manyLandmarks)
	for i := range now.Len() {
		if slices.Equal(before.Pos.Row(i), now.Pos.Row(i)) {
			continue
		}
		if left--; left < 0 {
			return false
		}
	}
	return true
}
