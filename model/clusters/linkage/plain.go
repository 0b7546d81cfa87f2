package linkage

import (
	"context"
	"math"
	"math/bits"
	"sync"

	"blossom/model/base/par"
)

// Kernel looks at blocks on one thread. It is used by several at a time, each with a Scratch of its own.
type Kernel interface {
	// Blocks writes to ids the blocks whose centres are nearest to that of block a, itself left out, the nearest first,
	// and returns how many there are. At most BlockSize are asked for.
	Blocks(a int32, ids []int32) int
	// Near answers a query for the rows of one block among the given blocks, which may be its own too.
	Near(a int32, rows uint64, blocks, label []int32, k int, ids []int32, scores []float32, s *Scratch)
	// Look looks at pairs of block a with the blocks at places [from, to) after it. It appends what it keeps, and
	// returns up to where it came: to, or earlier when most are kept.
	Look(b *Bounds, a, from, to int32, most int, kept []Edge, s *Scratch) (at int32, more []Edge)
	// Weights writes the exact weights of edges.
	Weights(edges []Edge)
	// Settle is asked for all blocks, before the first Look and after the last Blocks and Near: what the layout has in
	// Packed, Half and Length of these blocks is the kernel's from now on.
	Settle(from, to int32)
	Free()
}

// Scratch is the memory of one thread, and what it has counted.
type Scratch struct {
	Ways   []float32 // a block each: of Bounds.Ways
	Work   Work
	blocks [1 + nearBlocks]int32
	acc    [BlockSize]float32
	weak   []weak
	kept   []Edge // edges that a task keeps
}

// weak is a pair of a row with one of a block that is light, while those of the row are compared.
type weak struct {
	v int32
	w float64
}

// OnCores makes a Device of kernels for the processor.
func OnCores(threads int, open func(*Blocked) (Kernel, error)) Device {
	if threads <= 0 {
		threads = par.Cores()
	}
	return cores{threads, open}
}

type cores struct {
	threads int
	open    func(*Blocked) (Kernel, error)
}

func (c cores) Hold(_ context.Context, l *Blocked) (Holding, error) {
	k, err := c.open(l)
	if err != nil {
		return nil, err
	}
	return &onCores{l: l, k: k, t: &grown{l: l, threads: c.threads}, threads: c.threads,
		scratch: make(chan *Scratch, c.threads)}, nil
}

func (c cores) Arrange(ctx context.Context, l *Blocked) (Holding, []int32, error) {
	ids, err := l.Arrange(ctx, c.threads)
	if err != nil {
		return nil, nil, err
	}
	h, err := c.Hold(ctx, l)
	return h, ids, err
}

type onCores struct {
	l       *Blocked
	k       Kernel
	t       *grown
	threads int
	scratch chan *Scratch
}

func (o *onCores) borrowScratch() *Scratch {
	select {
	case s := <-o.scratch:
		return s
	default:
		return &Scratch{Ways: make([]float32, o.l.Blocks)}
	}
}

func (o *onCores) give(s *Scratch) {
	select {
	case o.scratch <- s:
	default:
	}
}

func (o *onCores) Free() {
	o.k.Free()
	o.t, o.l = nil, nil // they are most of what a run holds
}

// nearBlocks is how many blocks beside its own a place looks for neighbours in.
const nearBlocks = 8

func (o *onCores) Nearest(ctx context.Context, q Query, ids []int32, scores []float32) error {
	l, size := o.l, BlockSize*q.K
	var all []int32
	if !q.Local {
		for b := range int32(l.Blocks) {
			all = append(all, b)
		}
	}
	err := par.On(ctx, o.threads, len(q.Blocks), 1, func(i, _, _ int) {
		s := o.borrowScratch()
		a, rows, blocks := q.Blocks[i], ^uint64(0), all
		if q.Rows != nil {
			rows = q.Rows[i]
		}
		if n := l.N - int(a)*BlockSize; n < BlockSize {
			rows &= 1<<n - 1
		}
		if q.Local {
			s.blocks[0] = a
			blocks = s.blocks[:1+o.k.Blocks(a, s.blocks[1:])]
		}
		to := ids[i*size : (i+1)*size]
		for r := range BlockSize {
			if q.Rows == nil || rows>>r&1 != 0 {
				for j := range q.K {
					to[r*q.K+j] = -1
				}
			}
		}
		o.k.Near(a, rows, blocks, q.Label, q.K, to, scores[i*size:(i+1)*size], s)
		o.give(s)
	})
	return err
}

