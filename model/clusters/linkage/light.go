package linkage

import (
	"context"
	"math"
	"runtime"

	"blossom/model/base/par"
)

// light looks at pairs of blocks with thresholds that are known beforehand. T is any spanning tree; a pair is light if
// it is lighter than T's way between its points. T is an MST if and only if no pair is light, and the MST of T and all
// light pairs is one (D. Karger, P. Klein, R. Tarjan, "A Randomized Linear-Time Algorithm to Find Minimum Spanning
// Trees", 1995). A better tree of T and pairs that were found has no way that goes further, so that a pair once ruled
// out stays so: T gets better on the way, pairs are looked at once and in any order, and a bad T only costs time.
func init() {
	register(Algorithm{ID: "light", Title: "Light pairs", Exact: true,
		Help:  "bounds rule pairs out, the rest is looked at once; exact, and the fastest",
		start: newLight})
}

// TreeNeighbours is how many neighbours of each place a first tree is made of.
const TreeNeighbours = 4

const (
	chunks     = 64 // parts of the pass after each of which the tree may be made anew
	leastChunk = 8  // blocks of rows
)

type light struct {
	p     *points
	l     *Blocked
	ids   []int32 // the point of each place
	hold  Holding
	full  bool
	edges []Edge // the tree, when it is an MST, of places
	rest  bool
	kept  int // since the device has made its tree

	step1 int32 // from one block of rows to the next, going round
	next  int   // where the next chunk of the pass begins
	chunk []Task
	done  int // tasks of the chunk that are done
	w     Work
}

func newLight(ctx context.Context, p *points, o Options) (growing, error) {
	a := &light{p: p}
	if p.n < 2 {
		return a, nil
	}
	device := o.Device
	if device == nil {
		device = Plain(p.threads)
	}
	var err error
	if err = o.stage("arrange", func() (err error) {
		if a.l, err = newLayout(ctx, p); err != nil {
			return err
		}
		a.hold, a.ids, err = device.Arrange(ctx, a.l)
		return err
	}); err != nil {
		return nil, err
	}
	sweep(p.n)
	if err = o.stage("tree", func() error { return a.hold.First(ctx) }); err != nil {
		a.close()
		return nil, err
	}
	sweep(p.n)
	a.full = a.hold.Full()
	nb := a.l.Blocks
	a.step1 = 1
	for s := int32(float64(nb) * 0.618); s > 1; s-- { // spread over all places
		if gcd(int(s), nb) == 1 {
			a.step1 = s
			break
		}
	}
	return a, nil
}

// sweep gives back what a stage of many points has left, before the next one takes as much again: else the garbage of
// both is there at once, which is more than what is of use.
func sweep(n int) {
	if n >= sweepFrom {
		runtime.GC()
		swept()
	}
}

// sweepFrom is how many points are worth it, and swept is told of it; tests set them.
var (
	sweepFrom = 1 << 18
	swept     = func() {}
)

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (a *light) total() int64 {
	if a.l == nil {
		return 0
	}
	return int64(a.l.Blocks)
}

// task is the i-th block of rows of the pass. One side looks at the half of all blocks that follows, going round.
func (a *light) task(i, most int) Task {
	nb := int32(a.l.Blocks)
	t := Task{Block: int32(int64(i) * int64(a.step1) % int64(nb)), To: nb, Most: int32(most)}
	if !a.full {
		t.To = (nb + 1) / 2
		if nb%2 == 0 && t.Block < nb/2 {
			t.To++
		}
	}
	return t
}

func (a *light) step(ctx context.Context, units int) (int64, error) {
	if a.l == nil {
		return 0, nil
	}
	for units > 0 && !a.rest {
		if len(a.chunk) == 0 && a.next < a.l.Blocks {
			a.begin()
		}
		n := min(max(units, a.hold.Together()), len(a.chunk)-a.done)
		if n > 0 {
			if err := a.look(ctx, a.chunk[a.done:a.done+n]); err != nil {
				return a.settled(), err
			}
			a.done += n
			units -= n
		}
		if a.done == len(a.chunk) {
			if err := a.end(ctx); err != nil {
				return a.settled(), err
			}
		}
	}
	return a.settled(), nil
}

