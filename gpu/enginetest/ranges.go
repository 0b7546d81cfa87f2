package enginetest

import (
	"context"
	"errors"
	"os"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// piecewise is a source that does not lie in memory. It notes what was read of it, and may fail.
type piecewise struct {
	m     matrix.Matrix32
	read  []int // how often each row was
	most  int   // values that were asked for at once at most
	fails error
}

func (p *piecewise) Shape() (rows, cols int) { return p.m.Rows, p.m.Cols }

func (p *piecewise) Memory() (matrix.Matrix32, bool) { return matrix.Matrix32{}, false }

func (p *piecewise) Read(ctx context.Context, from, to int, out []float32) error {
	if p.fails != nil {
		return p.fails
	}
	if from < 0 || to < from || to > p.m.Rows || len(out) != (to-from)*p.m.Cols {
		return errors.New("a range was read that is none")
	}
	for i := from; i < to; i++ {
		p.read[i]++
	}
	p.most = max(p.most, len(out))
	return p.m.Read(ctx, from, to, out)
}

// ranges checks that points which come by ranges are embedded as those that lie in memory, are read once, and that an
// error of their source and a cancelled context end in Load.
func ranges(s *suite) {
	ctx := s.Context()
	cases := []Case{Blobs(s.rng, 33, 5, 9, 4, 2)}
	if os.Getenv(Slow) == "" {
		cases = append(cases, Uniform(s.rng, 1100, 1000, 12, 4, 3)) // more than is read at once
	}
	for _, c := range cases {
		want := s.embed(c)
		src := &piecewise{m: c.X, read: make([]int, c.X.Rows)}
		res, err := s.engine.Load(ctx, src)
		if err != nil {
			s.Fatalf("%s: %v", c.Name, err)
		}
		l, dst := c.Landmarks(), embedsom.NewHostTarget(c.X.Rows, c.Pos.Cols)
		all := engine.Range{From: 0, To: c.X.Rows}
		if err := errors.Join(res.Neighbours(ctx, l, c.P, all), res.Project(ctx, l, c.P, dst, all)); err != nil {
			s.Fatalf("%s: %v", c.Name, err)
		}
		res.Free()
		if !sameBits(dst.Data, want.Data) {
			s.Errorf("%s: by ranges it differs", c.Name)
		}
		for i, n := range src.read {
			if n != 1 {
				s.Fatalf("%s: row %d was read %d times", c.Name, i, n)
			}
		}
		if len(c.X.Data) > 1<<20 && src.most == len(c.X.Data) {
			s.Errorf("%s: all points were asked for at once", c.Name)
		}
	}
	gone := errors.New("the disk is gone")
	c := Uniform(s.rng, 20, 3, 4, 2, 2)
	if _, err := s.engine.Load(ctx, &piecewise{m: c.X, fails: gone}); !errors.Is(err, gone) {
		s.Errorf("a source that fails: %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	src := &piecewise{m: c.X, read: make([]int, c.X.Rows)}
	if _, err := s.engine.Load(stopped, src); !errors.Is(err, context.Canceled) {
		s.Errorf("a cancelled load: %v", err)
	}
	if _, err := s.engine.Load(ctx, &piecewise{m: matrix.Matrix32{Rows: -1, Cols: 2}}); err == nil {
		s.Error("a source of -1 rows was loaded")
	}
}
