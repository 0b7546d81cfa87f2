package cpu

import (
	"math"

	"blossom/model/base/matrix"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
)

// plainGo is the kernel for builds without cgo. It is always compiled, so that it is tested.
var plainGo = variant{
	name: "go", title: "pure Go", tsne: newGoTSNE, field: 20, tree: 2000,
	has: func() bool { return true },
	open: func(d, g int, tabled bool) (kernel, error) {
		k := &goKernel{d: d, g: g, rows: make([]float32, g*d)}
		if tabled {
			k.table = make([]pair, g*g)
		}
		return k, nil
	},
}

// pair is what projecting needs to know of two landmarks.
type pair struct {
	iq   float32 // 1/(2 |L_j-L_i|^2)
	line float32 // (1+H)^-adjust / H; 0 where the pair defines no line
}

// goKernel computes as the C kernels do, one point at a time.
type goKernel struct {
	d, g, m int
	scale   float32
	rows    []float32 // g x d, times scale
	pos     []float32 // g x m
	table   []pair    // g x g or nil
	flies   bool      // the table's line weights are of other positions
	adjust  float32   // for those that are computed in their place
}

// goScratch is the memory of one worker.
type goScratch struct {
	x, u          []float32 // d
	dist          []float32 // find
	id            []int32
	score, excess []float32
	rel           []float32 // find x 3: positions relative to the nearest
	half          []float32 // half their squared length
}

func (k *goKernel) free()                {}
func (k *goKernel) freeScratch(*scratch) {}

func (k *goKernel) newScratch(find int) (scratch, error) {
	f := func(n int) []float32 { return make([]float32, n) }
	return scratch{plain: &goScratch{
		x: f(k.d), u: f(k.d), dist: f(find), id: make([]int32, find),
		score: f(find), excess: f(find), rel: f(3 * find), half: f(find),
	}}, nil
}

func (k *goKernel) setCodebook(code []float32, scale float32) float32 {
	var spread float64
	for c := range k.d {
		var sum float64
		for i := range k.g {
			sum += float64(code[i*k.d+c])
		}
		for i := range k.g {
			spread = max(spread, math.Abs(float64(code[i*k.d+c])-sum/float64(k.g)))
		}
	}
	k.scale = suited(spread, scale)
	for i, v := range code {
		k.rows[i] = v * k.scale
	}
	return k.scale
}

// suited returns the power of two that brings the spread near 1, or the old scale where it does.
func suited(spread float64, old float32) float32 {
	if s := spread * float64(old); s > 1.0/256 && s < 256 {
		return old
	}
	if !(spread > 0) {
		if old > 0 {
			return old
		}
		return 1
	}
	return float32(math.Ldexp(1, min(120, max(-126, -math.Ilogb(spread)))))
}

func (k *goKernel) setPositions(pos []float32, m int) { k.pos, k.m = pos, m }

func (k *goKernel) row(i int) []float32 { return k.rows[i*k.d : (i+1)*k.d : (i+1)*k.d] }

func (k *goKernel) pairs(from, to int) {
	if k.table == nil {
		return
	}
	for i := from; i < to; i++ {
		li := k.row(i)
		for j := range k.g {
			var q float32
			for c, l := range k.row(j) {
				q += (l - li[c]) * (l - li[c])
			}
			k.table[i*k.g+j].iq = min(0.5/q, 1e30)
		}
	}
}

func (k *goKernel) lines(adjust float32, from, to int) {
	if k.table == nil {
		return
	}
	for i := from; i < to; i++ {
		for j := range k.g {
			p := &k.table[i*k.g+j]
			p.line = k.line(adjust, i, j, p.iq)
		}
	}
}

// line is (1+H)^-adjust / H of a pair.
func (k *goKernel) line(adjust float32, i, j int, iq float32) float32 {
	var h float64
	for q := range k.m {
		t := float64(k.pos[j*k.m+q]) - float64(k.pos[i*k.m+q])
		h += t * t
	}
	if h >= 1e-10 && iq < 1e30 {
		return float32(math.Exp(-float64(adjust)*math.Log1p(h)) / h)
	}
	return 0
}

func (k *goKernel) fly(on bool, adjust float32) { k.flies, k.adjust = on, adjust }

func (k *goKernel) mirror(j int) {
	if k.table == nil {
		return
	}
	for i := range k.g {
		k.table[i*k.g+j].line = k.table[j*k.g+i].line
	}
}

func (k *goKernel) neighbours(x []float32, from, to, find int, c cache, sc *scratch) {
	s := sc.plain
	for i := from; i < to; i++ {
		row := x[i*k.d : (i+1)*k.d]
		var size float32
		for q, v := range row {
			s.x[q] = v * k.scale
			size = max(size, s.x[q], -s.x[q]) // NaN where v is
		}
		base := i/tile*find*tile + i%tile
		switch {
		case !embedsom.Valid(row):
			c.near[i] = float32(math.NaN())
			continue
		case !(size < 1e9):
			c.near[i] = float32(math.Inf(1))
			continue
		}
		c.near[i] = k.nearest(s)
		for r := range find {
			c.ids[base+r*tile] = uint16(s.id[r])
			c.delta[base+r*tile] = s.dist[r] - s.dist[0]
		}
	}
}

func (k *goKernel) winners(code, x []float32, from, to int, out []int32, sc *scratch) {
	all := matrix.Matrix32{Rows: k.g, Cols: k.d, Data: code}
	for i := from; i < to; i++ {
		row, scaled := x[i*k.d:(i+1)*k.d], sc.plain.x
		for q, v := range row {
			scaled[q] = v * k.scale
		}
		best, next, at := float32(math.Inf(1)), float32(math.Inf(1)), int32(0)
		for l := range k.g {
			switch s := distance2(scaled, k.row(l)); { // NaN and Inf are neither
			case s < best:
				best, next, at = s, best, int32(l)
			case s < next:
				next = s
			}
		}
		if next > train.Doubt(best, k.d) {
			out[i-from] = at
		} else {
			out[i-from] = int32(train.Winner(all, row))
		}
	}
}

// nearest leaves the nearest landmarks of s.x in s.id, with their squared distances less that of
// some near landmark in s.dist, and returns the squared distance of the first.
func (k *goKernel) nearest(s *goScratch) float32 {
	base, best := 0, float32(math.Inf(1))
	for i := range k.g {
		if d := distance2(s.x, k.row(i)); d < best {
			base, best = i, d
		}
	}
	lb := k.row(base)
	for q, v := range s.x {
		s.u[q] = 2 * (v - lb[q])
	}
	have := 0
	for i := range k.g {
		var d float32
		for q, l := range k.row(i) {
			v := lb[q] - l
			d += v * (s.u[q] + v)
		}
		j := have
		if have < len(s.dist) {
			have++
		} else if d >= s.dist[have-1] {
			continue
		} else {
			j--
		}
		for ; j > 0 && s.dist[j-1] > d; j-- {
			s.dist[j], s.id[j] = s.dist[j-1], s.id[j-1]
		}
		s.dist[j], s.id[j] = d, int32(i)
	}
	return distance2(s.x, k.row(int(s.id[0])))
}

func distance2(a, b []float32) float32 {
	var s float32
	for i, v := range b {
		t := a[i] - v
		s += t * t
	}
	return s
}
