package live

import (
	"context"
	"errors"
	"time"

	"blossom/gpu/cpu"
	"blossom/model/base/matrix"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// card is a target with memory on a pretend graphics card, which is what is on screen. Its host memory is
// wrong wherever nothing was uploaded.
type card struct {
	*embedsom.HostTarget
	memory   []float32
	storage  uint64
	uploaded int
	wrote    int
	onHost   bool // the host draws
}

func newCard(n int) *card {
	c := &card{HostTarget: embedsom.NewHostTarget(n, 2)}
	c.resize()
	return c
}

// resize gives the buffer new memory with nothing in it.
func (c *card) resize() {
	c.memory = make([]float32, len(c.Data))
	c.storage++
}

func (c *card) Upload(from, to int) {
	copy(c.memory[2*from:2*to], c.Data[2*from:2*to])
	c.uploaded += to - from
}

func (c *card) GLBuffer() (uint32, uint64) {
	if c.onHost {
		return 0, 0
	}
	return 7, c.storage
}

func (c *card) Wrote(from, to int) { c.wrote += to - from }

// late is an engine whose work is done when its timings are asked for the second time after: what it was
// given then may long have been replaced. It computes with the CPU engine, into the memory of a card.
type late struct{ inner engine.Engine }

// lateness is how all late engines behave: a test sets it before it begins.
var lateness struct {
	loads   error // lateness sets how all late engines behave: a test fills it in before it begins.
	left    int   // pieces of work until the card fails, if failure is set
	failure error
	quiet   bool // a failure shows in Wait alone
	plan    string
	perPart time.Duration // a point takes
}

func init() {
	engine.Register(engine.Registration{Name: "late", Priority: -1000,
		Probe: func(engine.Options) (bool, string, string) { return true, "", "a pretend card" },
		New: func(o engine.Options) (engine.Engine, error) {
			e, err := cpu.NewVariant(cpu.Variants()[0], o)
			return late{e}, err
		}})
}

func (late) Name() string    { return "late" }
func (late) Variant() string { return "" }
func (late) Device() string  { return "a pretend card" }
func (e late) Close() error  { return e.inner.Close() }
func (e late) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	if lateness.loads != nil {
		return nil, lateness.loads
	}
	r, err := e.inner.Load(ctx, x)
	n, d := x.Shape()
	return &latePoints{inner: r, d: d, n: n}, err
}

type latePoints struct {
	inner engine.Resident
	n, d  int
	queue []latePiece
	asked int // pieces that Timings has seen in the queue
	err   error
	gl    bool
}

type latePiece struct {
	run func() error
	t   engine.Timing
}

func (r *latePoints) push(stage engine.Stage, points int, run func() error) {
	r.queue = append(r.queue, latePiece{run, engine.Timing{Stage: stage, Points: points,
		Time: time.Duration(points) * lateness.perPart}})
}

// do runs the first pieces of the queue.
func (r *latePoints) do(n int, yield func(engine.Timing)) {
	for _, p := range r.queue[:n] {
		if lateness.failure != nil {
			if lateness.left--; lateness.left < 0 && r.err == nil {
				r.err = lateness.failure
			}
		}
		if r.err != nil {
			continue
		}
		if r.err = p.run(); r.err == nil && yield != nil {
			yield(p.t)
		}
	}
	r.queue = r.queue[n:]
	r.asked = len(r.queue)
}

func (r *latePoints) Timings(yield func(engine.Timing)) { r.do(r.asked, yield) }

func (r *latePoints) Wait() error {
	r.do(len(r.queue), nil)
	return r.err
}

func (r *latePoints) check(l *landmark.Set, p embedsom.Params) error {
	if r.err != nil && !lateness.quiet {
		return r.err
	}
	return engine.CheckLandmarks(l, p, r.d)
}

func (r *latePoints) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, at engine.Range) error {
	if err := r.check(l, p); err != nil {
		return err
	}
	r.push(engine.StageNeighbours, at.Len(), func() error { return r.inner.Neighbours(ctx, l, p, at) })
	return nil
}

func (r *latePoints) Project(ctx context.Context, l *landmark.Set, p embedsom.Params, dst embedsom.Target,
	at engine.Range) error {
	if err := r.check(l, p); err != nil {
		return err
	}
	name, _ := dst.GLBuffer()
	r.gl = name != 0
	if !r.gl {
		// Host is right when Project returns.
		r.do(len(r.queue), nil)
		if r.err != nil {
			return r.err
		}
		return r.inner.Project(ctx, l, p, dst, at)
	}
	// The memory that the buffer has now: what a card would go on writing after a resize.
	memory := &embedsom.HostTarget{Data: dst.(*card).memory, N: dst.Len(), M: dst.Dims()}
	r.push(engine.StageProject, at.Len(), func() error { return r.inner.Project(ctx, l, p, memory, at) })
	dst.Wrote(at.From, at.To)
	return nil
}

func (r *latePoints) Caps() engine.Caps { return engine.Caps{Keeps: true, Async: r, Searcher: r} }

func (r *latePoints) Status() engine.Status {
	s := engine.Status{Path: "staged copy", Plan: lateness.plan, Points: 1}
	if r.gl {
		s.Path = "shared buffer"
	}
	return s
}

func (r *latePoints) Nearest(ctx context.Context, codebook matrix.Matrix32, from, to int, out []int32) error {
	if lateness.failure != nil {
		if lateness.left--; lateness.left < 0 {
			return lateness.failure
		}
	}
	return r.inner.Caps().Searcher.Nearest(ctx, codebook, from, to, out)
}

func (r *latePoints) Free() {
	r.do(len(r.queue), nil)
	r.inner.Free()
}

var errLost = errors.New("the card fell off the bus")
