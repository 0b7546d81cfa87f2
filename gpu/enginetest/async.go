package enginetest

import (
	"context"
	"errors"
	"testing"

	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// async checks engine.Async: what is reported of work, and that nothing is lost by not waiting for it.
func async(s *suite) {
	ctx := context.Background()
	c := Blobs(s.rng, 700, 6, 60, 10, 2)
	res, err := s.engine.Load(ctx, c.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	a := res.Caps().Async
	must(s, a.Wait()) // for nothing
	a.Timings(func(t engine.Timing) { s.Errorf("nothing was asked for, and this was done: %+v", t) })

	l := c.Landmarks()
	dst := embedsom.NewHostTarget(c.X.Rows, 2)
	cuts := []int{0, 33, 400, 700}
	for i := range 3 {
		r := engine.Range{From: cuts[i], To: cuts[i+1]}
		must(s, res.Neighbours(ctx, l, c.P, r))
		must(s, res.Project(ctx, l, c.P, dst, r))
	}
	must(s, a.Wait())
	reported(s, a, []int{33, 33, 367, 367, 300, 300})
	a.Timings(func(t engine.Timing) { s.Errorf("reported again: %+v", t) })

	// Landmarks may be let go of, and others sent, before the work with them has begun.
	for i := range 12 {
		next := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos.Clone(), CodeRev: revision.Next(),
			PosRev: revision.Next()}
		next.Codebook.Data[i] += 0.25
		next.Pos.Data[i] -= 0.5
		l = next
		must(s, res.Neighbours(ctx, l, c.P, engine.Range{To: c.X.Rows}))
	}
	must(s, res.Project(ctx, l, c.P, dst, engine.Range{To: c.X.Rows}))
	last := c
	last.Codebook, last.Pos = l.Codebook, l.Pos
	if want := s.embed(last); !sameBits(dst.Data, want.Data) {
		s.Error("positions in memory of the host are not those of the last landmarks when Project returns")
	}
	// A cancelled call leaves nothing behind that is reported for ever, and no error of its own.
	done, cancel := context.WithCancel(ctx)
	cancel()
	if err := res.Neighbours(done, l, c.P, engine.Range{To: c.X.Rows}); !errors.Is(err, context.Canceled) {
		s.Errorf("a cancelled call returns %v", err)
	}
	must(s, a.Wait())
	a.Timings(func(engine.Timing) {})
	must(s, res.Neighbours(ctx, l, c.P, engine.Range{To: 40}))
	must(s, a.Wait())
	points := 0
	a.Timings(func(t engine.Timing) { points += t.Points })
	if points != 40 {
		s.Errorf("%d points are reported of a call for 40, after a cancelled one", points)
	}
}

// reported checks that every piece is reported once, in the order of the calls, maybe in parts: asked are the points of
// calls for neighbours and projections in turn.
func reported(t testing.TB, a engine.Async, asked []int) {
	t.Helper()
	points, call := 0, 0
	a.Timings(func(did engine.Timing) {
		if call >= len(asked) {
			t.Fatalf("more was done than was asked for: %+v", did)
		}
		if want := engine.Stage(call % 2); did.Stage != want {
			t.Fatalf("call %d is reported as stage %d, want %d", call, did.Stage, want)
		}
		if did.Time < 0 || did.Copy < 0 || did.Copy > did.Time {
			t.Errorf("call %d took %v, of that %v for copying", call, did.Time, did.Copy)
		}
		if points += did.Points; points > asked[call] {
			t.Fatalf("%d points of %d are reported", points, asked[call])
		} else if points == asked[call] {
			call, points = call+1, 0
		}
	})
	if call != len(asked) {
		t.Errorf("%d calls of %d are reported after Wait", call, len(asked))
	}
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
