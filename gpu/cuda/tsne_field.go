package cuda

import (
	"math"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
)

// field is the repulsion of a map on the plane by a potential on a lattice (kernels/tsne_field.cu).
type field struct {
	l     tsne.Lattice
	turns int // N that the roots of unity are of

	charges, spectrum, potential, kernel room
	turn, turn64, scratch                room
	theirs                               room // charges that other cards have spread
}

const (
	fieldColumn   = 32 // bytes of shared memory for a node of a column: two copies of two nodes of 8 bytes
	fieldPad      = 32 // and for each column
	scratchBlocks = 256
	spreadBlocks  = 8 // blocks of fieldSpread for each multiprocessor, before threads have more than one point
	spreadMost    = 8 // points of a thread: more are not for its sums
)

func (f *field) rooms() []*room {
	return []*room{&f.charges, &f.spectrum, &f.potential, &f.kernel, &f.turn, &f.turn64, &f.scratch, &f.theirs}
}

// fieldBytes is what a lattice takes.
func fieldBytes(n int) int64 {
	nn := int64(n)
	return 8*nn*nn + 8*nn*(nn+16) + 4*nn*nn + 4*(nn+1)*(nn+1) + 48*nn + scratchOf(n)
}

// scratchOf is what the spectrum of a kernel takes while it is made: 4 N complex numbers of 16 bytes a block.
func scratchOf(n int) int64 { return int64(min(scratchBlocks, n/2+1)) * 64 * int64(n) }

// prepare makes the lattice ready.
func (f *field) prepare(b *body, l tsne.Lattice) error {
	was := f.l
	f.l = l
	if l.N == was.N && l.H == was.H && l.Spline == was.Spline {
		return nil // it has moved at most
	}
	f.l.N = 0 // until it is ready
	n := int64(l.N)
	if f.turns != l.N {
		f.turns = 0 // until they are there
	}
	for _, r := range []struct {
		room  *room
		bytes int64
	}{{&f.charges, 8 * n * n}, {&f.spectrum, 8 * n * (n + 16)}, {&f.potential, 4 * n * n},
		{&f.kernel, 4 * (n + 1) * (n + 1)}, {&f.turn, 16 * n}, {&f.turn64, 32 * n}, {&f.scratch, scratchOf(l.N)}} {
		before := r.room.bytes
		if err := r.room.grow(b.e.c, b.s, r.bytes); err != nil {
			return err
		}
		if r.room == &f.charges && r.room.bytes != before {
			if err := b.s.Set8(f.charges.at, 0, r.room.bytes); err != nil {
				return err
			}
		}
	}
	if f.turns != l.N {
		if err := f.sendTurns(b, l.N); err != nil {
			return err
		}
	}
	grid := min(scratchBlocks, l.N/2+1)
	if err := queue(b, fieldKernelRows, fieldKernelRowsParams{N: int32(l.N), h: l.H, turn: f.turn64.at,
		room: f.scratch.at, rows: f.spectrum.at}, grid, tsneThreads, 0); err != nil {
		return err
	}
	if err := queue(b, fieldKernelColumns, fieldKernelColumnsParams{N: int32(l.N), order: int32(l.Spline),
		turn: f.turn64.at, room: f.scratch.at, rows: f.spectrum.at, kernel: f.kernel.at}, grid, tsneThreads,
		0); err != nil {
		return err
	}
	b.clock.step("kernel")
	f.l = l
	return nil
}

// sendTurns brings the 2N roots of unity to the card.
func (f *field) sendTurns(b *body, n int) error {
	m := 2 * n
	wide, narrow := make([]float64, 2*m), make([]float32, 2*m)
	for j := range m {
		s, c := math.Sincos(2 * math.Pi * float64(j) / float64(m))
		wide[2*j], wide[2*j+1] = c, -s
		narrow[2*j], narrow[2*j+1] = float32(c), float32(-s)
	}
	if err := b.s.ToDevice(f.turn64.at, unsafe.Pointer(&wide[0]), int64(16*m)); err != nil {
		return err
	}
	f.turns = n
	return b.s.ToDevice(f.turn.at, unsafe.Pointer(&narrow[0]), int64(8*m))
}

// grid is where the lattice lies, as kernels take it.
func (f *field) grid() (inverse, x0, y0 float32) {
	return float32(1 / f.l.H), float32(f.l.Origin[0]), float32(f.l.Origin[1])
}

