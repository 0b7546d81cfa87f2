package member

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/maps/layout"
	"blossom/model/work"
)

// layer is a layouter, and what it knows.
type layer struct {
	layouter layout.Layouter
	kind     layout.Algorithm
	values   step.Values
	in       layout.Input
	code     revision.Revision // revision of in.Codebook
	graph    revision.Revision
	untold   bool // landmarks have moved otherwise, or something else has changed

	progress step.Progress
	moving   float64
	stage    layout.Stage
	stepped  bool
}

// single says whether all is done that a layout without steps does.
func (k *layer) single() bool { return k.kind.Once && k.stepped }

// turn is what a layout does in one go: the layouter is made or told what has changed, and steps.
type turn struct {
	known layer // with the layouter, or none
	tell  bool  // known.in, that it does not know yet
	adapt bool  // known.values too
	code  bool  // known.in has another codebook

	now  func() time.Time
	told time.Duration // time that making and telling took
	did  int64         // steps
}

// Next is the turn that is due.
func (l *Layout) Next() work.Work {
	s := l.m.Doc.State()
	set, choice := parts.Landmarks.Of(s), parts.Layout.Of(s)
	kind, _ := layout.ByID(choice.Algorithm)
	t := &turn{known: l.known, now: l.run.Clock}
	k := &t.known
	k.untold = false
	if k.kind.ID != kind.ID {
		*k = layer{kind: kind}
	}
	made := k.layouter == nil
	if k.code != set.CodeRev && (made || l.due()) {
		k.in.Codebook, k.code, t.code = set.Codebook, set.CodeRev, true
	}
	if kind.Graph {
		if g, rev, _ := l.m.Graph(); rev != k.graph {
			k.in.Graph, k.graph, t.tell = g, rev, true
		}
	}
	pinned, active := l.fixed(set.Pinned, choice.KeepPinned), l.active()
	if t.tell = t.tell || made || t.code || l.known.untold || !slices.Equal(pinned, k.in.Pinned) ||
		!slices.Equal(active, k.in.Active); t.tell {
		k.in.Pos, k.in.Pinned, k.in.Active, k.in.Seed = l.after, pinned, active, l.m.Doc.Seed
	}
	values := choice.For(kind, set.Len())
	t.adapt = !maps.Equal(k.values, values)
	k.values = values
	l.known.untold, l.moved = false, nil // the turn knows all that there is to know by now
	return t
}

// fixed returns which landmarks stay: those pinned, if they are to, and those in the hand; nil for none.
func (l *Layout) fixed(pinned []bool, keep bool) []bool {
	switch {
	case l.held == nil && !keep:
		return nil
	case l.held == nil:
		return pinned
	case !keep || len(pinned) == 0:
		return slices.Clone(l.held)
	}
	out := slices.Clone(l.held)
	for i, on := range pinned {
		out[i] = out[i] || on
	}
	return out
}

// active returns which landmarks move, nil for all.
func (l *Layout) active() []bool {
	if l.selected == nil {
		return nil
	}
	out := make([]bool, l.after.Rows)
	for _, i := range l.selected {
		if i < len(out) {
			out[i] = true
		}
	}
	return out
}

// Do makes or tells the layouter, and steps.
func (t *turn) Do(ctx context.Context, units int) (p step.Progress, err error) {
	k := &t.known
	begun := t.now()
	if k.layouter == nil {
		if k.layouter, err = k.kind.New(k.in, k.values); err != nil {
			return p, err
		}
	} else {
		if t.adapt {
			k.layouter.SetValues(k.values)
		}
		if t.tell {
			k.layouter.SetLandmarks(k.in)
		}
	}
	t.told = t.now().Sub(begun)
	before := k.progress.Done
	k.progress, err = k.layouter.Step(ctx, units)
	k.moving, k.stage, k.stepped = k.layouter.Moving(), k.layouter.Stage(), true
	t.did = max(0, k.progress.Done-before)
	return k.progress, err
}

// Take takes what a turn has brought.
func (l *Layout) Take(leg *work.Leg) (show bool, err error) {
	t := leg.Work.(*turn)
	if leg.Beside() {
		if !l.run.Active() {
			l.forget() // it was paused where it was
			return false, nil
		}
		if l.left() {
			return false, nil
		}
		if l.heed(); !l.run.Active() || t.known.in.Pos.Rows != l.after.Rows || t.known.in.Pos.Cols != l.after.Cols {
			return false, nil // there are other landmarks now
		}
	}
	leg.Did, leg.Took = t.did, leg.Took-min(t.told, leg.Took)
	if t.code {
		l.telling, l.toldAt = float64(t.told), l.m.Now()
	}
	l.steps += t.did
	l.most = max(l.most, t.known.moving)
	if err := leg.Err; err != nil {
		l.forget()
		if p := (*problem.Problem)(nil); errors.As(err, &p) {
			return false, err
		}
		return false, problem.Wrap(err, "", "start it again, or choose another layout", "%s failed: %v", l.Title(), err)
	}
	untold := l.known.untold // changes that came meanwhile are still to be told
	l.known = t.known
	l.known.untold = untold
	return true, nil
}

// small is the cost of a step that a frame always has room for, in ns. While the hand is on the map, frames have
// little to spare: longer ones are done beside them.
const small = 2e6

// Where says whether a turn would hold up a frame.
func (l *Layout) Where(w work.Work, budget time.Duration) work.Place {
	t := w.(*turn)
	g, d := float64(t.known.in.Pos.Rows), float64(t.known.in.Codebook.Cols)
	cost, telling := l.run.Cost.Unit(), 0.0
	if cost == 0 || t.known.layouter == nil && !t.known.stepped {
		cost = max(cost, 3*g*g)
	}
	if t.code || t.adapt { // another perplexity may ask for neighbours that were not looked for yet
		telling = max(l.telling, g*g*(d+8)/4)
	}
	if cost+telling > float64(max(work.Sidewise, budget)) || l.m.Held() && l.run.Cost.Unit() > small {
		return work.BesideFrame
	}
	return work.InFrame
}

// Units are as many as fit; none of a layout that is done at once, when it is.
func (l *Layout) Units(fit int) int {
	if l.known.single() {
		return 0
	}
	return min(fit, 10_000)
}

// due says whether a codebook that changes all the time should be told again: it takes a tenth of the time at most.
func (l *Layout) due() bool {
	return float64(l.m.Now().Sub(l.toldAt)) >= max(10*l.telling, float64(50*time.Millisecond))
}

func restNotice(title string, steps int64) string {
	return fmt.Sprintf("%s came to rest after %s steps", title, problem.Grouped(steps))
}
