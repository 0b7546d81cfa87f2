package format

import (
	"archive/zip"
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// sparse is a matrix as scipy.sparse.save_npz writes it, by rows (csr), by columns (csc) or by single values (coo):
// members data, format, shape, and indices with indptr, or row with col. It is read as the full table that it
// stands for.
type sparse struct {
	format     string
	rows, cols int64
	data       npzEntry
	// major says where each row (csr) or column (csc) begins, with the end of the last; of coo: the row of each value.
	major npzEntry
	minor npzEntry // the column (csr, coo) or row (csc) of each value
}

// findSparse returns nil where the archive is no sparse matrix. The error is a Problem of one that cannot be read.
func findSparse(in *input, z *zip.Reader) (*sparse, error) {
	files := map[string]*zip.File{}
	for _, f := range z.File {
		files[strings.TrimSuffix(f.Name, ".npy")] = f
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { return files[name] == nil })
	}
	if !has("data", "format", "shape") || !has("indices", "indptr") && !has("row", "col") && !has("offsets") {
		return nil, nil
	}
	entries := map[string]npzEntry{}
	for name, f := range files {
		a, err := npzHeader(f)
		if err != nil {
			return nil, in.problem(copyAgain, "array %q cannot be read (%s)", name, reason(err))
		}
		entries[name] = npzEntry{a, name, f}
	}
	s := &sparse{data: entries["data"]}
	word, err := entries["format"].raw(in, 64)
	if err != nil {
		return nil, err
	}
	s.format = string(entries["format"].npyArray.decode(word))
	switch s.format {
	case "csr", "csc":
		s.major, s.minor = entries["indptr"], entries["indices"]
	case "coo":
		s.major, s.minor = entries["row"], entries["col"]
	default:
		return nil, in.problem("save m.tocsr() with scipy.sparse.save_npz, or m.toarray() with numpy.save",
			"holds a sparse matrix of SciPy of the kind %q; csr, csc and coo can be read", s.format)
	}
	shape, err := entries["shape"].numbers(in, 2)
	if err != nil {
		return nil, err
	}
	damaged := func(what string, args ...any) error {
		return in.problem(copyAgain, "is a damaged sparse matrix of SciPy: "+what, args...)
	}
	if len(shape) != 2 || !(shape[0] >= 0 && shape[1] > 0 && shape[0] < 1<<53 && shape[1] < 1<<53) {
		return nil, damaged("its shape makes no sense")
	}
	s.rows, s.cols = int64(shape[0]), int64(shape[1])
	n := s.count()
	if s.data.file == nil || len(s.data.shape) != 1 || s.major.file == nil || s.minor.file == nil ||
		len(s.minor.shape) != 1 || len(s.major.shape) != 1 || s.minor.shape[0] != n || s.data.text || s.major.text ||
		s.minor.text {
		return nil, damaged("its arrays do not fit together")
	}
	want := map[string]int64{"csr": s.rows + 1, "csc": s.cols + 1, "coo": n}[s.format]
	if s.major.shape[0] != want {
		return nil, damaged("%q has %s entries where %s are due", s.major.name, thousands(s.major.shape[0]),
			thousands(want))
	}
	return s, nil
}

// count is how many values are stored.
func (s *sparse) count() int64 {
	if len(s.data.shape) == 0 {
		return 0
	}
	return s.data.shape[0]
}

// raw reads the values of a small entry, at most so many bytes.
func (e npzEntry) raw(in *input, most int64) ([]byte, error) {
	if e.file == nil || e.size() > most {
		return nil, in.problem(copyAgain, "is a damaged sparse matrix of SciPy: array %q makes no sense", e.name)
	}
	r, err := e.open(in)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, e.problem(in, err)
	}
	return b[min(int64(len(b)), e.data):], nil
}

// numbers reads a small entry of at most n numbers.
func (e npzEntry) numbers(in *input, n int64) ([]float64, error) {
	b, err := e.raw(in, 8*n)
	if err != nil || e.text {
		return nil, err
	}
	out := make([]float64, len(b)/max(1, e.width))
	for i := range out {
		out[i] = e.number(b[i*e.width:])
	}
	return out, nil
}

// number decodes the value at the start of b.
func (a *npyArray) number(b []byte) float64 {
	var bits uint64
	for i, shift := range a.value.order {
		bits |= uint64(b[i]) << shift
	}
	switch a.value.kind {
	case kindUint:
		return float64(bits)
	case kindInt:
		unused := 64 - 8*len(a.value.order)
		return float64(int64(bits<<unused) >> unused)
	}
	switch len(a.value.order) {
	case 2:
		return float64(frame.Half(uint16(bits)))
	case 4:
		return float64(math.Float32frombits(uint32(bits)))
	}
	return math.Float64frombits(bits)
}

// stream reads the numbers of an entry one by one.
type sparseStream struct {
	e    npzEntry
	r    io.ReadCloser
	b    *bufio.Reader
	cell []byte
}

