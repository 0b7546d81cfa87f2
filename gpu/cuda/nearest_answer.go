package cuda

import (
	"errors"

	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// answers are those of a piece as the card has them, in the order of its rows.
type answers struct {
	index  []int32
	beyond []float32
	near   []float64
}

// sized is a slice of n, in the memory of a former one where that suffices.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// answer brings what was found to its rows.
func (f *finder) answer(blocks []knn.Block) error {
	k, out := f.out.K, f.out
	if f.q.Cells == nil { // they follow each other
		from := int(blocks[0].Rows[0])
		to := from + side*(len(blocks)-1) + len(blocks[len(blocks)-1].Rows)
		return errors.Join(fetchAll(&f.work, out.Index[from*k:to*k], f.index.at),
			fetchAll(&f.work, out.Beyond[from*k:to*k], f.beyond.at), fetchAll(&f.work, out.Near[from:to], f.nearest.at))
	}
	a, rows := &f.answers[f.turn], len(blocks)*side
	a.index, a.beyond, a.near = sized(a.index, rows*k), sized(a.beyond, rows*k), sized(a.near, rows)
	if err := errors.Join(fetchAll(&f.work, a.index, f.index.at), fetchAll(&f.work, a.beyond, f.beyond.at),
		fetchAll(&f.work, a.near, f.nearest.at)); err != nil {
		return err
	}
	if err := f.brought(); err != nil {
		return err
	}
	f.turn ^= 1
	done := make(chan error, 1)
	f.bringing = done
	go func() { // the card has the next piece meanwhile
		done <- par.Blocks(f.ctx, len(blocks), 1, func(b, _, _ int) {
			for i, r := range blocks[b].Rows {
				at := (b*side + i) * k
				to, more := out.Row(int(r))
				copy(to, a.index[at:at+k])
				copy(more, a.beyond[at:at+k])
				out.Near[r] = a.near[b*side+i]
			}
		})
	}()
	return nil
}

// brought waits for the answers of the piece before.
func (f *finder) brought() (err error) {
	if f.bringing != nil {
		err, f.bringing = <-f.bringing, nil
	}
	return err
}
