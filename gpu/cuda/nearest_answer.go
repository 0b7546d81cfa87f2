package cuda

import (
	"errors"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// answers are those of a piece, in the order of its rows: on the card, and as they were brought from there.
type answers struct {
	indices, beyonds, nears *room
	index                   []int32
	beyond                  []float32
	near                    []float64
}

// at is where they are on the card.
func (a *answers) at() (index, beyond, nearest driver.Ptr) {
	return a.indices.at, a.beyonds.at, a.nears.at
}

// sized is a slice of n, in the memory of a former one where that suffices.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// begin opens the streams: answers come back on one of their own, while the card has the next piece.
func (f *finder) begin(e *card) error { return errors.Join(f.work.begin(e), f.home.begin(e)) }

// end gives everything back, once answers were brought.
func (f *finder) end() {
	f.work.end()
	f.home.end()
}

// openAnswers takes memory for those of so many rows.
func (f *finder) openAnswers(rows int64) error {
	for i := range f.answers {
		a, k := &f.answers[i], int64(f.out.K)
		if err := f.home.takeRooms(map[**room]int64{&a.indices: 4 * rows * k, &a.beyonds: 4 * rows * k,
			&a.nears: 8 * rows}); err != nil {
			return err
		}
	}
	return nil
}

// answer has what was found brought to its rows. It waits for the answers of the piece before, whose memory on the card
// is that of the next piece.
func (f *finder) answer(blocks []knn.Block) error {
	if err := f.brought(); err != nil {
		return err
	}
	a, done := &f.answers[f.turn], make(chan error, 1)
	f.turn ^= 1
	f.bringing = done
	go func() { done <- f.bring(a, blocks) }()
	return nil
}

// bring brings the answers of blocks to their rows, beside the work on the next ones.
func (f *finder) bring(a *answers, blocks []knn.Block) error {
	k, out := f.out.K, f.out
	if f.q.Cells == nil { // they follow each other
		from := int(blocks[0].Rows[0])
		to := from + side*(len(blocks)-1) + len(blocks[len(blocks)-1].Rows)
		return f.fetch(a, out.Index[from*k:to*k], out.Beyond[from*k:to*k], out.Near[from:to])
	}
	rows := len(blocks) * side
	a.index, a.beyond, a.near = sized(a.index, rows*k), sized(a.beyond, rows*k), sized(a.near, rows)
	if err := f.fetch(a, a.index, a.beyond, a.near); err != nil {
		return err
	}
	return par.Blocks(f.ctx, len(blocks), 1, func(b, _, _ int) {
		for i, r := range blocks[b].Rows {
			at := (b*side + i) * k
			to, more := out.Row(int(r))
			copy(to, a.index[at:at+k])
			copy(more, a.beyond[at:at+k])
			out.Near[r] = a.near[b*side+i]
		}
	})
}

// fetch brings answers from the card, on a thread of its own.
func (f *finder) fetch(a *answers, index []int32, beyond []float32, near []float64) error {
	leave, err := f.home.e.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	return errors.Join(fetchAll(&f.home, index, a.indices.at), fetchAll(&f.home, beyond, a.beyonds.at),
		fetchAll(&f.home, near, a.nears.at))
}

// brought waits for the answers of the piece before.
func (f *finder) brought() (err error) {
	if f.bringing != nil {
		err, f.bringing = <-f.bringing, nil
	}
	return err
}
