package member

import (
	"context"
	"fmt"
	"math"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Reins are what the user steers an embedding by; one that does not run has an empty value.
type Reins struct{ of *Forming }

// Reins are those of the embedding.
func (w *Forming) Reins() Reins { return Reins{w} }

// Placed is an embedding, as another takes positions from it.
type Placed interface {
	Positions() (pos []float32, ok bool) // ok is false while they change
	Label() (title, note string)
	Dims() int
	Axes() []embedding.Axis
}

// foreign says whether what is kept is of other points than there are now.
func (w *Forming) foreign() bool {
	s := w.kept
	return s != nil && s.Memory != nil && s.Memory.Print != w.m.Table().Print()
}

// Start lets a running embedding go on from where it is.
func (r Reins) Start() error { return r.start(work.ToRest) }

// Step lets it go on by one unit.
func (r Reins) Step() error { return r.start(work.OneUnit) }

func (r Reins) start(aim work.Aim) error {
	if r.of == nil {
		return errPure()
	}
	w := r.of
	w.Unblend()
	if r.of.at.Err != nil {
		w.adopt(w.saved())
	}
	text, more := w.over()
	if text != "" {
		w.m.Notice(text)
		return nil
	}
	w.run.Start(aim)
	if w.beyond = more; more > 0 && aim == work.ToRest {
		w.m.Notice(fmt.Sprintf("%s goes on to unit %d, for what was moved", w.kind.Title, more))
	}
	return nil
}

// over says why a run would end at once, "" where it would not. One that has done its units, and whose points were
// moved since, may go on to another unit, so that the others answer: until says to which, 0: to that which is set.
func (w *Forming) over() (why string, until int64) {
	w.look()
	known := w.Ready() || !w.foreign() && w.kept != nil && w.kept.Memory != nil && w.kept.Memory.Facts != nil
	total := w.Total()
	if !w.there || !known || total <= 0 || w.run.Progress().Done < total {
		return "", 0
	}
	if w.kind.Run.Settles && !w.run.Progress().Rest { // it answers what was moved by itself
		return "", 0
	}
	if _, set := w.kind.Run.Units(w.prep.settle().values); set && w.hand.stirred {
		return "", w.run.Progress().Done + answering(total)
	}
	return fmt.Sprintf("%s has done its %d units: allow more of them to go on, or start over", w.kind.Title, total), 0
}

// look notices how far the runner is: what the hand did since the last unit may have given it more to do.
func (w *Forming) look() {
	if !w.Ready() || w.run.Busy() {
		return
	}
	if p, err := w.prep.runner.Step(context.Background(), 0); err == nil {
		w.run.SetProgress(p)
	}
}

// more is how many units a run that has done all can be given.
func (w *Forming) more() int64 {
	total := w.Total()
	if w.run.Active() || total <= 0 || w.run.Progress().Done < total || w.hand.stirred || w.foreign() {
		return 0
	}
	return max(50, total/2)
}

// More lets a run that has done its units go on by as many as Stands tells: its settings then say so.
func (r Reins) More() error {
	if r.of == nil {
		return errPure()
	}
	w := r.of
	if n := w.more(); n > 0 {
		until := w.run.Progress().Done + n
		r.of.m.Doc.Do("More units of "+r.of.kind.Title, func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(r.of.recipe, func(c *parts.RunChoice) {
				r.of.kind.Run.Until(c.Values, until)
			}))
		})
	}
	return r.Start()
}

// answering is in how many units the others answer what was moved on a map of so many.
func answering(total int64) int64 { return max(50, total/4) }

// Pause stops it where it is, and keeps that in the document.
func (r Reins) Pause() {
	if r.of != nil {
		r.of.run.Pause()
	}
}

// Again starts it over from where it is chosen to begin.
func (r Reins) Again() error {
	c := parts.Runs.Of(r.of.m.Doc.State()).Get(r.of.recipe)
	if c.From == nil {
		return r.Restart(nil, false)
	}
	return r.Restart(r.of.m.Placed(*c.From), c.Keep)
}

