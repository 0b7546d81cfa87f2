package colour

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render/legend"
	"blossom/render/palette"
)

// someValues are values with ties, zeros, negative and missing ones.
func someValues(n int, seed uint64) []float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float32, n)
	for i := range out {
		switch r.IntN(12) {
		case 0:
			out[i] = nan
		case 1, 2:
			out[i] = float32(r.IntN(3))
		default:
			out[i] = float32(math.Exp(5*r.NormFloat64())) - 1
		}
	}
	return out
}

// Each scale gives the numbers of a plain loop, in any order of the points.
func TestScalesAgreeWithAPlainLoop(t *testing.T) {
	for _, n := range []int{0, 1, 2, 31, 32, 33, 1000} {
		values := someValues(n, uint64(n))
		ds := table(t, dataset.Column{Name: "a", Values: values})
		c, order := &ds.Columns[0], transform.Shuffle(n, 3)
		how := transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
		least, positive := math.Inf(1), 0
		for _, x := range values {
			if x > 0 {
				least = min(least, float64(x))
			} else if x <= 0 {
				positive++
			}
		}
		plain := map[transform.Spread]func(x float64) float64{
			transform.SpreadMap:    func(x float64) float64 { return math.Asinh(x / 5) },
			transform.SpreadAsinh:  func(x float64) float64 { return math.Asinh(x / 5) },
			transform.SpreadLinear: func(x float64) float64 { return x },
			transform.SpreadLog:    func(x float64) float64 { return math.Log10(max(x, least)) },
			transform.SpreadQuantile: func(x float64) float64 {
				below, equal, all := 0, 0, 0
				for _, y := range values {
					switch {
					case y != y:
						continue
					case float64(y) < x:
						below++
					case float64(y) == x:
						equal++
					}
					all++
				}
				return (float64(below) + float64(equal)/2) / float64(all)
			},
		}
		for _, s := range transform.Spreads {
			v := Again(nil, c, how, s, order)
			for i, row := range order {
				x := float64(values[row])
				want := plain[s](x)
				got := float64(v.Numbers[i])
				if x != x && got == got || x == x && !(math.Abs(got-want) < 1e-5*(1+math.Abs(want))) {
					t.Fatalf("%d rows, scale %q: %g becomes %g, not %g", n, s, x, got, want)
				}
				if back := v.Raw(v.Number(x)); x > 0 && math.Abs(back-x) > 1e-5*(1+x) {
					t.Errorf("%d rows, scale %q: %g comes back as %g", n, s, x, back)
				}
			}
			if s == transform.SpreadLog && v.Clamped() != positive {
				t.Errorf("%d values are clamped, not %d", v.Clamped(), positive)
			}
		}
	}
}

// Each colour of ranks has as many points, and ties share one.
func TestRanksHaveAsManyPointsForEachColour(t *testing.T) {
	values := make([]float32, 10_000)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range values {
		values[i] = float32(math.Exp(4 * r.NormFloat64()))
	}
	ds := table(t, dataset.Column{Name: "a", Values: values})
	v := Again(nil, &ds.Columns[0], transform.Column{Weight: 1}, transform.SpreadQuantile, nil)
	counts := make([]int, 10)
	for _, x := range v.Numbers {
		counts[min(int(x*10), 9)]++
	}
	for i, n := range counts {
		if n < 999 || n > 1001 {
			t.Errorf("tenth %d has %d points", i, n)
		}
	}
}

