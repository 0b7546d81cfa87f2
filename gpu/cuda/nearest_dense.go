package cuda

import (
	"errors"
	"math"
	"unsafe"

	"blossom/gpu/cuda/driver"
)

// Lists of what may be among the nearest, by products of halves on tensor cores: kernels/nearest_dense.cu.

type nearestCentreParams struct {
	panels, half   driver.Ptr
	d              int32
	first, centres driver.Ptr
}

type nearestFragmentsParams struct {
	panels, half, length                              driver.Ptr
	d, steps                                          int32
	scale                                             float32
	cellOf, centres, fragments, radius, radii, begins driver.Ptr
}

type nearestBeginsParams struct {
	panels, half                                driver.Ptr
	d                                           int32
	scale                                       float32
	centres, list, asking, place, first, begins driver.Ptr
}

// denseArgs is DenseArgs there.
type denseArgs struct {
	rows, values, length, radius, self            driver.Ptr
	fragments, begins, longest, radii             driver.Ptr
	start, list, place, first, centres            driver.Ptr
	entries, counts, limits                       driver.Ptr
	count, from, to, blocks                       int64
	scale, halfUnit, halfFlat, halfLeast, halfFar float32
	d, steps, k, cap, begin                       int32
}

var (
	nearestCentre    = kernelOf[nearestCentreParams]("nearest_dense", "nearestCentre")
	nearestFragments = kernelOf[nearestFragmentsParams]("nearest_dense", "nearestFragments")
	nearestBegins    = kernelOf[nearestBeginsParams]("nearest_dense", "nearestBegins")
	// nearestDense are by steps of columns; the first is of any number.
	nearestDense = [...]string{"nearestDenseAny", "nearestDense1", "nearestDense2", "nearestDense3", "nearestDense4"}
)

// singleMargin is how far scores in float32 may be off, by the squared sum of the lengths of two points: the rounding
// of all columns together, twice.
func singleMargin(d int64) float32 { return float32(d+6) * 0x1p-24 }

// margins sets how far products of halves may be off, of coordinates times scale: see kernels/nearest_dense.cu.
func (a *denseArgs) margins(d int64, scale float32) {
	a.scale, a.halfUnit, a.halfFlat = scale, 0x1.1p-12, float32(d+1)*0x1p-25
	a.halfLeast, a.halfFar = float32(d+1)*0x1p-49, float32(4*d+64)*0x1p-24
}

const (
	denseWarps = 4    // a block has so many, each with half a panel
	denseLeast = 9    // columns: of fewer there is no work
	denseMost  = 8000 // columns: of more the margin is no use
)

// dense is what products on tensor cores need beside panels. Without room for it there are other products.
type dense struct {
	a                                      denseArgs
	cells                                  int // 0: all points are around one centre
	points, begins, radii, cellOf, centres *room
	rows, radius, rowCells                 *room
}

// hasDense says whether products of so many columns are made on tensor cores.
func (e *card) hasDense(d int64) bool { return e.hasTensor() && d >= denseLeast && d <= denseMost }

// denseRoom says what products on tensor cores would take for so many panels, and for a panel of rows; 0 where they are
// not for this search.
func (f *finder) denseRoom(panels int64) (all, each int64) {
	if !f.r.e.hasDense(f.d) {
		return 0, 0
	}
	steps := (f.d + 15) / 16
	all = panels * (steps*fragmentBytes + 8)
	if f.q.Cells == nil {
		all += 4 * side * panels
	} else {
		all += 4*side*f.way.most + 4*int64(f.q.Cells.Len()+1)*f.d
	}
	return all, steps*fragmentBytes + 4*side + 4
}

// openDense prepares products on tensor cores for points, which are in panels, and so many panels of rows.
func (f *finder) openDense(panels, rows int64) error {
	d := &dense{}
	d.a.steps = int32((f.d + 15) / 16)
	of := int64(d.a.steps) * fragmentBytes
	rooms := map[**room]int64{&d.points: panels * of, &d.radii: 4 * panels, &d.rows: rows * of,
		&d.radius: 4 * rows * side}
	if f.q.Cells == nil {
		rooms[&d.begins] = 4 * panels * side
	} else {
		d.cells = f.q.Cells.Len()
		rooms[&d.cellOf], rooms[&d.rowCells] = 4*panels, 4*rows
		rooms[&d.centres], rooms[&d.begins] = 4*int64(d.cells+1)*f.d, 4*side*f.way.most
	}
	if err := f.takeRooms(rooms); err != nil {
		return err
	}
	f.dense = d
	if d.cells > 0 {
		if err := f.centre(panels); err != nil {
			return err
		}
	}
	if err := f.fragments(&f.points, panels, nearestFragmentsParams{scale: 1, cellOf: where(d.cellOf),
		fragments: d.points.at, radii: d.radii.at}); err != nil {
		return err
	}
	radii := make([]float32, panels)
	if err := fetch(&f.work, radii, d.radii.at); err != nil {
		return err
	}
	most := float32(0x1p-36)
	for _, v := range radii {
		most = max(most, v)
	}
	_, exponent := math.Frexp(float64(most))
	d.a.margins(f.d, float32(math.Ldexp(1, 14-exponent)))
	p := nearestFragmentsParams{scale: d.a.scale, cellOf: where(d.cellOf), fragments: d.points.at, radii: d.radii.at}
	if d.cells == 0 {
		p.begins = d.begins.at
	}
	return f.fragments(&f.points, panels, p)
}

