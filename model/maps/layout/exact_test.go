package layout

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/landmarks/graph"
	"blossom/model/maps/tsne"
)

// bodyOf starts a layout with maths that the test looks into.
func bodyOf(t *testing.T, in Input, v step.Values, m maths, how manner) *body {
	t.Helper()
	b, err := newBody(in, v, m, how)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// repulsion as its formula says.
func repulsion(x []float64, dims int, f, far float64) []float64 {
	out := make([]float64, len(x))
	n := len(x) / dims
	for i := range n {
		for j := range n {
			if i == j {
				continue
			}
			d2 := 0.0
			for c := range dims {
				d2 += math.Pow(f*(x[i*dims+c]-x[j*dims+c]), 2)
			}
			for c := range dims {
				out[i*dims+c] += (far + 1/(1+d2)) * f * (x[i*dims+c] - x[j*dims+c]) / math.Pow(d2+soft, float64(dims)/2)
			}
		}
	}
	return out
}

func apart(a, b []float64) float64 {
	var diff, sum float64
	for i := range b {
		diff += (a[i] - b[i]) * (a[i] - b[i])
		sum += b[i] * b[i]
	}
	return math.Sqrt(diff / sum)
}

// Repulsion by the tree is near that of all pairs, whatever the map looks like, and the same with theta 0.
func TestTreeRepelsAsAllPairsDo(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	for dims := 2; dims <= 3; dims++ {
		r := rand.New(rand.NewPCG(8, uint64(dims)))
		for name, place := range map[string]func(i int) float64{
			"even":       func(int) float64 { return 30 * r.Float64() },
			"normal":     func(int) float64 { return 5 * r.NormFloat64() },
			"groups":     func(i int) float64 { return float64(i/dims%7*i%5)*20 + r.NormFloat64() },
			"far groups": func(i int) float64 { return 1e6*float64(i/dims%2) + r.Float64() },
			"few places": func(i int) float64 { return float64((i/dims*(i%dims+3))%5) * 3 },
			"tiny":       func(int) float64 { return 1e-9 * r.Float64() },
			"one spot":   func(int) float64 { return 4 },
		} {
			for _, n := range []int{1, 2, 8, 9, 33, 500} {
				x := make([]float64, n*dims)
				for i := range x {
					x[i] = place(i)
				}
				var tr tree
				got, all := make([]float64, len(x)), make([]float64, len(x))
				want := repulsion(x, dims, 0.5, 0.02)
				repelAll(all, x, dims, 0.5, 0.02, nil)
				tr.build(x, dims, 0.5)
				tr.repel(got, 0.02, 0)
				size := 0.0
				for _, v := range want {
					size += v * v
				}
				if size == 0 {
					if slices.ContainsFunc(got, func(v float64) bool { return v != 0 }) {
						t.Errorf("%s, %dD, %d: forces %v from nothing", name, dims, n, got[:dims])
					}
					continue
				}
				if d, e := apart(all, want), apart(got, want); d > 1e-10 || e > 1e-10 {
					t.Errorf("%s, %dD, %d: all pairs are off by %g, the tree with theta 0 by %g", name, dims, n, d, e)
				}
				if n <= exactBelow {
					continue // the tree is for more
				}
				tr.repel(got, 0.02, theta)
				bound := 0.04
				if name == "few places" { // a node is on two of them, or on one
					bound = 0.15
				}
				if d := apart(got, want); d > bound {
					t.Errorf("%s, %dD, %d: the tree is off by %g", name, dims, n, d)
				} else {
					t.Logf("%s, %dD: the tree is off by %.2g", name, dims, d)
				}
			}
		}
	}
}

// Springs that can all be as long as they want to be are.
func TestSpringsGetTheirLengths(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		in := Input{Codebook: matrix.New(6, dims), Pos: matrix.New(6, dims), Seed: 1}
		r := rand.New(rand.NewPCG(4, 4))
		for i := range in.Pos.Data {
			in.Pos.Data[i] = float32(r.NormFloat64())
			in.Codebook.Data[i] = float32(3 * r.NormFloat64())
		}
		in.Graph = nearestGraph(in.Codebook, 5) // all of them, in a space of as many dimensions as the map has
		b := bodyOf(t, in, step.Values{"repulsion": 0, "cooling": 2000}, &force{}, manner{window: 50, follow: true,
			span: &forceCooling})
		advance(t, b, 4000)
		lo, hi := math.Inf(1), 0.0
		for _, e := range in.Graph.Edges {
			ratio := b.distance(b.x, int(e.A), int(e.B)) / float64(e.Length)
			lo, hi = min(lo, ratio), max(hi, ratio)
		}
		if hi/lo > 1.02 {
			t.Errorf("%dD: edges are %g to %g times as long as their distances", dims, lo, hi)
		}
	}
}

