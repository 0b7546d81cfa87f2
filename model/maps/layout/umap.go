package layout

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/base/step"
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

// fuzzy is a layout after L. McInnes, J. Healy and J. Melville, "UMAP: Uniform Manifold Approximation and Projection"
// (2018), sections 3 and 4. With rho_i the distance of the nearest other and sigma_i such that the memberships of its k
// neighbours add up to log2 k,
//
//	mu_j|i = exp(-max(0, d_ij - rho_i) / sigma_i),   mu = mu_j|i + mu_i|j - mu_j|i mu_i|j
//
// and the cross entropy to 1/(1 + a |r|^2b) on the map has these forces, of edges and of landmarks drawn at random:
//
//	-2ab |r|^2(b-1) / (1 + a |r|^2b) mu r       2b / ((0.001 + |r|^2)(1 + a |r|^2b)) r
//
// The paper draws edges one by one. Here a step takes all of them, so that it does not depend on an order: each
// landmark moves by the mean of what its edges and its draws do to it.
type fuzzy struct {
	near     *knn.Lists
	k        int
	distance float64
	a, b     float64
	start    []int32 // of the edges at a landmark
	other    []int32
	mu       []float64
	sum      []float64 // of mu at a landmark
}

// umapNear is how near a landmark counts as on the spot of another, squared; umapClip bounds the force of one on
// another along an axis; umapPace is the part of the mean force that a landmark follows at first.
const (
	umapNear = 1e-3
	umapClip = 4
	umapPace = 0.25
)

func (m *fuzzy) prepare(b *body, what changed) {
	k := min(int(b.values.Get(umapNeighbours)), b.n-1)
	found := m.near
	if what&newCodebook != 0 || found == nil || found.K < k {
		found, _ = knn.Of(context.Background(), b.code, k) // never cancelled
	}
	if found != m.near || k != m.k {
		m.near, m.k = found, k
		m.join(b.n)
	}
	if d := b.values.Get(umapDistance); m.a == 0 || d != m.distance {
		m.distance = d
		m.a, m.b = kernel(d)
	}
}

// join makes the graph.
func (m *fuzzy) join(n int) {
	k := m.k
	member := make([]float64, n*k)
	_ = par.Blocks(context.Background(), n, chunk, func(_, from, to int) {
		squares := make([]float64, k)
		for i := from; i < to; i++ {
			for j := range squares {
				squares[j] = m.near.Squared(i, j)
			}
			memberships(squares, member[i*k:(i+1)*k])
		}
	})
	type edge struct {
		other int32
		mu    float64
	}
	lists := make([][]edge, n)
	for i := range n {
		for j := range k {
			to, v := m.near.Index[i*m.near.K+j], member[i*k+j]
			lists[i] = append(lists[i], edge{to, v})
			lists[to] = append(lists[to], edge{int32(i), v})
		}
	}
	m.start, m.sum = make([]int32, n+1), make([]float64, n)
	m.other, m.mu = m.other[:0], m.mu[:0]
	for i, l := range lists {
		slices.SortStableFunc(l, func(a, b edge) int { return int(a.other) - int(b.other) })
		for e := 0; e < len(l); e++ {
			v := l[e].mu
			if e+1 < len(l) && l[e+1].other == l[e].other {
				v += l[e+1].mu - v*l[e+1].mu
				e++
			}
			m.other, m.mu = append(m.other, l[e].other), append(m.mu, v)
			m.sum[i] += v
		}
		m.start[i+1] = int32(len(m.other))
	}
}

