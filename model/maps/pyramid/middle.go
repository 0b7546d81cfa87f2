package pyramid

import "context"

// middleSide is how many cells a side of the level has that the middle is found on: a cell is about a pixel of a
// picture of all.
const middleSide = 1024

// Middle is the box of the map that most of the points lie in that were counted: all of them but a share beyond either
// end of each axis, to a cell. ok is false where there are no points. The error is a Problem, or ctx's.
func (p *Pyramid) Middle(ctx context.Context, share float64) (low, high [2]float64, ok bool, err error) {
	r, err := p.Read(ctx, Span{Side: middleSide, Cols: middleSide, Rows: middleSide})
	if err != nil {
		return low, high, false, err
	}
	var along [2][middleSide]int64 // points in columns, and in rows
	total := int64(0)
	for i, n := range r.Counts {
		along[0][i%middleSide] += int64(n)
		along[1][i/middleSide] += int64(n)
		total += int64(n)
	}
	if total == 0 {
		return low, high, false, nil
	}
	cut, cell := int64(share*float64(total)+0.5), p.Frame.Side/middleSide
	for axis, from := range [2]float64{p.Frame.X, p.Frame.Y} {
		first, last := 0, middleSide-1
		for seen := along[axis][first]; seen <= cut && first < last; first++ {
			seen += along[axis][first+1]
		}
		for seen := along[axis][last]; seen <= cut && last > first; last-- {
			seen += along[axis][last-1]
		}
		low[axis], high[axis] = from+float64(first)*cell, from+float64(last+1)*cell
	}
	return low, high, true, nil
}