// A sheet that lies flat keeps its neighbours along a graph of few edges: it is not torn into strings, and one edge
// across it draws nothing out of it.
func TestSheetStaysASheet(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	const n = 300
	in := Input{Codebook: matrix.New(n, 3), Pos: matrix.New(n, 2), Seed: 1}
	for i := range n {
		way, across := 3*math.Pi*(r.Float64()-0.5), 2*r.Float64()
		s := math.Copysign(1, way) * (math.Cos(way) - 1)
		copy(in.Codebook.Row(i), []float32{float32(math.Sin(way)), float32(across), float32(s)})
		copy(in.Pos.Row(i), []float32{float32(way + 0.1*r.NormFloat64()), float32(across + 0.1*r.NormFloat64())})
	}
	in.Graph = nearestGraph(in.Codebook, 3)
	before := nearKept(in.Codebook, in.Pos, 8)
	a, _ := ByID("force")
	l := start(t, a, in)
	advance(t, l, 2000)
	after := nearKept(in.Codebook, l.Pos(), 8)
	t.Logf("of the 8 nearest %.3f are kept, before %.3f", after, before)
	if after < before {
		t.Errorf("of the 8 nearest %.3f are kept, before %.3f", after, before)
	}
	at := l.Pos().Clone()
	lo, hi := 0, 0 // the ends of the sheet
	for i := range n {
		if at.Row(i)[0] < at.Row(lo)[0] {
			lo = i
		}
		if at.Row(i)[0] > at.Row(hi)[0] {
			hi = i
		}
	}
	in.Pos = at
	in.Graph.Edges = append(in.Graph.Edges, graph.Edge{A: int32(min(lo, hi)), B: int32(max(lo, hi)), Length: 0.1})
	l = start(t, a, in)
	advance(t, l, 2000)
	for _, i := range []int{lo, hi} {
		if d := distance(l.Pos(), i, nearestTo(at, i)); d > 0.1*diagonal(l.Pos()) {
			t.Errorf("an edge across the sheet has drawn landmark %d %g away from its neighbour", i, d)
		}
	}
}

// nearestTo is the landmark that lies nearest to landmark i.
func nearestTo(x matrix.Matrix32, i int) (best int) {
	least := math.Inf(1)
	for j := range x.Rows {
		if d := distance(x, i, j); j != i && d < least {
			best, least = j, d
		}
	}
	return best
}

// nearKept is the share of the k nearest of each row of x that are among the k nearest of that row of y.
func nearKept(x, y matrix.Matrix32, k int) float64 {
	near := func(m matrix.Matrix32, i int) []int {
		order := make([]int, 0, m.Rows)
		for j := range m.Rows {
			if j != i {
				order = append(order, j)
			}
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(distance(m, i, a), distance(m, i, b)) })
		return order[:k]
	}
	sum := 0
	for i := range x.Rows {
		now := near(y, i)
		for _, j := range near(x, i) {
			if slices.Contains(now, j) {
				sum++
			}
		}
	}
	return float64(sum) / float64(k*x.Rows)
}

// stressOf is stress as its formula says.
func stressOf(in Input, x []float64, dims int, unit, near, mean float64) (sum float64) {
	for i := range in.Codebook.Rows {
		for j := range i {
			d, delta := 0.0, 0.0
			for c := range dims {
				d += math.Pow((x[i*dims+c]-x[j*dims+c])/unit, 2)
			}
			for c, v := range in.Codebook.Row(i) {
				delta += math.Pow(float64(v)-float64(in.Codebook.Row(j)[c]), 2)
			}
			d, delta = math.Sqrt(d), math.Sqrt(delta)
			w := math.Pow(max(delta, 1e-3*mean)/mean, -near)
			sum += w * (d - delta) * (d - delta)
		}
	}
	return sum
}

