// Package reference is the engine that computes in float64, exactly as model/maps/embedsom has it: slow,
// and what the other engines are judged by.
package reference

import (
	"context"
	"fmt"
	"runtime"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/tsne"
	"blossom/model/maps/umap"
	"blossom/model/space/knn"
	"blossom/model/work/engine"
)

// Name is the registered name.
const Name = "reference"

func init() {
	engine.Register(engine.Registration{
		Name:  Name,
		Title: "Reference",
		Note:  "exact and slow, for comparison",
		Kind:  engine.Yardstick,
		Probe: func(engine.Options) (bool, string, string) { return true, "", device(0) },
		New:   New,
	})
}

func cores(threads int) int {
	if threads <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return threads
}

func device(threads int) string { return fmt.Sprintf("%d cores, float64", cores(threads)) }

// New returns the engine.
func New(o engine.Options) (engine.Engine, error) { return &exact{o.Threads}, nil }

type exact struct{ threads int }

func (e *exact) Name() string    { return Name }
func (e *exact) Variant() string { return "" }
func (e *exact) Device() string  { return device(e.threads) }
func (e *exact) Close() error    { return nil }

func (e *exact) Load(ctx context.Context, points matrix.Source) (engine.Resident, error) {
	x, err := engine.Points(ctx, points)
	if err != nil {
		return nil, err
	}
	return &resident{threads: cores(e.threads), x: x}, nil
}

type resident struct {
	threads  int
	x        matrix.Matrix32
	codebook matrix.Matrix32 // codebook of the last Neighbours
	find     int
	ids      []int32 // n x find
	found    engine.Ranges
	checker  engine.Checker
}

var (
	_ engine.Resident = (*resident)(nil)
	_ knn.Finder      = (*resident)(nil)
)

// Caps says that neighbours of points are found here too, and maps of t-SNE and UMAP made.
func (s *resident) Caps() engine.Caps {
	return engine.Caps{Neighbours: s, TSNE: device64{tsne.Double()}, UMAP: graphs64{}}
}
func (s *resident) Status() engine.Status { return engine.Status{} }

// device64 is the float64 of model/maps/tsne.
type device64 struct{ tsne.Device }

// graphs64 is the float64 of model/maps/umap.
type graphs64 struct{ umap.Plain }

var (
	_ tsne.Device = (*device64)(nil)
	_ umap.Device = (*graphs64)(nil)
)

// Others implements knn.Finder.
func (s *resident) Others(ctx context.Context, q knn.Query, out *knn.Lists) error {
	q.Threads = s.threads
	return knn.Search(ctx, s.x, q, out)
}

func (s *resident) Free() { *s = resident{} }

func (s *resident) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, r engine.Range) error {
	if err := s.checker.Check(s.x, l, p, r); err != nil {
		return err
	}
	ref, err := embedsom.NewReference(l.Codebook, l.Pos, p)
	if err != nil {
		return err
	}
	_, find := p.Neighbours(l.Len())
	if find != s.find || l.Len() != s.codebook.Rows {
		s.found.Clear()
		s.find, s.ids = find, make([]int32, s.x.Rows*find)
	}
	s.codebook = l.Codebook
	err = ref.Each(ctx, r.From, r.To, s.threads, func(w *embedsom.Worker, i int) {
		w.Neighbours(s.x.Row(i), s.ids[i*find:i*find:(i+1)*find], nil)
	})
	if err == nil {
		s.found.Add(r)
	}
	return err
}

func (s *resident) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	r engine.Range) error {
	if err := s.checker.Check(s.x, l, p, r); err != nil {
		return err
	}
	if err := engine.CheckTarget(dst, s.x.Rows, l.Pos.Cols); err != nil {
		return err
	}
	_, find := p.Neighbours(l.Len())
	if r.Len() > 0 && (find != s.find || l.Len() != s.codebook.Rows || !s.found.Contains(r)) {
		return engine.ErrNoNeighbours(r)
	}
	if r.Len() == 0 {
		return ctx.Err()
	}
	ref, err := embedsom.NewReference(s.codebook, l.Pos, p)
	if err != nil {
		return err
	}
	out, m := dst.Host(), ref.Dims()
	err = ref.Each(ctx, r.From, r.To, s.threads, func(w *embedsom.Worker, i int) {
		var y [3]float64
		w.PointFrom(s.x.Row(i), s.ids[i*find:(i+1)*find], y[:m])
		for q := range m {
			out[i*m+q] = float32(y[q])
		}
	})
	if err == nil {
		dst.Upload(r.From, r.To)
	}
	return err
}
