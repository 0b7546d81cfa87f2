package format

import (
	"bufio"
	"encoding/binary"
	"math"
	"os"

	"blossom/model/data/dataset"
)

// spool is the values of a table of text in a file of fixed rows, from which they are read by ranges: text can be read
// from its beginning only where it is packed, and takes ten times as long. The file has no name, so that nothing is
// left of it when the program ends.
type spool struct {
	file    *os.File
	w       *bufio.Writer
	offs    []int // where the value of each column begins in a row
	wide    []bool
	stride  int
	next    int         // the block that is written next
	present []int       // cells of each column that have a value
	sets    []*labelSet // the labels of all blocks; nil for numbers
	buf     []byte
	failed  error
}

// newSpool makes one in the folder for temporary files. The error is dataset.ErrWhole where there is none.
func newSpool() (*spool, error) {
	f, err := os.CreateTemp("", "blossom-*")
	if err != nil {
		return nil, dataset.ErrWhole
	}
	if err := os.Remove(f.Name()); err != nil { // the system does not remove a file that is in use
		f.Close()
		os.Remove(f.Name())
		return nil, dataset.ErrWhole
	}
	return &spool{file: f, w: bufio.NewWriterSize(f, 1<<20)}, nil
}

// begin begins anew, with a column for each of text, which says whether it is labels. Those of wide are kept as
// float64; nil: none is.
func (s *spool) begin(text, wide []bool) error {
	n := len(text)
	s.offs, s.wide, s.present, s.sets = make([]int, n), make([]bool, n), make([]int, n), make([]*labelSet, n)
	s.stride, s.next, s.failed = 0, 0, nil
	for j := range n {
		s.offs[j], s.wide[j] = s.stride, wide != nil && wide[j] && !text[j]
		if s.stride += 4; s.wide[j] {
			s.stride += 4
		}
		if text[j] {
			s.sets[j] = newLabelSet()
		}
	}
	if s.file.Truncate(0) != nil {
		return dataset.ErrWhole
	}
	if _, err := s.file.Seek(0, 0); err != nil {
		return dataset.ErrWhole
	}
	s.w.Reset(s.file)
	return nil
}

// follow writes the blocks that are next, as far as they are there, and takes their values from them. It says whether
// that went well.
func (s *spool) follow(blocks []*block) bool {
	for s.failed == nil && s.next < len(blocks) && blocks[s.next] != nil && blocks[s.next].err == nil {
		b := blocks[s.next]
		s.next++
		s.put(b)
		b.values, b.exact, b.labels = nil, nil, nil
	}
	return s.failed == nil
}

// spoolRows is how many rows are made ready at once to be written.
const spoolRows = 1 << 12

// put writes the rows of a block.
func (s *spool) put(b *block) {
	columns := make([][]float32, len(s.offs))
	for j := range s.offs {
		if columns[j] = b.column(j); s.sets[j] != nil {
			columns[j] = b.relabel(j, s.sets[j])
		}
	}
	for from := 0; from < b.rows; from += spoolRows {
		to := min(b.rows, from+spoolRows)
		s.buf = room(s.buf, (to-from)*s.stride)
		for j, off := range s.offs {
			for i, v := range columns[j][from:to] {
				if v == v {
					s.present[j]++
				}
				at := i*s.stride + off
				if s.wide[j] {
					binary.LittleEndian.PutUint64(s.buf[at:], math.Float64bits(b.exact[j][from+i]))
					continue
				}
				binary.LittleEndian.PutUint32(s.buf[at:], math.Float32bits(v))
			}
		}
		if _, err := s.w.Write(s.buf); err != nil {
			s.failed = dataset.ErrWhole // there is no room for it: memory may have some
			return
		}
	}
}

// table is the rows as fixed ones, of the first columns.
func (s *spool) table(columns int) (table, error) {
	if s.w.Flush() != nil {
		return table{}, dataset.ErrWhole
	}
	t := table{src: fileSource{s.file}, stride: s.stride, values: make([]value, columns)}
	for j := range t.values {
		t.values[j] = value{off: s.offs[j], kind: kindFloat, order: littleEndian(4)}
		if s.wide[j] {
			t.values[j].order = littleEndian(8)
		}
	}
	return t, nil
}
