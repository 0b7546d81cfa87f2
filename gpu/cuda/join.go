package cuda

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/space/knn"
)

// The graph of a union: kernels/join.cu.

// joinArgs is JoinArgs there.
type joinArgs struct {
	index, value        driver.Ptr
	n, k, stride        int32
	count, begin        driver.Ptr
	from, with          driver.Ptr
	list                driver.Ptr
	first, rows, room   int32
	keys, length, start driver.Ptr
	offset              int64
	column, out         driver.Ptr
	over                float64
}

const (
	joinThreads = 256
	joinWarps   = 4    // of joinShort, a row each
	joinShort   = 512  // keys of a row
	joinLong    = 4096 // keys of a row
)

// joinPiece is how many pairs are made before they are brought back, and joinVast how many keys of the longest rows are
// sorted at a time: those of one row at least. Tests need less.
var joinPiece, joinVast = int64(1) << 26, int64(1) << 23

// joiner joins lists on a card.
type joiner struct{ e *card }

var _ knn.Joiner = joiner{}

// Join implements knn.Joiner.
func (j joiner) Join(ctx context.Context, near *knn.Lists, k int, value []float32, b knn.Blend) (
	out *knn.Joined[float32], err error) {
	var lost error
	err = j.e.within(&lost, func() error {
		w := &joining{near: near}
		defer w.end()
		w.a = joinArgs{n: int32(near.N), k: int32(k), stride: int32(near.K), over: b.Over}
		if err := w.begin(j.e); err != nil {
			return err
		}
		if err := w.place(ctx, value); err != nil {
			return err
		}
		out, err = w.find(ctx)
		return err
	})
	if noMemory(err) {
		err = knn.ErrRoom
	}
	return out, err
}

// joining is a join on a card.
type joining struct {
	work
	near *knn.Lists
	a    joinArgs
	keys []int64 // where those of each row begin, whose own k are not counted
	// rows are those of more keys than joinShort has, rising. vast of them have more than joinLong.
	rows, vast []int32
	most       int64 // keys of the longest row, as a power of two
}

// take takes memory for so many bytes.
func (w *joining) take(to *driver.Ptr, bytes int64) error {
	r, err := w.room(bytes + 4) // an empty room has no address
	if err == nil {
		*to = r.at
	}
	return err
}

func (w *joining) launch(name string, blocks, threads int) error {
	k, err := w.e.kernel("join", name)
	if err != nil || blocks == 0 {
		return err
	}
	w.args.Reset()
	w.args.Struct(unsafe.Pointer(&w.a))
	return w.s.Launch(k, driver.Dim{X: blocks}, driver.Dim{X: threads}, 0, &w.args)
}

// place brings neighbours to the card, and puts those who have a point as one beside each other.
func (w *joining) place(ctx context.Context, value []float32) error {
	n, all := int64(w.near.N), int64(len(value))
	left, err := w.memoryLeft()
	if err != nil {
		return err
	}
	if 4*int64(len(w.near.Index))+12*all+28*n+8*min(joinPiece, 2*all)+1<<20 > left {
		return knn.ErrRoom
	}
	if err := errors.Join(w.take(&w.a.index, 4*int64(len(w.near.Index))), w.take(&w.a.value, 4*all),
		w.take(&w.a.from, 4*all), w.take(&w.a.with, 4*all), w.take(&w.a.count, 4*n), w.take(&w.a.begin, 8*(n+1)),
		w.take(&w.a.length, 4*n)); err != nil {
		return err
	}
	if err := sendAll(ctx, &w.work, w.a.index, w.near.Index); err != nil {
		return err
	}
	if err := sendAll(ctx, &w.work, w.a.value, value); err != nil {
		return err
	}
	counts := make([]int32, n)
	if err := errors.Join(w.s.Set8(w.a.count, 0, 4*n), w.launch("joinCount", blocksOf(int(all), joinThreads),
		joinThreads), fetch(&w.work, counts, w.a.count)); err != nil {
		return err
	}
	w.sortOut(counts)
	return errors.Join(sendAll(ctx, &w.work, w.a.begin, w.keys),
		w.launch("joinPlace", blocksOf(int(all), joinThreads), joinThreads))
}

