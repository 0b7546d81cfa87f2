package knn

import "blossom/model/base/matrix"

// Cells are the points in groups of near ones. Who looks for neighbours in some of them is fast, and may miss some.
type Cells struct {
	Start   []int32   // cells + 1: where the members of each begin
	Members []int32   // points, rising within a cell; those with NaN or Inf are in none
	Probe   [][]int32 // for each cell those that its members look through: see Look
	of      []int32   // by point: its cell, or -1
	near    [][]int32 // for each cell all of them, the nearest first
}

// Len is the number of cells.
func (c *Cells) Len() int { return len(c.Start) - 1 }

// In returns the points in a cell.
func (c *Cells) In(cell int) []int32 { return c.Members[c.Start[cell]:c.Start[cell+1]] }

// Of returns the cell of a point, -1 for one with NaN or Inf.
func (c *Cells) Of(point int) int { return int(c.of[point]) }

// Block is rows of an answer that look through the same points.
type Block struct {
	Rows []int32
	Cell int // cell that they are in, -1: all points
}

// Blocks cuts the rows of the answer to q among x into blocks of size at most. They are to be read only.
func Blocks(x matrix.Matrix32, q Query, size int) []Block {
	first := 0
	cells := [][]int32{nil}
	if q.Cells != nil {
		cells = q.Cells.rows(q.Points)
	} else {
		first, cells[0] = -1, make([]int32, q.Rows(x.Rows))
		for r := range cells[0] {
			cells[0][r] = int32(r)
		}
	}
	count := 0
	for _, rows := range cells {
		count += (len(rows) + size - 1) / size
	}
	out := make([]Block, 0, count)
	for c, rows := range cells {
		for len(rows) > 0 {
			m := min(size, len(rows))
			out = append(out, Block{rows[:m:m], first + c})
			rows = rows[m:]
		}
	}
	return out
}

// rows are those of an answer about some points (nil: about all) by the cells that the points are in, rising; the last
// are those of invalid points.
func (c *Cells) rows(points []int32) [][]int32 {
	n := c.Len()
	out := make([][]int32, n+1)
	if points != nil {
		for r, p := range points {
			at := c.Of(int(p))
			if at < 0 {
				at = n
			}
			out[at] = append(out[at], int32(r))
		}
		return out
	}
	for i := range n {
		out[i] = c.In(i)
	}
	if len(c.Members) < len(c.of) {
		for p, cell := range c.of {
			if cell < 0 {
				out[n] = append(out[n], int32(p))
			}
		}
	}
	return out
}

// Candidates calls yield with the points that the block looks through, until it returns false.
func (b Block) Candidates(x matrix.Matrix32, q Query, yield func(point int32) bool) {
	if b.Cell < 0 {
		for p := range x.Rows {
			if !yield(int32(p)) {
				return
			}
		}
		return
	}
	if b.Cell == q.Cells.Len() {
		return
	}
	for _, c := range q.Cells.Probe[b.Cell] {
		for _, p := range q.Cells.In(int(c)) {
			if !yield(p) {
				return
			}
		}
	}
}
