package embedding

import (
	"context"
	"errors"
	"math"
	"slices"
	"sort"

	"blossom/model/base/matrix"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// crowd is the points that a running map is made of, with their neighbours.
type crowd struct {
	ids  []int32         // by their places in the table: rising
	x    matrix.Matrix32 // the coordinates of ids
	near *knn.Result
	of   int // valid points in all
	all  int // points of the table
}

// crowdOf takes the valid points, or the first of them, which are in a random order; most 0: all.
func crowdOf(in Inputs, most int) crowd {
	x := in.Table.X
	c := crowd{x: x, all: x.Rows}
	if most == 0 {
		most = x.Rows
	}
	for i := range x.Rows {
		if knn.Finite(x.Row(i)) {
			if c.of++; len(c.ids) < most {
				c.ids = append(c.ids, int32(i))
			}
		}
	}
	if len(c.ids) < x.Rows {
		c.x = matrix.New(len(c.ids), x.Cols)
		for k, i := range c.ids {
			copy(c.x.Row(k), x.Row(int(i)))
		}
	}
	return c
}

// among finds neighbours among the points, by the engine that holds them, or here.
func (in Inputs) among(ctx context.Context, q knn.Query) (*knn.Lists, error) {
	near := knn.NewLists(in.Table.X, q)
	if in.Caps.Neighbours != nil {
		return near, in.Caps.Neighbours.Others(ctx, q, near)
	}
	return near, knn.Search(ctx, in.Table.X, q, near)
}

// meet finds the k nearest others of each point, or takes those that a former crowd of the same points knows, and has
// them joined: by what the engine that found them offers, if any.
func (c *crowd) meet(ctx context.Context, in Inputs, k int, former *crowd, progress func(done, total int64),
	join func(by tsne.Joiner) error) error {
	if former != nil && former.near.K >= k && slices.Equal(former.ids, c.ids) {
		c.near = former.near
		return join(nil)
	}
	return c.find(ctx, in, k, progress, join)
}

// find finds the k nearest others of each point, on an engine of its own, and has them joined.
func (c *crowd) find(ctx context.Context, in Inputs, k int, progress func(done, total int64),
	join func(by tsne.Joiner) error) error {
	var by tsne.Joiner
	var finder knn.Finder
	var assign knn.Assign
	if in.Engine != nil && len(c.ids) > 0 {
		e, err := in.Engine()
		if err != nil {
			return err
		}
		defer func() { _ = e.Close() }() // the result is in memory by then: nothing is lost
		r, err := e.Load(ctx, c.x)
		if err != nil {
			return err
		}
		defer r.Free()
		caps := r.Caps()
		if finder, by = caps.Neighbours, caps.Joiner; caps.Searcher != nil {
			assign = caps.Searcher.Nearest
		}
	}
	plan := knn.Plan{K: k}
	if progress != nil {
		plan.Progress = func(stage string, done, total int64) {
			if stage == "neighbours" {
				progress(done, total)
			}
		}
	}
	var err error
	if c.near, err = knn.Auto(ctx, c.x, finder, assign, plan); errors.Is(err, errors.ErrUnsupported) {
		c.near, err = knn.Auto(ctx, c.x, finder, nil, plan)
	}
	if err != nil {
		return err
	}
	return join(by)
}

// gather takes the numbers of the points of the map, dims of each, scatter puts them back; NaN for those that are not
// of it.
func (c *crowd) gather(all []float32, dims int) []float32 { return rowsOf(all, c.ids, dims) }

func (c *crowd) scatter(out, in []float32, dims int) {
	if len(c.ids) < c.all {
		nan := float32(math.NaN())
		for j := range out {
			out[j] = nan
		}
	}
	for k, i := range c.ids {
		copy(out[int(i)*dims:(int(i)+1)*dims], in[k*dims:])
	}
}

// rowsOf takes the numbers of some points.
func rowsOf(y []float32, ids []int32, dims int) []float32 {
	out := make([]float32, 0, len(ids)*dims)
	for _, k := range ids {
		out = append(out, y[int(k)*dims:(int(k)+1)*dims]...)
	}
	return out
}

// among finds points of the table among those of the map; those that are not are left out.
func (c *crowd) among(points []int, places []float32, dims int) (ids []int32, at []float32) {
	for j, p := range points {
		k := p
		if len(c.ids) < c.all {
			found := false
			k, found = sort.Find(len(c.ids), func(k int) int { return p - int(c.ids[k]) })
			if !found {
				continue
			}
		}
		ids = append(ids, int32(k))
		if places != nil {
			at = append(at, places[j*dims:(j+1)*dims]...)
		}
	}
	return ids, at
}

// places are those of the points of the map in another embedding. Points that have none there lie in the middle, and
// what has fewer dimensions is a little uneven in the last, so that it can unfold.
func (c *crowd) places(from *Result, dims int, seed uint64) []float32 {
	n := len(c.ids)
	y := make([]float32, n*dims)
	var mean, spread [3]float64
	known := 0
	for k, i := range c.ids {
		row := from.Pos[int(i)*from.Dims : (int(i)+1)*from.Dims]
		if !knn.Finite(row) {
			y[k*dims] = float32(math.NaN())
			continue
		}
		known++
		for a := range min(dims, from.Dims) {
			y[k*dims+a] = row[a]
			mean[a] += float64(row[a])
			spread[a] += float64(row[a]) * float64(row[a])
		}
	}
	widest := 0.0
	for a := range mean {
		mean[a] /= float64(max(1, known))
		widest = max(widest, math.Sqrt(max(0, spread[a]/float64(max(1, known))-mean[a]*mean[a])))
	}
	for k := range n {
		if row := y[k*dims : (k+1)*dims]; row[0] != row[0] {
			for a := range row {
				row[a] = float32(mean[a])
			}
		}
	}
	if known < n || from.Dims < dims {
		noise := make([]float64, len(y))
		tsne.Jitter(noise, seed, 0, 1e-3*max(widest, 1e-6))
		for j, v := range noise {
			if j%dims >= from.Dims || known < n {
				y[j] += float32(v)
			}
		}
	}
	return y
}

// own is an engine that a run has to itself; none where there is none.
type own struct {
	engine   engine.Engine
	resident engine.Resident
}

// open opens the engine that runs are to have, or, where that does not offer what is asked for, the best that does. It
// says what it offers; nothing where none does.
func (o *own) open(ctx context.Context, in Inputs, offers engine.Capability) (engine.Caps, error) {
	if in.Engine == nil {
		return engine.Caps{}, nil
	}
	e, err := in.Engine()
	if err != nil {
		return engine.Caps{}, err
	}
	o.engine = e
	if o.resident, err = e.Load(ctx, matrix.New(1, 1)); err != nil {
		o.close()
		return engine.Caps{}, err
	}
	if caps := o.resident.Caps(); offers.In(caps) {
		return caps, nil
	}
	o.close()
	others, err := engine.Open(engine.Auto, engine.Options{})
	for more := err == nil; more; more = others.Next() {
		r, err := others.Engine().Load(ctx, matrix.New(1, 1))
		if err != nil {
			continue
		}
		if caps := r.Caps(); offers.In(caps) {
			o.engine, o.resident = others.Engine(), r
			return caps, nil
		}
		r.Free()
	}
	others.Close()
	return engine.Caps{}, ctx.Err()
}

// Engine is its name; "" where there is none.
func (o *own) Engine() string {
	if o.engine == nil {
		return ""
	}
	return o.engine.Name()
}

func (o *own) close() {
	if o.resident != nil {
		o.resident.Free()
	}
	if o.engine != nil {
		_ = o.engine.Close() // nothing is lost with it
	}
	*o = own{}
}
