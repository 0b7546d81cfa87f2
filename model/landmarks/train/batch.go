package train

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/step"
)

// batch is a training that visits all points in order, one a unit, sums them up by their nearest
// landmark, and moves all landmarks at the end of each such epoch.
//
// Every sum is exact, and rounded once: it does not depend on the order of the points, the number of cores, the sizes
// of the steps, and who sums. Cores share the search by points and the sums by columns. A device that sums by itself
// does so in pieces, as many at once as are asked for.
type batch struct {
	points
	landmarks
	rule     rule
	values   set
	limit    step.Param // its epochs parameter
	searcher Searcher   // the device's searcher, or nil
	summer   Summer
	lanes    lanes // lanes of the codebook, while fresh
	fresh    bool
	done     int64
	over     int64 // points after the end of the schedule that are asked for, whole epochs
	sums     epochSums
	resting  bool // nothing would change any more
	held     bool // the schedule stands still
}

// rule is what an algorithm makes of the sums of an epoch.
type rule struct {
	// seen is told the nearest landmarks of the points from on. May be nil.
	seen func(b *batch, from int, bmu []int32)
	// finish moves the landmarks at the end of an epoch. It changes nothing if it fails.
	finish func(ctx context.Context, b *batch) error
	// renewed is told that the codebook has been replaced. May be nil.
	renewed func(b *batch)
	live    func(b *batch) map[string]float64
	// salt is a number that Strays of the epoch under way are drawn by. May be nil where finish asks for none.
	salt   func(b *batch) uint64
	strays *Strays // where those of points elsewhere go; nil as salt
	// sigma returns the radius of the epoch under way. May be nil where finish asks for none.
	sigma func(b *batch) float64
}

// epochSums are the points of the epoch under way, by their nearest landmarks.
type epochSums struct {
	total  []float64    // g x d: at the end of the epoch
	exact  *exact.Table // g x d; nil: nothing was summed yet
	counts []int64      // g
	cursor int          // points that were visited
	summed int          // points that are in the sums, at least those visited
	piece  int          // how many of them a device sums at once
	bmu    []int32      // nearest landmarks of the points of one chunk or piece
	given  bool         // somebody else has summed: nobody here has seen the points
}

// chunk is how many points are searched at once: enough to keep all cores busy, few enough to cancel soon.
const chunk = 1 << 15

func newBatch(in Input, v step.Values, b *batch) (*batch, error) {
	var err error
	if b.points, b.landmarks, err = start(in); err != nil {
		return nil, err
	}
	b.values, b.searcher, b.summer = set{v}, in.Searcher, in.Summer
	b.clear()
	return b, nil
}

// clear starts the sums of an epoch.
func (b *batch) clear() {
	b.sums.cursor, b.sums.summed = 0, 0
	g := b.code.Rows
	if len(b.sums.total) != g*b.code.Cols || len(b.sums.counts) != g {
		b.sums.total, b.sums.counts = make([]float64, g*b.code.Cols), make([]int64, g)
		b.sums.piece = pieceFor(g, b.code.Cols)
		b.sums.exact = nil
		return
	}
	if b.sums.exact != nil {
		b.sums.exact.Clear()
	}
	clear(b.sums.total)
	clear(b.sums.counts)
}

// At is the place in the schedule.
func (b *batch) At() float64 { return b.progress().Fraction() }

// Hold lets the schedule stand still in the epoch that t falls into, or go on.
func (b *batch) Hold(t float64) {
	b.held = t >= 0
	epochs, n := b.epochs(), int64(b.points.span.all)
	if !b.held || epochs == 0 || n == 0 {
		return
	}
	b.over, b.resting = 0, false
	if at := min(epochs-1, int64(t*float64(epochs))); at != b.epoch() {
		b.done = at * n
		b.restart()
	}
}

// epoch returns which one is under way, from 0.
func (b *batch) epoch() int64 {
	return (b.done - int64(b.sums.cursor)) / max(1, int64(b.points.span.all))
}

