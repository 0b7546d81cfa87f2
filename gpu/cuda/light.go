package cuda

import (
	"context"
	"errors"
	"math"
	"runtime"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
)

// Pairs of points for single linkage: kernels/light.cu.

// lightArgs is LightArgs there.
type lightArgs struct {
	x, row, norm, core, mean                                      driver.Ptr
	scale, inverse                                                float64
	packed, half, length                                          driver.Ptr
	centre, centreHalf, centreLength, centreCols, radius, longest driver.Ptr
	n, d, blocks, metric                                          int32
	up, w, s, smax, cores, rep, nodes, ways                       driver.Ptr
	levels, full                                                  int32
	block, from, to                                               driver.Ptr
	window                                                        int32
	tiles, local, denseTiles, nearTiles, passed, kept             driver.Ptr
	passedRoom, keptRoom                                          int32
	counts, scratch, about                                        driver.Ptr
	each, dense, steps                                            int32
	fragments, norms, ranges, nears, nearScale                    driver.Ptr
	nearSteps                                                     int32
}

// Kernels of light.cu.
const (
	lightPrune   = "lightPrune" // and lightPruneCity
	lightLook    = "lightLook"  // and lightLookCity
	lightLocal   = "lightLocal" // and lightLocalCity
	lightWeigh   = "lightWeigh" // and lightWeighStaged, lightWeighBytes
	lightWeights = "lightWeights"
	lightAbout   = "lightAbout"
	lightThreads = 128
)

// Products on tensor cores, and the kernels of light_dense.cu.
const (
	denseHalves = 1
	denseBytes  = 2
)

// lightModules are the files of kernels that are not in light.cu.
var lightModules = map[string]string{"lightRange": "light_dense", "lightHalves": "light_dense",
	"lightLookHalves": "light_dense", "lightBytes": "light_dense", "lightLookBytes": "light_dense",
	"lightWeighBytes": "light_dense", "lightNears": "light_near", "lightLookNear": "light_near",
	"lightCentral": "light_tree", "lightBounds": "light_tree", "lightJoined": "light_tree", "lightChain": "light_tree"}

// A launch may find at most this much: where there is more, it is done again in smaller parts.
var (
	tileRoom   int64 = 1 << 20
	passedRoom int64 = 1 << 21
	keptRoom   int64 = 1 << 21
	tasksMost        = 256 // in a launch, so that one place of each fits in any case
)

// fewTasks has launches find little, for tests.
func fewTasks() { tileRoom, passedRoom, keptRoom, tasksMost = 512, 4*side, 4*side*side, 4 }

const (
	tileBytes   = 24
	passedBytes = 16
	pairBytes   = 16
	aboutMost   = 9 // blocks about a block, itself too
)

// lightCounts is what launches count, in the order of light.cu.
type lightCounts struct {
	tiles, locals, passed, kept, tested, rechecked, light, dense, nears uint64
}

const countBytes = 72

var _ linkage.Device = (*resident)(nil)

// Hold implements linkage.Device.
func (r *resident) Hold(ctx context.Context, l *linkage.Blocked) (linkage.Holding, error) {
	h, _, err := r.hold(ctx, l, asLayout)
	if err != nil {
		return nil, err
	}
	return h, nil
}

// Arrange implements linkage.Device.
func (r *resident) Arrange(ctx context.Context, l *linkage.Blocked) (linkage.Holding, []int32, error) {
	as := asRows
	var placed []int32
	if l.N <= orderLeast {
		as = asLayout
		var err error
		if placed, err = l.Arrange(ctx, runtime.GOMAXPROCS(0)); err != nil {
			return nil, nil, err
		}
	}
	h, ids, err := r.arrangeAll(ctx, l, as)
	if err != nil {
		return nil, nil, err
	}
	if as == asLayout {
		ids = placed
	}
	return h, ids, nil
}

// orderLeast is how many points the processor puts in order in less time than launches take.
const orderLeast = 1024

// arranged is how places of a layout are ordered.
type arranged uint8

const (
	asLayout arranged = iota // all of the layout is there
	asRows                   // not yet
	asPlaces                 // in order, and nothing else is there
)

