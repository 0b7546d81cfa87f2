package selection

import (
	"context"

	"blossom/model/base/par"
)

// Picker is a region that rows of the data lie in or not: of the screen (OnScreen), which depends on a view, or of
// columns (Within), which does not.
type Picker interface {
	// Pick returns the rows that lie in the region, among all rows of the data. The error is a Problem, or that of a
	// cancelled context.
	Pick(ctx context.Context) (*Set, error)
}

// OnScreen is a region of the screen, of points as a view shows them.
type OnScreen struct {
	Region Region
	View   View
	Points Points
	Front  Front // in space; the zero one: all points
}

// Pick returns the rows whose points are in the region.
func (o OnScreen) Pick(ctx context.Context) (*Set, error) {
	return pick(ctx, o.Region, o.View, o.Points, o.Front)
}

// Within is a region of columns: of rows that lie within the limits of all of them. Without limits it is all rows.
type Within struct {
	Rows   int // rows of the data
	Limits []Limit
}

// Limit is the values of a column from Low to High, both in. A missing value is never within.
type Limit struct {
	At        func(row int) float64 // the column; called by several goroutines at once
	Low, High float64
}

// Pick returns the rows within all limits.
func (w Within) Pick(ctx context.Context) (*Set, error) {
	return Where(ctx, w.Rows, w.holds)
}

// Where returns those of so many rows that holds says yes to; it is called by several goroutines at once. The error is
// that of a cancelled context.
func Where(ctx context.Context, rows int, holds func(row int) bool) (*Set, error) {
	words := make([]uint64, wordsOf(rows))
	err := par.Blocks(ctx, rows, block, func(_, from, to int) {
		for row := from; row < to; row++ {
			if holds(row) {
				words[row/64] |= 1 << (row % 64)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return FromBits(rows, words), nil
}

func (w Within) holds(row int) bool {
	for _, l := range w.Limits {
		if x := l.At(row); !(x >= l.Low && x <= l.High) {
			return false
		}
	}
	return true
}
