// Package schedule decides what part of the picture is recomputed in a frame.
//
// The points are cut into blocks. Each block remembers the revisions its neighbours and
// its positions were computed from; what differs from the wanted ones is stale. A frame
// gives a time budget; the schedule spends it on stale blocks, in an order that suits what the user
// is doing, and measures what a point costs so that it stops in time. Of an engine that works on after
// its calls have returned it is told later what they took (Observe). It reads no clock of its own.
package schedule

import (
	"time"

	"blossom/model/base/revision"
)

// BlockPoints is the number of points in a block: small enough that one block fits any budget,
// large enough that its bookkeeping and the call into an engine cost nothing beside it.
const BlockPoints = 4096

// Want names the revisions that the picture should be made from. Key any further inputs into them:
// Neighbours changes with the points, the codebook and k; Project with positions and parameters.
type Want struct{ Neighbours, Project revision.Revision }

// Work computes the points [from, to). For a range neighbours are asked for first.
type Work struct {
	Neighbours func(from, to int) error
	Project    func(from, to int) error
}

// Schedule is the state of all blocks. The zero value is a schedule of no points.
type Schedule struct {
	Clock func() time.Time // nil: time.Now
	// Few says that only a few landmarks have moved since the last frame. An engine may do that at a
	// fraction of the cost of moving all, so an asynchronous one's cost is kept apart.
	Few bool

	n          int
	neighbours []revision.Revision // per block: what its neighbours were found from
	project    []Want              // per block: what its positions were computed from
	cursor     int                 // where the refresh of both stages goes on
	first      int                 // where the refresh of positions alone goes on
	live       int                 // blocks, from the first, that follow while things move
	last       Want

	neighboursCost, projectCost cost
	built                       [2]Want    // by stage, what the engine was called for last: it has the tables of that
	overhead                    [2]float64 // by stage, ns of its first call for other inputs beyond what points cost
	fewCost                     cost       // the cost of a position while Few
	flight                      flight
	stale                       int // blocks, after the last Frame
	shown                       int // blocks, after the last Frame
}

// lagFrames is how many frames old a point may be while training moves the codebook a little in each:
// so much more of the map can be shown than one frame can refresh, and it cannot be seen.
const lagFrames = 5

// Reset starts over with n points, nothing computed.
func (s *Schedule) Reset(n int) {
	blocks := (n + BlockPoints - 1) / BlockPoints
	*s = Schedule{Clock: s.Clock, n: n, neighbours: make([]revision.Revision, blocks), project: make([]Want, blocks),
		neighboursCost: s.neighboursCost, projectCost: s.projectCost, overhead: s.overhead, fewCost: s.fewCost,
		flight: flight{on: s.flight.on}, stale: blocks}
}

// Invalidate forgets all neighbours, as when the engine or the number of landmarks was changed.
// Positions on screen stay until they are computed anew.
func (s *Schedule) Invalidate() {
	clear(s.neighbours)
	for b := range s.project {
		if s.project[b] != (Want{}) {
			s.project[b] = Want{1, 1} // has been drawn, and is stale
		}
	}
	s.stale, s.first, s.cursor = len(s.project), 0, 0
}

// Motion says what is going on while a frame is computed.
type Motion uint8

const (
	Still    Motion = iota // single changes at most: everything stays on screen and is refreshed in turn
	Training               // the codebook moves a little in every frame
	Held                   // positions are in the user's hand, or a parameter is; training may go on beside it
)

// Frame computes stale blocks for at most about budget, at least one block if any is stale.
//
// Held: positions are computed first, with the neighbours as they are, from the first block on: the
// first points follow the hand at once, and only those that do are shown. Training: as many of the
// first points as a few frames can refresh are kept up to date in a cycle, and only those are shown.
// Still: the rest follows.
//
// It returns the first error of a stage.
func (s *Schedule) Frame(w Want, budget time.Duration, m Motion, work Work) error {
	clock := s.Clock
	if clock == nil {
		clock = time.Now
	}
	f := frame{Schedule: s, w: w, clock: clock, budget: budget, deadline: clock().Add(budget), work: work}
	s.begin()
	if w.Project != s.last.Project {
		s.first = 0
	}
	s.last = w
	defer s.count(w)

	limit := len(s.project)
	switch m {
	case Held:
		if err := f.positions(); err != nil {
			return err
		}
		s.live = min(s.live, s.first)
	case Training:
		if c := f.capacity(budget); c > 0 {
			limit = min(limit, lagFrames*c)
			s.live = limit
		}
	}
	return f.both(limit)
}