// restart forgets what was visited of this epoch.
func (b *batch) restart() {
	b.clear()
	if b.rule.renewed != nil {
		b.rule.renewed(b)
	}
}

// again begins the schedule anew.
func (b *batch) again() {
	b.done, b.over, b.held, b.resting = 0, 0, false, false
	b.restart()
}

// Next is the rest of the epoch.
func (b *batch) Next() int { return max(1, b.points.span.all-b.sums.cursor) }

// epochs returns how many there are in all, 0 for no end.
func (b *batch) epochs() int64 { return int64(math.Ceil(b.values.get(b.limit))) }

func (b *batch) progress() step.Progress {
	p := step.Progress{Done: b.done, Total: b.epochs() * int64(b.points.span.all)}
	p.Rest = b.span.valid == 0 || b.code.Rows == 0 || b.resting ||
		!b.held && p.Total > 0 && p.Done >= p.Total+b.over && b.sums.cursor == 0
	return p
}

// GoOn visits all points once more, or as often as it takes units.
func (b *batch) GoOn(units int) {
	n := max(1, int64(b.points.span.all))
	total := b.epochs() * n
	if total > 0 && b.done < total {
		b.clear()
		b.done = total
	}
	b.over = b.done - total + (int64(units)+n-1)/n*n
	b.resting = false
}

// Step visits units points.
func (b *batch) Step(ctx context.Context, units int) (step.Progress, error) {
	n := b.points.span.all
	for units > 0 && !b.progress().Rest {
		if err := ctx.Err(); err != nil {
			return b.progress(), err
		}
		if b.sums.cursor < n {
			if b.sums.summed == b.sums.cursor {
				if err := b.visit(ctx, units); err != nil {
					return b.progress(), err
				}
			}
			did := min(units, b.sums.summed-b.sums.cursor)
			units -= did
			b.done += int64(did)
			b.sums.cursor += did
		}
		if b.sums.cursor == n {
			b.settle()
			if err := b.end(ctx); err != nil {
				return b.progress(), err // the next Step takes it up here
			}
			if b.held {
				b.done -= int64(n)
			}
		}
	}
	return b.progress(), nil
}

// end moves the landmarks at the end of an epoch, and begins the next one.
func (b *batch) end(ctx context.Context) error {
	if err := b.rule.finish(ctx, b); err != nil {
		return err
	}
	b.fresh = false
	b.clear()
	return nil
}

