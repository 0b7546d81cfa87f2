package enginetest

import (
	"context"
	"errors"

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
	must := func(err error) {
		s.Helper()
		if err != nil {
			s.Fatal(err)
		}
	}
	must(a.Wait()) // for nothing
	a.Timings(func(t engine.Timing) { s.Errorf("nothing was asked for, and this was done: %+v", t) })

	l := c.Landmarks()
	dst := embedsom.NewHostTarget(c.X.Rows, 2)
	cuts := []int{0, 33, 400, 700}
	for i := range 3 {
		r := engine.Range{From: cuts[i], To: cuts[i+1]}
		must(res.Neighbours(ctx, l, c.P, r))
		must(res.Project(ctx, l, c.P, dst, r))
	}
	must(a.Wait())
	// Every piece is reported once, in the order of the calls, maybe in parts.
	asked, points, call := []int{33, 33, 367, 367, 300, 300}, 0, 0
	a.Timings(func(t engine.Timing) {
		if call >= len(asked) {
			s.Fatalf("more was done than was asked for: %+v", t)
		}
		if want := engine.Stage(call % 2); t.Stage != want {
			s.Fatalf("call %d is reported as stage %d, want %d", call, t.Stage, want)
		}
		if t.Time < 0 || t.Copy < 0 || t.Copy > t.Time {
			s.Errorf("call %d took %v, of that %v for copying", call, t.Time, t.Copy)
		}
		if points += t.Points; points > asked[call] {
			s.Fatalf("%d points of %d are reported", points, asked[call])
		} else if points == asked[call] {
			call, points = call+1, 0
		}
	})
	if call != len(asked) {
		s.Errorf("%d calls of %d are reported after Wait", call, len(asked))
	}
	a.Timings(func(t engine.Timing) { s.Errorf("reported again: %+v", t) })

	// Landmarks may be let go of, and others sent, before the work with them has begun.
	for i := range 12 {
		next := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos.Clone(), CodeRev: revision.Next(),
			PosRev: revision.Next()}
		next.Codebook.Data[i] += 0.25
		next.Pos.Data[i] -= 0.5
		l = next
		must(res.Neighbours(ctx, l, c.P, engine.Range{To: c.X.Rows}))
	}
	must(res.Project(ctx, l, c.P, dst, engine.Range{To: c.X.Rows}))
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
	must(a.Wait())
	a.Timings(func(engine.Timing) {})
	must(res.Neighbours(ctx, l, c.P, engine.Range{To: 40}))
	must(a.Wait())
	points = 0
	a.Timings(func(t engine.Timing) { points += t.Points })
	if points != 40 {
		s.Errorf("%d points are reported of a call for 40, after a cancelled one", points)
	}
}
