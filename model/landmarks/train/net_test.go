package train

import (
	"math"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/step"

	"pgregory.net/rapid"
)

// lattice returns the edges of the grid of grid(cols, rows).
func lattice(cols, rows int) (edges [][2]int32) {
	for i := range cols * rows {
		if i%cols+1 < cols {
			edges = append(edges, [2]int32{int32(i), int32(i + 1)})
		}
		if i+cols < cols*rows {
			edges = append(edges, [2]int32{int32(i), int32(i + cols)})
		}
	}
	return edges
}

// shortest returns the steps between all of g landmarks by Floyd and Warshall, infinite where no edges lead.
func shortest(g int, edges [][2]int32) [][]float64 {
	d := make([][]float64, g)
	for i := range d {
		d[i] = make([]float64, g)
		for j := range d[i] {
			if i != j {
				d[i][j] = math.Inf(1)
			}
		}
	}
	for _, e := range edges {
		if int(e[0]) < g && int(e[1]) < g && e[0] != e[1] {
			d[e[0]][e[1]], d[e[1]][e[0]] = 1, 1
		}
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	return d
}

func drawEdges(t *rapid.T, g int) (edges [][2]int32) {
	for range rapid.IntRange(0, 2*g).Draw(t, "edges") {
		a, b := rapid.IntRange(0, g).Draw(t, "a"), rapid.IntRange(0, g).Draw(t, "b") // one beyond the last
		edges = append(edges, [2]int32{int32(min(a, b)), int32(max(a, b))})
	}
	return edges
}

// Steps are those of the shortest ways, kept or not; what no edges lead to is far.
func TestStepsAlongEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.IntRange(1, 24).Draw(t, "landmarks")
		edges := drawEdges(t, g)
		want := shortest(g, edges)
		n := net{edges: edges, g: -1}
		n.build(random(g, 2, 1, uniform))
		if rapid.Bool().Draw(t, "kept") {
			n.rows = nil
		}
		var w walk
		for _, i := range []int{g - 1, 0, g / 2, 0} {
			for j, s := range n.steps(i, &w) {
				if math.IsInf(want[i][j], 1) != (s == far) || s != far && float64(s) != want[i][j] {
					t.Fatalf("%d steps from %d to %d, want %g", s, i, j, want[i][j])
				}
			}
		}
	})
}

// An edge is as long as the middle one; what lies in one spot, or has no edges, has edges of 1.
func TestEdgeLength(t *testing.T) {
	pos := matrix.Matrix32{Rows: 4, Cols: 2, Data: []float32{0, 0, 3, 4, 3, 5, 3, 105}}
	for _, c := range []struct {
		edges [][2]int32
		pos   matrix.Matrix32
		want  float64
	}{
		{[][2]int32{{0, 1}, {1, 2}, {2, 3}}, pos, 5}, {[][2]int32{{1, 2}}, pos, 1}, {[][2]int32{{0, 9}}, pos, 1},
		{[][2]int32{{0, 1}, {1, 2}}, matrix.New(4, 2), 1},
	} {
		n := net{edges: c.edges, g: -1}
		if got := n.build(c.pos); got != c.want {
			t.Errorf("%v: %g, want %g", c.edges, got, c.want)
		}
	}
}

// A sample moves every landmark by alpha exp(-(steps x edge)^2 / sigma^2), in float64; those far away stay.
func TestSOMFormulaAlongEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.IntRange(1, 40).Draw(t, "landmarks")
		edges := append(drawEdges(t, g), [2]int32{0, int32(min(1, g-1))})
		x, code := random(1, 3, 1, uniform), random(g, 3, 2, uniform)
		pos := random(g, 2, 3, uniform)
		sigma, alpha := rapid.Float64Range(0.3, 5).Draw(t, "sigma"), rapid.Float64Range(0.01, 1).Draw(t, "alpha")
		id := rapid.SampledFrom([]string{"som", "som-both"}).Draw(t, "training")
		tr := open(t, id, Input{X: x, Codebook: code, Pos: pos, Edges: edges}, step.Values{"epochs": 0, "along": 1,
			"sigma": sigma, "alpha": alpha})
		if _, err := tr.Step(background, 1); err != nil {
			t.Fatal(err)
		}
		d := shortest(g, edges)
		n := net{edges: edges, g: -1}
		edge := n.build(pos)
		b := nearest64(code, x.Row(0))
		for i := range g {
			h := 0.0
			if q := d[b][i] * edge / sigma; q*q < float64(cutOff) {
				h = alpha * math.Exp(-q*q)
			}
			for j, got := range tr.Codebook().Row(i) {
				c := float64(code.Row(i)[j])
				want := c + h*(float64(x.Row(0)[j])-c)
				if math.Abs(float64(got)-want) > 2e-5 {
					t.Fatalf("landmark %d, %g steps from %d: %g, want %g", i, d[b][i], b, got, want)
				}
			}
		}
	})
}

