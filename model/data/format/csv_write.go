package format

import (
	"context"
	"io"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

func writeCSV(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	return writeText(ctx, w, ds, ',', progress)
}

func writeCSVRange(ctx context.Context, w io.Writer, ds *dataset.Dataset, from, _ int) error {
	return writeTextRange(ctx, w, ds, ',', from)
}

func writeTSVRange(ctx context.Context, w io.Writer, ds *dataset.Dataset, from, _ int) error {
	return writeTextRange(ctx, w, ds, '\t', from)
}

func writeTSV(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	return writeText(ctx, w, ds, '\t', progress)
}

// writeText writes a header of names (and labels: see dataset.Column.Heading), then one line per point: the
// shortest decimals that read back to the same number (as float64 where the column has such), NaN for a missing
// number, labels as text. Progress counts points.
func writeText(ctx context.Context, w io.Writer, ds *dataset.Dataset, sep byte,
	progress func(done, total int64)) error {
	if len(ds.Columns) == 0 {
		return nil
	}
	if _, err := w.Write(headerLine(ds, sep)); err != nil {
		return err
	}
	return writeLines(ctx, w, ds, sep, progress)
}

// writeTextRange writes some rows of such a table, see Format.WriteRange.
func writeTextRange(ctx context.Context, w io.Writer, ds *dataset.Dataset, sep byte, from int) error {
	if from == 0 {
		if _, err := w.Write(headerLine(ds, sep)); err != nil {
			return err
		}
	}
	return writeLines(ctx, w, ds, sep, unreported)
}

// headerLine names the columns.
func headerLine(ds *dataset.Dataset, sep byte) (line []byte) {
	for j := range ds.Columns {
		if j > 0 {
			line = append(line, sep)
		}
		line = append(line, quoteCell(ds.Columns[j].Heading())...)
	}
	return append(line, '\n')
}

// writeLines writes the lines of all rows.
func writeLines(ctx context.Context, w io.Writer, ds *dataset.Dataset, sep byte,
	progress func(done, total int64)) error {
	labels := make([][]string, len(ds.Columns)) // as they are written
	buf := make([]byte, 0, 1<<16)
	for j := range ds.Columns {
		for _, c := range ds.Columns[j].Categories {
			labels[j] = append(labels[j], quoteCell(c))
		}
	}
	for i := range ds.Points {
		for j := range ds.Columns {
			if j > 0 {
				buf = append(buf, sep)
			}
			v := ds.Columns[j].Values[i]
			if exact := ds.Columns[j].Exact; exact != nil {
				buf = appendNumber(buf, exact[i], 64)
			} else if ds.Columns[j].Categories == nil {
				buf = appendNumber(buf, float64(v), 32)
			} else if v >= 0 && int(v) < len(labels[j]) {
				buf = append(buf, labels[j][int(v)]...)
			} else if len(ds.Columns) == 1 {
				buf = append(buf, `""`...) // an empty line would be no row
			}
		}
		buf = append(buf, '\n')
		if len(buf) >= 1<<16-1<<10 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
			progress(int64(i), int64(ds.Points))
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := w.Write(buf)
	progress(int64(ds.Points), int64(ds.Points))
	return err
}

// appendNumber writes x with as few digits as tell it from every other number of so many bits; whole numbers that
// not all float32 hold, up to those of 64 bits, with all of theirs: they may be read back as float64.
func appendNumber(b []byte, x float64, bits int) []byte {
	most := 1e10
	if bits == 64 {
		most = 1e19
	} else if a := max(x, -x); a >= 1<<24 && a < 1<<63 {
		bits, most = 64, 1<<63
	}
	switch a := max(x, -x); {
	case x != x:
		return append(b, "NaN"...)
	case x-x != 0:
		if x < 0 {
			return append(b, "-Inf"...)
		}
		return append(b, "Inf"...)
	case a == 0 || a >= 1e-5 && a < most:
		return strconv.AppendFloat(b, x, 'f', -1, bits)
	}
	return strconv.AppendFloat(b, x, 'e', -1, bits)
}

// quoteCell puts quotes around a text that would not be read back as it is; also around anything that
// could be taken for a separator, so that a reader does not guess another one.
func quoteCell(s string) string {
	if s == "" || s != strings.TrimSpace(s) || s[0] == '#' || strings.ContainsAny(s, "\"\r\n,;|\t") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
