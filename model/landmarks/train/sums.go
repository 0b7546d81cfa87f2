package train

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
)

// Sums are what an epoch of a training by passes takes of its points, or of some of them: by their nearest landmarks,
// without rounding. Those of parts of the points merge to those of all, in any order, to the last bit.
type Sums struct {
	Rows   int64       // points, also those without a landmark as they have NaN or Inf
	Counts []int64     // g
	sums   []exact.Sum // g x d
	strays Strays
}

// Valid is how many points are in the sums.
func (s *Sums) Valid() int64 { return total(s.Counts) }

// Merge adds the sums of other points. False: they are of other landmarks, and nothing was added.
func (s *Sums) Merge(o *Sums) bool {
	if s.Counts == nil && s.Rows == 0 {
		s.Counts, s.sums = make([]int64, len(o.Counts)), make([]exact.Sum, len(o.sums))
	}
	if len(s.Counts) != len(o.Counts) || len(s.sums) != len(o.sums) {
		return false
	}
	s.Rows += o.Rows
	for i, n := range o.Counts {
		s.Counts[i] += n
	}
	for i := range o.sums {
		s.sums[i].Merge(&o.sums[i])
	}
	s.strays.merge(&o.strays)
	return true
}

// Columns are the sums of the columns of all points, whatever their landmarks.
func (s *Sums) Columns() []exact.Sum {
	out := make([]exact.Sum, len(s.sums)/max(1, len(s.Counts)))
	for i := range s.sums {
		out[i%len(out)].Merge(&s.sums[i])
	}
	return out
}

// The bytes of sums: these, rows, landmarks and columns, then of each landmark its count, and its sums if it has any,
// then strays.
const sumsMagic = "blossom sums 1\n"

// Write writes the sums for ReadSums: the same bytes for the same sums.
func (s *Sums) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	d := len(s.sums) / max(1, len(s.Counts))
	line := binary.LittleEndian.AppendUint64([]byte(sumsMagic), uint64(s.Rows))
	line = binary.LittleEndian.AppendUint32(line, uint32(len(s.Counts)))
	line = binary.LittleEndian.AppendUint32(line, uint32(d))
	for c, n := range s.Counts {
		line = binary.LittleEndian.AppendUint64(line, uint64(n))
		for i := c * d; n > 0 && i < c*d+d; i++ {
			line = s.sums[i].Append(line)
		}
		b.Write(line)
		line = line[:0]
	}
	b.Write(line)
	if err := s.strays.write(b); err != nil {
		return err
	}
	return b.Flush()
}

// errSums is the error of bytes that are no sums.
var errSums = errors.New("these are no sums of a training")

// ReadSums reads what Write has written of sums of g landmarks of d columns, to the end.
func ReadSums(r io.Reader, g, d int) (*Sums, error) {
	in := bufio.NewReader(r)
	head := make([]byte, len(sumsMagic)+16)
	if _, err := io.ReadFull(in, head); err != nil || string(head[:len(sumsMagic)]) != sumsMagic {
		return nil, errSums
	}
	rest := head[len(sumsMagic):]
	s := &Sums{Rows: int64(binary.LittleEndian.Uint64(rest)), Counts: make([]int64, g), sums: make([]exact.Sum, g*d)}
	if s.Rows < 0 || int64(binary.LittleEndian.Uint32(rest[8:])) != int64(g) ||
		int64(binary.LittleEndian.Uint32(rest[12:])) != int64(d) {
		return nil, errSums
	}
	for c := range g {
		if _, err := io.ReadFull(in, rest[:8]); err != nil {
			return nil, errSums
		}
		n := int64(binary.LittleEndian.Uint64(rest))
		if n < 0 || n > s.Rows {
			return nil, errSums
		}
		s.Counts[c] = n
		for i := c * d; n > 0 && i < c*d+d; i++ {
			var err error
			if s.sums[i], err = exact.ReadSum(in); err != nil {
				return nil, errSums
			}
		}
	}
	var err error
	if s.strays, err = readStrays(in, d); err != nil {
		return nil, err
	}
	if _, err := in.ReadByte(); err != io.EOF || s.Valid() > s.Rows {
		return nil, errSums
	}
	return s, nil
}

// Summing makes the Sums of points that go by, some at a time, for landmarks that stay where they are. It is used from
// one goroutine.
type Summing struct {
	batch  *batch
	salt   uint64
	strays *Strays // nil: nobody asks for any
}

// NewSumming begins with no points. largest are the largest magnitudes of the columns of all points of the training, as
// a Census has them: they say in which arithmetic the nearest landmarks are found.
func NewSumming(codebook matrix.Matrix32, largest []float32) (*Summing, error) {
	in := Input{X: matrix.Matrix32{Cols: len(largest)}, Codebook: codebook, Pos: matrix.New(codebook.Rows, 2)}
	b, err := newBatch(in, nil, &batch{limit: paramEpochs})
	if err != nil {
		return nil, err
	}
	b.span, b.largest = span{all: math.MaxInt, valid: 1}, largest // the epoch does not end here
	return &Summing{batch: b}, nil
}

// Straying has Strays drawn, too, by a salt of Passes. pinned says which landmarks stay; nil: none does.
func (s *Summing) Straying(salt uint64, pinned []bool) {
	s.salt, s.strays, s.batch.pinned = salt, &Strays{}, pinned
}

// Take adds points. by finds the nearest landmarks of these alone, numbered from 0, and sum sums them, where no strays
// are drawn; nil: the trainer does. After an error the sums are of no use.
func (s *Summing) Take(ctx context.Context, x matrix.Matrix32, by Searcher, sum Summer) error {
	b := s.batch
	if s.strays != nil { // which look at the landmarks of each point
		sum = nil
	}
	b.points.Matrix32, b.span.from, b.searcher, b.summer = x, b.sums.cursor, by, sum
	for b.sums.cursor < b.span.from+x.Rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := b.visit(ctx, x.Rows); err != nil {
			return err
		}
		if err := s.stray(ctx); err != nil {
			return err
		}
		b.sums.cursor = b.sums.summed
	}
	return nil
}

// stray draws from the points that were visited last.
func (s *Summing) stray(ctx context.Context) error {
	if s.strays == nil {
		return nil
	}
	b := s.batch
	from, to := b.sums.cursor-b.span.from, b.sums.summed-b.span.from
	some := b.points
	some.Data, some.Rows = some.Data[from*some.Cols:to*some.Cols], to-from
	return s.strays.look(ctx, &some, b.sums.bmu[:to-from], &b.landmarks, s.salt)
}

// Sums are those of the points so far.
func (s *Summing) Sums() *Sums {
	b := s.batch
	out := &Sums{Rows: int64(b.sums.cursor), Counts: append([]int64{}, b.sums.counts...),
		sums: make([]exact.Sum, len(b.sums.total))}
	if s.strays != nil {
		out.strays.merge(s.strays)
	}
	if b.sums.exact == nil {
		return out
	}
	b.carry(nil)
	for i := range out.sums {
		out.sums[i] = *b.sums.exact.Sum(i/b.code.Cols, i%b.code.Cols)
	}
	return out
}
