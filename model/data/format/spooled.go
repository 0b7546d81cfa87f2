package format

import (
	"context"
	"errors"
	"slices"

	"blossom/model/data/dataset"
)

// spooled is a table that is read some rows at a time, and whose values go into a spool.
type spooled struct {
	in      *input
	spool   *spool
	rows    int64            // so many, from the first that is asked for
	columns []dataset.Column // without values
	tallies []tally          // values of the columns that float32 does not hold
	wide    []bool           // columns that are kept as float64; nil: none is
	text    int64            // bytes that labels take
	told    []int            // how many labels of each column are counted in text
}

// windowBytes is about how many bytes values take as float32 that are read at once.
const windowBytes = 32 << 20

// errOtherColumns is the error of a window that has fewer columns than those before: all are read again.
var errOtherColumns = errors.New("the columns are others")

// window reads some rows of a table: columns with all that is known of them but their roles, and the values as float64
// wherever float32 does not hold one; tallies say of each what that is.
type window = func(ctx context.Context, rows picked) (columns []dataset.Column, tallies []tally, err error)

// spooled reads count rows of width columns by windows, from row from on. Windows end where one of ends is near, which
// ascend. The error is dataset.ErrWhole where there is no room for a spool, or there are few rows or many columns.
func (in *input) spooled(ctx context.Context, from, count int64, width int, ends []int64, read window) (*spooled,
	error) {
	if !dataset.Surveyable(count) || width > widest {
		return nil, dataset.ErrWhole
	}
	s, err := newSpool()
	if err != nil {
		return nil, err
	}
	p := &spooled{in: in, spool: s, rows: count}
	step := max(1, int64(windowBytes/4/max(1, width))/dataset.SurveyBlock) * dataset.SurveyBlock
	for err = errOtherColumns; errors.Is(err, errOtherColumns); {
		err = p.pass(ctx, picked{from: from, n: count}, step, ends, read)
	}
	if err == nil && s.w.Flush() != nil {
		err = dataset.ErrWhole
	}
	if err != nil {
		s.file.Close()
		return nil, err
	}
	return p, nil
}

// pass reads all windows. errOtherColumns asks for another pass: a column was met that float32 does not hold.
func (p *spooled) pass(ctx context.Context, all picked, step int64, ends []int64, read window) error {
	p.columns, p.tallies = nil, nil
	m := newMeter(all.n, p.in.o.Progress)
	for from, last := all.from, all.from+all.n; from < last; {
		to := min(last, from+step)
		if k, _ := slices.BinarySearch(ends, to+1); k > 0 && to < last && ends[k-1] > from+step/2 {
			to = ends[k-1]
		}
		columns, tallies, err := read(ctx, picked{from: from, n: to - from})
		if err != nil {
			return err
		}
		if err := p.begin(columns); err != nil {
			return err
		}
		for j := range tallies {
			p.tallies[j].add(tallies[j])
		}
		if p.widen(columns) {
			return errOtherColumns
		}
		if p.spool.put(p.block(columns, int(to-from))); p.spool.failed != nil {
			return p.spool.failed
		}
		if err := p.guardText(); err != nil {
			return err
		}
		m.add(to - from)
		from = to
	}
	for j := range p.columns {
		if set := p.spool.sets[j]; set != nil {
			p.columns[j].Categories = set.names
			if set.names == nil {
				p.columns[j].Categories = []string{}
			}
		}
	}
	return ctx.Err()
}

// guardText refuses columns whose labels take more than their share of the memory.
func (p *spooled) guardText() error {
	for j, set := range p.spool.sets {
		if set == nil {
			continue
		}
		for _, name := range set.names[p.told[j]:] {
			p.text += 64 + int64(len(name))
		}
		if p.told[j] = len(set.names); p.text > p.in.o.Memory/4 {
			return p.in.problem("leave such columns out when the file is written",
				"column %q holds more text than the memory", shortLabel(p.columns[j].Name))
		}
	}
	return nil
}

// begin takes the columns of the first window for those of the table.
func (p *spooled) begin(columns []dataset.Column) error {
	if p.columns != nil {
		return nil
	}
	p.columns, p.tallies = slices.Clone(columns), make([]tally, len(columns))
	p.told, p.text = make([]int, len(columns)), 0
	text := make([]bool, len(columns))
	for j := range p.columns {
		text[j] = columns[j].Categories != nil
		p.columns[j].Values, p.columns[j].Exact = nil, nil
	}
	return p.spool.begin(text, p.wide)
}

// widen says whether a column turns out to need float64 that has not been kept so, and has it kept so. Where that comes
// late it may do so in others, too, so that all are kept so the second time.
func (p *spooled) widen(columns []dataset.Column) (changed bool) {
	again := p.wide != nil
	for j := range columns {
		changed = changed || columns[j].Exact != nil && (p.wide == nil || !p.wide[j])
	}
	if !changed {
		return false
	}
	p.wide = make([]bool, len(columns))
	for j := range columns {
		p.wide[j] = columns[j].Categories == nil && (again || columns[j].Exact != nil)
	}
	return true
}

// block is the rows of a window as they are spooled.
func (p *spooled) block(columns []dataset.Column, rows int) *block {
	b := &block{rows: rows, room: rows, values: make([]float32, rows*len(columns)), exact: make([][]float64,
		len(columns)), labels: make([]*labelSet, len(columns))}
	for j := range columns {
		c := &columns[j]
		copy(b.column(j), c.Values)
		if c.Categories != nil {
			b.labels[j] = &labelSet{names: c.Categories, count: make([]int32, len(c.Categories))}
		}
		if p.spool.wide[j] {
			if b.exact[j] = c.Exact; c.Exact == nil {
				b.exact[j] = make([]float64, rows)
				for i, v := range c.Values {
					b.exact[j][i] = float64(v)
				}
			}
		}
	}
	return b
}

// outline is the table, whose columns have their names.
func (p *spooled) outline(ctx context.Context, warnings []string) (*dataset.Dataset, error) {
	ds, err := p.spool.outline(ctx, p.in.path, p.columns, int(p.rows), coarse(p.tallies))
	if err != nil {
		p.spool.file.Close()
		return nil, err
	}
	ds.Warnings = warnings
	return ds, nil
}

// outline is the table of columns whose values are in the spool. coarse says which of them are kept as float64, see
// dataset.Looked.
func (s *spool) outline(ctx context.Context, path string, columns []dataset.Column, rows int,
	coarse func(int, func() (bool, error)) (bool, error)) (*dataset.Dataset, error) {
	t, err := s.table(len(columns))
	if err != nil {
		return nil, err
	}
	survey := dataset.NewSurvey(columns, rows)
	if _, err := t.survey(ctx, survey, newMeter(0, nil)); err != nil {
		return nil, err
	}
	look := t.looked(rows)
	look.Coarse = coarse
	return survey.Outline(ctx, "", look, func(kept []bool) dataset.Rows {
		of := t
		of.src = nil
		return &fixedRows{path: path, spool: s, t: of, exact: kept}
	})
}