func (o *onCores) Weights(ctx context.Context, edges []Edge) error {
	const some = 1 << 12
	return par.On(ctx, o.threads, len(edges), some, func(_, from, to int) { o.k.Weights(edges[from:to]) })
}

func (o *onCores) Forest(ctx context.Context, edges []Edge, seed uint64) ([]Edge, error) {
	return Forest(ctx, o.l.N, edges, seed)
}

// stretch is how many multiply-adds a thread does between two looks at the context: in plain Go some 50 milliseconds.
const stretch = 1 << 26

func (o *onCores) First(ctx context.Context) error {
	if err := o.t.first(ctx, o); err != nil {
		return err
	}
	return par.On(ctx, o.threads, o.l.Blocks, 16, func(_, from, to int) { o.k.Settle(int32(from), int32(to)) })
}

func (o *onCores) Full() bool { return o.t.track.b.Full }

func (o *onCores) Abreast() int { return 1 }

// Together implements Holding: blocks take unlike long, so that there are some for each thread; for few threads it is
// always so many, so that they look at the same.
func (o *onCores) Together() int { return max(8, 2*o.threads) }

func (o *onCores) Refresh(ctx context.Context) error { return o.t.refresh(ctx) }

func (o *onCores) Tree(ctx context.Context) ([]Edge, error) {
	err := o.t.merge(ctx)
	return o.t.edges, err
}

func (o *onCores) Look(ctx context.Context, tasks []Task, work *Work) (int, error) {
	b, was, since := &o.t.track.b, len(o.t.kept), o.t.since
	at, works := make([]int32, len(tasks)), make([]Work, len(tasks))
	var mu sync.Mutex
	err := par.On(ctx, o.threads, len(tasks), 1, func(i, _, _ int) {
		s := o.borrowScratch()
		s.Work, s.kept = Work{}, s.kept[:0]
		task := tasks[i]
		b.Ways(task.Block, s.Ways)
		at[i] = task.From
		for pace := int32(1); at[i] < task.To && ctx.Err() == nil; {
			from, to, was := at[i], min(task.To, at[i]+pace), s.Work
			at[i], s.kept = o.k.Look(b, task.Block, from, to, int(task.Most), s.kept, s)
			if at[i] < to {
				break
			}
			pace = o.pace(pace, to-from, s.Work.Tested-was.Tested, s.Work.Rechecked-was.Rechecked)
		}
		works[i] = s.Work
		mu.Lock()
		o.t.keep(s.kept)
		mu.Unlock()
		o.give(s)
	})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		o.t.kept, o.t.since = o.t.kept[:was], since
		return 0, err
	}
	for i := range tasks {
		tasks[i].From = at[i]
		work.Add(works[i])
	}
	return o.t.since, nil
}

// pace is how many tiles a thread looks at between two looks at the context, after so many at which pairs were tested
// and weighed: some milliseconds of work like that, and not many times as many as before.
func (o *onCores) pace(was, tiles int32, tested, weighed int64) int32 {
	const most, climb = 128, 256 // multiply-adds that the way through the tree takes
	d := int64(max(1, o.l.D))
	each := (tested*d + weighed*(8*d+climb)) / int64(tiles)
	return int32(max(1, min(int64(stretch)/max(1, each), 4*int64(was), most)))
}

// Add adds what another one has looked at.
func (w *Work) Add(o Work) {
	w.Tested += o.Tested
	w.Rechecked += o.Rechecked
	w.Light += o.Light
	w.Kept += o.Kept
}

// plain is the kernel in plain Go, which others are compared with.
type plain struct{ l *Blocked }

// Plain is the device where no engine offers one.
func Plain(threads int) Device {
	return OnCores(threads, func(l *Blocked) (Kernel, error) { return plain{l}, nil })
}

func (p plain) Free() {}

// Settle implements Kernel: nothing is kept elsewhere.
func (p plain) Settle(int32, int32) {}

func (p plain) Weights(edges []Edge) {
	for i, e := range edges {
		edges[i].W = p.l.Weight(e.I, e.J)
	}
}

