package embedsom

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"pgregory.net/rapid"
)

// literal is the page of formulas, line by line, with none of the reference's care: squared distances
// are not differences, scores are not scaled, positions are not relative, and A is inverted by
// Cramer's rule.
func literal(x []float32, code, pos matrix.Matrix32, p Params) []float64 {
	g, m := code.Rows, pos.Cols
	k, find := p.Neighbours(g)
	dist := make([]float64, g)
	ids := make([]int, g)
	for i := range g {
		ids[i] = i
		for c, l := range code.Row(i) {
			dist[i] += (float64(x[c]) - float64(l)) * (float64(x[c]) - float64(l))
		}
		dist[i] = math.Sqrt(dist[i])
	}
	slices.SortStableFunc(ids, func(a, b int) int {
		switch {
		case dist[a] < dist[b]:
			return -1
		case dist[a] > dist[b]:
			return 1
		}
		return 0
	})
	var sw, mu, v float64
	for r, id := range ids[:find] {
		sw += 1 / float64(r+1)
		mu += dist[id] / float64(r+1)
	}
	mu /= sw
	for r, id := range ids[:find] {
		v += (dist[id] - mu) * (dist[id] - mu) / float64(r+1)
	}
	v /= sw
	s := make([]float64, k)
	for r, id := range ids[:k] {
		s[r] = math.Exp(float64(p.Boost) * (mu - dist[id]) / math.Sqrt(v))
		if k < find {
			s[r] *= 1 - math.Exp(10*(dist[id]/dist[ids[find-1]]-1))
		}
	}
	a := make([][]float64, m)
	c := make([]float64, m)
	for q := range a {
		a[q] = make([]float64, m)
	}
	at := func(mx matrix.Matrix32, i, q int) float64 { return float64(mx.Row(i)[q]) }
	for i := range k {
		for q := range m {
			a[q][q] += 1e-5 * s[i]
			c[q] += 1e-5 * s[i] * at(pos, ids[i], q)
		}
		for j := i + 1; j < k; j++ {
			var q2, hh, t, hl float64
			for q := range code.Cols {
				l := at(code, ids[j], q) - at(code, ids[i], q)
				q2 += l * l
				t += l * (float64(x[q]) - at(code, ids[i], q))
			}
			h := make([]float64, m)
			for q := range m {
				h[q] = at(pos, ids[j], q) - at(pos, ids[i], q)
				hh += h[q] * h[q]
				hl += h[q] * at(pos, ids[i], q)
			}
			if q2 == 0 || hh < 1e-10 {
				continue
			}
			t /= q2
			w := s[i] * s[j] * math.Pow(1+hh, -float64(p.Adjust)) * math.Exp(-(t-0.5)*(t-0.5))
			for q := range m {
				c[q] += w * (t + hl/hh) * h[q]
				for r := range m {
					a[q][r] += w / hh * h[q] * h[r]
				}
			}
		}
	}
	det := func(a [][]float64) float64 {
		if m == 2 {
			return a[0][0]*a[1][1] - a[0][1]*a[1][0]
		}
		return a[0][0]*(a[1][1]*a[2][2]-a[1][2]*a[2][1]) - a[0][1]*(a[1][0]*a[2][2]-a[1][2]*a[2][0]) +
			a[0][2]*(a[1][0]*a[2][1]-a[1][1]*a[2][0])
	}
	y := make([]float64, m)
	for q := range y {
		b := make([][]float64, m)
		for r := range b {
			b[r] = slices.Clone(a[r])
			b[r][q] = c[r]
		}
		y[q] = det(b) / det(a)
	}
	return y
}

func random(rng *rand.Rand, rows, cols int) matrix.Matrix32 {
	m := matrix.New(rows, cols)
	for i := range m.Data {
		m.Data[i] = rng.Float32()
	}
	return m
}