// hold puts a layout on the card.
func (r *resident) hold(ctx context.Context, l *linkage.Blocked, as arranged) (h *holding, ids []int32, err error) {
	if r.err != nil {
		return nil, nil, r.err
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		return nil, nil, r.failed(err)
	}
	defer leave()
	h = &holding{r: r, l: l}
	if err := h.begin(r.e); err != nil {
		return nil, nil, r.failed(err)
	}
	if ids, err = h.open(ctx, as); err != nil {
		h.end()
		return nil, nil, r.failed(err)
	}
	return h, ids, nil
}

// holding is a layout on the card.
type holding struct {
	work
	r *resident
	l *linkage.Blocked
	a lightArgs

	x, row, norm, core, mean, packed, half, length                *room // points in the order of the layout
	centre, centreHalf, centreLength, centreCols, radius, longest *room
	s, smax, cores, rep, nodes, ways                              *room // bounds of the tree
	block, from, to, tiles, local, passed, counts, scratch        *room
	entries, sizes, limits, ids, scores, start, list, label       room // memory of Nearest
	asked, beside                                                 room

	ranges, fragments, norms, denseTiles *room
	nears, nearScale, nearTiles          *room

	tree   *grown      // nil before First
	pairs  room        // memory of Weights
	window int64       // places of a task that a launch has a look at
	seen   lightCounts // counts of all launches together
}

// bytes is what the layout and the tree take, and what launches need.
func (h *holding) bytes() (layout, launches int64) {
	l := h.l
	n, nb, d := int64(l.N), int64(l.Blocks), int64(l.D)
	layout = nb*(4*side*d+12*side+8*d+36+8*treeLevels) + 4*n + 16*d
	if l.Norm != nil {
		layout += 8 * n
	}
	if l.Core != nil {
		layout += 12 * n
	}
	launches = 4*tileBytes*tileRoom + passedBytes*passedRoom + 12*int64(tasksMost) + countBytes +
		h.scratchBytes() + treeBytes(n)
	return layout, max(launches, orderBytes(n, nb, d)) // the order is known before there are launches
}

// locals is how many blocks of lightLocal there are: each has memory of its own.
func (h *holding) locals() int64 {
	return max(1, min(8*h.work.cores(), 256<<20/h.localBytes()))
}

func (h *holding) localBytes() int64 { return 8 * (66*int64(h.l.D) + 128) }

func (h *holding) scratchBytes() int64 { return h.localBytes() * h.locals() }

// open sends the layout, or arranges it there; all of its memory is known before.
func (h *holding) open(ctx context.Context, as arranged) (ids []int32, err error) {
	l := h.l
	same := len(l.X.Data) > 0 && len(h.r.x.Data) == len(l.X.Data) && &l.X.Data[0] == &h.r.x.Data[0] &&
		h.r.plan != stream
	layout, launches := h.bytes()
	if !same {
		layout += 4 * int64(len(l.X.Data))
	}
	left, err := h.memoryLeft()
	if err != nil {
		return nil, err
	}
	if layout+launches+1<<20 > left {
		return nil, problem.New("", "take a sample of fewer points, or use --engine cpu",
			"to look at the pairs of %d points needs %d MB of the card's memory, of which %d MB are free", l.N,
			(layout+launches)>>20+2, left>>20)
	}
	at, err := h.send(ctx, same)
	if err != nil {
		return nil, err
	}
	if as == asLayout {
		err = h.copy(ctx)
	} else {
		ids, err = h.arrange(ctx, at, as)
	}
	if err != nil {
		return nil, err
	}
	h.a = lightArgs{x: at, row: h.row.at, norm: where(h.norm), core: where(h.core), mean: h.mean.at, scale: l.Scale,
		inverse: 1 / l.Scale, packed: h.packed.at, half: h.half.at, length: h.length.at, centre: h.centre.at,
		centreHalf: h.centreHalf.at, centreLength: h.centreLength.at, centreCols: h.centreCols.at,
		radius: h.radius.at, longest: h.longest.at, n: int32(l.N), d: int32(l.D), blocks: int32(l.Blocks),
		metric: int32(l.Metric)}
	h.window = 64
	if err := h.densely(); err != nil {
		return nil, err
	}
	return ids, h.work.s.Wait()
}

