package cuda

import (
	"math"

	"blossom/gpu/cuda/driver"
)

// Lists of what may be among the nearest, by products of halves on tensor cores: kernels/nearest_dense.cu.

type nearestFragmentsParams struct {
	panels, half      driver.Ptr
	d, steps          int32
	scale             float32
	fragments, begins driver.Ptr
}

type nearestDenseParams struct {
	rows, length, self             driver.Ptr
	steps                          int32
	fragments, begins, longest, id driver.Ptr
	start, list                    driver.Ptr
	count, from, to, panels        int64
	scale, unit, flat, least       float32
	k, cap, begin                  int32
	entries, counts, limits        driver.Ptr
}

var (
	nearestFragments = kernelOf[nearestFragmentsParams]("nearest_dense", "nearestFragments")
	// nearestDense are by steps of columns; the first is of any number.
	nearestDense = [...]*kernel[nearestDenseParams]{kernelOf[nearestDenseParams]("nearest_dense", "nearestDenseAny"),
		kernelOf[nearestDenseParams]("nearest_dense", "nearestDense1"),
		kernelOf[nearestDenseParams]("nearest_dense", "nearestDense2"),
		kernelOf[nearestDenseParams]("nearest_dense", "nearestDense3"),
		kernelOf[nearestDenseParams]("nearest_dense", "nearestDense4")}
)

// singleMargin is how far scores in float32 may be off, by the sum of the lengths of two points: unit of its square, flat
// of it, and least. It is the rounding of all columns together, twice.
func singleMargin(d int64) (unit, flat, least float32) { return float32(d+6) * 0x1p-24, 0, 1e-37 }

// denseMargin is that of products of halves of coordinates times scale: see kernels/nearest_dense.cu.
func denseMargin(d int64, scale float32) (unit, flat, least float32) {
	return (0x1.1p-12 + float32(d+32)*0x1p-22) * scale * scale, float32(d+1) * 0x1p-25 * scale,
		float32(d+1) * 0x1p-49
}

const (
	denseWarps = 4    // of a block, each with half a panel
	denseLeast = 9    // columns: of fewer there is no work
	denseMost  = 8000 // columns: of more the margin is no use
)

// dense is what products on tensor cores need beside panels. Without room for it there are other products.
type dense struct {
	scale                float32
	steps                int64
	points, rows, begins *room
}

// denseRoom says what products on tensor cores would take for so many panels, and for a panel of rows; 0 where they are
// not for this search.
func (f *finder) denseRoom(panels int64) (all, each int64) {
	if !f.r.e.hasTensor() || f.d < denseLeast || f.d > denseMost {
		return 0, 0
	}
	steps := (f.d + 15) / 16
	return panels * (steps*fragmentBytes + 4*side), steps * fragmentBytes
}

// openDense prepares products on tensor cores for points, which are in panels, and so many panels of rows.
func (f *finder) openDense(panels, rows int64) error {
	longest := make([]float32, panels)
	if err := fetch(&f.work, longest, f.points.longest.at); err != nil {
		return err
	}
	most := float32(0x1p-36)
	for _, v := range longest {
		most = max(most, v)
	}
	_, exponent := math.Frexp(float64(most))
	d := dense{scale: float32(math.Ldexp(1, 14-exponent)), steps: (f.d + 15) / 16}
	if err := f.takeRooms(map[**room]int64{&d.points: panels * d.steps * fragmentBytes,
		&d.begins: 4 * panels * side, &d.rows: rows * d.steps * fragmentBytes}); err != nil {
		return err
	}
	f.dense = &d
	return f.fragments(&f.points, d.points, d.begins, panels)
}

// fragments makes those of the panels of s, and what sums of them begin with.
func (f *finder) fragments(s *space, to, begins *room, panels int64) error {
	return enqueue(&f.work, nearestFragments, nearestFragmentsParams{panels: s.values.at, half: s.half.at,
		d: int32(f.d), steps: int32(f.dense.steps), scale: f.dense.scale, fragments: to.at, begins: where(begins)},
		driver.Dim{X: int(panels)}, 256, 0)
}

// sweepDense is sweep on tensor cores.
func (f *finder) sweepDense(blocks int, most int64) error {
	d := f.dense
	if err := f.fragments(&f.rows, d.rows, nil, int64(blocks)); err != nil {
		return err
	}
	p := nearestDenseParams{rows: d.rows.at, length: f.rows.length.at, self: f.rows.self.at, steps: int32(d.steps),
		fragments: d.points.at, begins: d.begins.at, longest: f.points.longest.at, id: f.points.self.at,
		start: where(f.start), list: where(f.list), count: most, panels: int64(blocks), scale: d.scale,
		k: int32(f.out.K), cap: int32(f.cap), begin: 1, entries: f.entries.at, counts: f.counts.at,
		limits: f.limits.at}
	p.unit, p.flat, p.least = f.margin()
	kernel := nearestDense[0]
	if int(d.steps) < len(nearestDense) {
		kernel = nearestDense[d.steps]
	}
	const faster = 8 // than other products
	return f.byTurns(blocks, most, faster, func(from, to int64) error {
		p.from, p.to = from, to
		defer func() { p.begin = 0 }()
		return enqueue(&f.work, kernel, p, driver.Dim{X: blocksOf(2*blocks, denseWarps)}, 32*denseWarps, 0)
	})
}

// margin is that of the products in use.
func (f *finder) margin() (unit, flat, least float32) {
	if f.dense != nil {
		return denseMargin(f.d, f.dense.scale)
	}
	return singleMargin(f.d)
}

// candidates finds what may be among the nearest of the rows of blocks, and has left those rows whose lists ran over. Where
// they are many, halves do not tell these points apart: no more of them are tried.
func (f *finder) candidates(blocks int, table driver.Ptr, most int64) (left int32, err error) {
	if f.dense != nil {
		left, err = f.decided(f.sweepDense(blocks, most), blocks, table)
		if few := int32(blocks*side/256 + 4); err != nil || left <= few {
			return left, err
		}
		f.dense = nil
	}
	return f.decided(f.sweep(blocks, most), blocks, table)
}