func TestReferenceIsThePageOfFormulas(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		d, g, m int
		p       Params
	}{
		{3, 20, 2, Params{5, 2, 0.2}}, {16, 64, 2, Params{10, 1, 1}}, {5, 30, 3, Params{8, 0.37, 0}},
		{2, 12, 2, Params{12, 2, 0.2}}, {7, 9, 3, Params{100, 1, 3}}, {1, 6, 2, Params{4, 3, 0.5}},
	} {
		code, pos := random(rng, c.g, c.d), random(rng, c.g, c.m)
		r, err := NewReference(code, pos, c.p)
		if err != nil {
			t.Fatal(err)
		}
		w := r.Worker()
		x := random(rng, 200, c.d)
		for i := range x.Rows {
			y := make([]float64, c.m)
			if !w.Point(x.Row(i), y) {
				t.Fatalf("point %d is called invalid", i)
			}
			for q, v := range literal(x.Row(i), code, pos, c.p) {
				if math.Abs(y[q]-v) > 1e-8*(1+math.Abs(v)) {
					t.Fatalf("%+v, point %d: %v, by the page %v", c, i, y, v)
				}
			}
		}
	}
}

func TestDirect32IsNearTheReference(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for _, m := range []int{2, 3} {
		x, code, pos := random(rng, 300, 6), random(rng, 40, 6), random(rng, 40, m)
		p := Params{10, 2, 0.2}
		want, err := Embed(context.Background(), x, code, pos, p)
		if err != nil {
			t.Fatal(err)
		}
		far := 0
		for i, v := range Direct32(x, code, pos, p).Data {
			if !(math.Abs(float64(v-want.Data[i])) < 1e-4) {
				far++
			}
		}
		if far > 3 { // ill-conditioned points may be
			t.Errorf("%dD: %d coordinates of the float32 formula are off", m, far)
		}
	}
}

// Whatever finite numbers come in, finite numbers come out.
func TestAlwaysFinite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float32Range(-2, 2), rapid.Float32Range(-3e38, 3e38),
			rapid.SampledFrom([]float32{0, 0, 1, 1, 1e-45, -1e-30, 1e30}))
		g, d, m := rapid.IntRange(1, 9).Draw(t, "g"), rapid.IntRange(1, 4).Draw(t, "d"),
			rapid.IntRange(2, 3).Draw(t, "m")
		draw := func(rows, cols int, v *rapid.Generator[float32], name string) matrix.Matrix32 {
			return matrix.Matrix32{Rows: rows, Cols: cols, Data: rapid.SliceOfN(v, rows*cols, rows*cols).Draw(t, name)}
		}
		code := draw(g, d, value, "codebook")
		pos := draw(g, m, rapid.OneOf(rapid.Float32Range(-10, 10), rapid.SampledFrom([]float32{0, 1, 1e-20, 1e15})),
			"positions")
		p := Params{rapid.IntRange(-1, 12).Draw(t, "k"), rapid.Float32Range(1e-3, 50).Draw(t, "boost"),
			rapid.Float32Range(0, 10).Draw(t, "adjust")}
		r, err := NewReference(code, pos, p)
		if err != nil {
			t.Fatal(err)
		}
		y := make([]float64, m)
		x := draw(1, d, value, "x").Data
		if !r.Worker().Point(x, y) {
			t.Fatal("a finite point is called invalid")
		}
		for _, v := range y {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("it lands at %v", y)
			}
		}
	})
}

func TestNeighboursAndPointFrom(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	code, pos := random(rng, 30, 4), random(rng, 30, 2)
	copy(code.Row(17), code.Row(4)) // a tie
	r, err := NewReference(code, pos, Params{7, 2, 0.2})
	if err != nil {
		t.Fatal(err)
	}
	w := r.Worker()
	for range 100 {
		x := random(rng, 1, 4).Data
		dist2 := make([]float64, 8)
		ids := w.Neighbours(x, make([]int32, 0, 8), dist2)
		if len(ids) != 8 || !slices.IsSorted(dist2) {
			t.Fatalf("neighbours %v at %v", ids, dist2)
		}
		for i, id := range ids {
			var s float64
			for c, l := range code.Row(int(id)) {
				s += (float64(x[c]) - float64(l)) * (float64(x[c]) - float64(l))
			}
			if math.Abs(s-dist2[i]) > 1e-12 {
				t.Fatalf("landmark %d is at %g, not %g", id, s, dist2[i])
			}
		}
		if a, b := slices.Index(ids, 4), slices.Index(ids, 17); b >= 0 && b != a+1 {
			t.Fatalf("the tie of 4 and 17 is in the order %v", ids)
		}
		a, b := make([]float64, 2), make([]float64, 2)
		w.Point(x, a)
		rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		other := new(Worker)
		*other = *r.Worker()
		other.PointFrom(x, ids, b)
		if !slices.Equal(a, b) {
			t.Fatalf("from given neighbours %v, from all %v", b, a)
		}
	}
	if w.Neighbours([]float32{1, float32(math.NaN()), 0, 0}, nil, nil) != nil {
		t.Error("an invalid point has neighbours")
	}
	y := []float64{1, 2}
	if w.Point([]float32{float32(math.Inf(1)), 0, 0, 0}, y) || !math.IsNaN(y[0]) || !math.IsNaN(y[1]) {
		t.Errorf("an infinite point is at %v", y)
	}
}

