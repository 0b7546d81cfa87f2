package format

import (
	"context"
	"io"
	"os"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"

	"github.com/klauspost/compress/gzip"
)

// Save writes ds to path in the format that the extension names, as AtomicWrite does. A text table is
// compressed where the name ends in ".gz". Standard output ("-") and devices get CSV. progress may be
// nil; it is told bytes or rows done and in all, as the format counts them.
// The error is ctx's or a Problem; after one the file is as it was before.
func Save(ctx context.Context, path string, ds *dataset.Dataset, progress func(done, total int64)) error {
	write, err := writerOf(ctx, path, ds, progress)
	if err != nil {
		return err
	}
	return AtomicWrite(path, write)
}

// Writable says why a table cannot be written under a name; nil: it can.
func Writable(path string) error {
	_, err := formatFor(path)
	return err
}

// formatFor is the format in which a table is written under a name.
func formatFor(path string) (Format, error) {
	f, ok := ForPath(path)
	if path == "-" || !ok && isDevice(path) {
		f, ok = byName("csv")
	}
	if !ok || f.Write == nil {
		return f, problem.New(path, "use one of "+strings.Join(Extensions(), " "),
			"the name ends in no extension that blossom writes")
	}
	if strings.HasSuffix(strings.ToLower(path), ".gz") && !f.Text {
		return f, problem.New(path, "leave out .gz, or write .csv.gz", "only text tables can be written compressed")
	}
	return f, nil
}

// writerOf returns what writes a table under a name.
func writerOf(ctx context.Context, path string, ds *dataset.Dataset,
	progress func(done, total int64)) (func(io.Writer) error, error) {
	f, err := formatFor(path)
	if err != nil {
		return nil, err
	}
	if len(ds.Columns) == 0 {
		return nil, problem.New(path, "choose columns, or another file", "is not written: the table has no columns")
	}
	ds = ds.WithLabels()
	if f.Lacks != nil {
		if lacks := f.Lacks(ds); lacks != "" { // nothing is written that is not read again
			return nil, problem.New(path, "write the data with it, or .csv or .parquet", "is not written: %s", lacks)
		}
	}
	packed := strings.HasSuffix(strings.ToLower(path), ".gz")
	if progress == nil {
		progress = func(int64, int64) {}
	}
	return func(w io.Writer) error {
		if !packed {
			return f.Write(ctx, w, ds, progress)
		}
		z, err := gzip.NewWriterLevel(w, gzip.DefaultCompression)
		if err != nil {
			return err
		}
		if err := f.Write(ctx, z, ds, progress); err != nil {
			return err
		}
		return z.Close()
	}, nil
}

// Lost says what of ds a file of that name would not hold, in words.
func Lost(path string, ds *dataset.Dataset) []string {
	if f, ok := ForPath(path); ok && f.Loses != nil {
		return f.Loses(ds.WithLabels())
	}
	return nil
}

func byName(name string) (Format, bool) {
	for _, f := range All() {
		if f.Name == name {
			return f, true
		}
	}
	return Format{}, false
}

// Extensions are those of the formats in which tables are written.
func Extensions() []string {
	var out []string
	for _, f := range All() {
		if f.Write != nil {
			out = append(out, f.Extensions[0])
		}
	}
	return out
}

func isDevice(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.IsDir() && !st.Mode().IsRegular()
}