// An epoch in batch along edges is the formula in float64, also with a device that smooths on the map.
func TestBatchFormulaAlongEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := rapid.IntRange(2, 30).Draw(t, "landmarks")
		edges := append(drawEdges(t, g), [2]int32{0, 1})
		x, code, pos := random(200, 3, 1, uniform), random(g, 3, 2, uniform), random(g, 2, 3, uniform)
		sigma := rapid.Float64Range(0.1, 3).Draw(t, "sigma")
		in := Input{X: x, Codebook: code, Pos: pos, Edges: edges}
		if rapid.Bool().Draw(t, "device") {
			in = (&device{x: x}).offer(in)
		}
		tr := open(t, "som-batch", in, step.Values{"epochs": 1, "along": 1, "sigma_to": sigma})
		run(t, tr)
		sums, counts := matrix64(g, 3), make([]float64, g)
		for i := range x.Rows {
			b := nearest64(code, x.Row(i))
			counts[b]++
			for j, v := range x.Row(i) {
				sums[b][j] += float64(v)
			}
		}
		d := shortest(g, edges)
		n := net{edges: edges, g: -1}
		edge := n.build(pos)
		for i := range g {
			weight, sum := 0.0, make([]float64, 3)
			for o := range g {
				q := d[i][o] * edge / paramSigmaTo.Clamp(sigma)
				if q*q >= Reach {
					continue
				}
				h := math.Exp(-q * q)
				weight += h * counts[o]
				for j := range sum {
					sum[j] += h * sums[o][j]
				}
			}
			for j, got := range tr.Codebook().Row(i) {
				want := float64(code.Row(i)[j])
				if weight > 0 {
					want = sum[j] / weight
				}
				if math.Abs(float64(got)-want) > 1e-6 {
					t.Fatalf("landmark %d: %g, want %g", i, got, want)
				}
			}
		}
	})
}

func matrix64(rows, cols int) [][]float64 {
	m := make([][]float64, rows)
	for i := range m {
		m[i] = make([]float64, cols)
	}
	return m
}

// Dragged landmarks change nothing along edges; without any edge distances are on the map.
func TestAlongEdgesIsWhatWasDrawn(t *testing.T) {
	x, code := random(2000, 3, 1, uniform), random(36, 3, 2, uniform)
	fit := func(id string, in Input, along float64) matrix.Matrix32 {
		in.X, in.Codebook, in.Seed = x, code, 3
		tr := open(t, id, in, step.Values{"epochs": 3, "finish": 3, "sigma_from": 3, "along": along})
		run(t, tr)
		return tr.Codebook().Clone()
	}
	pos := grid(6, 6)
	dragged := pos.Clone()
	dragged.Row(14)[0] += 40
	for _, id := range []string{"som", "som-batch", "som-both"} {
		net := lattice(6, 6)
		want := fit(id, Input{Pos: pos, Edges: net}, 1)
		if !sameBits(fit(id, Input{Pos: dragged, Edges: net}, 1), want) {
			t.Errorf("%s: a dragged landmark changes training along edges", id)
		}
		if sameBits(fit(id, Input{Pos: dragged, Edges: net}, 0), fit(id, Input{Pos: pos, Edges: net}, 0)) {
			t.Errorf("%s: a dragged landmark changes nothing on the map", id)
		}
		if !sameBits(fit(id, Input{Pos: pos}, 1), fit(id, Input{Pos: pos}, 0)) {
			t.Errorf("%s: without edges, distances along them are not those on the map", id)
		}
		two := fit(id, Input{Pos: matrix.New(36, 2), Edges: net}, 1)
		if !sameBits(two, want) {
			t.Errorf("%s: landmarks in one spot on the map do not train along edges of 1", id)
		}
	}
}

// Topographic error along edges: the two nearest landmarks are joined or they are not.
func TestMeasureAlong(t *testing.T) {
	code := matrix.Matrix32{Rows: 3, Cols: 1, Data: []float32{0, 1, 2}}
	x := matrix.Matrix32{Rows: 4, Cols: 1, Data: []float32{0.2, 0.4, 1.6, 1.9}}
	near, err := PairsOf(background, 1, x, code)
	if err != nil {
		t.Fatal(err)
	}
	q := near.Along([][2]int32{{0, 1}, {0, 2}})
	if q.Topographic != 0.5 || math.Abs(q.Quantization-(0.2+0.4+0.4+0.1)/4) > 1e-6 {
		t.Errorf("%+v", q)
	}
}
