package transform

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// Table is the points of the map, made from a dataset and a Spec. It is immutable.
type Table struct {
	X       matrix.Matrix32 // n x len(Cols), row-major
	Cols    []int           // the dataset column of each dimension, ascending
	Mean    []float64       // mean of each transformed column, before scaling and weight, over finite values
	SD      []float64       // deviation of the same, which scaling divides by; 0 for a constant column
	Factor  []float64       // factor of each transformed column: weight / deviation
	Funcs   []Func          // the transform of each dimension; raw value = Funcs[j].Inverse(x / Factor[j])
	Invalid int             // points with NaN or Inf in a dimension
	Order   []int32         // dataset row of each map point; nil: the same order
	Spec    Spec            // the settings it was made with
	DataRev revision.Revision
	Rev     revision.Revision // changes when X does
}

// Factors are those of the columns of the data that are dimensions.
func (t *Table) Factors() map[int]float64 {
	out := map[int]float64{}
	for j, c := range t.Cols {
		out[c] = t.Factor[j]
	}
	return out
}

// Shuffle returns a random permutation of [0, n), the same for the same seed. A map keeps its points
// in such an order, so that any first part of them is a fair sample, which can be drawn or trained
// on while things move.
func Shuffle(n int, seed uint64) []int32 {
	r := rand.New(rand.NewPCG(seed, 0x5b0550a7))
	order := make([]int32, n)
	for i := range order {
		j := r.IntN(i + 1)
		order[i] = order[j]
		order[j] = int32(i)
	}
	return order
}

// ColumnValues returns a column transformed by the setting t for colouring: no scaling, no weight, in the
// given order of points (nil: the column's own).
func ColumnValues(c *dataset.Column, t Column, order []int32) []float32 {
	n := len(c.Values)
	if order != nil {
		n = len(order)
	}
	f, out := FunctionOf(c, t), make([]float32, n)
	// Never cancelled: a column is a few milliseconds.
	_ = par.Blocks(context.Background(), n, 1<<16, func(_, from, to int) {
		f.slice(out[from:to], c, from, order)
	})
	return out
}

// Build makes the points of the map: n x (columns in the map), in the given order (nil: the
// dataset's own; it may also name some of the rows only). Runs on all cores; the result does not
// depend on how many there are. progress may be nil and is called from several goroutines.
//
// Values that leave the range of float32 on the way become infinite: their points count as invalid.
func Build(ctx context.Context, ds *dataset.Dataset, s Spec, order []int32, progress func(done, total int64)) (*Table,
	error) {
	if err := s.Validate(ds); err != nil {
		return nil, err
	}
	for _, r := range order {
		if r < 0 || int(r) >= ds.Points {
			return nil, problem.New(ds.Path, "open the file again", "the order of points names row %d of %d", r+1,
				ds.Points)
		}
	}
	return build(ctx, ds, s, order, nil, progress)
}

// Update makes the points for a changed Spec from those before: only columns that changed are
// computed, and statistics only where the transform itself changed. The result equals that of Build
// bit for bit. It is a new matrix, as engines and trainers still hold the old one: for a moment
// there are two. If nothing in the map changed, X and Rev are those of prev.
func Update(ctx context.Context, prev *Table, ds *dataset.Dataset, s Spec, progress func(done, total int64)) (*Table,
	error) {
	if prev == nil || prev.DataRev != ds.Rev {
		return Build(ctx, ds, s, nil, progress)
	}
	if err := s.Validate(ds); err != nil {
		return nil, err
	}
	if !slices.Equal(prev.Cols, s.MapColumns()) {
		return build(ctx, ds, s, prev.Order, nil, progress)
	}
	return build(ctx, ds, s, prev.Order, prev, progress)
}

// rows of a block: its lines of one column strip stay in the first-level cache.
const blockRows = 1024

