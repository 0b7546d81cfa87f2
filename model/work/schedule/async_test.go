package schedule

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/revision"
)

// card is a pretend engine whose calls return at once and whose work is done in order on a clock of its
// own. Timings reach the schedule in a later frame. What points show is kept by block.
type card struct {
	placed int // points, in the last frame
	bench
	device   time.Time // when all that was asked for is done
	few      bool
	cheap    float64 // cost of positions while few
	call     time.Duration
	overhead time.Duration // time that each piece costs beside its points
	silent   bool          // reports nothing
	parts    int           // reports a piece in so many parts
	done     []doneAt
	most     time.Duration // the longest that the device was ever behind
}

type doneAt struct {
	at     time.Time
	stage  Stage
	points int
	took   time.Duration
}

func newCard(n int) *card {
	c := &card{bench: *newBench(n/BlockPoints + 1), cheap: 1, parts: 1}
	c.neighbours, c.project = 3, 1
	c.device = c.now
	return c
}

func (c *card) ask(stage Stage, points int, perPoint float64) {
	c.now = c.now.Add(c.call)
	took := c.overhead + time.Duration(perPoint*float64(points))
	if c.device.Before(c.now) {
		c.device = c.now
	}
	c.device = c.device.Add(took)
	c.most = max(c.most, c.device.Sub(c.now))
	for i := range c.parts {
		lo, hi := i*points/c.parts, (i+1)*points/c.parts
		if hi > lo {
			c.done = append(c.done, doneAt{c.device, stage, hi - lo, took / time.Duration(c.parts)})
		}
	}
}

func (c *card) work() Work {
	return Work{
		Neighbours: func(from, to int) error {
			c.ask(Neighbours, to-from, float64(c.neighbours))
			for i := from; i < to; i += BlockPoints {
				c.neighboursOf[i/BlockPoints] = c.want.Neighbours
			}
			return c.err
		},
		Project: func(from, to int) error {
			cost := float64(c.project)
			if c.few {
				cost *= c.cheap
			}
			c.ask(Project, to-from, cost)
			c.placed += to - from
			for i := from; i < to; i += BlockPoints {
				c.shown[i/BlockPoints] = Want{c.neighboursOf[i/BlockPoints], c.want.Project}
			}
			return nil
		},
	}
}

// frame runs a frame of the window: 16.7 ms pass, reports come in, work is asked for.
func (c *card) frame(t interface{ Fatal(...any) }, s *Schedule, budget time.Duration, m Motion) int {
	c.now = c.now.Add(time.Second / 60)
	for len(c.done) > 0 && !c.done[0].at.After(c.now) {
		if d := c.done[0]; !c.silent {
			s.Observe(d.stage, d.points, d.took)
		}
		c.done = c.done[1:]
	}
	s.Few = c.few
	c.placed = 0
	if err := s.Frame(c.want, budget, m, c.work()); err != nil {
		t.Fatal(err)
	}
	return c.placed
}

// Whatever a point costs, the device is never asked for much more than a few budgets of work, and in the
// end everything is fresh.
func TestAsyncKeepsTheDeviceWithinItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 3_000_000).Draw(t, "n")
		c := newCard(n)
		c.neighbours = time.Duration(rapid.IntRange(1, 400).Draw(t, "neighbours"))
		c.project = time.Duration(rapid.IntRange(1, 100).Draw(t, "project"))
		c.call = time.Duration(rapid.IntRange(0, 100).Draw(t, "call us")) * time.Microsecond
		c.overhead = time.Duration(rapid.IntRange(0, 300).Draw(t, "overhead us")) * time.Microsecond
		c.parts = rapid.IntRange(1, 3).Draw(t, "parts")
		s := &Schedule{Clock: c.clock}
		s.Reset(n)
		s.Async(true)
		const budget = 9 * time.Millisecond
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			if rapid.Bool().Draw(t, "train") {
				c.want.Neighbours = revision.Next()
			}
			c.want.Project = revision.Next()
			before := c.now
			c.frame(t, s, budget, motions.Draw(t, "motion"))
			// The frame's own thread does no more than make calls.
			if d := c.now.Sub(before) - time.Second/60; d > budget+10*time.Millisecond {
				t.Fatalf("a frame took %v on the processor", d)
			}
		}
		// A piece that is larger than a budget is one block; a first one is four.
		limit := 4*budget + time.Duration(firstBlocks*BlockPoints)*(c.neighbours+c.project) + 6*c.overhead
		if c.most > limit {
			t.Fatalf("the device was %v behind, at most %v is right", c.most, limit)
		}
		for i := 0; s.StaleFor(c.want); i++ {
			if i > 10_000 {
				t.Fatal("never at rest")
			}
			c.frame(t, s, budget, Still)
		}
		for i := 0; i < n; i += BlockPoints {
			if c.shown[i/BlockPoints] != c.want {
				t.Fatalf("block at %d of %d shows %v, wanted %v", i, n, c.shown[i/BlockPoints], c.want)
			}
		}
	})
}

