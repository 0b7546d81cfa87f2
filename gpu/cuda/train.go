package cuda

import (
	"context"
	"errors"
	"math"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
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

	piece, launch int64 // trainPiece and trainWork, smaller in tests
}

// span gives the device address of point from, and up to which point the points follow it there, which is
// at most to and more than from. Both are good for work that is queued on the trainer's stream before the
// next call; where points are sent to the card for it, it sees to it that this work waits for them, and
// that they stay until the work is done.
type span func(ctx context.Context, from, to int64) (at driver.Ptr, until int64, err error)

const (
	trainMarks = 4096    // the most landmarks
	trainPiece = 1 << 20 // points in one fixed-point sum: see train.cuh
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

// checkSum is check of a sum.
func (t *trainer) checkSum(codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32, sums []exact.Sum,
	counts []int64) error {
	if err := t.check(codebook, from, to); err != nil {
		return err
	}
	g := codebook.Rows
	if len(sums) < g*t.d || len(counts) < g || len(largest) < t.d || bmu != nil && len(bmu) < to-from {
		return problem.New("", "this is a defect of the program", "there is no room for the sums of %d landmarks", g)
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

// Sum adds points to the sums of their nearest codebook rows: see train.Summer.
func (t *trainer) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	return t.fits(codebook.Rows, t.sumPieces(ctx, codebook, from, to, bmu, largest, sums, counts))
}

func (t *trainer) sumPieces(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	if err := t.checkSum(codebook, from, to, bmu, largest, sums, counts); err != nil {
		return err
	}
	leave, err := t.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := t.sendCodebook(codebook); err != nil {
		return err
	}
	return eachPiece(from, to, t.piece, bmu, fixedSums{largest[:t.d], sums, counts}, func(low, high int64, near []int32,
		out fixedSums) error {
		parts, err := t.sumPiece(ctx, codebook.Rows, low, high, near, out.largest)
		if err != nil {
			return err
		}
		out.add(parts)
		return nil
	})
}

// fixedSums are sums that what cards have counted is added to.
type fixedSums struct {
	largest []float32   // by column
	sums    []exact.Sum // g x d
	counts  []int64     // g
}

// eachPiece calls sum for each piece of points in [from, to) with their part of bmu, if not nil. A failure leaves
// nothing behind, if sum adds nothing when it fails.
func eachPiece(from, to int, size int64, bmu []int32, out fixedSums,
	sum func(low, high int64, near []int32, out fixedSums) error) error {
	all := out
	if int64(to-from) > size {
		out.sums, out.counts = slices.Clone(all.sums), slices.Clone(all.counts)
	}
	for low := int64(from); low < int64(to); low += size {
		high := min(int64(to), low+size)
		var near []int32
		if bmu != nil {
			near = bmu[low-int64(from) : high-int64(from)]
		}
		if err := sum(low, high, near, out); err != nil {
			return err
		}
	}
	copy(all.sums, out.sums)
	copy(all.counts, out.counts)
	return nil
}

// sumPiece counts the points of at most a piece, in as many passes as it takes.
func (t *trainer) sumPiece(ctx context.Context, g int, from, to int64, bmu []int32, largest []float32) (all []fixed,
	err error) {
	p, err := t.beginPiece(ctx, g, from, to, largest)
	if err != nil {
		return nil, err
	}
	for more := true; more; {
		f := fixed{skip: fixedPass * len(all)}
		if err := t.pass(ctx, p, f.skip); err != nil {
			return nil, err
		}
		if len(all) == 0 && bmu != nil {
			if err := t.readNearest(bmu); err != nil {
				return nil, err
			}
		}
		if f.words, more, err = t.readSums(p); err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// piece is points that are summed at once.
type piece struct {
	g, cells                         int
	from, to                         int64
	bytes                            int64 // size of what follows but for largest
	high, low, counts, more, largest driver.Ptr
}

// beginPiece queues what comes before the sums of a piece: nearest rows, and the largest magnitudes, which the units of
// the columns are made from.
func (t *trainer) beginPiece(ctx context.Context, g int, from, to int64, largest []float32) (p piece, err error) {
	cells := int64(g) * int64(t.d)
	p = piece{g: g, cells: int(cells), from: from, to: to, bytes: 16*cells + 8*int64(g) + 8}
	if err := t.sums.grow(t.c, t.s, p.bytes+4*int64(t.d)); err != nil {
		return p, err
	}
	p.high = t.sums.at
	p.low, p.counts = p.high+driver.Ptr(8*cells), p.high+driver.Ptr(16*cells)
	p.more = p.counts + driver.Ptr(8*g)
	p.largest = p.more + 8
	if err := t.s.ToDevice(p.largest, unsafe.Pointer(&largest[0]), 4*int64(t.d)); err != nil {
		return p, err
	}
	return p, t.assign(ctx, g, from, to)
}

// pass queues the sums of a piece that was begun, of what is below the first skip bits.
func (t *trainer) pass(ctx context.Context, p piece, skip int) error {
	if err := t.s.Set8(p.high, 0, p.bytes); err != nil {
		return err
	}
	lanes, chunks := lanesFor(t.d), (t.d+31)/32
	return t.eachRun(ctx, p.from, p.to, func(x driver.Ptr, at, count int64) error {
		share := shareFor(count, t.sms)
		blocks := (count + int64(share) - 1) / int64(share)
		grid := driver.Dim{X: int(blocks), Y: min(chunks, max(1, 8*t.sms/int(blocks)))}
		bmu, shared := t.bmu.at+driver.Ptr(4*(at-p.from)), 4*p.g+4*share
		if skip == 0 {
			return trainSums.launchOn(t.s, t.sumsK, &t.args, trainSumsParams{x: x, count: count, d: int32(t.d),
				bmu: bmu, g: int32(p.g), share: int32(share), lanes: int32(lanes), largest: p.largest,
				high: p.high, low: p.low, counts: p.counts, more: p.more}, grid, driver.Dim{X: 256}, shared)
		}
		return trainRests.launchOn(t.s, t.restsK, &t.args, trainRestsParams{x: x, count: count, d: int32(t.d),
			bmu: bmu, g: int32(p.g), share: int32(share), lanes: int32(lanes), largest: p.largest,
			high: p.high, low: p.low, skip: int32(skip), more: p.more}, grid, driver.Dim{X: 256}, shared)
	})
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

// readSums waits, and returns the sums of a piece as the card has them, high parts, low parts and counts, and whether
// something is left for another pass.
func (t *trainer) readSums(p piece) (words []int64, more bool, err error) {
	if err := t.read(p.high, p.bytes); err != nil {
		return nil, false, err
	}
	n := 2*p.cells + p.g
	all := unsafe.Slice((*int64)(t.host.at), n+1)
	return slices.Clone(all[:n]), all[n] != 0, nil
}

// fixed is what a pass has counted.
type fixed struct {
	words []int64 // as readSums returns them
	skip  int
}

// add adds what passes have counted.
func (f fixedSums) add(passes []fixed) {
	const share = 64
	d := len(f.largest)
	for _, p := range passes {
		cells := (len(p.words)) / (2*d + 1) * d
		high, low, number := p.words[:cells], p.words[cells:2*cells], p.words[2*cells:]
		_ = par.Blocks(context.Background(), len(number), share, func(_, from, to int) {
			for m := from; m < to; m++ {
				f.counts[m] += number[m]
				for c, top := range f.largest {
					i, e := m*d+c, fixedExponent(top)-p.skip
					f.sums[i].AddScaled(high[i], e-fixedBits)
					f.sums[i].AddScaled(low[i], e-fixedPass)
				}
			}
		})
	}
}

// fixedExponent is that of train.cuh.
func fixedExponent(largest float32) int { return max(-86, int(math.Float32bits(largest)>>23)-126) }

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
