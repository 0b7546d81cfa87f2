package enginetest

import (
	"context"
	"errors"

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
	if err != nil {
		s.Fatal(err)
	}
	dst := embedsom.NewHostTarget(100, 2)
	r := func(a, b int) engine.Range { return engine.Range{From: a, To: b} }
	ok := func(what string, err error) {
		s.Helper()
		if err != nil {
			s.Errorf("%s: %v", what, err)
		}
	}
	refuse := func(what string, err error) {
		s.Helper()
		var p *problem.Problem
		if err == nil {
			s.Errorf("%s is accepted", what)
		} else if !errors.As(err, &p) || p.Remedy == "" {
			s.Errorf("%s: the error has no remedy: %v", what, err)
		}
	}
	refuse("projecting before there are neighbours", res.Project(ctx, l, c.P, dst, r(0, 100)))
	ok("neighbours of a part", res.Neighbours(ctx, l, c.P, r(10, 60)))
	ok("projecting that part", res.Project(ctx, l, c.P, dst, r(10, 60)))
	ok("projecting less", res.Project(ctx, l, c.P, dst, r(20, 30)))
	refuse("projecting more", res.Project(ctx, l, c.P, dst, r(10, 61)))
	refuse("projecting before the part", res.Project(ctx, l, c.P, dst, r(9, 20)))
	ok("the rest", res.Neighbours(ctx, l, c.P, r(60, 100)))
	ok("across two parts", res.Project(ctx, l, c.P, dst, r(10, 100)))
	ok("an empty range", res.Project(ctx, l, c.P, dst, r(5, 5)))
	ok("an empty range", res.Neighbours(ctx, l, c.P, r(5, 5)))
	refuse("a range beyond the points", res.Neighbours(ctx, l, c.P, r(90, 101)))
	refuse("a negative range", res.Project(ctx, l, c.P, dst, r(-1, 5)))
	refuse("a reversed range", res.Neighbours(ctx, l, c.P, r(20, 10)))

	other := c.P
	other.Boost, other.Adjust = 1, 1
	ok("other boost and adjust", res.Project(ctx, l, other, dst, r(10, 100)))
	other.K = 9
	refuse("another k", res.Project(ctx, l, other, dst, r(10, 100)))
	moved := &landmark.Set{Codebook: l.Codebook.Clone(), Pos: l.Pos.Clone(), CodeRev: revision.Next(),
		PosRev: revision.Next()}
	moved.Codebook.Data[7] += 0.1
	moved.Pos.Data[7] += 0.1
	ok("neighbours that are older than the codebook", res.Project(ctx, moved, c.P, dst, r(10, 100)))
	fewer := &landmark.Set{Codebook: rows(l.Codebook, 0, 29), Pos: rows(l.Pos, 0, 29), CodeRev: revision.Next(),
		PosRev: revision.Next()}
	refuse("another number of landmarks", res.Project(ctx, fewer, c.P, dst, r(10, 100)))
	ok("neighbours among fewer", res.Neighbours(ctx, fewer, c.P, r(0, 50)))
	ok("projecting among fewer", res.Project(ctx, fewer, c.P, dst, r(0, 50)))
	refuse("points whose neighbours are among more", res.Project(ctx, fewer, c.P, dst, r(50, 100)))
	ok("the other k", res.Neighbours(ctx, l, other, r(0, 100)))
	ok("projecting with the other k", res.Project(ctx, l, other, dst, r(0, 100)))
	refuse("the first k again", res.Project(ctx, l, c.P, dst, r(0, 100)))

	ok("neighbours", res.Neighbours(ctx, l, c.P, r(0, 100)))
	refuse("a target that is too short", res.Project(ctx, l, c.P, embedsom.NewHostTarget(99, 2), r(0, 50)))
	refuse("a target of other dimensions", res.Project(ctx, l, c.P, embedsom.NewHostTarget(100, 3), r(0, 50)))
	refuse("no landmarks", res.Neighbours(ctx, &landmark.Set{}, c.P, r(0, 100)))
	refuse("nil landmarks", res.Neighbours(ctx, nil, c.P, r(0, 100)))
	for name, p := range map[string]embedsom.Params{"boost 0": {K: 5, Adjust: 1}, "boost NaN": {K: 5, Boost: nan},
		"adjust -1": {K: 5, Boost: 1, Adjust: -1}, "adjust Inf": {K: 5, Boost: 1, Adjust: inf}} {
		refuse(name, res.Neighbours(ctx, l, p, r(0, 100)))
	}
	wide := Uniform(s.rng, 1, 5, 30, 8, 2).Landmarks()
	refuse("landmarks of other dimensions", res.Neighbours(ctx, wide, c.P, r(0, 100)))
	odd := c.Landmarks()
	odd.Pos = matrix.New(30, 4)
	refuse("positions of 4 dimensions", res.Neighbours(ctx, odd, c.P, r(0, 100)))

	s.space(res, l, c.P)
	s.unnumbered()
	s.cancelled(res, l, c.P, dst)
	res.Free()

	empty, err := s.engine.Load(ctx, matrix.Matrix32{})
	ok("loading nothing", err)
	if err == nil {
		ok("neighbours of nothing", empty.Neighbours(ctx, l, c.P, r(0, 0)))
		ok("projecting nothing", empty.Project(ctx, l, c.P, embedsom.NewHostTarget(0, 2), r(0, 0)))
		empty.Free()
	}
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
