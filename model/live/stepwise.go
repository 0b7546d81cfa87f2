package live

import (
	"context"
	"errors"
	"slices"
	"time"

	"blossom/model/embedding"
	"blossom/model/parts"
	"blossom/model/problem"
	"blossom/model/revision"
	"blossom/model/state"
	"blossom/model/step"
)

// stepwise is an embedding that a runner advances, by the time that the arbiter gives it. Where it has come to is
// data: it is kept in the document whenever it pauses or is let go, and taken from there after undo and when a
// session is opened. A run is one entry of the history. The runner is made when it is first needed, from the
// positions there are.
type stepwise struct {
	*Embedding
	id      string // of its snapshot: the recipe's key
	runner  embedding.Runner
	table   revision.Revision // of the points that runner has
	job     *Job              // that makes a runner
	pending []func()          // what is to be done when it is there

	running bool
	moved   bool // it has advanced since it was started
	ahead   bool // of what the document has
	marked  bool // the run is in the history
	held    bool // the hand moves points

	there    bool // the buffer holds positions
	looked   bool // at the document
	kept     *parts.Snapshot
	pinned   map[int]bool // points, in the order of the table
	progress step.Progress
	cost     float64 // ns of a unit, measured
}

func (w *stepwise) tend() {
	if now := w.saved(); !w.looked || now != w.kept {
		w.adopt(now)
	}
	if w.err == nil && w.job == nil && (!w.there || w.running && !w.fits()) {
		w.begin(w.present())
	}
}

// saved is what the document has of it.
func (w *stepwise) saved() *parts.Snapshot { return parts.Snapshots.Of(w.m.Doc.State())[w.id] }

// adopt takes what the document has, nil for nothing: the run that there was is over.
func (w *stepwise) adopt(s *parts.Snapshot) {
	w.end()
	w.looked, w.kept, w.there, w.err = true, s, false, nil
	w.progress, w.pinned = step.Progress{}, map[int]bool{}
	if s != nil {
		order := w.m.table.Order
		w.pinned = s.PinnedIn(order)
		w.write(s.InOrder(order))
		w.rev = revision.Next()
	}
}

// fits says whether there is a runner of the present points.
func (w *stepwise) fits() bool { return w.runner != nil && w.table == w.m.table.Rev }

// present returns the positions there are, or nil.
func (w *stepwise) present() *embedding.Result {
	if !w.there {
		return nil
	}
	return &embedding.Result{Dims: w.recipe.Dims, Pos: slices.Clone(w.target.Host())}
}

// begin makes a runner, from positions or, for nil, from its own beginning.
func (w *stepwise) begin(from *embedding.Result) {
	w.stop()
	m := w.m
	in, seed, table := m.inputs(w.recipe), m.Doc.Seed, m.table.Rev
	title, _ := w.Label()
	prepare := func() (embedding.Runner, error) {
		r, err := w.kind.Start(in, w.recipe, from, seed)
		if n := in.Table.X.Rows * w.recipe.Dims; err == nil && len(r.Positions()) != n {
			err = problem.New("", "report this", "%s has %d coordinates, should have %d", title, len(r.Positions()), n)
		}
		return r, err
	}
	if in.Table.X.Rows*w.recipe.Dims < aside {
		r, err := prepare()
		w.take(r, table, err)
		return
	}
	var job *Job
	job = m.Jobs.Start("Preparing "+title, func(context.Context, *Job) (func(), error) {
		r, err := prepare()
		return func() {
			if w.job == job {
				w.job = nil
				w.take(r, table, err)
			}
		}, nil
	})
	job.Dropped = func() {
		if w.job == job {
			w.job = nil
			w.take(nil, 0, problem.New("", "start it again", "%s was not prepared", title))
		}
	}
	w.job = job
}

// take takes a runner.
func (w *stepwise) take(r embedding.Runner, table revision.Revision, err error) {
	pending := w.pending
	w.pending = nil
	if w.err = err; err != nil {
		w.running = false
		return
	}
	w.runner, w.table, w.cost = r, table, 0
	if len(w.pinned) > 0 {
		r.Pin(w.Pinned(), true)
	}
	w.write(r.Positions())
	if !w.running {
		w.rev = revision.Next()
	}
	for _, do := range pending {
		do()
	}
}

