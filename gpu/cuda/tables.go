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
	g      int
	dp     int // columns, padded to whole steps of the tensor cores
	chunks int // of landmarks, for them
	tiles  int // of 8 landmarks in a chunk

	code    matrix.Matrix32 // on the card
	codeRev revision.Revision
	pos     matrix.Matrix32
	placed  bool // pos is on the card

	codebook, centre, mean, factors, norms, rows, triangle, closest, place, scratch room
	positionsOut, codebooksOut                                                      outbox
}

func (t *tables) rooms() []*room {
	return []*room{&t.codebook, &t.centre, &t.mean, &t.factors, &t.norms, &t.rows, &t.triangle, &t.closest, &t.place, &t.scratch}
}

const (
	stepColumns = 16  // of one step of the tensor cores
	chunkMost   = 256 // landmarks of one chunk
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
	t.code = matrix.Matrix32{} // until all of it is there
	e, s := r.e, r.e.s
	g, d := code.Rows, code.Cols
	t.g, t.placed = g, false
	t.dp = tensorSteps(d) * stepColumns
	all := (g + 7) / 8
	t.chunks = (all + chunkMost/8 - 1) / (chunkMost / 8)
	t.tiles = (all + t.chunks - 1) / t.chunks
	padded := t.chunks * t.tiles * 8
	for _, x := range []struct {
		room  *room
		bytes int
	}{
		{&t.codebook, 4 * g * d}, {&t.centre, 16}, {&t.mean, 4 * t.dp}, {&t.factors, 2 * padded * t.dp}, {&t.norms, 4 * padded},
		{&t.rows, 4 * g * t.dp}, {&t.triangle, 2 * g * (g + 1)}, {&t.closest, 4 * g}, {&t.place, 12 * g},
	} {
		if err := x.room.grow(e.c, s, int64(x.bytes)); err != nil {
			return err
		}
	}
	kept := code.Clone()
	var err error
	if len(kept.Data) <= letterMost {
		err = t.codebooksOut.send(r, t.codebook.at, kept.Data)
	} else { // eight of them would be much pinned memory
		err = s.ToDevice(t.codebook.at, unsafe.Pointer(&kept.Data[0]), int64(4*g*d))
	}
	if err != nil {
		return err
	}
	if err := s.Set32(t.closest.at, 0, int64(g)); err != nil {
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
		a.I32(int32(t.chunks))
		a.I32(int32(t.tiles))
		a.Ptr(t.centre.at)
		a.Ptr(t.mean.at)
		a.Ptr(t.factors.at)
		a.Ptr(t.norms.at)
		a.Ptr(t.rows.at)
		work := max(padded, g) * t.dp / 4
		if err := r.launch("tensor", "operands", driver.Dim{X: (work + 255) / 256}, driver.Dim{X: 256}, 0); err != nil {
			return err
		}
	}
	a.Reset()
	a.Ptr(t.codebook.at)
	a.I32(int32(g))
	a.I32(int32(d))
	a.Ptr(t.triangle.at)
	a.Ptr(t.closest.at)
	if err := r.launch("tables", "pairs", driver.Dim{X: (g + 15) / 16, Y: (g + 15) / 16}, driver.Dim{X: 16, Y: 16}, 0); err != nil {
		return err
	}
	t.code = kept
	return nil
}

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