// sortOut finds where keys begin, and which rows have many.
func (w *joining) sortOut(counts []int32) {
	w.keys = make([]int64, len(counts)+1)
	for i, c := range counts {
		w.keys[i+1] = w.keys[i] + int64(c)
		switch keys := int64(c) + int64(w.a.k); {
		case keys > joinLong:
			w.vast = append(w.vast, int32(i))
			w.most = max(w.most, 1<<bits.Len64(uint64(keys-1)))
		case keys > joinShort:
			w.rows = append(w.rows, int32(i))
		}
	}
}

// find makes the rows, twice: to know how long they are, and to write them.
func (w *joining) find(ctx context.Context) (*knn.Joined[float32], error) {
	all := slices.Concat(w.rows, w.vast)
	if err := w.take(&w.a.list, 4*int64(len(all))); err != nil {
		return nil, err
	}
	if len(w.vast) > 0 {
		if err := w.take(&w.a.keys, 8*max(w.most, joinVast)); err != nil {
			return nil, err
		}
	}
	if err := sendAll(ctx, &w.work, w.a.list, all); err != nil {
		return nil, err
	}
	if err := w.make(ctx, 0, w.near.N); err != nil {
		return nil, err
	}
	lengths := make([]int32, w.near.N)
	if err := fetch(&w.work, lengths, w.a.length); err != nil {
		return nil, err
	}
	out := knn.Rows(lengths)
	return out, w.write(ctx, out)
}

// write makes the rows in pieces, and brings them back.
func (w *joining) write(ctx context.Context, out *knn.Joined[float32]) error {
	n := w.near.N
	room := min(joinPiece, out.Start[n])
	for i := range n {
		room = max(room, out.Start[i+1]-out.Start[i])
	}
	if err := errors.Join(w.take(&w.a.start, 8*int64(n+1)), w.take(&w.a.column, 4*room),
		w.take(&w.a.out, 4*room)); err != nil {
		return err
	}
	if err := sendAll(ctx, &w.work, w.a.start, out.Start); err != nil {
		return err
	}
	for from := 0; from < n; {
		w.a.offset = out.Start[from]
		to, _ := slices.BinarySearch(out.Start, w.a.offset+room+1)
		to-- // the last row that ends within the room
		if err := w.make(ctx, from, to); err != nil {
			return err
		}
		a, b := out.Start[from], out.Start[to]
		if err := errors.Join(fetchAll(&w.work, out.Column[a:b], w.a.column),
			fetchAll(&w.work, out.Value[a:b], w.a.out)); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// make finds how long the rows from from up to to are, or writes them.
func (w *joining) make(ctx context.Context, from, to int) error {
	step := int(1024 * joinWarps * w.cores()) // some milliseconds
	for a := from; a < to; a += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.a.first, w.a.rows, w.a.room = int32(a), int32(min(step, to-a)), joinShort
		if err := w.launch("joinShort", blocksOf(int(w.a.rows), joinWarps), 32*joinWarps); err != nil {
			return err
		}
	}
	part := func(list []int32) (a, b int) {
		a, _ = slices.BinarySearch(list, int32(from))
		b, _ = slices.BinarySearch(list, int32(to))
		return a, b
	}
	a, b := part(w.rows)
	w.a.first, w.a.room = int32(a), joinLong
	if err := w.launch("joinLong", b-a, joinThreads); err != nil {
		return err
	}
	a, b = part(w.vast)
	w.a.room = int32(w.most)
	for step := int(max(1, joinVast/max(1, w.most))); a < b; a += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		w.a.first = int32(len(w.rows) + a)
		if err := w.launch("joinVast", min(step, b-a), joinThreads); err != nil {
			return err
		}
	}
	return nil
}
