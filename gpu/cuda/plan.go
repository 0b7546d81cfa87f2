package cuda

import (
	"errors"
	"fmt"

	"blossom/gpu/cuda/driver"
)

// A plan says what of the points is kept on the card.
type plan uint8

const (
	everything plan = iota // points and neighbours
	recompute              // points; neighbours are found again, a window at a time, for each projection
	stream                 // a window of points at a time is sent for each use
)

const (
	cacheTile = 32 // slots side by side in the cache, as in layout.cuh
	pageBits  = 16 // slots of an ordered page are counted with these, as in order.cu
	page      = 1 << pageBits
)

// windows are the numbers of points that are tried where not all fit.
var windows = []int64{1 << 22, 1 << 20, 1 << 18, 1 << 16}

// budget returns how many bytes may be taken now: what is free less a reserve for drawing and other
// programs, and within Options.Memory.
func (r *resident) budget() (int64, error) {
	free, total, err := r.e.c.MemInfo()
	if err != nil {
		return 0, err
	}
	left := free - min(total/16, 512<<20)
	if most := r.e.o.Memory; most > 0 {
		left = min(left, most-r.points.bytes-r.cacheRooms()-r.otherRooms())
	}
	return max(0, left), nil
}

// cacheBytes returns what n points take in the cache: 16-bit numbers and float32 squared distances. Half
// precision distances would not do: they are differences of them that count, and the error of those would
// be a thousand times what is allowed.
func cacheBytes(n int64, find int) (ids, d2 int64) {
	slots := (n + cacheTile - 1) / cacheTile * cacheTile
	return 2 * slots * int64(find), 4 * slots * int64(find)
}

// others is about what points take besides their coordinates and neighbours: order, positions and lists.
func others(n int64) int64 { return 2*n + 12*n + 4*8*(min(n, pieceMost)+2*page) }

// reserve takes memory for the points, all of them if there is room for that and their neighbours.
func (r *resident) reserve() error {
	const usual = 11 // neighbours, while it is not known how many
	left, err := r.budget()
	if err != nil {
		return err
	}
	ids, d2 := cacheBytes(r.n, usual)
	all := 4 * r.n * r.d
	if all+others(r.n)+min(ids+d2, windows[0]*6*usual) <= left {
		err := r.points.grow(r.e.c, r.e.s, all)
		if !noMemory(err) {
			return err
		}
	}
	r.plan = stream
	for _, w := range windows {
		r.window = w
		if 4*w*r.d+others(r.n)+6*w*usual > left {
			continue
		}
		err := r.points.grow(r.e.c, r.e.s, 4*w*r.d)
		if !noMemory(err) {
			return err
		}
	}
	return fmt.Errorf("the card has %d MB free, which is too little for %d points of %d columns", left>>20, r.n, r.d)
}

// reserveCache takes memory for the neighbours of all points or, if there is not enough, of a window.
func (r *resident) reserveCache() error {
	want := func(n int64) error {
		ids, d2 := cacheBytes(n, r.find)
		if r.ids.bytes >= ids && r.d2.bytes >= d2 && r.ids.at != 0 {
			return nil
		}
		r.found.Clear()
		if left, err := r.budget(); err != nil {
			return err
		} else if left+r.ids.bytes+r.d2.bytes < ids+d2+14*n/8 {
			return &driver.Error{Call: "cuMemAlloc", Code: 2, Name: "CUDA_ERROR_OUT_OF_MEMORY", Text: "out of memory"}
		}
		return errors.Join(r.ids.grow(r.e.c, r.e.s, ids), r.d2.grow(r.e.c, r.e.s, d2))
	}
	if r.plan == everything {
		err := want(r.n)
		if !noMemory(err) {
			return err
		}
		if err := r.e.s.Wait(); err != nil {
			return err
		}
		r.plan = recompute
		r.window = windows[0]
		// a window has no order of slots
		if err := errors.Join(r.ids.free(r.e.c), r.d2.free(r.e.c), r.order.drop(r.e.c)); err != nil {
			return err
		}
	}
	for {
		err := want(r.window + cacheTile)
		if !noMemory(err) || r.window <= windows[len(windows)-1] {
			return err
		}
		r.window /= 4
	}
}

func noMemory(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.OutOfMemory()
}

// cacheRooms and otherRooms are the bytes on the card besides those of the points.
func (r *resident) cacheRooms() int64 { return r.ids.bytes + r.d2.bytes }

func (r *resident) otherRooms() int64 {
	bytes := r.out.bytes + r.pairs.bytes
	for _, x := range [][]*room{r.tables.rooms(), r.order.rooms(), r.lists.rooms()} {
		for _, y := range x {
			bytes += y.bytes
		}
	}
	return bytes
}

func (p plan) String() string {
	switch p {
	case recompute:
		return "little memory on the card: neighbours are found again for every picture"
	case stream:
		return "little memory on the card: the points are sent again for every picture"
	}
	return ""
}
