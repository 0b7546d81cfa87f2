package enginetest

import (
	"context"
	"slices"

	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// recorder is a target that notes what it is told, and what Host held then.
type recorder struct {
	*embedsom.HostTarget
	uploaded []engine.Range
	then     []float32
	wrote    int
}

func newRecorder(n, dims int) *recorder {
	return &recorder{HostTarget: embedsom.NewHostTarget(n, dims), then: make([]float32, n*dims)}
}

func (r *recorder) Upload(from, to int) {
	r.uploaded = append(r.uploaded, engine.Range{From: from, To: to})
	copy(r.then[from*r.M:to*r.M], r.Data[from*r.M:to*r.M])
}

func (r *recorder) Wrote(from, to int) { r.wrote++ }

// target checks that an engine says itself what it wrote: all of it, when it is there, and nothing else.
func target(s *suite) {
	ctx := context.Background()
	for _, dims := range []int{2, 3} {
		c := Blobs(s.rng, 900, 5, 50, 10, dims)
		res, err := s.engine.Load(ctx, c.X)
		if err != nil {
			s.Fatal(err)
		}
		l := c.Landmarks()
		if err := res.Neighbours(ctx, l, c.P, engine.Range{To: 900}); err != nil {
			s.Fatal(err)
		}
		dst, told := newRecorder(900, dims), engine.Ranges{}
		for _, r := range []engine.Range{{From: 0, To: 1}, {From: 100, To: 133}, {From: 7, To: 7},
			{From: 300, To: 900}, {From: 120, To: 140}} {
			dst.uploaded = dst.uploaded[:0]
			if err := res.Project(ctx, l, c.P, dst, r); err != nil {
				s.Fatal(err)
			}
			said := engine.Ranges{}
			for _, u := range dst.uploaded {
				if u.From < r.From || u.To > r.To {
					s.Errorf("points %v were asked for, and %v are said to be new", r, u)
				}
				said.Add(u)
			}
			if !said.Contains(r) {
				s.Errorf("points %v were written and only %v are said to be", r, dst.uploaded)
			}
			told.Add(r)
		}
		want := s.embed(c)
		for i := range 900 {
			got, row := dst.then[i*dims:(i+1)*dims], want.Row(i)
			if !told.Contains(engine.Range{From: i, To: i + 1}) {
				row = make([]float32, dims) // nobody wrote there
			}
			if !sameBits(got, row) {
				s.Fatalf("when point %d was said to be new it was at %v, want %v", i, got, row)
			}
		}
		if dst.wrote > 0 {
			s.Error("a target without an OpenGL buffer is told that it was written")
		}
		// A refused call writes nothing and says nothing.
		dst.uploaded, dst.Data = nil, slices.Clone(dst.Data)
		other := c.P
		other.K = 7
		if err := res.Project(ctx, l, other, dst, engine.Range{To: 900}); err == nil || len(dst.uploaded) > 0 {
			s.Errorf("a projection without neighbours: %v, and %v are said to be new", err, dst.uploaded)
		}
		res.Free()
	}
}

// memory checks what a resident says of its own memory.
func memory(s *suite) {
	const n = 500
	ctx := context.Background()
	c := Uniform(s.rng, n, 8, 60, 10, 2)
	res, err := s.engine.Load(ctx, c.X)
	if err != nil {
		s.Fatal(err)
	}
	defer res.Free()
	work := func() engine.Status {
		l, dst := c.Landmarks(), embedsom.NewHostTarget(n, 2)
		for _, err := range []error{res.Neighbours(ctx, l, c.P, engine.Range{To: n}),
			res.Project(ctx, l, c.P, dst, engine.Range{To: n})} {
			if err != nil {
				s.Fatal(err)
			}
		}
		return res.Status()
	}
	first := work()
	if first.Plan != "" {
		s.Logf("plan: %s", first.Plan)
	}
	if !res.Caps().Keeps {
		if first.Points != 0 || first.Neighbours != 0 || first.Other != 0 {
			s.Errorf("it computes where the points are, and keeps %+v", first)
		}
		return
	}
	if first.Plan == "" && (first.Points < 4*n*8 || first.Neighbours < 6*n*10) || first.Other <= 0 {
		s.Errorf("%d points of 8 columns with 11 neighbours are kept, and it says %+v", n, first)
	}
	for range 5 {
		c.Codebook = c.Codebook.Clone()
		c.Codebook.Data[s.rng.IntN(len(c.Codebook.Data))] += 0.1
		if now := work(); now != first {
			s.Fatalf("the same work takes %+v, and then %+v", first, now)
		}
	}
}
