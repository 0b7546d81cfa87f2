package tsne

import (
	"math"
	"math/bits"
	"slices"

	"blossom/model/base/problem"
)

// How often plans are made, in units. PlanEvery is also the longest batch.
const (
	PlanEvery   = 8
	methodEvery = 50
	orderEvery  = 500 // and at 50 and 250
)

// The smallest lattice, and the largest that is ever planned.
const (
	leastNodes = 96
	MostNodes  = 4096
)

// nodes are the sizes that lattices may have, rising: multiples of 16 without prime factors above 5, so that transforms
// are fast, at most a quarter apart.
var nodes = func() (all []int) {
	for n := leastNodes; n <= MostNodes; n += 16 {
		rest := n >> bits.TrailingZeros(uint(n))
		for _, f := range []int{3, 5} {
			for rest%f == 0 {
				rest /= f
			}
		}
		if rest == 1 {
			all = append(all, n)
		}
	}
	return all
}()

// spacing is the distance of nodes and the points of a spline, of an accuracy.
func (a Accuracy) spacing() (h float64, spline int) {
	switch a {
	case Fast:
		return 1. / 2, 4
	case Fine:
		return 1. / 4, 6
	}
	return 1. / 3, 4
}

// PlanLattice lays a lattice under the box from lo to hi. It has the spacing of the accuracy once the box fills the
// smallest lattice, and a finer one below that; a coarser one where the largest, of most nodes, would not reach.
func PlanLattice(lo, hi [2]float64, a Accuracy, most int) Lattice {
	h0, spline := a.spacing()
	if most <= 0 || most > MostNodes {
		most = MostNodes
	}
	at, _ := slices.BinarySearch(nodes, most+1)
	sizes := nodes[:max(1, at)]
	// A box that begins anywhere between nodes covers one cell more than its length.
	const inner = 1 + 2*Margin
	far := max(math.Abs(lo[0]), math.Abs(lo[1]), math.Abs(hi[0]), math.Abs(hi[1]))
	side := max(hi[0]-lo[0], hi[1]-lo[1], 1e-6*far, 1e-30) // positions are no finer
	l := Lattice{Spline: spline, N: leastNodes, H: h0}
	cells := float64(leastNodes - inner - 1)
	if side > cells*h0 {
		for _, l.N = range sizes {
			if cells = float64(l.N - inner - 1); side <= cells*h0 {
				break
			}
		}
	}
	// h0 2^(-j/2) for the largest j at which it fits.
	j := math.Floor(2 * math.Log2(cells*h0/side))
	if l.N > leastNodes {
		j = min(j, 0)
	}
	l.H = h0 * math.Exp2(-j/2)
	for c := range l.Origin {
		l.Origin[c] = int64(math.Round((lo[c]+hi[c])/2/l.H - float64(l.N-1)/2))
	}
	return l
}

// room is the box of the map with what it may grow by until it is planned again.
func room(now, last Measure, units int) (lo, hi [2]float64) {
	least := 0.005 * now.Extent()
	if units <= 0 {
		least = 0.1 * now.Extent()
	}
	for c := range lo {
		down, up := least, least
		if units > 0 {
			f := 1.5 * PlanEvery / float64(units)
			down, up = max(least, f*(last.Lo[c]-now.Lo[c])), max(least, f*(now.Hi[c]-last.Hi[c]))
		}
		lo[c], hi[c] = now.Lo[c]-down, now.Hi[c]+up
	}
	return lo, hi
}

// choose is the method that is the fastest at this size, of those that a device has.
func choose(t Traits, n, dims int, l Lattice, fits bool) Method {
	has := func(m Method) bool { return slices.Contains(t.Methods, m) }
	size := float64(l.N)
	switch {
	case n <= t.Exact && has(Exact), !has(Tree) && !has(Field):
		return Exact
	case dims == 2 && has(Field) && (fits && t.Field*size*size*math.Log2(2*size) < t.Tree*float64(n) || !has(Tree)):
		return Field
	case has(Tree):
		return Tree
	}
	return Exact
}

// mostNodes is N at most for n points: a lattice much larger than their number is one of a map that is nearly empty.
func (t Traits) mostNodes(n int) int {
	most := max(256, int(32*math.Sqrt(float64(n))))
	if t.Nodes > 0 {
		most = min(most, t.Nodes)
	}
	return min(most, MostNodes)
}

// LargestLattice is N of the largest lattice that is taken on a device for n points where the method is chosen by
// itself; a device plans its memory for that. A field that is asked for by name may have a larger one.
func LargestLattice(t Traits, n int) int {
	largest := leastNodes
	for _, size := range nodes {
		s := float64(size)
		if size <= t.mostNodes(n) && t.Field*s*s*math.Log2(2*s) < t.Tree*float64(n) {
			largest = size
		}
	}
	return largest
}

// plan decides how repulsion is computed for a map that lies so. decide says whether the method may change.
func (o Options) plan(t Traits, n int, now, last Measure, units int, was Method, decide bool) (Plan, error) {
	p := Plan{Method: o.Method, Theta: o.Theta}
	if o.Dims == 2 {
		lo, hi := room(now, last, units)
		p.Lattice = PlanLattice(lo, hi, o.Accuracy, t.mostNodes(n))
	}
	if p.Method == "" || p.Method == Auto {
		h0, _ := o.Accuracy.spacing()
		if p.Method = was; decide || was == "" || was == Auto {
			p.Method = choose(t, n, o.Dims, p.Lattice, p.Lattice.H <= h0)
		}
	} else if !slices.Contains(t.Methods, p.Method) {
		names := make([]string, len(t.Methods))
		for i, m := range t.Methods {
			names[i] = string(m)
		}
		return p, problem.New("", "use "+problem.OneOf(append(names, string(Auto))...),
			"this engine has no method %q of t-SNE in %d dimensions", p.Method, o.Dims)
	}
	if p.Method != Field {
		p.Lattice = Lattice{}
	}
	return p, nil
}
