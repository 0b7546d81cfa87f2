package umap

import (
	"context"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/maps/places"
)

// Forming is a map that forms on a device: the schedule, which is the same on all devices. It is a step.Stepper in
// epochs, and needs a Close.
type Forming struct {
	options Options
	kernel  Kernel
	body    Body
	n       int
	epoch   int // so many were done
	warm    int // so many are due beyond the last, for what was dragged
	graph   *Graph
	dragged []int32 // rising
	heat    []float32
	local   bool // the body has heat
	held    places.Held
}

var _ step.Stepper = (*Forming)(nil)

// batchEpochs is how many epochs a batch has at most.
const batchEpochs = 64

// Start begins a map of a graph at y (n x dims, finite; PCAStart and others make one).
func Start(ctx context.Context, d Device, g *Graph, y []float32, o Options) (*Forming, error) {
	return Continue(ctx, d, g, &State{Dims: o.Dims, Y: y}, o)
}

// Continue takes a map up where Save left it. With the options, graph and device of then it goes on with the bits of
// one that was never left.
func Continue(ctx context.Context, d Device, g *Graph, s *State, o Options) (*Forming, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := s.check(g.N, o.Dims); err != nil {
		return nil, err
	}
	l := &Forming{options: o, kernel: Fit(o.Least, o.Spread), n: g.N, graph: g}
	var err error
	if l.body, err = d.Open(ctx, g, o.Dims); err != nil {
		return nil, err
	}
	if err = l.Restore(ctx, s); err != nil {
		l.body.Close()
		return nil, err
	}
	return l, nil
}

func (s *State) check(n, dims int) error {
	if s.Dims != dims || s.Epoch < 0 {
		return problem.New("", "start it anew", "a map of %d dimensions at epoch %d cannot go on with %d", s.Dims,
			s.Epoch, dims)
	}
	for _, list := range [][]int32{s.Held, s.Dragged} {
		if err := places.CheckHeld(list, n); err != nil {
			return err
		}
	}
	return places.Check(s.Y, n, dims)
}

// Step does epochs of the schedule. Splitting them changes nothing.
func (l *Forming) Step(ctx context.Context, units int) (step.Progress, error) {
	for units > 0 && !l.rests() {
		b := Batch{Epoch: l.epoch + 1, Kernel: l.kernel, Negatives: l.options.Negatives, Seed: l.options.Seed}
		total := l.options.Total(l.n)
		beyond := b.Epoch > total
		most := min(units, batchEpochs)
		for e, warm := b.Epoch, l.warm; len(b.Alpha) < most && (beyond && warm > 0 || e <= total); e++ {
			b.Alpha = append(b.Alpha, alpha(e, total, warm))
			warm = l.cooled(warm, 1)
		}
		if err := l.spread(ctx, beyond); err != nil {
			return l.Progress(), err
		}
		done, err := l.body.Advance(ctx, b)
		l.epoch += done
		l.warm = l.cooled(l.warm, done)
		units -= done
		if err != nil {
			return l.Progress(), err
		}
	}
	return l.Progress(), ctx.Err()
}

// spread has only those points move whom what was dragged has warmed, or all.
func (l *Forming) spread(ctx context.Context, local bool) error {
	if local == l.local && (!local || l.heat != nil) {
		return nil
	}
	if l.local = local; !local {
		return l.body.Warm(ctx, nil)
	}
	if l.heat == nil {
		l.heat = l.graph.around(l.dragged)
	}
	return l.body.Warm(ctx, l.heat)
}

// around is how warm points are, with those that were dragged.
func (g *Graph) around(dragged []int32) []float32 {
	heat := make([]float32, g.N)
	for _, i := range dragged {
		heat[i] = 1
	}
	edge, warm := slices.Clone(dragged), float32(1)
	for range warmReach {
		from := edge
		edge = nil
		for _, i := range from {
			for _, j := range g.Column[g.Start[i]:g.Start[i+1]] {
				if heat[j] == 0 {
					heat[j] = warm
					edge = append(edge, j)
				}
			}
		}
		warm /= 2
	}
	return heat
}

