package glcompute

import (
	"context"
	"math"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/maps/embedsom"
)

// hards are the points that the kernels leave to the reference, listed by the card. For a target on the
// host they are done at once. For one on the card they are done when the list has arrived, in a later
// call, so that nothing waits; but where the last list was not empty, waiting is the rule.
type hards struct {
	direct  bool // the last Project wrote into the buffer that is drawn
	idle    []*job
	open    []*job   // oldest first
	last    int      // length of the last list that arrived
	count   []uint32 // one; memory of its own, for OpenGL writes to it
	entries []uint32
	patch   []uint32
	patches buffer
}

// job is one projected batch with its list.
type job struct {
	list           buffer // how many; then 1 + (find+1)/2 words each: point of the page, ids
	first, m, find int    // the page's first point, coordinates, neighbours of a point
	g              int
	dst            embedsom.Target
	vertices       uint32
	storage        uint64
	room           int // points that vertices holds from first on
	fence          uintptr
}

const (
	maxOpen = 16      // lists on their way
	noIDs   = 1 << 31 // marks a point that has no neighbours
)

// newJob returns a job with an empty list that has room for n points.
func (h *hards) newJob(r *resident, n int) (*job, error) {
	if len(h.open) >= maxOpen {
		if err := h.finish(r); err != nil {
			return nil, err
		}
	}
	if len(h.idle) == 0 {
		h.idle = append(h.idle, &job{})
	}
	last := len(h.idle) - 1
	j := h.idle[last]
	h.idle = h.idle[:last]
	if err := j.list.room(4+4*n*(1+(r.find+1)/2), "memory for points that are hard to place"); err != nil {
		return nil, err
	}
	gl.BindBuffer(gl.SHADER_STORAGE_BUFFER, j.list.id)
	gl.ClearBufferSubData(gl.SHADER_STORAGE_BUFFER, gl.R32UI, 0, 4, gl.RED_INTEGER, gl.UNSIGNED_INT, nil)
	j.find, j.g, j.dst = r.find, r.g, nil
	return j, nil
}

// fetch reads a list; it waits for the work before.
func (h *hards) fetch(j *job) (count int, err error) {
	if h.count == nil {
		h.count = make([]uint32, 1)
	}
	read(&j.list, 0, h.count)
	count = int(h.count[0])
	if err := check("projecting"); err != nil || count == 0 {
		return 0, err
	}
	words := count * (1 + (j.find+1)/2)
	if cap(h.entries) < words {
		h.entries = make([]uint32, words)
	}
	h.entries = h.entries[:words]
	read(&j.list, 4, h.entries)
	return count, check("projecting")
}

// solve computes the listed points of a job; yield is called from several goroutines.
func (h *hards) solve(ctx context.Context, r *resident, j *job, count int,
	yield func(n, point int, y *[3]float64)) error {
	size := 1 + (j.find+1)/2
	return r.reference().Each(ctx, 0, count, r.e.o.Threads, func(w *embedsom.Worker, n int) {
		e := h.entries[n*size : (n+1)*size]
		point := j.first + int(e[0]&^noIDs)
		var y [3]float64
		if e[0]&noIDs != 0 {
			w.Point(r.x.Row(point), y[:j.m])
		} else {
			var ids [maxKept]int32
			for i := range j.find {
				ids[i] = int32(e[1+i/2] >> (16 * (i % 2)) & 0xffff)
			}
			w.PointFrom(r.x.Row(point), ids[:j.find], y[:j.m])
		}
		yield(n, point, &y)
	})
}

// now does the points of a job into out.
func (h *hards) now(r *resident, ctx context.Context, j *job, out []float32) error {
	count, err := h.fetch(j)
	h.idle = append(h.idle, j)
	if err != nil || count == 0 {
		return err
	}
	return h.solve(ctx, r, j, count, func(_, point int, y *[3]float64) {
		for q := range j.m {
			out[point*j.m+q] = float32(y[q])
		}
	})
}

// later notes a job whose positions go into its target on the card.
func (h *hards) later(r *resident, j *job) error {
	j.fence = gl.FenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)
	h.open = append(h.open, j)
	return h.poll(r, h.last > 0)
}

// poll does the jobs whose lists have arrived; with wait, all of them.
func (h *hards) poll(r *resident, wait bool) error {
	for len(h.open) > 0 {
		if !wait {
			if s := gl.ClientWaitSync(h.open[0].fence, 0, 0); s == gl.TIMEOUT_EXPIRED {
				return nil
			}
		}
		if err := h.finish(r); err != nil {
			return err
		}
	}
	return nil
}

// finish does the oldest job. What has become void meanwhile, because the target or the number of
// neighbours is another one, is dropped: it will be asked for again.
func (h *hards) finish(r *resident) error {
	j := h.open[0]
	h.open = append(h.open[:0], h.open[1:]...)
	h.idle = append(h.idle, j)
	gl.DeleteSync(j.fence)
	count, err := h.fetch(j)
	h.last = count
	if err != nil || count == 0 || j.find != r.find || j.g != r.g || j.m != r.tab.pos.Cols {
		return err
	}
	if v, storage := j.dst.GLBuffer(); v != j.vertices || storage != j.storage {
		return nil
	}
	size := 1 + j.m
	if cap(h.patch) < size*count {
		h.patch = make([]uint32, size*count)
	}
	patch := h.patch[:size*count]
	err = h.solve(context.Background(), r, j, count, func(n, point int, y *[3]float64) {
		patch[n*size] = uint32(point - j.first)
		for q := range j.m {
			patch[n*size+1+q] = math.Float32bits(float32(y[q]))
		}
	})
	if err != nil {
		return err
	}
	k, err := r.e.programs.get(variant{name: "scatter"})
	if err != nil {
		return err
	}
	if err := h.patches.room(4*len(patch), "memory for points that are hard to place"); err != nil {
		return err
	}
	write(&h.patches, 0, patch)
	gl.BindBufferRange(gl.SHADER_STORAGE_BUFFER, 2, j.vertices, 4*j.m*j.first, 4*j.m*j.room)
	h.patches.bind(5)
	k.use()
	k.int(uCount, count)
	k.int(uDims, j.m)
	dispatch(groups(count, 64), 1)
	gl.MemoryBarrier(drawn)
	low, high := math.MaxInt, 0
	for n := range count {
		low, high = min(low, int(patch[n*size])), max(high, int(patch[n*size]))
	}
	j.dst.Wrote(j.first+low, j.first+high+1)
	return check("placing points")
}

// drawn makes what kernels wrote into a target visible to drawing, reading and other kernels.
const drawn = gl.VERTEX_ATTRIB_ARRAY_BARRIER_BIT | gl.BUFFER_UPDATE_BARRIER_BIT | gl.SHADER_STORAGE_BARRIER_BIT

func (h *hards) free() {
	for _, j := range h.open {
		gl.DeleteSync(j.fence)
		j.list.free()
	}
	for _, j := range h.idle {
		j.list.free()
	}
	h.patches.free()
	*h = hards{}
}

func (h *hards) memory() int {
	n := h.patches.bytes
	for _, list := range [][]*job{h.open, h.idle} {
		for _, j := range list {
			n += j.list.bytes
		}
	}
	return n
}
