package cuda

import (
	"fmt"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/landmark"
	"blossom/model/matrix"
	"blossom/model/revision"
)

// tables are what depends on the landmarks alone (kernels/tables.cu), made anew only when it moved.
type tables struct {
	g     int
	dp    int // columns, padded to whole steps of the tensor cores
	tiles int // of 8 landmarks, for them

	code    matrix.Matrix32 // on the card
	kept    []float32       // its numbers
	coming  matrix.Matrix32 // on the card, but not all of its tables are; valid within a call
	codeRev revision.Revision
	pos     matrix.Matrix32
	placed  bool // pos is on the card

	codebook, centre, mean, factors, norms, rows, triangle, closest, place, scratch room

	// The rows of the triangle are landmarks by how often they are neighbours, where not all of it fits into
	// shared memory.
	mapped                     bool // not in their own order
	rowOf, named, uses         room
	positionsOut, codebooksOut outbox
}

func (t *tables) rooms() []*room {
	return []*room{&t.codebook, &t.centre, &t.mean, &t.factors, &t.norms, &t.rows, &t.triangle, &t.closest, &t.place,
		&t.scratch, &t.rowOf, &t.named, &t.uses}
}

const (
	stepColumns = 16 // of one step of the tensor cores
)

// setCodebook sends a codebook that the card does not have, and makes its tables.
func (t *tables) setCodebook(r *resident, l *landmark.Set) error {
	code := l.Codebook
	code.Data = code.Data[:code.Rows*code.Cols]
	same := t.code.Rows == code.Rows && t.code.Cols == code.Cols
	if same && (l.CodeRev == 0 || l.CodeRev != t.codeRev) {
		same = slices.Equal(t.code.Data, code.Data)
	}
	t.codeRev = l.CodeRev
	if same {
		return nil
	}
	t.code, t.coming = matrix.Matrix32{}, matrix.Matrix32{} // until all of it is there
	e, s := r.e, r.e.s
	g, d := code.Rows, code.Cols
	t.mapped = t.mapped && t.g == g
	t.g, t.placed = g, false
	t.dp = tensorSteps(d) * stepColumns
	all := (g + 7) / 8
	t.tiles = (all + 15) &^ 15
	padded := t.tiles * 8
	for _, x := range []struct {
		room  *room
		bytes int
	}{
		{&t.codebook, 4 * g * d}, {&t.centre, 16}, {&t.mean, 4 * t.dp}, {&t.factors, 2 * padded * t.dp},
		{&t.norms, 6 * padded},
		{&t.rows, 4 * g * t.dp}, {&t.triangle, 2*g*(g+1) + 16}, {&t.closest, 4 * g}, {&t.place, 12 * g},
	} {
		if err := x.room.grow(e.c, s, int64(x.bytes)); err != nil {
			return err
		}
	}
	var err error
	if len(code.Data) <= letterMost {
		err = t.codebooksOut.send(r, t.codebook.at, code.Data)
	} else { // eight of them would be much pinned memory
		err = s.ToDevice(t.codebook.at, unsafe.Pointer(&code.Data[0]), int64(4*g*d))
	}
	if err != nil {
		return err
	}
	a := &r.args
	a.Reset()
	a.Ptr(t.codebook.at)
	a.I32(int32(g))
	a.I32(int32(d))
	a.I32(int32(t.dp))
	a.Ptr(t.centre.at)
	a.Ptr(t.mean.at)
	if err := r.launch("tables", "prepare", driver.Dim{X: 1}, driver.Dim{X: 1024}, 0); err != nil {
		return err
	}
	if e.usesTensor(d) {
		a.Reset()
		a.Ptr(t.codebook.at)
		a.I32(int32(g))
		a.I32(int32(d))
		a.I32(int32(t.dp))
		a.I32(int32(t.tiles))
		a.Ptr(t.centre.at)
		a.Ptr(t.mean.at)
		a.Ptr(t.factors.at)
		a.Ptr(t.norms.at)
		a.Ptr(t.halves())
		a.Ptr(t.rows.at)
		work := max(padded, g) * t.dp / 4
		if err := r.launch("tensor", "operands", driver.Dim{X: (work + 255) / 256}, driver.Dim{X: 256}, 0); err != nil {
			return err
		}
	}
	t.coming = code
	return nil
}

