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
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// stepwise is an embedding that a runner advances, by the time that the arbiter gives it, in the frame or, where a unit
// would hold that up, beside it. Where it has come to is data: it is kept in the document whenever it pauses or is let
// go, and taken from there after undo and when a session is opened. A run is one entry of the history. The runner is
// made when it is first needed, from the positions there are.
type stepwise struct {
	*Embedding
	id      string // of its snapshot: the recipe's key
	runner  embedding.Runner
	table   revision.Revision // of the points that runner has
	job     *work.Job         // that makes a runner, or another basis for it
	made    *making           // by job
	pending []func()          // what is to be done when there is a runner

	basis    any
	basisFor basisKey
	failed   basisKey    // could not be made
	told     step.Values // the runner
	set      settings

	run    *work.Run
	began  int
	ahead  bool  // of what the document has
	marked bool  // the run is in the history
	held   bool  // the hand moves points
	grip   []int // points that the hand holds

	there    bool // the buffer holds positions
	looked   bool // at the document
	kept     *parts.Snapshot
	pinned   map[int]bool // points, in the order of the table
	pins     []int        // the same, rising
	blended  []float32    // the positions that there are, while between them and others is shown
	share    float64      // of them that is shown
	standing embedding.Standing
	curve    []parts.CurvePoint
	weighed  int64 // the unit after which standing was asked for
	savings  time.Duration
	due      units // the next, or those under way
	stirred  bool  // the hand has moved points since it last rested
	beyond   int64 // units it may go on to, for what the hand has moved; 0: as many as are set
}

// basisKey is what the basis of a run depends on.
type basisKey struct {
	table revision.Revision
	key   string
}

func (w *stepwise) tend() {
	w.run.Tend()
	if now := w.saved(); !w.looked || now != w.kept {
		w.adopt(now)
	}
	if w.err != nil || w.job != nil || w.run.Busy() {
		return
	}
	switch {
	case !w.there || w.run.Active() && !w.Ready():
		w.begin(w.onward())
	case w.run.Active() && w.settle().basis != w.basisFor && w.settle().basis != w.failed && !w.m.Doc.Open():
		w.rebase()
	}
}

// saved is what the document has of it.
func (w *stepwise) saved() *parts.Snapshot { return parts.Snapshots.Of(w.m.Doc.State())[w.id] }

// adopt takes what the document has, nil for nothing: the run that there was is over.
func (w *stepwise) adopt(s *parts.Snapshot) {
	fresh := !w.looked
	w.end()
	w.blended = nil
	w.looked, w.kept, w.there, w.err = true, s, false, nil
	w.run.SetProgress(step.Progress{})
	w.pinned, w.stirred = map[int]bool{}, false
	w.pins = nil
	w.standing, w.curve, w.weighed = embedding.Standing{Figure: math.NaN()}, nil, -1
	if s == nil {
		if !fresh {
			w.began++
		}
		if fresh && w.kind.Run.Eager {
			w.run.Start(work.ToRest)
		}
		return
	}
	order := w.m.table.Order
	w.pinned = s.PinnedIn(order)
	w.listPins()
	if m := s.Memory; m != nil {
		w.run.SetProgress(step.Progress{Done: m.Units, Total: m.Total, Rest: m.Rest})
		w.stirred = m.Stirred
		w.standing.Early, w.standing.Points, w.standing.Warning = m.Early, m.Placed, m.Warning
		w.curve = slices.Clone(m.Curve)
		if n := len(w.curve); n > 0 {
			w.standing.Figure, w.weighed = w.curve[n-1].Value, w.curve[n-1].Unit
		}
	}
	copy(w.target.Host(), s.InOrder(order))
	w.target.Upload(0, w.target.Len())
	w.there, w.rev = true, revision.Next()
}

// settings is how an embedding is to be run, as the document and the points have it.
type settings struct {
	choice revision.Revision
	table  revision.Revision
	beyond int64
	values step.Values // with those that suit the points
	basis  basisKey
}

// settle brings the settings up to date.
func (w *stepwise) settle() *settings {
	c, t := parts.Runs.Rev(w.m.Doc.State()), w.m.table
	if s := &w.set; s.choice == c && s.table == t.Rev && s.beyond == w.beyond && s.values != nil {
		return s
	}
	in, run := embedding.Inputs{Data: w.m.Doc.Data, Table: t, Caps: w.m.dev.caps}, w.kind.Run
	values := run.Values(in, w.recipe, parts.Runs.Of(w.m.Doc.State())[w.id].Values)
	if total, ok := run.Units(values); ok && total > 0 && total < w.beyond {
		run.Until(values, w.beyond)
	}
	w.set = settings{choice: c, table: t.Rev, beyond: w.beyond, values: values}
	if run.Basis != nil {
		w.set.basis = basisKey{t.Rev, run.Key(in, w.recipe, values)}
	}
	return &w.set
}

