package format

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// framed is a table that lies in its file column by column, while it is read.
type framed struct {
	in       *input
	table    frame.Table
	of       []frame.Column
	pieces   []int64 // rows of each
	starts   []int64 // the first row of each
	total    int64
	rows     picked
	n        int
	meter    *meter
	report   func(done, total int64) // nil: nobody is told how far it is
	every    bool                    // values are kept as float64 wherever float32 does not hold one
	series   []*series
	image    int          // the column of bytes of images; -1: none
	left     []string     // columns that cannot be read, with the reason
	words    atomic.Int64 // bytes that labels may still take
	warnings []string
}

// series is a column of the file, which may become several of the table.
type series struct {
	at      int // number in the file
	of      *frame.Column
	values  [][]float32 // one for each column of the table, by its rows
	exact   [][]float64 // the same, where they are needed
	tallies []tally
	sets    []*labelSet // labels of each piece
	mutex   sync.Mutex
	uneven  bool
}

// bytesPerColumn is what a column takes beside its values, with room to spare.
const bytesPerColumn = 2 << 10

// frameTable makes a table of what lies in a file column by column.
func (in *input) frameTable(ctx context.Context, t frame.Table) (*dataset.Dataset, error) {
	f, width, err := in.framed(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := f.pick(width); err != nil {
		return nil, err
	}
	if err := f.values(ctx); err != nil {
		return nil, err
	}
	columns, as, err := f.columns(ctx)
	if err != nil {
		return nil, err
	}
	ds, err := in.finish(ctx, columns, f.total, f.headed(columns))
	if err != nil {
		return nil, err
	}
	if f.image >= 0 {
		ds.Images = &dataset.Images{Name: f.of[f.image].Name}
	}
	ds.Points = f.n
	nameRows(ds, as)
	return ds, nil
}

// framed describes what lies in a file column by column, and which columns of it are read. width is how many of a table
// these are.
func (in *input) framed(ctx context.Context, t frame.Table) (f *framed, width int, err error) {
	f = &framed{in: in, table: t, of: t.Columns(), pieces: t.Pieces(), report: in.o.Progress}
	f.words.Store(in.o.Memory / 4)
	for _, rows := range f.pieces {
		f.starts = append(f.starts, f.total)
		f.total += rows
	}
	f.image = f.images(ctx)
	f.warnings = f.choose()
	for _, s := range f.series {
		width += max(1, s.of.Width)
	}
	if int64(width) > in.o.Memory/bytesPerColumn {
		return nil, 0, in.problem("leave long lists out when the file is written",
			"has %s columns, more than the memory holds",
			thousands(int64(width)))
	}
	return f, width, nil
}

// pick says which rows are read, of so many columns.
func (f *framed) pick(width int) (err error) {
	f.rows, f.total, err = f.in.pick(f.total, width)
	f.n = int(f.rows.n)
	return err
}

// headed gives columns their names and labels, and returns all that there is to say of the table.
func (f *framed) headed(columns []dataset.Column) (warnings []string) {
	warnings = f.warnings
	if len(f.left) > 0 {
		more := ""
		if len(f.left) > 5 {
			more = fmt.Sprintf(" and %d others", len(f.left)-5)
		}
		warnings = append(warnings, "columns that cannot be read are left out: "+
			strings.Join(f.left[:min(5, len(f.left))], ", ")+more)
	}
	names := make([]string, len(columns))
	for i := range columns {
		names[i], columns[i].Label = dataset.ParseHeading(columns[i].Name)
	}
	warnings = append(warnings, uniqueNames(names)...)
	for i := range columns {
		columns[i].Name = names[i]
	}
	return warnings
}

// nameRows has those columns be the index that names the rows of which index says so.
func nameRows(ds *dataset.Dataset, index []bool) {
	for i := range ds.Columns {
		if index[i] {
			asIndex(&ds.Columns[i])
		}
	}
}

// choose says which columns are read. Of a table that is too wide for a map those that were asked for do, with the
// labels, if all that were asked for are there.
func (f *framed) choose() (warnings []string) {
	wanted := map[string]bool{}
	for _, name := range f.in.o.Wanted {
		wanted[name] = true
	}
	found, skipped := map[string]bool{}, 0
	for i := range f.of {
		name, label := dataset.ParseHeading(f.of[i].Name)
		for _, called := range []string{f.of[i].Name, name, label} {
			if wanted[called] {
				found[called] = true
			}
		}
	}
	some := len(wanted) > 0 && len(found) == len(wanted) && len(f.of) > mostMarkers
	for _, name := range f.in.o.Coloured {
		wanted[name] = true
	}
	for i := range f.of {
		c := &f.of[i]
		name, label := dataset.ParseHeading(c.Name)
		switch {
		case i == f.image:
		case c.Kind == frame.Left:
			f.left = append(f.left, fmt.Sprintf("%q (%s)", shortLabel(c.Name), c.Why))
		case some && c.Kind == frame.Number && !c.Index && !wanted[c.Name] && !wanted[name] && !wanted[label]:
			skipped++
		default:
			f.series = append(f.series, &series{at: i, of: c})
		}
	}
	if skipped > 0 {
		warnings = append(warnings, fmt.Sprintf("%s columns that were not asked for are left out",
			thousands(int64(skipped))))
	}
	return warnings
}

// values reads all columns, and those again that float32 does not hold.
func (f *framed) values(ctx context.Context) error {
	bytes := int64(0)
	for _, s := range f.series {
		s.sets, s.tallies = make([]*labelSet, len(f.pieces)), make([]tally, max(1, s.of.Width))
		s.values, s.exact = nil, nil
		for range max(1, s.of.Width) {
			s.values = append(s.values, make([]float32, f.n))
		}
		for p, rows := range f.pieces {
			if from, to := f.rows.places(f.starts[p], int(rows)); from < to {
				bytes += f.table.Bytes(p, s.at)
			}
		}
	}
	f.meter = newMeter(bytes, f.report)
	if err := f.read(ctx, f.series, (*framed).piece); err != nil {
		return err
	}
	f.series = slices.DeleteFunc(f.series, func(s *series) bool {
		if s.uneven {
			f.left = append(f.left, fmt.Sprintf("%q (it holds %v)", shortLabel(s.of.Name), frame.ErrUneven))
		}
		return s.uneven
	})
	var again []*series
	kept, width := 0, 0
	for _, s := range f.series {
		width += len(s.values)
		for k := range s.values {
			if t := s.tallies[k]; s.of.Kind == frame.Number && (f.every && t.any() || t.coarse(s.values[k])) {
				if s.exact == nil {
					s.exact = make([][]float64, len(s.values))
					again = append(again, s)
				}
				s.exact[k] = []float64{}
				kept++
			}
		}
	}
	if err := f.in.guardExact(f.n, width, kept); err != nil {
		return err
	}
	for _, s := range again {
		for k := range s.exact {
			if s.exact[k] != nil {
				s.exact[k] = make([]float64, f.n)
			}
		}
	}
	f.meter = newMeter(0, nil)
	return f.read(ctx, again, (*framed).pieceExact)
}

// read goes through the pieces of columns on all cores, those that lie together at about the same time.
func (f *framed) read(ctx context.Context, which []*series,
	take func(f *framed, s *series, piece int) func(*frame.Run) error) error {
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		mutex  sync.Mutex
		failed error
	)
	var pieces []int // pieces with a row that is read
	for p, rows := range f.pieces {
		if from, to := f.rows.places(f.starts[p], int(rows)); from < to {
			pieces = append(pieces, p)
		}
	}
	jobs := len(which) * len(pieces)
	for range min(runtime.GOMAXPROCS(0), jobs) {
		wg.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= jobs {
					return
				}
				piece, s := pieces[at/len(which)], which[at%len(which)]
				err := f.one(ctx, s, piece, take(f, s, piece))
				if errors.Is(err, frame.ErrUneven) {
					s.mutex.Lock()
					s.uneven = true
					s.mutex.Unlock()
					err = nil
				}
				f.meter.add(f.table.Bytes(piece, s.at))
				if err != nil {
					mutex.Lock()
					if failed == nil {
						failed = err
					}
					mutex.Unlock()
					next.Store(int64(jobs))
				}
			}
		})
	}
	wg.Wait()
	return failed
}

