package layout

import (
	"cmp"
	"context"
	"math"
	"math/bits"
	"slices"

	"blossom/model/base/par"
)

// tree sums the repulsion of all landmarks on each, after Barnes and Hut (1986): landmarks far away act as one.
//
// It is a complete tree over the landmarks in the order of a Z-shaped curve through the map: leaf b is landmarks
// 8b..8b+7 of that order, node j of a level covers nodes 4j..4j+3 of the level below. Nothing is inserted, so that
// nothing depends on how landmarks lie: many of them on a spot are a leaf like any other.
type tree struct {
	dims   int
	order  []int32   // order of the landmarks along the curve
	x      []float64 // positions in that order, in the lengths of the algorithm
	levels [][]node
	keys   []key
	lists  [][]float64 // by groups: what acts on them
}

// node is a part of the curve: the mean of its landmarks, how many they are, and the square of the longest side of the
// box around them.
type node struct {
	mean  [3]float64
	mass  float64
	side2 float64
	lo    [3]float64
	hi    [3]float64
}

type key struct {
	code uint64
	at   int32
}

const (
	leafSize  = 8
	nodeSplit = 4
	// exactBelow: up to so many landmarks all pairs are summed.
	exactBelow = 400
	// theta: a node is taken as one if its side is less than theta times its distance.
	theta = 0.7
	// soft is the square of the distance within which repulsion stops rising.
	soft = 1e-2
	// group is how many successive landmarks share a list.
	group = 8
	// chunk is how many landmarks a goroutine takes at a time where they share nothing.
	chunk = 64
)

// build makes the tree of landmarks x, scaled by f.
func (t *tree) build(x []float64, dims int, f float64) {
	n := len(x) / dims
	t.dims = dims
	t.sort(x)
	t.x = slices.Grow(t.x[:0], len(x))[:len(x)]
	for k, i := range t.order {
		for c := range dims {
			t.x[k*dims+c] = f * x[int(i)*dims+c]
		}
	}
	count := par.Count(n, leafSize)
	for level := 0; ; level++ {
		if level == len(t.levels) {
			t.levels = append(t.levels, nil)
		}
		t.levels[level] = slices.Grow(t.levels[level][:0], count)[:count]
		for j := range count {
			if level == 0 {
				t.leaf(&t.levels[0][j], j*leafSize, min(n, (j+1)*leafSize))
			} else {
				below := t.levels[level-1]
				t.levels[level][j].join(below[j*nodeSplit:min(len(below), (j+1)*nodeSplit)], dims)
			}
		}
		if count <= 1 {
			t.levels = t.levels[:level+1]
			return
		}
		count = par.Count(count, nodeSplit)
	}
}

// sort finds the order along the curve.
func (t *tree) sort(x []float64) {
	dims, n := t.dims, len(x)/t.dims
	lo, side := [3]float64{}, 0.0
	for c := range dims {
		a, b := math.Inf(1), math.Inf(-1)
		for i := c; i < len(x); i += dims {
			a, b = min(a, x[i]), max(b, x[i])
		}
		lo[c], side = a, max(side, b-a)
	}
	digits := 63 / dims
	scale := 0.0
	if side > 0 {
		scale = (math.Ldexp(1, digits) - 1) / side
	}
	t.keys = t.keys[:0]
	for i := range n {
		code := uint64(0)
		for c := range dims {
			code |= spaced(uint64((x[i*dims+c]-lo[c])*scale), dims) << c
		}
		t.keys = append(t.keys, key{code, int32(i)})
	}
	slices.SortFunc(t.keys, func(a, b key) int { return cmp.Or(cmp.Compare(a.code, b.code), cmp.Compare(a.at, b.at)) })
	t.order = t.order[:0]
	for _, k := range t.keys {
		t.order = append(t.order, k.at)
	}
}

// spaced puts dims-1 zeros between the binary digits of v.
func spaced(v uint64, dims int) (out uint64) {
	for v != 0 {
		d := bits.TrailingZeros64(v)
		out |= 1 << (d * dims)
		v &= v - 1
	}
	return out
}

func (t *tree) leaf(n *node, from, to int) {
	*n = node{mass: float64(to - from)}
	for c := range t.dims {
		n.lo[c], n.hi[c] = math.Inf(1), math.Inf(-1)
	}
	for k := from; k < to; k++ {
		for c := range t.dims {
			v := t.x[k*t.dims+c]
			n.mean[c] += v
			n.lo[c], n.hi[c] = min(n.lo[c], v), max(n.hi[c], v)
		}
	}
	n.finish(t.dims)
}

