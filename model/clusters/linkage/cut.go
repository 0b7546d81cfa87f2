package linkage

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"blossom/model/base/problem"
)

// Noise is the label of a point in no cluster.
const Noise = int32(-1)

// Cut is a flat clustering: a label for each leaf, from 0 by falling size, ties by smallest leaf, and Noise.
type Cut struct {
	Labels   []int32
	Clusters int
	Height   float64 // all pairs up to it are together; NaN of a cut by size, which has no one height
	// Fewer and More are the two numbers of clusters that were possible where ties let none of the number asked
	// for, the same where equal points let none of more; else 0.
	Fewer, More int
}

// NoiseCount is how many leaves are in no cluster.
func (c *Cut) NoiseCount() (n int) {
	for _, l := range c.Labels {
		if l == Noise {
			n++
		}
	}
	return n
}

// CutDistance cuts at height t: clusters are the components of pairs up to t apart (SciPy's fcluster 'distance').
// The error is a Problem: t is no number from 0.
func (z Z) CutDistance(leaves int, t float64) (*Cut, error) {
	if !(t >= 0) {
		return nil, problem.New("", "use a number from 0", "--distance %g is not possible", t)
	}
	rows := len(z) / 4
	return z.cut(leaves, sort.Search(rows, func(i int) bool { return z.Height(i) > t }), t), nil
}

// CutNumber cuts into the most clusters, at most k, that split no tie (fcluster 'maxclust'). The error is a Problem: k
// is not from 1 to the number of leaves.
func (z Z) CutNumber(leaves, k int) (*Cut, error) {
	if k < 1 || k > leaves {
		return nil, problem.New("", "use 1 to the number of valid points", "--n-clusters %d is not possible for %s", k,
			problem.Count(leaves, "valid point"))
	}
	rows := len(z) / 4
	r := leaves - k // rows that become one at least
	if r > rows {
		r = rows
	}
	tied := 0.0 // equal points are together at every height
	if r > 0 {
		tied = z.Height(r - 1)
	}
	first, last := r, r // rows of that height
	for last < rows && z.Height(last) == tied {
		last++
	}
	for first > 0 && z.Height(first-1) == tied {
		first--
	}
	height := 0.0
	if last > 0 {
		height = z.Height(last - 1)
	}
	c := z.cut(leaves, last, height)
	if last > r {
		c.Fewer, c.More = leaves-last, leaves-first
		if tied == 0 {
			c.More = c.Fewer
		}
	}
	return c, nil
}

// cut labels the clusters of the first so many rows.
func (z Z) cut(leaves, rows int, height float64) *Cut {
	top := make([]int32, leaves+rows) // the cluster that a cluster is in at last
	for i := range top {
		top[i] = int32(i)
	}
	for i := rows - 1; i >= 0; i-- {
		a, b := z.ids(i)
		top[a], top[b] = top[leaves+i], top[leaves+i]
	}
	return labelled(top[:leaves], height)
}

// labelled numbers clusters that are named by any number, Noise being none, as labels are. It writes to names.
func labelled(names []int32, height float64) *Cut {
	type cluster struct{ size, first, name int32 }
	var all []cluster
	most := int32(-1)
	for _, n := range names {
		most = max(most, n)
	}
	number := make([]int32, most+1)
	for i := range number {
		number[i] = -1
	}
	for leaf, n := range names {
		if n == Noise {
			continue
		}
		if number[n] < 0 {
			number[n] = int32(len(all))
			all = append(all, cluster{first: int32(leaf), name: n})
		}
		all[number[n]].size++
	}
	slices.SortFunc(all, func(a, b cluster) int {
		if a.size != b.size {
			return cmp.Compare(b.size, a.size)
		}
		return cmp.Compare(a.first, b.first)
	})
	for i, c := range all {
		number[c.name] = int32(i)
	}
	for leaf, n := range names {
		if n != Noise {
			names[leaf] = number[n]
		}
	}
	return &Cut{Labels: names, Clusters: len(all), Height: height}
}

