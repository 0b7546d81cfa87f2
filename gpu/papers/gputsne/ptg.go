package gputsne

import (
	"blossom/gpu/cuda"
	"blossom/gpu/cuda/driver"
)

// ptg is a quadtree that is made a layer at a time: kernels/tsne_ptg.cu.
type ptg struct{ spans, boxes, masses, bucketOne, bucketTwo cuda.Room }

func (p *ptg) Rooms() []*cuda.Room {
	return []*cuda.Room{&p.spans, &p.boxes, &p.masses, &p.bucketOne, &p.bucketTwo}
}

func (p *ptg) Stale() {} // it keeps nothing of affinities

// The last layer of the tree, and that for maps of many points.
const (
	ptgLayers = 10
	ptgWide   = 11
	ptgMany   = 1_000_000
)

// Repel walks the quadtree.
func (p *ptg) Repel(u *cuda.Unit) (driver.Ptr, error) {
	last := ptgLayers
	if u.N >= ptgMany {
		last = ptgWide
	}
	last = min(last, u.Layers)
	if err := p.tree(u, last); err != nil {
		return 0, err
	}
	theta := u.Plan.Theta
	err := ptgWalk.Queue(u, ptgWalkParams{n: int32(u.N), theta2: float32(theta * theta), y: u.Y,
		masses: p.masses.At(), repulsion: u.Repulsion, partial: u.Partial, ticket: u.Ticket, z: u.Z},
		row(blocksOf(u.N, threads)), threads)
	u.Step("repulsion")
	return 0, err
}

// tree makes the quadtree, a layer at a time.
func (p *ptg) tree(u *cuda.Unit, last int) error {
	nodes := int64(1<<(2*last+2)-1) / 3
	bytes := int64(u.N) * u.Place()
	for _, r := range []struct {
		room  *cuda.Room
		bytes int64
	}{{&p.spans, 8 * nodes}, {&p.boxes, 16 * nodes}, {&p.masses, 16 * nodes}, {&p.bucketOne, bytes},
		{&p.bucketTwo, bytes}} {
		if err := u.Grow(r.room, r.bytes); err != nil {
			return err
		}
	}
	if err := u.Stream.Set8(p.spans.At(), 0, 8*nodes); err != nil {
		return err
	}
	if err := u.Stream.Set8(p.masses.At(), 0, 16*nodes); err != nil {
		return err
	}
	if err := ptgRoot.Queue(u, ptgRootParams{n: int32(u.N), look: u.Look, spans: p.spans.At(),
		boxes: p.boxes.At()}, row(1), 1); err != nil {
		return err
	}
	from, to, next := u.Y, p.bucketOne.At(), p.bucketTwo.At()
	for layer := 0; layer <= last; layer++ {
		a := ptgSplitParams{first: int32((1<<(2*layer) - 1) / 3), from: from, to: to, spans: p.spans.At(),
			boxes: p.boxes.At(), masses: p.masses.At()}
		if layer == last {
			a.last = 1
		}
		if err := ptgSplit.Queue(u, a, row(1<<(2*layer)), 128); err != nil {
			return err
		}
		from, to, next = to, next, to
	} // a leaf's points stay where they are, and are of no use any more
	u.Step("tree")
	for layer := last - 1; layer >= 0; layer-- {
		count := 1 << (2 * layer)
		if err := ptgMass.Queue(u, ptgMassParams{first: int32((count - 1) / 3), count: int32(count),
			spans: p.spans.At(), masses: p.masses.At()}, row(blocksOf(count, threads)), threads); err != nil {
			return err
		}
	}
	u.Step("centres of mass")
	return nil
}

type ptgRootParams struct {
	n                  int32
	look, spans, boxes driver.Ptr
}

type ptgSplitParams struct {
	first, last                    int32
	from, to, spans, boxes, masses driver.Ptr
}

type ptgMassParams struct {
	first, count  int32
	spans, masses driver.Ptr
}

type ptgWalkParams struct {
	n                                        int32
	theta2                                   float32
	y, masses, repulsion, partial, ticket, z driver.Ptr
}

var (
	ptgRoot  = cuda.KernelOf[ptgRootParams]("tsne_ptg", "ptgRoot")
	ptgSplit = cuda.KernelOf[ptgSplitParams]("tsne_ptg", "ptgSplit")
	ptgMass  = cuda.KernelOf[ptgMassParams]("tsne_ptg", "ptgMass")
	ptgWalk  = cuda.KernelOf[ptgWalkParams]("tsne_ptg", "ptgWalk")
)