// one reads a column of a piece, if one of its rows is wanted. A file must not end the program, whatever is in it: what
// goes wrong in here is a Problem of the file.
func (f *framed) one(ctx context.Context, s *series, piece int, take func(*frame.Run) error) (err error) {
	defer func() {
		if wrong := recover(); wrong != nil {
			err = f.in.problem("write it again with the program that made it", "column %q cannot be read: %v",
				shortLabel(s.of.Name), wrong)
		}
	}()
	wanted := func(row int64, rows int) bool {
		from, to := f.rows.places(f.starts[piece]+row, rows)
		return from < to
	}
	if f.pieces[piece] == 0 || !wanted(0, int(f.pieces[piece])) {
		return ctx.Err()
	}
	return f.table.Read(ctx, piece, s.at, wanted, take)
}

// row is the place in a run of row i of the table; first is the row of the file that the run begins with.
func (f *framed) row(i int, first int64) int { return int(f.rows.row(i) - first) }

// piece takes the values of a column of a piece.
func (f *framed) piece(s *series, piece int) func(*frame.Run) error {
	if s.of.Kind == frame.Text {
		return f.labels(s, piece)
	}
	return func(run *frame.Run) error {
		first := f.starts[piece] + run.Row
		from, to := f.rows.places(first, run.Rows)
		width := len(s.values)
		var tallies []tally
		for k, dst := range s.values {
			t := tally{}
			f.numbers(s, run, dst[from:to], first, from, k, width, &t)
			tallies = append(tallies, t)
		}
		s.mutex.Lock()
		defer s.mutex.Unlock()
		for k, t := range tallies {
			s.tallies[k].add(t)
		}
		return nil
	}
}