// with does something that needs a runner, when there is one.
func (w *stepwise) with(do func()) {
	switch {
	case w.job != nil:
		w.pending = append(w.pending, do)
	case w.fits():
		do()
	default:
		w.pending = append(w.pending, do)
		w.begin(w.present())
	}
}

// write brings positions into the buffer.
func (w *stepwise) write(pos []float32) {
	copy(w.target.Host(), pos)
	w.target.Upload(0, w.target.Len())
	w.there = true
}

// stop ends the making of a runner, and what there is.
func (w *stepwise) stop() {
	if w.job != nil {
		w.job.Cancel()
		w.job = nil
	}
	w.runner = nil
}

// mark records in the history that positions are about to change, unless the user is in the middle of something
// else. The document is given them as they are, so that they are other ones than before: undoing the entry is
// then seen while the run goes on.
func (w *stepwise) mark(name string) bool {
	if w.m.Doc.Open() || !w.there {
		return false
	}
	w.m.Doc.Mark(name, parts.Snapshots.Whole())
	w.store()
	return true
}

// rest says that the positions stay as they are for now.
func (w *stepwise) rest() {
	w.store()
	w.rev = revision.Next()
}

// store gives the document the positions as they are.
func (w *stepwise) store() {
	t := w.m.table
	w.ahead = false
	w.kept = parts.NewSnapshot(w.recipe, w.target.Host(), w.Pinned(), t.Order, w.m.Doc.Data.Points)
	w.m.Doc.Drift(func(s *state.State, inBefore bool) {
		parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(w.kept))
	})
}

// unkept says whether the document should be given the positions while the run goes on. A run that is not in the
// history yet cannot be, and more positions than a session holds need not.
func (w *stepwise) unkept() bool {
	return w.running && w.ahead && w.marked && w.there && w.target.Len()*w.recipe.Dims <= parts.MaxSnapshot
}

// Unkept says whether there is what only memory has: where a run has come to since the document was given it.
func (m *Map) Unkept() bool {
	for _, e := range m.list {
		if e.steps != nil && e.steps.unkept() {
			return true
		}
	}
	return false
}

// Keep gives the document what only memory has. Runs go on.
func (m *Map) Keep() {
	for _, e := range m.list {
		if e.steps != nil && e.steps.unkept() {
			e.steps.store()
		}
	}
}

// Title, Running, Advance and Pause make it a Run.
func (w *stepwise) Title() string { return w.kind.Title }

func (w *stepwise) Running() bool { return w.running && w.job == nil && w.fits() }

func (w *stepwise) Advance(_, budget time.Duration) (spent time.Duration, err error) {
	if !w.marked {
		w.marked = w.mark("Run " + w.kind.Title)
	}
	w.moved, w.ahead = true, true
	m, start := w.m, w.m.now()
	for ; w.running && spent < budget; spent = m.now().Sub(start) {
		units := 1
		if w.cost > 0 {
			units = max(1, int(min(float64(budget-spent)/w.cost, 1e7)))
		}
		before := w.progress.Done
		from := m.now()
		if w.progress, err = w.runner.Step(context.Background(), units); err != nil {
			w.runner = nil // where it has come to is not to be trusted: what is shown is
			return m.now().Sub(start), w.failed(err)
		}
		if did := w.progress.Done - before; did > 0 {
			c := float64(m.now().Sub(from)) / float64(did)
			if w.cost == 0 {
				w.cost = c
			}
			w.cost += 0.3 * (c - w.cost)
		}
		if w.progress.Rest {
			break
		}
	}
	w.write(w.runner.Positions())
	if w.progress.Rest {
		w.Pause()
		m.notice(w.kind.Title + " has come to rest")
	}
	return m.now().Sub(start), nil
}

func (w *stepwise) failed(err error) error {
	if p := (*problem.Problem)(nil); errors.As(err, &p) {
		return err
	}
	return problem.Wrap(err, "", "start it again, or choose other columns", "%s failed: %v", w.kind.Title, err)
}

// Pause stops the run where it is, and keeps that.
func (w *stepwise) Pause() {
	if !w.running {
		return
	}
	w.running = false
	if w.moved {
		w.rest()
	}
	w.marked, w.moved = false, false
}

