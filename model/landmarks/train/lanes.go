package train

import (
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// laneCount landmarks lie side by side, so that one instruction works on several of them.
const laneCount = 16

// lanes is a codebook in blocks of laneCount landmarks: within a block, dimension by dimension. Every
// landmark's arithmetic is done in its own lane in the order of dimensions, so the results are the
// same bits with vector instructions and without. Landmarks that fill up the last block are zero.
type lanes struct {
	wide bool // online training leaves them, and trains the codebook itself, in float64
	g, d int
	c    []float32 // blocks x d x laneCount
}

// load copies code.
func (l *lanes) load(code matrix.Matrix32) {
	blocks := (code.Rows + laneCount - 1) / laneCount
	l.g, l.d = code.Rows, code.Cols
	if n := blocks * l.d * laneCount; len(l.c) != n {
		l.c = make([]float32, n)
	}
	clear(l.c)
	for i := range code.Rows {
		at := l.c[i/laneCount*l.d*laneCount+i%laneCount:]
		for j, v := range code.Row(i) {
			at[j*laneCount] = v
		}
	}
}

// store copies into code all rows for which keep is not set.
func (l *lanes) store(code matrix.Matrix32, keep []bool) {
	for i := range code.Rows {
		if keep != nil && keep[i] {
			continue
		}
		at := l.c[i/laneCount*l.d*laneCount+i%laneCount:]
		row := code.Row(i)
		for j := range row {
			row[j] = at[j*laneCount]
		}
	}
}

// block returns the numbers of landmarks b*laneCount and following.
func (l *lanes) block(b int) []float32 {
	return l.c[b*l.d*laneCount : (b+1)*l.d*laneCount]
}

// nearest returns the landmark nearest to x, ties to the lower index. There is at least one landmark
// and one dimension.
func (l *lanes) nearest(x []float32) int {
	var d2 [laneCount]float32
	best, at := float32(math.Inf(1)), 0
	for b := 0; b*laneCount < l.g; b++ {
		if distances(l.block(b), x, &d2) >= best {
			continue
		}
		for i, s := range d2[:min(laneCount, l.g-b*laneCount)] {
			if s < best {
				best, at = s, b*laneCount+i
			}
		}
	}
	return at
}

// winner returns the Winner of code, which was loaded.
func (l *lanes) winner(code matrix.Matrix32, x []float32) int {
	var d2 [laneCount]float32
	inf := float32(math.Inf(1))
	best, next, at := inf, inf, 0 // next: the least of the others
	for b := 0; b*laneCount < l.g; b++ {
		if distances(l.block(b), x, &d2) >= next {
			continue
		}
		for i, s := range d2[:min(laneCount, l.g-b*laneCount)] {
			switch {
			case s < best:
				best, next, at = s, best, b*laneCount+i
			case s < next:
				next = s
			}
		}
	}
	if next > Doubt(best, l.d) || l.g == 1 {
		return at
	}
	return nearest64(code, x)
}

// pull moves each landmark i of block b the share h[i] of the way to x.
func (l *lanes) pull(b int, x []float32, h *[laneCount]float32) { pull(l.block(b), x, h) }

// distancesGo is distances in plain Go.
func distancesGo(c, x []float32, d2 *[laneCount]float32) (least float32) {
	*d2 = [laneCount]float32{}
	for _, v := range x {
		lane := c[:laneCount:laneCount]
		for i, w := range lane {
			e := w - v
			d2[i] += float32(e * e)
		}
		c = c[laneCount:]
	}
	return slices.Min(d2[:])
}

// pullGo is pull in plain Go.
func pullGo(c, x []float32, h *[laneCount]float32) {
	for _, v := range x {
		lane := c[:laneCount:laneCount]
		for i, w := range lane {
			lane[i] = w + float32(h[i]*(v-w))
		}
		c = c[laneCount:]
	}
}