// centre finds the centres of cells, and says which cell each panel is of.
func (f *finder) centre(panels int64) error {
	d, of := f.dense, make([]int32, panels)
	for c := range d.cells {
		for p := f.first[c]; p < f.first[c+1]; p++ {
			of[p] = int32(c)
		}
	}
	return errors.Join(send(&f.work, d.cellOf.at, of), f.s.Set8(d.centres.at, 0, 4*int64(d.cells+1)*f.d),
		enqueue(&f.work, nearestCentre, nearestCentreParams{panels: f.points.values.at, half: f.points.half.at,
			d: int32(f.d), first: f.way.first.at, centres: d.centres.at}, driver.Dim{X: d.cells, Y: int(f.d)}, 128, 0))
}

// fragments makes those of the panels of s.
func (f *finder) fragments(s *space, panels int64, p nearestFragmentsParams) error {
	p.panels, p.half, p.length, p.d, p.steps = s.values.at, s.half.at, s.length.at, int32(f.d), f.dense.a.steps
	p.centres = where(f.dense.centres)
	return enqueue(&f.work, nearestFragments, p, driver.Dim{X: int(panels)}, 256, 0)
}

// sweepDense is sweep on tensor cores.
func (f *finder) sweepDense(blocks int) error {
	d := f.dense
	if d.cells > 0 {
		if err := send(&f.work, d.rowCells.at, f.way.of[:blocks]); err != nil {
			return err
		}
		if n := len(f.way.lists); n > 0 {
			if err := enqueue(&f.work, nearestBegins, nearestBeginsParams{panels: f.points.values.at,
				half: f.points.half.at, d: int32(f.d), scale: d.a.scale, centres: d.centres.at, list: f.way.list.at,
				asking: f.way.asking.at, place: f.way.place.at, first: f.way.first.at, begins: d.begins.at},
				driver.Dim{X: n}, 256, 0); err != nil {
				return err
			}
		}
	}
	if err := f.fragments(&f.rows, int64(blocks), nearestFragmentsParams{scale: d.a.scale, cellOf: where(d.rowCells),
		fragments: d.rows.at, radius: d.radius.at}); err != nil {
		return err
	}
	a := d.a
	a.rows, a.radius = d.rows.at, d.radius.at
	a.values, a.length, a.self = f.rows.values.at, f.rows.length.at, f.rows.self.at
	a.fragments, a.begins, a.longest, a.radii = d.points.at, d.begins.at, f.points.longest.at, d.radii.at
	a.start, a.list, a.place, a.first = where(f.way.start), where(f.way.list), where(f.way.place), where(f.way.first)
	a.centres, a.entries, a.counts, a.limits = where(d.centres), f.entries.at, f.counts.at, f.limits.at
	a.count, a.blocks, a.d = f.way.entries, int64(blocks), int32(f.d)
	a.k, a.cap, a.begin = int32(f.out.K), int32(f.cap), 1
	name := nearestDense[0]
	if int(a.steps) < len(nearestDense) {
		name = nearestDense[a.steps]
	}
	kernel, err := f.r.e.kernel("nearest_dense", name)
	if err != nil {
		return err
	}
	const faster = 8 // than other products
	return f.byTurns(blocks, faster, func(from, to int64) error {
		a.from, a.to = from, to
		defer func() { a.begin = 0 }()
		f.args.Reset()
		f.args.Struct(unsafe.Pointer(&a))
		return f.s.Launch(kernel, driver.Dim{X: blocksOf(2*blocks, denseWarps)}, driver.Dim{X: 32 * denseWarps}, 0,
			&f.args)
	})
}

// decides has what is listed decided by the margins of these products.
func (d *dense) decides(p *nearestDecideParams) {
	p.scale, p.halfUnit, p.halfFlat, p.halfLeast, p.halfFar = d.a.scale, d.a.halfUnit, d.a.halfFlat, d.a.halfLeast,
		d.a.halfFar
	p.radius, p.radii = d.radius.at, d.radii.at
	if d.cells > 0 {
		p.cells = 1
	}
}

// candidates finds what may be among the nearest of the rows of blocks, and has left those rows whose lists ran over.
// Where they are many, float32 does it, and goes on doing so if it tells these points apart.
func (f *finder) candidates(blocks int, table driver.Ptr) (left int32, err error) {
	d, few := f.dense, int32(blocks*side/256+4)
	if d != nil {
		left, err = f.decided(f.sweepDense(blocks), blocks, table)
		if err != nil || left <= few {
			return left, err
		}
		f.dense = nil
	}
	single, err := f.decided(f.sweep(blocks), blocks, table)
	if d != nil && single > left/2 { // these are equal, or nearly, which nothing tells apart: others may not be
		f.dense = d
	}
	return single, err
}