// cooled is how warm a map is after so many epochs, which stays as it is while somebody drags points.
func (l *Forming) cooled(warm, epochs int) int {
	if l.options.Beyond {
		return warm
	}
	return max(0, warm-epochs)
}

// rests says whether nothing more will move.
func (l *Forming) rests() bool {
	return l.n < 2 || l.warm == 0 && l.epoch >= l.options.Total(l.n)
}

// Progress is how far it is.
func (l *Forming) Progress() step.Progress {
	p := step.Progress{Done: int64(l.epoch), Total: int64(l.options.Total(l.n)), Rest: l.rests()}
	if l.options.Beyond {
		p.Total = 0
	} else if l.warm > 0 {
		p.Total = max(p.Total, p.Done+int64(l.warm))
	}
	return p
}

// Len is how many points there are.
func (l *Forming) Len() int { return l.n }

// Epoch is how many epochs were done.
func (l *Forming) Epoch() int { return l.epoch }

// Warm is how many epochs are due beyond the last, since Dragged were. Dragged must not be changed.
func (l *Forming) Warm() int        { return l.warm }
func (l *Forming) Dragged() []int32 { return l.dragged }

// Options are what it runs with.
func (l *Forming) Options() Options { return l.options }

// Change sets what may change while it forms, from the next epoch on. Dims and Seed stay.
func (l *Forming) Change(o Options) error {
	o.Dims, o.Seed = l.options.Dims, l.options.Seed
	if err := o.Validate(); err != nil {
		return err
	}
	if o.Least != l.options.Least || o.Spread != l.options.Spread {
		l.kernel = Fit(o.Least, o.Spread)
	}
	if o.Beyond && !l.options.Beyond {
		l.warm, l.dragged, l.heat = warmEpochs, nil, nil
	}
	l.options = o
	return nil
}

// Swap puts another graph in place, of other neighbourhoods as a rule; where points are stays.
func (l *Forming) Swap(ctx context.Context, g *Graph) error {
	if g.N != l.n {
		return problem.New("", "start it anew", "a map of %d points cannot go on with %d", l.n, g.N)
	}
	l.graph, l.heat = g, nil
	return l.body.Swap(ctx, g)
}

// Hold pins points at to (len(ids) x dims), or moves them there if they are held; others go on, around them.
func (l *Forming) Hold(ctx context.Context, ids []int32, to []float32) error {
	if err := l.held.Hold(ctx, l.body, l.n, l.options.Dims, ids, to); err != nil {
		return err
	}
	if was := len(l.dragged); l.options.Beyond {
		if l.dragged = places.Joined(l.dragged, ids); len(l.dragged) > was {
			l.heat = nil
		}
	}
	return nil
}

// Release lets points go.
func (l *Forming) Release(ctx context.Context, ids []int32) error {
	if err := l.held.Release(ctx, l.body, l.n, ids); err != nil {
		return err
	}
	return nil
}

// Held are the points that are pinned, rising. It must not be changed.
func (l *Forming) Held() []int32 { return l.held }

// Positions writes where the points are to dst, in order.
func (l *Forming) Positions(ctx context.Context, dst places.Target) error {
	return l.body.Positions(ctx, dst)
}

// Save fills s with all that Continue needs.
func (l *Forming) Save(ctx context.Context, s *State) error {
	if err := l.body.Save(ctx, s); err != nil {
		return err
	}
	s.Dims, s.Epoch, s.Warm, s.Dragged = l.options.Dims, l.epoch, l.warm, slices.Clone(l.dragged)
	return nil
}

// Restore puts the map back to a state of it, as undo does.
func (l *Forming) Restore(ctx context.Context, s *State) error {
	if err := s.check(l.n, l.options.Dims); err != nil {
		return err
	}
	if err := l.body.Load(ctx, s); err != nil {
		return err
	}
	l.epoch, l.warm, l.held = s.Epoch, min(max(0, s.Warm), warmEpochs), append(l.held[:0], s.Held...)
	l.dragged, l.heat, l.local = append(l.dragged[:0], s.Dragged...), nil, false
	return nil
}

// Close gives the device's memory back.
func (l *Forming) Close() { l.body.Close() }