// The numbers of a legend stand where their values have their colour, on every scale.
func TestTheLegendOfEveryScaleHasRawValues(t *testing.T) {
	values := make([]float32, 5000)
	r := rand.New(rand.NewPCG(5, 2))
	for i := range values {
		values[i] = float32(math.Exp(3*r.NormFloat64()) + 1)
	}
	ds := table(t, dataset.Column{Name: "a", Values: values})
	for _, s := range transform.Spreads {
		how := transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
		v := Again(nil, &ds.Columns[0], how, s, nil)
		c := v.Colouring(Settings{Low: 1, High: 99})
		marks := v.Legend(c).Marks(3)
		if len(marks) < 3 {
			t.Errorf("scale %q has the marks %v", s, marks)
		}
		for _, m := range marks[1 : len(marks)-1] {
			text, _ := v.Reading(c, m.At)
			if s == transform.SpreadQuantile && text != m.Text {
				t.Errorf("scale %q: at %s of the bar there is %s", s, m.Text, text)
			}
		}
		lo, hi := v.Raw(float64(c.Lo)), v.Raw(float64(c.Hi))
		sorted := slices.Sorted(slices.Values(values))
		if a, b := float64(sorted[50]), float64(sorted[4949]); math.Abs(lo-a) > 0.01*a || math.Abs(hi-b) > 0.01*b {
			t.Errorf("scale %q: the ends are %g and %g, not %g and %g", s, lo, hi, a, b)
		}
	}
}

// Typed ends are raw values on every scale but the map's.
func TestTypedEndsOnAScale(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 10, 100, 1000, -3}})
	v := Again(nil, &ds.Columns[0], transform.Column{Weight: 1}, transform.SpreadLog, nil)
	c := v.Colouring(Settings{Low: 1, High: 99, From: 10, To: 100, Raw: true})
	if c.Lo != 1 || c.Hi != 2 {
		t.Errorf("from 10 to 100 is %g to %g", c.Lo, c.Hi)
	}
	if c = v.Colouring(Settings{Low: 1, High: 99, From: -5, To: 100, Raw: true}); c.Lo != 0 {
		t.Errorf("what has no logarithm is %g", c.Lo)
	}
}

// The middle of a diverging palette lies at the centre: percentiles become even around it, typed ends stay.
func TestACentre(t *testing.T) {
	values := make([]float32, 101)
	for i := range values {
		values[i] = float32(i) - 20 // -20 to 80
	}
	ds := table(t, dataset.Column{Name: "a", Values: values})
	v := Of(&ds.Columns[0], transform.Column{Weight: 1}, nil)
	p := palette.ByName("blue-red")
	at := func(c palette.Colouring, x float32) any {
		var table palette.Table
		c.Fill(&table)
		l := c.Lookup()
		return table[l.Entry(x)]
	}
	near := func(what string, got any, t0 float64) {
		t.Helper()
		a, b := got, p.At(t0)
		g := a.(interface{ RGBA() (r, g, b, a uint32) })
		r1, g1, b1, _ := g.RGBA()
		r2, g2, b2, _ := b.RGBA()
		for _, d := range []int{int(r1) - int(r2), int(g1) - int(g2), int(b1) - int(b2)} {
			if d > 0x300 || d < -0x300 {
				t.Errorf("%s: %v, not %v", what, a, b)
				return
			}
		}
	}
	c := v.Colouring(Settings{Palette: "blue-red", Low: 0, High: 100, Centred: true})
	if c.Lo != -80 || c.Hi != 80 || !c.Centred {
		t.Fatalf("even around 0: %g to %g", c.Lo, c.Hi)
	}
	near("0", at(c, 0), 0.5)
	near("80", at(c, 80), 1)
	c = v.Colouring(Settings{Palette: "blue-red", From: -20, To: 80, Centred: true, Centre: 10})
	if c.Lo != -20 || c.Hi != 80 {
		t.Fatalf("typed ends: %g to %g", c.Lo, c.Hi)
	}
	near("10 of -20 to 80", at(c, 10), 0.5)
	near("-20", at(c, -20), 0)
	near("-5", at(c, -5), 0.25)
	near("45", at(c, 45), 0.75)
	l := v.Legend(c)
	told := func(m legend.Mark) bool { return m.Text == "10" && math.Abs(m.At-0.3) < 1e-3 }
	if !slices.ContainsFunc(l.Numbers, told) || l.Subtitle != "centre 10" {
		t.Errorf("the legend %q has %v", l.Subtitle, l.Numbers)
	}
	reversed := v.Colouring(Settings{Palette: "blue-red", From: -20, To: 80, Centred: true, Centre: 10,
		Reversed: true})
	near("reversed 10", at(reversed, 10), 0.5)
	near("reversed -20", at(reversed, -20), 1)
	for _, s := range []Settings{{Palette: "viridis", High: 100, Centred: true},
		{Palette: "blue-red", From: 20, To: 80, Centred: true}} {
		if c := v.Colouring(s); c.Centred || c.Mid != 0 {
			t.Errorf("%+v has a centre", s)
		}
	}
}

