package cpu

import (
	"context"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/work/engine"
)

// Search finds the nearest row of a codebook for points, for training. It is used from one
// goroutine at a time and needs a Close.
type Search struct {
	points   matrix.Matrix32
	variant  variant
	pool     *pool
	kernel   kernel
	g        int
	scale    float32
	codebook []float32 // the codebook that the kernel knows
	workers  []scratch // one per thread
	from     int       // first point of the current call
	out      []int32
}

// NewSearch prepares the search for points (n x d), which are not copied. Only Options.Threads is used.
func NewSearch(points matrix.Matrix32, o engine.Options) (*Search, error) {
	if err := engine.CheckPoints(points); err != nil {
		return nil, err
	}
	return &Search{points: points, variant: best(), pool: newPool(threads(o.Threads))}, nil
}

// Nearest implements train.Searcher with the resident's points and threads.
func (r *resident) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if r.nearest == nil {
		s, err := NewSearch(r.x, engine.Options{Threads: r.e.pool.threads})
		if err != nil {
			return err
		}
		s.variant = r.e.v
		r.nearest = s
	}
	return r.nearest.Nearest(ctx, codebook, from, to, out)
}

// Nearest writes to out[i-from] the train.Winner of point i, for i in [from, to). The codebook (g x d) may have changed
// in place since the last call; g is at most 65536.
func (s *Search) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	const defect = "this is a defect of the program"
	g, n := codebook.Rows, to-from
	switch {
	case from < 0 || n < 0 || to > s.points.Rows || len(out) < n:
		return problem.New("", defect, "points %d to %d of %d were asked for, with room for %d", from, to,
			s.points.Rows, len(out))
	case n == 0:
		return ctx.Err()
	case g == 0 || g > maxLandmarks:
		return problem.New("", "use 1 to 65,536 landmarks", "there are %d landmarks", g)
	case codebook.Cols != s.points.Cols || len(codebook.Data) < g*codebook.Cols:
		return problem.New("", defect, "points have %d columns and landmarks %d", s.points.Cols, codebook.Cols)
	}
	if s.kernel == nil || s.g != g {
		if err := s.open(g); err != nil {
			return err
		}
	}
	if code := codebook.Data[:g*codebook.Cols]; !slices.Equal(code, s.codebook) {
		s.codebook = append(s.codebook[:0], code...)
		s.scale = s.kernel.setCodebook(s.codebook, s.scale)
	}
	s.from, s.out = from, out
	err := s.pool.run(ctx, from, to, blockFor(n, s.pool.threads, 2*g*s.points.Cols), s)
	s.out = nil
	return err
}

func (s *Search) open(g int) error {
	s.closeKernel()
	k, err := s.variant.open(s.points.Cols, g, false)
	if err != nil {
		return err
	}
	s.kernel, s.g = k, g
	s.codebook, s.scale = s.codebook[:0], 0
	for range s.pool.threads {
		sc, err := k.newScratch(1)
		if err != nil {
			s.closeKernel()
			return err
		}
		s.workers = append(s.workers, sc)
	}
	return nil
}

func (s *Search) closeKernel() {
	if s.kernel == nil {
		return
	}
	for i := range s.workers {
		s.kernel.freeScratch(&s.workers[i])
	}
	s.workers = s.workers[:0]
	s.kernel.free()
	s.kernel = nil
}

// Close gives memory and goroutines back.
func (s *Search) Close() {
	s.closeKernel()
	s.pool.close()
}

// doRange implements task.
func (s *Search) doRange(worker, from, to int) {
	s.kernel.winners(s.codebook, s.points.Data, from, to, s.out[from-s.from:], &s.workers[worker])
}