// settle does what a new codebook needs after its neighbours are being searched, so that the card has work
// meanwhile.
func (t *tables) settle(r *resident) error {
	if t.coming.Data == nil {
		return nil
	}
	if err := t.pairs(r); err != nil {
		return err
	}
	if len(t.kept) != len(t.coming.Data) {
		t.kept = make([]float32, len(t.coming.Data))
	}
	copy(t.kept, t.coming.Data)
	t.code = matrix.Matrix32{Rows: t.coming.Rows, Cols: t.coming.Cols, Data: t.kept}
	t.coming = matrix.Matrix32{}
	return nil
}

// pairs makes the triangle.
func (t *tables) pairs(r *resident) error {
	if err := r.e.s.Set32(t.closest.at, 0, int64(t.g)); err != nil {
		return err
	}
	a := &r.args
	a.Reset()
	a.Ptr(t.codebook.at)
	a.I32(int32(t.g))
	a.I32(int32(r.d))
	if t.mapped {
		a.Ptr(t.named.at)
	} else {
		a.Ptr(0)
	}
	a.Ptr(t.triangle.at)
	a.Ptr(t.closest.at)
	return r.launch("tables", "pairs", driver.Dim{X: (t.g + 15) / 16, Y: (t.g + 15) / 16}, driver.Dim{X: 16, Y: 16}, 0)
}

// sortRows gives the first rows of the triangle to the landmarks that are neighbours of most points, of
// those in the cache's slots from first on, where not all rows can be in shared memory.
func (t *tables) sortRows(r *resident, first, slots int64) error {
	const other = 40 << 10 // bytes that stage B wants for points
	if 2*t.g*(t.g+1) < r.e.dev.SharedBlock-other {
		return nil
	}
	for _, x := range []struct {
		room  *room
		bytes int
	}{{&t.rowOf, 2 * t.g}, {&t.named, 2 * t.g}, {&t.uses, 4 * t.g}} {
		if err := x.room.grow(r.e.c, r.e.s, int64(x.bytes)); err != nil {
			return err
		}
	}
	if err := r.e.s.Set32(t.uses.at, 0, int64(t.g)); err != nil {
		return err
	}
	a := &r.args
	a.Reset()
	a.I64(first)
	a.I64(slots)
	a.I32(int32(t.g))
	a.I32(int32(r.find))
	a.Ptr(r.ids.at)
	a.Ptr(r.d2.at)
	a.Ptr(t.uses.at)
	if err := r.launch("order", "countUses", driver.Dim{X: int(min(64, (slots+255)/256))}, driver.Dim{X: 256},
		4*t.g); err != nil {
		return err
	}
	a.Reset()
	a.Ptr(t.uses.at)
	a.I32(int32(t.g))
	a.Ptr(t.rowOf.at)
	a.Ptr(t.named.at)
	if err := r.launch("order", "rankUses", driver.Dim{X: (t.g + 255) / 256}, driver.Dim{X: 256}, 0); err != nil {
		return err
	}
	t.mapped = true
	return t.pairs(r)
}

// halves are the norms once more.
func (t *tables) halves() driver.Ptr { return t.norms.at + driver.Ptr(4*t.tiles*8) }

// positions sends positions that the card does not have.
func (t *tables) positions(r *resident, l *landmark.Set) error {
	g, dims := l.Pos.Rows, l.Pos.Cols
	pos := l.Pos.Data[:g*dims]
	if t.placed && t.pos.Rows == g && t.pos.Cols == dims && slices.Equal(t.pos.Data, pos) {
		return nil
	}
	t.placed = false
	if t.pos.Rows != g || t.pos.Cols != dims {
		t.pos = matrix.New(g, dims)
	}
	copy(t.pos.Data, pos)
	if err := t.positionsOut.send(r, t.place.at, pos); err != nil {
		return err
	}
	t.placed = true
	return nil
}

// launch queues a kernel with the arguments in r.args.
func (r *resident) launch(module, name string, grid, block driver.Dim, shared int) error {
	f, err := r.e.kernel(module, name)
	if err != nil {
		return err
	}
	if shared > 48<<10 && r.e.fits(f, block.X*max(1, block.Y), shared) == 0 {
		return fmt.Errorf("cuda: kernel %s needs %d bytes of shared memory and does not get them", name, shared)
	}
	return r.e.s.Launch(f, grid, block, shared, &r.args)
}