func (w *stepwise) busy() bool {
	return w.err == nil && (w.running || w.job != nil || !w.looked || !w.there ||
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
	if w.runner != nil {
		w.write(w.runner.Positions())
		return
	}
	w.looked = false
}

func (w *stepwise) end() {
	w.stop()
	if w.held { // the hand may be in another run
		w.m.runs.Hold(nil)
	}
	w.running, w.marked, w.moved, w.held, w.pending = false, false, false, false, nil
}

func (w *stepwise) keep() bool { return w.running }

// errPure says that an embedding has nothing to start.
func (e *Embedding) errPure() error {
	title, _ := e.Label()
	return problem.New("", "change what it is computed from", "%s does not run: it is computed", title)
}

// Runs says whether the embedding is one that runs: that can be started, and whose points can be moved.
func (e *Embedding) Runs() bool { return e.steps != nil }

// Start lets a running embedding go on from where it is.
func (e *Embedding) Start() error {
	if e.steps == nil {
		return e.errPure()
	}
	if e.err != nil {
		e.steps.adopt(e.steps.saved())
	}
	e.steps.running = true
	return nil
}

// Pause stops it where it is, and keeps that in the document.
func (e *Embedding) Pause() {
	if e.steps != nil {
		e.steps.Pause()
	}
}

// Restart starts it from the positions of another embedding, which must be at rest, or, for nil, from its own
// beginning.
func (e *Embedding) Restart(from *Embedding) error {
	if e.steps == nil {
		return e.errPure()
	}
	var start *embedding.Result
	if from != nil {
		pos, ok := from.Positions()
		if !ok {
			title, _ := from.Label()
			return problem.New("", "try again in a moment", "the positions of %s are still changing", title)
		}
		start = &embedding.Result{Dims: from.Dims(), Pos: slices.Clone(pos), Axes: from.axes}
	}
	w := e.steps
	w.Pause()
	w.err, w.looked, w.kept = nil, true, w.saved()
	w.running, w.progress, w.pending = true, step.Progress{}, nil
	w.marked = w.mark("Restart " + w.kind.Title)
	w.begin(start)
	return nil
}

// Running says whether it goes on, and how far it has come.
func (e *Embedding) Running() (bool, step.Progress) {
	if e.steps == nil {
		return false, step.Progress{}
	}
	return e.steps.running, e.steps.progress
}

// Pin keeps points, in the order of the table, where they are, or lets them go.
func (e *Embedding) Pin(points []int, on bool) error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	for _, p := range points {
		if on {
			w.pinned[p] = true
		} else {
			delete(w.pinned, p)
		}
	}
	points = slices.Clone(points)
	w.with(func() { w.runner.Pin(points, on) })
	if !w.running && !w.held {
		w.mark("Pin points")
	}
	return nil
}

// Pinned returns the pinned points, sorted.
func (e *Embedding) Pinned() []int {
	if e.steps == nil {
		return nil
	}
	out := make([]int, 0, len(e.steps.pinned))
	for p := range e.steps.pinned {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// Move puts points to new places, Dims for each, as the hand drags them. Between Hold(true) and Hold(false) the
// moves are one entry of the history; while the embedding runs they are part of the run's.
func (e *Embedding) Move(points []int, pos []float32) error {
	if e.steps == nil {
		return e.errPure()
	}
	w := e.steps
	if len(pos) != len(points)*e.recipe.Dims || slices.ContainsFunc(points, func(p int) bool {
		return p < 0 || p >= e.m.table.X.Rows
	}) {
		return problem.New("", "report this", "%d coordinates for %d points", len(pos), len(points))
	}
	alone := !w.running && !w.held
	points, pos = slices.Clone(points), slices.Clone(pos)
	w.with(func() {
		if alone {
			w.mark("Move points")
		}
		w.runner.Move(points, pos)
		w.write(w.runner.Positions())
		if alone {
			w.rest()
		}
	})
	return nil
}

// Hold says whether the user has points of this embedding in hand: what it is computed by then goes before all
// else.
func (e *Embedding) Hold(on bool) {
	w := e.steps
	if w == nil || w.held == on {
		return
	}
	w.held = on
	if on {
		e.m.runs.Hold(w)
		if !w.running {
			w.mark("Move points")
		}
		return
	}
	e.m.runs.Hold(nil)
	if !w.running && w.there {
		w.rest()
	}
}
