package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"

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
		return &batch{limit: epochs, rule: rule{seen: l.seen, finish: l.finish, renewed: l.renewed, live: l.live,
			salt: l.salt, strays: &l.strays}}
	})
}

// lloyd is what Lloyd's algorithm remembers beside the sums: 4 bytes a point, and as many of those that
// are visited at once.
type lloyd struct {
	seed    uint64
	before  []int32 // landmark of each point in the epoch before; -1: none
	changed int     // points whose landmark changed in this epoch
	share   float64 // share of the points that changed their landmark in the last whole epoch
	strays  Strays  // drawn from points as they go by
}

func (l *lloyd) renewed(*batch) {
	l.forget()
	l.changed, l.strays = 0, Strays{}
}

// someOfMany are as many points as are worth a core of their own where each is but looked at.
const someOfMany = 1 << 14

// forget leaves all points without a landmark.
func (l *lloyd) forget() {
	_ = par.Blocks(context.Background(), len(l.before), someOfMany, func(_, from, to int) {
		for i := range l.before[from:to] {
			l.before[from+i] = -1
		}
	})
}

func (l *lloyd) live(*batch) map[string]float64 { return map[string]float64{"changed": l.share} }

func (l *lloyd) seen(b *batch, from int, bmu []int32) {
	if l.before == nil {
		l.before = make([]int32, b.points.span.all)
		l.forget()
	}
	var changed atomic.Int64
	_ = par.Blocks(context.Background(), len(bmu), someOfMany, func(_, low, high int) {
		now, before, n := bmu[low:high], l.before[from+low:from+high], 0
		for i, c := range before {
			if c != now[i] {
				n++
			}
		}
		if n > 0 {
			copy(before, now)
			changed.Add(int64(n))
		}
	})
	l.changed += int(changed.Load())
	if b.points.Rows < b.points.span.all {
		from -= b.points.span.from
		some := b.points
		some.Data, some.Rows = some.Data[from*some.Cols:(from+len(bmu))*some.Cols], len(bmu)
		_ = l.strays.look(context.Background(), &some, bmu, &b.landmarks, l.salt(b))
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
	defer func() { l.strays = Strays{} }()
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

// fill puts the landmarks empty of code onto points, as long as there are points that are not on a landmark, and
// returns how many it has put. Points are drawn from Strays, by what is left of their squared distances over the chance
// that they are among these (D. G. Horvitz and D. J. Thompson, 1952), as k-means++ draws them from all. Points in
// memory are read once for that; of others strays were found as they went by.
func (l *lloyd) fill(ctx context.Context, b *batch, code matrix.Matrix32, empty []int) (filled int, err error) {
	if b.points.Rows == b.points.span.all {
		l.strays = Strays{}
		if err := l.strays.look(ctx, &b.points, l.before, &b.landmarks, l.salt(b)); err != nil {
			return 0, err
		}
	}
	moving := false
	for c, n := range b.sums.counts {
		moving = moving || n > 0 && !b.pin(c)
	}
	some, chances := l.strays.drawn(moving)
	places := newPlaces(some, chances)
	random := rand.New(rand.NewPCG(l.seed, uint64(b.epoch())))
	for _, c := range empty {
		i := draw(random, places.left)
		if i < 0 {
			break
		}
		copy(code.Row(c), some[i].x)
		filled++
		places.take(i)
	}
	return filled, nil
}

// salt is another one in each epoch.
func (l *lloyd) salt(b *batch) uint64 {
	return (l.seed^0x6c6c6f7964)*0x9e3779b97f4a7c15 + uint64(b.epoch())*0xd6e8feb86659fd93
}

// draw returns an index with a chance proportional to weight; -1 if all weights are 0.
func draw(r *rand.Rand, weight []float64) int {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	at, chosen := r.Float64()*total, -1
	for i, w := range weight {
		if w > 0 {
			if chosen = i; at < w {
				break
			}
			at -= w
		}
	}
	return chosen
}
