package run

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"slices"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
)

// Counted is what a training has to know of some of its points before it begins, which those of parts of the rows add
// up to that of all.
type Counted struct {
	Census train.Census // Totalled
	Rows   []int64      // the first row of each part, among all
	Firsts []float32    // their points, by which all rows are known to be those of the parts
	Seats  []int32      // which of the drawn rows are in X, ascending
	X      []float32    // their points, one after the other

	seats []int32 // drawn rows that may come yet, ascending
}

// counting begins to count points from a row on, of which those of some rows are kept.
func counting(first int64, drawn []uint32, d int) *Counted {
	c := &Counted{}
	c.Census.Totalled(d)
	for seat, row := range drawn {
		if int64(row) >= first {
			c.seats = append(c.seats, int32(seat))
		}
	}
	slices.SortFunc(c.seats, func(a, b int32) int { return cmp.Compare(drawn[a], drawn[b]) })
	return c
}

// Count counts the points that EachRange makes, of which the first is the row first of all, and keeps those that are
// drawn: numbers of rows among all, each once.
func (p *Points) Count(ctx context.Context, first int64, drawn []uint32, progress func(done, total int64)) (*Counted,
	error) {
	out := counting(first, drawn, p.Table.X.Cols)
	err := p.EachRange(ctx, false, func(of *Points) error {
		if out.take(of.Table.X, first, drawn); progress != nil {
			progress(int64(out.Census.Rows), int64(p.Data.Points))
		}
		return nil
	})
	out.sort(p.Table.X.Cols)
	return out, err
}

// CountOf is Count of points in memory, in the order of the rows.
func (p *Points) CountOf(first int64, drawn []uint32) *Counted {
	out := counting(first, drawn, p.Table.X.Cols)
	out.take(p.Table.X, first, drawn)
	out.sort(p.Table.X.Cols)
	return out
}

// take takes the next points.
func (c *Counted) take(x matrix.Matrix32, first int64, drawn []uint32) {
	from := first + int64(c.Census.Rows)
	c.Census.Add(x)
	if c.Rows == nil && x.Rows > 0 {
		c.Rows, c.Firsts = []int64{from}, slices.Clone(x.Row(0))
	}
	for ; len(c.seats) > 0; c.seats = c.seats[1:] {
		i := int64(drawn[c.seats[0]]) - from
		if i >= int64(x.Rows) {
			break
		}
		c.Seats, c.X = append(c.Seats, c.seats[0]), append(c.X, x.Row(int(i))...)
	}
}

// sort brings the points into the order of their seats.
func (c *Counted) sort(d int) {
	order := make([]int, len(c.Seats))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(c.Seats[a], c.Seats[b]) })
	seats, x := make([]int32, 0, len(c.Seats)), make([]float32, 0, len(c.X))
	for _, i := range order {
		seats, x = append(seats, c.Seats[i]), append(x, c.X[i*d:(i+1)*d]...)
	}
	c.Seats, c.X = seats, x
}

// Merge adds what was counted of later rows. False: that is of other columns, and nothing was added.
func (c *Counted) Merge(o *Counted) bool {
	d := len(o.Census.Largest)
	if c.Census.Largest != nil && len(c.Census.Largest) != d || !c.Census.Merge(&o.Census) {
		return false
	}
	c.Rows, c.Firsts = append(c.Rows, o.Rows...), append(c.Firsts, o.Firsts...)
	c.Seats, c.X = append(c.Seats, o.Seats...), append(c.X, o.X...)
	c.sort(d)
	return true
}

const (
	countedMark = "blossom counted 1\n"
	mostColumns = 1 << 20
)

// Write writes what was counted.
func (c *Counted) Write(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(countedMark)
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) } // into memory
	put([]uint64{uint64(len(c.Census.Largest)), uint64(c.Census.Rows), uint64(c.Census.Valid), uint64(len(c.Rows)),
		uint64(len(c.Seats))})
	put(c.Census.Largest)
	for j := range c.Census.Largest {
		sum := c.Census.Sum(j)
		put(sum[:])
	}
	put(c.Rows)
	put(c.Firsts)
	put(c.Seats)
	put(c.X)
	_, err := w.Write(b.Bytes())
	return err
}

// ReadCounted reads what Write has written, of a file of so many bytes.
func ReadCounted(r io.Reader, size int64) (*Counted, error) {
	bad := errors.New("is damaged")
	mark, head := make([]byte, len(countedMark)), make([]uint64, 5)
	if _, err := io.ReadFull(r, mark); err != nil || string(mark) != countedMark {
		return nil, bad
	}
	get := func(v any) error { return binary.Read(r, binary.LittleEndian, v) }
	if get(head) != nil || head[0] > mostColumns || head[1] > math.MaxInt64 || head[2] > head[1] ||
		head[3] > math.MaxInt32 || head[4] > math.MaxInt32 {
		return nil, bad
	}
	d, begin, seats := int64(head[0]), int64(head[3]), int64(head[4])
	if int64(len(countedMark))+40+d*44+begin*(8+4*d)+seats*4*(1+d) != size {
		return nil, bad
	}
	c := &Counted{Rows: make([]int64, begin), Firsts: make([]float32, begin*d), Seats: make([]int32, seats),
		X: make([]float32, seats*d)}
	c.Census = train.Census{Rows: int(head[1]), Valid: int(head[2]), Largest: make([]float32, d)}
	sums := make([]exact.Sum, d)
	if err := errors.Join(get(c.Census.Largest), get(sums), get(c.Rows), get(c.Firsts), get(c.Seats),
		get(c.X)); err != nil {
		return nil, bad
	}
	c.Census.Summed(sums)
	return c, nil
}