// visit adds the next points to the sums: whole pieces where a device does it, else about units.
func (b *batch) visit(ctx context.Context, units int) error {
	if b.summer != nil && !b.wideRange() && !b.wideCode() {
		pieces := max(1, min(units, mostAtOnce)/b.sums.piece)
		to := min(b.points.span.from+b.points.Rows, b.sums.summed+pieces*b.sums.piece)
		if err := b.visitOnDevice(ctx, b.sums.summed, to); !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	to := min(b.points.span.from+b.points.Rows, b.sums.summed+min(units, chunk))
	bmu := b.room(to - b.sums.summed)
	if err := b.search(ctx, b.sums.summed, to, bmu); err != nil {
		return err
	}
	b.add(b.sums.summed, bmu)
	if b.rule.seen != nil {
		b.rule.seen(b, b.sums.summed, bmu)
	}
	b.sums.summed = to
	return nil
}

// room returns memory for the nearest landmarks of n points.
func (b *batch) room(n int) []int32 {
	if len(b.sums.bmu) < n {
		b.sums.bmu = make([]int32, min(max(n, chunk), b.points.span.all))
	}
	return b.sums.bmu[:n]
}

// add adds the points from on, whose landmarks are bmu, to the sums.
func (b *batch) add(from int, bmu []int32) {
	if b.sums.exact == nil {
		b.sums.exact = exact.NewTable(b.code.Rows, b.points.largest)
	}
	d, s := b.code.Cols, b.sums.exact
	from -= b.points.span.from
	share := max(4, (d+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	for _, c := range bmu {
		if c >= 0 {
			b.sums.counts[c]++
		}
	}
	for len(bmu) > 0 {
		n := min(len(bmu), s.Room())
		_ = par.Blocks(context.Background(), d, share, func(_, low, high int) {
			for i, c := range bmu[:n] {
				if c >= 0 {
					s.Add(int(c), low, b.points.Data[(from+i)*d+low:(from+i)*d+high])
				}
			}
		})
		s.Added(n)
		from, bmu = from+n, bmu[n:]
		if s.Room() == 0 {
			b.carry(nil)
		}
	}
}

// carry makes room for further points in the sums. then is told the landmarks whose sums are complete.
func (b *batch) carry(then func(from, to int)) {
	const size = 256
	_ = par.Blocks(context.Background(), b.code.Rows, size, func(_, from, to int) {
		b.sums.exact.Carry(from, to)
		if then != nil {
			then(from, to)
		}
	})
	b.sums.exact.Carried()
}

// settle rounds the sums at the end of an epoch. Afterwards they are empty.
func (b *batch) settle() {
	if b.sums.exact == nil {
		return
	}
	d := b.code.Cols
	b.carry(func(from, to int) {
		for i := from * d; i < to*d; i++ {
			b.sums.total[i] += b.sums.exact.Sum(i/d, i%d).Float64()
		}
	})
	b.sums.exact.Clear()
}

// search finds the nearest landmark of each point in [from, to), -1 for invalid ones.
func (b *batch) search(ctx context.Context, from, to int, out []int32) error {
	from, to = from-b.points.span.from, to-b.points.span.from
	wide := b.wideRange() || b.wideCode()
	if b.searcher != nil && !wide {
		err := b.searcher.Nearest(ctx, b.code, from, to, out)
		if err == nil {
			err = b.check(b.points.span.from+from, out)
		}
		if !errors.Is(err, errors.ErrUnsupported) {
			return err
		}
	}
	if !wide && !b.fresh {
		b.lanes.load(b.code)
		b.fresh = true
	}
	return par.Blocks(ctx, to-from, 256, func(_, low, high int) {
		for i := low; i < high; i++ {
			out[i] = -1
			switch x := b.points.Row(from + i); {
			case !finite(x):
			case wide:
				out[i] = int32(nearest64(b.code, x))
			default:
				out[i] = int32(b.lanes.winner(b.code, x))
			}
		}
	})
}

// check says whether the engine found landmarks that there are.
func (b *batch) check(from int, out []int32) error {
	var wrong atomic.Bool
	_ = par.Blocks(context.Background(), len(out), someOfMany, func(_, low, high int) {
		if int(slices.Max(out[low:high])) >= b.code.Rows {
			wrong.Store(true)
		}
	})
	if !wrong.Load() {
		return nil
	}
	for i, c := range out {
		if int(c) >= b.code.Rows {
			return fmt.Errorf("training: the engine found landmark %d of %d for point %d", c+1, b.code.Rows, from+i+1)
		}
	}
	return nil
}

// Ahead is what the device has summed of the piece that the cursor is in.
func (b *batch) Ahead() int { return b.sums.summed - b.sums.cursor }

// Codebook returns the current codebook, valid until the next Step.
func (b *batch) Codebook() matrix.Matrix32 { return b.code }

// SetLandmarks takes new landmarks. With a new codebook the epoch under way starts again, as its
// sums are of the old one.
func (b *batch) SetLandmarks(codebook, pos matrix.Matrix32, pinned []bool) {
	b.resting = false
	if !b.landmarks.set(codebook, pos, pinned, b.points.Cols) {
		return
	}
	b.fresh = false
	b.done -= int64(b.sums.cursor)
	b.restart()
}

// SetValues takes new parameters.
func (b *batch) SetValues(v step.Values) { b.values = set{v} }

// Live returns the falling parameters as they are now.
func (b *batch) Live() map[string]float64 { return b.rule.live(b) }

// toFloat32 rounds x, at most to the largest finite number.
func toFloat32(x float64) float32 {
	return float32(min(math.MaxFloat32, max(-math.MaxFloat32, x)))
}
