package cuda

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/clusters/linkage"
)

// Points put in order on the card: kernels/light_order.cu, and the sort of tsne_sort.cu.

// orderArgs is OrderArgs there.
type orderArgs struct {
	x, row, from                                                 driver.Ptr
	n, d, blocks, metric                                         int32
	start, part, mean, way, key, order, place, to, centred, norm driver.Ptr
	sums                                                         driver.Ptr
	scale                                                        float64
	packed, half, length, centre, centreHalf, centreLength       driver.Ptr
	centreCols, radius, longest                                  driver.Ptr
}

const (
	orderThreads = 256
	orderWarps   = orderThreads / 32
	orderShares  = 512 // parts of the places that are added up side by side
)

// orderer is the memory that goes when the order is known.
type orderer struct {
	work
	h                                          *holding
	row, norm, core, start, part, mean, way    *room
	key, other, order, spare, counts, all, sum *room
	a                                          orderArgs
}

// orderBytes is what ordering takes beside the layout.
func orderBytes(n, nb, d int64) int64 {
	return 4*n + 24*n + 8*nb + 8*d*nb + 16*n + 4*sortDigits*(n/sortTile+2) + 8*d*orderShares
}

func (o *orderer) queue(name string, blocks int, threads int) error {
	k, err := o.e.kernel("light_order", name)
	if err != nil {
		return err
	}
	o.args.Reset()
	o.args.Struct(unsafe.Pointer(&o.a))
	return o.s.Launch(k, driver.Dim{X: blocks}, driver.Dim{X: threads}, 0, &o.args)
}

// arrange puts the places of the layout in order and makes the rest of it, the points being at x. It returns what each
// place was before. asPlaces: they are in order.
func (h *holding) arrange(ctx context.Context, x driver.Ptr, as arranged) ([]int32, error) {
	l := h.l
	n, nb, d := int64(l.N), int64(l.Blocks), int64(l.D)
	places := nb * side
	if err := h.takeRooms(map[**room]int64{&h.row: 4 * n, &h.mean: 8 * d, &h.packed: 4 * places * d,
		&h.half:   4 * places,
		&h.length: 4 * places, &h.centre: 4 * nb * d, &h.centreHalf: 4 * nb, &h.centreLength: 4 * nb,
		&h.centreCols: 4 * int64(blocksOf(l.Blocks, side)) * side * d, &h.radius: 4 * nb,
		&h.longest: 4 * nb}); err != nil {
		return nil, err
	}
	o := &orderer{h: h}
	defer o.end()
	if err := o.begin(h.e); err != nil {
		return nil, err
	}
	if err := o.takeRooms(map[**room]int64{&o.row: 4 * n, &o.start: 4 * (nb + 1), &o.part: 4 * nb, &o.mean: 4 * nb * d,
		&o.way: 4 * nb * d, &o.key: 8 * n, &o.other: 8 * n, &o.order: 4 * n, &o.spare: 4 * n,
		&o.counts: 4 * sortDigits * int64(blocksOf(l.N, sortTile)), &o.all: 4 * sortDigits,
		&o.sum: 8 * d * orderShares}); err != nil {
		return nil, err
	}
	if err := sendAll(ctx, &o.work, o.row.at, l.Row); err != nil {
		return nil, err
	}
	o.a = orderArgs{x: x, row: o.row.at, n: int32(n), d: int32(d), blocks: int32(nb), metric: int32(l.Metric),
		start: o.start.at, part: o.part.at, mean: o.mean.at, way: o.way.at, key: o.key.at, order: o.order.at,
		place: h.row.at, sums: o.sum.at, packed: h.packed.at, half: h.half.at, length: h.length.at, centre: h.centre.at,
		centreHalf: h.centreHalf.at, centreLength: h.centreLength.at, centreCols: h.centreCols.at,
		radius: h.radius.at, longest: h.longest.at}
	if err := o.queue("orderStart", blocksOf(l.N, orderThreads), orderThreads); err != nil {
		return nil, err
	}
	var ids []int32
	if as == asRows {
		ids = make([]int32, n)
		if err := errors.Join(o.split(ctx), fetch(&o.work, ids, o.order.at)); err != nil {
			return nil, err
		}
	}
	if err := errors.Join(o.queue("orderPlaces", blocksOf(l.N, orderThreads), orderThreads),
		o.gather(ctx, l.Norm, &o.norm, &h.norm), o.gather(ctx, l.Core, &o.core, &h.core)); err != nil {
		return nil, err
	}
	if as == asRows {
		if err := l.Move(ctx, runtime.GOMAXPROCS(0), ids); err != nil {
			return nil, err
		}
	}
	o.a.norm = where(h.norm)
	if err := o.centre(ctx); err != nil {
		return nil, err
	}
	return ids, errors.Join(o.s.Set8(h.centreCols.at, 0, h.centreCols.bytes), o.queue("orderPack", l.Blocks, side),
		o.s.Wait())
}