// Weight is that of two places, exactly.
func (l *Blocked) Weight(u, v int32) float64 {
	nu, nv := 0.0, 0.0
	if l.Norm != nil {
		nu, nv = l.Norm[u], l.Norm[v]
	}
	w := l.Metric.weight(l.X.Row(int(l.Row[u])), l.X.Row(int(l.Row[v])), nu, nv)
	if l.Core != nil {
		w = max(w, l.Core[u], l.Core[v])
	}
	return w
}

// score writes to acc, for a point x (D values, every so many apart) and the BlockSize points of a panel, what is
// the larger the nearer they are: x.y - |y|^2/2, or for L1 -sum |x-y|.
func (p plain) score(x []float32, stride int, panel, half []float32, acc *[BlockSize]float32) {
	if p.l.Metric == L1 {
		clear(acc[:])
		for c := range p.l.D {
			v := x[c*stride]
			for i, w := range panel[c*BlockSize : (c+1)*BlockSize] {
				acc[i] -= abs32(v - w)
			}
		}
		return
	}
	for i := range acc {
		acc[i] = -half[i]
	}
	for c := range p.l.D {
		v := x[c*stride]
		for i, w := range panel[c*BlockSize : (c+1)*BlockSize] {
			acc[i] += v * w
		}
	}
}

func abs32(x float32) float32 { return math.Float32frombits(math.Float32bits(x) &^ (1 << 31)) }

// panel is a block of the layout.
func (l *Blocked) panel(b int32) (columns, half []float32) {
	return l.Packed[int(b)*BlockSize*l.D : (int(b)+1)*BlockSize*l.D], l.Half[int(b)*BlockSize : (int(b)+1)*BlockSize]
}

// Blocks implements Kernel.
func (p plain) Blocks(a int32, ids []int32) int {
	l, have := p.l, 0
	var near, sum [BlockSize]float32
	d := l.D
	centre := l.Centre[int(a)*d : int(a+1)*d]
	for g := 0; g*BlockSize < l.Blocks; g++ {
		clear(sum[:])
		for c, v := range centre {
			cols := l.CentreCols[(g*d+c)*BlockSize : (g*d+c+1)*BlockSize]
			for i, w := range cols {
				sum[i] += (v - w) * (v - w)
			}
		}
		for i := range min(BlockSize, l.Blocks-g*BlockSize) {
			b, s := int32(g*BlockSize+i), sum[i]
			if b == a || have == len(ids) && !(s < near[have-1]) {
				continue
			}
			if have < len(ids) {
				have++
			}
			at := have - 1
			for ; at > 0 && s < near[at-1]; at-- {
				near[at], ids[at] = near[at-1], ids[at-1]
			}
			near[at], ids[at] = s, b
		}
	}
	return have
}

func (p plain) Near(a int32, rows uint64, blocks, label []int32, k int, ids []int32, scores []float32, s *Scratch) {
	own, _ := p.l.panel(a)
	for ; rows != 0; rows &= rows - 1 {
		i := bits.TrailingZeros64(rows)
		u := a*BlockSize + int32(i)
		have := 0
		to, best := ids[i*k:i*k+k], scores[i*k:i*k+k]
		for _, b := range blocks {
			panel, half := p.l.panel(b)
			p.score(own[i:], BlockSize, panel, half, &s.acc)
			for j := range min(BlockSize, p.l.N-int(b)*BlockSize) {
				v, score := b*BlockSize+int32(j), s.acc[j]
				if v == u || have == k && !(score > best[have-1]) || label != nil && label[v] == label[u] {
					continue
				}
				if have < k {
					have++
				}
				at := have - 1
				for ; at > 0 && score > best[at-1]; at-- {
					best[at], to[at] = best[at-1], to[at-1]
				}
				best[at], to[at] = score, v
			}
		}
	}
}

// limit is what a score must exceed for the pair to be within t of each other: h is the row's half square, length the
// sum of the lengths of both.
func (l *Blocked) limit(h, t, length float32) float32 {
	if l.Metric == L1 {
		return -(t + l.margin(length))
	}
	return h - t*t/2 - l.margin(length)
}

// wider makes a sum of float32 an upper bound.
const wider = 1 + 0x1p-21

