package transform

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// The values that Gating-ML 2.0 prints for T = 1000, W = 1, M = 4, A = 0.
func TestLogicleIsThatOfGatingML(t *testing.T) {
	f := FunctionOf(nil, Column{Op: Logicle, Params: Params{1000, 1, 4}})
	place := ByID(Logicle).Standard(f.Params).Place
	for x, want := range map[float64]float64{-10: 0.067574, -5: 0.147986, -1: 0.228752, 0: 0.25, 0.3: 0.256384,
		1: 0.271248, 3: 0.312897, 10: 0.432426, 100: 0.739548, 1000: 1} {
		if got := place(f.Forward(x)); math.Abs(got-want) > 6e-7 {
			t.Errorf("%g is at %.7f, want %g", x, got, want)
		}
	}
}

// fixed is the scale of just these numbers: W may be 0.
func fixed(p Params) Func { return Func{Params: p, curve: logicleCurve(p)} }

func genLogicle(t *rapid.T) Column {
	var p Params
	p[logicleT] = math.Pow(10, rapid.Float64Range(-6, 12).Draw(t, "log T"))
	p[logicleM] = rapid.Float64Range(0.1, 20).Draw(t, "M")
	p[logicleW] = rapid.Float64Range(0, p[logicleM]/2).Draw(t, "W")
	p[logicleA] = rapid.Float64Range(-p[logicleW], p[logicleM]-2*p[logicleW]).Draw(t, "A")
	if why := logicleWrong(p); why != "" {
		t.Fatal(why)
	}
	return Column{Op: Logicle, Params: p, Weight: 1}
}

// The scale is the biexponential a e^(by) - c e^(-dy) - f of Moore and Parks, of places from 0 to 1.
func TestLogicleIsTheBiexponentialOfItsParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genLogicle(t)
		T, W, M, A := c.Params[logicleT], c.Params[logicleW], c.Params[logicleM], c.Params[logicleA]
		w, x2, b := W/(M+A), A/(M+A), (M+A)*math.Ln10
		x1, x0 := x2+w, x2+2*w
		d := b * logicleRatio(W)
		if e := 2*(math.Log(d)-math.Log(b)) + w*(d+b); math.Abs(e) > 1e-12*(1+w*(d+b)) {
			t.Fatalf("d = %g is no root: %g", d, e)
		}
		ca := math.Exp(x0 * (b + d))
		fa := math.Exp(b*x1) - ca*math.Exp(-d*x1)
		a := T / (math.Exp(b) - fa - ca*math.Exp(-d))
		y := rapid.Float64Range(x1, 1).Draw(t, "y")
		want := a * (math.Exp(b*y) - ca*math.Exp(-d*y) - fa)
		rounding := 1e-13 * a * (math.Exp(b*y) + ca*math.Exp(-d*y) + math.Abs(fa))
		if got := fixed(c.Params).Inverse(y * (M + A)); math.Abs(got-want) > rounding+1e-10*want {
			t.Fatalf("%g comes from %g, want %g", y, got, want)
		}
	})
}

// Values come back, larger ones lie further up, those of the other sign as far on the other side of zero, and the top
// lies at M + A.
func TestLogicleRisesAndLeadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genLogicle(t)
		f := fixed(c.Params)
		T, zero := c.Params[logicleT], c.Params[logicleW]+c.Params[logicleA]
		x := T * math.Pow(10, rapid.Float64Range(-20, 40).Draw(t, "size"))
		y := f.Forward(x)
		if back := f.Inverse(y); math.Abs(back-x) > 1e-11*x+1e-14*(f.Inverse(y+1)-x) {
			t.Fatalf("%v: %g comes back as %g", c, x, back)
		}
		if other := f.Forward(-x); math.Abs(other-zero+y-zero) > 1e-14*(math.Abs(y)+math.Abs(zero)) {
			t.Fatalf("%v: %g lies at %g, %g at %g", c, x, y, -x, other)
		}
		if far := f.Forward(1.001 * x); far < y || far == y && x > 1e-9*T {
			t.Fatalf("%v: %g lies at %g, a larger value at %g", c, x, y, far)
		}
		top := c.Params[logicleM] + c.Params[logicleA]
		if y := f.Forward(T); math.Abs(y-top) > 1e-12*(1+top) || f.Forward(0) != zero || f.Inverse(zero) != 0 {
			t.Fatalf("%v: the top lies at %g, zero at %g", c, y, f.Forward(0))
		}
	})
}

// Values that are as large as numbers get have a finite place, and what is none stays what it is.
func TestLogicleOfTheLargestValues(t *testing.T) {
	for _, p := range []Params{{1e-30, 0.5, 20}, {1e30, 2, 4.5}, {262144, 0, 4.5}} {
		f := fixed(p)
		before := f.Forward(1)
		for _, x := range []float64{1e100, 1e150, 1e200, math.MaxFloat64} {
			y := f.Forward(x)
			if !(y > before) || math.IsInf(y, 0) || math.Abs(f.Forward(-x)+y-2*p[logicleW]) > 1e-9 {
				t.Errorf("%v: %g lies at %g, smaller ones at %g", p, x, y, before)
			}
			before = y
		}
		if x := f.Forward(math.NaN()); x == x || f.Forward(math.Inf(-1)) != math.Inf(-1) {
			t.Errorf("%v: what is no number became one", p)
		}
	}
}

// The top is the largest value, and the width has the 5th percentile of the negative values at its lower end.
func TestLogicleTakesTopAndWidthFromTheColumn(t *testing.T) {
	v := []float32{nan, inf, 10000, 5}
	for i := range 100 {
		v = append(v, -float32(i+1), float32(i))
	}
	for text, want := range map[string]Params{
		"logicle":            {10000, (4.5 - math.Log10(10000.0/96)) / 2, 4.5},
		"logicle:262144":     {262144, (4.5 - math.Log10(262144.0/96)) / 2, 4.5},
		"logicle:0:0.7":      {10000, 0.7, 4.5},
		"logicle:0:0:4:0.25": {10000, (4 - math.Log10(10000.0/96)) / 2, 4, 0.25},
		"logicle:0:0:4:3.5":  {10000, 0.25, 4, 3.5}, // no wider than M and A leave it
		"logicle:1e+12":      {1e12, logicleLeast, 4.5},
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got := mustBuild(t, table(v), Spec{Columns: []Column{c}}, nil).Frozen().Columns[0]
		for i := range want {
			if math.Abs(got.Params[i]-want[i]) > 1e-12 {
				t.Errorf("%s takes %v from the column, want %v", text, got.Params, want)
			}
		}
		if again, err := Parse(got.String()); err != nil || again.Params != got.Params || c.String() != text {
			t.Errorf("%s and %s are read as %v, %v", c, got, again, err)
		}
	}
	for _, v := range [][]float32{{}, {nan}, {-3, -2, -1}, {1, 2}, {0, 0}, {1e38, -1e38}, {1e-40}} {
		c := table(v).Columns[0]
		f := FunctionOf(&c, Column{Op: Logicle, Params: Params{0, 0, 4.5}})
		if why := logicleWrong(f.Params); why != "" || f.Params[logicleW] == 0 || f.Params[logicleT] == 0 {
			t.Errorf("%v gives %v: %s", v, f.Params, why)
		}
	}
}

func BenchmarkLogicle(b *testing.B) {
	f := FunctionOf(nil, Column{Op: Logicle, Params: Params{262144, 0.8, 4.5}})
	for i := 0; b.Loop(); i++ {
		f.Forward(float64(i%1000)*float64(i%270) - 1000)
	}
}