// copy sends the layout as it is.
func (h *holding) copy(ctx context.Context) error {
	l := h.l
	return errors.Join(hold(ctx, h, &h.row, l.Row, 0), hold(ctx, h, &h.norm, l.Norm, 0),
		hold(ctx, h, &h.core, l.Core, 0), hold(ctx, h, &h.mean, l.Mean, 0), hold(ctx, h, &h.packed, l.Packed, 0),
		hold(ctx, h, &h.half, l.Half, 0), hold(ctx, h, &h.length, l.Length, l.Blocks*side),
		hold(ctx, h, &h.centre, l.Centre, 0), hold(ctx, h, &h.centreHalf, l.CentreHalf, 0),
		hold(ctx, h, &h.centreLength, l.CentreLength, 0), hold(ctx, h, &h.centreCols, l.CentreCols, 0),
		hold(ctx, h, &h.radius, l.Radius, 0), hold(ctx, h, &h.longest, l.Longest, 0))
}

// densely prepares products on tensor cores, where there are such and there is room: of bytes, where all values are
// integers within 255 of each other, else of halves.
func (h *holding) densely() error {
	l := h.l
	const least, most = 9, 8000 // columns: fewer are no work, and sums of more run over
	if !h.e.hasTensor() || l.Metric == linkage.L1 || l.D < least || l.D > most || l.N == 0 {
		return nil
	}
	var err error
	if h.ranges, err = h.room(12); err != nil {
		return err
	}
	values := [3]uint32{math.MaxUint32, 0, 0} // the least, the most, and whether one is no integer: in order
	if err := send(&h.work, h.ranges.at, values[:]); err != nil {
		return err
	}
	h.a.ranges = h.ranges.at
	if err := h.queue("lightRange", driver.Dim{X: min(blocksOf(l.N, 4), 32*int(h.work.cores()))}, 128); err != nil {
		return err
	}
	if err := fetch(&h.work, values[:], h.ranges.at); err != nil {
		return err
	}
	h.a.steps = int32(blocksOf(l.D, 16))
	dense, fill := int32(denseHalves), "lightHalves"
	wide := disordered(values[1]) - disordered(values[0])
	if l.Metric == linkage.Euclidean && values[2] == 0 && wide <= 255 {
		dense, fill, h.a.steps = denseBytes, "lightBytes", int32(blocksOf(l.D, 32))
	}
	if dense == denseHalves {
		if err := h.nearby(); err != nil {
			return err
		}
	}
	bytes := int64(l.Blocks) * int64(h.a.steps) * fragmentBytes
	left, err := h.leftOver()
	if err != nil {
		return err
	}
	if bytes+4*int64(l.Blocks*side) > left {
		return nil // other products do
	}
	if err := h.takeRooms(map[**room]int64{&h.fragments: bytes, &h.norms: 4 * int64(l.Blocks*side)}); err != nil {
		return err
	}
	h.a.fragments, h.a.norms, h.a.dense = h.fragments.at, h.norms.at, dense
	return h.queue(fill, driver.Dim{X: l.Blocks}, 256)
}

// leftOver is how much memory is left beside what launches will take.
func (h *holding) leftOver() (int64, error) {
	left, err := h.memoryLeft()
	_, launches := h.bytes()
	return left - launches, err
}

// nearby prepares products of halves around the centres of blocks, where there is room.
func (h *holding) nearby() error {
	steps := blocksOf(h.l.D, 16)
	bytes := int64(h.l.Blocks) * int64(steps) * fragmentBytes
	left, err := h.leftOver()
	if err != nil || bytes+4*int64(h.l.Blocks) > left {
		return err
	}
	if err := h.takeRooms(map[**room]int64{&h.nears: bytes, &h.nearScale: 4 * int64(h.l.Blocks)}); err != nil {
		return err
	}
	h.a.nears, h.a.nearScale, h.a.nearSteps = h.nears.at, h.nearScale.at, int32(steps)
	return h.queue("lightNears", driver.Dim{X: h.l.Blocks}, 256)
}

// fragmentBytes is what a step of a block's columns takes: see light_products.cuh.
const fragmentBytes = 2048

