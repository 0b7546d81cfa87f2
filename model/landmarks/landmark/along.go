package landmark

import (
	"container/heap"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"

	"gonum.org/v1/gonum/mat"
)

// Limits of a start along the data.
const (
	pivots       = 300 // landmarks whose distances to all others are measured
	alongSamples = 50  // points a landmark that say which landmarks are neighbours, and
	alongLeast   = 2000
)

// AlongSigma is the neighbourhood that a training of a start along the data begins with, in map units. The landmarks
// are in order from the beginning: a larger one would fold the map anew.
const AlongSigma = 1.5

// StartAlong returns g landmarks chosen by k-means++ from the valid rows of x, laid out by how far they are from each
// other along the data: a bent sheet lies flat, and what is closed is a ring. Two landmarks are neighbours if they are
// the nearest two of a point (Martinetz and Schulten 1994); ways go over neighbours, and positions have, as well as
// they can, the lengths of the ways as distances (Isomap: Tenenbaum, de Silva and Langford 2000, from some landmarks
// as pivots). The unit of the map is the distance between neighbours, in the median. Errors: no valid row, ctx.
func StartAlong(ctx context.Context, x matrix.Matrix32, g, dims int, seed uint64) (*Set, error) {
	if err := checkCount(g, dims); err != nil {
		return nil, err
	}
	p := Pool{X: x}
	code, err := plusPlus(ctx, p, g, seed)
	if err != nil {
		return nil, err
	}
	rows, err := sampleRows(ctx, p, max(alongLeast, alongSamples*g), seed)
	if err != nil {
		return nil, err
	}
	n, err := neighbours(ctx, x, rows, code)
	if err != nil {
		return nil, err
	}
	pos, err := layOut(ctx, n, dims)
	if err != nil {
		return nil, err
	}
	if pos == nil { // fewer directions than asked for, or all in one place
		return arrange(ctx, p, code, dims, seed)
	}
	set, err := New(code, *pos)
	if err != nil {
		return nil, err
	}
	set.Edges = n.edges()
	return set, nil
}

// graph is which landmarks are neighbours, and how far they are from each other.
type graph struct {
	to     [][]int32
	length [][]float64
}

func (n *graph) join(a, b int, length float64) {
	if slices.Contains(n.to[a], int32(b)) {
		return
	}
	n.to[a], n.length[a] = append(n.to[a], int32(b)), append(n.length[a], length)
	n.to[b], n.length[b] = append(n.to[b], int32(a)), append(n.length[b], length)
}

func (n *graph) edges() (out [][2]int32) {
	for a, to := range n.to {
		for _, b := range to {
			if int32(a) < b {
				out = append(out, [2]int32{int32(a), b})
			}
		}
	}
	return out
}

// neighbours joins the two landmarks nearest to each of the rows, and then, by the shortest links, what hangs
// together by none.
func neighbours(ctx context.Context, x matrix.Matrix32, rows []int32, code matrix.Matrix32) (*graph, error) {
	g := code.Rows
	n := &graph{to: make([][]int32, g), length: make([][]float64, g)}
	pair, err := nearestTwo(ctx, x, rows, code)
	if err != nil {
		return nil, err
	}
	for _, p := range pair {
		if p[0] >= 0 && p[1] >= 0 {
			n.join(int(p[0]), int(p[1]), math.Sqrt(apart(code.Row(int(p[0])), code.Row(int(p[1])))))
		}
	}
	n.connect(code)
	return n, ctx.Err()
}

// nearestTwo returns the two landmarks nearest to each of the rows, -1 where there is none. The error is ctx's.
func nearestTwo(ctx context.Context, x matrix.Matrix32, rows []int32, code matrix.Matrix32) ([][2]int32, error) {
	pair := make([][2]int32, len(rows))
	err := par.Blocks(ctx, len(rows), 256, func(_, from, to int) {
		for i := from; i < to; i++ {
			first, second := -1, -1
			d1, d2 := math.Inf(1), math.Inf(1)
			for c := range code.Rows {
				switch d := apart(x.Row(int(rows[i])), code.Row(c)); {
				case d < d1:
					first, second, d1, d2 = c, first, d, d1
				case d < d2:
					second, d2 = c, d
				}
			}
			pair[i] = [2]int32{int32(first), int32(second)}
		}
	})
	return pair, err
}

