package format

import (
	"context"

	"blossom/model/data/encoding/hdf5"
)

// h5Sparse is a sparse matrix: lines (rows of csr, columns of csc) of values with their places in the line.
type h5Sparse struct {
	name          string
	rows, cols    int64
	byColumns     bool // csc
	data, indices *hdf5.Dataset
	start         []int64 // where each line begins among the values, with the end of the last
	o             *hdf5.Object
}

// sparse describes a sparse matrix, nil where the group is none.
func (in *h5Input) sparse(name string, o *hdf5.Object) (*h5Sparse, error) {
	kind, shape := h5Attribute(o, "encoding-type"), "shape"
	if old := h5Attribute(o, "h5sparse_format"); old != "" {
		kind, shape = old+"_matrix", "h5sparse_shape"
	}
	if kind != "csr_matrix" && kind != "csc_matrix" {
		return nil, nil
	}
	a, err := o.Attribute(shape)
	if err != nil {
		return nil, h5At(err, name)
	}
	var dims []int64
	if a != nil {
		if dims, err = a.Ints(); err != nil {
			return nil, h5At(err, name)
		}
	}
	if len(dims) != 2 || dims[0] < 0 || dims[1] < 0 {
		return nil, in.problem(copyAgain, "%s is a sparse matrix without a shape that makes sense", name)
	}
	return &h5Sparse{name: name, rows: dims[0], cols: dims[1], byColumns: kind == "csc_matrix", o: o}, nil
}

// open finds the three arrays of a sparse matrix and checks that they fit together, once it is to be read.
func (s *h5Sparse) open(ctx context.Context, in *h5Input) error {
	if s.start != nil {
		return nil
	}
	var arrays [3]*hdf5.Dataset
	for i, part := range []string{"data", "indices", "indptr"} {
		c, err := h5Child(s.o, part)
		if err != nil {
			return h5At(err, s.name)
		}
		if c == nil || !c.IsDataset() {
			return in.problem(copyAgain, "%s is a sparse matrix without %s", s.name, part)
		}
		if arrays[i], err = c.Dataset(); err != nil {
			return h5At(err, s.name+"/"+part)
		}
		t := arrays[i].Type
		if err := t.CheckNumber(); err != nil {
			return h5At(err, s.name+"/"+part)
		}
		if len(arrays[i].Shape) != 1 || i > 0 && t.Class != hdf5.Integer {
			return in.problem(copyAgain, "%s/%s is no array of numbers", s.name, part)
		}
	}
	s.data, s.indices = arrays[0], arrays[1]
	lines := s.rows
	if s.byColumns {
		lines = s.cols
	}
	if n := arrays[2].Shape[0]; n != lines+1 {
		return in.problem(copyAgain, "%s/indptr has %s entries where %s are due", s.name, thousands(n),
			thousands(lines+1))
	}
	raw, err := arrays[2].Raw(ctx)
	if err != nil {
		return h5At(err, s.name+"/indptr")
	}
	t := arrays[2].Type
	s.start = make([]int64, lines+1)
	for i := range s.start {
		s.start[i] = t.Int(raw[i*t.Size:])
		if s.start[i] < 0 || i > 0 && s.start[i] < s.start[i-1] || i == 0 && s.start[0] != 0 {
			return in.problem(copyAgain, "%s/indptr makes no sense: it should rise from 0", s.name)
		}
	}
	if n := s.start[lines]; n != s.data.Shape[0] || n != s.indices.Shape[0] {
		return in.problem(copyAgain,
			"%s is a damaged sparse matrix: indptr ends at %s, there are %s values and %s indices",
			s.name, thousands(n), thousands(s.data.Shape[0]), thousands(s.indices.Shape[0]))
	}
	return nil
}

// sparseWindow is how many values are read at once.
const sparseWindow = 1 << 20

// fill adds the stored values to where they belong: values[k] is column cols[k] of the rows that are picked.
func (s *h5Sparse) fill(ctx context.Context, in *h5Input, rows picked, cols []int, values [][]float32) error {
	wanted := make([]int32, s.cols) // for each column its place in cols, from 1
	for k, c := range cols {
		wanted[c] = int32(k + 1)
	}
	if s.byColumns {
		return s.walk(ctx, in, 0, s.cols, func(line int64) bool { return wanted[line] > 0 },
			func(line, other int64, v float64) {
				if row := rows.place(other); row >= 0 {
					values[wanted[line]-1][row] += float32(v)
				}
			})
	}
	row, at := int64(-1), 0
	from, to := rows.reach()
	return s.walk(ctx, in, from, to, func(line int64) bool { return rows.list == nil || rows.place(line) >= 0 },
		func(line, other int64, v float64) {
			if line != row {
				row, at = line, rows.place(line)
			}
			if k := wanted[other]; k > 0 && at >= 0 {
				values[k-1][at] += float32(v)
			}
		})
}

// walk calls visit with the stored values of those lines from first up to end that are wanted, in order, and checks the
// indices.
func (s *h5Sparse) walk(ctx context.Context, in *h5Input, first, end int64, wanted func(line int64) bool,
	visit func(line, other int64, v float64)) error {
	lines, others := end, s.cols
	if s.byColumns {
		others = s.rows
	}
	m := newMeter(s.start[lines]-s.start[first], in.o.Progress)
	for line := first; line < lines; {
		if !wanted(line) {
			line++
			continue
		}
		end := line + 1 // as many wanted lines as a window has, or one
		for end < lines && s.start[end+1]-s.start[line] <= sparseWindow && wanted(end) {
			end++
		}
		for from := s.start[line]; from < s.start[end]; {
			to := min(s.start[end], from+sparseWindow)
			indices, err := s.indices.Slice(ctx, from, to)
			if err != nil {
				return h5At(err, s.name+"/indices")
			}
			data, err := s.data.Slice(ctx, from, to)
			if err != nil {
				return h5At(err, s.name+"/data")
			}
			at, it, dt := line, s.indices.Type, s.data.Type
			for k := from; k < to; k++ {
				for k >= s.start[at+1] {
					at++
				}
				other := it.Int(indices[(k-from)*int64(it.Size):])
				if other < 0 || other >= others {
					return in.problem(copyAgain, "%s/indices makes no sense: %d where 0 to %d are possible", s.name,
						other, others-1)
				}
				visit(at, other, dt.Number64(data[(k-from)*int64(dt.Size):]))
			}
			m.add(to - from)
			from = to
		}
		line = end
	}
	return ctx.Err()
}

// varied are the columns of the greatest variance, at most so many, ascending. Of equal ones the first count.
func (s *h5Sparse) varied(ctx context.Context, in *h5Input, most int) ([]int, error) {
	sum, squares := make([]float64, s.cols), make([]float64, s.cols)
	lines := s.rows
	if s.byColumns {
		lines = s.cols
	}
	err := s.walk(ctx, in, 0, lines, func(int64) bool { return true }, func(line, other int64, v float64) {
		if s.byColumns {
			other = line
		}
		sum[other] += v
		squares[other] += v * v
	})
	if err != nil {
		return nil, err
	}
	return greatest(sum, squares, s.rows, most), nil
}