func (e npzEntry) stream(in *input) (*sparseStream, error) {
	r, err := e.open(in)
	if err != nil {
		return nil, err
	}
	s := &sparseStream{e: e, r: r, b: bufio.NewReaderSize(r, 1<<16), cell: make([]byte, e.width)}
	if _, err := io.CopyN(io.Discard, s.b, e.data); err != nil {
		r.Close()
		return nil, e.problem(in, err)
	}
	return s, nil
}

func (s *sparseStream) next() (float64, error) {
	if _, err := io.ReadFull(s.b, s.cell); err != nil {
		return 0, err
	}
	return s.e.number(s.cell), nil
}

// read makes the full table. Values that are stored twice add up, as in SciPy.
func (s *sparse) read(ctx context.Context, in *input) (*dataset.Dataset, error) {
	chosen, n, err := in.rows(s.rows, int(min(s.cols, maxColumns+1)))
	if err != nil {
		return nil, err
	}
	values := make([][]float32, s.cols)
	for j := range values {
		values[j] = make([]float32, n)
	}
	var streams [3]*sparseStream // values, minor, major
	for i, e := range []npzEntry{s.data, s.minor, s.major} {
		if streams[i], err = e.stream(in); err != nil {
			return nil, err
		}
		defer streams[i].r.Close()
	}
	if err := s.fill(ctx, in, streams, chosen, values); err != nil {
		return nil, err
	}
	for i, e := range []npzEntry{s.data, s.minor, s.major} {
		if err := e.end(in, streams[i].b); err != nil {
			return nil, err
		}
	}
	columns := make([]dataset.Column, s.cols)
	for j := range columns {
		columns[j] = dataset.Column{Name: dataset.DefaultName(j), Values: values[j]}
	}
	return in.finish(ctx, columns, s.rows,
		[]string{fmt.Sprintf("a sparse matrix of SciPy (%s), read as a table: %s of "+
			"%s values are stored, the others are 0", s.format, thousands(s.count()), thousands(s.rows*s.cols))})
}

// fill puts the stored values where they belong.
func (s *sparse) fill(ctx context.Context, in *input, streams [3]*sparseStream, chosen []int64,
	values [][]float32) error {
	damaged := in.problem(copyAgain, "is a damaged sparse matrix of SciPy: its indices make no sense")
	meter := newMeter(s.count()*int64(s.data.width), in.o.Progress)
	lines, others := s.rows, s.cols // lengths of major and of minor
	if s.format == "csc" {
		lines, others = s.cols, s.rows
	}
	where := sparseLines{in: in, s: s, from: streams[2], damaged: damaged, lines: lines, at: -1}
	if err := where.begin(); err != nil {
		return err
	}
	for k := range s.count() {
		if k&0xffff == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			meter.add(min(0x10000, s.count()-k) * int64(s.data.width))
		}
		line, err := where.line(k)
		if err != nil {
			return err
		}
		m, err := streams[1].next()
		if err != nil {
			return s.minor.problem(in, err)
		}
		v, err := streams[0].next()
		if err != nil {
			return s.data.problem(in, err)
		}
		other := index(m, others)
		if line < 0 || line >= lines || other < 0 {
			return damaged
		}
		row, col := line, other
		if s.format == "csc" {
			row, col = other, line
		}
		if chosen != nil {
			at, ok := slices.BinarySearch(chosen, row)
			if !ok {
				continue
			}
			row = int64(at)
		}
		values[col][row] += float32(v)
	}
	return where.end()
}

// sparseLines tells the row (of csc: column) of each stored value in turn.
type sparseLines struct {
	in      *input
	s       *sparse
	from    *sparseStream // the line of each value (coo), else where each line ends among the values
	damaged error
	lines   int64 // how many there are
	at      int64
	until   float64 // the value at which line at ends
}

// begin reads where the first line begins: at the first value.
func (l *sparseLines) begin() error {
	if l.s.format == "coo" {
		return nil
	}
	if first, err := l.from.next(); err != nil || first != 0 {
		return l.damaged
	}
	return nil
}

// line returns the line of value k; the caller checks that there is such a line.
func (l *sparseLines) line(k int64) (int64, error) {
	if l.s.format == "coo" {
		m, err := l.from.next()
		if err != nil {
			return 0, l.s.major.problem(l.in, err)
		}
		return index(m, l.lines), nil
	}
	for float64(k) >= l.until {
		if l.next() != nil {
			return 0, l.damaged
		}
	}
	return l.at, nil
}

// next goes on to the next line.
func (l *sparseLines) next() error {
	e, err := l.from.next()
	if err == io.EOF {
		return err
	}
	if err != nil || e < l.until {
		return l.damaged
	}
	l.at, l.until = l.at+1, e
	return nil
}

// end passes the lines without a value at the end, and checks that there is nothing behind them.
func (l *sparseLines) end() error {
	if l.s.format == "coo" {
		return nil
	}
	for {
		err := l.next()
		if err == io.EOF && l.until == float64(l.s.count()) {
			return nil
		}
		if err != nil {
			return l.damaged
		}
	}
}

// index returns x as one of n indices, or -1.
func index(x float64, n int64) int64 {
	if !(x >= 0 && x < float64(n)) || x != math.Trunc(x) {
		return -1
	}
	return int64(x)
}