// Restart starts it from the positions of another embedding, which must be at rest, or, for nil, from its own
// beginning. keep: it goes on from them as they are, at their own size; else they say where points begin.
func (r Reins) Restart(from Placed, keep bool) error {
	if r.of == nil {
		return errPure()
	}
	var b embedding.Beginning
	if from != nil {
		pos, ok := from.Positions()
		if !ok {
			title, _ := from.Label()
			return problem.New("", "try again in a moment", "the positions of %s are still changing", title)
		}
		b.From = &embedding.Result{Dims: from.Dims(), Pos: slices.Clone(pos), Axes: from.Axes()}
		b.Fresh = !keep
	}
	w := r.of
	w.Unblend()
	w.run.Pause()
	w.run.Finish()
	w.Anew()
	w.at.Err, w.looked, w.kept = nil, true, w.saved()
	w.run.Start(work.ToRest)
	w.marked, w.prep.pending = w.mark("Restart "+w.kind.Title), nil
	w.run.SetProgress(step.Progress{})
	w.curve, w.weighed, w.hand.stirred = nil, -1, false
	w.standing = embedding.Standing{Figure: math.NaN()}
	w.began++
	w.prep.begin(b)
	return nil
}

// Began is how often its positions have begun anew, or gone back to what there was before its first run.
func (r Reins) Began() int {
	if r.of == nil {
		return 0
	}
	return r.of.began
}

// Pin keeps points, in the order of the table, where they are, or lets them go.
func (r Reins) Pin(points []int, on bool) error {
	if r.of == nil {
		return errPure()
	}
	w := r.of
	w.Unblend()
	for _, p := range points {
		if on {
			w.hand.pinned[p] = true
		} else {
			delete(w.hand.pinned, p)
		}
	}
	w.listPins()
	w.hand.stirred = w.hand.stirred || !on && len(points) > 0
	points = slices.Clone(points)
	w.prep.with(func() {
		if on {
			w.hold(points, gather(w.Host(), w.recipe.Dims, points))
		} else {
			w.release(points)
		}
	})
	if !w.run.Active() && !w.hand.held {
		w.mark("Pin points")
	}
	return nil
}

// Pinned returns the pinned points, rising. They are not to be changed.
func (r Reins) Pinned() []int {
	if r.of == nil {
		return nil
	}
	return r.of.hand.pins
}

func (w *Forming) listPins() {
	w.hand.pins = make([]int, 0, len(w.hand.pinned))
	for p := range w.hand.pinned {
		w.hand.pins = append(w.hand.pins, p)
	}
	slices.Sort(w.hand.pins)
}

// Move puts points to new places, Dims for each, as the hand drags them. Between Hold(true) and Hold(false) they stay
// in the hand while the others answer, and all of it is one entry of the history; while the embedding runs it is part
// of the run's.
func (r Reins) Move(points []int, pos []float32) error {
	if r.of == nil {
		return errPure()
	}
	w := r.of
	w.Unblend()
	if len(pos) != len(points)*r.of.recipe.Dims || slices.ContainsFunc(points, func(p int) bool {
		return p < 0 || p >= r.of.m.Table().X.Rows
	}) {
		return problem.New("", "report this", "%d coordinates for %d points", len(pos), len(points))
	}
	if !w.there {
		return nil // there is nothing to take hold of
	}
	alone := !w.run.Active() && !w.hand.held
	if alone {
		w.mark("Move points")
	}
	w.hand.stirred = true
	if w.hand.held && !slices.Equal(w.hand.grip, points) {
		w.loose(points)
	}
	points, pos = slices.Clone(points), slices.Clone(pos)
	w.put(points, pos)
	w.prep.with(func() {
		if alone { // the runner is told of a drag, however short, so that it answers as it does then
			w.clutch(true)
		}
		if w.hold(points, pos); !w.hand.held {
			w.release(slices.DeleteFunc(slices.Clone(points), func(p int) bool { return w.hand.pinned[p] }))
		}
		w.Show()
		if alone {
			w.clutch(false)
			w.look()
			w.rest()
		}
	})
	return nil
}

// clutch tells the runner whether the hand is at it.
func (w *Forming) clutch(on bool) {
	if err := w.prep.runner.Grip(on); err != nil {
		w.m.Jobs.Failed(w.explained(err))
	}
}

// loose lets go of what the hand has held but points, which it holds now.
func (w *Forming) loose(points []int) {
	gone := slices.DeleteFunc(w.hand.grip, func(p int) bool { return w.hand.pinned[p] || slices.Contains(points, p) })
	if len(gone) > 0 {
		gone = slices.Clone(gone)
		w.prep.with(func() { w.release(gone) })
	}
	w.hand.grip = append([]int(nil), points...)
}