// split sorts points into halves until those are blocks.
func (o *orderer) split(ctx context.Context) error {
	l := o.h.l
	starts := []int32{0, int32(l.Blocks)}
	part := make([]int32, l.Blocks)
	for len(starts) <= l.Blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		for p := range len(starts) - 1 {
			for b := starts[p]; b < starts[p+1]; b++ {
				part[b] = int32(p)
			}
		}
		parts, threads := len(starts)-1, 512
		if int64(parts) >= 2*o.cores() { // as many as fill the card
			threads = 128
		}
		if err := errors.Join(send(&o.work, o.start.at, starts), send(&o.work, o.part.at, part),
			o.queue("orderWay", parts, threads), o.queue("orderKeys", blocksOf(l.N, orderWarps), orderThreads),
			o.sort(bits.Len(uint(parts-1)))); err != nil {
			return err
		}
		next := make([]int32, 0, 2*len(starts))
		for p := range parts {
			next = append(next, starts[p])
			if many := starts[p+1] - starts[p]; many > 1 {
				next = append(next, starts[p]+(many+1)/2)
			}
		}
		starts = append(next, int32(l.Blocks))
	}
	return nil
}

// sort puts points into the order of their keys: of 24 bits, and as many as parts need.
func (o *orderer) sort(parts int) error {
	l := o.h.l
	tiles := blocksOf(l.N, sortTile)
	for shift := 8; shift < 32+parts; shift += 8 {
		if err := errors.Join(
			enqueue(&o.work, sortCount64, sortCountParams{n: int32(l.N), shift: int32(shift), key: o.key.at,
				counts: o.counts.at}, driver.Dim{X: tiles}, tsneThreads, 0),
			enqueue(&o.work, sortScan, sortScanParams{tiles: int32(tiles), counts: o.counts.at, totals: o.all.at},
				driver.Dim{X: sortDigits * 32 / tsneThreads}, tsneThreads, 0),
			enqueue(&o.work, sortScatter64, sortScatterParams{n: int32(l.N), shift: int32(shift), key: o.key.at,
				order: o.order.at, counts: o.counts.at, totals: o.all.at, toKey: o.other.at, toOrder: o.spare.at},
				driver.Dim{X: tiles}, tsneThreads, 0)); err != nil {
			return err
		}
		o.key, o.other, o.order, o.spare = o.other, o.key, o.spare, o.order
		o.a.key, o.a.order = o.key.at, o.order.at
	}
	return nil
}

// gather puts numbers of points into the order of places.
func (o *orderer) gather(ctx context.Context, list []float64, own, to **room) (err error) {
	if list == nil {
		return nil
	}
	if err := errors.Join(o.takeRooms(map[**room]int64{own: 8 * int64(len(list))}),
		o.h.takeRooms(map[**room]int64{to: 8 * int64(len(list))})); err != nil {
		return err
	}
	if err := sendAll(ctx, &o.work, (*own).at, list); err != nil {
		return err
	}
	o.a.from, o.a.to = (*own).at, (*to).at
	return o.queue("orderGather", blocksOf(len(list), orderThreads), orderThreads)
}

// centre finds the mean and the scale of the filter's space.
func (o *orderer) centre(ctx context.Context) error {
	h, l := o.h, o.h.l
	shares := min(orderShares, l.N)
	sums := make([]float64, shares*l.D)
	if err := errors.Join(o.queue("orderSums", shares, orderThreads), fetch(&o.work, sums, o.sum.at)); err != nil {
		return err
	}
	l.Mean = make([]float64, l.D)
	for i, v := range sums {
		l.Mean[i%l.D] += v / float64(l.N)
	}
	var most [1]float64
	if err := errors.Join(send(&o.work, h.mean.at, l.Mean), o.s.Set8(o.sum.at, 0, 8)); err != nil {
		return err
	}
	o.a.centred = h.mean.at
	if err := errors.Join(o.queue("orderLongest", min(blocksOf(l.N, orderWarps), 16*int(o.cores())), orderThreads),
		fetch(&o.work, most[:], o.sum.at)); err != nil {
		return err
	}
	if l.Metric != linkage.L1 {
		most[0] = math.Sqrt(most[0])
	}
	l.Scale = 1
	if most[0] > 0 {
		_, e := math.Frexp(most[0])
		l.Scale = math.Ldexp(1, -e)
	}
	o.a.scale = l.Scale
	return ctx.Err()
}