// disordered is the number that pairs.cuh has ordered.
func disordered(u uint32) float32 {
	if u>>31 != 0 {
		return math.Float32frombits(u &^ (1 << 31))
	}
	return math.Float32frombits(^u)
}

// where is the address of memory that may not be there.
func where(r *room) driver.Ptr {
	if r == nil {
		return 0
	}
	return r.at
}

// hold sends a list, of which there may be room for more; nothing for none.
func hold[T any](ctx context.Context, h *holding, to **room, list []T, least int) (err error) {
	if len(list) == 0 {
		return nil
	}
	size := int64(unsafe.Sizeof(list[0]))
	if *to, err = h.room(size * int64(max(least, len(list)))); err != nil {
		return err
	}
	return sendAll(ctx, &h.work, (*to).at, list)
}

// send returns where the table is: that of the resident points, if it is theirs.
func (h *holding) send(ctx context.Context, same bool) (driver.Ptr, error) {
	if !same {
		err := hold(ctx, h, &h.x, h.l.X.Data, 0)
		return where(h.x), err
	}
	if err := h.r.send(ctx, 0, h.r.n); err != nil {
		return 0, err
	}
	return h.r.points.at, h.r.e.s.Wait()
}

func (h *holding) kernel(name string) (*driver.Function, error) {
	module := lightModules[name]
	if module == "" {
		module = "light"
	}
	return h.e.kernel(module, name)
}

// queue puts a kernel of light.cu, or of those beside it, into the stream.
func (h *holding) queue(name string, grid driver.Dim, threads int) error {
	f, err := h.kernel(name)
	if err != nil {
		return err
	}
	h.args.Reset()
	h.args.Struct(unsafe.Pointer(&h.a))
	return h.work.s.Launch(f, grid, driver.Dim{X: threads}, 0, &h.args)
}

// onCard works on the card.
func (h *holding) onCard(work func() error) error {
	if h.r.err != nil {
		return h.r.err
	}
	leave, err := h.e.c.Enter()
	if err != nil {
		return h.r.failed(err)
	}
	defer leave()
	return h.r.failed(work())
}

// Free implements linkage.Holding.
func (h *holding) Free() {
	leave, err := h.e.c.Enter()
	if err != nil {
		return
	}
	defer leave()
	h.rooms = append(h.rooms, &h.entries, &h.sizes, &h.limits, &h.ids, &h.scores, &h.start, &h.list, &h.label,
		&h.asked, &h.beside, &h.pairs)
	h.end()
}

// Weights implements linkage.Holding.
func (h *holding) Weights(ctx context.Context, edges []linkage.Edge) error {
	return h.onCard(func() error {
		const some = 1 << 20
		if err := h.grow(&h.pairs, pairBytes*int64(min(some, len(edges)))); err != nil {
			return err
		}
		was := h.a
		defer func() { h.a = was }()
		h.a.kept = h.pairs.at
		for len(edges) > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(len(edges), some)
			if err := send(&h.work, h.pairs.at, edges[:n]); err != nil {
				return err
			}
			h.a.window = int32(n)
			if err := h.queue(lightWeights, driver.Dim{X: blocksOf(n, lightThreads)}, lightThreads); err != nil {
				return err
			}
			if err := fetch(&h.work, edges[:n], h.pairs.at); err != nil {
				return err
			}
			edges = edges[n:]
		}
		return nil
	})
}

// Look implements linkage.Holding.
func (h *holding) Look(ctx context.Context, tasks []linkage.Task, work *linkage.Work) (kept int, err error) {
	err = h.onCard(func() error {
		had := h.tree.kept
		var sum lightCounts
		from := make([]int32, len(tasks))
		for i := range tasks {
			from[i] = tasks[i].From
		}
		for first := 0; first < len(tasks); first += tasksMost {
			last := min(len(tasks), first+tasksMost)
			if err := h.look(ctx, tasks[first:last], from[first:last], &sum); err != nil {
				h.tree.kept = had
				return err
			}
		}
		for i := range tasks {
			tasks[i].From = from[i]
		}
		work.Tested += int64(sum.tested)
		work.Rechecked += int64(sum.rechecked)
		work.Light += int64(sum.light)
		work.Kept += int64(sum.kept)
		kept = int(h.tree.kept)
		return nil
	})
	return kept, err
}

