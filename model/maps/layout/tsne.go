package layout

import (
	"context"
	"fmt"
	"math"

	"blossom/model/base/step"
	"blossom/model/maps/tsne"
	"blossom/model/space/knn"
)

var (
	tsnePerplexity = step.Param{ID: "perplexity", Title: "Perplexity", Min: 1, Max: 200, Default: 30, Log: true,
		Help: "How many neighbours a landmark stays near: more show the large shape, fewer the fine one. At most a " +
			"third of the landmarks; what is more is taken as that."}
	tsneExaggeration = step.Param{ID: "exaggeration", Title: "Exaggeration", Min: 1, Max: 30, Default: 12,
		Help: "How many times as strong attraction is at first, so that neighbours find together; 1 only refines " +
			"the map."}
	tsneUntil = step.Param{ID: "exaggerated", Title: "Early steps", Min: 0, Max: 1000, Default: 250,
		Integer: true, Help: "For how many steps attraction is exaggerated at first."}
	tsneMomentum = step.Param{ID: "momentum", Title: "Momentum", Min: 0, Max: 0.95, Default: 0.8,
		Help: "How much of a step goes on in the next; it is 0.5 at most while attraction is exaggerated."}
	tsneRate = step.Param{ID: "rate", Title: "Learning rate", Min: 0.05, Max: 4, Default: 1, Log: true,
		Help: "How far landmarks go in a step; 1 is the number of landmarks over the exaggeration."}
	tsneSteps = step.Param{ID: "steps", Title: "Steps", Min: 50, Max: 10_000, Default: 1000, Log: true, Integer: true,
		Help: "After how many steps it ends, if it does not come to rest before."}
)

func init() {
	Register(Algorithm{
		ID: "tsne", Title: "t-SNE", Order: 2,
		Help: "Landmarks that are near in the data come near on the map, with all pairs of landmarks taken into " +
			"account; distances between groups mean little.",
		Params: []step.Param{tsnePerplexity, tsneExaggeration, tsneUntil, tsneMomentum, tsneRate, tsneSteps},
		Suggest: func(g int) step.Values {
			used, _ := tsne.Allowed(g, tsnePerplexity.Default)
			return step.Values{tsnePerplexity.ID: tsnePerplexity.Clamp(math.Floor(used))}
		},
		New: func(in Input, v step.Values) (Layouter, error) {
			return newBody(in, v, &neighbourly{}, manner{window: 50, cool: linear, follow: true, span: &tsneSteps})
		},
	})
}

// neighbourly is t-SNE from where the landmarks are. It begins at the size at which KL is least for the map as it lies,
// so that neither attraction nor repulsion has the whole map to move first.
type neighbourly struct {
	near   *knn.Lists
	p      *tsne.Affinities
	used   float64
	forces tsne.Forces
	motion tsne.Motion
	y, g   []float64
}

func (m *neighbourly) prepare(b *body, what changed) {
	perplexity := b.values.Get(tsnePerplexity)
	used, k := tsne.Allowed(b.n, perplexity)
	if what&newCodebook != 0 || m.near == nil || m.near.K < k {
		m.near, _ = knn.Of(context.Background(), b.code, k) // never cancelled
		m.p = nil
	}
	if m.p == nil || m.used != used {
		m.p, _ = tsne.AffinitiesOf(context.Background(), m.near, perplexity)
		m.used = used
	}
	if len(m.y) != len(b.x) {
		m.y, m.g = make([]float64, len(b.x)), make([]float64, len(b.x))
		m.motion = tsne.Motion{V: b.v, Gain: b.gain}
	}
}

// scale finds where dKL by the logarithm of the size is 0, which is sum p w d^2 - sum w^2 d^2 / Z.
func (m *neighbourly) scale(b *body) float64 {
	row := func(i int, unit float64) (sum [3]float64) {
		for e := m.p.Start[i]; e < m.p.Start[i+1]; e++ {
			d := b.distance(b.x, i, int(m.p.Column[e])) / unit
			sum[0] += m.p.Value[e] * float64(b.n) * d * d / (1 + d*d)
		}
		for j := range b.n {
			if j != i {
				d := b.distance(b.x, i, j) / unit
				w := 1 / (1 + d*d)
				sum[1] += w * w * d * d
				sum[2] += w
			}
		}
		return sum
	}
	rows := float64((b.n + max(1, b.n/balanceRows) - 1) / max(1, b.n/balanceRows))
	return b.balance(0.5, 500, row, func(s [3]float64) bool { return s[0]/rows < s[1]/s[2] })
}

func (m *neighbourly) exaggerated(b *body) bool { return b.done < int64(b.values.Get(tsneUntil)) }

func (m *neighbourly) mayRest(b *body) bool { return !m.exaggerated(b) }

func (m *neighbourly) move(b *body) {
	over := 1 / b.unit
	centre, _ := b.extent(b.x)
	for c, v := range b.x {
		m.y[c] = over * (v - centre[c%b.dims])
	}
	e, mu := 1.0, b.values.Get(tsneMomentum)
	b.stage = Stage{}
	if m.exaggerated(b) {
		b.stage = Stage{"forming", fmt.Sprintf("unfolds at step %.0f", b.values.Get(tsneUntil))}
		e, mu = b.values.Get(tsneExaggeration), min(mu, 0.5)
	}
	m.forces.Of(m.p, m.y, b.dims)
	m.forces.Gradient(e, m.g)
	m.motion.Push(m.g, b.dims, mu, b.values.Get(tsneRate)*float64(b.n)/e)
	b.coast()
	// Exaggeration has made landmarks with equal neighbours coincide.
	if until := int64(b.values.Get(tsneUntil)); until > 0 && b.done == until {
		clear(m.y)
		tsne.Jitter(m.y, b.seed, uint64(b.done), tsne.PartJitter)
		for c, v := range m.y {
			b.step[c] += b.unit * v
		}
	}
}
