package cuda

import (
	"context"
	"fmt"
	"math"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/maps/tsne"
)

// mapper is t-SNE on a card (kernels/tsne*.cu): see tsne.Device.
type mapper struct{ e *card }

var _ tsne.Device = (*mapper)(nil)

// Costs of methods, estimated: those of the field and of the tree are nanoseconds on an H200.
const (
	exactMost = 8192
	fieldCost = 2.5e-4
	treeCost  = 0.2
)

// fieldMost is N of the largest lattice, where shared memory holds its columns. Tests need less.
var fieldMost = tsne.MostNodes

func (m mapper) Traits(dims int) tsne.Traits {
	t := tsne.Traits{Methods: []tsne.Method{tsne.Exact, tsne.Tree}, Exact: exactMost, Tree: treeCost}
	if t.Pace = 5e6 * float64(m.e.dev.SMs); dims == 2 {
		t.Methods, t.Pace = append(t.Methods, tsne.Field), 9e6*float64(m.e.dev.SMs)
		t.Field, t.Nodes = fieldCost, min(fieldMost, (m.e.dev.SharedBlock-2<<10)/fieldColumn)
	}
	for _, s := range systems {
		if dims >= s.Least && dims <= s.Most {
			t.Methods = append(t.Methods, s.Methods...)
		}
	}
	return t
}

// body is a map on a card. Positions, velocities, gains and forces are two numbers a point, in space four.
type body struct {
	e    *card
	s    *driver.Stream
	args driver.Args
	err  error // error of queued work: nothing works after it

	p    *tsne.Sparse
	n    int
	dims int

	start, column, value room
	lead                 int64   // affinities of rows before those that the card has
	y                    [2]room // now, and of the next unit
	v, gain, held        room
	repulsion            room
	partial, marks       room // marks: see below
	forces, packed       room // when they are asked for

	arranged *arrangement  // affinities on the first card, for the others; nil: there are none
	pins     []int32       // points that are held, rising
	looked   bool          // look is of the present map
	units    bool          // there was one: it left a Z
	before   *driver.Event // after the batch before this one
	waiting  bool          // for it
	slots    slots
	field    field
	tree     tree
	papers   published
	shared   shared
	clock    steps
}

// Offsets in marks, which starts as zeros: what reductions end in, and the ticket of their blocks.
const (
	markLook = 0
	markZ    = 8 * (11 + iota)
	markZNow // marks Z for positions whose forces are asked for
	markLoss
	markTicket
	markBytes
)

const (
	tsneThreads = 256
	tsneLanes   = 8 // lanes of a row: see tsne.cuh
	moveThreads = 512
	maxThreads  = 2048 // a multiprocessor has no more
	moveWaves   = 16   // so many blocks follow each other there before a block has more rows than threads for them
	lookBlocks  = 2048 // at most: the same on all cards, for sums are taken by block
	lookValues  = 11
)

func (b *body) mark(offset int) driver.Ptr { return b.marks.at + driver.Ptr(offset) }

// each is the bytes of a place.
func (b *body) each() int64 { return int64(8 * (b.dims - 1)) }

func (b *body) rooms() []*room {
	return slices.Concat([]*room{&b.start, &b.column, &b.value, &b.y[0], &b.y[1], &b.v, &b.gain, &b.held, &b.repulsion,
		&b.partial, &b.marks, &b.forces, &b.packed}, b.slots.rooms(), b.field.rooms(), b.tree.rooms(), b.papers.rooms())
}

// queue puts a kernel into the body's stream.
func queue[P any](b *body, k *kernel[P], p P, grid, threads, shared int) error {
	f, err := b.e.kernel(k.module, k.name)
	if err != nil {
		return err
	}
	if shared > 48<<10 && b.e.fits(f, threads, shared) == 0 {
		return fmt.Errorf("cuda: kernel %s needs %d bytes of shared memory and does not get them", k.name, shared)
	}
	return k.launchOn(b.s, f, &b.args, p, driver.Dim{X: grid}, driver.Dim{X: threads}, shared)
}

// blocksOf is how many blocks of so many a count makes.
func blocksOf[T int | int64](count, each T) int { return int((count + each - 1) / each) }

// Open brings affinities to the card.
func (m mapper) Open(ctx context.Context, p *tsne.Sparse, dims int) (tsne.Body, error) {
	if dims != 2 && dims != 3 || p.N > math.MaxInt32 {
		return nil, problem.New("", "take 2 or 3 dimensions", "a card has no map of %d points in %d dimensions", p.N,
			dims)
	}
	leave, err := m.e.c.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	b := m.e.newBody(p.N, dims)
	if p.N >= abreastLeast && len(m.e.beside) > 0 {
		b.arranged = new(arrangement)
		if need, left, err := b.memory(p.Edges()); err != nil || need > left {
			b.arranged = nil // it may do for one card
		}
	}
	if err := b.open(p.Edges()); err != nil {
		b.close()
		return nil, err
	}
	if err := b.send(ctx, p); err != nil {
		b.close()
		return nil, err
	}
	if b.arranged != nil {
		return b.abreast()
	}
	return b, nil
}

// newBody is a map that open is to be called of.
func (e *card) newBody(n, dims int) *body {
	b := &body{e: e, n: n, dims: dims, papers: newPublished()}
	b.shared.user = &sharer{e, nil, &b.err}
	return b
}

