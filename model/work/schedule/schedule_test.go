package schedule

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"blossom/model/base/revision"
)

// bench is a pretend engine with a pretend clock: a point costs a fixed time in each stage.
type bench struct {
	placed              int // points, in the last frame
	now                 time.Time
	neighbours, project time.Duration
	neighboursOf        []revision.Revision
	want                Want
	shown               []Want
	err                 error
	tables              time.Duration // time of a call for other inputs than the last call's
	called              [2]Want
}

var motions = rapid.SampledFrom([]Motion{Still, Training, Held})

func newBench(n int) *bench {
	return &bench{now: time.Unix(0, 0), neighbours: 300, project: 100,
		neighboursOf: make([]revision.Revision, n), shown: make([]Want, n)}
}

func (b *bench) clock() time.Time { return b.now }

func (b *bench) work() Work {
	return Work{
		Neighbours: func(from, to int) error {
			b.now = b.now.Add(time.Duration(to-from) * b.neighbours)
			if in := (Want{Neighbours: b.want.Neighbours}); b.called[0] != in {
				b.called[0], b.now = in, b.now.Add(b.tables)
			}
			for i := from; i < to; i++ {
				b.neighboursOf[i] = b.want.Neighbours
			}
			return b.err
		},
		Project: func(from, to int) error {
			b.now = b.now.Add(time.Duration(to-from) * b.project)
			b.placed += to - from
			if b.called[1] != b.want {
				b.called[1], b.now = b.want, b.now.Add(b.tables)
			}
			for i := from; i < to; i++ {
				b.shown[i] = Want{b.neighboursOf[i], b.want.Project}
			}
			return nil
		},
	}
}

func (b *bench) frame(t interface{ Fatal(...any) }, s *Schedule, budget time.Duration, m Motion) int {
	b.placed = 0
	if err := s.Frame(b.want, budget, m, b.work()); err != nil {
		t.Fatal(err)
	}
	return b.placed
}

func TestEverythingIsFreshInTheEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 60_000).Draw(t, "n")
		b := newBench(n)
		s := &Schedule{Clock: b.clock}
		s.Reset(n)
		b.want = Want{revision.Next(), revision.Next()}
		for range rapid.IntRange(0, 10).Draw(t, "edits") {
			if rapid.Bool().Draw(t, "train") {
				b.want.Neighbours = revision.Next()
			} else {
				b.want.Project = revision.Next()
			}
			b.frame(t, s, time.Duration(rapid.IntRange(0, 10).Draw(t, "ms"))*time.Millisecond,
				motions.Draw(t, "motion"))
		}
		for i := 0; s.StaleFor(b.want); i++ {
			if i > 1000 {
				t.Fatal("never at rest")
			}
			b.frame(t, s, 2*time.Millisecond, motions.Draw(t, "motion at rest"))
		}
		for i, w := range b.shown {
			if w != b.want {
				t.Fatalf("point %d of %d shows %v, wanted %v", i, n, w, b.want)
			}
		}
		if s.Stale() != 0 || s.Shown() != n {
			t.Fatalf("stale %g, shown %d of %d", s.Stale(), s.Shown(), n)
		}
	})
}

func TestBudgetIsKept(t *testing.T) {
	const n = 1_000_000
	b := newBench(n)
	s := &Schedule{Clock: b.clock}
	s.Reset(n)
	for i := range 20 {
		b.want = Want{revision.Next(), revision.Next()}
		before := b.now
		b.frame(t, s, 8*time.Millisecond, Still)
		if d := b.now.Sub(before); i > 0 && d > 10*time.Millisecond {
			t.Fatalf("frame %d took %v of 8ms", i, d)
		}
	}
}

func TestDragMovesTheFirstPointsEachFrame(t *testing.T) {
	const n = 1_000_000
	b := newBench(n)
	s := &Schedule{Clock: b.clock}
	s.Reset(n)
	b.want = Want{revision.Next(), revision.Next()}
	for s.StaleFor(b.want) {
		b.frame(t, s, 50*time.Millisecond, Still)
	}
	b.want.Neighbours = revision.Next() // a training step that the drag does not wait for
	for range 5 {
		b.want.Project = revision.Next()
		b.frame(t, s, 10*time.Millisecond, Held)
		if f := s.Shown(); f < 80_000 || f > 120_000 {
			t.Fatalf("%d points follow the hand in 10 ms at 100 ns a point", f)
		}
		if b.shown[0].Project != b.want.Project {
			t.Fatal("the first point did not move")
		}
	}
	// The hand rests: the share grows until all follow, then the neighbours catch up.
	last := s.Shown()
	for s.Shown() < n {
		b.frame(t, s, 10*time.Millisecond, Held)
		if s.Shown() <= last {
			t.Fatal("the share did not grow at rest")
		}
		last = s.Shown()
	}
	for s.StaleFor(b.want) {
		b.frame(t, s, 10*time.Millisecond, Held)
	}
}

