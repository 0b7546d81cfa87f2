package cuda

import (
	"context"
	"math"

	"blossom/gpu/cuda/driver"
	"blossom/model/base/problem"
	"blossom/model/maps/umap"
)

// unfolder is UMAP on a card (kernels/umap.cu): see umap.Device.
type unfolder struct{ e *card }

var (
	_ umap.Device = (*unfolder)(nil)
	_ umap.Body   = (*umapBody)(nil)
)

// Threads of a block, those that share a point, and how many points are held or let go at a time.
const (
	umapThreads = 256
	umapLanes   = 16
	umapPins    = 1 << 16
)

// Pace is an estimate, and a low one: an epoch reads some fifty places for each point from the card's second cache.
func (u unfolder) Pace(int) float64 { return 2e6 * float64(u.e.dev.SMs) }

// umapStretch is how many edges sub-steps go through, and points are drawn for edges, on each multiprocessor before the
// card is waited for: some 20 ms of both, so that a cancel is heard in time. Tests on an emulated card need less.
var umapStretch = int64(1) << 25

// umapBody is a map on a card. Places are two numbers a point, in space four.
type umapBody struct {
	w    work
	err  error // error of queued work: nothing works after it
	g    *umap.Graph
	n    int
	dims int

	start, column, rate *room
	y                   [3]*room // places now; the others are of sub-steps
	loose               *room    // how much the steps of each point count, 0 where it is held
	names               *room    // points that are held or let go, with places and how much they count
	packed              *room    // places by three numbers, when they are asked for

	held    []bool
	heat    []float32     // how much steps of points count that are not held; nil: all alike
	before  *driver.Event // after the stretch before this one
	waiting bool          // for it
	queued  int64         // edges that were gone through since
	shared  shared
}

// each is the bytes of a place.
func (b *umapBody) each() int64 { return int64(8 * (b.dims - 1)) }

// Open brings a graph to the card.
func (u unfolder) Open(ctx context.Context, g *umap.Graph, dims int) (umap.Body, error) {
	if dims != 2 && dims != 3 || g.N > math.MaxInt32 {
		return nil, problem.New("", "take 2 or 3 dimensions", "a card has no map of %d points in %d dimensions", g.N,
			dims)
	}
	leave, err := u.e.c.Enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	b := &umapBody{n: g.N, dims: dims, held: make([]bool, g.N)}
	if err := b.open(ctx, u.e, g); err != nil {
		b.close()
		return nil, b.short(err)
	}
	return b, nil
}

func (b *umapBody) open(ctx context.Context, e *card, g *umap.Graph) (err error) {
	if err := b.w.begin(e); err != nil {
		return err
	}
	b.shared.user = &sharer{e, b.w.s, &b.err}
	if b.before, err = e.c.NewEvent(); err != nil {
		return err
	}
	if err := b.suffices(g); err != nil {
		return err
	}
	n, at := int64(b.n), b.each()
	rooms := map[**room]int64{&b.y[0]: n * at, &b.y[1]: n * at, &b.y[2]: n * at, &b.loose: 4 * n,
		&b.start: 8 * (n + 1), &b.column: 4 * g.Edges(), &b.rate: 4 * g.Edges(), &b.packed: b.packedBytes(),
		&b.names: min(n, umapPins) * (at + 8)}
	for of := range rooms {
		rooms[of] += 4 // an empty room has no address
	}
	if err := b.w.takeRooms(rooms); err != nil {
		return err
	}
	return b.send(ctx, g)
}

// packedBytes are those of all places as they go out of the card, where they are not as they are stored.
func (b *umapBody) packedBytes() int64 {
	if b.dims == 2 {
		return 0
	}
	return 12 * int64(b.n)
}

// needs is what a map takes on the card with so many edges.
func (b *umapBody) needs(edges int64) int64 {
	n, at := int64(b.n), b.each()
	return 3*n*at + 4*n + 8*(n+1) + 8*edges + b.packedBytes() + min(n, umapPins)*(at+8) + 4*9
}

// suffices says what memory is lacking, before any is taken.
func (b *umapBody) suffices(g *umap.Graph) error {
	left, err := b.w.memoryLeft()
	if err != nil {
		return err
	}
	if need := b.needs(g.Edges()) + 1<<20; need > left {
		return problem.New("", "take fewer neighbours, fewer points, or --engine cpu",
			"UMAP of %d points with %d edges needs %d MB of the card's memory, of which %d MB are free", b.n, g.Edges(),
			need>>20+1, left>>20)
	}
	return nil
}

// send brings a graph to the card, in pieces that a cancel need not wait for.
func (b *umapBody) send(ctx context.Context, g *umap.Graph) error {
	for _, r := range []*room{b.column, b.rate} {
		if err := r.grow(b.w.e.c, b.w.s, 4*g.Edges()); err != nil {
			return err
		}
	}
	b.g = g
	if err := sendAll(ctx, &b.w, b.start.at, g.Start); err != nil {
		return err
	}
	if err := sendAll(ctx, &b.w, b.column.at, g.Column); err != nil {
		return err
	}
	if err := sendAll(ctx, &b.w, b.rate.at, umap.Rates(g)); err != nil {
		return err
	}
	return b.w.s.Wait()
}

// Swap puts another graph in place.
func (b *umapBody) Swap(ctx context.Context, g *umap.Graph) error {
	return b.onCard(func() error {
		if err := b.w.s.Wait(); err != nil {
			return err
		}
		was := b.g
		err := b.send(ctx, g)
		if err != nil && b.send(context.WithoutCancel(ctx), was) != nil {
			b.err = err // some is of the one, some of the other
		}
		return err
	})
}

// onCard works on the card, and remembers an error after which nothing can be trusted.
func (b *umapBody) onCard(work func() error) error {
	return b.short(b.w.e.within(&b.err, work))
}

// short says of a lack of memory that was not reckoned with, as of a graph with more edges, what helps.
func (b *umapBody) short(err error) error {
	if noMemory(err) {
		return problem.Wrap(err, "", "take fewer neighbours, fewer points, or --engine cpu",
			"the card has not enough memory left for UMAP of %d points", b.n)
	}
	return err
}

// Close gives the card's memory back.
func (b *umapBody) Close() {
	leave, err := b.w.e.c.Enter()
	if err != nil {
		return
	}
	defer leave()
	b.close()
}

func (b *umapBody) close() {
	if b.w.s != nil {
		_ = b.w.s.Wait() // an error was told before, or is of no use now
		b.shared.forget()
	}
	if b.before != nil {
		_ = b.before.Destroy()
		b.before = nil
	}
	b.w.end()
	b.err = problem.New("", "this is a defect of the program", "a map was used after it was given back")
}
