package train

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
)

// Searcher finds the nearest rows of a codebook for points that a device holds, faster than plain Go can.
type Searcher interface {
	// Nearest writes to out[i-from] the row of the codebook (g x d) that is the Winner of point i, for the points in
	// [from, to); -1 for an invalid point. The codebook may have changed in place since the last call. With
	// errors.ErrUnsupported, for sizes that the device is not made for, the trainer finds them itself.
	Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error
}

// Summer does the whole work of a batch training where the points are, so that nothing comes back but sums.
type Summer interface {
	// Sum adds each valid point in [from, to) to the row of sums (g x d) of its nearest codebook row, and 1 to
	// that row's count, exactly, and writes the nearest rows to bmu, as Nearest does, if bmu is not nil. largest are
	// the largest magnitudes of the columns among all valid points, or more. It changes neither sums nor counts if it
	// fails. With errors.ErrUnsupported the trainer does these points itself.
	Sum(ctx context.Context, codebook matrix.Matrix32, from, to int, bmu []int32, largest []float32, sums []exact.Sum,
		counts []int64) error
	// Smooth is the neighbourhood of a batch SOM: for all landmarks i it writes to out (g x d) the sum over o
	// of h(i,o) sums_o, and to weights (g) that of h(i,o) counts_o, with h(i,o) = exp(-q) at
	// q = |pos_i - pos_o|^2 / sigma^2 < Reach, else 0. Landmarks without a count play no part. It has the bits that the
	// function Smooth has. With errors.ErrUnsupported the trainer does it itself.
	Smooth(ctx context.Context, pos matrix.Matrix32, sigma float64, sums []float64, counts []int64, out,
		weights []float64) error
}

// Points that a device sums at once: as many as keep it busy for some milliseconds, so that a frame
// is not held up and a step can be cancelled, and never so few that calling it is the work.
const (
	mostOfPiece  = 1 << 20
	leastOfPiece = 1 << 15
	workOfPiece  = 1 << 34 // points x landmarks x columns
)

// mostAtOnce is how many points a device is asked for at once, where as many are to be visited: what is lost when that
// fails, or is cancelled.
const mostAtOnce = 1 << 26

func pieceFor(g, d int) int {
	return min(mostOfPiece, max(leastOfPiece, workOfPiece/max(1, g*d)))
}

// visitOnDevice adds the points [from, to) to the sums by Input.Summer, whose result is checked as far
// as that costs nothing.
func (b *batch) visitOnDevice(ctx context.Context, from, to int) error {
	var bmu []int32
	if b.rule.seen != nil {
		bmu = b.room(to - from)
	}
	if b.sums.exact == nil {
		b.sums.exact = exact.NewTable(b.code.Rows, b.points.largest)
	}
	first := b.points.span.from // a device has these points alone
	if err := b.summer.Sum(ctx, b.code, from-first, to-first, bmu, b.points.largest, b.sums.exact.Sums(),
		b.sums.counts); err != nil {
		return err
	}
	b.sums.summed = to
	err := b.check(from, bmu)
	if got, want := total(b.sums.counts), int64(b.points.validBefore(to)); err == nil && got != want &&
		b.points.known() {
		err = fmt.Errorf("training: the engine counted %d points, there are %d", got, want)
	}
	if err != nil {
		// The sums are spoilt: start the epoch again.
		b.done -= int64(b.sums.cursor)
		b.clear()
		if b.rule.renewed != nil {
			b.rule.renewed(b)
		}
		return err
	}
	if b.rule.seen != nil {
		b.rule.seen(b, from, bmu)
	}
	return nil
}

func total(counts []int64) int64 {
	sum := int64(0)
	for _, c := range counts {
		sum += c
	}
	return sum
}

// known says whether it is known which points are valid.
func (p *points) known() bool {
	return p.valid != nil || p.span.valid == p.span.all && p.Rows == p.span.all
}

// validBefore returns how many of the first n points are valid.
func (p *points) validBefore(n int) int {
	if p.valid == nil {
		if p.span.valid == 0 {
			return 0
		}
		return n
	}
	i, _ := slices.BinarySearch(p.valid, int32(n))
	return i
}
