package dataset

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"math"
	"reflect"
)

// A file of what is told of a table has a mark, the length of its head, the head as JSON, and numbers, the least
// significant byte first: moments, samples, the rows whose values are told, and last these.
const (
	surveyedMark = "blossom surveyed 1\n"
	mostHead     = 1 << 28 // bytes
)

// surveyedHead is what is no number of many.
type surveyedHead struct {
	Table   surveyedTable `json:"table"`
	First   int           `json:"first"`
	All     int           `json:"all"`
	Kept    []bool        `json:"kept"`
	Far     []bool        `json:"far,omitempty"`
	Labels  [][]float64   `json:"labels"`
	Samples []int         `json:"samples,omitempty"` // how many values the sample of each column has
	Rows    int           `json:"rows"`              // so many are told
}

// surveyedTable is what a table of one file says. One that says more is not told of.
type surveyedTable struct {
	Name, Format          string
	Cells, Headed, Unsure bool
	Points, Total         int
	Columns               []Column
	Metadata              map[string]string
	Unread                []Unread
	Matrices              []Matrix
	Warnings              []string
	Reading, Found        Reading
	Spillover             *Spillover
}

// table is the table that says so.
func (t *surveyedTable) table() *Dataset {
	return &Dataset{Name: t.Name, Format: t.Format, Cells: t.Cells, Headed: t.Headed, Unsure: t.Unsure,
		Points: t.Points, Total: t.Total, Columns: t.Columns, Metadata: t.Metadata, Unread: t.Unread,
		Matrices: t.Matrices, Warnings: t.Warnings, Reading: t.Reading, Found: t.Found, Spillover: t.Spillover}
}

// head is what a file has of it before the numbers.
func (s *Surveyed) head() surveyedHead {
	t := s.table
	h := surveyedHead{First: s.first, All: s.all, Kept: s.kept, Far: s.far, Labels: s.labels, Rows: len(s.rows)}
	h.Table = surveyedTable{Name: t.Name, Format: t.Format, Cells: t.Cells, Headed: t.Headed, Unsure: t.Unsure,
		Points: t.Points, Total: t.Total, Columns: t.Columns, Metadata: t.Metadata, Unread: t.Unread,
		Matrices: t.Matrices, Warnings: t.Warnings, Reading: t.Reading, Found: t.Found, Spillover: t.Spillover}
	for _, v := range s.samples {
		h.Samples = append(h.Samples, len(v))
	}
	return h
}

