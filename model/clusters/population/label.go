package population

import (
	"context"
	"errors"
	"math"

	"blossom/model/base/par"
	"blossom/model/maps/selection"
)

// Labels are the rows of a tree of populations.
type Labels struct {
	Sets   []*selection.Set // by place in the tree: rows that its rule and those of all above it have
	Why    []error          // by place: why a rule has none, nil where it has been evaluated
	Values []float32        // by row: the place of its population; NaN: it is in none
	Own    []int            // by place: rows that are labelled by it, and by none below it or before it
	None   int              // rows in no population
}

// LabelRows evaluates a tree. A rule that cannot be evaluated has no rows, and so have those below it; Why says why.
// The error is that of a cancelled context.
func LabelRows(ctx context.Context, t Tree, in Inputs) (*Labels, error) {
	n := t.Len()
	out := &Labels{Sets: make([]*selection.Set, n), Why: make([]error, n), Own: make([]int, n)}
	at := map[ID]int{}
	below := make([][]int, n+1) // places of the children of each, the roots behind all
	for i, p := range t.All() {
		set, err := p.Rule.Rows(ctx, in)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			set, out.Why[i] = selection.None(in.Rows), err
		}
		up, ok := at[p.Parent]
		if !ok {
			up = n
		} else {
			set = selection.Intersect(set, out.Sets[up])
		}
		out.Sets[i], at[p.ID] = set, i
		below[up] = append(below[up], i)
	}
	return out, out.label(ctx, below, in.Rows)
}

// Rests says of each population, by place, whether it labels the rest of its rows alone: those below it, or before it,
// label some.
func (l *Labels) Rests() []bool {
	out := make([]bool, len(l.Sets))
	for i, set := range l.Sets {
		out[i] = set.Count() > l.Own[i]
	}
	return out
}

// label gives rows their values: of the children of each those that stand first are put last.
func (l *Labels) label(ctx context.Context, below [][]int, rows int) error {
	l.Values = make([]float32, rows)
	nan := float32(math.NaN())
	order := make([]int, 0, len(l.Sets))
	var down func(of int)
	down = func(of int) {
		for k := len(below[of]) - 1; k >= 0; k-- {
			order = append(order, below[of][k])
			down(below[of][k])
		}
	}
	down(len(l.Sets))
	err := par.Blocks(ctx, rows, 1<<16, func(_, from, to int) {
		for i := range l.Values[from:to] {
			l.Values[from+i] = nan
		}
		for _, place := range order {
			l.Sets[place].Each(from, to, func(row int) { l.Values[row] = float32(place) })
		}
	})
	if err != nil {
		return errors.Join(ctx.Err(), err)
	}
	for _, v := range l.Values {
		if v == v {
			l.Own[int(v)]++
		} else {
			l.None++
		}
	}
	return nil
}
