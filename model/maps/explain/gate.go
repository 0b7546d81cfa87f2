package explain

import (
	"context"
	"math"
	"slices"
	"strconv"

	"blossom/model/base/par"
	"blossom/model/maps/selection"
)

// block is how many rows of all are looked at together; whole words of a set.
const block = 1 << 14

// gate is limits whose ends are placed, and counted, by all rows of the parent.
type gate struct {
	columns     []Column
	limits      []Limit
	set, parent *selection.Set
}

// ends are the values of a column about a limit: the last ones outside, where there are any, and the first and last
// within.
type ends struct {
	below, first, last, above float64
	missing, under, over      bool // whether there are values that are missing, and some below and above
}

// finish moves the ends of the limits as far as no row comes in, leaves out those that keep no row out, and counts.
func (g *gate) finish(ctx context.Context) (Description, error) {
	g.limits = slices.Clone(g.limits)
	for i := 0; i < len(g.limits); {
		e, err := g.ends(ctx, i)
		if err != nil {
			return Description{}, err
		}
		l := &g.limits[i]
		l.Low, l.High = math.Inf(-1), math.Inf(1)
		if e.under {
			l.Low = between(e.first, e.below)
		}
		if e.over {
			l.High = between(e.last, e.above)
		}
		if e.missing || e.under || e.over {
			i++
		} else {
			g.limits = slices.Delete(g.limits, i, i+1)
		}
	}
	return g.count(ctx)
}

// ends looks at the column of a limit in the rows within all others.
func (g *gate) ends(ctx context.Context, which int) (ends, error) {
	l := g.limits[which]
	at, others := g.columns[l.Column].At, slices.Delete(slices.Clone(g.limits), which, which+1)
	inf := math.Inf(1)
	all := ends{below: -inf, first: inf, last: -inf, above: inf}
	parts := make([]ends, par.Count(g.parent.Len(), block))
	err := par.Blocks(ctx, g.parent.Len(), block, func(b, from, to int) {
		e := all
		g.parent.Each(from, to, func(row int) {
			if !g.within(others, row) {
				return
			}
			switch x := at(row); {
			case x != x:
				e.missing = true
			case x < l.Low:
				e.below, e.under = max(e.below, x), true
			case x > l.High:
				e.above, e.over = min(e.above, x), true
			default:
				e.first, e.last = min(e.first, x), max(e.last, x)
			}
		})
		parts[b] = e
	})
	for _, e := range parts {
		all = ends{max(all.below, e.below), min(all.first, e.first), max(all.last, e.last), min(all.above, e.above),
			all.missing || e.missing, all.under || e.under, all.over || e.over}
	}
	return all, err
}

func (g *gate) within(limits []Limit, row int) bool {
	for _, l := range limits {
		if x := g.columns[l.Column].At(row); !(x >= l.Low && x <= l.High) {
			return false
		}
	}
	return true
}

func (g *gate) count(ctx context.Context) (Description, error) {
	parts := make([]counts, par.Count(g.parent.Len(), block))
	err := par.Blocks(ctx, g.parent.Len(), block, func(b, from, to int) {
		g.parent.Each(from, to, func(row int) {
			switch {
			case !g.within(g.limits, row):
			case g.set.Contains(row):
				parts[b].in++
			default:
				parts[b].out++
			}
		})
	})
	hits, within := 0, 0
	for _, n := range parts {
		hits, within = hits+int(n.in), within+int(n.in+n.out)
	}
	return describe(g.limits, hits, within, g.set.Count()), err
}

// between is the number with the fewest digits in the middle half between a value within a limit and one outside;
// where there is none it is the value within.
func between(in, out float64) float64 {
	mid, quarter := in/2+out/2, math.Abs(in/4-out/4)
	if math.IsInf(mid, 0) || mid != mid {
		return in
	}
	for digits := range 17 {
		x, _ := strconv.ParseFloat(strconv.FormatFloat(mid, 'e', digits, 64), 64)
		if math.Abs(x-mid) <= quarter && x != out && (x < out) == (in < out) && (x >= in) == (in < out) {
			return x
		}
	}
	return in
}
