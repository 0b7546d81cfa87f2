package explain

import (
	"cmp"
	"context"
	"slices"
	"sort"

	"blossom/model/base/par"
	"blossom/model/maps/selection"
)

// table is rows drawn of a set and of the rest of its parent, with the values of each column as numbers of groups.
type table struct {
	columns   []grouped
	set, rows int     // the first rows are of the set
	in, out   float64 // how many rows of the set, and of the rest, one that was drawn stands for
	size      float64 // rows of the set
}

// grouped is a column: group g has the values from low[g] to high[g], of which each row has that of its number.
type grouped struct {
	low, high []float64
	group     []int32 // -1 where missing
}

// newTable makes a table of up to so many rows each, drawn of a set and of the rest, with some of the columns; the
// others are empty. A column has at most so many groups, of whole distinct values.
func newTable(ctx context.Context, columns []Column, which []int, set, rest *selection.Set, draws,
	groups int) (*table, error) {
	in := draw(set, draws)
	rows := slices.Concat(in, draw(rest, draws))
	t := &table{columns: make([]grouped, len(columns)), set: len(in), rows: len(rows), size: float64(set.Count())}
	t.in = t.size / float64(max(1, len(in)))
	t.out = float64(rest.Count()) / float64(max(1, len(rows)-len(in)))
	return t, par.Blocks(ctx, len(which), 1, func(i, _, _ int) {
		c := which[i]
		t.columns[c] = group(read(columns[c], rows), groups)
	})
}

func group(values []float64, groups int) (g grouped) {
	sorted := present(values)
	distinct := len(slices.Compact(slices.Clone(sorted)))
	last := -1
	for i, x := range sorted {
		if i > 0 && x == sorted[i-1] {
			continue
		}
		if at := i * groups / len(sorted); distinct <= groups || at > last {
			last = at
			g.low, g.high = append(g.low, x), append(g.high, x)
		}
		g.high[len(g.high)-1] = x
	}
	g.group = make([]int32, len(values))
	for i, x := range values {
		g.group[i] = -1
		if x == x {
			g.group[i] = int32(sort.SearchFloat64s(g.high, x))
		}
	}
	return g
}

// present returns the values that are not missing, ascending.
func present(values []float64) []float64 {
	sorted := make([]float64, 0, len(values))
	for _, x := range values {
		if x == x {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	return sorted
}

// span is the groups of a column from low to high, both in.
type span struct {
	column    int
	low, high int32
}

// box is the rows within some spans, ordered by column, and how many of those drawn it has of the set and of the rest.
type box struct {
	spans   []span
	in, out int
}

// f1 is the score of so many rows as a fraction.
func (t *table) f1(in, out int) (over, under float64) {
	hits := t.in * float64(in)
	return 2 * hits, t.size + hits + t.out*float64(out)
}

// better says whether a has the higher score.
func (t *table) better(a, b box) bool { return t.compare(a, b) < 0 }

func (t *table) compare(a, b box) int {
	oa, ua := t.f1(a.in, a.out)
	ob, ub := t.f1(b.in, b.out)
	return cmp.Compare(ob*ua, oa*ub)
}

// order puts boxes with higher scores first, equal ones by their columns, and leaves out what is there twice.
func (t *table) order(boxes []box) []box {
	slices.SortFunc(boxes, func(a, b box) int {
		return cmp.Or(t.compare(a, b), slices.CompareFunc(a.spans, b.spans, func(x, y span) int {
			return cmp.Compare(x.column, y.column)
		}), slices.CompareFunc(a.spans, b.spans, func(x, y span) int {
			return cmp.Or(cmp.Compare(x.low, y.low), cmp.Compare(x.high, y.high))
		}))
	})
	return slices.CompactFunc(boxes, func(a, b box) bool { return slices.Equal(a.spans, b.spans) })
}

// within lists the rows within all spans; those of the set come first.
func (t *table) within(spans []span, rows []int32) []int32 {
	rows = rows[:0]
next:
	for i := range t.rows {
		for _, s := range spans {
			if g := t.columns[s.column].group[i]; g < s.low || g > s.high {
				continue next
			}
		}
		rows = append(rows, int32(i))
	}
	return rows
}

// counts are the rows of a group, of the set and of the rest.
type counts struct{ in, out int32 }

// worker keeps the lists that a search fills anew all the time.
type worker struct {
	*table
	rows   []int32
	counts []counts
}

// tally counts the listed rows of a column's groups.
func (w *worker) tally(column int) []counts {
	c := &w.columns[column]
	w.counts = append(w.counts[:0], make([]counts, len(c.low))...)
	for _, row := range w.rows {
		switch g := c.group[row]; {
		case g < 0:
		case int(row) < w.set:
			w.counts[g].in++
		default:
			w.counts[g].out++
		}
	}
	return w.counts
}

// richest returns the span for which the rows of the set, each worth gain, less those of the rest, each at a cost, come
// to most (Bentley, Programming pearls, CACM 27, 1984), and what it has; nothing where no row of the set is listed.
func (w *worker) richest(column int, groups []counts, gain, cost float64) (best box) {
	var sum, top float64
	var from, first, last, in, out int
	gain, cost = gain*w.in, cost*w.out
	for g, n := range groups {
		if sum <= 0 {
			sum, from, in, out = 0, g, 0, 0
		}
		sum += gain*float64(n.in) - cost*float64(n.out)
		in, out = in+int(n.in), out+int(n.out)
		if sum > top {
			top, first, last = sum, from, g
			best.in, best.out = in, out
		}
	}
	if top > 0 {
		best.spans = []span{{column, int32(first), int32(last)}}
	}
	return best
}

// best returns the span of a column that gives the listed rows within it the highest score: as long as there is one
// whose rows are worth more at the price of the last, it is better (Dinkelbach, Management science 13, 1967).
func (w *worker) best(column int) box {
	groups := w.tally(column)
	best := w.richest(column, groups, 1, 0)
	for best.spans != nil {
		over, under := w.f1(best.in, best.out)
		next := w.richest(column, groups, 2*under-over, over)
		if next.spans == nil || !w.better(next, best) {
			break
		}
		best = next
	}
	return best
}
