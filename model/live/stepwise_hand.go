package live

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

// foreign says whether what is kept is of other points than there are now.
func (w *stepwise) foreign() bool {
	s := w.kept
	return s != nil && s.Memory != nil && s.Memory.Print != w.e.m.table.Print()
}

// Start lets a running embedding go on from where it is.
func (e *Embedding) Start() error { return e.start(work.ToRest) }

// Step lets it go on by one unit.
func (e *Embedding) Step() error { return e.start(work.OneUnit) }

func (e *Embedding) start(aim work.Aim) error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	w.unblend()
	if e.err != nil {
		w.adopt(w.saved())
	}
	text, more := w.over()
	if text != "" {
		w.e.m.notice(text)
		return nil
	}
	w.run.Start(aim)
	if w.beyond = more; more > 0 && aim == work.ToRest {
		w.e.m.notice(fmt.Sprintf("%s goes on to unit %d, for what was moved", w.e.kind.Title, more))
	}
	return nil
}

// over says why a run would end at once, "" where it would not. One that has done its units, and whose points were
// moved since, may go on to another unit, so that the others answer: until says to which, 0: to that which is set.
func (w *stepwise) over() (why string, until int64) {
	w.look()
	known := w.Ready() || !w.foreign() && w.kept != nil && w.kept.Memory != nil && w.kept.Memory.Facts != nil
	total := w.total()
	if !w.there || !known || total <= 0 || w.run.Progress().Done < total {
		return "", 0
	}
	if w.e.kind.Run.Settles && !w.run.Progress().Rest { // it answers what was moved by itself
		return "", 0
	}
	if _, set := w.e.kind.Run.Units(w.prep.settle().values); set && w.stirred {
		return "", w.run.Progress().Done + answering(total)
	}
	return fmt.Sprintf("%s has done its %d units: allow more of them to go on, or start over", w.e.kind.Title, total), 0
}

// look notices how far the runner is: what the hand did since the last unit may have given it more to do.
func (w *stepwise) look() {
	if !w.Ready() || w.run.Busy() {
		return
	}
	if p, err := w.prep.runner.Step(context.Background(), 0); err == nil {
		w.run.SetProgress(p)
	}
}

// more is how many units a run that has done all can be given.
func (w *stepwise) more() int64 {
	total := w.total()
	if w.run.Active() || total <= 0 || w.run.Progress().Done < total || w.stirred || w.foreign() {
		return 0
	}
	return max(50, total/2)
}

// More lets a run that has done its units go on by as many as Stands tells: its settings then say so.
func (e *Embedding) More() error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	if n := w.more(); n > 0 {
		until := w.run.Progress().Done + n
		e.m.Doc.Do("More units of "+e.kind.Title, func(s *state.State) {
			parts.Runs.Put(s, parts.Runs.Of(*s).Edit(e.recipe, func(c *parts.RunChoice) {
				e.kind.Run.Until(c.Values, until)
			}))
		})
	}
	return e.Start()
}

// answering is in how many units the others answer what was moved on a map of so many.
func answering(total int64) int64 { return max(50, total/4) }

// Pause stops it where it is, and keeps that in the document.
func (e *Embedding) Pause() {
	if e.steps != nil {
		e.steps.run.Pause()
	}
}

// Again starts it over from where it is chosen to begin.
func (e *Embedding) Again() error {
	c := parts.Runs.Of(e.m.Doc.State()).Get(e.recipe)
	if c.From == nil {
		return e.Restart(nil, false)
	}
	return e.Restart(e.m.Embedding(*c.From), c.Keep)
}

// Restart starts it from the positions of another embedding, which must be at rest, or, for nil, from its own
// beginning. keep: it goes on from them as they are, at their own size; else they say where points begin.
func (e *Embedding) Restart(from *Embedding, keep bool) error {
	if e.steps == nil {
		return e.errPure()
	}
	var b embedding.Beginning
	if from != nil {
		pos, ok := from.Positions()
		if !ok {
			title, _ := from.Label()
			return problem.New("", "try again in a moment", "the positions of %s are still changing", title)
		}
		b.From = &embedding.Result{Dims: from.Dims(), Pos: slices.Clone(pos), Axes: from.axes}
		b.Fresh = !keep
	}
	w := e.steps
	w.unblend()
	w.run.Pause()
	w.run.Finish()
	w.e.m.gauges.anew(e)
	w.e.err, w.looked, w.kept = nil, true, w.saved()
	w.run.Start(work.ToRest)
	w.marked, w.prep.pending = w.mark("Restart "+w.e.kind.Title), nil
	w.run.SetProgress(step.Progress{})
	w.curve, w.weighed, w.stirred = nil, -1, false
	w.standing = embedding.Standing{Figure: math.NaN()}
	w.began++
	w.prep.begin(b)
	return nil
}

// Began is how often its positions have begun anew, or gone back to what there was before its first run.
func (e *Embedding) Began() int {
	if e.steps == nil {
		return 0
	}
	return e.steps.began
}

