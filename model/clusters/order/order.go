// Package order puts rows of numbers into an order in which similar ones stand together, by average, Ward's or single
// linkage: the leaves of its tree from left to right.
package order

import (
	"cmp"
	"context"
	"math"
	"slices"

	"blossom/model/base/matrix"
)

// Tree is a hierarchy of n rows. Joins are n-1, children before parents; its clusters have the numbers 0 to n-1 for the
// rows and n+i for join i.
type Tree struct {
	Leaves []int32 // the rows from left to right
	Joins  []Join
}

// Join is two clusters that become one.
type Join struct {
	A, B   int32   // A lies left of B
	Height float64 // how far apart A and B are, as the linkage has it
}

// Linkage says how far apart two clusters are.
type Linkage uint8

// The linkages, by how far apart A and B are.
const (
	Average Linkage = iota // the root of the mean squared distance between rows of A and of B
	Ward                   // √(2ab/(a+b)) |A-B|, of a and b rows: their join adds half its square to the sum
	Single                 // the distance of the two rows, one of each, that are nearest to each other
)

// cluster is some rows: by their centre and their mean squared distance from it the mean squared distance to another
// cluster is known, |a-b|² + va + vb, so that no matrix of distances is needed.
type cluster struct {
	id     int32
	size   float64
	spread float64
	centre []float64
}

// to is the square of how far apart two clusters are, by average or Ward's linkage.
func (c *cluster) to(o *cluster, by Linkage) float64 {
	d := 0.0
	for k, x := range c.centre {
		d += (x - o.centre[k]) * (x - o.centre[k])
	}
	if by == Ward {
		return 2 * c.size * o.size / (c.size + o.size) * d
	}
	return c.spread + o.spread + d
}

// join makes c the union of c and o.
func (c *cluster) join(o *cluster) {
	n, apart := c.size+o.size, 0.0
	for k, x := range c.centre {
		apart += (x - o.centre[k]) * (x - o.centre[k])
		c.centre[k] = (c.size*x + o.size*o.centre[k]) / n
	}
	c.spread = (c.size*c.spread+o.size*o.spread)/n + c.size*o.size/(n*n)*apart
	c.size = n
}

// Of returns the tree of average linkage of the rows of x: see By.
func Of(ctx context.Context, x matrix.Matrix32) (*Tree, error) { return By(ctx, x, Average) }

// By returns the tree of a linkage of the rows of x by squared Euclidean distances, found along chains of nearest
// neighbours (Murtagh, Computer Journal 26:354, 1983), or by the shortest tree that spans the rows (Prim, Bell System
// Technical Journal 36:1389, 1957): time n²d, memory nd. Clusters are turned so that the rows that meet between two are
// near. The error is that of ctx.
func By(ctx context.Context, x matrix.Matrix32, by Linkage) (t *Tree, err error) {
	t = &Tree{}
	if by == Single {
		err = t.span(ctx, x)
	} else {
		err = t.chain(ctx, x, by)
	}
	if err != nil {
		return nil, err
	}
	t.lay(x)
	return t, nil
}

// chain finds the joins of average or Ward's linkage.
func (t *Tree) chain(ctx context.Context, x matrix.Matrix32, by Linkage) error {
	live := make([]*cluster, x.Rows)
	for i := range live {
		live[i] = &cluster{id: int32(i), size: 1, centre: make([]float64, x.Cols)}
		for k, v := range x.Row(i) {
			live[i].centre[k] = float64(v)
		}
	}
	var chain []int // indices of live
	for len(live) > 1 {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(chain) == 0 {
			chain = append(chain, 0)
		}
		top, before := chain[len(chain)-1], -1
		if len(chain) > 1 {
			before = chain[len(chain)-2]
		}
		near, least := nearest(live, top, before, by)
		if near != before {
			chain = append(chain, near)
			continue
		}
		chain = chain[:len(chain)-2]
		a, b := min(top, near), max(top, near)
		t.Joins = append(t.Joins, Join{A: live[a].id, B: live[b].id, Height: math.Sqrt(least)})
		live[a].join(live[b])
		live[a].id = int32(x.Rows + len(t.Joins) - 1)
		last := len(live) - 1
		live[b] = live[last]
		live = live[:last]
		for i, at := range chain { // the last one stands at b now
			if at == last {
				chain[i] = b
			}
		}
	}
	return nil
}

