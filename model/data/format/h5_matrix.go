package format

import (
	"context"
	"slices"
	"sync"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// h5Matrix is a matrix of cells by columns.
type h5Matrix struct {
	name       string // for people: X, layer:NAME
	rows, cols int64
	dense      *hdf5.Dataset
	sparse     *h5Sparse
	turned     bool      // dense has the columns as its rows
	held       []float64 // a field of rows, as old files have embeddings: it is in memory, row by row
}

// matrix describes a matrix, nil where the object is none: neither values in two dimensions nor a sparse matrix.
func (in *h5Input) matrix(name string, o *hdf5.Object) (*h5Matrix, error) {
	if o == nil {
		return nil, nil
	}
	if o.IsGroup() {
		s, err := in.sparse(name, o)
		if err != nil || s == nil {
			return nil, err
		}
		return &h5Matrix{name: name, rows: s.rows, cols: s.cols, sparse: s}, nil
	}
	d, err := o.Dataset()
	if err != nil {
		return nil, h5At(err, name)
	}
	if d.Null || len(d.Shape) != 2 && len(d.Shape) != 1 {
		return nil, nil
	}
	if !d.Type.Number() {
		if d.Type.Class == hdf5.Integer || d.Type.Class == hdf5.Float {
			return nil, h5At(d.Type.CheckNumber(), name)
		}
		return nil, nil
	}
	if !d.Type.Plain() {
		return nil, in.problem("write it again as float32", "%s holds whole numbers that take some of their bits alone",
			name)
	}
	m := &h5Matrix{name: name, rows: d.Shape[0], cols: 1, dense: d}
	if len(d.Shape) == 2 {
		m.cols = d.Shape[1]
	}
	return m, nil
}

// fits checks the shape of a matrix that is to be read. Below 0 any number of columns fits.
func (m *h5Matrix) fits(ctx context.Context, in *h5Input, rows, cols int64) error {
	if m.rows == rows && (cols < 0 || m.cols == cols) {
		if m.sparse != nil {
			return m.sparse.open(ctx, in)
		}
		return nil
	}
	if cols < 0 {
		return in.problem(copyAgain, "%s has %s rows, the table has %s", m.name, thousands(m.rows), thousands(rows))
	}
	return in.problem(copyAgain, "%s has %s rows and %s columns, names are there for %s and %s", m.name,
		thousands(m.rows), thousands(m.cols), thousands(rows), thousands(cols))
}

// read makes columns of the rows that are picked and the given columns of the matrix, and says what float32 does not
// hold of them.
func (m *h5Matrix) read(ctx context.Context, in *h5Input, rows picked, cols []int) ([]dataset.Column, []tally, error) {
	out, tallies, n := make([]dataset.Column, len(cols)), make([]tally, len(cols)), int(rows.n)
	if m.sparse != nil {
		values := make([][]float32, len(cols))
		for k := range values {
			values[k] = make([]float32, n)
			out[k].Values = values[k]
		}
		return out, tallies, m.sparse.fill(ctx, in, rows, cols, values)
	}
	if m.held != nil {
		for k, c := range cols {
			out[k], tallies[k] = m.heldColumn(c, rows, in.every)
		}
		return out, tallies, nil
	}
	r := &h5Dense{d: m.dense, turned: m.turned, rows: rows, cols: cols, tallies: tallies,
		meter: newMeter(m.rows*m.cols*int64(m.dense.Type.Size), in.o.Progress)}
	r.value = h5Value(m.dense.Type)
	r.strip = func(k, from, to int, src []byte, stride int, scratch []uint64, t *tally) {
		r.value.decode(out[k].Values[from:to], src, stride, scratch, t)
	}
	fill := float32(m.dense.Type.Number64(m.dense.Fill()))
	for k := range out {
		out[k].Values = make([]float32, n)
		if fill != 0 {
			for i := range out[k].Values {
				out[k].Values[i] = fill
			}
		}
	}
	if err := r.blocks(ctx); err != nil {
		return nil, nil, h5At(err, m.name)
	}
	return out, tallies, h5At(r.exact(ctx, in, out, n), m.name)
}

// heldColumn is a column of a matrix that is in memory.
func (m *h5Matrix) heldColumn(c int, rows picked, every bool) (dataset.Column, tally) {
	s := &h5Series{numbers: make([]float64, rows.n), wide: true}
	for i := range s.numbers {
		s.numbers[i] = m.held[rows.row(i)*m.cols+int64(c)]
	}
	return s.of("", picked{n: rows.n}, every)
}

// heldMatrices are the fields of rows that are arrays of numbers, as matrices.
func (in *h5Input) heldMatrices(ctx context.Context, prefix string, o *hdf5.Object) (out []*h5Matrix, err error) {
	d, err := o.Dataset()
	if err != nil || len(d.Shape) != 1 {
		return nil, err
	}
	raw, err := d.Raw(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range d.Type.Members {
		if f.Type.Class != hdf5.Array || len(f.Type.Dims) != 1 || !f.Type.Of.Number() {
			continue
		}
		m := &h5Matrix{name: prefix + f.Name, rows: d.Shape[0], cols: f.Type.Dims[0], held: []float64{}}
		if err := in.o.guard(in.path, m.rows, 2*m.cols); err != nil {
			return nil, err
		}
		for row := range int(m.rows) {
			values, err := f.Type.Of.Floats(raw[row*d.Type.Size+f.At:][:f.Type.Size])
			if err != nil {
				return nil, err
			}
			m.held = append(m.held, values...)
		}
		out = append(out, m)
	}
	return out, nil
}

// h5Value is how a numeric type is decoded.
func h5Value(t *hdf5.Type) value {
	v := value{order: littleEndian(t.Size)}
	if t.Big {
		v.order = bigEndian(t.Size)
	}
	switch {
	case t.Class == hdf5.Float:
	case t.Signed:
		v.kind = kindInt
	default:
		v.kind = kindUint
	}
	return v
}

// h5Dense reads a dense matrix by its blocks, on several cores.
type h5Dense struct {
	d       *hdf5.Dataset
	turned  bool // its rows are columns
	rows    picked
	cols    []int // ascending numbers of columns
	value   value
	meter   *meter
	strip   func(k, from, to int, src []byte, stride int, scratch []uint64, t *tally)
	mutex   sync.Mutex
	tallies []tally
}

// blocks decodes those that have a row which is read.
func (r *h5Dense) blocks(ctx context.Context) error {
	if r.turned {
		return r.d.Blocks(ctx, r.visitTurned)
	}
	from, to := r.rows.reach()
	return r.d.Among(ctx, from, to, r.visit)
}

// visit decodes a block, in tiles that stay in the first cache.
func (r *h5Dense) visit(b hdf5.Block) error {
	size := len(r.value.order)
	col, width, dim := int64(0), int64(1), int64(1)
	if len(b.At) == 2 {
		col, width, dim = b.At[1], b.Size[1], b.Dims[1]
	}
	stride := int(dim) * size
	first, _ := slices.BinarySearch(r.cols, int(col))
	end, _ := slices.BinarySearch(r.cols, int(col+width))
	tile := max(1, min(tileSize/stride, int(b.Size[0])))
	scratch := make([]uint64, tile)
	tallies := make([]tally, end-first)
	place, last := r.rows.places(b.At[0], int(b.Size[0]))
	for place < last {
		from, runs := int(r.rows.row(place)-b.At[0]), min(tile, last-place)
		if r.rows.list != nil { // runs of one row
			runs = 1
		}
		for k := first; k < end; k++ {
			src := b.Data[from*stride+(r.cols[k]-int(col))*size:]
			r.strip(k, place, place+runs, src, stride, scratch, &tallies[k-first])
		}
		place += runs
	}
	r.mutex.Lock()
	for k := range tallies {
		r.tallies[first+k].add(tallies[k])
	}
	r.mutex.Unlock()
	r.meter.add(b.Size[0] * width * int64(size))
	return nil
}

// exact gives columns their values as float64, where float32 does not do.
func (r *h5Dense) exact(ctx context.Context, in *h5Input, columns []dataset.Column, n int) error {
	var which, cols []int
	for k := range columns {
		if t := r.tallies[k]; in.every && t.any() || t.coarse(columns[k].Values) {
			which, cols = append(which, k), append(cols, r.cols[k])
		}
	}
	if len(which) == 0 {
		return nil
	}
	if err := in.guardExact(n, len(columns), len(which)); err != nil {
		return err
	}
	fill := r.d.Type.Number64(r.d.Fill())
	values := make([][]float64, len(which))
	for k := range values {
		values[k] = make([]float64, n)
		for i := range values[k] {
			values[k][i] = fill
		}
	}
	again := &h5Dense{d: r.d, turned: r.turned, rows: r.rows, cols: cols, value: r.value,
		tallies: make([]tally, len(cols)), meter: newMeter(0, nil)}
	again.strip = func(k, from, to int, src []byte, stride int, scratch []uint64, _ *tally) {
		again.value.decodeExact(values[k][from:to], src, stride, scratch)
	}
	if err := again.blocks(ctx); err != nil {
		return err
	}
	for k, at := range which {
		columns[at].SetExact(values[k])
	}
	return nil
}
