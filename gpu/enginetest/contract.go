package enginetest

import (
	"context"
	"errors"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// contract checks what engine.Resident promises besides numbers.
func contract(s *suite) {
	ctx := context.Background()
	if s.engine.Name() == "" || s.engine.Device() == "" {
		s.Error("the engine or its device has no name")
	}
	c := Uniform(s.rng, 100, 4, 30, 8, 2)
	l := c.Landmarks()
	res, err := s.engine.Load(ctx, c.X)
	must(s, err)
	dst := embedsom.NewHostTarget(100, 2)
	refused(s, "projecting before there are neighbours", res.Project(ctx, l, c.P, dst, span(0, 100)))
	accepted(s, "neighbours of a part", res.Neighbours(ctx, l, c.P, span(10, 60)))
	accepted(s, "projecting that part", res.Project(ctx, l, c.P, dst, span(10, 60)))
	accepted(s, "projecting less", res.Project(ctx, l, c.P, dst, span(20, 30)))
	refused(s, "projecting more", res.Project(ctx, l, c.P, dst, span(10, 61)))
	refused(s, "projecting before the part", res.Project(ctx, l, c.P, dst, span(9, 20)))
	accepted(s, "the rest", res.Neighbours(ctx, l, c.P, span(60, 100)))
	accepted(s, "across two parts", res.Project(ctx, l, c.P, dst, span(10, 100)))
	accepted(s, "an empty range", res.Project(ctx, l, c.P, dst, span(5, 5)))
	accepted(s, "an empty range", res.Neighbours(ctx, l, c.P, span(5, 5)))
	refused(s, "a range beyond the points", res.Neighbours(ctx, l, c.P, span(90, 101)))
	refused(s, "a negative range", res.Project(ctx, l, c.P, dst, span(-1, 5)))
	refused(s, "a reversed range", res.Neighbours(ctx, l, c.P, span(20, 10)))

	other := c.P
	other.Boost, other.Adjust = 1, 1
	accepted(s, "other boost and adjust", res.Project(ctx, l, other, dst, span(10, 100)))
	other.K = 9
	refused(s, "another k", res.Project(ctx, l, other, dst, span(10, 100)))
	moved := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos.Clone(), CodeRev: revision.Next(),
		PosRev: revision.Next()}
	moved.Codebook.Data[7] += 0.1
	moved.Pos.Data[7] += 0.1
	accepted(s, "neighbours that are older than the codebook", res.Project(ctx, moved, c.P, dst, span(10, 100)))
	fewer := &landmark.Set{Codebook: rows(l.Codebook, 0, 29), Pos: rows(l.Pos, 0, 29), CodeRev: revision.Next(),
		PosRev: revision.Next()}
	refused(s, "another number of landmarks", res.Project(ctx, fewer, c.P, dst, span(10, 100)))
	accepted(s, "neighbours among fewer", res.Neighbours(ctx, fewer, c.P, span(0, 50)))
	accepted(s, "projecting among fewer", res.Project(ctx, fewer, c.P, dst, span(0, 50)))
	refused(s, "points whose neighbours are among more", res.Project(ctx, fewer, c.P, dst, span(50, 100)))
	accepted(s, "the other k", res.Neighbours(ctx, l, other, span(0, 100)))
	accepted(s, "projecting with the other k", res.Project(ctx, l, other, dst, span(0, 100)))
	refused(s, "the first k again", res.Project(ctx, l, c.P, dst, span(0, 100)))

	s.oddCalls(res, c, l, dst)
	s.space(res, l, c.P)
	s.unnumbered()
	s.cancelled(res, l, c.P, dst)
	res.Free()

	empty, err := s.engine.Load(ctx, matrix.Matrix32{})
	accepted(s, "loading nothing", err)
	if err == nil {
		accepted(s, "neighbours of nothing", empty.Neighbours(ctx, l, c.P, span(0, 0)))
		accepted(s, "projecting nothing", empty.Project(ctx, l, c.P, embedsom.NewHostTarget(0, 2), span(0, 0)))
		empty.Free()
	}
}

// span is the range of points from a to b.
func span(a, b int) engine.Range { return engine.Range{From: a, To: b} }

