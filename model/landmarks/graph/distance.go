package graph

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// apart is the square of the distance of two rows, in float64.
func apart(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		d := float64(x) - float64(b[i])
		sum += d * d
	}
	return sum
}

// wide is the codebook in float64, so that a distance is added up without converting. Its distances are those of
// apart, bit for bit: they are added up in the same order.
type wide struct {
	rows, cols int
	data       []float64
}

func widen(m matrix.Matrix32) wide {
	w := wide{m.Rows, m.Cols, make([]float64, len(m.Data))}
	for i, x := range m.Data {
		w.data[i] = float64(x)
	}
	return w
}

func (w *wide) row(i int) []float64 { return w.data[i*w.cols : (i+1)*w.cols] }

// joinNearest returns the pairs of which one is among the k nearest of the other.
func joinNearest(m matrix.Matrix32, k int) [][2]int32 {
	near, _ := knn.Of(context.Background(), m, k) // never cancelled
	ids := near.Index
	k = near.K
	out := make([][2]int32, 0, len(ids))
	for i := range m.Rows {
		for _, j := range ids[i*k : (i+1)*k] {
			// If a pair is near both ways, the lower landmark says so.
			if int(j) < i && contains(ids[int(j)*k:(int(j)+1)*k], int32(i)) {
				continue
			}
			out = append(out, [2]int32{min(int32(i), j), max(int32(i), j)})
		}
	}
	return out
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if y == x {
			return true
		}
	}
	return false
}

// spanningTree returns the n-1 pairs of the tree of the least length that joins all landmarks. Where distances are
// equal the pair of the lower landmarks is shorter, which makes the tree the only one (Prim's algorithm).
func spanningTree(m matrix.Matrix32) [][2]int32 {
	n := m.Rows
	if n < 2 {
		return nil
	}
	w := widen(m)
	// rest are the landmarks outside of the tree, near the distance of each to the tree, by which of its landmarks.
	rest := upTo(n)[1:]
	near, by, fresh := make([]float64, n), make([]int32, n), make([]float64, n)
	w.to(0, upTo(n), near)
	out := make([][2]int32, 0, n-1)
	for len(rest) > 0 {
		best := 0
		for r := 1; r < len(rest); r++ {
			if i, j := rest[r], rest[best]; near[i] < near[j] || near[i] == near[j] && lower(i, by[i], j, by[j]) {
				best = r
			}
		}
		add := rest[best]
		out = append(out, [2]int32{min(add, by[add]), max(add, by[add])})
		rest[best] = rest[len(rest)-1]
		rest = rest[:len(rest)-1]
		w.to(int(add), rest, fresh)
		for r, i := range rest {
			if d := fresh[r]; d < near[i] || d == near[i] && lower(i, add, i, by[i]) {
				near[i], by[i] = d, add
			}
		}
	}
	return out
}

// lower says whether the pair of a and b comes before that of c and d.
func lower(a, b, c, d int32) bool {
	if x, y := min(a, b), min(c, d); x != y {
		return x < y
	}
	return max(a, b) < max(c, d)
}

// shared is how many distances are worth sharing among cores.
const shared = 2048

// to writes the squares of the distances of row i to the rows of a list into out.
func (w *wide) to(i int, list []int32, out []float64) {
	if len(list)*w.cols < shared*16 {
		w.list(i, list, out)
		return
	}
	par.Blocks(context.Background(), len(list), shared/4, func(_, from, to int) {
		w.list(i, list[from:to], out[from:to])
	})
}

// list is to on one core. Four rows at once: a sum waits for the one before it, four sums do not wait for each other.
func (w *wide) list(i int, list []int32, out []float64) {
	a := w.row(i)
	j := 0
	for ; j+4 <= len(list); j += 4 {
		b0, b1 := w.row(int(list[j]))[:len(a)], w.row(int(list[j+1]))[:len(a)]
		b2, b3 := w.row(int(list[j+2]))[:len(a)], w.row(int(list[j+3]))[:len(a)]
		var s0, s1, s2, s3 float64
		for c, x := range a {
			d0, d1, d2, d3 := x-b0[c], x-b1[c], x-b2[c], x-b3[c]
			s0 += d0 * d0
			s1 += d1 * d1
			s2 += d2 * d2
			s3 += d3 * d3
		}
		out[j], out[j+1], out[j+2], out[j+3] = s0, s1, s2, s3
	}
	for ; j < len(list); j++ {
		b, s := w.row(int(list[j]))[:len(a)], 0.0
		for c, x := range a {
			d := x - b[c]
			s += d * d
		}
		out[j] = s
	}
}

// upTo returns 0 to n-1.
func upTo(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}
