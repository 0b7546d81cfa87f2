package cuda

import (
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/landmark"
)

// tables are what depends on the landmarks alone (kernels/tables.cu), made anew only when it moved.
type tables struct {
	g     int
	dp    int // columns, padded to whole steps of the tensor cores
	tiles int // tiles of 8 landmarks each, for the tensor cores

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
	stepColumns = 16 // columns of one step of the tensor cores
)

// setCodebook sends a codebook that the card does not have, and makes its tables.
func (t *tables) setCodebook(e *card, l *landmark.Set) error {
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
	s, g, d := e.s, code.Rows, code.Cols
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
		err = t.codebooksOut.send(e, t.codebook.at, code.Data)
	} else { // eight of them would be much pinned memory
		err = s.ToDevice(t.codebook.at, unsafe.Pointer(&code.Data[0]), int64(4*g*d))
	}
	if err != nil {
		return err
	}
	if err := prepare.launch(e, prepareParams{codebook: t.codebook.at, g: int32(g), d: int32(d), dp: int32(t.dp),
		centre: t.centre.at, mean: t.mean.at}, driver.Dim{X: 1}, driver.Dim{X: 1024}, 0); err != nil {
		return err
	}
	if e.usesTensor(d) {
		work := max(padded, g) * t.dp / 4
		if err := operands.launch(e, operandsParams{codebook: t.codebook.at, g: int32(g), d: int32(d), dp: int32(t.dp),
			tiles: int32(t.tiles), centre: t.centre.at, mean: t.mean.at, factors: t.factors.at, norms: t.norms.at,
			halves: t.halves(), rows: t.rows.at}, driver.Dim{X: (work + 255) / 256}, driver.Dim{X: 256},
			0); err != nil {
			return err
		}
	}
	t.coming = code
	return nil
}

// fillPairs does what a new codebook needs after its neighbours are being searched, so that the card has work
// meanwhile.
func (t *tables) fillPairs(e *card) error {
	if t.coming.Data == nil {
		return nil
	}
	if err := t.pairs(e, t.coming.Cols); err != nil {
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

// pairs makes the triangle of landmarks of d columns.
func (t *tables) pairs(e *card, d int) error {
	if err := e.s.Set32(t.closest.at, 0, int64(t.g)); err != nil {
		return err
	}
	p := pairsParams{codebook: t.codebook.at, g: int32(t.g), d: int32(d), triangle: t.triangle.at,
		closest: t.closest.at}
	if t.mapped {
		p.named = t.named.at
	}
	return pairs.launch(e, p, driver.Dim{X: (t.g + 15) / 16, Y: (t.g + 15) / 16}, driver.Dim{X: 16, Y: 16}, 0)
}

// sortRows gives the first rows of the triangle to the landmarks that are neighbours of most points, of
// those in the cache's slots from first on, where not all rows can be in shared memory. They have d columns.
func (t *tables) sortRows(e *card, c cached, d int, first, slots int64) error {
	const other = 40 << 10 // bytes that stage B wants for points
	if 2*t.g*(t.g+1) < e.dev.SharedBlock-other {
		return nil
	}
	for _, x := range []struct {
		room  *room
		bytes int
	}{{&t.rowOf, 2 * t.g}, {&t.named, 2 * t.g}, {&t.uses, 4 * t.g}} {
		if err := x.room.grow(e.c, e.s, int64(x.bytes)); err != nil {
			return err
		}
	}
	if err := e.s.Set32(t.uses.at, 0, int64(t.g)); err != nil {
		return err
	}
	if err := countUses.launch(e, countUsesParams{first: first, slots: slots, g: int32(t.g), find: int32(c.find),
		ids: c.ids, d2: c.d2, uses: t.uses.at}, driver.Dim{X: int(min(64, (slots+255)/256))}, driver.Dim{X: 256},
		4*t.g); err != nil {
		return err
	}
	if err := rankUses.launch(e, rankUsesParams{uses: t.uses.at, g: int32(t.g), rowOf: t.rowOf.at, named: t.named.at},
		driver.Dim{X: (t.g + 255) / 256}, driver.Dim{X: 256}, 0); err != nil {
		return err
	}
	t.mapped = true
	return t.pairs(e, d)
}

// halves are the norms once more.
func (t *tables) halves() driver.Ptr { return t.norms.at + driver.Ptr(4*t.tiles*8) }

// positions sends positions that the card does not have.
func (t *tables) positions(e *card, l *landmark.Set) error {
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
	if err := t.positionsOut.send(e, t.place.at, pos); err != nil {
		return err
	}
	t.placed = true
	return nil
}
