package pyramid

import (
	"context"
	"iter"
	"math"
)

// Region is the cells of a level that lie in a box of the map.
type Region struct {
	Side       int // cells of a side of the level
	X, Y       int // place of the first cell
	Cols, Rows int
	Counts     []int32 // in rows from the least coordinates on; at most 2^31-1 each
}

// Span is which cells a picture shows.
type Span struct{ Side, X, Y, Cols, Rows int }

// Of are the cells in a box, on the finest level of which a cell is at least so large, in units of the map, or on the
// coarsest one. There are none where the box lies outside.
func (f Frame) Of(low, high [2]float64, least float64) Span {
	side := Side
	for side > Coarsest && f.Side/float64(side) < least {
		side /= 2
	}
	scale := float64(side) / f.Side
	from := func(x, at float64) int { return int(math.Floor(min(max((x-at)*scale, 0), float64(side)))) }
	to := func(x, at float64) int { return int(math.Ceil(min(max((x-at)*scale, 0), float64(side)))) }
	s := Span{Side: side, X: from(low[0], f.X), Y: from(low[1], f.Y)}
	s.Cols, s.Rows = to(high[0], f.X)-s.X, to(high[1], f.Y)-s.Y
	if s.Cols <= 0 || s.Rows <= 0 {
		return Span{Side: side}
	}
	return s
}

// Widened is the span with whole blocks of so many cells at its edges, as far as the level goes: a picture that moves a
// little goes on with what it has.
func (s Span) Widened(block int) Span {
	if s.Cols*s.Rows == 0 {
		return s
	}
	x, y := s.X/block*block, s.Y/block*block
	right, upper := min((s.X+s.Cols+block-1)/block*block, s.Side), min((s.Y+s.Rows+block-1)/block*block, s.Side)
	return Span{s.Side, x, y, right - x, upper - y}
}

// Read reads the tiles that a span has. The error is a Problem, or ctx's.
func (p *Pyramid) Read(ctx context.Context, s Span) (*Region, error) {
	r := &Region{s.Side, s.X, s.Y, s.Cols, s.Rows, make([]int32, s.Cols*s.Rows)}
	if s.Cols*s.Rows == 0 {
		return r, ctx.Err()
	}
	for tx, ty := range s.tiles() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		counts, err := p.Tile(s.Side, tx, ty)
		if err != nil {
			return nil, err
		}
		if counts != nil {
			r.put(counts, tx*TileSide, ty*TileSide)
		}
	}
	return r, nil
}

// tiles are the places of the tiles that a span has, in rows.
func (s Span) tiles() iter.Seq2[int, int] {
	return func(yield func(x, y int) bool) {
		if s.Cols*s.Rows == 0 {
			return
		}
		for ty := s.Y / TileSide; ty*TileSide < s.Y+s.Rows; ty++ {
			for tx := s.X / TileSide; tx*TileSide < s.X+s.Cols; tx++ {
				if !yield(tx, ty) {
					return
				}
			}
		}
	}
}

// put copies what the region has of a tile that begins at a cell.
func (r *Region) put(counts []uint64, x0, y0 int) {
	for y := max(y0, r.Y); y < min(y0+TileSide, r.Y+r.Rows); y++ {
		for x := max(x0, r.X); x < min(x0+TileSide, r.X+r.Cols); x++ {
			n := counts[(y-y0)*TileSide+x-x0]
			r.Counts[(y-r.Y)*r.Cols+x-r.X] = int32(min(n, math.MaxInt32))
		}
	}
}
