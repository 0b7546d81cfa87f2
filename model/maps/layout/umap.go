package layout

import (
	"context"
	"math"

	"blossom/model/base/par"
	"blossom/model/base/step"
	"blossom/model/maps/umap"
	"blossom/model/space/knn"
)

var (
	umapNeighbours = step.Param{ID: "neighbours", Title: "Neighbours", Min: 2, Max: 100, Default: 15, Log: true,
		Integer: true, Help: "How many nearest landmarks each is joined with: more show the large shape, fewer the " +
			"fine one."}
	umapDistance = step.Param{ID: "distance", Title: "Least distance", Min: 0, Max: 0.99, Default: 0.1,
		Help: "How near landmarks may come, as a part of how far they spread: less packs groups tighter."}
	umapNegatives = step.Param{ID: "negatives", Title: "Negatives", Min: 1, Max: 30, Default: 5, Integer: true,
		Help: "How many landmarks drawn at random push one away for each that draws it near: more spread the map."}
	umapRate = step.Param{ID: "rate", Title: "Learning rate", Min: 0.05, Max: 4, Default: 1, Log: true,
		Help: "How far landmarks go in a step."}
	umapSteps = step.Param{ID: "steps", Title: "Steps", Min: 50, Max: 10_000, Default: 500, Log: true, Integer: true,
		Help: "Over how many steps the learning rate falls to 0, where the layout ends."}
)

func init() {
	Register(Algorithm{
		ID: "umap", Title: "Fuzzy graph (UMAP)", Order: 3,
		Help: "Each landmark is joined with its nearest ones, surely with the nearest and less with the others; " +
			"what is joined draws together, and landmarks at random push each other away.",
		Params: []step.Param{umapNeighbours, umapDistance, umapNegatives, umapRate, umapSteps},
		Suggest: func(g int) step.Values {
			return step.Values{umapNeighbours.ID: umapNeighbours.Clamp(min(15, float64(g-1)))}
		},
		New: func(in Input, v step.Values) (Layouter, error) {
			return newBody(in, v, &fuzzy{}, manner{window: 50, cool: linear, follow: true, span: &umapSteps})
		},
	})
}

// fuzzy is UMAP's cross entropy (package umap) from where the landmarks are. umap-learn moves edges one by one, when
// their weight says. Here a step takes all of them, with their weights, so that a layout can be held anywhere: each
// landmark moves by the mean of what its edges and its draws do to it.
type fuzzy struct {
	near     *knn.Lists
	k        int
	distance float64
	kernel   umap.Kernel
	graph    *umap.Graph
	sum      []float64 // sum of weights at a landmark
}

// umapPace is the part of the mean force that a landmark follows at first.
const umapPace = 0.25

func (m *fuzzy) prepare(b *body, what changed) {
	k := min(int(b.values.Get(umapNeighbours)), b.n-1)
	found := m.near
	if what&newCodebook != 0 || found == nil || found.K < k {
		found, _ = knn.Of(context.Background(), b.code, k) // never cancelled
	}
	if found != m.near || k != m.k {
		m.near, m.k = found, k
		m.graph, _ = umap.GraphOf(context.Background(), found, k+1, nil) // with the landmark itself
		m.sum = make([]float64, b.n)
		for i := range m.sum {
			for _, w := range m.graph.Weight[m.graph.Start[i]:m.graph.Start[i+1]] {
				m.sum[i] += float64(w)
			}
		}
	}
	if d := b.values.Get(umapDistance); m.kernel.A == 0 || d != m.distance {
		m.distance = d
		m.kernel = umap.Fit(d, 1)
	}
}

// scale is the one at which edges and the mean of all draws balance.
func (m *fuzzy) scale(b *body) float64 {
	negatives := b.values.Get(umapNegatives)
	some := max(1, b.n/256) // stand for the others
	row := func(i int, unit float64) (sum [3]float64) {
		for e := m.graph.Start[i]; e < m.graph.Start[i+1]; e++ {
			d := b.distance(b.x, i, int(m.graph.Column[e])) / unit
			sum[0] += 2 * float64(m.graph.Weight[e]) * m.kernel.Draw(d*d) * d * d
		}
		pushed, count := 0.0, 0.0
		for j := i % some; j < b.n; j += some {
			if j != i {
				d := b.distance(b.x, i, j) / unit
				pushed += m.kernel.Push(d*d) * d * d
				count++
			}
		}
		sum[0] += negatives * m.sum[i] * pushed / max(1, count)
		return sum
	}
	return b.balance(0.2, 200, row, func(s [3]float64) bool { return s[0] > 0 })
}

func (m *fuzzy) mayRest(*body) bool { return true }

func (m *fuzzy) move(b *body) {
	dims := b.dims
	negatives := b.values.Get(umapNegatives)
	draws := int(math.Ceil(negatives * float64(m.k) / 2))
	all := draws >= b.n-1
	pace := umapPace * b.values.Get(umapRate) * b.heat
	difference := func(i, j int) (r [3]float64, d2 float64) {
		for c := range dims {
			r[c] = (b.x[i*dims+c] - b.x[j*dims+c]) / b.unit
			d2 += r[c] * r[c]
		}
		return r, d2
	}
	_ = par.Blocks(context.Background(), b.n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			if !b.free[i] || !(m.sum[i] > 0) {
				continue
			}
			var sum, away [3]float64
			for e := m.graph.Start[i]; e < m.graph.Start[i+1]; e++ {
				r, d2 := difference(i, int(m.graph.Column[e]))
				w, share := m.kernel.Draw(d2), float64(m.graph.Weight[e])/m.sum[i]
				for c := range dims {
					sum[c] += share * umap.Clip(w*r[c])
				}
			}
			count := draws
			if all {
				count = b.n - 1
			}
			for k := range count {
				j := k
				if !all {
					j = int(uniform(b.seed, uint64(b.done), uint64(i), uint64(k)) * float64(b.n-1))
				}
				if j >= i { // anyone but itself
					j++
				}
				r, d2 := difference(i, j)
				w := m.kernel.Push(d2)
				for c := range dims {
					away[c] += umap.Clip(w * r[c])
				}
			}
			// An edge draws its landmark twice, from either end, where it has so many draws once.
			for c := range dims {
				f := sum[c] + negatives/2*away[c]/float64(count)
				b.step[i*dims+c] = pace * f * b.unit
			}
		}
	})
}