// put shows points where the hand has them, in this very frame.
func (w *Forming) put(points []int, pos []float32) {
	d := w.recipe.Dims
	host, lo, hi := w.at.Target.Host(), w.at.Target.Len(), 0
	if w.prep.runner == nil { // else it writes all of them in a moment
		host = w.Host()
	}
	for k, p := range points {
		copy(host[p*d:(p+1)*d], pos[k*d:])
		lo, hi = min(lo, p), max(hi, p+1)
	}
	if lo < hi {
		w.at.Target.Upload(lo, hi)
	}
}

func (w *Forming) hold(points []int, places []float32) {
	if err := w.prep.runner.Hold(points, places); err != nil {
		w.m.Jobs.Failed(w.explained(err))
	}
}

func (w *Forming) release(points []int) {
	if err := w.prep.runner.Release(points); err != nil {
		w.m.Jobs.Failed(w.explained(err))
	}
}

// gather returns the places of points.
func gather(pos []float32, dims int, points []int) []float32 {
	out := make([]float32, 0, len(points)*dims)
	for _, p := range points {
		out = append(out, pos[p*dims:(p+1)*dims]...)
	}
	return out
}

// Hold says whether the user has points of this embedding in hand: what it is computed by then goes before all
// else. One that does not run answers as long as the hand is at it, and settles where its kind does.
func (r Reins) Hold(on bool) {
	w := r.of
	if w == nil || w.hand.held == on {
		return
	}
	w.Unblend()
	if on && w.run.Active() && w.run.Aim() == work.InHand { // the points of the former grip settle first
		w.run.Pause()
		w.run.Finish()
	}
	w.hand.held = on
	w.prep.with(func() { w.clutch(on) })
	if on {
		w.m.Hold(w.run)
		if w.hand.grip = w.hand.grip[:0]; !w.run.Active() {
			w.marked = w.mark("Move points")
			w.run.Start(work.InHand)
		}
		return
	}
	w.m.Hold(nil)
	w.loose(nil)
	total, at := w.Total(), w.run.Progress()
	done := w.hand.stirred && total > 0 && at.Done >= total
	switch {
	case !w.run.Active() || done && w.kind.Run.Settles:
	case w.run.Aim() == work.InHand:
		w.run.Pause()
	case done:
		w.beyond = at.Done + answering(total)
	}
}

// Stands says how an embedding that runs stands.
func (r Reins) Stands() Running {
	w := r.of
	if w == nil {
		return Running{}
	}
	out := Running{Active: w.run.Active(), Forming: w.run.Running(), Job: w.prep.job,
		Rest: !w.run.Active() && w.resting(), Known: w.Ready(), Units: w.run.Progress().Done, Total: w.Total(),
		Share: math.NaN(), Standing: w.standing, Curve: w.curve, Rested: w.run.Rested()}
	out.Just = out.Rest && just(w.run, w.m.Now())
	out.Title = w.label()
	if out.Forming {
		out.Rate = w.run.Rate()
	}
	out.Foreign = !w.run.Active() && w.foreign()
	if !out.Active && w.there {
		out.Changed = w.prep.settle().changed
		out.More = w.more()
	}
	if out.Active && out.Units > out.Total { // it goes on for the hand
		out.Total = 0
	}
	if out.Total > 0 {
		out.Share = min(1, float64(out.Units)/float64(out.Total))
	}
	if out.Early > 0 && out.Units >= out.Early { // it was asked how it stands some units ago
		out.Phase = ""
	}
	return out
}

// Params, Values and Choose make an embedding that runs one that is Tuned.
func (r Reins) Params() []step.Param {
	if r.of.kind.Run.Suggest == nil {
		return step.Suited(r.of.kind.Run.Params, nil)
	}
	in := embedding.Inputs{Data: r.of.m.Doc.Data, Table: r.of.m.Table()}
	return step.Suited(r.of.kind.Run.Params, r.of.kind.Run.Suggest(in, r.of.recipe))
}

func (r Reins) Values() step.Values { return parts.Runs.Of(r.of.m.Doc.State()).Get(r.of.recipe).Values }

func (r Reins) Choose(s *state.State, id string, v float64) {
	parts.Runs.Put(s, parts.Runs.Of(*s).Edit(r.of.recipe, func(c *parts.RunChoice) { c.Values[id] = v }))
}

// errPure says that an embedding has nothing to start.
func errPure() error {
	return problem.New("", "change what it is computed from", "this embedding does not run: it is computed")
}

// Runs says whether the embedding is one that runs: that can be started, and whose points can be moved.
func (r Reins) Runs() bool { return r.of != nil }
