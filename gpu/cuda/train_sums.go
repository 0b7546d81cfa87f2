package cuda

import (
	"context"
	"math"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/problem"
)

// sumsMost is how many bytes of sums come from the card at once, unless those of a piece are more. Tests need less.
var sumsMost int64 = 64 << 20

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

// Sum adds points to the sums of their nearest codebook rows: see train.Summer.
func (t *trainer) Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32,
	sums []exact.Sum, counts []int64) error {
	if err := t.checkSum(codebook, from, to, bmu, largest, sums, counts); err != nil {
		return err
	}
	all, err := t.sumShare(ctx, codebook, int64(from), int64(to), bmu, largest[:t.d])
	if err == nil {
		fixedSums{largest[:t.d], sums, counts}.add(all)
	}
	return err
}

// sumShare counts points, whose nearest rows it writes to bmu, if not nil, as Sum does. It does so in pieces, for as
// many of which as there is room for it waits once.
func (t *trainer) sumShare(ctx context.Context, codebook matrix.Matrix32, from, to int64, bmu []int32,
	largest []float32) (all []fixed, err error) {
	leave, err := t.c.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	s, err := t.beginSums(codebook, largest)
	if err != nil {
		return nil, t.fits(codebook.Rows, err)
	}
	most := max(1, sumsMost/s.bytes) * t.piece
	for low := from; low < to; low += most {
		high, near := min(to, low+most), []int32(nil)
		if bmu != nil {
			near = bmu[low-from : high-from]
		}
		some, err := t.sumPieces(ctx, s, low, high, near)
		if err != nil {
			return nil, t.fits(codebook.Rows, err)
		}
		all = append(all, some...)
	}
	return all, ctx.Err()
}

// sumsOn is where the sums of a piece are on the card.
type sumsOn struct {
	g, cells                         int
	bytes                            int64 // size of what follows but for largest
	high, low, counts, more, largest driver.Ptr
}

// beginSums brings to the card what sums of points are made with: a codebook, and the largest magnitudes, which the
// units of the columns are made from.
func (t *trainer) beginSums(codebook matrix.Matrix32, largest []float32) (s sumsOn, err error) {
	if err := t.sendCodebook(codebook); err != nil {
		return s, err
	}
	g := codebook.Rows
	cells := int64(g) * int64(t.d)
	s = sumsOn{g: g, cells: int(cells), bytes: 16*cells + 8*int64(g) + 8}
	if err := t.sums.grow(t.c, t.s, s.bytes+4*int64(t.d)); err != nil {
		return s, err
	}
	s.high = t.sums.at
	s.low, s.counts = s.high+driver.Ptr(8*cells), s.high+driver.Ptr(16*cells)
	s.more = s.counts + driver.Ptr(8*g)
	s.largest = s.more + 8
	return s, t.s.ToDevice(s.largest, unsafe.Pointer(&largest[0]), 4*int64(t.d))
}

// sumPieces counts the points of some pieces, in as many passes as it takes.
func (t *trainer) sumPieces(ctx context.Context, s sumsOn, from, to int64, bmu []int32) (all []fixed, err error) {
	count := (to - from + t.piece - 1) / t.piece
	if err := t.host.grow(t.c, count*s.bytes); err != nil {
		return nil, err
	}
	var back bringing
	err = t.queuePieces(ctx, s, from, to, bmu, &back)
	if ended := back.end(t.back, t.s, err); err == nil {
		err = ended
	}
	if waited := t.s.Wait(); err == nil {
		err = waited
	}
	if err != nil {
		return nil, err
	}
	t.pending = 0
	var left []int64
	for i := range count {
		f, more := s.counted(unsafe.Add(t.host.at, i*s.bytes))
		if all = append(all, f); more {
			left = append(left, from+i*t.piece)
		}
	}
	for _, low := range slices.Backward(left) { // the nearest rows of the last piece are on the card
		rest, err := t.sumRest(ctx, s, low, min(to, low+t.piece), low+t.piece >= to)
		if err != nil {
			return nil, err
		}
		all = append(all, rest...)
	}
	return all, nil
}