// accepted checks that a call that is allowed returns no error.
func accepted(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// refused checks that a call that is not allowed returns a Problem with a remedy.
func refused(t testing.TB, what string, err error) {
	t.Helper()
	var p *problem.Problem
	if err == nil {
		t.Errorf("%s is accepted", what)
	} else if !errors.As(err, &p) || p.Remedy == "" {
		t.Errorf("%s: the error has no remedy: %v", what, err)
	}
}

// oddCalls checks that targets, landmarks and parameters that do not fit are refused.
func (s *suite) oddCalls(res engine.Resident, c Case, l *landmark.Set, dst *embedsom.HostTarget) {
	ctx := context.Background()
	accepted(s, "neighbours", res.Neighbours(ctx, l, c.P, span(0, 100)))
	refused(s, "a target that is too short", res.Project(ctx, l, c.P, embedsom.NewHostTarget(99, 2), span(0, 50)))
	refused(s, "a target of other dimensions", res.Project(ctx, l, c.P, embedsom.NewHostTarget(100, 3), span(0, 50)))
	refused(s, "no landmarks", res.Neighbours(ctx, &landmark.Set{}, c.P, span(0, 100)))
	refused(s, "nil landmarks", res.Neighbours(ctx, nil, c.P, span(0, 100)))
	for name, p := range map[string]embedsom.Params{"boost 0": {K: 5, Adjust: 1}, "boost NaN": {K: 5, Boost: nan},
		"adjust -1": {K: 5, Boost: 1, Adjust: -1}, "adjust Inf": {K: 5, Boost: 1, Adjust: inf}} {
		refused(s, name, res.Neighbours(ctx, l, p, span(0, 100)))
	}
	wide := Uniform(s.rng, 1, 5, 30, 8, 2).Landmarks()
	refused(s, "landmarks of other dimensions", res.Neighbours(ctx, wide, c.P, span(0, 100)))
	odd := c.Landmarks()
	odd.Pos = matrix.New(30, 4)
	refused(s, "positions of 4 dimensions", res.Neighbours(ctx, odd, c.P, span(0, 100)))
}

// space checks that 2D positions may become 3D, without new neighbours.
func (s *suite) space(res engine.Resident, l *landmark.Set, p embedsom.Params) {
	ctx, all := context.Background(), engine.Range{From: 0, To: 100}
	up := &landmark.Set{Codebook: l.Codebook, Pos: matrix.New(30, 3), CodeRev: l.CodeRev, PosRev: revision.Next()}
	for i := range 30 {
		copy(up.Pos.Row(i), l.Pos.Row(i))
	}
	dst := embedsom.NewHostTarget(100, 3)
	if err := res.Project(ctx, up, p, dst, all); err != nil {
		s.Errorf("from 2D to 3D: %v", err)
		return
	}
	flat := embedsom.NewHostTarget(100, 2)
	if err := res.Project(ctx, l, p, flat, all); err != nil {
		s.Errorf("from 3D to 2D: %v", err)
		return
	}
	// all z are 0: the same map
	for i := range 100 {
		for q := range 2 {
			if d := dst.Data[3*i+q] - flat.Data[2*i+q]; !(d*d < 1e-6) {
				s.Fatalf("point %d is at %v in the plane and %v in space", i, flat.Data[2*i:2*i+2], dst.Data[3*i:3*i+3])
			}
		}
		if z := dst.Data[3*i+2]; !(z*z < 1e-6) {
			s.Fatalf("point %d left the plane: %v", i, dst.Data[3*i:3*i+3])
		}
	}
}

// unnumbered checks that landmarks without revisions (zero: never set) are compared by content.
func (s *suite) unnumbered() {
	ctx := context.Background()
	a, b := Uniform(s.rng, 50, 3, 20, 5, 2), Uniform(s.rng, 50, 3, 20, 5, 2)
	b.X = a.X
	res, err := s.engine.Load(ctx, a.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	for _, c := range []Case{a, b, a} {
		l := &landmark.Set{Codebook: c.Codebook, Pos: c.Pos}
		dst := embedsom.NewHostTarget(50, 2)
		all := engine.Range{From: 0, To: 50}
		if err := errors.Join(res.Neighbours(ctx, l, c.P, all), res.Project(ctx, l, c.P, dst, all)); err != nil {
			s.Fatal(err)
		}
		if !sameBits(dst.Data, s.embed(c).Data) {
			s.Error("landmarks without revisions: old tables were used")
		}
	}
}

// cancelled checks that a context that is done stops the work and leaves the resident usable.
func (s *suite) cancelled(res engine.Resident, l *landmark.Set, p embedsom.Params, dst embedsom.Target) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	all := engine.Range{From: 0, To: 100}
	if err := res.Neighbours(done, l, p, all); !errors.Is(err, context.Canceled) {
		s.Errorf("cancelled Neighbours returns %v", err)
	}
	if err := res.Project(done, l, p, dst, all); !errors.Is(err, context.Canceled) {
		s.Errorf("cancelled Project returns %v", err)
	}
	ctx := context.Background()
	if err := errors.Join(res.Neighbours(ctx, l, p, all), res.Project(ctx, l, p, dst, all)); err != nil {
		s.Errorf("after a cancel: %v", err)
	}
}
