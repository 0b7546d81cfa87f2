package explain

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

// most is how many columns describe a set at most.
const most = 3

// Limit is the values of a column from Low to High, both in; an end that is infinite is none. A missing value is never
// within.
type Limit struct {
	Column    int // its place in the list that was given
	Low, High float64
}

// Description is limits that rows of a set lie within, of all columns at once, and how well they fit: counts and
// shares are of all rows of the parent.
type Description struct {
	Limits                []Limit // ordered by column
	Size                  int     // rows of the set
	Within                int     // rows within the limits
	Hits                  int     // rows of the set that are
	Precision, Recall, F1 float64 // Hits/Within, Hits/Size, and 2 Hits/(Size+Within)
}

// Gate returns the limits as a region of columns, of so many rows.
func (d Description) Gate(columns []Column, rows int) selection.Within {
	w := selection.Within{Rows: rows}
	for _, l := range d.Limits {
		w.Limits = append(w.Limits, selection.Limit{At: columns[l.Column].At, Low: l.Low, High: l.High})
	}
	return w
}

// Describe finds the limits on one, two and three columns that tell the rows of a set from the others of its parent
// with the highest F1, the harmonic mean of precision and recall, best first. A nil parent is all rows; rows of the
// set that are not in the parent are left out. Limits on more columns are there only if they do better than those on
// fewer, and those on one if they do better than none. Equally good columns go by their order.
//
// On up to 2^14 rows each of the set and of the rest, the limits on one column are the best that there are. Those on
// two and three are found by a search among the 48 columns that do best alone: it extends the best by every other
// column, then changes one limit at a time, its column too, until nothing does better. No search of this kind is sure
// of the best; in 28,000 random tables of three columns and up to 14 rows, all were.
//
// Of larger sets rows are drawn, 2^12 each for the search, 2^14 to compare what it finds and 2^16 to place the ends;
// the counts are always of all rows. So the choice is that of the sample: another that differs little may be better.
//
// An end of a limit lies about half way between the last row within it and the first outside that the other limits do
// not keep out, a number of few digits; where there is no such row there is no end.
func Describe(ctx context.Context, columns []Column, set, parent *selection.Set) ([]Description, error) {
	if parent == nil {
		parent = selection.All(set.Len())
	}
	set = selection.Intersect(set, parent)
	if set.Empty() {
		return nil, problem.New("", "select points first", "a set of no points cannot be described")
	}
	s := searcher{columns: columns, set: set, rest: selection.Subtract(parent, set)}
	found, err := s.search(ctx)
	if err != nil {
		return nil, err
	}
	return judge(ctx, columns, set, parent, found)
}

// judge makes descriptions of limits that were found, by all rows, and keeps those that are worth their columns.
func judge(ctx context.Context, columns []Column, set, parent *selection.Set, found [][]Limit) ([]Description, error) {
	best := make([]Description, most+1) // by the number of columns
	best[0] = describe(nil, set.Count(), parent.Count(), set.Count())
	for _, limits := range found {
		g := gate{columns, limits, set, parent}
		d, err := g.finish(ctx)
		if err != nil {
			return nil, err
		}
		if k := len(d.Limits); d.F1 > best[k].F1 {
			best[k] = d
		}
	}
	kept := best[:1]
	for _, d := range best[1:] {
		if d.F1 > kept[len(kept)-1].F1 {
			kept = append(kept, d)
		}
	}
	kept = kept[1:]
	slices.Reverse(kept)
	return kept, nil
}

func describe(limits []Limit, hits, within, size int) Description {
	return Description{limits, size, within, hits,
		float64(hits) / float64(within), float64(hits) / float64(size), 2 * float64(hits) / float64(size+within)}
}
