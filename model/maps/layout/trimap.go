package layout

import (
	"context"
	"math"
	"slices"

	"blossom/model/base/par"
	"blossom/model/base/step"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
)

var (
	trimapInliers = step.Param{ID: "inliers", Title: "Inliers", Min: 1, Max: 60, Default: 12, Log: true, Integer: true,
		Help: "How many nearest landmarks of each are compared with farther ones: more show the large shape."}
	trimapOutliers = step.Param{ID: "outliers", Title: "Outliers", Min: 1, Max: 20, Default: 4, Integer: true,
		Help: "With how many farther ones each of those is compared."}
	trimapRandom = step.Param{ID: "random", Title: "Random", Min: 0, Max: 20, Default: 3, Integer: true,
		Help: "How many comparisons of landmarks at random each takes part in beside: they keep the whole in order."}
	trimapRate = step.Param{ID: "rate", Title: "Learning rate", Min: 0.05, Max: 4, Default: 1, Log: true,
		Help: "How far landmarks go in a step."}
	trimapSteps = step.Param{ID: "steps", Title: "Steps", Min: 50, Max: 10_000, Default: 500, Log: true, Integer: true,
		Help: "Over how many steps the learning rate falls to 0, where the layout ends."}
)

func init() {
	Register(Algorithm{
		ID: "trimap", Title: "Triplets (TriMap)", Order: 4,
		Help: "Of three landmarks, the one that is nearer in the data shall be nearer on the map: where groups lie " +
			"among each other is kept better than by most.",
		Params: []step.Param{trimapInliers, trimapOutliers, trimapRandom, trimapRate, trimapSteps},
		New: func(in Input, v step.Values) (Layouter, error) {
			return newBody(in, v, &triplets{}, manner{window: 50, cool: linear, follow: true, span: &trimapSteps})
		},
	})
}

// triplets is a layout after E. Amid and M. Warmuth, "TriMap: Large-scale Dimensionality Reduction Using Triplets"
// (2019). For triplets (i, j, k) with j nearer to i than k in the data,
//
//	loss = sum w_ijk A / (A + B),   A = 1 + |y_i - y_j|^2,   B = 1 + |y_i - y_k|^2
//
// Distances in the data are scaled by those of the fourth to sixth neighbours, s_ij = d_ij^2 / (sigma_i sigma_j), and
// w_ijk = log(1 + 500 (s_ik - s_ij - least)/most + 1e-4), brought to mean 1.
type triplets struct {
	made   [3]float64 // inliers, outliers, random that the triplets were drawn for
	three  [][3]int32
	weight []float64
	pull   []float64 // by triplets: the factor of y_i - y_j in the gradient
	push   []float64 // forces along y_i - y_k
	start  []int32   // first triplet that concerns a landmark
	term   []int32   // 3 t + its place in triplet t
	inlier []int32   // pairs of neighbours, i, j, i, j
	g      []float64
	motion tsne.Motion
}

const (
	trimapGamma = 500
	trimapDelta = 1e-4
	// trimapPace is the rate at which a landmark goes along its mean gradient.
	trimapPace = 8
	// trimapTries is how often a farther landmark is drawn until it is one.
	trimapTries = 20
)

func (m *triplets) prepare(b *body, what changed) {
	want := [3]float64{b.values.Get(trimapInliers), b.values.Get(trimapOutliers), b.values.Get(trimapRandom)}
	if what&newCodebook != 0 || m.made != want {
		m.made = want
		m.choose(b)
	}
	if len(m.g) != len(b.x) {
		m.g = make([]float64, len(b.x))
		m.motion = tsne.Motion{V: b.v, Gain: b.gain}
	}
}

// choose draws the triplets and weighs them.
func (m *triplets) choose(b *body) {
	n := b.n
	near, _ := knn.Of(context.Background(), b.code, max(int(m.made[0]), 6)) // never cancelled
	inliers := min(int(m.made[0]), near.K, max(1, (n-1)/2))
	sigma := make([]float64, n)
	for i := range sigma {
		lo, hi := min(3, near.K-1), min(6, near.K)
		for j := lo; j < hi; j++ {
			sigma[i] += math.Sqrt(near.Squared(i, j)) / float64(hi-lo)
		}
	}
	draws := make([]tripletDraw, n)
	_ = par.Blocks(context.Background(), n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			draws[i] = tripletDraw{b: b, sigma: sigma, i: i}
			draws[i].nearby(near.Index[i*near.K:(i+1)*near.K], inliers, int(m.made[1]))
			draws[i].anywhere(int(m.made[2]))
		}
	})
	m.three, m.weight, m.inlier = m.three[:0], m.weight[:0], m.inlier[:0]
	for i := range n {
		m.three = append(m.three, draws[i].three...)
		m.weight = append(m.weight, draws[i].margins...)
		for at := range inliers {
			m.inlier = append(m.inlier, int32(i), near.Index[i*near.K+at])
		}
	}
	m.weigh()
	m.index(n)
}

// tripletDraw draws the triplets of landmark i.
type tripletDraw struct {
	b       *body
	sigma   []float64 // by which distances from each landmark are divided
	i       int
	count   uint64 // random numbers that were taken
	three   [][3]int32
	margins []float64
}

