package format

import (
	"context"
	"io"
	"io/fs"
	"os"
	"time"

	"blossom/model/base/par"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Outline reads all of a file but its values, which the table's Range gives by ranges of its rows: it takes memory for
// some of them at a time, however many there are. All else is as Open has it. The error is dataset.ErrWhole where that
// cannot be, because of the format, of what is in the file, or as it has few rows; else ctx's or a Problem.
func Outline(ctx context.Context, path string, o Options) (*dataset.Dataset, error) {
	if o.MaxPoints > 0 { // then only what is wanted is read in any case
		return nil, dataset.ErrWhole
	}
	if o.Known != nil && o.Count == 0 {
		if ds, err := o.Known(path); ds != nil || err != nil {
			return ds, err
		}
	}
	return open(ctx, path, o, func(f Format) reader { return f.Outline })
}

// widest is how many columns a table has at most that is read by ranges, so that a block of it is small.
const widest = 1024

// taken are the rows that are read of so many: all, or those that are asked for.
func (in *input) taken(rows int64) (from, count int64, err error) {
	if in.o.Count == 0 {
		return 0, rows, nil
	}
	if from, count = in.o.From, in.o.Count; from < 0 || count < 0 || count > rows-from {
		return 0, 0, in.problem("ask for rows that are there", "has %s rows, and those from %s to %s are asked for",
			thousands(rows), thousands(from), thousands(from+count))
	}
	return from, count, nil
}

// outline surveys a table of fixed width. columns are without values; warn is told what they lose as float32.
func (in *input) outline(ctx context.Context, t table, columns []dataset.Column, rows int64,
	warn func([]tally) []string) (*dataset.Dataset, error) {
	if !dataset.Surveyable(rows) || len(columns) > widest {
		return nil, dataset.ErrWhole
	}
	t.src = fileSource{in.r}
	if _, err := t.src.at(t.base+rows*int64(t.stride)-1, 1, make([]byte, 1)); err != nil {
		return nil, fileProblem(err, in.path)
	}
	st, err := in.file.Stat()
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	kept := func(exact []bool) dataset.Rows {
		of := t
		of.src = nil
		return &fixedRows{path: in.path, size: st.Size(), written: st.ModTime(), t: of, exact: exact}
	}
	if exact := in.o.Kept; exact != nil && len(exact) == len(columns) {
		return &dataset.Dataset{Columns: columns, Points: int(rows), Total: int(rows), Rows: kept(exact)}, nil
	}
	s := dataset.NewSurvey(columns, int(rows))
	tallies, err := t.survey(ctx, s, newMeter(rows*int64(t.stride), in.o.Progress))
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	look := t.looked(int(rows))
	look.Coarse = coarse(tallies)
	ds, err := s.Outline(ctx, "", look, kept)
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	ds.Warnings = warn(tallies)
	return ds, nil
}

// survey lets all rows go by, once.
func (t *table) survey(ctx context.Context, s *dataset.Survey, m *meter) ([]tally, error) {
	each := make([][]tally, s.Pieces())
	failed := make([]error, s.Pieces())
	err := par.Blocks(ctx, s.Pieces(), 1, func(_, k, _ int) {
		each[k], failed[k] = t.surveyPiece(ctx, s, k, m)
	})
	tallies := make([]tally, len(t.values))
	for k, f := range failed {
		if f != nil {
			return nil, f
		}
		for i := range tallies {
			tallies[i].add(each[k][i])
		}
	}
	return tallies, err
}

// surveyPiece lets the rows of a piece go by.
func (t *table) surveyPiece(ctx context.Context, s *dataset.Survey, k int, m *meter) ([]tally, error) {
	from, to := s.Piece(k)
	block := min(to-from, dataset.SurveyBlock)
	w := newBlockWorker(t, block)
	buf := make([]byte, block*t.stride)
	values, exact := make([]float32, len(t.values)*block), []float64(nil)
	for ; from < to; from += block {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n := min(block, to-from)
		src, err := t.src.at(t.base+int64(from)*int64(t.stride), n*t.stride, buf)
		if err != nil {
			return nil, err
		}
		for low := 0; low < n; low += w.tile {
			high := min(n, low+w.tile)
			for i := range t.values {
				t.values[i].decode(values[i*block+low:i*block+high], src[low*t.stride:], t.stride, w.scratch,
					&w.tallies[i])
			}
		}
		for i := range t.values {
			var wide []float64
			if v := &t.values[i]; !v.narrow() {
				if exact == nil {
					exact = make([]float64, block)
					w.scratch = make([]uint64, block)
				}
				wide = exact[:n]
				v.decodeExact(wide, src[:n*t.stride], t.stride, w.scratch)
				capped(wide)
			}
			s.Add(k, i, values[i*block:i*block+n], wide)
		}
		m.add(int64(n) * int64(t.stride))
	}
	return w.tallies, nil
}

// narrow says whether float32 holds all values that there can be.
func (v *value) narrow() bool {
	width := len(v.order)
	return width <= 2 || v.kind == kindFloat && width == 4 || v.kind == kindUint && (width == 3 || v.mask != 0 &&
		v.mask < 1<<24)
}

// capped makes numbers infinite that float32 cannot reach, as in a dataset.Column.
func capped(values []float64) {
	for i, x := range values {
		if f := float32(x); f-f != 0 {
			values[i] = float64(f)
		}
	}
}

// looked is what a survey asks of the rows.
func (t *table) looked(rows int) dataset.Looked {
	return dataset.Looked{
		Rows: func(ctx context.Context, chosen []int64, exact bool) ([]dataset.Column, error) {
			return t.columns(ctx, chosen, len(chosen), exact)
		},
		Whole: func(ctx context.Context, i int, exact bool) (dataset.Column, error) {
			one := *t
			one.values = t.values[i : i+1]
			columns, err := one.columns(ctx, nil, rows, exact)
			if err != nil {
				return dataset.Column{}, err
			}
			return columns[0], nil
		},
	}
}

// coarse says by what decoding could not keep whether a column must be kept as float64.
func coarse(tallies []tally) func(i int, far func() (bool, error)) (bool, error) {
	return func(i int, far func() (bool, error)) (bool, error) {
		switch l := tallies[i]; {
		case l.rounded > 0 && !l.fraction:
			return true, nil
		case l.rounded > 0 || l.fraction:
			return far()
		}
		return false, nil
	}
}

// columns reads the wanted rows, n in all, as float32 and, if exact is set, as they are too.
func (t *table) columns(ctx context.Context, chosen []int64, n int, exact bool) ([]dataset.Column, error) {
	columns, values := make([]dataset.Column, len(t.values)), make([][]float32, len(t.values))
	for i := range columns {
		values[i] = make([]float32, n)
		columns[i].Values = values[i]
	}
	if _, err := t.read(ctx, chosen, values, newMeter(0, nil)); err != nil || !exact {
		return columns, err
	}
	return columns, t.widen(ctx, chosen, columns)
}

// widen reads the wanted rows as they are into the Exact of columns, which have their Values.
func (t *table) widen(ctx context.Context, chosen []int64, columns []dataset.Column) error {
	n := len(columns[0].Values)
	for i := range columns {
		columns[i].Exact = make([]float64, n)
	}
	_, err := t.tiles(ctx, chosen, n, newMeter(0, nil), func(w *blockWorker, i, from, to int, tile []byte) {
		to64 := columns[i].Exact[from:to]
		t.values[i].decodeExact(to64, tile, t.stride, w.scratch)
		capped(to64)
	})
	return err
}

// fixedRows are the rows of a file in which all take the same room. The file is opened for each range, and is refused
// once it has changed; a spool is neither.
type fixedRows struct {
	path    string
	spool   *spool // nil: it is the file
	size    int64
	written time.Time
	t       table
	exact   []bool
}

// Read reads rows.
func (r *fixedRows) Read(ctx context.Context, from, to int, which []int) ([]dataset.Column, error) {
	if r.spool != nil {
		columns, err := r.from(ctx, r.spool.file, from, to, which)
		if err != nil {
			return nil, fileProblem(err, r.path)
		}
		return columns, nil
	}
	f, err := openFile(r.path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if err := r.changed(f.Stat()); err != nil {
		return nil, err
	}
	columns, err := r.from(ctx, f, from, to, which)
	if err == nil {
		err = r.changed(os.Stat(r.path))
	}
	if err != nil {
		return nil, fileProblem(err, r.path)
	}
	return columns, nil
}

// from reads rows of an opened file.
func (r *fixedRows) from(ctx context.Context, f io.ReaderAt, from, to int, which []int) ([]dataset.Column, error) {
	t := r.t
	t.src, t.base, t.values = fileSource{f}, t.base+int64(from)*int64(t.stride), nil
	var exact []int
	for k, i := range which {
		if t.values = append(t.values, r.t.values[i]); r.exact[i] {
			exact = append(exact, k)
		}
	}
	columns, err := t.columns(ctx, nil, to-from, false)
	if err == nil && len(exact) > 0 {
		some, wide := t, make([]dataset.Column, len(exact))
		some.values = nil
		for j, k := range exact {
			some.values = append(some.values, t.values[k])
			wide[j].Values = columns[k].Values
		}
		err = some.widen(ctx, nil, wide)
		for j, k := range exact {
			columns[k].Exact = wide[j].Exact
		}
	}
	return columns, err
}

// changed is an error if the file is another than it was.
func (r *fixedRows) changed(st fs.FileInfo, err error) error {
	switch {
	case err != nil:
		return fileProblem(err, r.path)
	case st.Size() != r.size || !st.ModTime().Equal(r.written):
		return problem.New(r.path, "wait until it is complete and open it again", "changed while it was read")
	}
	return nil
}
