package live

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// stepwise is an embedding that a runner advances, by the time that the arbiter gives it, in the frame or, where a unit
// would hold that up, beside it. Where it has come to is data: it is kept in the document whenever it pauses or is let
// go, and taken from there after undo and when a session is opened. A run is one entry of the history. The runner is
// made when it is first needed, from the positions there are.
type stepwise struct {
	e    *Embedding
	id   string // ID of its snapshot: the recipe's key
	prep preparation

	run    *work.Run
	began  int
	ahead  bool  // the run has gone on beyond the document
	marked bool  // the run is in the history
	held   bool  // the hand moves points
	grip   []int // points that the hand holds

	there    bool        // the buffer holds positions
	made     step.Values // values that it ran with last, of every parameter; nil: unknown
	looked   bool        // at the document
	kept     *parts.Snapshot
	pinned   map[int]bool // points, in the order of the table
	pins     []int        // the same, rising
	blended  []float32    // the positions that there are, while between them and others is shown
	share    float64      // share of blended in the positions that are shown
	standing embedding.Standing
	curve    []parts.CurvePoint
	weighed  int64 // the unit after which standing was asked for
	savings  time.Duration
	due      units // the next, or those under way
	stirred  bool  // the hand has moved points since it last rested
	beyond   int64 // units it may go on to, for what the hand has moved; 0: as many as are set
}

func (w *stepwise) tend() {
	w.run.Tend()
	if now := w.saved(); !w.looked || now != w.kept {
		w.adopt(now)
	}
	if w.e.err != nil || w.prep.job != nil || w.run.Busy() {
		return
	}
	switch {
	case !w.there || w.run.Active() && !w.Ready():
		w.prep.begin(w.onward())
	case w.run.Active() && w.prep.outdated() && w.prep.settle().basis != w.prep.failed && !w.e.m.Doc.Open():
		w.prep.rebase()
	}
}

// saved is what the document has of it.
func (w *stepwise) saved() *parts.Snapshot { return parts.Snapshots.Of(w.e.m.Doc.State())[w.id] }

// adopt takes what the document has, nil for nothing: the run that there was is over.
func (w *stepwise) adopt(s *parts.Snapshot) {
	fresh := !w.looked
	w.end()
	w.blended = nil
	w.looked, w.kept, w.there, w.e.err = true, s, false, nil
	w.run.SetProgress(step.Progress{})
	w.pinned, w.stirred = map[int]bool{}, false
	w.ran(nil)
	w.pins = nil
	w.standing, w.curve, w.weighed = embedding.Standing{Figure: math.NaN()}, nil, -1
	if s == nil {
		if !fresh {
			w.began++
		}
		if fresh && w.e.kind.Run.Eager {
			w.size()
			w.run.Start(work.ToRest)
		}
		return
	}
	order := w.e.m.table.Order
	w.pinned = s.PinnedIn(order)
	w.listPins()
	if m := s.Memory; m != nil {
		w.run.SetProgress(step.Progress{Done: m.Units, Total: m.Total, Rest: m.Rest})
		w.stirred = m.Stirred
		w.ran(m.Values)
		w.standing.Early, w.standing.Points, w.standing.Warning = m.Early, m.Placed, m.Warning
		w.curve = slices.Clone(m.Curve)
		if n := len(w.curve); n > 0 {
			w.standing.Figure, w.weighed = w.curve[n-1].Value, w.curve[n-1].Unit
		}
	}
	copy(w.e.target.Host(), s.InOrder(order))
	w.e.target.Upload(0, w.e.target.Len())
	w.there, w.e.rev = true, revision.Next()
}

// size writes into the document of how many points the first map is made here, where that is not chosen: whoever opens
// or computes it elsewhere makes the same.
func (w *stepwise) size() {
	run, m, r := w.e.kind.Run, w.e.m, w.e.recipe
	if run.Size == nil {
		return
	}
	for id, v := range run.Size(m.inputs(r), r) {
		m.Doc.Always(func(s *state.State) {
			if _, chosen := parts.Runs.Of(*s).Get(r).Values[id]; !chosen {
				parts.Runs.Put(s, parts.Runs.Of(*s).Edit(r, func(c *parts.RunChoice) { c.Values[id] = v }))
			}
		})
	}
}

// onward is a beginning from where it is: with what the document knows of it, if that is of the same points.
func (w *stepwise) onward() embedding.Beginning {
	if !w.there {
		return embedding.Beginning{}
	}
	t := w.e.m.table
	b := embedding.Beginning{From: &embedding.Result{Dims: w.e.recipe.Dims, Pos: slices.Clone(w.host())},
		Pinned: slices.Clone(w.e.Pinned())}
	if s := w.kept; s != nil && !w.ahead && s.Memory != nil && s.Memory.Print == t.Print() {
		b.Memory = s.Recall(t.Order)
	}
	return b
}