// open takes memory for all but affinities, of which there will be so many.
func (b *body) open(edges int64) (err error) {
	if b.s, err = b.e.c.NewStream(); err != nil {
		return err
	}
	b.shared.user.s = b.s
	if b.before, err = b.e.c.NewEvent(); err != nil {
		return err
	}
	if err := b.suffices(edges); err != nil {
		return err
	}
	n, at := int64(b.n), b.each()
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&b.y[0], n * at}, {&b.y[1], n * at}, {&b.v, n * at}, {&b.gain, n * at}, {&b.repulsion, n * at}, {&b.held, n},
		{&b.marks, markBytes}, {&b.partial, b.partials()}} {
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
	}
	return b.s.Set8(b.marks.at, 0, markBytes)
}

// memory is what a map of so many affinities needs, and what there is.
func (b *body) memory(edges int64) (need, left int64, err error) {
	free, total, err := b.e.c.MemInfo()
	left = free - min(total/16, 512<<20) // a reserve for drawing and other programs, as in plan.go
	if most := b.e.o.Memory; most > 0 {
		left = min(left, most)
	}
	return b.needs(edges) + 1<<20, left, err
}

// suffices says what memory is lacking, before any is taken.
func (b *body) suffices(edges int64) error {
	need, left, err := b.memory(edges)
	if err != nil {
		return err
	}
	if need > left {
		return problem.New("", "take fewer neighbours (a smaller --perplexity), fewer points, or --engine cpu",
			"t-SNE of %d points with %d affinities needs %d MB of the card's memory, of which %d MB are free", b.n,
			edges, need>>20+1, max(0, left)>>20)
	}
	return nil
}

// needs is what a map takes on the card with so many affinities: what open makes room for, the order of slots with the
// affinities while they are put in order, the tree, the largest lattice that is planned by itself for so many points,
// and forces and places as they go in and out. What the published methods take is theirs.
func (b *body) needs(edges int64) int64 {
	n, at := int64(b.n), b.each()
	all := n*(5*at+1) + markBytes + b.partials() + 8*(n+1) + 8*edges
	all += b.slots.bytes(n, at) + 8*(n+1) + 4*edges
	all += b.tree.bytes(n, at)
	if b.arranged != nil {
		// rooms that several cards have: see tree and field
		all += n*at + n/16 + 8*n/int64(max(1, spreadNodes))*int64(len(b.e.beside))
	}
	if b.dims == 2 {
		all += fieldBytes(b.lattice())
	}
	return all + 4*3*n*int64(b.dims)
}

// partials is what reductions leave of each block.
func (b *body) partials() int64 { return 8 * max(lookValues*lookBlocks, int64(b.n)/32+1) }

// lattice is N of the largest lattice of a map, unless a larger one is asked for by a method of one's own choice.
func (b *body) lattice() int {
	return tsne.LargestLattice(mapper{b.e}.Traits(b.dims), b.n)
}

// send brings affinities to the card, in pieces that a cancel need not wait for.
func (b *body) send(ctx context.Context, p *tsne.Sparse) error {
	if err := b.start.grow(b.e.c, b.s, 8*int64(b.n+1)); err != nil {
		return err
	}
	for _, r := range []*room{&b.column, &b.value} {
		if err := r.grow(b.e.c, b.s, 4*p.Edges()); err != nil {
			return err
		}
	}
	b.p = p
	b.arranged.set(p.Start)
	b.papers.stale()
	if err := b.s.ToDevice(b.start.at, unsafe.Pointer(&p.Start[0]), 8*int64(b.n+1)); err != nil {
		return err
	}
	const most = 16 << 20
	for from := int64(0); from < p.Edges(); from += most {
		count := min(most, p.Edges()-from)
		if err := ctx.Err(); err != nil {
			return err
		}
		at := driver.Ptr(4 * from)
		for to, list := range map[driver.Ptr]unsafe.Pointer{b.column.at + at: unsafe.Pointer(&p.Column[from]),
			b.value.at + at: unsafe.Pointer(&p.Value[from])} {
			if err := b.e.inbox.send(b.e.c, b.s, to, list, 4*count); err != nil {
				return err
			}
		}
	}
	return b.s.Wait()
}

// Swap puts other affinities in place.
func (b *body) Swap(ctx context.Context, p *tsne.Sparse) error {
	return b.onCard(func() error {
		if err := b.s.Wait(); err != nil {
			return err
		}
		was := b.p
		err := b.bring(ctx, p)
		if err != nil && b.bring(context.WithoutCancel(ctx), was) != nil {
			b.err = err // some are of the one, some of the other
		}
		return err
	})
}

// bring puts affinities into the order of slots.
func (b *body) bring(ctx context.Context, p *tsne.Sparse) error {
	if err := b.send(ctx, p); err != nil || b.slots.row == nil {
		return err
	}
	row := b.slots.row // they have come by rows
	return b.arrange(ctx, row, row)
}

// onCard works on the card, and remembers an error after which nothing can be trusted.
func (b *body) onCard(work func() error) error {
	err := b.e.within(&b.err, work)
	if noMemory(err) { // a lattice, or a method, was not reckoned with
		return problem.Wrap(err, "", "take --repulsion tree, fewer points, or --engine cpu",
			"the card has not enough memory left for t-SNE of %d points this way", b.n)
	}
	return err
}

// Close gives the card's memory back.
func (b *body) Close() {
	leave, err := b.e.c.Enter()
	if err != nil {
		return
	}
	defer leave()
	b.close()
}

func (b *body) close() {
	if b.s != nil {
		_ = b.s.Wait() // an error was told before, or is of no use now
	}
	b.shared.forget()
	b.clock.free()
	if b.before != nil {
		_ = b.before.Destroy()
	}
	for _, r := range b.rooms() {
		_ = r.free(b.e.c)
	}
	if b.s != nil {
		_ = b.s.Destroy()
	}
	b.err = problem.New("", "this is a defect of the program", "a map was used after it was given back")
}