// Points of two columns have the label of their step in both, and the palette its colour.
func TestTwoColumnsAtOnce(t *testing.T) {
	for _, n := range []int{0, 1, 33, 500} {
		a, b := someValues(n, 7), someValues(n, 8)
		ds := table(t, dataset.Column{Name: "a", Values: a}, dataset.Column{Name: "b", Values: b})
		how := transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
		x, y := Of(&ds.Columns[0], how, nil), Of(&ds.Columns[1], how, nil)
		s := Settings{Low: 5, High: 95}
		v := Pair(x, y, s)
		cx, cy := x.Colouring(s), y.Colouring(s)
		step := func(v float32, c palette.Colouring) int {
			share := (float64(v) - float64(c.Lo)) / (float64(c.Hi) - float64(c.Lo))
			entry := int(math.Min(math.Max(share, 0), 1)*1023 + 0.5)
			return entry / 32
		}
		c := v.Colouring(s)
		look := c.Lookup()
		var colours palette.Table
		c.Fill(&colours)
		for i := range n {
			if a[i] != a[i] || b[i] != b[i] {
				if v.Numbers[i] == v.Numbers[i] {
					t.Fatalf("%d: a missing value has the label %g", i, v.Numbers[i])
				}
				continue
			}
			if !(cx.Lo < cx.Hi) || !(cy.Lo < cy.Hi) {
				continue
			}
			sx, sy := step(x.Numbers[i], cx), step(y.Numbers[i], cy)
			got := int(v.Numbers[i])
			if d := got%32 - sx; d < -1 || d > 1 || got/32-sy < -1 || got/32-sy > 1 {
				t.Fatalf("point %d has the step %d, %d, not %d, %d", i, got%32, got/32, sx, sy)
			}
			if want := palette.Pair(false).Colours[got]; colours[look.Entry(v.Numbers[i])] != want {
				t.Fatalf("point %d is not of the colour of its label", i)
			}
		}
		if l := v.Legend(c); l.Square == nil || l.Square.Titles != [2]string{"a", "b"} {
			t.Errorf("the legend %+v", l)
		}
	}
}

// A point of two columns tells both raw values.
func TestAPointTellsBothOfItsValues(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{0, 5, 100}},
		dataset.Column{Name: "b", Values: []float32{7, 0, nan}})
	how := transform.Column{Op: transform.Asinh, Params: transform.Params{5}, Weight: 1}
	x, y := Of(&ds.Columns[0], how, nil), Of(&ds.Columns[1], how, nil)
	v := Pair(x, y, Settings{High: 100})
	if got := v.Told(1); got != "a 5, b 0" {
		t.Errorf("a point says %q", got)
	}
	if v.Told(2) != "" || x.Told(1) != "" || v.Told(3) != "" {
		t.Error("something is told where there is nothing to tell")
	}
}

// A name cannot be one of two columns: the other stays alone.
func TestNamesAreNoPair(t *testing.T) {
	ds := table(t, dataset.Column{Name: "a", Values: []float32{1, 2}},
		dataset.Column{Name: "b", Categories: []string{"x", "y"}, Values: []float32{0, 1}})
	a, b := Of(&ds.Columns[0], transform.Column{}, nil), Of(&ds.Columns[1], transform.Column{}, nil)
	if Pair(a, b, Settings{}) != a || Pair(b, a, Settings{}) != b || Pair(a, nil, Settings{}) != a {
		t.Error("a pair of names")
	}
}