// Write writes what is told. The error is ErrWhole where a table says what the file cannot hold.
func (s *Surveyed) Write(w io.Writer) error {
	h := s.head()
	text, err := json.Marshal(h)
	if err != nil || len(text) > mostHead {
		return ErrWhole
	}
	var again surveyedHead
	if json.Unmarshal(text, &again) != nil || !reflect.DeepEqual(h, again) ||
		!reflect.DeepEqual(again.Table.table(), s.table) {
		return ErrWhole // there is more, or a name that is no text
	}
	b := binary.LittleEndian.AppendUint64([]byte(surveyedMark), uint64(len(text)))
	b = append(b, text...)
	for k := range s.rounded {
		for j, kept := range s.kept {
			if b = s.rounded[k][j].append(b); kept {
				b = s.exact[k][j].append(b)
			}
		}
	}
	for _, sample := range s.samples {
		for _, x := range sample {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	for _, row := range s.rows {
		b = binary.LittleEndian.AppendUint32(b, uint32(row))
	}
	_, err = w.Write(s.append(b))
	return err
}

const momentsSize = 48

func (m *moments) append(b []byte) []byte {
	for _, x := range []uint64{uint64(m.count), uint64(m.invalid), math.Float64bits(m.min), math.Float64bits(m.max),
		math.Float64bits(m.mean), math.Float64bits(m.m2)} {
		b = binary.LittleEndian.AppendUint64(b, x)
	}
	return b
}

// numbers takes numbers from the beginning of bytes.
type numbers []byte

func (n *numbers) word() uint64 {
	x := binary.LittleEndian.Uint64(*n)
	*n = (*n)[8:]
	return x
}

func (n *numbers) float() float64 { return math.Float64frombits(n.word()) }

// of says whether they may be those of a column in a unit: each of its rows is counted once.
func (m *moments) of(u unit) bool {
	return m.count >= 0 && m.invalid >= 0 && m.count <= u.to-u.from && m.invalid == u.to-u.from-m.count
}

func (n *numbers) moments() moments {
	return moments{int(n.word()), int(n.word()), n.float(), n.float(), n.float(), n.float()}
}

// errSurveyed is the error of a file that Write has not written.
var errSurveyed = errors.New("is damaged")

// ReadSurveyed reads what Write has written, size bytes of a file from base on. The values of rows stay there, and are
// read when they are asked for.
func ReadSurveyed(file io.ReaderAt, base, size int64) (*Surveyed, error) {
	begin := make([]byte, len(surveyedMark)+8)
	if size < int64(len(begin)) {
		return nil, errSurveyed
	}
	if n, _ := file.ReadAt(begin, base); n < len(begin) || string(begin[:len(surveyedMark)]) != surveyedMark {
		return nil, errSurveyed
	}
	length := binary.LittleEndian.Uint64(begin[len(surveyedMark):])
	if length > mostHead || int64(length) > size-int64(len(begin)) {
		return nil, errSurveyed
	}
	text := make([]byte, length)
	if n, _ := file.ReadAt(text, base+int64(len(begin))); n < len(text) {
		return nil, errSurveyed
	}
	var h surveyedHead
	if json.Unmarshal(text, &h) != nil || !h.sound() {
		return nil, errSurveyed
	}
	s := &Surveyed{table: h.Table.table(), first: h.First, all: h.All, kept: h.Kept, far: h.Far, labels: h.Labels}
	at := int64(len(begin)) + int64(length)
	many := h.numbers()
	if rest := size - at - many; rest < 0 || rest != int64(h.Rows)*int64(widthOf(h.Kept)) {
		return nil, errSurveyed
	}
	words := make(numbers, many)
	if n, _ := file.ReadAt(words, base+at); n < len(words) {
		return nil, errSurveyed
	}
	s.at = &toldValues{file, base + at + many}
	return s, s.take(words, &h)
}

// sound says whether a head makes sense by itself.
func (h *surveyedHead) sound() bool {
	if h.First < 0 || h.Table.Points < 0 || !Surveyable(int64(h.All)) ||
		h.Table.Points > h.All-h.First || len(h.Kept) != len(h.Table.Columns) ||
		len(h.Labels) != len(h.Kept) || h.Rows < 0 ||
		h.Rows > h.Table.Points {
		return false
	}
	if h.Table.Points == h.All {
		for _, n := range h.Samples {
			if n < 0 || n > rankSample {
				return false
			}
		}
		return len(h.Samples) == len(h.Kept) && len(h.Far) == len(h.Kept)
	}
	return h.Samples == nil && h.Far == nil
}

// numbers is how many bytes of numbers there are before the values.
func (h *surveyedHead) numbers() int64 {
	n := 4 * int64(h.Rows)
	if h.Table.Points != h.All {
		each := 0
		for _, kept := range h.Kept {
			if each += momentsSize; kept {
				each += momentsSize
			}
		}
		n += int64(len(unitsOf(h.First, h.Table.Points, h.All))) * int64(each)
	}
	for _, k := range h.Samples {
		n += 8 * int64(k)
	}
	return n
}

// take takes the numbers, which are as many as the head says.
func (s *Surveyed) take(words numbers, h *surveyedHead) error {
	if !s.alone() {
		for _, u := range unitsOf(s.first, s.table.Points, s.all) {
			rounded, exact := make([]moments, len(s.kept)), make([]moments, len(s.kept))
			for j, kept := range s.kept {
				if rounded[j] = words.moments(); kept {
					exact[j] = words.moments()
				}
				if !rounded[j].of(u) || kept && !exact[j].of(u) {
					return errSurveyed
				}
			}
			s.rounded, s.exact = append(s.rounded, rounded), append(s.exact, exact)
		}
	}
	for _, n := range h.Samples {
		sample := make([]float64, n)
		for i := range sample {
			sample[i] = words.float()
		}
		s.samples = append(s.samples, sample)
	}
	for ; len(words) > 0; words = words[4:] {
		row := int(binary.LittleEndian.Uint32(words))
		if n := len(s.rows); row >= s.table.Points || n > 0 && row <= s.rows[n-1] {
			return errSurveyed
		}
		s.rows = append(s.rows, row)
	}
	return nil
}
