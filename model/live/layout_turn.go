package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strconv"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/maps/layout"
)

// layer is a layouter, and what it knows.
type layer struct {
	layouter layout.Layouter
	kind     layout.Algorithm
	values   step.Values
	in       layout.Input
	code     revision.Revision // of the codebook in it
	graph    revision.Revision
	untold   bool // landmarks have moved otherwise, or something else has changed

	progress step.Progress
	moving   float64
	stage    layout.Stage
	did      bool // a step
}

// single says whether all is done that a layout without steps does.
func (k *layer) single() bool { return k.kind.Once && k.did }

// turn is what is done in one go, in the frame or beside it: the layouter is made or told what has changed, and steps.
type turn struct {
	title string
	known layer // with the layouter, or none
	tell  bool  // known.in, that it does not know yet
	adapt bool  // known.values too
	fresh bool  // of which the codebook is another
	steps int

	err           error
	told, stepped time.Duration // that took
	did           int64         // steps
	cancel        context.CancelFunc
	done          chan struct{}
}

// next is the turn that is due, of one step.
func (l *Layout) next() *turn {
	s := l.m.Doc.State()
	set, choice := parts.Landmarks.Of(s), parts.Layout.Of(s)
	kind, _ := layout.ByID(choice.Algorithm)
	t := &turn{title: l.Title(), known: l.known, steps: 1}
	k := &t.known
	k.untold = false
	if k.kind.ID != kind.ID {
		*k = layer{kind: kind}
	}
	made := k.layouter == nil
	if k.code != set.CodeRev && (made || l.pace.due(l.m.now())) {
		k.in.Codebook, k.code, t.fresh = set.Codebook, set.CodeRev, true
	}
	if kind.Graph {
		if g, rev, _ := l.m.Graph(); rev != k.graph {
			k.in.Graph, k.graph, t.tell = g, rev, true
		}
	}
	pinned, active := l.fixed(set.Pinned, choice.KeepPinned), l.active()
	if t.tell = t.tell || made || t.fresh || l.known.untold || !slices.Equal(pinned, k.in.Pinned) ||
		!slices.Equal(active, k.in.Active); t.tell {
		k.in.Pos, k.in.Pinned, k.in.Active, k.in.Seed = l.after, pinned, active, l.m.Doc.Seed
	}
	t.adapt = !maps.Equal(k.values, choice.Values)
	k.values = choice.Values
	return t
}

// tell notes that a turn begins which knows all that there is to know by now.
func (l *Layout) tell() {
	l.known.untold = false
	if l.strayed {
		clear(l.moved)
		l.strayed = false
	}
}

// fixed returns which landmarks stay: those pinned, if they are to, and those in the hand; nil for none.
func (l *Layout) fixed(pinned []bool, keep bool) []bool {
	switch {
	case !l.holds && !keep:
		return nil
	case !l.holds:
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

// do does a turn. A panic of an algorithm is an error like any other.
func (t *turn) do() { t.within(context.Background()) }

func (t *turn) within(ctx context.Context) {
	defer func() {
		if v := recover(); v != nil {
			t.err = problem.Wrap(fmt.Errorf("%v\n%s", v, debug.Stack()), "",
				"the rest of the program is unharmed; please report this with the log", "%s failed: %v", t.title, v)
		}
	}()
	k := &t.known
	begun := time.Now()
	switch {
	case k.layouter == nil:
		if k.layouter, t.err = k.kind.New(k.in, k.values); t.err != nil {
			return
		}
	default:
		if t.adapt {
			k.layouter.SetValues(k.values)
		}
		if t.tell {
			k.layouter.SetLandmarks(k.in)
		}
	}
	told := time.Now()
	before := k.progress.Done
	k.progress, t.err = k.layouter.Step(ctx, t.steps)
	k.moving, k.stage, k.did = k.layouter.Moving(), k.layouter.Stage(), true
	t.told, t.stepped, t.did = told.Sub(begun), time.Since(told), max(0, k.progress.Done-before)
}

// start does a turn on a goroutine of its own.
func (t *turn) start() {
	ctx, cancel := context.WithCancel(context.Background())
	t.cancel, t.done = cancel, make(chan struct{})
	go func() {
		defer close(t.done)
		t.within(ctx)
	}()
}

// over says whether a turn that was started is done.
func (t *turn) over() bool {
	select {
	case <-t.done:
		t.cancel()
		return true
	default:
		return false
	}
}

// took takes what a turn has brought.
func (l *Layout) took(t *turn) error {
	l.pace.took(t, l.m.now())
	l.did += t.did
	if t.err != nil {
		l.running = false
		l.forget()
		if p := (*problem.Problem)(nil); errors.As(t.err, &p) {
			return t.err
		}
		return problem.Wrap(t.err, "", "start it again, or choose another layout", "%s failed: %v", t.title, t.err)
	}
	untold := l.known.untold // of what changed meanwhile
	l.known = t.known
	l.known.untold = untold
	return nil
}

// pace is what steps cost, and how fast they follow each other.
type pace struct {
	cost    float64 // ns of a step, 0 while unknown
	telling float64 // ns of telling a codebook
	told    time.Time
	most    float64 // the largest movement of the run
	steps   int64
	rate    float64 // steps a second
	window  time.Duration
	counted int64 // steps in the window
}

// sidewise is from what time on a turn is done beside the frame.
const sidewise = 8 * time.Millisecond

// long says whether a turn would hold up a frame.
func (p *pace) long(t *turn, budget time.Duration) bool {
	g, d := float64(t.known.in.Pos.Rows), float64(t.known.in.Codebook.Cols)
	cost, telling := p.cost, 0.0
	if cost == 0 || t.known.layouter == nil && !t.known.did {
		cost = max(cost, 3*g*g)
	}
	if t.fresh || t.adapt { // another perplexity may ask for neighbours that were not looked for yet
		telling = max(p.telling, g*g*(d+8)/4)
	}
	return cost+telling > float64(max(sidewise, budget))
}

// small is the cost of a step that a frame always has room for, in ns. While the hand is on the map, frames have little
// to spare: longer ones are done beside them.
const small = 2e6

// units is how many steps fit into a budget.
func (p *pace) units(budget time.Duration, once bool) int {
	if once || p.cost == 0 {
		return 1
	}
	return max(1, int(min(float64(budget)/p.cost, 1e4)))
}

// due says whether a codebook that changes all the time should be told again: it takes a tenth of the time at most.
func (p *pace) due(now time.Time) bool {
	return float64(now.Sub(p.told)) >= max(10*p.telling, float64(50*time.Millisecond))
}

// took takes the measurements of a turn.
func (p *pace) took(t *turn, now time.Time) {
	if t.fresh {
		p.telling, p.told = float64(t.told), now
	}
	if t.did > 0 {
		c := float64(t.stepped) / float64(t.did)
		if p.cost == 0 {
			p.cost = c
		}
		p.cost += 0.3 * (c - p.cost)
	}
	p.steps += t.did
	p.counted += t.did
	p.most = max(p.most, t.known.moving)
}

// passed counts the time between frames.
func (p *pace) passed(elapsed time.Duration) {
	if p.window += elapsed; p.window >= 400*time.Millisecond {
		p.rate, p.counted, p.window = float64(p.counted)/p.window.Seconds(), 0, 0
	}
}

func restNotice(title string, steps int64) string {
	return fmt.Sprintf("%s came to rest after %s steps", title, grouped(steps))
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
