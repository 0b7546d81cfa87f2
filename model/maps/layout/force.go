package layout

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/base/step"
)

var (
	forceSpring = step.Param{ID: "spring", Title: "Spring", Min: 0.1, Max: 10, Default: 1, Log: true,
		Help: "How strongly edges of the graph keep the length that the distance of their landmarks gives them."}
	forceRepulsion = step.Param{ID: "repulsion", Title: "Repulsion", Min: 0, Max: 5, Default: 0.5,
		Help: "How strongly all landmarks push each other apart: more unfolds the map, and evens it out."}
	forceGravity = step.Param{ID: "gravity", Title: "Gravity", Min: 0, Max: 1, Default: 0.3,
		Help: "How strongly everything is drawn to the centre; it keeps pieces together that no edge joins."}
	forceCooling = step.Param{ID: "cooling", Title: "Cooling", Min: 20, Max: 5000, Default: 300, Log: true,
		Integer: true, Help: "Over how many steps it cools down: more give landmarks longer to find their places."}
)

func init() {
	Register(Algorithm{
		ID: "force", Title: "Force-directed", Order: 1, Graph: true,
		Help: "Edges are springs whose lengths are the distances of their landmarks in the data, and all " +
			"landmarks push each other apart. The size of the map stays.",
		Params: []step.Param{forceSpring, forceRepulsion, forceGravity, forceCooling},
		Suggest: func(g int) step.Values {
			return step.Values{forceCooling.ID: math.Round(200 + 8*math.Sqrt(float64(g)))}
		},
		New: func(in Input, v step.Values) (Layouter, error) {
			return newBody(in, v, &force{}, manner{window: 50, cool: geometric, follow: true, span: &forceCooling})
		},
	})
}

// force pulls and pushes. In its lengths the edges of the graph are 1 long on average:
//
//	F_i = spring sum_e (l_e - |r|)/(max(l_e, |r|) + slack) r/|r|
//	    + repulsion (sum_j (far + 1/(1+|r|^2)) r/(|r|^2 + eps) - far gravity r_i), far = 4/n, r_i to the centre cut
//
// with |r|^3 for |r|^2 + eps in 3D. Long edges are softer than short ones, as of the same wire, and none pulls harder
// than another however far it is stretched: one edge that crosses the map draws no string out of it. Repulsion acts
// between neighbours; what of it reaches far unfolds the map, and is as strong on it whatever the number of landmarks:
// were it as strong as that between neighbours, a graph of few edges would tear into strings. Landmarks have momentum,
// and each moves by its force over its own stiffness, so that many edges at a landmark do not make it swing (a heavy
// ball with Jacobi's preconditioner; B. T. Polyak 1964). How far one can go in a step falls as the layout cools.
type force struct {
	start  []int32 // first of the edges at landmark i
	other  []int32
	length []float64
	joined bool
	tree   tree
	push   []float64
	all    []float64 // places of all landmarks, where they are few
}

const (
	forceMomentum = 0.8
	forceRate     = 0.6
	// slack keeps edges of length 0 from being infinitely stiff, in mean lengths of edges.
	slack = 0.1
	// reach is the repulsion of all landmarks together that does not fall with the distance more than charges' does.
	reach = 4.0
)

func (f *force) prepare(b *body, what changed) {
	if what&newGraph == 0 && what&newCodebook == 0 {
		return
	}
	f.push = make([]float64, b.n*b.dims)
	edges := b.graph.Edges
	mean := 0.0
	for _, e := range edges {
		mean += math.Max(0, float64(e.Length))
	}
	mean /= math.Max(1, float64(len(edges)))
	f.joined = len(edges) > 0
	count := make([]int32, b.n+1)
	for _, e := range edges {
		count[e.A+1]++
		count[e.B+1]++
	}
	for i := range b.n {
		count[i+1] += count[i]
	}
	f.start = count
	f.other, f.length = make([]int32, 2*len(edges)), make([]float64, 2*len(edges))
	next := append([]int32(nil), count...)
	for _, e := range edges {
		length := 1.0
		if mean > 0 && !math.IsInf(mean, 0) {
			length = math.Max(0, float64(e.Length)) / mean
		}
		if math.IsNaN(length) {
			length = 1
		}
		for _, end := range [2][2]int32{{e.A, e.B}, {e.B, e.A}} {
			f.other[next[end[0]]], f.length[next[end[0]]] = end[1], length
			next[end[0]]++
		}
	}
}