// Skip says whether no pair of blocks a and b can be within t, by their centres and radii.
func (l *Blocked) Skip(a, b int32, t float32) bool {
	d, sum := l.D, float32(0)
	x, y := l.Centre[int(a)*d:int(a+1)*d], l.Centre[int(b)*d:int(b+1)*d]
	reach := (t + l.Radius[a] + l.Radius[b]) * wider
	if l.Metric == L1 {
		for c, v := range x {
			sum += abs32(v - y[c])
		}
	} else {
		for c, v := range x {
			sum += (v - y[c]) * (v - y[c])
		}
		reach *= reach
	}
	return sum*(1-float32(d+4)*0x1p-23) >= reach
}

func (p plain) Look(b *Bounds, a, from, to int32, most int, kept []Edge, s *Scratch) (int32, []Edge) {
	l := p.l
	nb := int32(l.Blocks)
	for at := from; at < to; at++ {
		if len(kept) >= most {
			return at, kept
		}
		other := (a + at) % nb
		kept = p.tile(b, a, other, s.Ways[other], kept, s)
	}
	return to, kept
}

// tile looks at the pairs of two blocks, whose representatives are m apart by the tree.
func (p plain) tile(b *Bounds, a, other int32, m float32, kept []Edge, s *Scratch) []Edge {
	l := p.l
	t := max(m, b.SMax[a])
	if !b.Full {
		t = max(t, b.SMax[other])
	}
	rows, cols := min(BlockSize, l.N-int(a)*BlockSize), min(BlockSize, l.N-int(other)*BlockSize)
	if a != other && l.Skip(a, other, t) {
		return kept
	}
	own, _ := l.panel(a)
	panel, half := l.panel(other)
	centre := l.Centre[int(other)*l.D : int(other+1)*l.D]
	for i := range rows {
		u := a*BlockSize + int32(i)
		tu := max(m, b.S[u])
		most := tu // over the pairs of this row
		if !b.Full {
			most = max(most, b.SMax[other])
		}
		if b.Core != nil && b.Core[u] >= most {
			continue
		}
		if a != other && p.far(own[i:], centre, l.Half[u], l.CentreHalf[other], (most+l.Radius[other])*wider,
			l.Length[u]+l.CentreLength[other]) {
			continue
		}
		s.Work.Tested += int64(cols)
		p.score(own[i:], BlockSize, panel, half, &s.acc)
		length := l.Length[u] + l.Longest[other]
		var mask uint64
		for j := range cols {
			v := other*BlockSize + int32(j)
			tv := tu
			if !b.Full {
				tv = max(tv, b.S[v])
			}
			if s.acc[j] > l.limit(l.Half[u], tv, length) {
				mask |= 1 << j
			}
		}
		if a == other {
			if b.Full {
				mask &^= 1 << i
			} else {
				mask &^= 1<<(i+1) - 1
			}
		}
		kept = p.recheck(b, u, other, mask, kept, s)
	}
	return kept
}

// far says whether a row is certainly t away from a centre.
func (p plain) far(x, centre []float32, h, ch, t, length float32) bool {
	sum := float32(0)
	if p.l.Metric == L1 {
		for c, v := range centre {
			sum -= abs32(x[c*BlockSize] - v)
		}
	} else {
		sum = -ch
		for c, v := range centre {
			sum += x[c*BlockSize] * v
		}
	}
	return sum <= p.l.limit(h, t, length)
}

// recheck weighs the pairs of place u with those of a block that the mask names, and keeps the light ones that no
// lighter one of them makes needless.
func (p plain) recheck(b *Bounds, u, other int32, mask uint64, kept []Edge, s *Scratch) []Edge {
	links := links{b.Up, b.W}
	s.weak = s.weak[:0]
	best := 0
	for ; mask != 0; mask &= mask - 1 {
		v := other*BlockSize + int32(bits.TrailingZeros64(mask))
		s.Work.Rechecked++
		w := p.l.Weight(u, v)
		if w < links.apart(u, v) {
			s.weak = append(s.weak, weak{v, w})
			if w < s.weak[best].w {
				best = len(s.weak) - 1
			}
		}
	}
	s.Work.Light += int64(len(s.weak))
	for i, x := range s.weak {
		if i != best && links.apart(x.v, s.weak[best].v) <= x.w {
			continue
		}
		s.Work.Kept++
		kept = append(kept, Edge{min(u, x.v), max(u, x.v), x.w})
	}
	return kept
}
