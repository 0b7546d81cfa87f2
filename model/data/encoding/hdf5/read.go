package hdf5

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"blossom/model/base/problem"
)

// Block is a rectangular piece of a dataset: values in rows, the last dimension together.
type Block struct {
	At   []int64 // its first value, in each dimension
	Size []int64 // values that count, in each dimension
	Dims []int64 // values that are there: the rest of a chunk over the edge is nothing
	Data []byte  // valid until visit returns
}

// stripe is about how many bytes of contiguous values are a block.
const stripe = 1 << 20

// Blocks calls visit with all blocks of the dataset that are stored, on several cores at once and in no order. What no
// block covers has the value of Fill. A single value is a block without dimensions.
func (d *Dataset) Blocks(ctx context.Context, visit func(b Block) error) error {
	rows := int64(1)
	if len(d.Shape) > 0 {
		rows = d.Shape[0]
	}
	return d.Among(ctx, 0, rows, visit)
}

// Among is Blocks of those that have some of the rows from from up to to, which are of the first dimension. They may
// have others, too.
func (d *Dataset) Among(ctx context.Context, from, to int64, visit func(b Block) error) error {
	if d.Null || d.Count() == 0 || from >= to {
		return ctx.Err()
	}
	switch d.kind {
	case compact:
		if err := ctx.Err(); err != nil {
			return err
		}
		return visit(Block{At: make([]int64, len(d.Shape)), Size: d.Shape, Dims: d.Shape, Data: d.inline[:d.bytes()]})
	case contiguous:
		if d.at == undefined {
			return ctx.Err()
		}
		return d.stripes(ctx, from, to, visit)
	}
	if err := d.order(); err != nil {
		return err
	}
	return d.unpackAll(ctx, d.among(from, to), visit)
}

// order lists the chunks by their rows.
func (d *Dataset) order() error {
	if d.listed {
		return nil
	}
	list, err := d.chunks()
	if err != nil {
		return err
	}
	if len(d.Shape) > 0 {
		slices.SortStableFunc(list, func(a, b chunk) int { return cmp.Compare(a.place[0], b.place[0]) })
	}
	d.list, d.listed = list, true
	return nil
}

// among are the chunks, in order, that have some of the rows; there is at least one row.
func (d *Dataset) among(from, to int64) []chunk {
	if len(d.Shape) == 0 {
		return d.list
	}
	at := func(place int64) int {
		i, _ := slices.BinarySearchFunc(d.list, place, func(c chunk, p int64) int {
			return cmp.Compare(c.place[0], p)
		})
		return i
	}
	return d.list[at(from/d.chunk[0]):at((to-1)/d.chunk[0]+1)]
}

// unpackAll calls visit with chunks, unpacked, on several cores.
func (d *Dataset) unpackAll(ctx context.Context, list []chunk, visit func(b Block) error) error {
	plain, _ := product(append(d.chunk[:len(d.chunk):len(d.chunk)], int64(d.Type.Size))...)
	if work, ok := product(plain, int64(len(list))); !ok || work > 64*d.bytes()+256<<20 {
		return damaged("its chunks are far larger than what they hold")
	}
	if plain > d.f.memory/4 {
		return d.f.tooLarge(4 * float64(plain))
	}
	return each(ctx, len(list), func() (func(int) error, func()) {
		u := &unpacker{filters: d.filters, size: d.Type.Size}
		var in []byte
		return func(i int) error { return d.unpackChunk(u, &in, list[i], int(plain), visit) }, u.close
	})
}

// unpackChunk reads a chunk and gives it to visit.
func (d *Dataset) unpackChunk(u *unpacker, in *[]byte, c chunk, plain int, visit func(b Block) error) error {
	if cap(*in) < int(c.size) {
		*in = make([]byte, c.size)
	}
	raw := (*in)[:c.size]
	if err := d.f.fill(raw, c.at); err != nil {
		return err
	}
	b := Block{At: make([]int64, len(d.Shape)), Size: make([]int64, len(d.Shape)), Dims: d.chunk}
	edge := false
	for i, p := range c.place {
		b.At[i] = p * d.chunk[i]
		b.Size[i] = min(d.chunk[i], d.Shape[i]-b.At[i])
		edge = edge || b.Size[i] < d.chunk[i]
	}
	mask := c.mask
	if edge && d.whole {
		mask = ^uint64(0)
	}
	data, err := u.unpack(raw, mask, plain)
	if err != nil {
		return problem.New("", copyAgain, "is a damaged HDF5 file: a chunk cannot be unpacked (%v)", err)
	}
	b.Data = data
	return visit(b)
}

