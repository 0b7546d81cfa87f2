package live

import (
	"context"
	"errors"

	"blossom/model/base/problem"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// once is an embedding whose positions are computed together, as a job, whenever what they depend on has
// changed. Those before stay until then.
type once struct {
	*Embedding
	table   *transform.Table // that was looked at last
	changes int              // of derived columns, likewise
	waiting bool             // for a derived column
	key     string           // of the positions there are or under way
	there   bool
	job     *work.Job
}

// aside is how many coordinates take a moment to compute: fewer are no job.
const aside = 100_000

func (o *once) tend() {
	m := o.m
	wait, err := m.ask(o.recipe)
	if o.waiting = wait; err != nil {
		o.end()
		o.key, o.there, o.err = "", false, err
	}
	if wait || err != nil || o.table == m.table && o.changes == m.made.changes {
		return
	}
	o.table, o.changes = m.table, m.made.changes
	in := m.inputs(o.recipe)
	key := o.kind.Key(in, o.recipe)
	if key == o.key {
		return
	}
	o.end()
	o.key = key
	n, dims := m.table.X.Rows, o.recipe.Dims
	title, _ := o.Label()
	compute := func(ctx context.Context, report func(done, total int64)) (*embedding.Result, error) {
		out, err := o.kind.Compute(ctx, in, o.recipe, report)
		if err == nil && (out.Dims != dims || len(out.Pos) != n*dims) {
			err = problem.New("", "report this", "%s has %d coordinates for %d points", title, len(out.Pos), n)
		}
		return out, err
	}
	if o.light() {
		o.take(compute(context.Background(), nil))
		return
	}
	var job *work.Job
	job = m.Jobs.Start(title, func(ctx context.Context, j *work.Job) (func(), error) {
		out, err := compute(ctx, j.Report)
		return func() {
			if o.job == job {
				o.job = nil
				o.take(out, err)
			}
		}, nil // what is wrong is shown where the points would be
	})
	job.Dropped = func() {
		if o.job == job {
			o.job = nil
			o.take(nil, problem.New("", "show another embedding, and this one again", "%s was not computed", title))
		}
	}
	o.job = job
}

// light says whether the positions can be computed within a frame: few points, and few products of columns where it
// is the points of the map that they are made of.
func (o *once) light() bool {
	const products = 50e6 // a twentieth of a second
	x := o.m.table.X
	return x.Rows*o.recipe.Dims < aside &&
		(o.kind.Columns || float64(x.Rows)*float64(x.Cols)*float64(min(x.Rows, x.Cols)) < products)
}

// take takes the result of a computation.
func (o *once) take(out *embedding.Result, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	if o.err = err; err != nil {
		o.there, o.axes = false, nil
		return
	}
	o.there, o.axes = true, out.Axes
	o.put(out.Pos)
}

func (o *once) busy() bool {
	return o.err == nil && (o.waiting || o.job != nil || o.table != o.m.table || o.changes != o.m.made.changes)
}

func (o *once) stale() float64 {
	if o.busy() || !o.there && o.err == nil {
		return 1
	}
	return 0
}

func (o *once) shown() int {
	if !o.there {
		return 0
	}
	return o.target.Len()
}

func (o *once) refill() {
	o.end()
	o.table, o.key, o.there, o.err = nil, "", false, nil
}

func (o *once) end() {
	if o.job != nil {
		o.job.Cancel()
		o.job = nil
	}
}

func (o *once) keep() bool { return false }
