package live

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/live/member"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// once is an embedding whose positions are computed together whenever what they depend on has changed. Those before
// stay until then.
type once struct {
	*Embedding
	table   *transform.Table // the table that was last looked at
	changes int              // changes of derived columns, as last seen
	waiting bool             // for a derived column
	result  *work.Value[string, *embedding.Result]
}

func (o *once) Tend() {
	m := o.m
	wait, err := m.ask(o.recipe)
	if o.waiting = wait; err != nil {
		o.result.Forget()
		o.table, o.at.Err = nil, err
	}
	if wait || err != nil || o.table == m.table && o.changes == m.made.changes {
		return
	}
	o.table, o.changes = m.table, m.made.changes
	in := m.inputs(o.recipe)
	if o.result.Want(o.kind.Key(in, o.recipe)) {
		o.compute(in)
	}
	o.tell()
}

// compute has the positions computed.
func (o *once) compute(in embedding.Inputs) {
	n, dims := in.Table.X.Rows, o.recipe.Dims
	o.result.Title, _ = o.Label()
	o.result.Make(o.cost(), func(ctx context.Context, report func(done, total int64)) (*embedding.Result, error) {
		out, err := o.kind.Compute(ctx, in, o.recipe, report)
		if err == nil && (out.Dims != dims || len(out.Pos) != n*dims) {
			err = problem.New("", "report this", "%s has %d coordinates for %d points", o.kind.Title, len(out.Pos), n)
		}
		return out, err
	})
}

// cost is that of the coordinates and, where they are made of the points of the map, of products of their columns.
func (o *once) cost() work.Ops {
	const products = 3 // take as long as an operation
	x := o.m.table.X
	cost := member.Coordinate * work.Ops(x.Rows*o.recipe.Dims)
	if !o.kind.Columns {
		cost = max(cost, work.Ops(x.Rows)*work.Ops(x.Cols)*work.Ops(min(x.Rows, x.Cols))/products)
	}
	return cost
}

// tell says what is wrong, and puts positions that have just been computed into the buffer.
func (o *once) tell() {
	out, _ := o.result.Now()
	o.axes = nil
	if o.at.Err = o.result.Err(); !o.there() {
		return
	}
	if o.axes = out.Axes; out.Pos != nil {
		o.put(out.Pos)
		out.Pos = nil
	}
}

// there says whether there are positions.
func (o *once) there() bool { return o.result.Rev() != 0 && o.at.Err == nil }

func (o *once) Busy() bool {
	return o.at.Err == nil && (o.waiting || o.result.Busy() || o.table != o.m.table || o.changes != o.m.made.changes)
}

func (o *once) Stale() float64 {
	if o.Busy() || !o.there() && o.at.Err == nil {
		return 1
	}
	return 0
}

func (o *once) Shown() int {
	if !o.there() {
		return 0
	}
	return o.at.Target.Len()
}

func (o *once) Refill() {
	o.End()
	o.table, o.at.Err = nil, nil
	o.result = work.Keep[string, *embedding.Result](&o.m.Values, work.Policy{Silent: true, Done: o.tell,
		Remedy: "show another embedding, and this one again"})
}

func (o *once) End() {
	if o.result != nil {
		o.result.Drop()
	}
}

func (o *once) Stays() bool { return false }