// stripes reads contiguous values of some rows in blocks of whole rows.
func (d *Dataset) stripes(ctx context.Context, from, end int64, visit func(b Block) error) error {
	shape := d.Shape
	if len(shape) == 0 {
		shape = []int64{1}
	}
	row := d.bytes() / shape[0]
	if row > d.f.memory/4 {
		return d.f.tooLarge(4 * float64(row))
	}
	rows := max(1, stripe/row)
	n := int((end - from + rows - 1) / rows)
	return each(ctx, n, func() (func(int) error, func()) {
		buffer := make([]byte, min(rows, end-from)*row)
		return func(i int) error {
			b := Block{At: make([]int64, len(d.Shape)), Size: append([]int64{}, d.Shape...)}
			first := from + int64(i)*rows
			count := min(rows, end-first)
			if len(d.Shape) > 0 {
				b.At[0], b.Size[0] = first, count
			}
			b.Dims, b.Data = b.Size, buffer[:count*row]
			if err := d.f.fill(b.Data, d.at+first*row); err != nil {
				return err
			}
			return visit(b)
		}, func() {}
	})
}

// each does n pieces of work on all cores, with what begin makes for each goroutine, until one fails.
func each(ctx context.Context, n int, begin func() (do func(i int) error, end func())) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			do, end := begin()
			defer end()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(i); err != nil {
					stop(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// Raw are all values in rows, the last dimension together, as they are stored.
func (d *Dataset) Raw(ctx context.Context) ([]byte, error) {
	n := d.bytes()
	if n > d.f.memory/2 {
		return nil, d.f.tooLarge(2 * float64(n))
	}
	out := make([]byte, n)
	d.prefill(out)
	size := int64(d.Type.Size)
	err := d.Blocks(ctx, func(b Block) error {
		d.paste(out, b, size)
		return nil
	})
	return out, err
}

// paste copies the values of a block to their places, line by line of the last dimension.
func (d *Dataset) paste(out []byte, b Block, size int64) {
	last := len(b.Size) - 1
	if last < 0 {
		copy(out, b.Data)
		return
	}
	step := make([]int64, len(b.Size))
	for {
		from, to := int64(0), int64(0)
		for i := range b.Size {
			from = from*b.Dims[i] + step[i]
			to = to*d.Shape[i] + b.At[i] + step[i]
		}
		copy(out[to*size:], b.Data[from*size:(from+b.Size[last])*size])
		i := last - 1
		for ; i >= 0; i-- {
			if step[i]++; step[i] < b.Size[i] {
				break
			}
			step[i] = 0
		}
		if i < 0 {
			return
		}
	}
}

// Slice are the values from number from up to to of a dataset of one dimension, as they are stored.
func (d *Dataset) Slice(ctx context.Context, from, to int64) ([]byte, error) {
	size := int64(d.Type.Size)
	if len(d.Shape) != 1 || from < 0 || to < from || to > d.Shape[0] {
		return nil, damaged("values are missing")
	}
	if (to-from)*size > d.f.memory/4 {
		return nil, d.f.tooLarge(4 * float64((to-from)*size))
	}
	out := make([]byte, (to-from)*size)
	if from == to || d.Null {
		return out, ctx.Err()
	}
	switch {
	case d.kind == compact:
		copy(out, d.inline[from*size:])
		return out, ctx.Err()
	case d.kind == contiguous && d.at != undefined:
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return out, d.f.fill(out, d.at+from*size)
	}
	d.prefill(out)
	if d.kind == contiguous {
		return out, ctx.Err()
	}
	if err := d.order(); err != nil {
		return nil, err
	}
	some := d.among(from, to)
	return out, d.unpackAll(ctx, some, func(b Block) error {
		first, end := max(from, b.At[0]), min(to, b.At[0]+b.Size[0])
		if first < end {
			copy(out[(first-from)*size:], b.Data[(first-b.At[0])*size:(end-b.At[0])*size])
		}
		return nil
	})
}

// prefill gives all values that of what nobody has written.
func (d *Dataset) prefill(out []byte) {
	for i := 0; d.fill != nil && i < len(out); i += len(d.fill) {
		copy(out[i:], d.fill)
	}
}
