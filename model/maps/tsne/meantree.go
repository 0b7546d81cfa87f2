package tsne

import (
	"cmp"
	"math"
	"slices"
)

// meanTree is a complete tree over points in the order of a space-filling curve: leaf b has the points 16b..16b+15, a
// node the four of the level below. It has no pointers and no cells, so that nothing in it depends on how points lie.
type meanTree struct {
	dims   int
	y      []float64 // n x dims, in order
	n      int
	levels []treeLevel // the leaves first
}

// treeLevel is the nodes of a level: their means, masses, and the squares of the longest sides of their boxes.
type treeLevel struct {
	mean []float64 // nodes x dims
	mass []float64
	side []float64
	box  []float64 // nodes x dims x (lo, hi)
}

const (
	leafPoints = 16
	treeFan    = 4
)

func newMeanTree(y []float64, dims int) *meanTree {
	n := len(y) / dims
	t := &meanTree{dims: dims, n: n, y: make([]float64, len(y))}
	for at, i := range curve(y, dims) {
		copy(t.y[at*dims:(at+1)*dims], y[int(i)*dims:])
	}
	leaves := (n + leafPoints - 1) / leafPoints
	level := newTreeLevel(leaves, dims)
	for b := range leaves {
		for i := b * leafPoints; i < min(n, (b+1)*leafPoints); i++ {
			level.take(b, dims, 1, t.y[i*dims:(i+1)*dims], t.y[i*dims:(i+1)*dims], t.y[i*dims:(i+1)*dims])
		}
	}
	level.finish(dims)
	t.levels = append(t.levels, level)
	for len(level.mass) > 1 {
		up := newTreeLevel((len(level.mass)+treeFan-1)/treeFan, dims)
		for j := range level.mass {
			box := level.box[2*j*dims : 2*(j+1)*dims]
			up.take(j/treeFan, dims, level.mass[j], level.mean[j*dims:(j+1)*dims], box[:dims], box[dims:])
		}
		up.finish(dims)
		t.levels = append(t.levels, up)
		level = up
	}
	return t
}

func newTreeLevel(nodes, dims int) treeLevel {
	l := treeLevel{make([]float64, nodes*dims), make([]float64, nodes), make([]float64, nodes),
		make([]float64, 2*nodes*dims)}
	for j := range nodes {
		for c := range dims {
			l.box[2*j*dims+c], l.box[2*j*dims+dims+c] = math.Inf(1), math.Inf(-1)
		}
	}
	return l
}

// take adds a mass with its mean and box to a node.
func (l *treeLevel) take(node, dims int, mass float64, mean, lo, hi []float64) {
	l.mass[node] += mass
	for c := range dims {
		l.mean[node*dims+c] += mass * mean[c]
		box := l.box[2*node*dims:]
		box[c], box[dims+c] = min(box[c], lo[c]), max(box[dims+c], hi[c])
	}
}

func (l *treeLevel) finish(dims int) {
	for j, m := range l.mass {
		box := l.box[2*j*dims:]
		for c := range dims {
			l.mean[j*dims+c] /= m
			l.side[j] = max(l.side[j], box[dims+c]-box[c])
		}
		l.side[j] *= l.side[j]
	}
}

// field returns the repulsion at y and phi. A node is taken whole if s^2 < theta^2 (1 + D^2): the 1 is the length of
// the kernel itself. stack is scratch, and is returned.
func (t *meanTree) field(y [3]float64, theta float64, stack []int32) (r [3]float64, phi float64, _ []int32) {
	dims, theta2 := t.dims, theta*theta
	stack = append(stack[:0], int32(len(t.levels)-1), 0)
	for len(stack) > 0 {
		at, j := int(stack[len(stack)-2]), int(stack[len(stack)-1])
		stack = stack[:len(stack)-2]
		l := &t.levels[at]
		var e [3]float64
		d := 1.0
		for c := range dims {
			e[c] = y[c] - l.mean[j*dims+c]
			d += e[c] * e[c]
		}
		switch {
		case l.side[j] < theta2*d:
			w := 1 / d
			phi += l.mass[j] * w
			w *= w * l.mass[j]
			for c := range dims {
				r[c] += w * e[c]
			}
		case at == 0:
			near, p := pairs(t.y, dims, j*leafPoints, min(t.n, (j+1)*leafPoints), y)
			phi += p
			for c := range dims {
				r[c] += near[c]
			}
		default:
			for child := min((j+1)*treeFan, len(t.levels[at-1].mass)) - 1; child >= j*treeFan; child-- {
				stack = append(stack, int32(at-1), int32(child))
			}
		}
	}
	return r, phi, stack
}

// curve is the order of points along the curve of G. M. Morton (1966).
func curve(y []float64, dims int) []int32 {
	n := len(y) / dims
	lo, extent := make([]float64, dims), 0.0
	for c := range dims {
		hi := math.Inf(-1)
		lo[c] = math.Inf(1)
		for i := c; i < len(y); i += dims {
			lo[c], hi = min(lo[c], y[i]), max(hi, y[i])
		}
		extent = max(extent, hi-lo[c])
	}
	// As many bits as there is room for, so that one point far away does not put all others into one cell.
	bits := min(32, 64/dims)
	cells := float64(uint64(1)<<bits - 1)
	key, order := make([]uint64, n), make([]int32, n)
	for i := range n {
		order[i] = int32(i)
		for c := range dims {
			v := uint64(0)
			if extent > 0 {
				v = uint64((y[i*dims+c] - lo[c]) / extent * cells)
			}
			for b := range bits {
				key[i] |= v >> b & 1 << (b*dims + c)
			}
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(key[a], key[b]), cmp.Compare(a, b)) })
	return order
}
