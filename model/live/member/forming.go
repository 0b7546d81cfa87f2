package member

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
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Place is where the positions of an embedding are shown.
type Place struct {
	Target embedsom.Target   // nil where the recipe cannot be followed
	Rev    revision.Revision // changes when all positions have come to rest at other places; 0 before they first do
	Err    error             // why there are none
}

// Forming is an embedding that a runner advances, by the time that the arbiter gives it, in the frame or, where a unit
// would hold that up, beside it. Where it has come to is data: it is kept in the document whenever it pauses or is let
// go, and taken from there after undo and when a session is opened. A run is one entry of the history. The runner is
// made when it is first needed, from the positions there are.
type Forming struct {
	m      *Ground
	recipe embedding.Recipe
	kind   *embedding.Kind
	at     *Place
	// Anew is called when its positions begin anew.
	Anew func()

	id   string // ID of its snapshot: the recipe's key
	prep preparation
	hand hand

	run    *work.Run
	began  int
	ahead  bool // the run has gone on beyond the document
	marked bool // the run is in the history

	there    bool        // the buffer holds positions
	made     step.Values // values that it ran with last, of every parameter; nil: unknown
	looked   bool        // at the document
	kept     *parts.Snapshot
	blended  []float32 // the positions that there are, while between them and others is shown
	share    float64   // share of blended in the positions that are shown
	standing embedding.Standing
	curve    []parts.CurvePoint
	weighed  int64 // the unit after which standing was asked for
	savings  time.Duration
	due      units // the next, or those under way
	beyond   int64 // units it may go on to, for what the hand has moved; 0: as many as are set
}

// hand is what the user's hand does to points.
type hand struct {
	held    bool         // it moves points
	grip    []int        // points that it holds
	pinned  map[int]bool // points, in the order of the table
	pins    []int        // the same, rising
	stirred bool         // it has moved points since the embedding last rested
}

// NewForming returns an embedding of a recipe that has not been started, which is shown at a place.
func NewForming(m *Ground, r embedding.Recipe, k *embedding.Kind, at *Place) *Forming {
	w := &Forming{m: m, recipe: r, kind: k, at: at, id: r.Key(), hand: hand{pinned: map[int]bool{}}}
	w.prep.w = w
	w.run = m.NewRun(w)
	w.run.Patience = waitFor
	return w
}

// Run is what advances it.
func (w *Forming) Run() *work.Run { return w.run }

// Close keeps where it is, and lets go of what it works with.
func (w *Forming) Close() {
	w.run.Pause()
	w.run.Finish()
	w.Stop()
}

// Leave lets go of what an engine holds that is about to close; the run goes on from where it is on the next one.
func (w *Forming) Leave() {
	w.prep.forgo() // it may be making one there
	if w.prep.runner != nil && !w.prep.runner.Beside() {
		if w.marked && w.ahead {
			w.Store()
		}
		w.prep.runner.Close()
		w.prep.runner = nil
	}
}

// Points is how many points have a place, of a sample; 0: all, or nobody knows.
func (w *Forming) Points() int { return w.standing.Points }

// Unblended is the positions that there are while between them and others is shown; nil: they are shown.
func (w *Forming) Unblended() []float32 { return w.blended }

// Works returns the values that a runner works with, and what the basis is of that it was started from.
func (w *Forming) Works() (with step.Values, on string) { return w.prep.told, w.prep.basisFor.key }

// Outdated says whether another basis is wanted than there is.
func (w *Forming) Outdated() bool { return w.prep.outdated() }

// label is how the header of a view calls it.
func (w *Forming) label() string {
	title, _ := embedding.Label(embedding.Inputs{Data: w.m.Doc.Data, Table: w.m.Table()}, w.recipe)
	return title
}

// Tend begins what the document asks for, where that has changed.
func (w *Forming) Tend() {
	w.run.Tend()
	if now := w.saved(); !w.looked || now != w.kept {
		w.adopt(now)
	}
	if w.at.Err != nil || w.prep.job != nil || w.run.Busy() {
		return
	}
	switch {
	case !w.there || w.run.Active() && !w.Ready():
		w.prep.begin(w.onward())
	case w.run.Active() && w.prep.outdated() && w.prep.settle().basis != w.prep.failed && !w.m.Doc.Open():
		w.prep.rebase()
	}
}

// saved is what the document has of it.
func (w *Forming) saved() *parts.Snapshot { return parts.Snapshots.Of(w.m.Doc.State())[w.id] }

// adopt takes what the document has, nil for nothing: the run that there was is over.
func (w *Forming) adopt(s *parts.Snapshot) {
	fresh := !w.looked
	w.End()
	w.blended = nil
	w.looked, w.kept, w.there, w.at.Err = true, s, false, nil
	w.run.SetProgress(step.Progress{})
	w.hand.pinned, w.hand.stirred = map[int]bool{}, false
	w.ran(nil)
	w.hand.pins = nil
	w.standing, w.curve, w.weighed = embedding.Standing{Figure: math.NaN()}, nil, -1
	if s == nil {
		if !fresh {
			w.began++
		}
		if fresh && w.kind.Run.Eager {
			w.size()
			w.run.Start(work.ToRest)
		}
		return
	}
	order := w.m.Table().Order
	w.hand.pinned = s.PinnedIn(order)
	w.listPins()
	if m := s.Memory; m != nil {
		w.run.SetProgress(step.Progress{Done: m.Units, Total: m.Total, Rest: m.Rest})
		w.hand.stirred = m.Stirred
		w.ran(m.Values)
		w.standing.Early, w.standing.Points, w.standing.Warning = m.Early, m.Placed, m.Warning
		w.curve = slices.Clone(m.Curve)
		if n := len(w.curve); n > 0 {
			w.standing.Figure, w.weighed = w.curve[n-1].Value, w.curve[n-1].Unit
		}
	}
	copy(w.at.Target.Host(), s.InOrder(order))
	w.at.Target.Upload(0, w.at.Target.Len())
	w.there, w.at.Rev = true, revision.Next()
}