// connect joins by the shortest links what hangs together by none: Prim's tree, in which links that there are cost
// nothing.
func (n *graph) connect(code matrix.Matrix32) {
	g := code.Rows
	best, from := make([]float64, g), make([]int, g)
	in := make([]bool, g)
	for i := range best {
		best[i] = math.Inf(1)
	}
	visit := func(i int) {
		stack := []int{i}
		in[i] = true
		for len(stack) > 0 {
			a := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for b := range g {
				if d := apart(code.Row(a), code.Row(b)); !in[b] && d < best[b] {
					best[b], from[b] = d, a
				}
			}
			for _, b := range n.to[a] {
				if !in[b] {
					in[b] = true
					stack = append(stack, int(b))
				}
			}
		}
	}
	visit(0)
	for {
		next := -1
		for i := range g {
			if !in[i] && (next < 0 || best[i] < best[next]) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		n.join(next, from[next], math.Sqrt(best[next]))
		visit(next)
	}
}

// apart is the squared distance of two rows.
func apart(a, b []float32) float64 {
	s := 0.0
	for j, v := range a {
		d := float64(v) - float64(b[j])
		s += d * d
	}
	return s
}

// ways are the lengths of the shortest ways from one landmark to all.
func (n *graph) ways(from int) []float64 {
	out := make([]float64, len(n.to))
	for i := range out {
		out[i] = math.Inf(1)
	}
	out[from] = 0
	q := &queue{{int32(from), 0}}
	for q.Len() > 0 {
		at := heap.Pop(q).(stop)
		if at.length > out[at.id] {
			continue
		}
		for i, b := range n.to[at.id] {
			if d := at.length + n.length[at.id][i]; d < out[b] {
				out[b] = d
				heap.Push(q, stop{b, d})
			}
		}
	}
	return out
}

type stop struct {
	id     int32
	length float64
}

type queue []stop

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	return q[i].length < q[j].length || q[i].length == q[j].length && q[i].id < q[j].id
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(stop)) }
func (q *queue) Pop() any {
	old := *q
	x := old[len(old)-1]
	*q = old[:len(old)-1]
	return x
}

// layOut finds positions by classical scaling of the ways from pivots, each as far from those before as can be. It
// is nil where the ways span fewer dimensions.
func layOut(ctx context.Context, n *graph, dims int) (*matrix.Matrix32, error) {
	chosen, squares, err := n.pivots(ctx)
	if err != nil {
		return nil, err
	}
	pos := scaled(chosen, squares, dims)
	if pos == nil {
		return nil, nil
	}
	var steps []float64
	for a, to := range n.to {
		for _, b := range to {
			if d := math.Sqrt(apart(pos.Row(a), pos.Row(int(b)))); int32(a) < b && d > 0 {
				steps = append(steps, d)
			}
		}
	}
	if len(steps) == 0 {
		return nil, nil
	}
	slices.Sort(steps)
	unit := float32(steps[len(steps)/2])
	for i := range pos.Data {
		pos.Data[i] /= unit
	}
	return pos, nil
}

// pivots chooses landmarks, each as far from those before as can be, and returns the squared ways from each of them to
// all landmarks, a row each. The error is ctx's.
func (n *graph) pivots(ctx context.Context) (chosen []int, squares *mat.Dense, err error) {
	g := len(n.to)
	m := min(g, pivots)
	far := make([]float64, g)
	for i := range far {
		far[i] = math.Inf(1)
	}
	squares = mat.NewDense(m, g, nil)
	for next := 0; len(chosen) < m; {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		for i, d := range n.ways(next) {
			squares.Set(len(chosen), i, d*d)
			far[i] = min(far[i], d)
		}
		chosen = append(chosen, next)
		next = 0
		for i := range far {
			if far[i] > far[next] {
				next = i
			}
		}
	}
	return chosen, squares, nil
}

// scaled scales classically: it returns positions whose distances are those of which squares has the squares between
// the chosen landmarks and all; nil where they span fewer dimensions.
func scaled(chosen []int, squares *mat.Dense, dims int) *matrix.Matrix32 {
	m, g := squares.Dims()
	mean, all := make([]float64, m), 0.0 // means of the squares between the chosen
	for a := range m {
		for _, b := range chosen {
			mean[a] += squares.At(a, b) / float64(m)
		}
		all += mean[a] / float64(m)
	}
	inner := mat.NewSymDense(m, nil)
	for a := range m {
		for b := a; b < m; b++ {
			inner.SetSym(a, b, -(squares.At(a, chosen[b])-mean[a]-mean[b]+all)/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(inner, true) {
		return nil
	}
	up := e.Values(nil)
	var v mat.Dense
	e.VectorsTo(&v)
	pos := matrix.New(g, dims)
	for c := range dims {
		k := m - 1 - c
		if k < 0 || !(up[k] > 1e-9*up[m-1]) {
			return nil
		}
		axis := make([]float64, m)
		mat.Col(axis, k, &v)
		sign := 1.0
		for _, a := range axis { // the same data gives the same map
			if math.Abs(a) > 1e-9 {
				sign = math.Copysign(1, a)
				break
			}
		}
		for i := range g {
			s := 0.0
			for a := range m {
				s -= axis[a] * (squares.At(a, i) - mean[a])
			}
			pos.Row(i)[c] = float32(sign * s / (2 * math.Sqrt(up[k])))
		}
	}
	return &pos
}
