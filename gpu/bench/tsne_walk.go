package bench

import (
	"math"
	"slices"
	"time"
)

// plainWalk is ms that repulsion takes with a quadtree (in 3D an octree) that is walked point by point, in float64 on
// one core, as plainly as it can be; making the tree is not counted. A node is taken whole where the square of the
// longest side of the box of its points is below theta^2 (1 + D^2): the rule of our tree.
func plainWalk(y []float64, dims int, theta float64) float64 {
	n := len(y) / dims
	index := make([]int32, n)
	for i := range index {
		index[i] = int32(i)
	}
	w := walker{y: y, dims: dims, theta2: theta * theta}
	w.grow(index, 0)
	least := math.Inf(1)
	for range 3 {
		began := time.Now()
		for i := range n {
			w.at(y[i*dims : (i+1)*dims])
		}
		least = min(least, time.Since(began).Seconds()*1e3)
	}
	return least
}

type walkNode struct {
	mean        [3]float64
	mass, side2 float64
	skip        int32 // the node after its subtree
}

// walker has nodes in the order in which they are met.
type walker struct {
	y      []float64
	dims   int
	theta2 float64
	nodes  []walkNode
	sum    [4]float64 // so that nothing is left out
}

// grow makes the node of some points.
func (w *walker) grow(index []int32, depth int) {
	var lo, hi, sum [3]float64
	for c := range w.dims {
		lo[c], hi[c] = math.Inf(1), math.Inf(-1)
		for _, i := range index {
			v := w.y[int(i)*w.dims+c]
			lo[c], hi[c], sum[c] = min(lo[c], v), max(hi[c], v), sum[c]+v
		}
	}
	node := walkNode{mass: float64(len(index))}
	for c := range w.dims {
		node.mean[c] = sum[c] / node.mass
		node.side2 = max(node.side2, (hi[c]-lo[c])*(hi[c]-lo[c]))
	}
	at := len(w.nodes)
	w.nodes = append(w.nodes, node)
	if node.side2 > 0 && depth < 60 {
		cell := func(i int32) (cell int) {
			for c := range w.dims {
				if w.y[int(i)*w.dims+c] > (lo[c]+hi[c])/2 {
					cell |= 1 << c
				}
			}
			return cell
		}
		slices.SortFunc(index, func(a, b int32) int { return cell(a) - cell(b) })
		for from := 0; from < len(index); {
			to := from + 1
			for to < len(index) && cell(index[to]) == cell(index[from]) {
				to++
			}
			w.grow(index[from:to], depth+1)
			from = to
		}
	}
	w.nodes[at].skip = int32(len(w.nodes))
}

// at adds up what acts on a point.
func (w *walker) at(p []float64) {
	for i := 0; i < len(w.nodes); {
		node := &w.nodes[i]
		var r [3]float64
		d := 1.0
		for c, v := range p {
			r[c] = v - node.mean[c]
			d += r[c] * r[c]
		}
		if node.side2 >= w.theta2*d && int(node.skip) > i+1 {
			i++
			continue
		}
		q := 1 / d
		w.sum[3] += node.mass * q
		q *= node.mass * q
		for c, v := range r {
			w.sum[c] += q * v
		}
		i = int(node.skip)
	}
}
