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

// Blocks cuts the rows of the answer to q among x into blocks of size at most.
func Blocks(x matrix.Matrix32, q Query, size int) (out []Block) {
	n := q.Rows(x.Rows)
	cells := [][]int32{make([]int32, n)}
	if q.Cells != nil {
		cells = make([][]int32, q.Cells.Len()+1) // the last: invalid points
	}
	for r := range n {
		at := 0
		if q.Cells != nil {
			_, self := q.Row(x, r)
			if at = q.Cells.Of(self); at < 0 {
				at = q.Cells.Len()
			}
			cells[at] = append(cells[at], int32(r))
		} else {
			cells[0][r] = int32(r)
		}
	}
	for c, rows := range cells {
		cell := c
		if q.Cells == nil {
			cell = -1
		}
		for len(rows) > 0 {
			m := min(size, len(rows))
			out = append(out, Block{rows[:m:m], cell})
			rows = rows[m:]
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
