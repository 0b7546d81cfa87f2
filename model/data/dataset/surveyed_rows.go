package dataset

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"sync"

	"blossom/model/base/problem"
)

// toldRows are the rows of a table of which another process has told, with the values of some. The others are read from
// the table itself, which is opened when one of them is asked for.
type toldRows struct {
	*Surveyed
	path string
	open func(ctx context.Context, kept []bool) (*Dataset, error)

	lock   sync.Mutex
	opened *Dataset
}

// Read reads rows.
func (t *toldRows) Read(ctx context.Context, from, to int, columns []int) ([]Column, error) {
	i, found := slices.BinarySearch(t.rows, from)
	if n := to - from; n == 0 || found && i+n <= len(t.rows) && t.rows[i+n-1] == to-1 {
		return t.some(i, i+n, columns)
	}
	ds, err := t.itself(ctx)
	if err != nil {
		return nil, err
	}
	own := &stackedRows{tables: []*Dataset{ds}, starts: []int{0, ds.Points}, exact: t.kept}
	for i := range t.kept {
		own.from = append(own.from, []int{i})
	}
	return own.Read(ctx, from, to, columns)
}

// itself is the table as it is read here.
func (t *toldRows) itself(ctx context.Context) (*Dataset, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if t.opened != nil {
		return t.opened, nil
	}
	ds, err := t.open(ctx, slices.Clone(t.kept))
	if err != nil {
		return nil, err
	}
	if ds.Points != t.table.Points || len(ds.Columns) != len(t.kept) {
		return nil, problem.New(t.path, "see that no file changes", "has %d rows of %d columns here, and %d of %d "+
			"where its columns were looked at", ds.Points, len(ds.Columns), t.table.Points, len(t.kept))
	}
	t.opened = ds
	return ds, nil
}

// some are columns of the told rows from the number i up to k.
func (s *Surveyed) some(i, k int, columns []int) ([]Column, error) {
	values := s.values
	if values != nil {
		values = make([]Column, len(s.kept))
		for j := range s.kept {
			if values[j].Values = slices.Clone(s.values[j].Values[i:k]); s.kept[j] {
				values[j].Exact = slices.Clone(s.values[j].Exact[i:k])
			}
		}
	} else {
		var err error
		if values, err = s.at.read(i, k, s.kept); err != nil {
			return nil, err
		}
	}
	out := make([]Column, len(columns))
	for j, c := range columns {
		out[j] = values[c]
	}
	return out, nil
}

// toldValues are the values of told rows in a file, one row after the other: all columns as float32, and then those
// that are kept so as float64.
type toldValues struct {
	file io.ReaderAt
	base int64
}

// widthOf is how many bytes a row takes.
func widthOf(kept []bool) (n int) {
	n = 4 * len(kept)
	for _, k := range kept {
		if k {
			n += 8
		}
	}
	return n
}

// read reads rows from the number i up to k.
func (v *toldValues) read(i, k int, kept []bool) ([]Column, error) {
	width := widthOf(kept)
	b := make([]byte, (k-i)*width)
	if n, err := v.file.ReadAt(b, v.base+int64(i)*int64(width)); n < len(b) {
		return nil, err
	}
	out := make([]Column, len(kept))
	for j := range out {
		if out[j].Values = make([]float32, k-i); kept[j] {
			out[j].Exact = make([]float64, k-i)
		}
	}
	for row := range k - i {
		for j := range out {
			out[j].Values[row] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
		for j := range out {
			if kept[j] {
				out[j].Exact[row] = math.Float64frombits(binary.LittleEndian.Uint64(b))
				b = b[8:]
			}
		}
	}
	return out, nil
}

// append appends the values of rows as read reads them.
func (s *Surveyed) append(b []byte) []byte {
	for row := range s.rows {
		for j := range s.kept {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(s.values[j].Values[row]))
		}
		for j, kept := range s.kept {
			if kept {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.values[j].Exact[row]))
			}
		}
	}
	return b
}
