package tsne

import (
	"context"
	"slices"
	"time"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/maps/places"
)

// How a map is kept from shrinking to a point, and seen to rest, in its units.
const (
	leastRadius = 1e-6
	// PartJitter parts points with equal rows of affinities when exaggeration, which has made them coincide, ends.
	PartJitter = 1e-3
	meanEvery  = 50
	restStep   = 1e-4
	restUnits  = 50
)

// Forming is a map that forms on a device: the schedule, which is the same on all devices. It is a step.Stepper, used
// from the goroutine of the device's engine, and needs a Close.
type Forming struct {
	options Options
	traits  Traits
	body    Body
	n       int
	units   int
	plan    Plan
	last    Measure // when it was planned
	planned int     // at which unit
	rests   int
	stale   bool // the plan, by a change from outside
	forming bool // the last unit had exaggeration
	timed   func(string, time.Duration)
	held    places.Held
	rest    bool
}

var _ step.Stepper = (*Forming)(nil)

// Start begins a map of affinities at y (n x dims, finite; PCAStart and others make one). It may be continued from a
// State instead, with Continue.
func Start(ctx context.Context, d Device, p *Sparse, y []float32, o Options) (*Forming, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := places.Check(y, p.N, o.Dims); err != nil {
		return nil, err
	}
	s := &State{Dims: o.Dims, Y: y, V: make([]float32, len(y)), Gain: slices.Repeat([]float32{1}, len(y)), Stale: true}
	return Continue(ctx, d, p, s, o)
}

// Continue takes a map up where Save left it. With the options, affinities and device of then it goes on with the bits
// of one that was never left.
func Continue(ctx context.Context, d Device, p *Sparse, s *State, o Options) (*Forming, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if err := s.check(p.N, o.Dims); err != nil {
		return nil, err
	}
	l := &Forming{options: o, traits: d.Traits(o.Dims), n: p.N}
	l.resume(s)
	if _, err := o.plan(l.traits, l.n, s.Last, s.Last, 0, s.Plan.Method, false); err != nil {
		return nil, err // a method that this device does not have
	}
	var err error
	if l.body, err = d.Open(ctx, p, o.Dims); err != nil {
		return nil, err
	}
	if err = l.body.Load(ctx, s); err != nil {
		l.body.Close()
		return nil, err
	}
	return l, nil
}

// resume puts the schedule where it was.
func (l *Forming) resume(s *State) {
	l.units, l.plan, l.last, l.planned, l.rests = s.Units, s.Plan, s.Last, s.Planned, s.Rests
	l.stale, l.forming = s.Stale || s.Plan.Method == "", s.Forming
	l.held = append(l.held[:0], s.Held...)
	l.decideRest()
}

func (s *State) check(n, dims int) error {
	if s.Dims != dims || len(s.V) != len(s.Y) || len(s.Gain) != len(s.Y) {
		return problem.New("", "start it anew", "a map of %d dimensions cannot go on with %d", s.Dims, dims)
	}
	if s.Slots != nil && !permutation(s.Slots, n) || s.Curve != nil && !permutation(s.Curve, n) {
		return problem.New("", "start it anew", "the saved order of %d points of a map is damaged", n)
	}
	if l := s.Plan.Lattice; s.Plan.Method == Field &&
		(!slices.Contains(nodes, l.N) || l.Spline != 4 && l.Spline != 6 || !(l.H > 0) || l.H-l.H != 0) {
		return problem.New("", "start it anew", "the saved lattice of %d points of a map is damaged", n)
	}
	if err := places.CheckHeld(s.Held, n); err != nil {
		return err
	}
	return places.Check(s.Y, n, dims)
}

func permutation(order []int32, n int) bool {
	if len(order) != n {
		return false
	}
	seen := make([]bool, n)
	for _, i := range order {
		if i < 0 || int(i) >= n || seen[i] {
			return false
		}
		seen[i] = true
	}
	return true
}