// columns is how many columns a block of fieldColumns does: two read half sectors of memory, and four leave too few
// blocks.
func (f *field) columns(b *body) int {
	limit := min(b.e.dev.SharedBlock-2<<10, 100<<10)
	if 2*(fieldColumn*f.l.N+fieldPad) <= limit {
		return 2
	}
	return 1
}

// convolve finds the potential and Z.
func (f *field) convolve(b *body, z driver.Ptr) error {
	if err := f.spread(b, b.all()); err != nil {
		return err
	}
	return f.transform(b, z)
}

// spread adds charges of some points to the lattice.
func (f *field) spread(b *body, of rows) error {
	if of.len() == 0 {
		return nil
	}
	inverse, x0, y0 := f.grid()
	each := min(spreadMost, max(1, of.len()/(spreadBlocks*tsneThreads*max(1, b.e.dev.SMs))))
	err := queue(b, fieldSpread[f.l.Spline], fieldSpreadParams{n: int32(of.len()),
		y: b.y[0].at + driver.Ptr(int64(of.first)*b.each()), N: int32(f.l.N), inverse: inverse, x0: x0, y0: y0,
		charges: f.charges.at, each: int32(each)}, blocksOf(of.len(), tsneThreads*each), tsneThreads, 0)
	b.clock.step("spread")
	return err
}

// latticeBytes are those of charges.
func (f *field) latticeBytes() int64 { return 8 * int64(f.l.N) * int64(f.l.N) }

// reserveTheirs takes memory for what so many other cards spread.
func (f *field) reserveTheirs(b *body, others int) error {
	return f.theirs.grow(b.e.c, b.s, int64(others)*f.latticeBytes())
}

// add adds what so many other cards have spread.
func (f *field) add(b *body, others int) error {
	nodes := int64(f.l.N) * int64(f.l.N)
	return queue(b, fieldAdd, fieldAddParams{nodes: nodes, others: int32(others), theirs: f.theirs.at,
		charges: f.charges.at}, blocksOf(nodes, tsneThreads), tsneThreads, 0)
}

// transform finds the potential and Z of the charges.
func (f *field) transform(b *body, z driver.Ptr) error {
	size := int32(f.l.N)
	rows := f.l.N * fieldColumn
	if err := queue(b, fieldRows, fieldRowsParams{N: size, charges: f.charges.at, turn: f.turn.at,
		spectrum: f.spectrum.at}, f.l.N/2, tsneThreads, rows); err != nil {
		return err
	}
	b.clock.step("rows")
	columns := f.columns(b)
	diagonal2 := 2 * (f.l.H * float64(f.l.N)) * (f.l.H * float64(f.l.N))
	n := float64(b.n)
	if err := queue(b, fieldColumns, fieldColumnsParams{N: size, columns: int32(columns), turn: f.turn.at,
		kernel: f.kernel.at, spectrum: f.spectrum.at, own: n*n/(1+diagonal2) - n, partial: b.partial.at,
		ticket: b.mark(markTicket), z: z}, blocksOf(f.l.N+1, columns), tsneThreads,
		columns*(rows+fieldPad)); err != nil {
		return err
	}
	b.clock.step("columns")
	err := queue(b, fieldBack, fieldBackParams{N: size, spectrum: f.spectrum.at, turn: f.turn.at,
		potential: f.potential.at}, f.l.N/2, tsneThreads, rows)
	b.clock.step("rows back")
	return err
}

// move is the rest of a unit.
func (f *field) move(b *body, m motion, z driver.Ptr, of rows) error {
	inverse, x0, y0 := f.grid()
	low, high := f.l.Box()
	each, blocks := b.moveRows(of)
	column, value := b.affinities()
	return queue(b, fieldMove[f.l.Spline], fieldMoveParams{n: int32(of.end), y: b.y[0].at, fresh: b.y[1].at, v: b.v.at,
		gain: b.gain.at, held: b.held.at, start: b.start.at, column: column, value: value,
		potential: f.potential.at, N: int32(f.l.N), inverse: inverse, x0: x0, y0: y0, lowX: float32(low[0]),
		lowY: float32(low[1]), highX: float32(high[0]), highY: float32(high[1]), z: z, e: m.e, mu: m.mu, eta: m.eta,
		forces: m.forces, rows: int32(each), first: int32(of.first)}, blocks, moveThreads, 0)
}