// frame is one call of Frame.
type frame struct {
	*Schedule
	w         Want
	clock     func() time.Time
	budget    time.Duration
	deadline  time.Time
	predicted float64 // ns of what has been asked for in this frame
	work      Work
	did       bool
}

// positions refreshes positions from where it stopped, with the neighbours there are.
func (f *frame) positions() error {
	for f.first < len(f.project) {
		b := f.first
		if f.neighbours[b] == 0 || f.project[b].Project == f.w.Project {
			f.first++
			continue
		}
		most := f.fits(false)
		if most == 0 && (f.did || f.flight.on) {
			return nil
		}
		end := b + 1
		for end < len(f.project) && end-b < most && f.neighbours[end] != 0 && f.project[end].Project != f.w.Project {
			end++
		}
		if err := f.run(b, end, false); err != nil {
			return err
		}
		f.first = end
	}
	return nil
}

// both refreshes both stages of the stale ones among the first limit blocks, in a cycle.
func (f *frame) both(limit int) error {
	for seen := 0; seen < limit; {
		if f.cursor >= limit {
			f.cursor = 0
		}
		b := f.cursor
		if f.project[b] == f.w {
			f.cursor++
			seen++
			continue
		}
		neighbours := f.neighbours[b] != f.w.Neighbours
		most := f.fits(neighbours)
		if most == 0 && (f.did || f.flight.on) {
			return nil
		}
		end := b + 1
		for end < limit && end-b < most && f.project[end] != f.w &&
			(f.neighbours[end] != f.w.Neighbours) == neighbours {
			end++
		}
		if err := f.run(b, end, neighbours); err != nil {
			return err
		}
		seen += end - b
		f.cursor = end
	}
	return nil
}

func (f *frame) run(from, to int, neighbours bool) error {
	lo, hi := from*BlockPoints, min(to*BlockPoints, f.n)
	if neighbours {
		if err := f.timed(Neighbours, false, f.work.Neighbours, lo, hi); err != nil {
			return err
		}
		for b := from; b < to; b++ {
			f.neighbours[b] = f.w.Neighbours
		}
	}
	if err := f.timed(Project, f.few() && !neighbours, f.work.Project, lo, hi); err != nil {
		return err
	}
	for b := from; b < to; b++ {
		f.project[b] = Want{f.neighbours[b], f.w.Project}
	}
	f.did = true
	return nil
}

// timed runs a stage and measures it, or notes it as under way.
func (f *frame) timed(stage Stage, few bool, run func(from, to int) error, lo, hi int) error {
	c := f.cost(stage, few)
	t := f.clock()
	if err := run(lo, hi); err != nil {
		return err
	}
	took := f.clock().Sub(t)
	if !f.flight.on {
		if f.fresh(stage) {
			f.tables(stage, took, hi-lo)
		} else {
			c.add(took, hi-lo)
		}
		return nil
	}
	c.called(took, hi-lo)
	perPoint := f.perPoint(c)
	f.predicted += perPoint * float64(hi-lo)
	f.flight.asked(stage, few, hi-lo, perPoint)
	return nil
}

// inputs returns what the tables of a stage are made from.
func (f *frame) inputs(stage Stage) Want {
	if stage == Neighbours {
		return Want{Neighbours: f.w.Neighbours}
	}
	return f.w
}

// fresh says whether a stage has not been called for the present inputs. An engine makes its tables of the
// landmarks in that call, which says little about what points cost: it is given one block.
func (f *frame) fresh(stage Stage) bool {
	return !f.flight.on && f.built[stage] != f.inputs(stage)
}

// tables takes the measurement of such a call. If that has used the budget up, there is a little more, for
// a frame that moves one block is not worth its tables.
func (f *frame) tables(stage Stage, took time.Duration, points int) {
	f.built[stage] = f.inputs(stage)
	o := &f.overhead[stage]
	*o += 0.3 * (max(0, float64(took)-f.cost(stage, false).perPoint*float64(points)) - *o)
	if least := f.clock().Add(f.budget / 4); !f.did && f.deadline.Before(least) {
		f.deadline = least
	}
}

