package format

import (
	"context"
	"io"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"

	"github.com/klauspost/compress/gzip"
)

// WritesRanges says whether a table can be written under a name while its rows come by ranges.
func WritesRanges(path string) bool {
	f, err := formatFor(path)
	return err == nil && f.WriteRange != nil
}

// SaveRanges writes a table of rows in all as Save does, whose rows come by ranges, in their order: each hands them to
// put. The error is each's, ctx's or a Problem.
func (s *Files) SaveRanges(ctx context.Context, path string, rows int,
	each func(put func(*dataset.Dataset) error) error) error {
	f, err := formatFor(path)
	if err != nil {
		return err
	}
	return s.Write(path, func(w io.Writer) error {
		if !strings.HasSuffix(strings.ToLower(path), ".gz") {
			return f.writeRanges(ctx, w, path, rows, each)
		}
		z, err := gzip.NewWriterLevel(w, gzip.DefaultCompression)
		if err != nil {
			return err
		}
		if err := f.writeRanges(ctx, z, path, rows, each); err != nil {
			return err
		}
		return z.Close()
	})
}

// writeRanges writes what each puts. Rows are written while the next ones are made.
func (f *Format) writeRanges(ctx context.Context, w io.Writer, path string, rows int,
	each func(put func(*dataset.Dataset) error) error) error {
	from, waiting := 0, make(chan *dataset.Dataset)
	written := make(chan error, 1)
	go func() {
		var err error
		for ds := range waiting {
			if err = f.WriteRange(ctx, w, ds, from, rows); err != nil {
				break
			}
			from += ds.Points
		}
		written <- err
	}()
	var failed error
	err := each(func(ds *dataset.Dataset) error {
		if len(ds.Columns) == 0 {
			return problem.New(path, "choose columns, or another file", "is not written: the table has no columns")
		}
		select {
		case waiting <- ds:
			return nil
		case failed = <-written:
			return failed
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(waiting)
	if failed == nil {
		failed = <-written
	}
	switch {
	case err != nil:
		return err
	case failed == nil && from != rows:
		return problem.New(path, "report this", "%d of %d rows came to be written", from, rows)
	}
	return failed
}

// unreported is the progress of what somebody else reports.
func unreported(int64, int64) {}