// Pin keeps points, in the order of the table, where they are, or lets them go.
func (e *Embedding) Pin(points []int, on bool) error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	w.unblend()
	for _, p := range points {
		if on {
			w.pinned[p] = true
		} else {
			delete(w.pinned, p)
		}
	}
	w.listPins()
	w.stirred = w.stirred || !on && len(points) > 0
	points = slices.Clone(points)
	w.prep.with(func() {
		if on {
			w.hold(points, gather(w.host(), w.e.recipe.Dims, points))
		} else {
			w.release(points)
		}
	})
	if !w.run.Active() && !w.held {
		w.mark("Pin points")
	}
	return nil
}

// Pinned returns the pinned points, rising. They are not to be changed.
func (e *Embedding) Pinned() []int {
	if e.steps == nil {
		return nil
	}
	return e.steps.pins
}

func (w *stepwise) listPins() {
	w.pins = make([]int, 0, len(w.pinned))
	for p := range w.pinned {
		w.pins = append(w.pins, p)
	}
	slices.Sort(w.pins)
}

// Move puts points to new places, Dims for each, as the hand drags them. Between Hold(true) and Hold(false) they stay
// in the hand while the others answer, and all of it is one entry of the history; while the embedding runs it is part
// of the run's.
func (e *Embedding) Move(points []int, pos []float32) error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	w.unblend()
	if len(pos) != len(points)*e.recipe.Dims || slices.ContainsFunc(points, func(p int) bool {
		return p < 0 || p >= e.m.table.X.Rows
	}) {
		return problem.New("", "report this", "%d coordinates for %d points", len(pos), len(points))
	}
	if !w.there {
		return nil // there is nothing to take hold of
	}
	alone := !w.run.Active() && !w.held
	if alone {
		w.mark("Move points")
	}
	w.stirred = true
	if w.held && !slices.Equal(w.grip, points) {
		w.loose(points)
	}
	points, pos = slices.Clone(points), slices.Clone(pos)
	w.put(points, pos)
	w.prep.with(func() {
		if alone { // the runner is told of a drag, however short, so that it answers as it does then
			w.clutch(true)
		}
		if w.hold(points, pos); !w.held {
			w.release(slices.DeleteFunc(slices.Clone(points), func(p int) bool { return w.pinned[p] }))
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
func (w *stepwise) clutch(on bool) {
	if err := w.prep.runner.Grip(on); err != nil {
		w.e.m.Values.Jobs.Failed(w.explained(err))
	}
}

// loose lets go of what the hand has held but points, which it holds now.
func (w *stepwise) loose(points []int) {
	gone := slices.DeleteFunc(w.grip, func(p int) bool { return w.pinned[p] || slices.Contains(points, p) })
	if len(gone) > 0 {
		gone = slices.Clone(gone)
		w.prep.with(func() { w.release(gone) })
	}
	w.grip = append([]int(nil), points...)
}

// put shows points where the hand has them, in this very frame.
func (w *stepwise) put(points []int, pos []float32) {
	d := w.e.recipe.Dims
	host, lo, hi := w.e.target.Host(), w.e.target.Len(), 0
	if w.prep.runner == nil { // else it writes all of them in a moment
		host = w.host()
	}
	for k, p := range points {
		copy(host[p*d:(p+1)*d], pos[k*d:])
		lo, hi = min(lo, p), max(hi, p+1)
	}
	if lo < hi {
		w.e.target.Upload(lo, hi)
	}
}

func (w *stepwise) hold(points []int, places []float32) {
	if err := w.prep.runner.Hold(points, places); err != nil {
		w.e.m.Values.Jobs.Failed(w.explained(err))
	}
}

func (w *stepwise) release(points []int) {
	if err := w.prep.runner.Release(points); err != nil {
		w.e.m.Values.Jobs.Failed(w.explained(err))
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
func (e *Embedding) Hold(on bool) {
	w := e.steps
	if w == nil || w.held == on {
		return
	}
	w.unblend()
	if on && w.run.Active() && w.run.Aim() == work.InHand { // the points of the former grip settle first
		w.run.Pause()
		w.run.Finish()
	}
	w.held = on
	w.prep.with(func() { w.clutch(on) })
	if on {
		w.e.m.runs.Hold(w.run)
		if w.grip = w.grip[:0]; !w.run.Active() {
			w.marked = w.mark("Move points")
			w.run.Start(work.InHand)
		}
		return
	}
	w.e.m.runs.Hold(nil)
	w.loose(nil)
	total, at := w.total(), w.run.Progress()
	done := w.stirred && total > 0 && at.Done >= total
	switch {
	case !w.run.Active() || done && w.e.kind.Run.Settles:
	case w.run.Aim() == work.InHand:
		w.run.Pause()
	case done:
		w.beyond = at.Done + answering(total)
	}
}