// While training moves everything in each frame, a share of the map is shown that is at most a few
// frames old; at rest it grows to all.
func TestTrainingShowsAShareThatKeepsUp(t *testing.T) {
	const n = 1_000_000
	b := newBench(n)
	s := &Schedule{Clock: b.clock}
	s.Reset(n)
	age := map[revision.Revision]int{}
	for i := range 60 {
		b.want = Want{revision.Next(), 1}
		age[b.want.Neighbours] = i
		b.frame(t, s, 10*time.Millisecond, Training)
		if i < 20 {
			continue
		}
		// 400 ns a point, 10 ms: 25,000 points a frame, over five frames.
		if got := s.Shown(); got < 80_000 || got > 150_000 {
			t.Fatalf("%d points shown", got)
		}
		for p := 0; p < s.Shown(); p += BlockPoints {
			if old := i - age[b.neighboursOf[p]]; old > 2*lagFrames {
				t.Fatalf("point %d is %d frames old", p, old)
			}
		}
	}
	last := s.Shown()
	for s.StaleFor(b.want) {
		b.frame(t, s, 10*time.Millisecond, Still)
		if s.Shown() < last {
			t.Fatal("the share shrank at rest")
		}
		last = s.Shown()
	}
	if last != n {
		t.Fatalf("%d of %d shown at rest", last, n)
	}
}

// A map that fits into a frame is shown whole all the time.
func TestASmallMapIsAlwaysWhole(t *testing.T) {
	b := newBench(20_000)
	s := &Schedule{Clock: b.clock}
	s.Reset(20_000)
	for i := range 30 {
		b.want = Want{revision.Next(), revision.Next()}
		b.frame(t, s, 10*time.Millisecond, []Motion{Held, Training, Still}[i%3])
		if i > 5 && s.Shown() != 20_000 {
			t.Fatalf("frame %d shows %d", i, s.Shown())
		}
	}
}

// After landmarks were added or removed, the picture that there is stays until there is a new one.
func TestInvalidateKeepsThePicture(t *testing.T) {
	b := newBench(1_000_000)
	s := &Schedule{Clock: b.clock}
	s.Reset(1_000_000)
	b.want = Want{revision.Next(), revision.Next()}
	for s.StaleFor(b.want) {
		b.frame(t, s, 50*time.Millisecond, Still)
	}
	s.Invalidate()
	b.want.Neighbours = revision.Next()
	b.frame(t, s, 10*time.Millisecond, Still)
	if s.Shown() != 1_000_000 {
		t.Fatalf("%d points left on screen", s.Shown())
	}
}

// An engine whose tables take most of a budget whenever landmarks move still moves as many points as the
// rest of the budget holds, and one whose tables take more a quarter's worth: what it costs to make
// tables is not taken for the cost of points, which would let the share shrink from frame to frame.
func TestTablesAreNotPoints(t *testing.T) {
	for _, c := range []struct {
		tables      time.Duration
		least, most int
		frame       time.Duration
	}{
		{0, 110_000, 125_000, 12 * time.Millisecond},
		{6 * time.Millisecond, 50_000, 64_000, 13 * time.Millisecond},
		{10 * time.Millisecond, 20_000, 35_000, 14 * time.Millisecond},
		{40 * time.Millisecond, 20_000, 35_000, 45 * time.Millisecond},
	} {
		const n = 1_000_000
		b := newBench(n)
		s := &Schedule{Clock: b.clock}
		s.Reset(n)
		b.want = Want{revision.Next(), revision.Next()}
		for s.StaleFor(b.want) {
			b.frame(t, s, 50*time.Millisecond, Still)
		}
		b.tables = c.tables
		for i := range 40 {
			b.want.Neighbours, b.want.Project = revision.Next(), revision.Next()
			before := b.now
			b.frame(t, s, 12*time.Millisecond, Held)
			if got, took := s.Shown(), b.now.Sub(before); got < c.least || got > c.most || took > c.frame {
				t.Fatalf("tables of %v, frame %d: %d points follow in %v", c.tables, i, got, took)
			}
			if i%7 == 3 {
				b.now = b.now.Add(time.Second)
			}
		}
	}
}

func TestErrorLeavesTheBlockStale(t *testing.T) {
	b := newBench(10)
	s := &Schedule{Clock: b.clock}
	s.Reset(10)
	b.want = Want{1, 2}
	b.err = errors.New("card lost")
	if err := s.Frame(b.want, time.Millisecond, Still, b.work()); err == nil {
		t.Fatal("no error")
	}
	if b.placed != 0 {
		t.Fatal("points without neighbours are placed")
	}
	if !s.StaleFor(b.want) {
		t.Fatal("a failed block counts as done")
	}
}

func TestFrameDoesNotAllocate(t *testing.T) {
	const n = 100_000
	b := newBench(n)
	s := &Schedule{Clock: b.clock}
	s.Reset(n)
	work := b.work()
	if a := testing.AllocsPerRun(100, func() {
		b.want = Want{revision.Next(), revision.Next()}
		if err := s.Frame(b.want, time.Millisecond, Held, work); err != nil {
			t.Fatal(err)
		}
	}); a != 0 {
		t.Fatalf("%g allocations a frame", a)
	}
}