// look does some tasks to their ends, or until as much is kept as may be, and moves from on.
func (h *holding) look(ctx context.Context, tasks []linkage.Task, from []int32, sum *lightCounts) error {
	blocks, starts, ends := make([]int32, 0, len(tasks)), make([]int32, 0, len(tasks)), make([]int32, 0, len(tasks))
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		blocks, starts, ends = blocks[:0], starts[:0], ends[:0]
		longest := int64(0)
		for i, t := range tasks {
			if from[i] < t.To {
				blocks, starts, ends = append(blocks, t.Block), append(starts, from[i]), append(ends, t.To)
				longest = max(longest, int64(t.To-from[i]))
			}
		}
		budget := h.tree.enough() - h.tree.kept // memory that may still be kept
		if len(blocks) == 0 || budget <= 0 {
			return nil
		}
		limit := h.work.cores() * stretch / (side * side * max(1, int64(h.l.D)))
		window := max(1, min(h.window, longest, tileRoom/int64(len(blocks)), limit/int64(len(blocks))))
		if err := errors.Join(send(&h.work, h.block.at, blocks), send(&h.work, h.from.at, starts),
			send(&h.work, h.to.at, ends)); err != nil {
			return err
		}
		n, err := h.launch(len(blocks), window)
		if err != nil {
			return err
		}
		if n.passed > uint64(passedRoom) || n.kept > uint64(h.a.keptRoom) {
			h.window = max(1, window/4) // there was no room: the same again in smaller parts
			continue
		}
		h.tree.kept += int64(n.kept)
		at := 0
		for i, t := range tasks {
			if from[i] < t.To {
				from[i] = int32(min(int64(t.To), int64(starts[at])+window))
				at++
			}
		}
		sum.add(n)
		h.seen.add(n)
		switch { // by what is found alone, so that the same is kept in every run
		case int64(n.kept) > budget/2:
			h.window = max(1, window/2)
		case int64(n.kept) < budget/8 && window == h.window:
			h.window = min(2*h.window, 1<<20)
		}
	}
}

func (c *lightCounts) add(o lightCounts) {
	c.tiles += o.tiles
	c.locals += o.locals
	c.dense += o.dense
	c.nears += o.nears
	c.kept += o.kept
	c.tested += o.tested
	c.rechecked += o.rechecked
	c.light += o.light
}

// launch looks at a window of places of tasks.
func (h *holding) launch(tasks int, window int64) (n lightCounts, err error) {
	h.a.window = int32(window)
	h.a.kept, h.a.keptRoom = h.tree.end(), int32(min(math.MaxInt32, h.tree.room-h.tree.kept))
	look, local, weigh := lightLook, lightLocal, lightWeigh
	if h.l.Metric == linkage.L1 {
		look, local = look+"City", local+"City"
	}
	kernels := []string{look}
	switch h.a.dense {
	case denseHalves:
		kernels = append(kernels, "lightLookHalves")
	case denseBytes:
		kernels, weigh = append(kernels, "lightLookBytes"), "lightWeighBytes"
	}
	if h.a.nears != 0 {
		kernels = append(kernels, "lightLookNear")
	}
	if h.l.D > stagedColumns && h.a.dense != denseBytes {
		weigh += "Staged"
	}
	err = h.pruned(tasks, window)
	for _, name := range kernels {
		err = errors.Join(err, h.fill(name))
	}
	err = errors.Join(err, h.queue(local, driver.Dim{X: int(h.locals())}, lightThreads), h.fill(weigh))
	if err != nil {
		return n, err
	}
	return h.counted()
}

// stagedColumns: points of more are read by several lanes side by side when they are weighed.
const stagedColumns = 64

// groups is how many groups of 64 blocks so many places may touch, going round.
func (h *holding) groups(places int64) int {
	return int(min(int64(blocksOf(h.l.Blocks, side)), (places+3*side-3)/side))
}

// fill queues a kernel with as many blocks as fill the card.
func (h *holding) fill(name string) error {
	f, err := h.kernel(name)
	if err != nil {
		return err
	}
	return h.queue(name, driver.Dim{X: h.e.blocks(f, lightThreads, 0, 1<<30)}, lightThreads)
}
