package gputsne

import (
	"fmt"
	"slices"
	"unsafe"

	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

// swwMethods are the methods by how many warps a simulated one has; of the first the number of points decides.
var swwMethods = []tsne.Method{"sww", "sww1", "sww2", "sww3", "sww4"}

// sww is a tree that simulated wide warps walk, with attraction of a thread for each affinity: kernels/tsne_sww.cu.
type sww struct {
	rows *tsne.Sparse // affinities that row was made from
	row  cuda.Room
	sums cuda.Room // sums of attraction, 0 between units

	sort                                       cuda.Sorter
	order, sorted, parts, totals, nodes, links cuda.Room
}

func (p *sww) Rooms() []*cuda.Room {
	return append(p.sort.Rooms(), &p.row, &p.sums, &p.order, &p.sorted, &p.parts, &p.totals, &p.nodes, &p.links)
}

func (p *sww) Stale() { p.rows = nil }

// Repel walks the tree, and sums attraction.
func (p *sww) Repel(u *cuda.Unit) (attraction driver.Ptr, err error) {
	if err := p.wide(u, widthFor(u)); err != nil {
		return 0, err
	}
	if err := p.attract(u); err != nil {
		return 0, err
	}
	return p.sums.At(), nil
}

// widthFor is how many warps a simulated one has: what the method says, or by how many points there are for each thread
// that the card holds at a time: of the paper's tables, 36 multiprocessors of 1024 threads, it gives the best of every
// row.
func widthFor(u *cuda.Unit) int {
	if i := slices.Index(swwMethods, u.Plan.Method); i > 0 {
		return i
	}
	return max(1, min(4, blocksOf(u.N, max(1, u.Device.SMs*u.Device.ThreadsSM))))
}

const scanTile = 2048 // as in tsne_sww.cu

// tree makes the tree of points in the order of their keys, up to how many nodes there are.
func (p *sww) tree(u *cuda.Unit) (key driver.Ptr, err error) {
	n := int64(u.N)
	tiles := blocksOf(u.N+1, scanTile)
	if key, err = p.sort.Keys(u); err != nil {
		return 0, err
	}
	for _, r := range []struct {
		room  *cuda.Room
		bytes int64
	}{{&p.order, 4 * n}, {&p.sorted, n * u.Place()}, {&p.parts, 8 * (n + 1) * int64(u.Dims+1)},
		{&p.totals, 8 * int64(tiles) * int64(u.Dims+1)}} {
		if err := u.Grow(r.room, r.bytes); err != nil {
			return 0, err
		}
	}
	grid := row(blocksOf(u.N+1, threads))
	if err := swwKeys.in(u.Dims).Queue(u, swwKeysParams{n: int32(n), y: u.Y, look: u.Look, key: key,
		order: p.order.At()}, grid, threads); err != nil {
		return 0, err
	}
	if err := p.sort.Sort(u, p.order.At()); err != nil {
		return 0, err
	}
	if err := swwTree.in(u.Dims).Queue(u, swwTreeParams{n: int32(n), y: u.Y, order: p.order.At(), key: key,
		look: u.Look, sorted: p.sorted.At(), parts: p.parts.At()}, grid, threads); err != nil {
		return 0, err
	}
	if err := swwSums.Queue(u, swwSumsParams{n: n + 1, values: p.parts.At(), totals: p.totals.At()},
		driver.Dim{X: tiles, Y: u.Dims + 1}, threads); err != nil {
		return 0, err
	}
	if err := swwTotals.Queue(u, swwTotalsParams{tiles: int32(tiles), totals: p.totals.At()}, row(u.Dims+1),
		threads); err != nil {
		return 0, err
	}
	// Points that nearly coincide have long chains of nodes over them: nobody knows how many.
	var count [2]int64
	if err := u.Stream.ToHost(unsafe.Pointer(&count[0]), p.parts.At()+driver.Ptr(8*n), 8); err != nil {
		return 0, err
	}
	if err := u.Stream.ToHost(unsafe.Pointer(&count[1]), p.totals.At()+driver.Ptr(8*(n/scanTile)), 8); err != nil {
		return 0, err
	}
	if err := u.Stream.Wait(); err != nil {
		return 0, err
	}
	nodes := count[0] + count[1]
	if p.nodes.Bytes() < 16*nodes {
		nodes += nodes / 4
		if err := u.Grow(&p.nodes, 16*nodes); err != nil {
			return 0, err
		}
		if err := u.Grow(&p.links, 8*nodes); err != nil {
			return 0, err
		}
	}
	return key, nil
}

// wide is the walk by simulated wide warps.
func (p *sww) wide(u *cuda.Unit, width int) error {
	key, err := p.tree(u)
	if err != nil {
		return err
	}
	n, tiles := int64(u.N), blocksOf(u.N+1, scanTile)
	grid := row(blocksOf(u.N+1, threads))
	u.Step("tree")
	if err := swwConvert.in(u.Dims).Queue(u, swwConvertParams{n: int32(n), key: key, tiles: int32(tiles),
		values: p.parts.At(), totals: p.totals.At(), look: u.Look, theta: float32(u.Plan.Theta), sorted: p.sorted.At(),
		nodes: p.nodes.At(), links: p.links.At()}, grid, threads); err != nil {
		return err
	}
	u.Step("conversion")
	err = swwWalk[u.Dims-2][width-1].Queue(u, swwWalkParams{n: int32(n), nodes: p.nodes.At(), links: p.links.At(),
		tiles: int32(tiles), values: p.parts.At(), totals: p.totals.At(), sorted: p.sorted.At(), order: p.order.At(),
		repulsion: u.Repulsion, partial: u.Partial, ticket: u.Ticket, z: u.Z},
		row(blocksOf(u.N, threads*width)), threads)
	u.Step("repulsion")
	return err
}

// attract sums attraction by a thread for each affinity.
func (p *sww) attract(u *cuda.Unit) error {
	edges := u.Affinities.Edges()
	if p.rows != u.Affinities {
		if err := u.Grow(&p.row, 4*edges); err != nil {
			return err
		}
		bytes := 8 * int64(u.N) * int64(u.Dims)
		if err := u.Grow(&p.sums, bytes); err != nil {
			return err
		}
		if err := u.Stream.Set8(p.sums.At(), 0, bytes); err != nil {
			return err
		}
		if err := swwRows.Queue(u, swwRowsParams{n: int32(u.N), start: u.Start, row: p.row.At()},
			row(blocksOf(u.N, threads)), threads); err != nil {
			return err
		}
		p.rows = u.Affinities
		u.Step("rows")
	}
	err := swwAttract.in(u.Dims).Queue(u, swwAttractParams{edges: edges, row: p.row.At(), column: u.Column,
		value: u.Value, y: u.Y, sums: p.sums.At()}, row(int(min(1<<20, (edges+threads-1)/threads))),
		threads)
	u.Step("attraction")
	return err
}

type swwKeysParams struct {
	n                   int32
	y, look, key, order driver.Ptr
}

type swwTreeParams struct {
	n                                  int32
	y, order, key, look, sorted, parts driver.Ptr
}

type swwSumsParams struct {
	n              int64
	values, totals driver.Ptr
}

type swwTotalsParams struct {
	tiles  int32
	totals driver.Ptr
}

type swwConvertParams struct {
	n                    int32
	key                  driver.Ptr
	tiles                int32
	values, totals, look driver.Ptr
	theta                float32
	sorted, nodes, links driver.Ptr
}

type swwWalkParams struct {
	n                                                            int32
	nodes, links                                                 driver.Ptr
	tiles                                                        int32
	values, totals, sorted, order, repulsion, partial, ticket, z driver.Ptr
}

type swwRowsParams struct {
	n          int32
	start, row driver.Ptr
}

type swwAttractParams struct {
	edges                       int64
	row, column, value, y, sums driver.Ptr
}

// twins are a kernel in 2D and in 3D.
type twins[P any] [2]cuda.Kernel[P]

func twinsOf[P any](name string) twins[P] {
	return twins[P]{cuda.KernelOf[P]("tsne_sww", name+"2"), cuda.KernelOf[P]("tsne_sww", name+"3")}
}

func (t twins[P]) in(dims int) cuda.Kernel[P] { return t[dims-2] }

var (
	swwKeys    = twinsOf[swwKeysParams]("swwKeys")
	swwTree    = twinsOf[swwTreeParams]("swwTree")
	swwSums    = cuda.KernelOf[swwSumsParams]("tsne_sww", "swwSums")
	swwTotals  = cuda.KernelOf[swwTotalsParams]("tsne_sww", "swwTotals")
	swwConvert = twinsOf[swwConvertParams]("swwConvert")
	swwRows    = cuda.KernelOf[swwRowsParams]("tsne_sww", "swwRows")
	swwAttract = twinsOf[swwAttractParams]("swwAttract")
	// by dimensions and width
	swwWalk = func() (walks [2][4]cuda.Kernel[swwWalkParams]) {
		for d := range walks {
			for w := range walks[d] {
				walks[d][w] = cuda.KernelOf[swwWalkParams]("tsne_sww", fmt.Sprintf("swwWalk%d_%d", d+2, w+1))
			}
		}
		return walks
	}()
)