func (n *node) join(parts []node, dims int) {
	*n = parts[0]
	for c := range dims {
		n.mean[c] *= n.mass
	}
	for _, p := range parts[1:] {
		n.mass += p.mass
		for c := range dims {
			n.mean[c] += p.mass * p.mean[c]
			n.lo[c], n.hi[c] = min(n.lo[c], p.lo[c]), max(n.hi[c], p.hi[c])
		}
	}
	n.finish(dims)
}

func (n *node) finish(dims int) {
	side := 0.0
	for c := range dims {
		n.mean[c] /= n.mass
		side = max(side, n.hi[c]-n.lo[c])
	}
	n.side2 = side * side
}

// law is the repulsion of one landmark on another at a distance whose square is d2, as a factor of their difference,
// finite on one spot. Near by it falls with the cube of the distance on the plane, so that neighbours part and those
// further on hardly matter; far is the part that reaches all of the map, 1/d on the plane and 1/d^2 in space, as
// charges do.
func law(d2, far float64, dims int) float64 {
	near, d2 := 1+d2, d2+soft
	if dims == 3 {
		return (far*near + 1) / (near * d2 * math.Sqrt(d2))
	}
	return (far*near + 1) / (near * d2) // far + 1/near in one division
}

// repel writes the sum of the repulsion on each landmark to out (n x dims). theta 0 is exact. Groups of successive
// landmarks share a list of what acts on them, which is then summed for each.
func (t *tree) repel(out []float64, far, theta float64) {
	n := len(t.order)
	if count := par.Count(n, group); len(t.lists) < count {
		t.lists = append(t.lists, make([][]float64, count-len(t.lists))...)
	}
	_ = par.Blocks(context.Background(), n, group, func(block, from, to int) {
		list := t.list(t.lists[block][:0], from, to, theta*theta)
		t.lists[block] = list
		for k := from; k < to; k++ {
			sum(out, int(t.order[k]), t.x[k*t.dims:(k+1)*t.dims], list, far)
		}
	})
}

// visit is a node that a walk still has to see.
type visit struct{ level, at int32 }

// list appends what acts on landmarks from..to of the order: places and how many landmarks act from there. A node is
// taken whole if its mean is far from the box around the landmarks.
func (t *tree) list(list []float64, from, to int, theta2 float64) []float64 {
	dims := t.dims
	var box node
	t.leaf(&box, from, to)
	var room [64]visit
	stack := append(room[:0], visit{int32(len(t.levels) - 1), 0})
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &t.levels[v.level][v.at]
		d2 := 0.0
		for c := range dims {
			d := max(box.lo[c]-n.mean[c], n.mean[c]-box.hi[c], 0)
			d2 += d * d
		}
		switch {
		case n.side2 < theta2*d2:
			list = append(append(list, n.mean[:dims]...), n.mass)
		case v.level > 0:
			below := int32(len(t.levels[v.level-1]))
			for at := min(below, (v.at+1)*nodeSplit) - 1; at >= v.at*nodeSplit; at-- {
				stack = append(stack, visit{v.level - 1, at})
			}
		default:
			for j := int(v.at) * leafSize; j < min(len(t.order), (int(v.at)+1)*leafSize); j++ {
				list = append(append(list, t.x[j*dims:(j+1)*dims]...), 1)
			}
		}
	}
	return list
}

// sum writes the force of a list on landmark i at p; what lies at p, itself too, has none.
func sum(out []float64, i int, p, list []float64, far float64) {
	var sx, sy, sz float64
	if len(p) == 2 {
		px, py := p[0], p[1]
		for ; len(list) >= 3; list = list[3:] {
			dx, dy := px-list[0], py-list[1]
			f := list[2] * law(dx*dx+dy*dy, far, 2)
			sx += f * dx
			sy += f * dy
		}
		out[2*i], out[2*i+1] = sx, sy
		return
	}
	px, py, pz := p[0], p[1], p[2]
	for ; len(list) >= 4; list = list[4:] {
		dx, dy, dz := px-list[0], py-list[1], pz-list[2]
		f := list[3] * law(dx*dx+dy*dy+dz*dz, far, 3)
		sx += f * dx
		sy += f * dy
		sz += f * dz
	}
	out[3*i], out[3*i+1], out[3*i+2] = sx, sy, sz
}

// repelAll is repel over all pairs, without a tree, of landmarks x scaled by f. list is kept between calls.
func repelAll(out, x []float64, dims int, f, far float64, list []float64) []float64 {
	n := len(x) / dims
	list = list[:0]
	for i := range n {
		for _, v := range x[i*dims : (i+1)*dims] {
			list = append(list, f*v)
		}
		list = append(list, 1)
	}
	_ = par.Blocks(context.Background(), n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			sum(out, i, list[i*(dims+1):i*(dims+1)+dims], list, far)
		}
	})
	return list
}
