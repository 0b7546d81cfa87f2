package live

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/work/embedding"
)

// leg is some units of a run and how it then stands, done in one go: in the frame or beside it.
type leg struct {
	runner embedding.Runner
	title  string
	units  int
	weigh  bool // ask how it stands

	progress step.Progress
	standing embedding.Standing
	weighed  bool
	err      error
	stepped  time.Duration
	ctx      context.Context
	cancel   context.CancelFunc
	done     chan struct{} // nil: in the frame
}

// do does it. A panic of an algorithm is an error like any other.
func (l *leg) do() {
	defer func() {
		if v := recover(); v != nil {
			l.err = problem.Wrap(fmt.Errorf("%v\n%s", v, debug.Stack()), "",
				"the rest of the program is unharmed; please report this with the log", "%s failed: %v", l.title, v)
		}
	}()
	from := time.Now()
	l.progress, l.err = l.runner.Step(l.ctx, l.units)
	l.stepped = time.Since(from)
	if l.err == nil && (l.weigh || l.progress.Rest) && l.ctx.Err() == nil {
		l.standing, l.err = l.runner.Standing()
		l.weighed = l.err == nil
	}
	if errors.Is(l.err, context.Canceled) { // it was called back: what is done is done
		l.err = nil
	}
}

// start does it on a goroutine of its own.
func (l *leg) start() {
	l.ctx, l.cancel = context.WithCancel(context.Background())
	l.done = make(chan struct{})
	go func() {
		defer close(l.done)
		l.do()
	}()
}

// over says whether one that was started is done.
func (l *leg) over() bool {
	select {
	case <-l.done:
		return true
	default:
		return false
	}
}

// end lets nobody have what it does. When it returns nobody is at work.
func (l *leg) end() {
	l.cancel()
	<-l.done
}

// What units cost, and how the frame's time is turned into them.
const (
	mostUnits    = 10_000_000
	weighAtLeast = 8                      // units between two such questions
	rateOver     = 400 * time.Millisecond // that units are counted
)

// Title, Running, Advance and Pause make it a Run.
func (w *stepwise) Title() string { return w.kind.Title }

func (w *stepwise) Running() bool { return w.running && w.fits() }

// Advance goes on for about budget.
func (w *stepwise) Advance(elapsed, budget time.Duration) (spent time.Duration, err error) {
	m, start := w.m, w.m.now()
	if w.window += elapsed; w.window >= rateOver {
		w.rate, w.counted, w.window = float64(w.counted)/w.window.Seconds(), 0, 0
	}
	if w.leg != nil {
		if !w.leg.over() {
			return 0, nil
		}
		if err := w.land(); err != nil || !w.running {
			return m.now().Sub(start), err
		}
	}
	if err := w.tell(); err != nil {
		return m.now().Sub(start), err
	}
	if !w.marked && !w.woken {
		if w.idle() {
			w.Pause()
			m.notice(w.kind.Title + " is at rest: move points or change how it is run to go on, or start over")
			return m.now().Sub(start), nil
		}
		name := "Run "
		if w.once {
			name = "One unit of "
		}
		w.marked = w.mark(name + w.kind.Title)
	}
	w.do()
	if !w.running || !w.fits() {
		return m.now().Sub(start), nil
	}
	w.moved, w.ahead = true, true
	if w.runner.Beside() && w.cost > float64(max(sidewise, budget)) {
		if w.savings += budget; m.holding && float64(w.savings) < w.cost {
			return m.now().Sub(start), nil // the hand is in the landmarks, and the machine is its own
		}
		w.savings = 0
		w.leg = &leg{runner: w.runner, title: w.kind.Title, units: 1, weigh: w.due(1)}
		w.leg.start()
		return m.now().Sub(start), nil
	}
	for more := true; more && spent < budget; more = !w.halted && !w.progress.Rest {
		l := &w.quick
		*l = leg{runner: w.runner, title: w.kind.Title, units: 1, ctx: context.Background()}
		if w.cost > 0 && !w.once {
			l.units = max(1, int(min(float64(budget-spent)/w.cost, mostUnits)))
			if w.kind.Run.Measure != "" { // else its curve would have holes
				l.units = min(l.units, int(w.every()))
			}
		}
		l.weigh = w.due(l.units)
		from := m.now()
		l.do()
		took := m.now().Sub(from)
		l.stepped = max(l.stepped, took)
		if err = w.took(l); err != nil {
			break
		}
		spent = m.now().Sub(start)
	}
	if w.runner != nil {
		w.write()
	}
	w.come()
	return m.now().Sub(start), err
}

// idle says whether it was started for nothing: it rests where the document has it, and nothing is on its way that
// would change that.
func (w *stepwise) idle() bool {
	if w.kept == nil || w.moved || w.held || !w.fits() || w.leg != nil || w.job != nil || len(w.pending) > 0 ||
		w.wanted() != w.basisFor {
		return false
	}
	p, err := w.runner.Step(context.Background(), 0)
	return err == nil && p.Rest
}

// due says whether it is time to ask how the run stands after so many units, which takes as long as a unit.
func (w *stepwise) due(units int) bool {
	if w.kind.Run.Measure == "" {
		return false
	}
	return w.weighed < 0 || w.progress.Done+int64(units)-w.weighed >= w.every()
}

// every is how many units lie between two values of the curve: more in a long run.
func (w *stepwise) every() int64 { return max(weighAtLeast, w.progress.Done/maxCurve) }

// maxCurve is how many times a run is asked how it stands.
const maxCurve = 400

// tell gives the runner the parameters that have changed.
func (w *stepwise) tell() error {
	now := w.settle().values
	if w.runner == nil || sameValues(w.told, now) {
		return nil
	}
	w.told = now
	if err := w.runner.Set(now); err != nil {
		return w.explained(err)
	}
	return nil
}

// sameValues compares without work where nothing has changed.
func sameValues(a, b step.Values) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if x, ok := b[k]; !ok || x != v {
			return false
		}
	}
	return true
}

// took takes what units have brought.
func (w *stepwise) took(l *leg) error {
	if l.err != nil {
		w.runner.Close()
		w.runner = nil // where it has come to is not to be trusted: what is shown is
		return w.explained(l.err)
	}
	did := l.progress.Done - w.progress.Done
	w.progress = l.progress
	if did > 0 {
		c := float64(l.stepped) / float64(did)
		if w.cost == 0 {
			w.cost = c
		}
		w.cost += 0.3 * (c - w.cost)
		w.counted += did
		w.stirred = w.stirred && (w.held || !l.progress.Rest)
	}
	if l.weighed {
		w.standing, w.weighed = l.standing, l.progress.Done
		if f := l.standing.Figure; f-f == 0 {
			w.curve = append(w.curve, parts.CurvePoint{Unit: l.progress.Done, Value: f})
		}
	}
	// While the hand is at it, it is not done.
	w.halted = w.halted || l.progress.Rest && !w.held || w.once && did > 0
	return nil
}

// land takes a leg that was done beside the frame.
func (w *stepwise) land() error {
	l := w.leg
	l.cancel()
	w.leg = nil
	err := w.took(l)
	w.do()
	if w.runner != nil {
		w.write()
	}
	w.come()
	return err
}

// come ends a run that is over, after its positions have been written.
func (w *stepwise) come() {
	if !w.halted || !w.running {
		return
	}
	rested := w.progress.Rest && !w.once && !w.woken
	w.Pause()
	if rested {
		w.m.notice(w.kind.Title + " has come to rest")
	}
}
