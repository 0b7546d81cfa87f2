package cuda

import (
	"context"
	"errors"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/landmarks/train"
)

var (
	_ train.Searcher = (*trainer)(nil)
	_ train.Summer   = (*trainer)(nil)
)

// trainer does the steps of batch training on the card (kernels/train.cu). Its methods have the meanings
// of train.Searcher and train.Summer. It is used from one goroutine.
type trainer struct {
	c      *driver.Context
	s      *driver.Stream
	points span
	n      int64
	d      int
	sms    int

	nearestK, sumsK, restsK, smoothK *driver.Function

	code     []float32 // the codebook as codebook on the card has it
	codebook room
	bmu      room // nearest landmarks of the points of one piece
	sums     room // high parts, low parts, counts, what is left, largest magnitudes
	smoothed room
	host     pinned // for results
	pending  int64  // work queued since the last wait
	args     driver.Args

	refused int // a number of landmarks for which there was no memory

	back          *returns // through which nearest landmarks come; nil: the driver copies
	piece, launch int64    // trainPiece and trainWork, smaller in tests
}

// span gives the device address of point from, and up to which point the points follow it there, which is
// at most to and more than from. Both are good for work that is queued on the trainer's stream before the
// next call; where points are sent to the card for it, it sees to it that this work waits for them, and
// that they stay until the work is done.
type span func(ctx context.Context, from, to int64) (at driver.Ptr, until int64, err error)

const (
	trainMarks = 4096    // the most landmarks
	trainPiece = 1 << 22 // points in one fixed-point sum, whose parts are below 2^62 then: see train.cuh
	trainWork  = 1 << 34 // points x landmarks x columns of one launch: some milliseconds to a tenth of a second
	trainWait  = 1 << 36 // after so much, wait, and see whether it is still wanted
	fixedBits  = 40      // as in train.cuh
	fixedPass  = 2 * fixedBits
	trainShare = 1 << 12   // points that a block sums at most
	gridMost   = 1<<16 - 1 // blocks in y
)