// size writes into the document of how many points the first map is made here, where that is not chosen: whoever opens
// or computes it elsewhere makes the same.
func (w *Forming) size() {
	run, m, r := w.kind.Run, w.m, w.recipe
	if run.Size == nil {
		return
	}
	for id, v := range run.Size(m.Inputs(r), r) {
		m.Doc.Always(func(s *state.State) {
			if _, chosen := parts.Runs.Of(*s).Get(r).Values[id]; !chosen {
				parts.Runs.Put(s, parts.Runs.Of(*s).Edit(r, func(c *parts.RunChoice) { c.Values[id] = v }))
			}
		})
	}
}

// onward is a beginning from where it is: with what the document knows of it, if that is of the same points.
func (w *Forming) onward() embedding.Beginning {
	if !w.there {
		return embedding.Beginning{}
	}
	t := w.m.Table()
	b := embedding.Beginning{From: &embedding.Result{Dims: w.recipe.Dims, Pos: slices.Clone(w.Host())},
		Pinned: slices.Clone(w.hand.pins)}
	if s := w.kept; s != nil && !w.ahead && s.Memory != nil && s.Memory.Print == t.Print() {
		b.Memory = s.Recall(t.Order)
	}
	return b
}

// take takes a runner.
func (w *Forming) take(r embedding.Runner, b embedding.Beginning, table revision.Revision, err error) {
	if err != nil {
		w.run.Abandon(true)
		w.prep.pending = nil
		if w.there && b.From != nil { // positions that exist stay
			w.m.Jobs.Failed(w.explained(err))
			return
		}
	}
	if w.at.Err = err; err != nil {
		return
	}
	w.prep.runner, w.prep.table, w.prep.told, w.prep.failed = r, table, b.Values, basisKey{}
	w.run.Cost.Guess(float64(r.Guess()))
	if b.Memory == nil { // where it was held is where it is
		if pins := w.hand.pins; len(pins) > 0 && b.From != nil {
			w.hold(pins, gather(w.Host(), w.recipe.Dims, pins))
		}
	}
	w.fresh()
	w.Show()
	if !w.run.Active() {
		w.at.Rev = revision.Next()
	}
	w.prep.do()
}

// fresh notes how the run stands that has just begun.
func (w *Forming) fresh() {
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
func (w *Forming) Show() {
	w.blended = nil
	if err := w.prep.runner.Place(w.at.Target); err != nil {
		w.m.Jobs.Failed(w.explained(err))
		return
	}
	w.there = true
}

// Host is the positions that are shown, also those that a runner wrote on its card.
func (w *Forming) Host() []float32 {
	if sync := w.m.Sync; sync != nil {
		sync(w.at.Target)
	}
	return w.at.Target.Host()
}

// Stop ends the making of a runner, and what there is.
func (w *Forming) Stop() {
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

// Total is after how many units it ends by itself, whether there is a runner or not; 0: when it rests.
func (w *Forming) Total() int64 {
	if total, ok := w.kind.Run.Units(w.prep.settle().values); ok {
		return total
	}
	return w.run.Progress().Total
}

// resting says whether it would not go on: it rests, or has done its units, and no hand was at it since.
func (w *Forming) resting() bool {
	p, total := w.run.Progress(), w.Total()
	byItself := p.Rest && (p.Total <= 0 || p.Done < p.Total)
	return w.there && !w.hand.stirred && (byItself || total > 0 && p.Done >= total)
}

// Preparing says whether it begins anew, and what is shown is still the map that there was.
func (w *Forming) Preparing() bool {
	return w.run.Active() && w.prep.runner == nil && w.run.Progress().Done == 0
}

func (w *Forming) explained(err error) error {
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return err
	}
	return problem.Wrap(err, "", "start it again, or choose other columns", "%s failed: %v", w.kind.Title, err)
}

func (w *Forming) Busy() bool {
	return w.at.Err == nil && (w.run.Active() || w.prep.job != nil || w.run.Busy() || !w.looked || !w.there ||
		w.kept != w.saved())
}

func (w *Forming) Stale() float64 {
	if !w.there && w.at.Err == nil {
		return 1
	}
	return 0
}

func (w *Forming) Shown() int {
	if !w.there {
		return 0
	}
	return w.at.Target.Len()
}

func (w *Forming) Refill() {
	w.there = false
	if w.prep.runner != nil && !w.run.Busy() {
		w.Show()
		return
	}
	w.looked = false
}

func (w *Forming) End() {
	w.Stop()
	if w.hand.held { // the hand may be in another run
		w.m.Hold(nil)
	}
	w.run.Abandon(true)
	w.marked, w.hand.held = false, false
	w.hand.grip = w.hand.grip[:0]
	w.prep.pending, w.beyond = nil, 0
}

func (w *Forming) Stays() bool { return w.run.Active() || w.run.Busy() }