// fits returns how many blocks the rest of the budget holds, of positions alone or with neighbours.
func (f *frame) fits(neighbours bool) int {
	if f.flight.on {
		return f.fitsAsync(neighbours)
	}
	left := f.deadline.Sub(f.clock())
	if left <= 0 {
		return 0
	}
	perPoint := f.projectCost.perPoint
	if neighbours {
		perPoint += f.neighboursCost.perPoint
	}
	tables, need := false, perPoint*BlockPoints
	for stage, asked := range [2]bool{neighbours, true} {
		if asked && f.fresh(Stage(stage)) {
			tables, need = true, need+f.overhead[stage]
		}
	}
	switch {
	case tables && f.did && need > float64(left):
		return 0
	case tables, f.projectCost.perPoint == 0, neighbours && f.neighboursCost.perPoint == 0:
		return 1 // the tables come with it, or it is not measured yet
	}
	return int(min(float64(left)/perPoint/BlockPoints, float64(len(f.project))))
}

// capacity returns how many blocks a frame can refresh in both stages, 0 while that is not known.
func (f *frame) capacity(budget time.Duration) int {
	c := f.perPoint(&f.neighboursCost) + f.perPoint(&f.projectCost)
	if f.neighboursCost.perPoint == 0 || c <= 0 {
		return 0
	}
	left := max(float64(budget)-f.overhead[Neighbours]-f.overhead[Project], float64(budget)/4)
	return max(1, int(min(left/c/BlockPoints, float64(len(f.project)))))
}

// count finds what is stale and what can be shown: the first blocks that are as wanted, or follow with
// a lag that cannot be seen.
func (s *Schedule) count(w Want) {
	s.stale, s.shown = 0, -1
	for b := range s.project {
		if s.project[b] != w {
			s.stale++
		}
		lagging := b < s.live && s.project[b] != (Want{})
		if s.shown < 0 && !lagging && s.project[b].Project != w.Project {
			s.shown = b
		}
	}
	if s.shown < 0 {
		s.shown = len(s.project)
	}
	if s.stale == 0 {
		s.live = len(s.project)
	}
}

// Stale returns the fraction of points whose position is older than what was last wanted.
func (s *Schedule) Stale() float64 {
	if len(s.project) == 0 {
		return 0
	}
	return float64(s.stale) / float64(len(s.project))
}

// StaleFor says whether anything would have to be computed to show w.
func (s *Schedule) StaleFor(w Want) bool {
	if s.n == 0 {
		return false
	}
	return s.stale > 0 || s.last != w
}

// Shown returns how many points, from the first, should be drawn: while things move only those that
// follow, so that the picture is never torn between two states; at rest all.
func (s *Schedule) Shown() int { return min(s.n, s.shown*BlockPoints) }

// Len returns the number of points.
func (s *Schedule) Len() int { return s.n }

// Cost returns the measured cost per point of both stages, in nanoseconds.
func (s *Schedule) Cost() (neighbours, project float64) {
	return s.neighboursCost.perPoint, s.projectCost.perPoint
}

// cost is a smoothed measurement of what one point takes.
type cost struct {
	perPoint float64
	// An asynchronous engine returns before the work is done, so its calls are measured apart:
	call    float64 // until the call returns
	largest int     // points of the largest piece done
}

func (c *cost) add(d time.Duration, points int) {
	if points == 0 || d <= 0 {
		return
	}
	x := float64(d) / float64(points)
	if c.perPoint == 0 {
		c.perPoint = x
		return
	}
	// A slow call (another process took the core) counts for less than it shows, a fast one for more:
	// one hiccup must not halve the refresh for the next frames.
	weight := 0.3
	if x > 2*c.perPoint {
		weight = 0.1
	}
	c.perPoint += weight * (x - c.perPoint)
}

// observe takes what the device's own clock measured. No hiccup of the machine is in that, so what has
// become dearer counts at once; what a small piece cost says little about a large one.
func (c *cost) observe(d time.Duration, points int) {
	if points <= 0 {
		return
	}
	x := float64(max(d, 0)) / float64(points)
	switch {
	case c.perPoint == 0 || points >= growth*c.largest:
		c.perPoint = x
	case x > c.perPoint:
		c.perPoint += 0.7 * (x - c.perPoint)
	default:
		c.perPoint += 0.3 * (x - c.perPoint)
	}
	c.largest = max(c.largest, points)
}

// called takes how long the call of an asynchronous piece of work took.
func (c *cost) called(d time.Duration, points int) {
	if points <= 0 || d < 0 {
		return
	}
	x := float64(d) / float64(points)
	if c.call == 0 {
		c.call = x
	}
	weight := 0.7
	if x > c.call {
		weight = 0.1 // a call that builds tables once says little of what points cost
	}
	c.call += weight * (x - c.call)
}