// span finds the joins of single linkage: the edges of the shortest tree that spans the rows, the shortest first.
func (t *Tree) span(ctx context.Context, x matrix.Matrix32) error {
	type edge struct {
		a, b int32
		d    float64
	}
	n := x.Rows
	near := make([]edge, n) // an edge of each row that is not in the tree yet, to one that is
	edges := make([]edge, 0, n)
	for i := range near {
		near[i] = edge{0, int32(i), math.Inf(1)}
	}
	for at, out := 0, n-1; out > 0; out-- {
		if err := ctx.Err(); err != nil {
			return err
		}
		near[at].d = math.NaN() // it is in the tree
		next := -1
		for i := range near {
			if near[i].d != near[i].d {
				continue
			}
			if d := apart(x.Row(at), x.Row(i)); d < near[i].d {
				near[i] = edge{int32(at), int32(i), d}
			}
			if next < 0 || near[i].d < near[next].d {
				next = i
			}
		}
		edges, at = append(edges, near[next]), next
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.d, b.d) })
	up := make([]int32, n) // a row of the same cluster, towards its root
	id := make([]int32, n) // the cluster of a root
	for i := range up {
		up[i], id[i] = int32(i), int32(i)
	}
	root := func(i int32) int32 {
		for up[i] != i {
			up[i] = up[up[i]]
			i = up[i]
		}
		return i
	}
	for i, e := range edges {
		a, b := root(e.a), root(e.b)
		t.Joins = append(t.Joins, Join{A: id[a], B: id[b], Height: math.Sqrt(e.d)})
		up[b], id[a] = a, int32(n+i)
	}
	return nil
}

// nearest returns the cluster that is nearest to one, the one before it in the chain where others are as near.
func nearest(live []*cluster, at, before int, by Linkage) (near int, least float64) {
	near, least = before, math.Inf(1)
	if before >= 0 {
		least = live[at].to(live[before], by)
	}
	for i, c := range live {
		if i == at || i == before {
			continue
		}
		if d := live[at].to(c, by); d < least || near < 0 {
			near, least = i, d
		}
	}
	return near, least
}

// lay turns clusters so that the rows that meet are near, and puts the leaves in order.
func (t *Tree) lay(x matrix.Matrix32) {
	n := int32(x.Rows)
	if n == 0 {
		return
	}
	type ends struct {
		first, last int32
		turned      bool
	}
	all := make([]ends, int(n)+len(t.Joins))
	for i := range n {
		all[i] = ends{first: i, last: i}
	}
	for i := range t.Joins {
		j := &t.Joins[i]
		a, b := &all[j.A], &all[j.B]
		best, flips := math.Inf(1), 0
		for f := range 4 {
			end, begin := a.last, b.first
			if f&1 != 0 {
				end = a.first
			}
			if f&2 != 0 {
				begin = b.last
			}
			if d := apart(x.Row(int(end)), x.Row(int(begin))); d < best {
				best, flips = d, f
			}
		}
		for bit, e := range []*ends{a, b} {
			if flips>>bit&1 != 0 {
				e.first, e.last, e.turned = e.last, e.first, !e.turned
			}
		}
		all[int(n)+i] = ends{first: a.first, last: b.last}
	}
	// From the root down: what is turned exchanges the children of all below it.
	type visit struct {
		id     int32
		turned bool
	}
	stack := []visit{{int32(len(all) - 1), false}}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if v.id < n {
			t.Leaves = append(t.Leaves, v.id)
			continue
		}
		j := &t.Joins[v.id-n]
		turned := v.turned != all[v.id].turned
		if turned {
			j.A, j.B = j.B, j.A
		}
		stack = append(stack, visit{j.B, turned}, visit{j.A, turned})
	}
}

func apart(a, b []float32) (d float64) {
	for k, x := range a {
		d += (float64(x) - float64(b[k])) * (float64(x) - float64(b[k]))
	}
	return d
}
