package cuda

import (
	"context"
	"errors"
	"math/bits"
	"slices"
	"unsafe"

	"blossom/gpu/cuda/driver"
	"blossom/model/maps/tsne"
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
	beyond              driver.Ptr
	perplexity          float64
	roots, sums         driver.Ptr
}

const (
	joinThreads = 256
	joinPoints  = 128  // threads of joinWeigh
	joinWarps   = 4    // in a block of joinShort and joinEntropy, a row each
	joinShort   = 512  // keys of a row
	joinLong    = 4096 // keys of a row
)

// joinPiece is how many pairs are made before they are brought back, and joinVast how many keys of the longest rows are
// sorted at a time: those of one row at least. Tests need less.
var joinPiece, joinVast = int64(1) << 26, int64(1) << 23

// joiner joins lists on a card.
type joiner struct{ e *card }

var _ tsne.Joiner = (*joiner)(nil)

// Join implements knn.Joiner.
func (j joiner) Join(ctx context.Context, near *knn.Lists, k int, value []float32, b knn.Blend) (
	out *knn.Joined[float32], err error) {
	err = j.join(near, k, func(w *joining) error {
		w.a.over = b.Over
		if err := w.take(ctx, int64(len(value)), 0); err != nil {
			return err
		}
		if err := sendAll(ctx, &w.work, w.a.value, value); err != nil {
			return err
		}
		out, err = w.find(ctx)
		return err
	})
	return out, err
}

// Affinities implements tsne.Joiner.
func (j joiner) Affinities(ctx context.Context, near *knn.Lists, perplexity float64) (out *tsne.Sparse, err error) {
	used, k := tsne.Allowed(near.N, perplexity)
	k = min(k, near.K)
	out = &tsne.Sparse{N: near.N, Perplexity: used}
	err = j.join(near, k, func(w *joining) error {
		w.a.perplexity, w.entropy = used, make([]float64, near.N)
		if err := w.weigh(ctx); err != nil {
			return err
		}
		g, err := w.find(ctx)
		if err == nil {
			out.Start, out.Column, out.Value, out.Entropy = g.Start, g.Column, g.Value, tsne.Total(w.entropy)
		}
		return err
	})
	return out, err
}

// join has the card for a join.
func (j joiner) join(near *knn.Lists, k int, do func(w *joining) error) error {
	var lost error
	err := j.e.within(&lost, func() error {
		w := &joining{near: near}
		defer w.end()
		w.a = joinArgs{n: int32(near.N), k: int32(k), stride: int32(near.K)}
		if err := w.begin(j.e); err != nil {
			return err
		}
		return do(w)
	})
	if noMemory(err) {
		return knn.ErrRoom
	}
	return err
}

// joining is a join on a card.
type joining struct {
	work
	near *knn.Lists
	a    joinArgs
	keys []int64 // where those of each row begin, whose own k are not counted
	// many are rows of more keys than joinShort has, vast of more than joinLong, both rising.
	many, vast []int32
	most       int64 // keys of the longest row, as a power of two
	// entropy is the sum of v ln v of each row; nil: it is not asked for.
	entropy []float64
}

// rooms takes memory by bytes.
func (w *joining) rooms(all map[*driver.Ptr]int64) error {
	for to, bytes := range all {
		r, err := w.room(bytes + 4) // an empty room has no address
		if err != nil {
			return err
		}
		*to = r.at
	}
	return nil
}

// take takes the memory for so many neighbours, and more, and brings them to the card.
func (w *joining) take(ctx context.Context, all, more int64) error {
	n := int64(w.near.N)
	left, err := w.memoryLeft()
	if err != nil {
		return err
	}
	if 4*int64(len(w.near.Index))+12*all+28*n+8*min(joinPiece, 2*all)+more+1<<20 > left {
		return knn.ErrRoom
	}
	if err := w.rooms(map[*driver.Ptr]int64{&w.a.index: 4 * int64(len(w.near.Index)), &w.a.value: 4 * all,
		&w.a.from: 4 * all, &w.a.with: 4 * all, &w.a.count: 4 * n, &w.a.begin: 8 * (n + 1),
		&w.a.length: 4 * n}); err != nil {
		return err
	}
	return sendAll(ctx, &w.work, w.a.index, w.near.Index)
}

// weigh makes the values of t-SNE.
func (w *joining) weigh(ctx context.Context) error {
	n, beyond := int64(w.near.N), int64(len(w.near.Beyond))
	if err := w.take(ctx, n*int64(w.a.k), 4*beyond+8*n); err != nil {
		return err
	}
	roots, sums := tsne.Roots(), make([]float64, n)
	if err := w.rooms(map[*driver.Ptr]int64{&w.a.beyond: 4 * beyond, &w.a.sums: 8 * n,
		&w.a.roots: 8 * int64(len(roots))}); err != nil {
		return err
	}
	if err := sendAll(ctx, &w.work, w.a.beyond, w.near.Beyond); err != nil {
		return err
	}
	if err := errors.Join(send(&w.work, w.a.roots, roots[:]), w.launch("joinWeigh", blocksOf(int(n), joinPoints),
		joinPoints), fetchAll(&w.work, sums, w.a.sums)); err != nil {
		return err
	}
	w.a.over = 2 * tsne.Total(sums)
	return nil
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

// place puts those who have a point as a neighbour beside each other.
func (w *joining) place(ctx context.Context) error {
	n, all := int64(w.near.N), int64(w.near.N)*int64(w.a.k)
	counts := make([]int32, n)
	if err := errors.Join(w.s.Set8(w.a.count, 0, 4*n), w.launch("joinCount", blocksOf(int(all), joinThreads),
		joinThreads), fetch(&w.work, counts, w.a.count)); err != nil {
		return err
	}
	w.sortOut(counts)
	if w.most > 1<<30 {
		return knn.ErrRoom
	}
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
			w.many = append(w.many, int32(i))
		}
	}
}

// find makes the rows, twice: to know how long they are, and to write them.
func (w *joining) find(ctx context.Context) (*knn.Joined[float32], error) {
	if err := w.place(ctx); err != nil {
		return nil, err
	}
	all, keys := slices.Concat(w.many, w.vast), int64(0)
	if len(w.vast) > 0 {
		keys = 8 * max(w.most, joinVast)
	}
	if err := w.rooms(map[*driver.Ptr]int64{&w.a.list: 4 * int64(len(all)), &w.a.keys: keys}); err != nil {
		return nil, err
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
	if err := w.rooms(map[*driver.Ptr]int64{&w.a.start: 8 * int64(n+1), &w.a.column: 4 * room,
		&w.a.out: 4 * room}); err != nil {
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
		if w.entropy != nil {
			w.a.first, w.a.rows = int32(from), int32(to-from)
			if err := w.launch("joinEntropy", blocksOf(to-from, joinWarps), 32*joinWarps); err != nil {
				return err
			}
		}
		from = to
	}
	return fetchAll(&w.work, w.entropy, w.a.sums)
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
	a, b := part(w.many)
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
		w.a.first = int32(len(w.many) + a)
		if err := w.launch("joinVast", min(step, b-a), joinThreads); err != nil {
			return err
		}
	}
	return nil
}