// Step does units of the schedule. Splitting them changes nothing.
func (l *Forming) Step(ctx context.Context, units int) (step.Progress, error) {
	for units > 0 && !l.rest {
		if err := ctx.Err(); err != nil {
			return l.Progress(), err
		}
		was := *l
		b, err := l.batch(ctx, units)
		if err != nil {
			return l.Progress(), err
		}
		done, err := l.body.Advance(ctx, b)
		l.units += done
		units -= done
		switch {
		case err != nil && done == 0: // it is planned again, as if it had not been
			l.plan, l.last, l.planned = was.plan, was.last, was.planned
			l.stale = was.stale || was.forming && !l.forming
		case err == nil && l.units%PlanEvery == 0:
			err = l.countStill(context.WithoutCancel(ctx)) // else a cancel would be seen in when it rests
		}
		l.decideRest()
		if err != nil {
			return l.Progress(), err
		}
	}
	return l.Progress(), nil
}

// Progress is how far it is.
func (l *Forming) Progress() step.Progress {
	return step.Progress{Done: int64(l.units), Total: int64(l.options.Total), Rest: l.rest}
}

// batch is the next units, most at most, up to where something is decided.
func (l *Forming) batch(ctx context.Context, most int) (Batch, error) {
	o := l.options
	if l.units < o.Until {
		l.forming = true
	} else if l.forming {
		if err := l.partCoincident(context.WithoutCancel(ctx)); err != nil { // once, and whole
			return Batch{}, err
		}
		l.forming = false
	}
	b := Batch{Units: most}
	if l.wild() {
		b.Units = 1
	}
	for _, every := range []int{PlanEvery, methodEvery} {
		b.Units = min(b.Units, every-l.units%every)
	}
	for _, at := range []int{o.Until, o.Total} {
		if at > l.units {
			b.Units = min(b.Units, at-l.units)
		}
	}
	if l.due() {
		p, now, err := l.next(ctx)
		if err != nil {
			return Batch{}, err
		}
		l.plan, l.last, l.planned, l.stale = p, now, l.units, false
		b.Renew = true
		b.Renumber = l.units == methodEvery || l.units == orderEvery/2 || l.units > 0 && l.units%orderEvery == 0
	}
	b.Plan, b.Timed = l.plan, l.timed
	b.E, b.Mu, b.Eta = o.Schedule(l.units, l.n)
	free := len(l.held) == 0 // held points stay where they are held
	if l.units < o.Until && free {
		b.LeastRadius = leastRadius
	}
	b.Centre = free && (l.units+b.Units)%meanEvery == 0
	return b, nil
}

// partCoincident adds noise that parts points which exaggeration has made coincide.
func (l *Forming) partCoincident(ctx context.Context) error {
	s := &State{}
	if err := l.body.Save(ctx, s); err != nil {
		return err
	}
	shift := make([]float64, len(s.Y))
	Jitter(shift, l.options.Seed, uint64(l.units), PartJitter)
	dims := l.options.Dims
	for _, id := range s.Held {
		clear(shift[int(id)*dims : int(id+1)*dims])
	}
	for c, v := range shift {
		s.Y[c] += float32(v)
	}
	l.stale = true
	return l.body.Load(ctx, s)
}

// due says whether the next unit is planned anew.
func (l *Forming) due() bool {
	return l.stale || l.wild() || l.units%PlanEvery == 0 || l.units%methodEvery == 0
}

// wild says whether the map may grow by a large part of itself in a unit: at first, and when exaggeration has ended.
// It is planned for each unit then, so that no point comes to the edge of a lattice.
func (l *Forming) wild() bool {
	until := l.options.Until
	return l.units < methodEvery || l.units >= until && l.units < until+2*PlanEvery
}

// next is the plan for the map as it lies, and how it lies.
func (l *Forming) next(ctx context.Context) (Plan, Measure, error) {
	now, err := l.body.Measure(ctx)
	if err != nil {
		return Plan{}, now, err
	}
	units := l.units - l.planned
	if l.stale {
		units = 0
	}
	p, err := l.options.plan(l.traits, l.n, now, l.last, units, l.plan.Method, l.units%methodEvery == 0)
	return p, now, err
}

// countStill sees whether the map stands still.
func (l *Forming) countStill(ctx context.Context) error {
	m, err := l.body.Measure(ctx)
	if err != nil {
		return err
	}
	l.rests++
	if l.units <= l.options.Until || len(l.held) > 0 || m.Step >= restStep*m.Extent() {
		l.rests = 0
	}
	return nil
}