// onward is a beginning from where it is: with what the document knows of it, if that is of the same points.
func (w *stepwise) onward() embedding.Beginning {
	if !w.there {
		return embedding.Beginning{}
	}
	t := w.m.table
	b := embedding.Beginning{From: &embedding.Result{Dims: w.recipe.Dims, Pos: slices.Clone(w.host())},
		Pinned: slices.Clone(w.Pinned())}
	if s := w.kept; s != nil && !w.ahead && s.Memory != nil && s.Memory.Print == t.Print() {
		b.Memory = s.Recall(t.Order)
	}
	return b
}

// begin makes a runner, after the basis that it needs.
func (w *stepwise) begin(b embedding.Beginning) {
	w.stop()
	m, run := w.m, w.kind.Run
	in, table, key := m.inputs(w.recipe), m.table.Rev, w.settle().basis
	title, _ := w.Label()
	b.Values, b.Seed = w.settle().values, m.Doc.Seed
	basis, former := w.basis, any(nil)
	if key != w.basisFor {
		if basis = nil; w.basisFor.table == table {
			former = w.basis
		}
	}
	prepare := func(ctx context.Context, report func(done, total int64)) (r embedding.Runner, err error) {
		if basis == nil {
			if basis, err = run.Prepare(ctx, in, w.recipe, b.Values, former, report); err != nil {
				return nil, err
			}
		}
		b.Basis = basis
		return run.Start(ctx, in, w.recipe, b)
	}
	take := func(r embedding.Runner, err error) {
		if basis != nil { // also where nothing could be started from it: the next try need not look for neighbours
			w.basis, w.basisFor = basis, key
		}
		w.take(r, b, table, err)
	}
	if run.Basis == nil && coordinate*work.Ops(in.Table.X.Rows*w.recipe.Dims) <= work.AtOnce {
		take(prepare(context.Background(), nil))
		return
	}
	name := run.Title
	if name == "" {
		name = "Preparing " + title
	}
	w.start(name, func(ctx context.Context, report func(done, total int64)) (func(), func()) {
		r, err := prepare(ctx, report)
		return func() { take(r, err) }, func() {
			if r != nil {
				r.Close()
			}
		}
	}, func() {
		if w.there {
			w.run.Abandon(true)
			w.pending = nil
			return
		}
		w.take(nil, b, table, problem.New("", "start it again", "%s was not prepared", title))
	})
}

// rebase makes another basis for the run that goes on meanwhile.
func (w *stepwise) rebase() {
	m, run := w.m, w.kind.Run
	in, key, values, former := m.inputs(w.recipe), w.settle().basis, w.settle().values, w.basis
	fail := func(err error) {
		w.failed = key
		m.Values.Jobs.Failed(w.explained(err))
	}
	w.start(run.Title, func(ctx context.Context, report func(done, total int64)) (func(), func()) {
		basis, err := run.Prepare(ctx, in, w.recipe, values, former, report)
		return func() {
			if err != nil {
				fail(err)
				return
			}
			w.pending = append(w.pending, func() {
				if err := w.runner.Rebase(basis); err != nil {
					fail(err)
					return
				}
				w.basis, w.basisFor = basis, key
				if w.run.Progress().Rest && !w.run.Active() { // it came to rest meanwhile
					if p, err := w.runner.Step(context.Background(), 0); err == nil && !p.Rest {
						w.run.SetProgress(p)
						w.run.Start(work.ToRest)
					}
				}
			})
			w.do()
		}, func() {}
	}, func() { w.failed = key })
}

// start starts a job of this embedding. What it computes returns what is done with it on the main thread, and what
// where nobody has use for it any more; dropped is called where it was cancelled or has panicked.
func (w *stepwise) start(title string, compute func(ctx context.Context,
	report func(done, total int64)) (take, leave func()), dropped func()) {
	var job *work.Job
	made := &making{over: make(chan struct{})}
	job = w.m.Values.Jobs.Start(title, func(ctx context.Context, j *work.Job) (func(), error) {
		defer close(made.over)
		var take func()
		if take, made.leave = compute(ctx, j.Report); ctx.Err() != nil {
			made.drop()
			return nil, ctx.Err()
		}
		return func() {
			if w.job != job {
				made.drop()
				return
			}
			w.job, made.leave = nil, nil
			take()
		}, nil
	})
	job.Dropped = func() {
		made.drop()
		if w.job == job {
			w.job = nil
			dropped()
		}
	}
	w.job, w.made = job, made
}

