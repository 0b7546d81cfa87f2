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
	best, at := float32(math.Inf(1)), 0
	q := scan{l: l, x: x}
	for q.next(best) {
		for i, s := range q.distances() {
			if s < best {
				best, at = s, q.first()+i
			}
		}
	}
	return at
}

// winner returns the Winner of code, which was loaded.
func (l *lanes) winner(code matrix.Matrix32, x []float32) int {
	inf := float32(math.Inf(1))
	best, next, at := inf, inf, 0 // next: the least of the others
	q := scan{l: l, x: x}
	for q.next(next) {
		for i, s := range q.distances() {
			switch {
			case s < best:
				best, next, at = s, best, q.first()+i
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

// scan goes through the blocks that have a landmark near enough, four at a time as long as there are four.
type scan struct {
	l     *lanes
	x     []float32
	from  int // the first block of those at hand
	of    int // how many these are
	at    int // the one of them that is next
	d2    [4 * laneCount]float32
	least [4]float32
}

// next goes on to the next block with a landmark nearer than limit.
func (q *scan) next(limit float32) bool {
	for {
		for ; q.at < q.of; q.at++ {
			if q.least[q.at] < limit {
				q.at++
				return true
			}
		}
		q.from += q.of
		size := q.l.d * laneCount
		left := (q.l.g+laneCount-1)/laneCount - q.from
		if left <= 0 {
			return false
		}
		c := q.l.c[q.from*size:]
		if q.at, q.of = 0, 1; left >= 4 {
			q.of = 4
			fourDistances(c, q.x, &q.d2, &q.least)
			continue
		}
		q.least[0] = distances(c[:size], q.x, (*[laneCount]float32)(q.d2[:]))
	}
}

// first is the number of the first landmark of the block.
func (q *scan) first() int { return (q.from + q.at - 1) * laneCount }

// distances are those of the landmarks of the block.
func (q *scan) distances() []float32 {
	from := (q.at - 1) * laneCount
	return q.d2[from : from+min(laneCount, q.l.g-q.first())]
}

// pull moves each landmark i of block b the share h[i] of the way to x.
func (l *lanes) pull(b int, x []float32, h *[laneCount]float32) { pull(l.block(b), x, h) }

// The files of each processor have three more. distances sets d2[i] to the squared distance of landmark i of a block to
// x, sums over the dimensions in their order, and returns the least of them; c has len(x)*laneCount numbers and x at
// least one. fourDistances does so for four blocks. pull moves landmark i of a block the share h[i] of the way to x,
// dimension by dimension.

// eachDistances is fourDistances, block by block.
func eachDistances(c, x []float32, d2 *[4 * laneCount]float32, least *[4]float32) {
	size := len(x) * laneCount
	for b := range least {
		least[b] = distances(c[b*size:(b+1)*size], x, (*[laneCount]float32)(d2[b*laneCount:]))
	}
}

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