// No step of stress majorization makes stress larger, with any weights, with pins and without; and where a step is not
// cut short, it goes where the Guttman transform of a dense solver says.
func TestStressFalls(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	for dims := 2; dims <= 3; dims++ {
		for _, near := range []float64{0, 0.5, 1, 2} {
			for _, pins := range []bool{false, true} {
				in := clustered(70, 6, dims, 9)
				if pins {
					in.Pinned = make([]bool, 70)
					in.Pinned[1], in.Pinned[20], in.Pinned[45] = true, true, true
				}
				m := &stress{}
				b := bodyOf(t, in, step.Values{"near": near}, m, manner{window: 20})
				last := math.Inf(1)
				for k := range 120 {
					x, unit := slices.Clone(b.x), b.unit
					advance(t, b, 1)
					want := stressOf(in, x, dims, unit, near, 1e3*m.least)
					if math.Abs(m.stress/want-1) > 1e-5 {
						t.Fatalf("stress is %g, want %g", m.stress, want)
					}
					if m.stress > last*(1+1e-9) {
						t.Fatalf("%dD, near %g, pins %v: stress rises from %g to %g in step %d", dims, near, pins, last,
							m.stress, k)
					}
					last = m.stress
					if k == 100 && near != 2 {
						checkGuttman(t, b, m, x, unit)
					}
				}
			}
		}
	}
}

func checkGuttman(t *testing.T, b *body, m *stress, x []float64, unit float64) {
	t.Helper()
	var free []int
	for i, f := range b.free {
		if f {
			free = append(free, i)
		}
	}
	v, r := mat.NewDense(len(free), len(free), nil), mat.NewDense(len(free), b.dims, nil)
	for p, i := range free {
		for j := range b.n {
			if i == j {
				continue
			}
			w := m.weight(m.delta[i*b.n+j])
			v.Set(p, p, v.At(p, p)+w)
			if q := slices.Index(free, j); q >= 0 {
				v.Set(p, q, v.At(p, q)-w)
			}
			d := b.distance(x, i, j) / unit
			for c := range b.dims {
				r.Set(p, c, r.At(p, c)+w*(float64(m.delta[i*b.n+j])/d-1)*(x[i*b.dims+c]-x[j*b.dims+c])/unit)
			}
		}
	}
	if b.fixed == 0 { // V is singular: the step that moves nothing as a whole
		for p := range free {
			for q := range free {
				v.Set(p, q, v.At(p, q)+1)
			}
		}
	}
	var z mat.Dense
	if err := z.Solve(v, r); err != nil {
		t.Fatal(err)
	}
	diff, sum := 0.0, 0.0
	for p, i := range free {
		for c := range b.dims {
			diff += math.Pow(z.At(p, c)-m.z[i*b.dims+c], 2)
			sum += math.Pow(z.At(p, c), 2)
		}
	}
	if d := math.Sqrt(diff / sum); d > 0.2 || m.near == 0 && d > 1e-6 {
		t.Errorf("near %g, %d fixed: the step is off by %g", m.near, b.fixed, d)
	}
}

// Distances that a map can have, it gets.
func TestStressFindsTheMap(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	in := Input{Codebook: matrix.New(40, 2), Pos: matrix.New(40, 2)}
	for i := range in.Pos.Data {
		in.Codebook.Data[i] = 100 * float32(r.NormFloat64())
		in.Pos.Data[i] = 0.3*in.Codebook.Data[i] + 5*float32(r.NormFloat64())
	}
	m := &stress{}
	b := bodyOf(t, in, nil, m, manner{window: 20})
	advance(t, b, 2000)
	if s := stressOf(in, b.x, 2, b.unit, 0, 1) / (40 * 40 * 100 * 100); s > 1e-4 {
		t.Errorf("stress %g of a map that can have none", s)
	}
}

