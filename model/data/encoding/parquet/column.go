package parquet

import (
	"context"
	"errors"
	"math/bits"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// batch is how many values are decoded at once.
const batch = 16 << 10

// reader reads a column of a group of rows.
type reader struct {
	f      *File
	leaf   *leaf
	column *frame.Column
	chunk  *chunk
	rows   int64 // rows of the group
	row    int64 // the next one
	wanted func(row int64, rows int) bool
	take   func(*frame.Run) error
	s      *scratch
	w      window
	dict   *names
	seen   int64 // values that were met
	list   *lists
	lists  hybrid // levels of lists
	def    hybrid // levels of definition
	d      decoder
}

// Read hands on the values of a column of a group, see frame.Table.
func (f *File) Read(ctx context.Context, piece, column int, wanted func(row int64, rows int) bool,
	take func(*frame.Run) error) error {
	r := f.reader(piece, column)
	defer f.scratch.Put(r.s)
	r.wanted, r.take = wanted, take
	if r.leaf.repeats > 0 {
		r.list = &lists{width: r.column.Width, r: r}
	}
	return r.said(r.pages(ctx, r.values))
}

func (f *File) reader(piece, column int) *reader {
	g := &f.footer.groups[piece]
	l := &f.leaves[f.leafOf[column]]
	c := &g.chunks[f.leafOf[column]]
	r := &reader{f: f, leaf: l, column: &f.columns[column], chunk: c, rows: g.rows, s: f.scratch.Get().(*scratch)}
	// Old writers forgot the bytes of one header in the size.
	r.w = window{r: f.r, at: c.start, end: min(f.size-8, c.start+c.size+100), from: -1, capacity: &r.s.window}
	return r
}

// said says of what is wrong which column it is.
func (r *reader) said(err error) error {
	var flaw errDamaged
	switch {
	case err == nil:
		return nil
	case errors.As(err, &flaw):
		return damaged("column %q: %s", r.column.Name, string(flaw))
	case errors.Is(err, errShort):
		return damaged("column %q: a page ends too early", r.column.Name)
	}
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		named := *p
		named.What = "column \"" + r.column.Name + "\": " + p.What
		return &named
	}
	return err
}

// pages goes through the pages of values.
func (r *reader) pages(ctx context.Context, each func(ctx context.Context, p *page, b []byte) error) error {
	for r.seen < r.chunk.values {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := r.w.header()
		if err != nil {
			return err
		}
		if p.packed < 0 || p.packed > r.w.end-r.w.at {
			return errDamaged("a page lies beyond the column")
		}
		data := p.kind == pageData || p.kind == pageData2
		if data && (p.values < 0 || p.values > r.chunk.values-r.seen) {
			return errDamaged("its pages have more values than it")
		}
		if p.kind == pageIndex || data && r.list == nil && r.unwanted(int(p.values)) {
			r.w.at += p.packed
			continue
		}
		b, err := r.f.body(&r.w, &p, r.chunk.codec, r.s)
		if err != nil {
			return err
		}
		switch {
		case p.kind == pageNames:
			if r.dict != nil {
				return errDamaged("it has two dictionaries")
			}
			if r.dict, err = r.leaf.dictionary(&p, b); err != nil {
				return err
			}
		case data:
			r.seen += p.values
			if err := each(ctx, &p, b); err != nil {
				return err
			}
		default:
			return errDamaged("it has a page of an unknown kind")
		}
	}
	if r.list != nil {
		return r.list.end()
	}
	return nil
}

// unwanted passes over rows that nobody wants.
func (r *reader) unwanted(rows int) bool {
	if r.wanted == nil || r.wanted(r.row, rows) {
		return false
	}
	r.row += int64(rows)
	r.seen += int64(rows)
	return true
}

// begin finds levels and values of a page.
func (r *reader) begin(p *page, b []byte) error {
	width := func(most int) int { return bits.Len(uint(most)) }
	if p.kind == pageData2 {
		r.lists.begin(b[:p.lists], width(r.leaf.repeats))
		r.def.begin(b[p.lists:][:p.defined], width(r.leaf.defined))
		b = b[p.lists+p.defined:]
	} else {
		for _, l := range []struct {
			h    *hybrid
			most int
		}{{&r.lists, r.leaf.repeats}, {&r.def, r.leaf.defined}} {
			if l.most == 0 {
				continue
			}
			if p.levels != encodingRuns {
				return errDamaged("its levels are written in an old way that is not read")
			}
			if len(b) < 4 {
				return errShort
			}
			size := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
			if size > uint64(len(b)-4) {
				return errShort
			}
			l.h.begin(b[4:4+size], width(l.most))
			b = b[4+size:]
		}
	}
	return r.d.begin(r.leaf, p.encoding, b, int(p.values), r.dict)
}

