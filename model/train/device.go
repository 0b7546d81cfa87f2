package train

import (
	"context"
	"fmt"
	"slices"
)

// What a device does for a batch: it sums whole pieces of the points.

// Points that a device sums at once: as many as keep it busy for some milliseconds, so that a frame
// is not held up and a step can be cancelled, and never so few that calling it is the work. It may
// depend on nothing but the data, as the order of the sums does.
const (
	mostOfPiece  = 1 << 20
	leastOfPiece = 1 << 15
	workOfPiece  = 1 << 34 // points x landmarks x columns
)

func pieceFor(g, d int) int {
	return min(mostOfPiece, max(leastOfPiece, workOfPiece/max(1, g*d)))
}

// visitOnDevice adds the points [from, to) to the sums by Input.Sum, whose result is checked as far
// as that costs nothing.
func (b *batch) visitOnDevice(ctx context.Context, from, to int) error {
	var bmu []int32
	if b.seen != nil {
		bmu = b.room(to - from)
	}
	if err := b.extern.Sum(ctx, b.code, from, to, bmu, b.sums, b.counts); err != nil {
		return err
	}
	b.summed = to
	err := b.check(from, bmu)
	if got, want := total(b.counts), int64(b.points.validBefore(to)); err == nil && got != want {
		err = fmt.Errorf("training: the engine counted %d points, there are %d", got, want)
	}
	if err != nil {
		// The sums are spoilt: start the epoch again.
		b.done -= int64(b.cursor)
		b.clear()
		if b.renewed != nil {
			b.renewed(b)
		}
		return err
	}
	if b.seen != nil {
		b.seen(b, from, bmu)
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

// validBefore returns how many of the first n points are valid.
func (p *points) validBefore(n int) int {
	if p.valid == nil {
		if p.count == 0 {
			return 0
		}
		return n
	}
	i, _ := slices.BinarySearch(p.valid, int32(n))
	return i
}
