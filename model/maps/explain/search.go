package explain

import (
	"context"
	"math"
	"slices"
	"sort"

	"blossom/model/base/par"
	"blossom/model/maps/selection"
)

// The search goes by few rows of the set, as many of the rest, and few groups of each column's values; what it finds is
// compared and placed by more.
const (
	coarsely, few = 1 << 12, 48
	finely, some  = 1 << 14, 1 << 10
	finally, many = 1 << 16, 1 << 12

	joined  = 48 // columns that are put together, those that do best alone
	beam    = 48 // boxes that each step of the search keeps
	tried   = 8  // boxes of each number of columns that are compared
	borders = 5  // between which spans of each column are tried as the first of a box
)

// searcher finds boxes by a table of few rows and groups, and places their limits by tables of more and more.
type searcher struct {
	columns      []Column
	set, rest    *selection.Set
	fine, coarse *table
	likely       []int // columns that are put together, ascending
}

// search returns limits on one, on two and on three columns, as far as there are as many.
func (s *searcher) search(ctx context.Context) (found [][]Limit, err error) {
	every := make([]int, len(s.columns))
	for c := range every {
		every[c] = c
	}
	groups := some
	if s.whole() {
		groups = 2 * finely // each value one of its own
	}
	if s.fine, err = newTable(ctx, s.columns, every, s.set, s.rest, finely, groups); err != nil {
		return nil, err
	}
	singles, err := s.fine.each(ctx, len(every), func(w *worker, c int) []box {
		w.rows = w.within(nil, w.rows)
		return []box{w.best(c)}
	})
	if err != nil || len(singles) == 0 {
		return nil, err
	}
	for _, b := range singles[:min(joined, len(singles))] {
		s.likely = append(s.likely, b.spans[0].column)
	}
	slices.Sort(s.likely)
	if s.coarse, err = newTable(ctx, s.columns, s.likely, s.set, s.rest, coarsely, few); err != nil {
		return nil, err
	}
	boxes, err := s.coarse.each(ctx, len(s.likely), func(w *worker, i int) []box { return w.seeds(s.likely[i]) })
	if err != nil {
		return nil, err
	}
	for best := singles; len(best) > 0; {
		limits, err := s.place(ctx, best[0])
		if err != nil {
			return nil, err
		}
		if found = append(found, limits); len(found) == most {
			break
		}
		if boxes, err = s.grow(ctx, boxes); err != nil {
			return nil, err
		}
		if best, err = s.compare(ctx, boxes); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// compare returns the best boxes with their limits placed finely, the best first.
func (s *searcher) compare(ctx context.Context, boxes []box) ([]box, error) {
	return s.fine.each(ctx, min(tried, len(boxes)), func(w *worker, i int) []box {
		return []box{w.improve(w.adopt(s.coarse, boxes[i]), nil)}
	})
}

// whole says whether the table has all rows.
func (s *searcher) whole() bool { return max(s.set.Count(), s.rest.Count()) <= finely }

// place returns the limits of a box, improved by a table of more rows where not all were drawn.
func (s *searcher) place(ctx context.Context, b box) ([]Limit, error) {
	if s.whole() {
		return s.fine.limits(b), nil
	}
	var which []int
	for _, x := range b.spans {
		which = append(which, x.column)
	}
	rest, err := s.among(ctx, which)
	if err != nil {
		return nil, err
	}
	t, err := newTable(ctx, s.columns, which, s.set, rest, finally, many)
	if err != nil {
		return nil, err
	}
	w := worker{table: t}
	if placed := w.improve(w.adopt(s.fine, b), nil); placed.spans != nil {
		return t.limits(placed), nil
	}
	return s.fine.limits(b), nil
}

// among returns the rows of the rest that lie between the least and the greatest value of the set in all of some
// columns: the others are in no box that is worth looking at, and those that are left may be few enough to draw all.
func (s *searcher) among(ctx context.Context, which []int) (*selection.Set, error) {
	g := gate{columns: s.columns, set: s.set, parent: s.set}
	for _, c := range which {
		g.limits = append(g.limits, Limit{c, math.Inf(-1), math.Inf(1)})
	}
	for i := range g.limits {
		e, err := g.ends(ctx, i)
		if err != nil {
			return nil, err
		}
		g.limits[i].Low, g.limits[i].High = e.first, e.last
	}
	return selection.Where(ctx, s.rest.Len(), func(row int) bool {
		return s.rest.Contains(row) && g.within(g.limits, row)
	})
}

// grow returns the best boxes that have a column more than those given.
func (s *searcher) grow(ctx context.Context, boxes []box) ([]box, error) {
	grown, err := s.coarse.each(ctx, len(boxes), func(w *worker, i int) (out []box) {
		w.rows = w.within(boxes[i].spans, w.rows)
		for _, c := range s.likely {
			if !uses(boxes[i].spans, c) {
				out = append(out, join(boxes[i].spans, w.best(c)))
			}
		}
		return out
	})
	if err != nil {
		return nil, err
	}
	grown = grown[:min(beam, len(grown))]
	return s.coarse.each(ctx, len(grown), func(w *worker, i int) []box {
		return []box{grown[i], w.improve(grown[i], s.likely)}
	})
}

// each collects the boxes that do finds for 0 to n-1, in order; it may run several at once.
func (t *table) each(ctx context.Context, n int, do func(w *worker, i int) []box) ([]box, error) {
	found := make([][]box, n)
	err := par.Blocks(ctx, n, 1, func(i, _, _ int) { found[i] = do(&worker{table: t}, i) })
	if err != nil {
		return nil, err
	}
	all := slices.DeleteFunc(slices.Concat(found...), func(b box) bool { return b.spans == nil })
	return t.order(all), nil
}

// seeds returns the best span of a column and all those between a few borders, which have equally many groups between
// them.
func (w *worker) seeds(column int) []box {
	w.rows = w.within(nil, w.rows)
	out := []box{w.best(column)}
	n := len(w.columns[column].low)
	steps := min(n, borders)
	for i := range steps {
		for j := i; j < steps; j++ {
			low, high := i*n/steps, (j+1)*n/steps-1
			b := box{spans: []span{{column, int32(low), int32(high)}}}
			for _, c := range w.counts[low : high+1] {
				b.in, b.out = b.in+int(c.in), b.out+int(c.out)
			}
			out = append(out, b)
		}
	}
	return out
}

// improve takes the span of one column after the other for a better one, of any of the columns or, without these, of
// the same, until there is none.
func (w *worker) improve(b box, columns []int) box {
	for i, stuck := 0, 0; stuck < len(b.spans); i = (i + 1) % len(b.spans) {
		others := slices.Delete(slices.Clone(b.spans), i, i+1)
		choice := columns
		if choice == nil {
			choice = []int{b.spans[i].column}
		}
		w.rows = w.within(others, w.rows)
		stuck++
		for _, c := range choice {
			if uses(others, c) {
				continue
			}
			if next := join(others, w.best(c)); next.spans != nil && w.better(next, b) {
				b, stuck = next, 0
			}
		}
	}
	return b
}

func uses(spans []span, column int) bool {
	return slices.ContainsFunc(spans, func(s span) bool { return s.column == column })
}

// join returns the rows of one that lie within some spans, counted already, as the box of all spans.
func join(spans []span, one box) box {
	if one.spans == nil {
		return one
	}
	one.spans = slices.Concat(spans, one.spans)
	slices.SortFunc(one.spans, func(a, b span) int { return a.column - b.column })
	return one
}

// adopt places a box of another table, nothing where no group lies within.
func (w *worker) adopt(from *table, b box) box {
	var spans []span
	for _, l := range from.limits(b) {
		c := &w.columns[l.Column]
		s := span{l.Column, int32(sort.SearchFloat64s(c.low, l.Low)),
			int32(sort.Search(len(c.high), func(g int) bool { return c.high[g] > l.High })) - 1}
		if s.low > s.high {
			return box{}
		}
		spans = append(spans, s)
	}
	w.rows = w.within(spans, w.rows)
	in, _ := slices.BinarySearch(w.rows, int32(w.set))
	return box{spans, in, len(w.rows) - in}
}

// limits are the values from the lowest to the highest of each span.
func (t *table) limits(b box) (out []Limit) {
	for _, s := range b.spans {
		c := &t.columns[s.column]
		out = append(out, Limit{s.column, c.low[s.low], c.high[s.high]})
	}
	return out
}
