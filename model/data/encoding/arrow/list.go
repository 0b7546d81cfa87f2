package arrow

import (
	"context"

	"blossom/model/data/encoding/frame"
)

// lists are where the lists of a column begin in a batch.
type lists struct {
	of      *field
	width   int64
	there   values // which rows have one
	offsets []byte
	entries int64 // how many numbers all of them hold
}

func (f *File) lists(b *batch, l *leaf, width int) (*lists, error) {
	out := &lists{of: l.of, width: int64(width), there: values{of: l.of}}
	out.there.rows = b.rows
	if err := f.bits(&out.there, b, append(l.parents[:len(l.parents):len(l.parents)], l.part)...); err != nil {
		return nil, err
	}
	if l.of.kind == typeFixedList {
		if out.entries = b.rows * out.width; b.rows > f.most()/out.width {
			return nil, damaged("%d lists cannot lie in %d bytes", b.rows, f.size)
		}
		return out, nil
	}
	size := int64(4)
	if l.of.kind == typeLargeList {
		size = 8
	}
	if b.rows == 0 {
		return out, nil
	}
	at, _, err := b.place(l.part)
	if err != nil {
		return nil, err
	}
	if out.offsets, err = f.buffer(b, at+1, (b.rows+1)*size); err != nil {
		return nil, err
	}
	before := l.of.offset(out.offsets, 0)
	for i := int64(1); i <= b.rows; i++ {
		at := l.of.offset(out.offsets, i)
		if before < 0 || at < before {
			return nil, damaged("its lists are out of order")
		}
		before = at
	}
	out.entries = before
	return out, nil
}

// run hands on the entries of lists. A row without one has none of its numbers.
func (l *lists) run(run *frame.Run, v *values) error {
	from, n := run.Row, int64(run.Rows)
	gone := l.there.missing(from, from+n)
	missing := func(i int64) bool { return gone != nil && gone[i] }
	at := func(i int64) int64 { return (from + i) * l.width }
	if l.offsets != nil {
		at = func(i int64) int64 { return l.of.offset(l.offsets, from+i) }
	}
	first, whole := at(0), gone == nil
	for i := range n {
		switch length := at(i+1) - at(i); {
		case length == 0 || missing(i):
			whole = false
		case length != l.width:
			return frame.ErrUneven
		}
	}
	entries := &frame.Run{}
	if err := v.run(entries, first, at(n)); err != nil {
		return err
	}
	run.Floats, run.Doubles, run.Whole, run.Missing = entries.Floats, entries.Doubles, entries.Whole, entries.Missing
	if whole {
		return nil
	}
	run.Missing = make([]bool, n*l.width)
	places := make([]int64, n*l.width)
	for i := range n {
		none := missing(i) || at(i+1) == at(i)
		for k := range l.width {
			to := i*l.width + k
			places[to] = at(i) - first + k
			if run.Missing[to] = none || entries.Missing != nil && entries.Missing[places[to]]; run.Missing[to] {
				places[to] = -1
			}
		}
	}
	run.Floats, run.Doubles, run.Whole = moved(run.Floats, places), moved(run.Doubles, places), moved(run.Whole, places)
	return nil
}

// moved puts values where they belong; -1: there is none.
func moved[T any](values []T, from []int64) []T {
	if len(values) == 0 {
		return nil
	}
	out := make([]T, len(from))
	for i, k := range from {
		if k >= 0 {
			out[i] = values[k]
		}
	}
	return out
}

// lookRows is after how many rows reading looks whether it is still wanted.
const lookRows = 1 << 14

// widths finds how long the lists of each column are, by the first of them that has an entry.
func (f *File) widths(ctx context.Context) error {
	for i := range f.columns {
		c, l := &f.columns[i], f.leaves[i].list
		if c.Kind == frame.Left || l == nil || l.of.kind == typeFixedList {
			continue
		}
		for _, b := range f.batches {
			if err := ctx.Err(); err != nil {
				return err
			}
			list, err := f.lists(b, l, 0)
			if err != nil {
				return err
			}
			for row := int64(0); row < b.rows && c.Width == 0; row++ {
				if row%lookRows == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				c.Width = int(min(mostEntries+1, l.of.offset(list.offsets, row+1)-l.of.offset(list.offsets, row)))
			}
			if c.Width > 0 {
				break
			}
		}
		switch {
		case c.Width == 0:
			c.Kind, c.Why = frame.Left, "it holds lists of nothing"
		case c.Width > mostEntries:
			c.Kind, c.Why = frame.Left, "it holds lists of more than a million numbers"
		}
	}
	return nil
}