// build does the work of Build and Update. prev is nil or a table of the same data, order and columns.
func build(ctx context.Context, ds *dataset.Dataset, s Spec, order []int32, prev *Table,
	progress func(done, total int64)) (*Table, error) {
	cols := s.MapColumns()
	n, d := ds.Points, len(cols)
	if order != nil {
		n = len(order)
	}
	t := &Table{Cols: cols, Order: order, Spec: s.Clone(), DataRev: ds.Rev,
		Mean: make([]float64, d), SD: make([]float64, d), Factor: make([]float64, d), Funcs: make([]Func, d)}
	b := building{Table: t, ds: ds, prev: prev}
	b.compare()
	if prev != nil && len(b.redo) == 0 {
		t.X, t.Rev, t.Factor, t.Invalid = prev.X, prev.Rev, prev.Factor, prev.Invalid
		return t, nil
	}
	t.X, t.Rev = matrix.New(n, d), revision.Next()
	resolve(ds, s, t, b.measure)
	var done atomic.Int64
	b.report = func(rows int) {
		if now := done.Add(int64(rows)); progress != nil {
			progress(now, int64(2*n))
		}
	}
	if err := b.transform(ctx); err != nil {
		return nil, err
	}
	b.setStatistics()
	return t, b.scale(ctx)
}

// building is a table that is being made.
type building struct {
	*Table
	ds     *dataset.Dataset
	prev   *Table    // the former table, whose dimensions may be taken over; nil: none
	redo   []int     // dimensions to transform, ascending
	report func(int) // told how many rows are done, each once as it is transformed and once as it is scaled
	// measure are the dimensions among redo whose statistics are not known.
	measure []int
	lock    sync.Mutex
	stats   []exact.Moments // their transformed values
}

// compare finds the dimensions that differ from those of the former table, and takes over what is known of the others.
func (b *building) compare() {
	s, prev := b.Spec, b.prev
	for j, c := range b.Cols {
		if prev == nil || prev.Spec.robust() != s.robust() || !prev.Spec.Columns[c].sameTransform(s.Columns[c]) ||
			!prev.Spec.sameMixes(s, c) {
			b.redo, b.measure = append(b.redo, j), append(b.measure, j)
			continue
		}
		b.Mean[j], b.SD[j], b.Funcs[j] = prev.Mean[j], prev.SD[j], prev.Funcs[j]
		if b.Factor[j] = factor(s, c, b.SD[j]); b.Factor[j] != prev.Factor[j] {
			b.redo = append(b.redo, j)
		}
	}
}

// transform fills the dimensions to redo, not yet scaled, and adds to the statistics of those to measure. These are
// exact: they do not depend on the order of the points. The error is ctx's.
func (b *building) transform(ctx context.Context) error {
	if b.stats == nil {
		b.stats = make([]exact.Moments, len(b.measure))
	}
	d := len(b.Cols)
	var compute []int
	for _, j := range b.redo {
		compute = append(compute, b.Cols[j])
	}
	mixer := b.Spec.mixer(b.ds, compute)
	order, places := b.Order, b.places(ctx)
	if places != nil {
		order = nil
	}
	return par.Blocks(ctx, b.X.Rows, blockRows, func(_, from, to int) {
		rows := each(from, to)
		if places != nil {
			rows = places[from:to]
		}
		if b.prev != nil {
			for _, r := range rows {
				copy(b.X.Row(int(r)), b.prev.X.Row(int(r)))
			}
		}
		var buffer [blockRows]float32
		v := buffer[:to-from]
		var strips Block
		if mixer != nil {
			strips = mixer.rows(from, to-from, order)
		}
		m := 0
		for _, j := range b.redo {
			if k, ok := mixer.stripOf(b.Cols[j]); !ok {
				b.Funcs[j].slice(v, &b.ds.Columns[b.Cols[j]], from, order)
			} else if b.ds.Columns[b.Cols[j]].Exact != nil {
				b.Funcs[j].narrow(v, strips[k])
			} else {
				narrow(v, strips[k])
				b.Funcs[j].block(v)
			}
			if m < len(b.measure) && b.measure[m] == j {
				b.add(m, v)
				m++
			}
			x := b.X.Data[j:]
			for i, y := range v {
				x[int(rows[i])*d] = y
			}
		}
		b.report(to - from)
	})
}