// scale finds the unit at which the sum of r_i F_i is 0.
func (f *force) scale(b *body) float64 {
	centre, _ := b.extent(b.x)
	far := reach / float64(b.n)
	spring, repulsion, gravity := b.values.Get(forceSpring), b.values.Get(forceRepulsion), b.values.Get(forceGravity)
	row := func(i int, unit float64) (sum [3]float64) {
		for e := f.start[i]; e < f.start[i+1]; e++ {
			d := b.distance(b.x, i, int(f.other[e])) / unit
			sum[0] += spring * tension(f.length[e], d) * d / 2
		}
		for j := range b.n {
			d := b.distance(b.x, i, j) / unit
			sum[0] += repulsion * d * d * law(d*d, far, b.dims) / 2
		}
		var at [3]float64
		for c := range b.dims {
			at[c] = (b.x[i*b.dims+c] - centre[c]) / unit
		}
		w, d := pull(at, b.n, b.dims)
		sum[0] -= repulsion * far * gravity * w * d * d
		return sum
	}
	return b.balance(0.01, 1e4, row, func(s [3]float64) bool { return s[0] > 0 })
}

// pull is the factor of gravity for a place, and its distance from the centre: it rises with the distance as far as
// evenly spread landmarks would reach twice, and no more outside.
func pull(at [3]float64, n, dims int) (factor, distance float64) {
	d := math.Sqrt(at[0]*at[0] + at[1]*at[1] + at[2]*at[2])
	full := 2 * math.Pow(float64(n), 1/float64(dims))
	if d > full {
		return full / d, d
	}
	return 1, d
}

// tension is the force of a spring that is d long, at most 1 either way.
func tension(length, d float64) float64 { return (length - d) / (max(length, d) + slack) }

func (f *force) mayRest(*body) bool { return true }

func (f *force) move(b *body) {
	dims, unit := b.dims, b.unit
	far := reach / float64(b.n)
	if b.n > exactBelow {
		f.tree.build(b.x, dims, 1/unit)
		f.tree.repel(f.push, far, theta)
	} else {
		f.all = repelAll(f.push, b.x, dims, 1/unit, far, f.all)
	}
	spring, repulsion, gravity := b.values.Get(forceSpring), b.values.Get(forceRepulsion), b.values.Get(forceGravity)
	centre, _ := b.extent(b.x)
	most := b.heat * mostStep * b.diameter() / unit
	_ = par.Blocks(context.Background(), b.n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			if !b.free[i] {
				continue
			}
			var at [3]float64
			for c := range dims {
				at[c] = (b.x[i*dims+c] - centre[c]) / unit
			}
			g, _ := pull(at, b.n, dims)
			stiff := repulsion * (1 + far*gravity)
			var sum [3]float64
			for c := range dims {
				sum[c] = repulsion * (f.push[i*dims+c] - far*gravity*g*at[c])
			}
			f.springs(b, i, spring, &sum, &stiff)
			v := b.v[i*dims : (i+1)*dims]
			for c := range v {
				v[c] = forceMomentum * v[c]
				if stiff > 0 {
					v[c] += forceRate * sum[c] / stiff
				}
			}
			shorten(v, most)
			for c := range v {
				b.step[i*dims+c] = unit * v[c]
			}
		}
	})
}

// springs adds to sum what the edges of landmark i pull, and to stiff how much that changes as it moves.
func (f *force) springs(b *body, i int, spring float64, sum *[3]float64, stiff *float64) {
	for e := f.start[i]; e < f.start[i+1]; e++ {
		j := int(f.other[e])
		var r [3]float64
		for c := range b.dims {
			r[c] = (b.x[i*b.dims+c] - b.x[j*b.dims+c]) / b.unit
		}
		d := math.Sqrt(r[0]*r[0] + r[1]*r[1] + r[2]*r[2])
		if d > 0 {
			w := spring * tension(f.length[e], d) / d
			*stiff += spring / (f.length[e] + slack)
			sum[0] += w * r[0]
			sum[1] += w * r[1]
			sum[2] += w * r[2]
		}
	}
}

// shorten makes v no longer than most.
func shorten(v []float64, most float64) {
	length := 0.0
	for _, x := range v {
		length += x * x
	}
	if length = math.Sqrt(length); length > most {
		for c := range v {
			v[c] *= most / length
		}
	}
}