// memberships writes mu_j|i for the squared distances of a landmark's neighbours, nearest first.
func memberships(squares []float64, out []float64) {
	rho := 0.0
	for _, d := range squares { // of the nearest that is not on its spot
		if d > 0 {
			rho = math.Sqrt(d)
			break
		}
	}
	mean := 0.0
	for j, d := range squares {
		out[j] = max(0, math.Sqrt(d)-rho)
		mean += out[j]
	}
	mean /= float64(len(squares))
	sum := func(sigma float64) (s float64) {
		for _, d := range out {
			if d == 0 {
				s++
			} else {
				s += math.Exp(-d / sigma)
			}
		}
		return s
	}
	want := math.Log2(float64(len(squares)))
	lo, hi := 1e-3*mean, 1e3*mean // as in the paper, no membership falls more steeply than that
	for range 64 {
		if mid := math.Sqrt(lo * hi); sum(mid) > want {
			hi = mid
		} else {
			lo = mid
		}
	}
	for j, d := range out {
		out[j] = 1
		if d > 0 {
			out[j] = math.Exp(-d / lo)
		}
	}
}

// kernel finds the a and b for which 1/(1 + a x^2b) is nearest to 1 up to the least distance and exp(least - x) beyond
// it, by least squares at 300 places up to 3 (Gauss and Newton's steps, damped after Levenberg and Marquardt).
func kernel(least float64) (a, b float64) {
	cost := func(la, b float64) (sum float64, g [2]float64, h [3]float64) {
		for i := 1; i <= 300; i++ {
			x := float64(i) / 100
			want := 1.0
			if x > least {
				want = math.Exp(least - x)
			}
			p := math.Exp(la) * math.Pow(x, 2*b)
			f := 1 / (1 + p)
			off := f - want
			ja, jb := -f*f*p, -f*f*p*2*math.Log(x)
			sum += off * off
			g[0] += ja * off
			g[1] += jb * off
			h[0] += ja * ja
			h[1] += ja * jb
			h[2] += jb * jb
		}
		return sum, g, h
	}
	la, b, damp := 0.3, 0.9, 1e-3
	sum, g, h := cost(la, b)
	for range 200 {
		p, q := h[0]*(1+damp), h[2]*(1+damp)
		det := p*q - h[1]*h[1]
		da, db := (q*g[0]-h[1]*g[1])/det, (p*g[1]-h[1]*g[0])/det
		next, ng, nh := cost(la-da, max(0.2, b-db))
		if next < sum {
			la, b = la-da, max(0.2, b-db)
			sum, g, h, damp = next, ng, nh, damp/3
			if math.Abs(da)+math.Abs(db) < 1e-12 {
				break
			}
		} else if damp *= 4; damp > 1e12 {
			break
		}
	}
	return math.Exp(la), b
}

// draw and push are the factors of r in the forces at a squared distance.
func (m *fuzzy) draw(d2 float64) float64 {
	if !(d2 > 0) {
		return 0
	}
	p := m.a * math.Pow(d2, m.b)
	return -2 * m.b * p / d2 / (1 + p)
}

func (m *fuzzy) push(d2 float64) float64 {
	return 2 * m.b / ((umapNear + d2) * (1 + m.a*math.Pow(d2, m.b)))
}

// scale is the one at which edges and the mean of all draws balance.
func (m *fuzzy) scale(b *body) float64 {
	negatives := b.values.Get(umapNegatives)
	some := max(1, b.n/256) // stand for the others
	row := func(i int, unit float64) (sum [3]float64) {
		for e := m.start[i]; e < m.start[i+1]; e++ {
			d := b.distance(b.x, i, int(m.other[e])) / unit
			sum[0] += 2 * m.mu[e] * m.draw(d*d) * d * d
		}
		pushed, count := 0.0, 0.0
		for j := i % some; j < b.n; j += some {
			if j != i {
				d := b.distance(b.x, i, j) / unit
				pushed += m.push(d*d) * d * d
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
			for e := m.start[i]; e < m.start[i+1]; e++ {
				r, d2 := difference(i, int(m.other[e]))
				w := m.draw(d2)
				for c := range dims {
					sum[c] += m.mu[e] / m.sum[i] * clip(w*r[c])
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
				w := m.push(d2)
				for c := range dims {
					away[c] += clip(w * r[c])
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

func clip(v float64) float64 { return max(-umapClip, min(umapClip, v)) }