// making is what a job makes: until it is over it belongs to the job, and then to the main thread.
type making struct {
	over  chan struct{}
	leave func() // gives back what was made and nobody has taken
}

// drop gives back what nobody has taken.
func (p *making) drop() {
	if leave := p.leave; leave != nil {
		p.leave = nil
		leave()
	}
}

// forgo cancels the making of a runner and waits until nobody is at work on it: what it is made of goes away.
func (w *stepwise) forgo() {
	if w.job == nil {
		return
	}
	w.job.Cancel()
	w.job = nil
	<-w.made.over
	w.made.drop()
}

// take takes a runner.
func (w *stepwise) take(r embedding.Runner, b embedding.Beginning, table revision.Revision, err error) {
	if err != nil {
		w.run.Abandon(true)
		w.pending = nil
		if w.there && b.From != nil { // what there is stays
			w.m.Values.Jobs.Failed(w.explained(err))
			return
		}
	}
	if w.err = err; err != nil {
		return
	}
	w.runner, w.table, w.told, w.failed = r, table, b.Values, basisKey{}
	w.run.Cost.Guess(float64(r.Guess()))
	if b.Memory == nil { // where it was held is where it is
		if pins := w.Pinned(); len(pins) > 0 && b.From != nil {
			w.hold(pins, gather(w.host(), w.recipe.Dims, pins))
		}
	}
	w.fresh()
	w.Show()
	if !w.run.Active() {
		w.rev = revision.Next()
	}
	w.do()
}

// fresh notes how the run stands that has just begun.
func (w *stepwise) fresh() {
	p, err := w.runner.Step(context.Background(), 0)
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

// do does what has waited for a runner, if there is one that nobody is at work on.
func (w *stepwise) do() {
	for w.Ready() && !w.run.Busy() && len(w.pending) > 0 {
		do := w.pending[0]
		w.pending = w.pending[1:]
		do()
	}
}

// with does something that needs a runner, when there is one.
func (w *stepwise) with(do func()) {
	w.pending = append(w.pending, do)
	if w.do(); len(w.pending) > 0 && w.job == nil && !w.run.Busy() && !w.Ready() {
		w.begin(w.onward())
	}
}

// Show brings positions into the buffer.
func (w *stepwise) Show() {
	w.blended = nil
	if err := w.runner.Place(w.target); err != nil {
		w.m.Values.Jobs.Failed(w.explained(err))
		return
	}
	w.there = true
}

// host is the positions that are shown, also those that a runner wrote on its card.
func (w *stepwise) host() []float32 {
	if sync := w.m.buffers.Sync; sync != nil {
		sync(w.target)
	}
	return w.target.Host()
}

// stop ends the making of a runner, and what there is.
func (w *stepwise) stop() {
	if w.job != nil {
		w.job.Cancel()
		w.job = nil
	}
	w.run.Drop(true)
	if w.runner != nil {
		w.runner.Close()
		w.runner = nil
	}
}

// total is after how many units it ends by itself, whether there is a runner or not; 0: when it rests.
func (w *stepwise) total() int64 {
	if total, ok := w.kind.Run.Units(w.settle().values); ok {
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
	return w.run.Active() && w.runner == nil && w.run.Progress().Done == 0
}

func (w *stepwise) explained(err error) error {
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return err
	}
	return problem.Wrap(err, "", "start it again, or choose other columns", "%s failed: %v", w.kind.Title, err)
}

func (w *stepwise) busy() bool {
	return w.err == nil && (w.run.Active() || w.job != nil || w.run.Busy() || !w.looked || !w.there ||
		w.kept != w.saved())
}

func (w *stepwise) stale() float64 {
	if !w.there && w.err == nil {
		return 1
	}
	return 0
}

func (w *stepwise) shown() int {
	if !w.there {
		return 0
	}
	return w.target.Len()
}

func (w *stepwise) refill() {
	w.there = false
	if w.runner != nil && !w.run.Busy() {
		w.Show()
		return
	}
	w.looked = false
}

func (w *stepwise) end() {
	w.stop()
	if w.held { // the hand may be in another run
		w.m.runs.Hold(nil)
	}
	w.run.Abandon(true)
	w.marked, w.held = false, false
	w.grip = w.grip[:0]
	w.pending, w.beyond = nil, 0
}

func (w *stepwise) keep() bool { return w.run.Active() || w.run.Busy() }

// errPure says that an embedding has nothing to start.
func (e *Embedding) errPure() error {
	title, _ := e.Label()
	return problem.New("", "change what it is computed from", "%s does not run: it is computed", title)
}

// Runs says whether the embedding is one that runs: that can be started, and whose points can be moved.
func (e *Embedding) Runs() bool { return e.steps != nil }
