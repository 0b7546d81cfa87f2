package live

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"blossom/model/base/step"
	"blossom/model/maps/embedsom"
	"blossom/model/work/embedding"
)

// ring is a running embedding as another package would add it, in one file: every step pulls points that are not
// pinned a little towards a circle, or a sphere.
type ring struct {
	embedding.Plain
	pos    []float32
	dims   int
	pinned map[int]bool
	p      step.Progress
}

const ringSteps = 400

// ringing is how all rings behave: a test sets it.
var ringing struct {
	failAt int64 // the step that fails, 0 for none
	panics bool
	starts error
	delay  time.Duration // time that each start takes
	begun  int           // runners that were made
	from   *embedding.Result

	stepped atomic.Int64 // steps of all rings
}

func init() {
	embedding.Register(embedding.Kind{ID: "ring", Title: "Ring", Help: "All points on a circle",
		Way: embedding.Stepwise,
		Run: embedding.Stages{Start: func(_ context.Context, in embedding.Inputs, r embedding.Recipe,
			b embedding.Beginning) (embedding.Runner, error) {
			time.Sleep(ringing.delay)
			n := in.Table.X.Rows
			out := &ring{pos: make([]float32, n*r.Dims), dims: r.Dims, pinned: map[int]bool{},
				p: step.Progress{Total: ringSteps}}
			ringing.begun++
			ringing.from = b.From
			from := b.From
			if from == nil {
				random := rand.New(rand.NewPCG(b.Seed, 1))
				for i := range out.pos {
					out.pos[i] = 8*random.Float32() - 4
				}
				return out, ringing.starts
			}
			for i := range n {
				for c := range min(r.Dims, from.Dims) {
					out.pos[i*r.Dims+c] = from.Pos[i*from.Dims+c]
				}
			}
			return out, ringing.starts
		}}})
}

func (r *ring) Step(_ context.Context, units int) (step.Progress, error) {
	for ; units > 0 && !r.p.Rest; units-- {
		if ringing.failAt > 0 && r.p.Done >= ringing.failAt {
			if ringing.panics {
				panic("the ring broke")
			}
			return r.p, errors.New("the ring broke")
		}
		for i := 0; i < len(r.pos); i += r.dims {
			if r.pinned[i/r.dims] {
				continue
			}
			length := 0.0
			for _, x := range r.pos[i : i+r.dims] {
				length += float64(x) * float64(x)
			}
			if length = math.Sqrt(length); length == 0 || length-length != 0 {
				continue
			}
			for c := range r.dims {
				r.pos[i+c] *= float32(1 + 0.05*(1/length-1))
			}
		}
		r.p.Done++
		ringing.stepped.Add(1)
		r.p.Rest = r.p.Done == r.p.Total
	}
	return r.p, nil
}

func (r *ring) Place(dst embedsom.Target) error {
	copy(dst.Host(), r.pos)
	dst.Upload(0, dst.Len())
	return nil
}

func (r *ring) Hold(points []int, places []float32) error {
	for k, p := range points {
		r.pinned[p] = true
		copy(r.pos[p*r.dims:(p+1)*r.dims], places[k*r.dims:])
	}
	r.p.Total, r.p.Rest = r.p.Done+ringSteps, false
	return nil
}

func (r *ring) Release(points []int) error {
	for _, p := range points {
		r.pinned[p] = false
	}
	return nil
}