// nearby draws for each of the nearest count landmarks so many that are farther.
func (t *tripletDraw) nearby(nearest []int32, count, outliers int) {
	for at := range count {
		j := int(nearest[at])
		nearer := t.distance(j)
		for range outliers {
			for range trimapTries {
				k := t.other()
				if !slices.Contains(nearest[:at+1], int32(k)) {
					t.add(j, k, nearer, max(nearer, t.distance(k)))
					break
				}
			}
		}
	}
}

// anywhere draws so many pairs of any landmarks.
func (t *tripletDraw) anywhere(count int) {
	for range count {
		j, k := t.other(), t.other()
		if j == k {
			continue
		}
		dj, dk := t.distance(j), t.distance(k)
		if dj > dk {
			j, k, dj, dk = k, j, dk, dj
		}
		t.add(j, k, dj, dk)
	}
}

// other draws a landmark that is not i.
func (t *tripletDraw) other() int {
	j := int(uniform(t.b.seed, 1<<40, uint64(t.i), t.count) * float64(t.b.n-1))
	t.count++
	if j >= t.i {
		j++
	}
	return j
}

// distance is how far landmark j is, squared, in units of what is usual around the two.
func (t *tripletDraw) distance(j int) float64 {
	sum := 0.0
	own := t.b.code.Row(t.i)
	for c, v := range t.b.code.Row(j) {
		d := float64(own[c]) - float64(v)
		sum += d * d
	}
	return sum / max(t.sigma[t.i]*t.sigma[j], math.SmallestNonzeroFloat32)
}

func (t *tripletDraw) add(j, k int, nearer, farther float64) {
	t.three = append(t.three, [3]int32{int32(t.i), int32(j), int32(k)})
	t.margins = append(t.margins, farther-nearer)
}

// weigh makes weights of by how much the one is farther than the other.
func (m *triplets) weigh() {
	if len(m.weight) == 0 {
		return
	}
	least, most := slices.Min(m.weight), slices.Max(m.weight)
	sum := 0.0
	for t, v := range m.weight {
		w := trimapDelta
		if most > least {
			w += (v - least) / (most - least)
		}
		m.weight[t] = math.Log1p(trimapGamma * w)
		sum += m.weight[t]
	}
	for t := range m.weight {
		m.weight[t] *= float64(len(m.weight)) / sum
	}
}

// index lists the triplets of each landmark.
func (m *triplets) index(n int) {
	m.pull, m.push = make([]float64, len(m.three)), make([]float64, len(m.three))
	m.start = make([]int32, n+1)
	for _, t := range m.three {
		for _, i := range t {
			m.start[i+1]++
		}
	}
	for i := range n {
		m.start[i+1] += m.start[i]
	}
	next := slices.Clone(m.start)
	m.term = make([]int32, 3*len(m.three))
	for t, three := range m.three {
		for place, i := range three {
			m.term[next[i]] = int32(3*t + place)
			next[i]++
		}
	}
}

// scale makes the median distance of neighbours 1.
func (m *triplets) scale(b *body) float64 {
	d := make([]float64, 0, len(m.inlier)/2)
	for e := 0; e < len(m.inlier); e += 2 {
		d = append(d, b.distance(b.x, int(m.inlier[e]), int(m.inlier[e+1])))
	}
	if len(d) == 0 {
		return 0
	}
	slices.Sort(d)
	return d[len(d)/2]
}

func (m *triplets) mayRest(*body) bool { return true }

func (m *triplets) move(b *body) {
	if len(m.three) == 0 {
		return
	}
	m.gradient(b.x, b.dims, b.unit)
	mu := 0.8
	if b.heat > 0.75 {
		mu = 0.5
	}
	m.motion.Push(m.g, b.dims, mu, trimapPace*b.values.Get(trimapRate)*b.heat)
	b.coast()
}

// gradient writes the gradient of the loss to g, by landmarks divided by how many triplets they begin on average.
func (m *triplets) gradient(x []float64, dims int, unit float64) {
	over := 1 / unit
	square := func(i, j int32) (sum float64) {
		for c := range dims {
			d := over * (x[int(i)*dims+c] - x[int(j)*dims+c])
			sum += d * d
		}
		return sum
	}
	_ = par.Blocks(context.Background(), len(m.three), 4096, func(_, from, to int) {
		for t := from; t < to; t++ {
			i, j, k := m.three[t][0], m.three[t][1], m.three[t][2]
			a, b := 1+square(i, j), 1+square(i, k)
			f := 2 * m.weight[t] / ((a + b) * (a + b))
			m.pull[t], m.push[t] = f*b, -f*a
		}
	})
	n := len(x) / dims
	share := float64(n) / float64(len(m.three))
	_ = par.Blocks(context.Background(), n, chunk, func(_, from, to int) {
		for i := from; i < to; i++ {
			var sum [3]float64
			for _, term := range m.term[m.start[i]:m.start[i+1]] {
				t, place := term/3, term%3
				three := &m.three[t]
				for c := range dims {
					own := x[int(three[0])*dims+c]
					pull := m.pull[t] * over * (own - x[int(three[1])*dims+c])
					push := m.push[t] * over * (own - x[int(three[2])*dims+c])
					switch place {
					case 0:
						sum[c] += pull + push
					case 1:
						sum[c] -= pull
					default:
						sum[c] -= push
					}
				}
			}
			for c := range dims {
				m.g[i*dims+c] = share * sum[c]
			}
		}
	})
}
