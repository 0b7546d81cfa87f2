package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/base/step"
)

func init() {
	epochs := paramEpochs
	epochs.Integer, epochs.Default, epochs.Title = true, 100, "Most epochs"
	epochs.Help = "How many times all points are visited at most; it ends before when no point changes its " +
		"landmark. 0 is no limit."
	registerBatch(Algorithm{
		ID: "lloyd", Title: "k-means, Lloyd", Order: 4,
		Help: "Visits all points, then moves every landmark to the mean of the points nearest to it, until " +
			"nothing changes. Positions on the map play no part.",
		Params:  []step.Param{epochs},
		Centres: true, Default: true,
		Length: fmt.Sprintf("at most %g, as it ends by itself", epochs.Default),
	}, func(in Input) *batch {
		l := &lloyd{seed: in.Seed}
		return &batch{limit: epochs, rule: rule{seen: l.seen, finish: l.finish, renewed: l.renewed, live: l.live}}
	})
}

// lloyd is what Lloyd's algorithm remembers beside the sums: 4 bytes a point.
type lloyd struct {
	seed    uint64
	before  []int32 // landmark+1 of each point in the epoch before; 0: none
	changed int     // points whose landmark changed in this epoch
	share   float64 // share of the points that changed their landmark in the last whole epoch
}

func (l *lloyd) renewed(*batch) {
	clear(l.before)
	l.changed = 0
}

func (l *lloyd) live(*batch) map[string]float64 { return map[string]float64{"changed": l.share} }

func (l *lloyd) seen(b *batch, from int, bmu []int32) {
	if l.before == nil {
		l.before = make([]int32, b.points.span.all)
	}
	for i, c := range bmu {
		if l.before[from+i] != c+1 {
			l.before[from+i] = c + 1
			l.changed++
		}
	}
}

// finish moves each landmark to the mean of its points. One without points goes to a point drawn with
// a chance proportional to the squared distance from its landmark, as k-means++ does, which never
// makes the sum of squares larger; it stays if every point is on a landmark. Points of landmarks that
// stay are not drawn while others have any: detail comes where landmarks are let move.
func (l *lloyd) finish(ctx context.Context, b *batch) error {
	g, d := b.code.Rows, b.code.Cols
	next := b.code.Clone()
	var empty []int
	for c := range g {
		switch {
		case b.pin(c):
		case b.sums.counts[c] == 0:
			empty = append(empty, c)
		default:
			row, n := next.Row(c), float64(b.sums.counts[c])
			for j, s := range b.sums.total[c*d : c*d+d] {
				row[j] = toFloat32(s / n)
			}
		}
	}
	filled := 0
	if len(empty) > 0 {
		var err error
		if filled, err = l.fill(ctx, b, next, empty); err != nil {
			return err
		}
	}
	if b.sums.given { // landmarks that stay have the same points, and stay for ever: the same codebook comes of it
		b.resting = filled == 0 && slices.Equal(next.Data, b.code.Data)
		b.code = next
		return nil
	}
	b.code = next
	b.resting = l.changed == 0 && filled == 0
	l.share = float64(l.changed) / float64(b.span.valid)
	l.changed = 0
	return nil
}

// fill puts the landmarks empty of code onto points, as long as there are points that are not on a
// landmark, and returns how many it has put. Reads all points once for each, so they have to be in memory: else it is
// ErrAll.
func (l *lloyd) fill(ctx context.Context, b *batch, code matrix.Matrix32, empty []int) (filled int, err error) {
	const size = 4096
	n := b.points.span.all
	if b.points.Rows < n {
		return 0, ErrAll
	}
	random := rand.New(rand.NewPCG(l.seed, uint64(b.done)))
	d2 := make([]float64, n) // to the nearest landmark known, 0 for invalid points
	sums := make([]float64, par.Count(n, size))
	loose := l.loose(b)
	measure := func(landmark func(i int) int) error {
		return par.Blocks(ctx, n, size, func(block, from, to int) {
			sum := 0.0
			for i := from; i < to; i++ {
				if c := l.before[i] - 1; c >= 0 && loose[c] {
					d := distance64(b.points.Row(i), code.Row(landmark(i)))
					if filled == 0 || d < d2[i] {
						d2[i] = d
					}
					sum += d2[i]
				}
			}
			sums[block] = sum
		})
	}
	if err := measure(func(i int) int { return int(l.before[i] - 1) }); err != nil {
		return 0, err
	}
	for _, c := range empty {
		i := draw(random, d2, sums, size)
		if i < 0 {
			break
		}
		copy(code.Row(c), b.points.Row(i))
		filled++
		if err := measure(func(int) int { return c }); err != nil {
			return 0, err
		}
	}
	return filled, nil
}

// loose says of the points of which landmarks one may be drawn: of those that move, if these have any.
func (l *lloyd) loose(b *batch) []bool {
	out, any := make([]bool, b.code.Rows), false
	for c := range out {
		out[c] = !b.pin(c)
		any = any || out[c] && b.sums.counts[c] > 0
	}
	if !any {
		for c := range out {
			out[c] = true
		}
	}
	return out
}

// draw returns an index with a chance proportional to weight, whose blocks of size have these sums;
// -1 if all weights are 0.
func draw(r *rand.Rand, weight, sums []float64, size int) int {
	total := 0.0
	for _, s := range sums {
		total += s
	}
	at := r.Float64() * total
	chosen := -1
	for block, s := range sums {
		if s == 0 {
			continue
		}
		// In the last block that counts, or the one that at falls into.
		from := block * size
		rest := at
		for i := from; i < min(len(weight), from+size); i++ {
			if weight[i] > 0 {
				chosen = i
				if rest < weight[i] {
					break
				}
				rest -= weight[i]
			}
		}
		if at < s {
			break
		}
		at -= s
	}
	return chosen
}
