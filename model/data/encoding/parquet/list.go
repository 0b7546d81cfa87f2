package parquet

import (
	"context"
	"errors"

	"blossom/model/data/encoding/frame"
)

// lists puts rows together that are lists of width numbers.
type lists struct {
	width   int
	r       *reader
	values  values // entries of whole rows, and of one that has begun
	missing []bool
	open    bool // a row has begun
	has     int  // entries of it
	rows    int  // whole rows that are not handed on
}

// add takes levels, and the values that are there from the scratch.
func (l *lists) add(repeats, defined []byte) error {
	v, at := &l.r.s.values, 0
	there, entry := byte(l.r.leaf.defined), byte(l.r.leaf.entry)
	for i, rep := range repeats {
		if rep == 0 {
			if err := l.close(); err != nil {
				return err
			}
			l.open = true
		} else if !l.open {
			return errDamaged("a list goes on that has not begun")
		}
		switch {
		case defined[i] == there:
			l.put(v, at)
			at++
		case defined[i] >= entry:
			l.put(nil, 0)
		default:
			continue // no entry
		}
		if l.has++; l.has > l.width {
			return frame.ErrUneven
		}
	}
	return l.flush()
}

// put adds a value of v, or nil for one that is missing.
func (l *lists) put(v *values, at int) {
	l.missing = append(l.missing, v == nil)
	if v == nil {
		v, at = &values{}, -1
	}
	switch l.r.leaf.form {
	case formFloat, formHalf:
		l.values.floats = one(l.values.floats, v.floats, at)
	case formDouble, formDecimal:
		l.values.doubles = one(l.values.doubles, v.doubles, at)
	default:
		l.values.whole = one(l.values.whole, v.whole, at)
	}
}

func one[T any](to, from []T, at int) []T {
	if at < 0 {
		var none T
		return append(to, none)
	}
	return append(to, from[at])
}

// close ends a row. One without entries has none of its numbers.
func (l *lists) close() error {
	if !l.open {
		return nil
	}
	if l.has == 0 {
		for range l.width {
			l.put(nil, 0)
		}
	} else if l.has != l.width {
		return frame.ErrUneven
	}
	l.open, l.has = false, 0
	l.rows++
	if int64(l.rows)+l.r.row > l.r.rows {
		return errDamaged("its lists are more than the rows")
	}
	if len(l.missing) >= batch {
		return l.flush()
	}
	return nil
}

// flush hands on whole rows.
func (l *lists) flush() error {
	if l.rows == 0 {
		return nil
	}
	n := l.rows * l.width
	run := &frame.Run{Row: l.r.row, Rows: l.rows, Missing: l.missing[:n]}
	v := &l.values
	switch {
	case len(v.floats) > 0:
		run.Floats = v.floats[:n]
	case len(v.doubles) > 0:
		run.Doubles = v.doubles[:n]
	default:
		run.Whole = v.whole[:n]
	}
	if l.r.wanted == nil || l.r.wanted(run.Row, run.Rows) {
		if err := l.r.take(run); err != nil {
			return err
		}
	}
	l.r.row += int64(l.rows)
	l.rows = 0
	l.missing = append(l.missing[:0], l.missing[n:]...)
	rest(&v.floats, n)
	rest(&v.doubles, n)
	rest(&v.whole, n)
	return nil
}

func rest[T any](v *[]T, n int) {
	if len(*v) >= n {
		*v = append((*v)[:0], (*v)[n:]...)
	}
}

// end ends the last row.
func (l *lists) end() error {
	if err := l.close(); err != nil {
		return err
	}
	if err := l.flush(); err != nil {
		return err
	}
	if l.r.row != l.r.rows {
		return errDamaged("its lists are fewer than the rows")
	}
	return nil
}

// mostEntries is how long a list may be: each entry becomes a column.
const mostEntries = 1 << 20

// widths finds how long the lists of each column are, by the first of them that has an entry.
func (f *File) widths(ctx context.Context) error {
	for i := range f.columns {
		c := &f.columns[i]
		if c.Kind == frame.Left {
			continue
		}
		if f.leafOf[i] < 0 {
			c.Kind, c.Why = frame.Left, "it holds nothing"
			continue
		}
		if f.leaves[f.leafOf[i]].repeats == 0 {
			continue
		}
		for piece := range f.pieces {
			width, err := f.width(ctx, piece, i)
			if err != nil {
				return err
			}
			if c.Width = width; width > 0 {
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

var errFound = errors.New("found")

// width is how long the first list of a column is that has an entry; 0: none has.
func (f *File) width(ctx context.Context, piece, column int) (width int, err error) {
	r := f.reader(piece, column)
	defer f.scratch.Put(r.s)
	err = r.pages(ctx, func(ctx context.Context, p *page, b []byte) error {
		if err := r.begin(p, b); err != nil {
			return err
		}
		for left := int(p.values); left > 0; {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(left, batch)
			left -= n
			if _, err := r.level(&r.def, 1, n, r.leaf.defined); err != nil {
				return err
			}
			if _, err := r.level(&r.lists, 0, n, r.leaf.repeats); err != nil {
				return err
			}
			for i, rep := range r.s.levels[0] {
				if rep == 0 && width > 0 {
					return errFound
				}
				if int(r.s.levels[1][i]) >= r.leaf.entry {
					if width++; width > mostEntries {
						return errFound
					}
				}
			}
		}
		return nil
	})
	if errors.Is(err, errFound) {
		return width, nil
	}
	return width, r.said(err)
}
