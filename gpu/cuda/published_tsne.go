package cuda

import (
	"math"
	"slices"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

// System is a published system of t-SNE beside the engine's own methods: a yardstick, whose package registers it.
type System struct {
	Methods     []tsne.Method
	Least, Most int              // dimensions of its maps
	New         func() Repulsion // for a map
}

// Repulsion is what a system keeps on a card for one map.
type Repulsion interface {
	// Repel puts the repulsion of all points and Z in their places. Where it sums attraction too it says where, else 0.
	Repel(*Unit) (attraction driver.Ptr, err error)
	// Stale says that other affinities have come.
	Stale()
	// Rooms are all that it may have taken.
	Rooms() []*Room
}

// systems are those that were registered.
var systems []System

// RegisterTSNE adds a system.
func RegisterTSNE(s System) { systems = append(systems, s) }

// layersMost is how many layers a tree may have that is made in layers. Tests need fewer.
var layersMost = math.MaxInt

// Unit is a map on a card whose repulsion is wanted, with places of its arrays: see kernels/tsne.cuh.
type Unit struct {
	N, Dims    int
	Plan       tsne.Plan
	Device     driver.Device
	Stream     *driver.Stream
	Affinities *tsne.Sparse
	Layers     int // most levels of a tree

	Y, Look, Repulsion, Z driver.Ptr
	Partial, Ticket       driver.Ptr // memory of reductions
	Start, Column, Value  driver.Ptr // affinities
	b                     *body
}

// Step ends a step of the unit here, for whoever asks how long it took.
func (u *Unit) Step(name string) { u.b.clock.step(name) }

// Place is the bytes of a place.
func (u *Unit) Place() int64 { return u.b.each() }

// Room is memory of the card that grows to what is needed, by Unit.Grow.
type Room = room

// At is where it lies.
func (r *Room) At() driver.Ptr { return r.at }

// Bytes is how much it is.
func (r *Room) Bytes() int64 { return r.bytes }

// Grow makes room for bytes, whose content is then undefined.
func (u *Unit) Grow(r *Room, bytes int64) error { return r.grow(u.b.e.c, u.Stream, bytes) }

// Sorter sorts points by keys of 64 bits.
type Sorter = sorter

// Keys makes room for them, and returns where they are to be put.
func (s *Sorter) Keys(u *Unit) (at driver.Ptr, err error) {
	err = s.grow(u.b, 8)
	return s.key[0].at, err
}

// Sort sorts the keys, and the order with them.
func (s *Sorter) Sort(u *Unit, order driver.Ptr) error {
	return s.do(u.b, sortCount64, sortScatter64, 64, order)
}

// Rooms are what it takes.
func (s *Sorter) Rooms() []*Room { return s.rooms() }

// Kernel is a kernel of kernels/*.cu; the fields of P are its parameters.
type Kernel[P any] struct{ k *kernel[P] }

// KernelOf is the kernel of that name in a module.
func KernelOf[P any](module, name string) Kernel[P] { return Kernel[P]{kernelOf[P](module, name)} }

// Queue puts the kernel into the stream of the unit.
func (k Kernel[P]) Queue(u *Unit, p P, grid driver.Dim, threads int) error {
	f, err := u.b.e.kernel(k.k.module, k.k.name)
	if err != nil {
		return err
	}
	return k.k.launchOn(u.Stream, f, &u.b.args, p, grid, driver.Dim{X: threads}, 0)
}

// published is what the registered systems keep for a map, and where the last of them summed attraction.
type published struct {
	of         []Repulsion
	attraction driver.Ptr
}

func newPublished() (p published) {
	for _, s := range systems {
		p.of = append(p.of, s.New())
	}
	return p
}

func (p *published) rooms() (all []*room) {
	for _, s := range p.of {
		all = append(all, s.Rooms()...)
	}
	return all
}

// stale says that other affinities have come.
func (p *published) stale() {
	for _, s := range p.of {
		s.Stale()
	}
}

// repel finds repulsion, and attraction where a system has a way of its own.
func (p *published) repel(b *body, plan tsne.Plan, z driver.Ptr) (err error) {
	b.looked = false
	if err := b.markMap(); err != nil {
		return err
	}
	b.clock.step("box")
	u := &Unit{N: b.n, Dims: b.dims, Plan: plan, Device: b.e.dev, Stream: b.s, Affinities: b.p, Layers: layersMost,
		Y: b.y[0].at, Look: b.mark(markLook), Repulsion: b.repulsion.at, Z: z, Partial: b.partial.at,
		Ticket: b.mark(markTicket), Start: b.start.at, Column: b.column.at, Value: b.value.at, b: b}
	for i, s := range systems {
		if slices.Contains(s.Methods, plan.Method) {
			p.attraction, err = p.of[i].Repel(u)
			return err
		}
	}
	return nil
}