// newTrainer makes a trainer of n points of d columns. Its work is queued on s.
func newTrainer(c *driver.Context, m *driver.Module, s *driver.Stream, points span, n int64, d int) (*trainer, error) {
	t := &trainer{c: c, s: s, points: points, n: n, d: d, sms: max(1, c.Info().SMs), piece: trainPiece,
		launch: trainWork}
	leave, err := c.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	for name, f := range map[string]**driver.Function{
		trainNearest.name: &t.nearestK, trainSums.name: &t.sumsK, trainRests.name: &t.restsK,
		trainSmooth.name: &t.smoothK,
	} {
		if *f, err = m.Function(name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// free gives all memory back. The first error is returned, after trying everything.
func (t *trainer) free() error {
	leave, err := t.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	all := []error{t.s.Wait(), t.host.free(t.c)}
	for _, r := range []*room{&t.codebook, &t.bmu, &t.sums, &t.smoothed} {
		all = append(all, r.free(t.c))
	}
	t.code = nil
	return errors.Join(all...)
}

// check says why this cannot be computed.
func (t *trainer) check(codebook matrix.Matrix32, from, to int) error {
	const defect = "this is a defect of the program"
	g := codebook.Rows
	switch {
	case from < 0 || to < from || int64(to) > t.n:
		return problem.New("", defect, "points %d to %d of %d were asked for", from, to, t.n)
	case g < 1:
		return problem.New("", "use at least one landmark", "there are no landmarks")
	case codebook.Cols != t.d || len(codebook.Data) < g*t.d:
		return problem.New("", defect, "points have %d columns and landmarks %d", t.d, codebook.Cols)
	case g > trainMarks || g == t.refused || t.d > 32*gridMost:
		return errors.ErrUnsupported
	}
	return nil
}

// fits turns a lack of memory into errors.ErrUnsupported: the trainer on the computer does without it.
func (t *trainer) fits(g int, err error) error {
	var e *driver.Error
	if errors.As(err, &e) && e.OutOfMemory() {
		t.refused = g
		return errors.ErrUnsupported
	}
	return err
}

// Nearest writes to out[i-from] the number of the codebook row nearest to point i: see train.Searcher. More
// than 4096 rows, or too few bytes of memory, are errors.ErrUnsupported.
func (t *trainer) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	return t.fits(codebook.Rows, t.findNearest(ctx, codebook, from, to, out))
}

func (t *trainer) findNearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if err := t.check(codebook, from, to); err != nil {
		return err
	}
	if len(out) < to-from {
		return problem.New("", "this is a defect of the program", "there is no room for %d nearest landmarks", to-from)
	}
	leave, err := t.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := t.sendCodebook(codebook); err != nil {
		return err
	}
	for low := int64(from); low < int64(to); low += t.piece {
		high := min(int64(to), low+t.piece)
		if err := t.assign(ctx, codebook.Rows, low, high); err != nil {
			return err
		}
		if err := t.readNearest(out[low-int64(from) : high-int64(from)]); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// assign queues the search of the nearest rows of points [from, to), at most a piece, into
// t.bmu.
func (t *trainer) assign(ctx context.Context, g int, from, to int64) error {
	if err := t.bmu.grow(t.c, t.s, 4*(to-from)); err != nil {
		return err
	}
	return t.eachRun(ctx, from, to, func(x driver.Ptr, at, count int64) error {
		cost := int64(g) * int64(t.d)
		most := max(128, t.launch/cost/128*128)
		for done := int64(0); done < count; done += most {
			part := min(most, count-done)
			if err := trainNearest.launchOn(t.s, t.nearestK, &t.args, trainNearestParams{
				x: x + driver.Ptr(4*done*int64(t.d)), count: part, d: int32(t.d), codebook: t.codebook.at, g: int32(g),
				out: t.bmu.at + driver.Ptr(4*(at-from+done))}, driver.Dim{X: int((part + 127) / 128)},
				driver.Dim{X: 256}, 0); err != nil {
				return err
			}
			if err := t.pace(ctx, part*cost); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachRun calls f for the runs of points that [from, to) consists of on the card.
func (t *trainer) eachRun(ctx context.Context, from, to int64, f func(x driver.Ptr, at, count int64) error) error {
	for at := from; at < to; {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, until, err := t.points(ctx, at, to)
		if err != nil {
			return err
		}
		if err := f(x, at, until-at); err != nil {
			return err
		}
		at = until
	}
	return nil
}

// pace waits when much has been queued, so that what is cancelled ends soon.
func (t *trainer) pace(ctx context.Context, work int64) error {
	if t.pending += work; t.pending < trainWait {
		return nil
	}
	t.pending = 0
	if err := t.s.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

// readNearest waits, and copies the first of t.bmu to out.
func (t *trainer) readNearest(out []int32) error {
	bytes := int64(4 * len(out))
	if err := t.read(t.bmu.at, bytes); err != nil {
		return err
	}
	copy(out, unsafe.Slice((*int32)(t.host.at), len(out)))
	return nil
}

// lanesFor is how many threads take the columns of a point.
func lanesFor(d int) int {
	lanes := 1
	for lanes < min(d, 32) {
		lanes *= 2
	}
	return lanes
}

// shareFor is how many points a block sums: many, so that few sums go to memory, and few enough that all
// multiprocessors have some.
func shareFor(count int64, sms int) int {
	return int(min(trainShare, max(256, (count/int64(4*sms)+255)/256*256)))
}

// Smooth is the neighbourhood of a batch SOM: see train.Summer.
func (t *trainer) Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
	weights []float64) error {
	return t.fits(pos.Rows, t.smoothSums(ctx, pos, sigma, sums, counts, out, weights))
}

func (t *trainer) smoothSums(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64,
	out, weights []float64) error {
	g := pos.Rows
	switch {
	case g == 0:
		return nil
	case g > trainMarks || g == t.refused || t.d > 128*gridMost:
		return errors.ErrUnsupported
	case len(sums) < g*t.d || len(out) < g*t.d || len(counts) < g || len(weights) < g:
		return problem.New("", "this is a defect of the program", "there is no room for the sums of %d landmarks", g)
	}
	leave, err := t.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	cells := int64(g) * int64(t.d)
	inSums, inCounts := driver.Ptr(0), driver.Ptr(8*cells)
	toOut := inCounts + driver.Ptr(8*g)
	toWeights := toOut + driver.Ptr(8*cells)
	inPos := toWeights + driver.Ptr(8*g)
	if err := t.smoothed.grow(t.c, t.s, int64(inPos)+4*int64(g*pos.Cols)); err != nil {
		return err
	}
	at := t.smoothed.at
	if err := t.s.ToDevice(at+inSums, unsafe.Pointer(&sums[0]), 8*cells); err != nil {
		return err
	}
	if err := t.s.ToDevice(at+inCounts, unsafe.Pointer(&counts[0]), 8*int64(g)); err != nil {
		return err
	}
	if err := t.s.ToDevice(at+inPos, unsafe.Pointer(&pos.Data[0]), 4*int64(g*pos.Cols)); err != nil {
		return err
	}
	if err := trainSmooth.launchOn(t.s, t.smoothK, &t.args, trainSmoothParams{pos: at + inPos, dims: int32(pos.Cols),
		g: int32(g), d: int32(t.d), inverse: 1 / (sigma * sigma), reach: train.Reach, sums: at + inSums,
		counts: at + inCounts, out: at + toOut, weights: at + toWeights}, driver.Dim{X: g, Y: (t.d + 127) / 128},
		driver.Dim{X: 128}, 0); err != nil {
		return err
	}
	if err := t.read(at+toOut, 8*(cells+int64(g))); err != nil {
		return err
	}
	all := unsafe.Slice((*float64)(t.host.at), int(cells)+g)
	copy(out, all[:cells])
	copy(weights, all[cells:])
	return ctx.Err()
}

// sendCodebook brings the codebook to the card, unless it is there.
func (t *trainer) sendCodebook(codebook matrix.Matrix32) error {
	code := codebook.Data[:codebook.Rows*codebook.Cols]
	if slices.Equal(code, t.code) {
		return nil
	}
	t.code = t.code[:0]
	bytes := 4 * int64(len(code))
	if err := t.codebook.grow(t.c, t.s, bytes); err != nil {
		return err
	}
	if err := t.s.ToDevice(t.codebook.at, unsafe.Pointer(&code[0]), bytes); err != nil {
		return err
	}
	t.code = append(t.code, code...)
	return nil
}

// read copies bytes of the card to t.host and waits for them.
func (t *trainer) read(from driver.Ptr, bytes int64) error {
	if err := t.host.grow(t.c, bytes); err != nil {
		return err
	}
	if err := t.s.ToHost(t.host.at, from, bytes); err != nil {
		return err
	}
	t.pending = 0
	return t.s.Wait()
}
