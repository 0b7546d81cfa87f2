package cuda

import (
	"context"
	"errors"
	"reflect"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// Selection looks for nearest points as a published system of single linkage does, whose package registers it. It does
// nothing where the card does not do it.
type Selection func(context.Context, *Selecting) (did bool, err error)

var selection Selection

// RegisterSelection adds the selection.
func RegisterSelection(s Selection) { selection = s }

// structures are what kernels of published systems are given as a whole, by their names in the sources.
var structures = map[string]reflect.Type{}

// Structure says that S is the structure of that name in the sources of kernels.
func Structure[S any](name string) { structures[name] = reflect.TypeFor[S]() }

// Selecting is rows of blocks whose nearest points are looked for, with places of arrays on a card: see
// kernels/light.cuh. Answers go to IDs and Scores.
type Selecting struct {
	Layout                *linkage.Blocked
	Query                 linkage.Query
	Blocks                int // blocks of points that are asked for
	Packed, Half, PanelOf driver.Ptr
	Label                 driver.Ptr // 0: of any label
	Queues, IDs, Scores   driver.Ptr
	h                     *holding
}

// BlockSize is the rows of a block, SelectThreads the threads that look at one.
const (
	BlockSize     = side
	SelectThreads = sweepThreads
)

// Kernel returns a kernel for that much shared memory, nil where the card does not have it.
func (s *Selecting) Kernel(module, name string, shared int) (*driver.Function, error) {
	f, err := s.h.e.kernel(module, name)
	if err != nil || s.h.e.fits(f, sweepThreads, shared) < 1 {
		return nil, err
	}
	return f, nil
}

// Stretch is how many panels a launch takes, so that it is over soon.
func (s *Selecting) Stretch() int64 {
	share := min(int64(s.Blocks), s.h.work.cores())
	return max(1, share*stretch/(int64(s.Blocks)*side*side*max(1, int64(s.Layout.D))))
}

// LaunchSelect launches a kernel with a structure, and waits for it.
func LaunchSelect[S any](s *Selecting, f *driver.Function, args *S, shared int) error {
	h := s.h
	h.args.Reset()
	h.args.Struct(unsafe.Pointer(args))
	return errors.Join(h.work.s.Launch(f, driver.Dim{X: s.Blocks}, driver.Dim{X: sweepThreads}, shared, &h.args),
		h.work.s.Wait())
}

// published looks for the nearest of the blocks that h.asked names, whose answers go to h.ids and h.scores.
func (h *holding) published(ctx context.Context, q linkage.Query, blocks int) (did bool, err error) {
	if selection == nil {
		return false, nil
	}
	s := &Selecting{Layout: h.l, Query: q, Blocks: blocks, Packed: h.packed.at, Half: h.half.at, PanelOf: h.asked.at,
		Queues: h.entries.at, IDs: h.ids.at, Scores: h.scores.at, h: h}
	if q.Label != nil {
		s.Label = h.label.at
	}
	return selection(ctx, s)
}