// CutSize cuts where clusters of at least size points persist the most: the condensed tree and its excess of mass.
// A split counts if both sides have size points; else the smaller side leaves the cluster, which goes on. A cluster's
// stability is the sum over its points of lambda = 1/height at which the point leaves, less that of the cluster's
// birth; its children take its place if the sum of theirs is larger. The whole is no cluster. (R. Campello,
// D. Moulavi, J. Sander, "Density-Based Clustering Based on Hierarchical Density Estimates", 2013.)
// The error is a Problem: size is below 2.
func (z Z) CutSize(leaves, size int) (*Cut, error) {
	if size < 2 {
		return nil, problem.New("", "use 2 or more", "--min-size %d is not possible", size)
	}
	none := make([]int32, leaves)
	for i := range none {
		none[i] = Noise
	}
	rows := len(z) / 4
	first := sort.Search(rows, func(i int) bool { return z.Height(i) > 0 })
	if leaves < 2*size || first == rows {
		return &Cut{Labels: none, Height: math.NaN()}, nil
	}
	c := z.condense(leaves, size, z.Height(first))
	return labelled(c.choose(none), math.NaN()), nil
}

// condensed is the tree of clusters that count.
type condensed struct {
	z      Z
	leaves int
	parent []int32 // the cluster that each lies in; -1 for the whole
	birth  []float64
	stable []float64
	top    []int32 // the id in Z that a cluster begins as
}

func (z Z) size(leaves int, id int32) int {
	if int(id) < leaves {
		return 1
	}
	return int(z[4*(int(id)-leaves)+3])
}

func (z Z) condense(leaves, least int, h0 float64) *condensed {
	rows := len(z) / 4
	c := &condensed{z: z, leaves: leaves, parent: []int32{-1}, birth: []float64{0}, stable: []float64{0},
		top: []int32{int32(leaves + rows - 1)}}
	of := make([]int32, rows) // the cluster that a row is in; -1: its points have left
	for i := range of {
		of[i] = -1
	}
	of[rows-1] = 0
	begin := func(id, parent int32, lambda float64) {
		if int(id) >= leaves {
			of[int(id)-leaves] = int32(len(c.parent))
		}
		c.parent = append(c.parent, parent)
		c.birth = append(c.birth, lambda)
		c.stable = append(c.stable, 0)
		c.top = append(c.top, id)
	}
	for i := rows - 1; i >= 0; i-- {
		at := of[i]
		if at < 0 {
			continue
		}
		lambda := 1 / max(z.Height(i), h0)
		a, b := z.ids(i)
		na, nb := z.size(leaves, a), z.size(leaves, b)
		gone := na + nb
		switch {
		case na >= least && nb >= least:
			begin(a, at, lambda)
			begin(b, at, lambda)
		case na >= least:
			of[int(a)-leaves] = at
			gone = nb
		case nb >= least:
			of[int(b)-leaves] = at
			gone = na
		}
		c.stable[at] += float64(gone) * (lambda - c.birth[at])
	}
	return c
}

// choose writes the numbers of the clusters that were chosen to leaves.
func (c *condensed) choose(leaves []int32) []int32 {
	n := len(c.parent)
	below := make([]float64, n) // stability of what is chosen among the children
	has := make([]bool, n)
	chosen := make([]bool, n)
	for i := n - 1; i > 0; i-- { // children come after their parents
		best := c.stable[i]
		if has[i] && below[i] > best*(1+1e-9) {
			best = below[i]
		} else {
			chosen[i] = true
		}
		below[c.parent[i]] += best
		has[c.parent[i]] = true
	}
	inside := make([]int32, n) // the chosen cluster that a cluster lies in
	inside[0] = Noise
	rows := len(c.z) / 4
	name := make([]int32, c.leaves+rows)
	for i := range name {
		name[i] = -2
	}
	for i := 1; i < n; i++ {
		switch p := inside[c.parent[i]]; {
		case p != Noise:
			inside[i] = p
		case chosen[i]:
			inside[i] = int32(i)
		default:
			inside[i] = Noise
		}
		name[c.top[i]] = inside[i]
	}
	for i := rows - 1; i >= 0; i-- {
		at := name[c.leaves+i]
		if at == -2 {
			at = Noise // the whole
		}
		a, b := c.z.ids(i)
		for _, id := range []int32{a, b} {
			if name[id] == -2 {
				name[id] = at
			}
		}
	}
	copy(leaves, name[:c.leaves])
	return leaves
}