// decideRest says whether it is done, or rests.
func (l *Forming) decideRest() {
	total := l.options.Total
	l.rest = l.n < 2 || total > 0 && l.units >= total || l.rests*PlanEvery >= restUnits
}

// Len is how many points there are.
func (l *Forming) Len() int { return l.n }

// Units is how many were done.
func (l *Forming) Units() int { return l.units }

// Method is how repulsion is computed at the moment; "" before the first unit.
func (l *Forming) Method() Method { return l.plan.Method }

// Plan is how repulsion is computed at the moment.
func (l *Forming) Plan() Plan { return l.plan }

// Options are what it runs with.
func (l *Forming) Options() Options { return l.options }

// Change sets what may change while it forms, from the next unit on. Dims and Seed stay.
func (l *Forming) Change(o Options) error {
	o.Dims, o.Seed = l.options.Dims, l.options.Seed
	if err := o.Validate(); err != nil {
		return err
	}
	if _, err := o.plan(l.traits, l.n, l.last, l.last, 0, l.plan.Method, false); err != nil {
		return err
	}
	was := l.options
	if o.Method != was.Method || o.Theta != was.Theta || o.Accuracy != was.Accuracy {
		l.stale = true
		if o.Method != was.Method {
			l.plan.Method = ""
		}
	}
	l.options = o
	l.wake()
	return nil
}

// wake lets a map that had come to rest go on.
func (l *Forming) wake() {
	l.rests = 0
	l.decideRest()
}

// Swap puts other affinities in place, of another perplexity as a rule; where points are and how they move stays.
func (l *Forming) Swap(ctx context.Context, p *Sparse) error {
	if p.N != l.n {
		return problem.New("", "start it anew", "a map of %d points cannot go on with %d", l.n, p.N)
	}
	l.wake()
	return l.body.Swap(ctx, p)
}

// Hold pins points at to (len(ids) x dims), or moves them there if they are held; others go on, around them.
func (l *Forming) Hold(ctx context.Context, ids []int32, to []float32) error {
	if err := l.held.Hold(ctx, l.body, l.n, l.options.Dims, ids, to); err != nil {
		return err
	}
	l.stale = true // they may lie where nothing was before
	l.wake()
	return nil
}

// Release lets points go, which rest where they are at first.
func (l *Forming) Release(ctx context.Context, ids []int32) error {
	if err := l.held.Release(ctx, l.body, l.n, ids); err != nil {
		return err
	}
	l.wake()
	return nil
}

// Held are the points that are pinned, rising. It must not be changed.
func (l *Forming) Held() []int32 { return l.held }

// Watch tells fn what each step of each unit takes from now on, for measurements; nil ends it.
func (l *Forming) Watch(fn func(step string, took time.Duration)) { l.timed = fn }

// Evaluate computes forces, Z and KL where points are now. It changes nothing.
func (l *Forming) Evaluate(ctx context.Context, out *Evaluation) error {
	p := l.plan
	if l.due() {
		var err error
		if p, _, err = l.next(ctx); err != nil {
			return err
		}
	}
	out.Method = p.Method
	return l.body.Evaluate(ctx, p, out)
}

// Measure says how the map lies. It waits for units that a card has not done yet.
func (l *Forming) Measure(ctx context.Context) (Measure, error) { return l.body.Measure(ctx) }

// Positions writes where the points are to dst, in order.
func (l *Forming) Positions(ctx context.Context, dst places.Target) error {
	return l.body.Positions(ctx, dst)
}

// Save fills s with all that Continue needs.
func (l *Forming) Save(ctx context.Context, s *State) error {
	if err := l.body.Save(ctx, s); err != nil {
		return err
	}
	s.Dims, s.Units, s.Plan, s.Last, s.Planned, s.Rests = l.options.Dims, l.units, l.plan, l.last, l.planned, l.rests
	s.Stale, s.Forming = l.stale, l.forming
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
	l.resume(s)
	return nil
}

// Close gives the device's memory back.
func (l *Forming) Close() { l.body.Close() }