// values hands on what a page has.
func (r *reader) values(ctx context.Context, p *page, b []byte) error {
	if err := r.begin(p, b); err != nil {
		return err
	}
	s := r.s
	for left := int(p.values); left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(left, batch)
		there, err := r.level(&r.def, 1, n, r.leaf.defined)
		if err != nil {
			return err
		}
		if r.list != nil {
			if _, err := r.level(&r.lists, 0, n, r.leaf.repeats); err != nil {
				return err
			}
		}
		left -= n
		// Long texts come in several parts.
		for from := 0; ; {
			s.values.clear()
			got := 0
			if there > 0 {
				if got, err = r.d.next(&s.values, there, s); err != nil {
					return err
				}
				there -= got
			}
			to := n
			if there > 0 {
				to = from + reach(s.levels[1][from:n], byte(r.leaf.defined), got)
			}
			if r.list != nil {
				err = r.list.add(s.levels[0][from:to], s.levels[1][from:to])
			} else {
				err = r.flat(s.levels[1][from:to])
			}
			if err != nil {
				return err
			}
			if from = to; there == 0 && from == n {
				break
			}
		}
	}
	return nil
}

// reach is where behind so many values of level most levels go on.
func reach(levels []byte, most byte, values int) int {
	for i, l := range levels {
		if l == most {
			if values == 0 {
				return i
			}
			values--
		}
	}
	return len(levels)
}

// level reads n levels, of which none is more than most, into s.levels[at], and says how many are most.
func (r *reader) level(h *hybrid, at, n, most int) (there int, err error) {
	s := r.s
	s.levels[at] = room(s.levels[at], n)
	to := s.levels[at]
	if most == 0 {
		clear(to)
		return n, nil
	}
	if same, ok := h.steady(n); ok {
		if same > uint32(most) {
			return 0, errDamaged("a level is too high")
		}
		for i := range to {
			to[i] = byte(same)
		}
		if int(same) == most {
			there = n
		}
		return there, nil
	}
	s.numbers = room(s.numbers, n)
	if err := h.next(s.numbers); err != nil {
		return 0, err
	}
	for i, l := range s.numbers {
		if l > uint32(most) {
			return 0, errDamaged("a level is too high")
		}
		to[i] = byte(l)
		if int(l) == most {
			there++
		}
	}
	return there, nil
}

// flat hands on values of a column that has one in each row, from the scratch.
func (r *reader) flat(levels []byte) error {
	s, v := r.s, &r.s.values
	run := &frame.Run{Row: r.row, Rows: len(levels)}
	got := len(v.floats) + len(v.doubles) + len(v.whole) + len(v.texts)
	if got < len(levels) {
		s.missing = room(s.missing, len(levels))
		for i, l := range levels {
			s.missing[i] = int(l) < r.leaf.defined
		}
		run.Missing = s.missing
		spread(&v.floats, s.missing)
		spread(&v.doubles, s.missing)
		spread(&v.whole, s.missing)
		spread(&v.texts, s.missing)
	}
	r.row += int64(len(levels))
	return r.hand(run, v)
}

// hand hands on a run of values.
func (r *reader) hand(run *frame.Run, v *values) error {
	switch {
	case r.leaf.form == formText && len(v.whole) > 0:
		r.s.numbers = room(r.s.numbers, len(v.whole))
		for i, k := range v.whole {
			r.s.numbers[i] = uint32(k)
		}
		run.Codes, run.Names = r.s.numbers, &r.dict.texts
	case len(v.floats) > 0:
		run.Floats = v.floats
	case len(v.doubles) > 0:
		run.Doubles = v.doubles
	case len(v.texts) > 0:
		run.Texts = v.texts
	default:
		run.Whole = v.whole // empty where all are missing
	}
	return r.take(run)
}

// spread moves values to where levels say that they are there. Without a value it does nothing.
func spread[T any](values *[]T, missing []bool) {
	from := len(*values)
	if from == 0 {
		return
	}
	*values = append(*values, make([]T, len(missing)-from)...)
	v := *values
	for to := len(missing) - 1; to >= 0; to-- {
		if missing[to] {
			var none T
			v[to] = none
			continue
		}
		from--
		v[to] = v[from]
	}
}
