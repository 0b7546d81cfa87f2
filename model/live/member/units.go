package member

import (
	"context"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// units are some units of a runner, and how it then stands.
type units struct {
	runner embedding.Runner
	now    func() time.Time
	weigh  int // ask how it stands after so many units, or at rest

	standing embedding.Standing
	weighed  bool
	asking   time.Duration // time that the question took
}

// Do does units, and asks how the run then stands.
func (u *units) Do(ctx context.Context, n int) (step.Progress, error) {
	p, err := u.runner.Step(ctx, n)
	if err != nil || n < u.weigh && !p.Rest || ctx.Err() != nil {
		return p, err
	}
	from := u.now()
	u.standing, err = u.runner.Standing()
	u.weighed, u.asking = err == nil, u.now().Sub(from)
	return p, err
}

const (
	mostUnits    = 10_000_000
	weighAtLeast = 8   // units between two questions how a run stands
	maxCurve     = 400 // such questions, about
	// waitFor is how long a unit may take that is waited for when the run is paused.
	waitFor = 60 * time.Millisecond
)

// Title, Ready and so on make it a member of the runs.
func (w *Forming) Title() string { return w.kind.Title }

// Ready says whether there is a runner of the present points.
func (w *Forming) Ready() bool { return w.prep.runner != nil && w.prep.table == w.m.Table().Rev }

// Enter tells the runner what has changed, and records the run in the history.
func (w *Forming) Enter(time.Duration) (bool, error) {
	if err := w.tell(); err != nil {
		return false, err
	}
	if !w.marked && w.run.Aim() != work.InHand {
		if w.idle() {
			w.run.Pause()
			w.m.Notice(w.kind.Title + " is at rest: move points or change how it is run to go on, or start over")
			return false, nil
		}
		name := "Run "
		if w.run.Aim() == work.OneUnit {
			name = "One unit of "
		}
		w.marked = w.mark(name + w.kind.Title)
	}
	if w.prep.do(); !w.run.Active() || !w.Ready() {
		return false, nil
	}
	w.ahead = true
	return true, nil
}

// Heed does nothing: what the hand does waits for the units under way.
func (w *Forming) Heed() {}

// Next is the units that are due.
func (w *Forming) Next() work.Work {
	w.due = units{runner: w.prep.runner, now: w.run.Clock, weigh: mostUnits + 1}
	if w.kind.Run.Measure != "" {
		w.due.weigh = 0
		if w.weighed >= 0 {
			w.due.weigh = int(w.weighed + w.every() - w.run.Progress().Done)
		}
	}
	return &w.due
}

// every is how many units lie between two values of the curve: more in a long run.
func (w *Forming) every() int64 { return max(weighAtLeast, w.run.Progress().Done/maxCurve) }

// Where says whether a unit would hold up the frame.
func (w *Forming) Where(_ work.Work, budget time.Duration) work.Place {
	cost := w.run.Cost.Unit()
	if !w.prep.runner.Beside() || cost <= float64(max(work.Sidewise, budget)) {
		return work.InFrame
	}
	if w.savings += budget; w.m.Held() && float64(w.savings) < cost {
		return work.Later // the hand is in the landmarks, and the machine is its own
	}
	w.savings = 0
	return work.BesideFrame
}

// Units are as many as fit, but the curve has no holes.
func (w *Forming) Units(fit int) int {
	if w.kind.Run.Measure != "" {
		fit = min(fit, int(w.every()))
	}
	return min(fit, mostUnits)
}

// idle says whether it was started for nothing: it rests where the document has it, and nothing is on its way that
// would change that.
func (w *Forming) idle() bool {
	if w.kept == nil || w.run.Done() > 0 || w.hand.held || !w.Ready() || w.run.Busy() || w.prep.job != nil ||
		len(w.prep.pending) > 0 || w.prep.outdated() {
		return false
	}
	p, err := w.prep.runner.Step(context.Background(), 0)
	return err == nil && p.Rest
}

// tell gives the runner the parameters that have changed.
func (w *Forming) tell() error {
	now := w.prep.settle().values
	if w.prep.runner == nil || sameValues(w.prep.told, now) {
		return nil
	}
	w.prep.told = now
	if err := w.prep.runner.Set(now); err != nil {
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

// Take takes what units have brought.
func (w *Forming) Take(l *work.Leg) (show bool, err error) {
	if l.Err != nil {
		w.prep.runner.Close()
		w.prep.runner = nil // where it has come to is not to be trusted: what is shown is
		return false, w.explained(l.Err)
	}
	if l.Took -= min(w.due.asking, l.Took); l.Did > 0 {
		w.hand.stirred = w.hand.stirred && (w.hand.held || !l.Progress.Rest)
	}
	if w.due.weighed {
		w.standing, w.weighed = w.due.standing, l.Progress.Done
		if f := w.standing.Figure; f-f == 0 {
			w.curve = append(w.curve, parts.CurvePoint{Unit: l.Progress.Done, Value: f})
		}
	}
	if l.Beside() {
		w.prep.do()
	}
	return w.prep.runner != nil, nil
}

// Ends says that the run is over when the runner rests, but not while the hand is at it.
func (w *Forming) Ends(step.Progress) bool { return !w.hand.held }

// Left keeps where the run has come to.
func (w *Forming) Left(r *work.Run, aim work.Aim) {
	w.marked, w.beyond = false, 0
	if w.there && (w.ahead || r.Done() > 0 || aim == work.InHand) {
		w.rest()
	}
	if r.Phase() == work.Resting && aim == work.ToRest {
		w.m.Notice(w.kind.Title + " has come to rest")
	}
}
