package format

import (
	"context"
)

// partRemedy is the remedy for files whose rows cannot be read by themselves.
const partRemedy = "save it as Parquet, NPY or FCS (blossom convert), or take all of it in one part (--part-rows 0)"

// Parted says where ranges of the rows of a file lie that begin with those rows, which ascend from 0: some rows of it
// are read as if there were no others by Options.From, Count and Span. Spans are nil where they need none. false: the
// file is read as a whole. The error is ctx's, or a Problem.
func Parted(ctx context.Context, path string, o Options, starts []int64) (spans []Span, parted bool, err error) {
	head, err := readHead(path)
	if err != nil {
		return nil, false, err
	}
	f, known := Detect(head, extension(path))
	if !known || !f.Rows {
		return nil, false, nil
	}
	if f.Spans != nil {
		if spans, err = f.Spans(ctx, path, o, starts); ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		return spans, err == nil, nil // the reader of all of it says what is wrong
	}
	o.From, o.Count, o.Span, o.MaxPoints, o.Progress = 0, 1, nil, 0, nil
	_, err = open(ctx, path, o, func(f Format) reader { return f.Read })
	if ctx.Err() != nil {
		return nil, false, ctx.Err()
	}
	return nil, err == nil, nil
}

// spanned checks that a range lies where it is said to.
func (in *input) spanned() error {
	if s := in.o.Span; s != nil && (s.From < 0 || s.To < s.From || s.To > in.size || in.o.Count == 0) {
		return in.problem("plan anew, into another folder", "has no rows where they are said to be")
	}
	return nil
}

// asMany checks that a range that was read where it is said to lie has the rows that are asked for.
func (in *input) asMany(rows int64) error {
	if in.o.Span != nil && rows != in.o.Count {
		return in.problem("plan anew, into another folder", "has %s rows where %s are said to be", thousands(rows),
			thousands(in.o.Count))
	}
	return nil
}