// places are the points of the rows of the data, if each row is one point and they are in another order; else nil.
// Rows are then read as they lie, a column after the other, and points are written at random: that is a line or two of
// memory for each point, where values at random are one each.
func (b *building) places(ctx context.Context) []int32 {
	n := b.ds.Points
	if b.Order == nil || len(b.Order) != n {
		return nil
	}
	places := make([]int32, n) // counted from 1 at first, as 0 is none
	if par.Blocks(ctx, n, 1<<14, func(_, from, to int) {
		for i, r := range b.Order[from:to] {
			atomic.StoreInt32(&places[r], int32(from+i+1))
		}
	}) != nil {
		return nil
	}
	for r := range places {
		if places[r]--; places[r] < 0 {
			return nil // a row is there twice, and another is not
		}
	}
	return places
}

// each are the numbers from one to another.
func each(from, to int) []int32 {
	rows := make([]int32, to-from)
	for i := range rows {
		rows[i] = int32(from + i)
	}
	return rows
}

// add adds values to the statistics of one of the dimensions to measure.
func (b *building) add(m int, v []float32) {
	var of exact.Moments
	of.Add(v)
	b.lock.Lock()
	defer b.lock.Unlock()
	b.stats[m].Merge(&of)
}

// setStatistics sets mean, spread and factor of the dimensions that were measured.
func (b *building) setStatistics() {
	for m, j := range b.measure {
		b.Mean[j], b.SD[j] = b.stats[m].Mean(), b.stats[m].Deviation()
		if b.Spec.robust() && b.SD[j] > 0 {
			b.SD[j] = spread(b.ds, b.Spec, b.Cols[j], b.Funcs[j])
		}
		b.Factor[j] = factor(b.Spec, b.Cols[j], b.SD[j])
	}
}

// scale multiplies dimensions with their factors, and counts the rows with a value that is not finite. The error is
// ctx's.
func (b *building) scale(ctx context.Context) error {
	var scale []int // dimensions that must be multiplied
	for _, j := range b.redo {
		if b.Factor[j] != 1 {
			scale = append(scale, j)
		}
	}
	var invalid atomic.Int64
	err := par.Blocks(ctx, b.X.Rows, blockRows, func(_, from, to int) {
		bad := 0
		for i := from; i < to; i++ {
			row := b.X.Row(i)
			for _, j := range scale {
				row[j] = float32(float64(row[j]) * b.Factor[j])
			}
			for _, x := range row {
				if x-x != 0 {
					bad++
					break
				}
			}
		}
		invalid.Add(int64(bad))
		b.report(to - from)
	})
	b.Invalid = int(invalid.Load())
	return err
}

// resolve makes the functions of some dimensions. Mixed columns are computed once for all those that need numbers
// from them.
func resolve(ds *dataset.Dataset, s Spec, t *Table, dims []int) {
	var needing []int
	for _, j := range dims {
		if c := s.Columns[t.Cols[j]]; ByID(c.Op).Needs(c.Params) {
			needing = append(needing, t.Cols[j])
		}
	}
	columns := AllMixed(ds, s, needing)
	for _, j := range dims {
		t.Funcs[j] = FunctionOf(columns[t.Cols[j]], s.Columns[t.Cols[j]])
	}
}

// Frozen returns the Spec with everything filled in that Build took from the data (deviations, floors),
// so that other points that are built with it fall into the same space.
func (t *Table) Frozen() Spec {
	s := t.Spec.Clone()
	for j, c := range t.Cols {
		to := &s.Columns[c]
		to.Params = t.Funcs[j].Params
		if s.Scale && to.SD == 0 {
			if to.SD = t.SD[j]; to.SD == 0 {
				to.SD = 1 // a constant column is not scaled
			}
		}
	}
	return s
}

// robust says whether deviations are those without outliers.
func (s Spec) robust() bool { return s.Scale && s.Robust }

// factor is what a transformed column of deviation sd is multiplied with. A constant column is not
// scaled.
func factor(s Spec, col int, sd float64) float64 {
	c := s.Columns[col]
	if !s.Scale {
		return c.Weight
	}
	if c.SD > 0 {
		sd = c.SD
	}
	if sd == 0 {
		return c.Weight
	}
	return c.Weight / sd
}

// Middle is the mean of the points: len(Cols) numbers of the space.
func (t *Table) Middle() []float32 {
	out := make([]float32, len(t.Mean))
	for j := range out {
		out[j] = float32(t.Mean[j] * t.Factor[j])
	}
	return out
}