// 100 million points on a fast card: the first frames ask for little, then for as much as fits.
func TestAsyncGrowsToItsBudget(t *testing.T) {
	const n = 100_000_000
	c := newCard(n)
	s := &Schedule{Clock: c.clock}
	s.Reset(n)
	s.Async(true)
	c.want = Want{revision.Next(), revision.Next()}
	if got := c.frame(t, s, 9*time.Millisecond, Still); got > firstBlocks*BlockPoints {
		t.Fatalf("%d points in the first frame", got)
	}
	frames := 1
	for ; s.StaleFor(c.want); frames++ {
		c.frame(t, s, 9*time.Millisecond, Still)
		if c.most > 30*time.Millisecond {
			t.Fatalf("frame %d: the device is %v behind", frames, c.most)
		}
	}
	// 400 ms of work at 9 ms a frame.
	if frames > 100 {
		t.Fatalf("%d frames until all was fresh", frames)
	}
	// A drag that costs a hundredth is whole in every frame, and one of all landmarks after it is not
	// taken for as cheap.
	c.few, c.cheap = true, 0.01
	for range 30 {
		c.want.Project = revision.Next()
		c.frame(t, s, 9*time.Millisecond, Held)
	}
	if s.Shown() != n {
		t.Fatalf("%d points follow", s.Shown())
	}
	c.few, c.most = false, 0
	for range 10 {
		c.want.Project = revision.Next()
		c.frame(t, s, 9*time.Millisecond, Held)
	}
	if c.most > 35*time.Millisecond {
		t.Fatalf("after a cheap drag the device is %v behind", c.most)
	}
}

// A million points move as a whole, as long as the device does that in its budget.
func TestAsyncMovesAMillionWhole(t *testing.T) {
	const n = 1_000_000
	c := newCard(n)
	s := &Schedule{Clock: c.clock}
	s.Reset(n)
	s.Async(true)
	for i := range 100 {
		c.want = Want{revision.Next(), revision.Next()}
		c.frame(t, s, 9*time.Millisecond, []Motion{Held, Training, Still}[i%3])
		if i > 20 && (s.Stale() > 0 || s.Shown() != n) {
			t.Fatalf("frame %d: %g stale, %d shown", i, s.Stale(), s.Shown())
		}
	}
}

// An engine that reports nothing is still used up to all of the points.
func TestAsyncWithoutReports(t *testing.T) {
	const n = 1_000_000
	c := newCard(n)
	c.silent = true
	s := &Schedule{Clock: c.clock}
	s.Reset(n)
	s.Async(true)
	c.want = Want{revision.Next(), revision.Next()}
	frames := 0
	for ; s.StaleFor(c.want); frames++ {
		if frames > 300 {
			t.Fatalf("%g still stale", s.Stale())
		}
		c.frame(t, s, 9*time.Millisecond, Still)
	}
	if s.Waiting() == 0 {
		t.Fatal("nothing is waited for")
	}
	if s.Finished(); s.Waiting() != 0 {
		t.Fatal("finished, and waits")
	}
}

func TestAsyncFrameDoesNotAllocate(t *testing.T) {
	const n = 100_000
	s := &Schedule{}
	s.Reset(n)
	s.Async(true)
	work := Work{Neighbours: func(int, int) error { return nil }, Project: func(int, int) error { return nil }}
	if a := testing.AllocsPerRun(100, func() {
		w := Want{revision.Next(), revision.Next()}
		s.Observe(Neighbours, n, time.Millisecond)
		s.Observe(Project, n, time.Millisecond)
		if err := s.Frame(w, time.Millisecond, Held, work); err != nil {
			t.Fatal(err)
		}
	}); a != 0 {
		t.Fatalf("%g allocations a frame", a)
	}
}