// take takes a runner.
func (w *stepwise) take(r embedding.Runner, b embedding.Beginning, table revision.Revision, err error) {
	if err != nil {
		w.run.Abandon(true)
		w.prep.pending = nil
		if w.there && b.From != nil { // positions that exist stay
			w.e.m.Values.Jobs.Failed(w.explained(err))
			return
		}
	}
	if w.e.err = err; err != nil {
		return
	}
	w.prep.runner, w.prep.table, w.prep.told, w.prep.failed = r, table, b.Values, basisKey{}
	w.run.Cost.Guess(float64(r.Guess()))
	if b.Memory == nil { // where it was held is where it is
		if pins := w.e.Pinned(); len(pins) > 0 && b.From != nil {
			w.hold(pins, gather(w.host(), w.e.recipe.Dims, pins))
		}
	}
	w.fresh()
	w.Show()
	if !w.run.Active() {
		w.e.rev = revision.Next()
	}
	w.prep.do()
}

// fresh notes how the run stands that has just begun.
func (w *stepwise) fresh() {
	p, err := w.prep.runner.Step(context.Background(), 0)
	if err != nil {
		return // the next units will say so
	}
	if w.run.SetProgress(p); p.Done == 0 {
		w.curve = w.curve[:0]
	}
	for len(w.curve) > 0 && w.curve[len(w.curve)-1].Unit > p.Done {
		w.curve = w.curve[:len(w.curve)-1]
	}
	w.weighed = -1
}

// Show brings positions into the buffer.
func (w *stepwise) Show() {
	w.blended = nil
	if err := w.prep.runner.Place(w.e.target); err != nil {
		w.e.m.Values.Jobs.Failed(w.explained(err))
		return
	}
	w.there = true
}

// host is the positions that are shown, also those that a runner wrote on its card.
func (w *stepwise) host() []float32 {
	if sync := w.e.m.buffers.Sync; sync != nil {
		sync(w.e.target)
	}
	return w.e.target.Host()
}

// stop ends the making of a runner, and what there is.
func (w *stepwise) stop() {
	if w.prep.job != nil {
		w.prep.job.Cancel()
		w.prep.job = nil
	}
	w.run.Drop(true)
	if w.prep.runner != nil {
		w.prep.runner.Close()
		w.prep.runner = nil
	}
}

// total is after how many units it ends by itself, whether there is a runner or not; 0: when it rests.
func (w *stepwise) total() int64 {
	if total, ok := w.e.kind.Run.Units(w.prep.settle().values); ok {
		return total
	}
	return w.run.Progress().Total
}

// resting says whether it would not go on: it rests, or has done its units, and no hand was at it since.
func (w *stepwise) resting() bool {
	p, total := w.run.Progress(), w.total()
	byItself := p.Rest && (p.Total <= 0 || p.Done < p.Total)
	return w.there && !w.stirred && (byItself || total > 0 && p.Done >= total)
}

// preparing says whether it begins anew, and what is shown is still the map that there was.
func (w *stepwise) preparing() bool {
	return w.run.Active() && w.prep.runner == nil && w.run.Progress().Done == 0
}

func (w *stepwise) explained(err error) error {
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return err
	}
	return problem.Wrap(err, "", "start it again, or choose other columns", "%s failed: %v", w.e.kind.Title, err)
}

func (w *stepwise) busy() bool {
	return w.e.err == nil && (w.run.Active() || w.prep.job != nil || w.run.Busy() || !w.looked || !w.there ||
		w.kept != w.saved())
}

func (w *stepwise) stale() float64 {
	if !w.there && w.e.err == nil {
		return 1
	}
	return 0
}

func (w *stepwise) shown() int {
	if !w.there {
		return 0
	}
	return w.e.target.Len()
}

func (w *stepwise) refill() {
	w.there = false
	if w.prep.runner != nil && !w.run.Busy() {
		w.Show()
		return
	}
	w.looked = false
}

func (w *stepwise) end() {
	w.stop()
	if w.held { // the hand may be in another run
		w.e.m.runs.Hold(nil)
	}
	w.run.Abandon(true)
	w.marked, w.held = false, false
	w.grip = w.grip[:0]
	w.prep.pending, w.beyond = nil, 0
}

func (w *stepwise) keep() bool { return w.run.Active() || w.run.Busy() }

// errPure says that an embedding has nothing to start.
func (e *Embedding) errPure() error {
	title, _ := e.Label()
	return problem.New("", "change what it is computed from", "%s does not run: it is computed", title)
}

// Runs says whether the embedding is one that runs: that can be started, and whose points can be moved.
func (e *Embedding) Runs() bool { return e.steps != nil }
