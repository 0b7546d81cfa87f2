package member

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// preparation is what a run works with: a runner, and the basis that it was started from. A job makes them where that
// takes long, and what the hand does meanwhile waits.
type preparation struct {
	w       *Forming
	runner  embedding.Runner
	table   revision.Revision // revision of the points that runner has
	job     *work.Job         // the job that makes a runner, or another basis for it
	made    *making           // by job
	pending []func()          // actions waiting for a runner

	basis    any
	basisFor basisKey
	failed   basisKey    // could not be made
	told     step.Values // the runner
	set      settings
}

// basisKey is what the basis of a run depends on.
type basisKey struct {
	table revision.Revision
	key   string
}

// settings is how an embedding is to be run, as the document and the points have it.
type settings struct {
	choice  revision.Revision
	table   revision.Revision
	beyond  int64
	follow  bool        // the chosen values are followed
	values  step.Values // with those that suit the points
	basis   basisKey
	changed bool // other values are chosen than those that it ran with
}

// ran says which values it ran with last.
func (w *Forming) ran(with step.Values) { w.made, w.prep.set.values = with, nil }

// follows says whether the values that are chosen count: where the user lets it run. A map whose points the hand drags
// answers with those that it was made with.
func (p *preparation) follows() bool {
	w := p.w
	return w.made == nil || w.run.Active() && w.run.Aim() != work.InHand
}

// settle brings the settings up to date.
func (p *preparation) settle() *settings {
	w, m := p.w, p.w.m
	c, t := parts.Runs.Rev(m.Doc.State()), m.Table()
	follow := p.follows()
	if s := &p.set; s.choice == c && s.table == t.Rev && s.beyond == w.beyond && s.follow == follow && s.values != nil {
		return s
	}
	in, run := embedding.Inputs{Data: m.Doc.Data, Table: t, Caps: m.Caps()}, w.kind.Run
	values := run.Values(in, w.recipe, parts.Runs.Of(m.Doc.State())[w.id].Values)
	changed := false
	for id, v := range w.made {
		if x := slices.IndexFunc(run.Params, func(x step.Param) bool { return x.ID == id }); x < 0 || id == run.Total {
			continue // one of another version, and how long it runs is not how it was made
		} else if changed = changed || values.Get(run.Params[x]) != v; !follow {
			values[id] = v
		}
	}
	if total, ok := run.Units(values); ok && total > 0 && total < w.beyond {
		run.Until(values, w.beyond)
	}
	p.set = settings{choice: c, table: t.Rev, beyond: w.beyond, follow: follow, values: values, changed: changed}
	if run.Basis != nil {
		p.set.basis = basisKey{t.Rev, run.Key(in, w.recipe, values)}
	}
	return &p.set
}

// outdated says whether another basis is wanted than there is.
func (p *preparation) outdated() bool { return p.settle().basis != p.basisFor }

// Coordinate is how many operations a coordinate of a point takes to compute.
const Coordinate work.Ops = 168

// begin makes a runner, after the basis that it needs.
func (p *preparation) begin(b embedding.Beginning) {
	w := p.w
	w.Stop()
	m, run := w.m, w.kind.Run
	in, table, key := m.Inputs(w.recipe), m.Table().Rev, p.settle().basis
	title := w.label()
	b.Values, b.Seed = p.settle().values, m.Doc.Seed
	basis, former := p.basis, any(nil)
	if key != p.basisFor {
		if basis = nil; p.basisFor.table == table {
			former = p.basis
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
			p.basis, p.basisFor = basis, key
		}
		w.take(r, b, table, err)
	}
	if run.Basis == nil && Coordinate*work.Ops(in.Table.X.Rows*w.recipe.Dims) <= work.AtOnce {
		take(prepare(context.Background(), nil))
		return
	}
	name := run.Title
	if name == "" {
		name = "Preparing " + title
	}
	p.start(name, func(ctx context.Context, report func(done, total int64)) (func(), func()) {
		r, err := prepare(ctx, report)
		return func() { take(r, err) }, func() {
			if r != nil {
				r.Close()
			}
		}
	}, func() {
		if w.there {
			w.run.Abandon(true)
			p.pending = nil
			return
		}
		w.take(nil, b, table, problem.New("", "start it again", "%s was not prepared", title))
	})
}

// rebase makes another basis for the run that goes on meanwhile.
func (p *preparation) rebase() {
	w := p.w
	m, run := w.m, w.kind.Run
	in, key, values, former := m.Inputs(w.recipe), p.settle().basis, p.settle().values, p.basis
	fail := func(err error) {
		p.failed = key
		m.Jobs.Failed(w.explained(err))
	}
	p.start(run.Title, func(ctx context.Context, report func(done, total int64)) (func(), func()) {
		basis, err := run.Prepare(ctx, in, w.recipe, values, former, report)
		return func() {
			if err != nil {
				fail(err)
				return
			}
			p.pending = append(p.pending, func() {
				if err := p.runner.Rebase(basis); err != nil {
					fail(err)
					return
				}
				p.basis, p.basisFor = basis, key
				if w.run.Progress().Rest && !w.run.Active() { // it came to rest meanwhile
					if at, err := p.runner.Step(context.Background(), 0); err == nil && !at.Rest {
						w.run.SetProgress(at)
						w.run.Start(work.ToRest)
					}
				}
			})
			p.do()
		}, func() {}
	}, func() { p.failed = key })
}

// start starts a job of this embedding. What it computes returns what is done with it on the main thread, and what
// where nobody has use for it any more; dropped is called where it was cancelled or has panicked.
func (p *preparation) start(title string, compute func(ctx context.Context,
	report func(done, total int64)) (take, leave func()), dropped func()) {
	var job *work.Job
	made := &making{over: make(chan struct{})}
	job = p.w.m.Jobs.Start(title, func(ctx context.Context, j *work.Job) (func(), error) {
		defer close(made.over)
		var take func()
		if take, made.leave = compute(ctx, j.Report); ctx.Err() != nil {
			made.drop()
			return nil, ctx.Err()
		}
		return func() {
			if p.job != job {
				made.drop()
				return
			}
			p.job, made.leave = nil, nil
			take()
		}, nil
	})
	job.Dropped = func() {
		made.drop()
		if p.job == job {
			p.job = nil
			dropped()
		}
	}
	p.job, p.made = job, made
}

// making is what a job makes: until it is over it belongs to the job, and then to the main thread.
type making struct {
	over  chan struct{}
	leave func() // gives back what was made and nobody has taken
}

// drop gives back what nobody has taken.
func (k *making) drop() {
	if leave := k.leave; leave != nil {
		k.leave = nil
		leave()
	}
}

// forgo cancels the making of a runner and waits until nobody is at work on it: what it is made of goes away.
func (p *preparation) forgo() {
	if p.job == nil {
		return
	}
	p.job.Cancel()
	p.job = nil
	<-p.made.over
	p.made.drop()
}

// do does what has waited for a runner, if there is one that nobody is at work on.
func (p *preparation) do() {
	for p.w.Ready() && !p.w.run.Busy() && len(p.pending) > 0 {
		do := p.pending[0]
		p.pending = p.pending[1:]
		do()
	}
}

// with does something that needs a runner, when there is one.
func (p *preparation) with(do func()) {
	w := p.w
	p.pending = append(p.pending, do)
	if p.do(); len(p.pending) > 0 && p.job == nil && !w.run.Busy() && !w.Ready() {
		p.begin(w.onward())
	}
}