func TestWorkerUse(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var w *Worker
	for _, g := range []int{20, 3, 50, 1} {
		code, pos := random(rng, g, 3), random(rng, g, 2)
		r, err := NewReference(code, pos, Params{10, 2, 0.2})
		if err != nil {
			t.Fatal(err)
		}
		if w == nil {
			w = r.Worker()
		}
		w.Use(r)
		x := random(rng, 1, 3).Data
		a, b := make([]float64, 2), make([]float64, 2)
		w.Point(x, a)
		r.Worker().Point(x, b)
		if !slices.Equal(a, b) {
			t.Errorf("g %d: a reused worker gives %v, a new one %v", g, a, b)
		}
	}
}

func TestParamsNeighbours(t *testing.T) {
	for _, c := range [][4]int{{10, 100, 10, 11}, {10, 10, 10, 10}, {10, 11, 10, 11}, {1, 100, 3, 4}, {-1, 2, 2, 2},
		{5, 1, 1, 1}, {64, 3, 3, 3}} {
		if k, find := (Params{K: c[0]}).Neighbours(c[1]); k != c[2] || find != c[3] {
			t.Errorf("k %d, g %d: %d of %d, want %d of %d", c[0], c[1], k, find, c[2], c[3])
		}
	}
}

func TestValidate(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	with := func(m matrix.Matrix32, i int, v float32) matrix.Matrix32 {
		m = m.Clone()
		m.Data[i] = v
		return m
	}
	good, pos := matrix.New(4, 3), matrix.New(4, 2)
	ok := Params{10, 2, 0.2}
	for name, c := range map[string]struct {
		code, pos matrix.Matrix32
		p         Params
	}{
		"no landmarks":       {matrix.New(0, 3), matrix.New(0, 2), ok},
		"no dimension":       {matrix.New(4, 0), pos, ok},
		"fewer positions":    {good, matrix.New(3, 2), ok},
		"1D":                 {good, matrix.New(4, 1), ok},
		"4D":                 {good, matrix.New(4, 4), ok},
		"short data":         {matrix.Matrix32{Rows: 4, Cols: 3, Data: make([]float32, 11)}, pos, ok},
		"NaN in codebook":    {with(good, 5, nan), pos, ok},
		"Inf in codebook":    {with(good, 5, inf), pos, ok},
		"NaN in positions":   {good, with(pos, 7, nan), ok},
		"Inf in positions":   {good, with(pos, 0, inf), ok},
		"boost 0":            {good, pos, Params{10, 0, 1}},
		"boost negative":     {good, pos, Params{10, -1, 1}},
		"boost NaN":          {good, pos, Params{10, nan, 1}},
		"boost infinite":     {good, pos, Params{10, -inf, 1}},
		"adjust negative":    {good, pos, Params{10, 1, -0.1}},
		"adjust NaN":         {good, pos, Params{10, 1, nan}},
		"adjust is infinite": {good, pos, Params{10, 1, -inf}},
	} {
		_, err := NewReference(c.code, c.pos, c.p)
		var p *problem.Problem
		if !errors.As(err, &p) || p.Remedy == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := NewReference(good, pos, Defaults()); err != nil {
		t.Error(err)
	}
	if _, err := Embed(context.Background(), matrix.New(2, 5), good, pos, ok); err == nil {
		t.Error("points of other dimensions are accepted")
	}
}

func TestEmbedStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Embed(ctx, matrix.New(1000, 3), random(rand.New(rand.NewPCG(5, 5)), 10, 3), matrix.New(10, 2),
		Defaults()); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled projection returns %v", err)
	}
	if y, err := Embed(context.Background(), matrix.New(0, 3), matrix.New(10, 3), matrix.New(10, 3),
		Defaults()); err != nil || y.Rows != 0 || y.Cols != 3 {
		t.Errorf("no points: %v, %v", y, err)
	}
}