// The gradient of triplets is that of their loss, and triplets say what the data says.
func TestTriplets(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		in := clustered(40, 5, dims, 12)
		m := &triplets{}
		b := bodyOf(t, in, nil, m, manner{follow: true})
		if len(m.three) < 40*12*3 {
			t.Errorf("%d triplets", len(m.three))
		}
		for k, w := range m.weight {
			three := m.three[k]
			if three[0] == three[1] || three[0] == three[2] || three[1] == three[2] || !(w > 0) {
				t.Fatalf("triplet %v weighs %g", three, w)
			}
		}
		const unit = 2.5
		loss := func(x []float64) (sum float64) {
			for k, three := range m.three {
				a := 1 + math.Pow(b.distance(x, int(three[0]), int(three[1]))/unit, 2)
				c := 1 + math.Pow(b.distance(x, int(three[0]), int(three[2]))/unit, 2)
				sum += m.weight[k] * a / (a + c)
			}
			return sum * 40 / float64(len(m.three))
		}
		x := slices.Clone(b.x)
		for i := range x {
			x[i] *= 0.2
		}
		m.gradient(x, dims, unit)
		want := make([]float64, len(x))
		for c := range x {
			const h = 1e-5
			was := x[c]
			x[c] = was + h
			up := loss(x)
			x[c] = was - h
			want[c] = (up - loss(x)) / (2 * h) * unit
			x[c] = was
		}
		if d := apart(m.g, want); d > 1e-6 {
			t.Errorf("%dD: the gradient is off by %g", dims, d)
		}
	}
}

// Principal components of data that lies in a plane are that plane; the map is turned back to where it was.
func TestComponentsStayWhereTheMapWas(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		r := rand.New(rand.NewPCG(1, uint64(dims)))
		in := Input{Codebook: matrix.New(80, 5), Pos: matrix.New(80, dims)}
		axes := matrix.New(dims, 5)
		for i := range axes.Data {
			axes.Data[i] = float32(r.NormFloat64())
		}
		q := orthonormal(axes)
		for i := range 80 {
			for c := range dims {
				v := r.NormFloat64() * float64(dims+1-c)
				in.Pos.Row(i)[c] = float32(v) + 9
				for j := range 5 {
					in.Codebook.Row(i)[j] += 3 * float32(v*q[c][j])
				}
			}
		}
		a, _ := ByID("pca")
		l := start(t, a, in)
		p := advance(t, l, 1)
		if d := farthest(l.Pos(), in.Pos); d > 1e-4 || !p.Rest || p.Done != 1 {
			t.Errorf("%dD: a map that is right moves by %g; %+v", dims, d, p)
		}
		// Where most is fixed, others join it.
		spoiled := in
		spoiled.Pos = in.Pos.Clone()
		spoiled.Active = make([]bool, 80)
		for i := range 10 {
			spoiled.Active[i] = true
			clear(spoiled.Pos.Row(i))
		}
		l = start(t, a, spoiled)
		advance(t, l, 1)
		if d := farthest(l.Pos(), in.Pos); d > 1e-4 {
			t.Errorf("%dD: those that join are off by %g", dims, d)
		}
	}
}

func orthonormal(rows matrix.Matrix32) (out [][]float64) {
	for i := range rows.Rows {
		v := make([]float64, rows.Cols)
		for c, x := range rows.Row(i) {
			v[c] = float64(x)
		}
		for _, u := range out {
			d := dot(u, v)
			for c := range v {
				v[c] -= d * u[c]
			}
		}
		length := math.Sqrt(dot(v, v))
		for c := range v {
			v[c] /= length
		}
		out = append(out, v)
	}
	return out
}

// The layout ends as good as t-SNE from its own start does, by the loss that it has.
func TestNeighbourlyEndsAsTSNEDoes(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and the shorter ones run the same things side by side")
	}
	in := clustered(200, 8, 2, 21)
	a, _ := ByID("tsne")
	l := start(t, a, in)
	advance(t, l, 5000)
	o := tsne.Defaults()
	ref, err := tsne.Exactly(t.Context(), in.Codebook, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ref.Step(context.Background(), 1000); err != nil {
		t.Fatal(err)
	}
	var e tsne.Evaluation
	if err := ref.Evaluate(t.Context(), &e); err != nil {
		t.Fatal(err)
	}
	p, err := tsne.Affine(t.Context(), in.Codebook, o.Perplexity)
	if err != nil {
		t.Fatal(err)
	}
	var f tsne.Forces
	want := e.KL
	b := l.(*body)
	y := make([]float64, len(b.x))
	best := math.Inf(1)
	for _, k := range []float64{0.8, 0.9, 1, 1.1, 1.25} { // at the unit where it is
		for c, v := range b.x {
			y[c] = k * v / b.unit
		}
		f.Of(p, y, 2)
		best = min(best, f.KL)
	}
	t.Logf("KL %.4f, from a start of its own %.4f", best, want)
	if best > 1.1*want+0.02 {
		t.Errorf("KL %g, want %g", best, want)
	}
}
