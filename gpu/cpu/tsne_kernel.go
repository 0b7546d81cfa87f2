package cpu

import "blossom/model/maps/tsne"

// The tree's leaves are so many points along the curve, and so many of them share a list. Blocks of slots, and of tiles
// of lattice rows, are what a worker takes at a time: sums are made by blocks.
const (
	leafPoints  = 16
	groupPoints = 64
	slotBlock   = 256
	tileRows    = 8
)

// tsneKernel computes the parts of a unit of t-SNE for ranges of slots, groups, tiles or columns of a lattice. Calls
// for different ranges may run at the same time. A sum depends on the range, not on who computes it.
type tsneKernel interface {
	lanes() int // rows of affinities are padded to multiples of it, with value 0 and their own slot as column
	floats(n int) ([]float32, error)
	words(n int) ([]int32, error)
	release()                // all that floats and words gave
	drop([]int32, []float32) // some of it
	bind(s *swarm)           // after arrays of s were made, or changed places

	attract(from, to int)                   // A_i to att
	divergence(from, to int) float64        // sum of p ln(1+d)
	push(p *push, from, to int, out *moved) // from y to next, and v and gain
	exact(from, to int) float64             // R_i to rep; returns the sum of their w
	leaves(from, to int)                    // makes leaves of the tree
	walk(theta2 float32, group int) float64 // R_i of a group to rep; returns the sum of their w

	// grid is called before the first use of a lattice, and makes its values where there are none.
	grid(l *grid, workers int) error
	place(l *grid)                // after it lies elsewhere
	spread(l *grid, from, to int) // charges of the points bin[from:to]
	convolve(l *grid, step, block, worker int) float64
	interpolate(l *grid, from, to int) // R_i to rep
}

// swarm is the arrays of a map. Points are in slots; arrays of coordinates have stride numbers a point, the last of
// which is 0 in 3D.
type swarm struct {
	n, dims, stride int
	y, next, v      []float32
	gain, att, rep  []float32
	loose           []float32 // by coordinates: 0 where held, else 1

	start, column []int32 // rows of P begin at vectors of lanes
	value         []float32

	curve []int32      // slots in the order of flat
	flat  [3][]float32 // coordinates, padded to whole groups

	level        []int32 // where the nodes of each level begin, leaves first, and where the last end
	mean, lo, hi [3][]float32
	mass, side2  []float32 // points; squared longest side of the box

	bin []int32 // slots by tiles of lattice rows
}

// grid is a lattice with what is on it.
type grid struct {
	tsne.Lattice
	x0, y0, over float32   // place of node (0, 0), and 1/H
	value        []float32 // N x N: charges, then their potential
	steps        [3]int    // blocks of each step of the convolution; the second returns sum rho c
}

// push is what is the same for all points in a unit. over: 1/Z; bound: whether points stay in a box.
type push struct {
	e, mu, eta, over float32
	bound            int32
	lo, hi           [2]float32
}

// moved adds up how a block moved.
type moved struct {
	lo, hi [3]float32
	v2, y2 float64
	y      [3]float64
}
