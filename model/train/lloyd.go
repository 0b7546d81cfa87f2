package train

import (
	"cmp"
	"context"
	"slices"

	"blossom/model/internal/par"
	"blossom/model/matrix"
	"blossom/model/step"
)

func init() {
	epochs := paramEpochs
	epochs.Integer, epochs.Default, epochs.Title = true, 100, "Epochs at most"
	epochs.Help = "How many times all points are visited at most; it ends before when no point changes its landmark. 0 is no limit."
	Register(Algorithm{
		ID: "lloyd", Title: "k-means, Lloyd", Order: 4,
		Help:   "Visits all points, then moves every landmark to the mean of the points nearest to it, until nothing changes. Positions on the map play no part.",
		Params: []step.Param{epochs},
		New: func(in Input, v step.Values) (Trainer, error) {
			l := &lloyd{}
			return newBatch(in, v, &batch{limit: epochs, seen: l.seen, finish: l.finish, renewed: l.renewed, live: l.live})
		},
	})
}

// lloyd is what Lloyd's algorithm remembers beside the sums: 4 bytes a point.
type lloyd struct {
	before  []int32 // landmark+1 of each point in the epoch before; 0: none
	changed int     // points whose landmark changed in this epoch
	share   float64 // of all points, in the last whole epoch
}

func (l *lloyd) renewed(*batch) {
	clear(l.before)
	l.changed = 0
}

func (l *lloyd) live(*batch) map[string]float64 { return map[string]float64{"changed": l.share} }

func (l *lloyd) seen(b *batch, from int, bmu []int32) {
	if l.before == nil {
		l.before = make([]int32, b.points.Rows)
	}
	for i, c := range bmu {
		if l.before[from+i] != c+1 {
			l.before[from+i] = c + 1
			l.changed++
		}
	}
}

// finish moves each landmark to the mean of its points. One without points goes to the point that is
// farthest from its own landmark (the farthest ones, for several, lower rows first among equals),
// which never makes the sum of squares larger; it stays if every point is on its landmark.
func (l *lloyd) finish(ctx context.Context, b *batch) error {
	g, d := b.code.Rows, b.code.Cols
	next := b.code.Clone()
	var empty []int
	for c := range g {
		switch {
		case b.pin(c):
		case b.counts[c] == 0:
			empty = append(empty, c)
		default:
			row, n := next.Row(c), float64(b.counts[c])
			for j, s := range b.sums[c*d : c*d+d] {
				row[j] = toFloat32(s / n)
			}
		}
	}
	moved := false
	if len(empty) > 0 {
		far, err := l.farthest(ctx, b.points, next, len(empty))
		if err != nil {
			return err
		}
		for i, f := range far {
			copy(next.Row(empty[i]), b.points.Row(f.row))
			moved = true
		}
	}
	b.code = next
	b.resting = l.changed == 0 && !moved
	l.share = float64(l.changed) / float64(b.count)
	l.changed = 0
	return nil
}

type farPoint struct {
	d2  float64
	row int
}

// farthest returns up to m points that are not on their landmark, the farthest first.
func (l *lloyd) farthest(ctx context.Context, p points, code matrix.Matrix32, m int) ([]farPoint, error) {
	const size = 1 << 14
	order := func(a, b farPoint) int { return cmp.Or(cmp.Compare(b.d2, a.d2), cmp.Compare(a.row, b.row)) }
	parts := make([][]farPoint, par.Count(p.Rows, size))
	err := par.Blocks(ctx, p.Rows, size, func(b, from, to int) {
		var far []farPoint
		for i := from; i < to; i++ {
			if c := l.before[i] - 1; c >= 0 {
				if d2 := distance64(p.Row(i), code.Row(int(c))); d2 > 0 {
					far = append(far, farPoint{d2, i})
				}
			}
			if len(far) > 2*m+64 {
				slices.SortFunc(far, order)
				far = far[:m]
			}
		}
		parts[b] = far
	})
	if err != nil {
		return nil, err
	}
	all := slices.Concat(parts...)
	slices.SortFunc(all, order)
	return all[:min(m, len(all))], nil
}
