package pyramid

import "context"

// Middle is the box of the map that most of the points lie in: all of them but a share on each side of each axis, to a
// cell of the coarsest level. ok is false where there are no points. The error is a Problem, or ctx's.
func (p *Pyramid) Middle(ctx context.Context, share float64) (low, high [2]float64, ok bool, err error) {
	r, err := p.Read(ctx, Span{Side: Coarsest, Cols: Coarsest, Rows: Coarsest})
	if err != nil {
		return low, high, false, err
	}
	var along [2][Coarsest]int64 // points in columns, and in rows
	total := int64(0)
	for i, n := range r.Counts {
		along[0][i%Coarsest] += int64(n)
		along[1][i/Coarsest] += int64(n)
		total += int64(n)
	}
	if total == 0 {
		return low, high, false, nil
	}
	cut, cell := int64(share*float64(total)+0.5), p.Frame.Side/Coarsest
	for axis, from := range [2]float64{p.Frame.X, p.Frame.Y} {
		first, last := 0, Coarsest-1
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