// settled is how many blocks of rows are done: one that has kept too much to go on is not, and the last only when the
// tree is made of what it found.
func (a *light) settled() int64 {
	done := int64(a.next - len(a.chunk))
	for _, t := range a.chunk[:a.done] {
		if t.From >= t.To {
			done++
		}
	}
	if !a.rest {
		done = min(done, int64(a.l.Blocks)-1)
	}
	return done
}

// begin takes the next chunk of blocks.
func (a *light) begin() {
	nb := a.l.Blocks
	size := max(leastChunk, nb/chunks)
	if a.next < nb/chunks { // the first tree is bad: what it keeps is many, and makes it much better
		size = max(leastChunk, nb/chunks/8)
	}
	size = min(max(size, a.hold.Together()), nb-a.next)
	most := max(4096, a.l.N/size)
	a.chunk, a.done = a.chunk[:0], 0
	for i := range size {
		a.chunk = append(a.chunk, a.task(a.next+i, most))
	}
	a.next += size
}

// look looks at rows of blocks, and has the tree made anew where as much was kept as is worth it.
func (a *light) look(ctx context.Context, tasks []Task) error {
	if 4*a.kept > a.l.N { // the last look did not come to it
		if err := a.refresh(ctx); err != nil {
			return err
		}
	}
	kept, err := a.hold.Look(ctx, tasks, &a.w)
	if err == nil {
		a.kept = kept
	}
	return err
}

// end finishes the tasks of a chunk that have kept too much, and makes the tree anew where that is worth it.
func (a *light) end(ctx context.Context) error {
	for {
		open := a.chunk[:0]
		for _, t := range a.chunk {
			if t.From < t.To {
				open = append(open, t)
			}
		}
		a.chunk, a.done = open, len(open)
		switch {
		case len(open) == 0 && a.next == a.l.Blocks:
			return a.finish(ctx)
		case len(open) > 0 || 4*a.kept > a.l.N:
			if err := a.refresh(ctx); err != nil {
				return err
			}
		}
		if len(open) == 0 {
			return nil
		}
		if err := a.look(ctx, open); err != nil {
			return err
		}
	}
}

// refresh makes the tree anew where something was kept.
func (a *light) refresh(ctx context.Context) error {
	if a.kept == 0 {
		return nil
	}
	if err := a.hold.Refresh(ctx); err != nil {
		return err
	}
	a.kept = 0
	a.w.Refreshes++
	return nil
}

// finish takes the tree from the device, as one of points, and lets go of that: what is left to do needs the memory.
func (a *light) finish(ctx context.Context) error {
	edges, err := a.hold.Tree(ctx)
	if err != nil {
		return err
	}
	a.close()
	a.l = &Blocked{N: a.l.N, D: a.l.D, Blocks: a.l.Blocks}
	sweep(a.l.N)
	a.edges, a.rest = a.points(edges, edges), true
	a.ids = nil
	return nil
}

// points writes a tree of places to out as one of points, sorted.
func (a *light) points(edges, out []Edge) []Edge {
	_ = par.On(context.Background(), a.p.threads, len(edges), block, func(_, from, to int) {
		for k, e := range edges[from:to] {
			i, j := a.ids[e.I], a.ids[e.J]
			out[from+k] = Edge{min(i, j), max(i, j), e.W}
		}
	})
	if byWeight(out) {
		sortTies(out, nil)
	} else {
		sortEdgesOn(a.p.threads, out, nil)
	}
	return out
}

func (a *light) tree(ctx context.Context) ([]Edge, error) {
	if a.l == nil || a.rest {
		return a.edges, ctx.Err()
	}
	edges, err := a.hold.Tree(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil { // a device that is gone: any tree is an upper bound
		edges = edges[:0:0]
		for i := range int32(a.l.N - 1) {
			edges = append(edges, Edge{i, i + 1, a.l.Weight(i, i+1)})
		}
	}
	return a.points(edges, make([]Edge, len(edges))), nil
}

func (a *light) work() Work {
	w, n := a.w, int64(a.p.n)
	w.Pairs = n * (n - 1) / 2
	if a.l == nil {
		return w
	}
	settled := float64(w.Pairs) * float64(a.settled()) / float64(a.l.Blocks)
	if a.full { // each pair has two sides that can look
		w.Tested = int64(math.Ceil(float64(w.Tested) / 2))
	}
	w.RuledOut = max(0, int64(settled)-w.Tested)
	return w
}

func (a *light) close() {
	if a.hold != nil {
		a.hold.Free()
		a.hold = nil
	}
}