// queuePieces queues the first pass of some pieces, whose sums go to t.host one after the other.
func (t *trainer) queuePieces(ctx context.Context, s sumsOn, from, to int64, bmu []int32, back *bringing) error {
	at := t.host.at
	for low := from; low < to; low += t.piece {
		high := min(to, low+t.piece)
		if err := t.assign(ctx, s.g, low, high); err != nil {
			return err
		}
		if err := t.pass(ctx, s, low, high, 0); err != nil {
			return err
		}
		if bmu != nil {
			if err := back.bring(t.back, t.c, t.s, unsafe.Pointer(&bmu[low-from]), t.bmu.at, 4*(high-low)); err != nil {
				return err
			}
		}
		if err := t.s.ToHost(at, s.high, s.bytes); err != nil {
			return err
		}
		at = unsafe.Add(at, s.bytes)
	}
	return nil
}

// sumRest counts what the first pass of a piece has left; known: the card has its nearest rows.
func (t *trainer) sumRest(ctx context.Context, s sumsOn, from, to int64, known bool) (all []fixed, err error) {
	if !known {
		if err := t.assign(ctx, s.g, from, to); err != nil {
			return nil, err
		}
	}
	for more := true; more; {
		f := fixed{}
		skip := fixedPass * (len(all) + 1)
		if err := t.pass(ctx, s, from, to, skip); err != nil {
			return nil, err
		}
		if err := t.read(s.high, s.bytes); err != nil {
			return nil, err
		}
		f, more = s.counted(t.host.at)
		f.skip = skip
		all = append(all, f)
	}
	return all, nil
}

// pass queues the sums of a piece whose nearest rows are known, of what is below the first skip bits.
func (t *trainer) pass(ctx context.Context, s sumsOn, from, to int64, skip int) error {
	if err := t.s.Set8(s.high, 0, s.bytes); err != nil {
		return err
	}
	lanes, chunks := lanesFor(t.d), (t.d+31)/32
	return t.eachRun(ctx, from, to, func(x driver.Ptr, at, count int64) error {
		share := shareFor(count, t.sms)
		blocks := (count + int64(share) - 1) / int64(share)
		grid := driver.Dim{X: int(blocks), Y: min(chunks, max(1, 8*t.sms/int(blocks)))}
		bmu, shared := t.bmu.at+driver.Ptr(4*(at-from)), 4*s.g+4*share
		if skip == 0 {
			return trainSums.launchOn(t.s, t.sumsK, &t.args, trainSumsParams{x: x, count: count, d: int32(t.d),
				bmu: bmu, g: int32(s.g), share: int32(share), lanes: int32(lanes), largest: s.largest,
				high: s.high, low: s.low, counts: s.counts, more: s.more}, grid, driver.Dim{X: 256}, shared)
		}
		return trainRests.launchOn(t.s, t.restsK, &t.args, trainRestsParams{x: x, count: count, d: int32(t.d),
			bmu: bmu, g: int32(s.g), share: int32(share), lanes: int32(lanes), largest: s.largest,
			high: s.high, low: s.low, skip: int32(skip), more: s.more}, grid, driver.Dim{X: 256}, shared)
	})
}

// counted is what a pass has counted, as it has come to the host, and whether something is left for another one.
func (s *sumsOn) counted(at unsafe.Pointer) (f fixed, more bool) {
	n := 2*s.cells + s.g
	all := unsafe.Slice((*int64)(at), n+1)
	return fixed{words: slices.Clone(all[:n])}, all[n] != 0
}

// fixed is what a pass has counted: high parts, low parts and counts.
type fixed struct {
	words []int64
	skip  int
}

// fixedSums are sums that what cards have counted is added to.
type fixedSums struct {
	largest []float32   // by column
	sums    []exact.Sum // g x d
	counts  []int64     // g
}

// add adds what passes have counted.
func (f fixedSums) add(passes []fixed) {
	const share = 8 // landmarks
	d := len(f.largest)
	_ = par.Blocks(context.Background(), len(f.counts), share, func(_, from, to int) {
		for _, p := range passes {
			cells := len(p.words) / (2*d + 1) * d
			high, low, number := p.words[:cells], p.words[cells:2*cells], p.words[2*cells:]
			for m := from; m < min(to, len(number)); m++ {
				f.counts[m] += number[m]
				for c, top := range f.largest {
					i, e := m*d+c, fixedExponent(top)-p.skip
					f.sums[i].AddScaled(high[i], e-fixedBits)
					f.sums[i].AddScaled(low[i], e-fixedPass)
				}
			}
		}
	})
}

// fixedExponent is that of train.cuh.
func fixedExponent(largest float32) int { return max(-86, int(math.Float32bits(largest)>>23)-126) }