// numbers takes number k of each row of a run, for the rows from from on.
func (f *framed) numbers(s *series, run *frame.Run, dst []float32, first int64, from, k, width int, t *tally) {
	missing := func(i int) bool { return run.Missing != nil && run.Missing[i] }
	switch {
	case len(dst) == 0:
	case len(run.Floats) > 0 && width == 1 && f.rows.list == nil && run.Missing == nil:
		copy(dst, run.Floats[f.row(from, first):])
	case len(run.Floats) > 0:
		for i := range dst {
			at := f.row(from+i, first)*width + k
			if dst[i] = run.Floats[at]; missing(at) {
				dst[i] = nan32
			}
		}
	case len(run.Whole) > 0 && s.of.Over == 0 && !s.of.Unsigned:
		for i := range dst {
			at := f.row(from+i, first)*width + k
			if missing(at) {
				dst[i] = nan32
				continue
			}
			x := run.Whole[at]
			if u := uint64(max(x, -x)); !exact(u, 24) {
				t.whole(u)
			}
			dst[i] = float32(x)
		}
	case len(run.Doubles)+len(run.Whole) > 0:
		for i := range dst {
			at := f.row(from+i, first)*width + k
			if missing(at) {
				dst[i] = nan32
				continue
			}
			x := number64(s.of, run, at)
			v := float32(x)
			if float64(v) != x && x == x {
				t.lost(x, v)
			}
			dst[i] = v
		}
	default: // all are missing
		for i := range dst {
			dst[i] = nan32
		}
	}
}

// number64 is an entry of a run as it is.
func number64(c *frame.Column, run *frame.Run, at int) float64 {
	var x float64
	switch {
	case len(run.Floats) > 0:
		return float64(run.Floats[at])
	case len(run.Doubles) > 0:
		x = run.Doubles[at]
	case c.Unsigned:
		x = float64(uint64(run.Whole[at]))
	default:
		x = float64(run.Whole[at])
	}
	if c.Over != 0 {
		x /= c.Over
	}
	return x
}

// pieceExact takes the values of a column of a piece as float64.
func (f *framed) pieceExact(s *series, piece int) func(*frame.Run) error {
	return func(run *frame.Run) error {
		first := f.starts[piece] + run.Row
		from, to := f.rows.places(first, run.Rows)
		for k, dst := range s.exact {
			if dst == nil {
				continue
			}
			for i := from; i < to; i++ {
				at := f.row(i, first)*len(s.values) + k
				if none := len(run.Floats)+len(run.Doubles)+len(run.Whole) == 0; none || run.Missing != nil &&
					run.Missing[at] {
					dst[i] = math.NaN()
					continue
				}
				dst[i] = number64(s.of, run, at)
			}
		}
		return nil
	}
}

// columns makes the columns of the table; index says of each whether it names the rows.
func (f *framed) columns(ctx context.Context) (out []dataset.Column, index []bool, err error) {
	for _, s := range f.series {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for k, values := range s.values {
			c := dataset.Column{Name: s.of.Name, Values: values}
			if s.of.Width > 0 {
				c.Name = fmt.Sprintf("%s%d", s.of.Name, k)
			}
			switch {
			case s.of.Kind == frame.Text:
				c.Categories = f.together(s)
			case s.of.Kind == frame.Truth:
				c.Categories = []string{"False", "True"}
			case s.exact != nil && s.exact[k] != nil:
				c.SetExact(s.exact[k])
			}
			if s.of.Date {
				c.Why = dataset.Dates
			}
			out, index = append(out, c), append(index, s.of.Index)
		}
	}
	return out, index, nil
}

// named gives a Problem that has no file the name of this one.
func (in *input) named(err error) error {
	if p, ok := err.(*problem.Problem); ok && p.File == "" {
		with := *p
		with.File = in.path
		return &with
	}
	return err
}
