// Package schedule decides what part of the picture is recomputed in a frame.
//
// The points are cut into blocks. Each block remembers the revisions its neighbours (stage A) and
// its positions (stage B) were computed from; what differs from the wanted ones is stale. A frame
// gives a time budget; the schedule spends it on stale blocks, in an order that suits what the user
// is doing, and measures what a point costs so that it stops in time. It reads no clock of its own.
package schedule

import (
	"time"

	"blossom/model/revision"
)

// BlockPoints is the number of points in a block: small enough that one block fits any budget,
// large enough that its bookkeeping and the call into an engine cost nothing beside it.
const BlockPoints = 4096

// Want names the revisions that the picture should be made from. Key any further inputs into them:
// Near changes with the points, the codebook and k; Place with positions and parameters.
type Want struct{ Near, Place revision.Revision }

// Work computes the points [from, to). The stages are called in the order A, B for a range.
type Work struct {
	Near  func(from, to int) error
	Place func(from, to int) error
}

// Schedule is the state of all blocks. The zero value is a schedule of no points.
type Schedule struct {
	Clock func() time.Time // nil: time.Now

	n      int
	near   []revision.Revision // per block: what its neighbours were found from
	place  []Want              // per block: what its positions were computed from
	cursor int                 // where the cyclic refresh goes on
	first  int                 // where a refresh of positions alone goes on
	last   Want

	nearCost, placeCost cost
	stale               int // blocks, after the last Frame
}

// Reset starts over with n points, nothing computed.
func (s *Schedule) Reset(n int) {
	blocks := (n + BlockPoints - 1) / BlockPoints
	*s = Schedule{Clock: s.Clock, n: n, near: make([]revision.Revision, blocks), place: make([]Want, blocks),
		nearCost: s.nearCost, placeCost: s.placeCost, stale: blocks}
}

// Invalidate forgets all neighbours, as when the engine was changed or the points were replaced by
// as many others. Positions on screen stay until they are computed anew.
func (s *Schedule) Invalidate() {
	clear(s.near)
	clear(s.place)
	s.stale = len(s.place)
}

// Frame computes stale blocks for at most about budget, at least one block if any is stale.
//
// With hold (a landmark is being dragged) positions come first, from the first block on, with the
// neighbours as they are: the first points follow the hand at once and Fresh says how many. What is
// left of the budget, and all of it without hold, refreshes both stages in a cycle.
//
// It calls touched for every range whose positions changed, and returns the first error of a stage.
func (s *Schedule) Frame(w Want, budget time.Duration, hold bool, work Work, touched func(from, to int)) error {
	clock := s.Clock
	if clock == nil {
		clock = time.Now
	}
	if s.last.Place != w.Place {
		s.first = 0
	}
	s.last = w
	deadline := clock().Add(budget)
	did := false

	run := func(from, to int, near bool) error {
		lo, hi := from*BlockPoints, min(to*BlockPoints, s.n)
		if near {
			t := clock()
			if err := work.Near(lo, hi); err != nil {
				return err
			}
			s.nearCost.add(clock().Sub(t), hi-lo)
			for b := from; b < to; b++ {
				s.near[b] = w.Near
			}
		}
		t := clock()
		if err := work.Place(lo, hi); err != nil {
			return err
		}
		s.placeCost.add(clock().Sub(t), hi-lo)
		for b := from; b < to; b++ {
			s.place[b] = Want{s.near[b], w.Place}
		}
		did = true
		touched(lo, hi)
		return nil
	}
	// blocks returns how many blocks the rest of the budget holds at the measured cost.
	blocks := func(perPoint float64) int {
		left := deadline.Sub(clock())
		if left <= 0 {
			return 0
		}
		if perPoint <= 0 {
			return 1
		}
		return int(min(float64(left)/perPoint/BlockPoints, float64(len(s.place))))
	}

	if hold {
		for s.first < len(s.place) {
			if s.near[s.first] == 0 || s.place[s.first].Place == w.Place {
				s.first++
				continue
			}
			most := blocks(s.placeCost.perPoint)
			if most == 0 && did {
				break
			}
			end := s.first + 1
			for end < len(s.place) && end-s.first < most && s.near[end] != 0 && s.place[end].Place != w.Place {
				end++
			}
			if err := run(s.first, end, false); err != nil {
				return err
			}
			s.first = end
		}
	}
	for seen := 0; seen < len(s.place); {
		if s.cursor >= len(s.place) {
			s.cursor = 0
		}
		b := s.cursor
		if s.place[b] == w {
			s.cursor++
			seen++
			continue
		}
		near := s.near[b] != w.Near
		perPoint := s.placeCost.perPoint
		if near {
			perPoint += s.nearCost.perPoint
		}
		most := blocks(perPoint)
		if most == 0 && did {
			break
		}
		end := b + 1
		for end < len(s.place) && end-b < most && s.place[end] != w && (s.near[end] != w.Near) == near {
			end++
		}
		if err := run(b, end, near); err != nil {
			return err
		}
		seen += end - b
		s.cursor = end
	}
	s.stale = 0
	for b := range s.place {
		if s.place[b] != w {
			s.stale++
		}
	}
	return nil
}

// Stale returns the fraction of points whose position is older than what was last wanted.
func (s *Schedule) Stale() float64 {
	if len(s.place) == 0 {
		return 0
	}
	return float64(s.stale) / float64(len(s.place))
}

// StaleFor says whether anything would have to be computed to show w.
func (s *Schedule) StaleFor(w Want) bool {
	if s.n == 0 {
		return false
	}
	return s.stale > 0 || s.last != w
}

// Fresh returns the length of the run of points, from the first, that show the wanted positions
// (their neighbours may be older). While a landmark moves, only these are drawn, so that the
// picture is never torn between two places of the landmark.
func (s *Schedule) Fresh() int {
	for b := range s.place {
		if s.place[b].Place != s.last.Place {
			return b * BlockPoints
		}
	}
	return s.n
}

// Len returns the number of points.
func (s *Schedule) Len() int { return s.n }

// Cost returns the measured cost per point of both stages, in nanoseconds.
func (s *Schedule) Cost() (near, place float64) { return s.nearCost.perPoint, s.placeCost.perPoint }

// cost is a smoothed measurement of what one point takes.
type cost struct{ perPoint float64 }

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
