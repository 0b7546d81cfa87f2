package cuda

import (
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

// tsnePapers are the published systems, as yardsticks: kernels/tsne_sww.cu and tsne_ptg.cu.
var tsnePapers = []tsnePaper{
	{"sww", 2, 3, 0}, {"sww1", 2, 3, 1}, {"sww2", 2, 3, 2}, {"sww3", 2, 3, 3}, {"sww4", 2, 3, 4}, {ptg, 2, 2, 0},
}

type tsnePaper struct {
	method      tsne.Method
	least, most int // dimensions
	width       int // of a simulated warp, in warps; 0: by the number of points
}

const ptg tsne.Method = "ptg"

// papers is what those systems keep on a card.
type papers struct {
	rows     *tsne.Sparse // that row is of
	row      room
	sums     room // of attraction, 0 between units
	attracts bool // the last repulsion left attraction there

	sort                                       sorter
	order, sorted, parts, totals, nodes, links room
	spans, boxes, masses, bucketOne, bucketTwo room
}

func (p *papers) rooms() []*room {
	return append(p.sort.rooms(), &p.row, &p.sums, &p.order, &p.sorted, &p.parts, &p.totals, &p.nodes, &p.links,
		&p.spans, &p.boxes, &p.masses, &p.bucketOne, &p.bucketTwo)
}

// stale says that other affinities have come.
func (p *papers) stale() { p.rows = nil }

// attraction is where it was summed, or 0.
func (p *papers) attraction() driver.Ptr {
	if p.attracts {
		return p.sums.at
	}
	return 0
}

// repel finds repulsion, and attraction where the paper has a way of its own.
func (p *papers) repel(b *body, plan tsne.Plan, z driver.Ptr) error {
	b.looked = false
	if err := b.look(); err != nil {
		return err
	}
	b.clock.step("box")
	if p.attracts = plan.Method != ptg; !p.attracts {
		return p.layers(b, plan.Theta, z)
	}
	for _, k := range tsnePapers {
		if k.method == plan.Method {
			if err := p.wide(b, k.widthFor(b), plan.Theta, z); err != nil {
				return err
			}
		}
	}
	return p.attract(b)
}

// widthFor is the width by how many points there are for each thread that the card holds at a time: of the paper's
// tables, 36 multiprocessors of 1024 threads, it gives the best of every row.
func (k tsnePaper) widthFor(b *body) int {
	if k.width > 0 {
		return k.width
	}
	return max(1, min(4, blocksOf(b.n, max(1, b.e.dev.SMs*b.e.dev.ThreadsSM))))
}

const scanTile = 2048 // as in tsne_sww.cu

// wide is the walk by simulated wide warps.
func (p *papers) wide(b *body, width int, theta float64, z driver.Ptr) error {
	n := int64(b.n)
	tiles := blocksOf(n+1, scanTile)
	if err := p.sort.grow(b, 8); err != nil {
		return err
	}
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&p.order, 4 * n}, {&p.sorted, n * b.each()}, {&p.parts, 8 * (n + 1) * int64(b.dims+1)},
		{&p.totals, 8 * int64(tiles) * int64(b.dims+1)}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	key := p.sort.key[0].at
	grid := blocksOf(b.n+1, tsneThreads)
	if err := queue(b, swwKeys.in(b.dims), treeKeysParams{n: int32(n), y: b.y[0].at, look: b.mark(markLook), key: key,
		order: p.order.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	if err := p.sort.do(b, sortCount64, sortScatter64, 64, p.order.at); err != nil {
		return err
	}
	if err := queue(b, swwTree.in(b.dims), swwTreeParams{n: int32(n), y: b.y[0].at, order: p.order.at, key: key,
		look: b.mark(markLook), sorted: p.sorted.at, parts: p.parts.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	f, err := b.e.kernel(swwSums.module, swwSums.name)
	if err != nil {
		return err
	}
	if err := swwSums.launchOn(b.s, f, &b.args, swwSumsParams{n: n + 1, values: p.parts.at, totals: p.totals.at},
		driver.Dim{X: tiles, Y: b.dims + 1}, driver.Dim{X: tsneThreads}, 0); err != nil {
		return err
	}
	if err := queue(b, swwTotals, swwTotalsParams{tiles: int32(tiles), totals: p.totals.at}, b.dims+1, tsneThreads,
		0); err != nil {
		return err
	}
	// Points that nearly coincide have long chains of nodes over them: nobody knows how many.
	var count [2]int64
	if err := b.s.ToHost(unsafe.Pointer(&count[0]), p.parts.at+driver.Ptr(8*n), 8); err != nil {
		return err
	}
	if err := b.s.ToHost(unsafe.Pointer(&count[1]), p.totals.at+driver.Ptr(8*(n/scanTile)), 8); err != nil {
		return err
	}
	if err := b.s.Wait(); err != nil {
		return err
	}
	nodes := count[0] + count[1]
	if p.nodes.bytes < 16*nodes {
		nodes += nodes / 4
		if err := p.nodes.grow(b.e.c, b.s, 16*nodes); err != nil {
			return err
		}
		if err := p.links.grow(b.e.c, b.s, 8*nodes); err != nil {
			return err
		}
	}
	b.clock.step(stepTree)
	if err := queue(b, swwConvert.in(b.dims), swwConvertParams{n: int32(n), key: key, tiles: int32(tiles),
		values: p.parts.at, totals: p.totals.at, look: b.mark(markLook), theta: float32(theta), sorted: p.sorted.at,
		nodes: p.nodes.at,
		links: p.links.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	b.clock.step("conversion")
	err = queue(b, swwWalk[b.dims-2][width-1], swwWalkParams{n: int32(n), nodes: p.nodes.at, links: p.links.at,
		tiles: int32(tiles), values: p.parts.at, totals: p.totals.at, sorted: p.sorted.at, order: p.order.at,
		repulsion: b.repulsion.at, partial: b.partial.at, ticket: b.mark(markTicket), z: z},
		blocksOf(b.n, tsneThreads*width), tsneThreads, 0)
	b.clock.step(stepWalk)
	return err
}

// attract sums attraction by a thread for each affinity.
func (p *papers) attract(b *body) error {
	edges := b.p.Edges()
	if p.rows != b.p {
		if err := p.row.grow(b.e.c, b.s, 4*edges); err != nil {
			return err
		}
		bytes := 8 * int64(b.n) * int64(b.dims)
		if err := p.sums.grow(b.e.c, b.s, bytes); err != nil {
			return err
		}
		if err := b.s.Set8(p.sums.at, 0, bytes); err != nil {
			return err
		}
		if err := queue(b, swwRows, swwRowsParams{n: int32(b.n), start: b.start.at, row: p.row.at},
			blocksOf(b.n, tsneThreads), tsneThreads, 0); err != nil {
			return err
		}
		p.rows = b.p
		b.clock.step("rows")
	}
	err := queue(b, swwAttract.in(b.dims), swwAttractParams{edges: edges, row: p.row.at, column: b.column.at,
		value: b.value.at, y: b.y[0].at, sums: p.sums.at}, int(min(1<<20, (edges+tsneThreads-1)/tsneThreads)),
		tsneThreads, 0)
	b.clock.step("attraction")
	return err
}

// ptgLayers is the last layer of their tree, ptgWide that for maps of many points. Tests need fewer.
var ptgLayers, ptgWide = 10, 11

const ptgMany = 1_000_000

// layers is the quadtree that is made a layer at a time.
func (p *papers) layers(b *body, theta float64, z driver.Ptr) error {
	last := ptgLayers
	if b.n >= ptgMany {
		last = ptgWide
	}
	nodes := int64(1<<(2*last+2)-1) / 3
	bytes := int64(b.n) * b.each()
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&p.spans, 8 * nodes}, {&p.boxes, 16 * nodes}, {&p.masses, 16 * nodes}, {&p.bucketOne, bytes},
		{&p.bucketTwo, bytes}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	if err := b.s.Set8(p.spans.at, 0, 8*nodes); err != nil {
		return err
	}
	if err := b.s.Set8(p.masses.at, 0, 16*nodes); err != nil {
		return err
	}
	if err := queue(b, ptgRoot, ptgRootParams{n: int32(b.n), look: b.mark(markLook), spans: p.spans.at,
		boxes: p.boxes.at}, 1, 1, 0); err != nil {
		return err
	}
	from, to, next := b.y[0].at, p.bucketOne.at, p.bucketTwo.at
	for layer := 0; layer <= last; layer++ {
		a := ptgSplitParams{first: int32((1<<(2*layer) - 1) / 3), from: from, to: to, spans: p.spans.at,
			boxes: p.boxes.at, masses: p.masses.at}
		if layer == last {
			a.last = 1
		}
		if err := queue(b, ptgSplit, a, 1<<(2*layer), 128, 0); err != nil {
			return err
		}
		from, to, next = to, next, to
	} // a leaf's points stay where they are, and are of no use any more
	b.clock.step(stepTree)
	for layer := last - 1; layer >= 0; layer-- {
		count := 1 << (2 * layer)
		if err := queue(b, ptgMass, ptgMassParams{first: int32((count - 1) / 3), count: int32(count),
			spans: p.spans.at, masses: p.masses.at}, blocksOf(count, tsneThreads), tsneThreads, 0); err != nil {
			return err
		}
	}
	b.clock.step("centres of mass")
	err := queue(b, ptgWalk, ptgWalkParams{n: int32(b.n), theta2: float32(theta * theta), y: b.y[0].at,
		masses: p.masses.at, repulsion: b.repulsion.at, partial: b.partial.at, ticket: b.mark(markTicket), z: z},
		blocksOf(b.n, tsneThreads), tsneThreads, 0)
	b.clock.step(stepWalk)
	return err
}
