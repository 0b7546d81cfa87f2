package transform

import (
	"math"
	"strings"
	"testing"

	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

func genLogicle(t *rapid.T) Column {
	var p Params
	p[scaleT] = math.Pow(10, rapid.Float64Range(-6, 12).Draw(t, "log T"))
	p[scaleM] = rapid.Float64Range(0.1, 20).Draw(t, "M")
	p[scaleW] = rapid.Float64Range(0, p[scaleM]/2).Draw(t, "W")
	p[scaleA] = rapid.Float64Range(-p[scaleW], p[scaleM]-2*p[scaleW]).Draw(t, "A")
	if why := wrongEven("logicle", p, false); why != "" {
		t.Fatal(why)
	}
	return Column{Op: Logicle, Params: p, Weight: 1}
}

// The scale is the biexponential a e^(by) - c e^(-dy) - f of Moore and Parks, of places from 0 to 1.
func TestLogicleIsTheBiexponentialOfItsParameters(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genLogicle(t)
		T, W, M, A := c.Params[scaleT], c.Params[scaleW], c.Params[scaleM], c.Params[scaleA]
		w, x2, b := W/(M+A), A/(M+A), (M+A)*math.Ln10
		x1, x0 := x2+w, x2+2*w
		r := func() float64 { // by bisection: ln r + W ln 10 (1 + r) / 2 rises
			low, high := 0.0, 1.0
			for range 200 {
				if m := (low + high) / 2; math.Log(m)+W*math.Ln10*(1+m)/2 < 0 {
					low = m
				} else {
					high = m
				}
			}
			return high
		}()
		d := b * r
		ca := math.Exp(x0 * (b + d))
		fa := math.Exp(b*x1) - ca*math.Exp(-d*x1)
		a := T / (math.Exp(b) - fa - ca*math.Exp(-d))
		y := rapid.Float64Range(x1, 1).Draw(t, "y")
		want := a * (math.Exp(b*y) - ca*math.Exp(-d*y) - fa)
		rounding := 1e-12 * a * (math.Exp(b*y) + ca*math.Exp(-d*y) + math.Abs(fa))
		if got := FunctionOf(nil, c).Inverse((y - x1) * b); math.Abs(got-want) > rounding+1e-10*want {
			t.Fatalf("%g comes from %g, want %g", y, got, want)
		}
	})
}

// Far from zero one unit is a factor of e, as it is of asinh; zero lies at 0, and the top at (M - W) ln 10.
func TestLogicleInTheMapHasTheUnitOfAsinh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genLogicle(t)
		f := FunctionOf(nil, c)
		top, want := f.Forward(c.Params[scaleT]), (c.Params[scaleM]-c.Params[scaleW])*math.Ln10
		if math.Abs(top-want) > 1e-12*(1+want) || f.Forward(0) != 0 || f.Inverse(0) != 0 {
			t.Fatalf("%v: the top lies at %g, zero at %g", c, top, f.Forward(0))
		}
		far := c.Params[scaleT] * 1e30
		if unit := f.Forward(math.E*far) - f.Forward(far); math.Abs(unit-1) > 1e-9 {
			t.Fatalf("%v: a factor of e is %g far from zero", c, unit)
		}
	})
}

// The top is the end of the instrument's scale, and the width has the 5th percentile of the negative values at its
// lower end; without any it is 0.
func TestLogicleTakesTopAndWidthFromTheColumn(t *testing.T) {
	v := []float32{nan, inf, 10000, 5}
	for i := range 101 {
		v = append(v, -float32(i+1), float32(i))
	}
	// The 5th percentile of -101 to -1 is -96.
	for text, want := range map[string]Params{
		"logicle":                 {10240, (4.5 - math.Log10(10240.0/96)) / 2, 4.5},
		"logicle:262144":          {262144, (4.5 - math.Log10(262144.0/96)) / 2, 4.5},
		"logicle:0:0.7":           {10240, 0.7, 4.5},
		"logicle:0:0":             {10240, 0, 4.5},
		"logicle:0:auto:4:0.25":   {10240, (4 - math.Log10(10240.0/96)) / 2, 4, 0.25},
		"logicle:0:auto:4:3.5":    {10240, 0.25, 4, 3.5}, // no wider than M and A leave it
		"logicle:0:auto:4.5:-0.8": {10240, (4.5 - math.Log10(10240.0/96)) / 2, 4.5, -0.8},
		"logicle:1e+12":           {1e12, 0, 4.5},
	} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		ds := table(v)
		ds.Columns[0].Range = 10240
		got := mustBuild(t, ds, Spec{Columns: []Column{c}}, nil).Frozen().Columns[0]
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
		for _, id := range []ID{Logicle, Hyperlog, LogicleDecades} {
			f := FunctionOf(&c, Column{Op: id, Params: ByID(id).Defaults()})
			if why := ByID(id).wrong(f.Params); why != "" || f.Params[scaleW] < 0 || f.Params[scaleT] == 0 {
				t.Errorf("%s of %v is %v: %s", id, v, f.Params, why)
			}
		}
	}
}

// Logicle that earlier versions wrote is read as it was meant: in decades, zero at A + W, the top the column's largest
// value, and 0 for a width of the column.
func TestLogicleOfEarlierVersionsKeepsItsMeaning(t *testing.T) {
	v := []float32{10000, 5, 2}
	for text, want := range map[string]Params{
		"logicle":                 {10000, 0.5, 4.5},
		"biexponential":           {10000, 0.5, 4.5},
		" Logicle:0:0:4:0.25":     {10000, 0.5, 4, 0.25},
		"logicle:262144:0.75":     {262144, 0.75, 4.5},
		"logicle:1000:0.6:4.2:.3": {1000, 0.6, 4.2, 0.3},
	} {
		c, err := ParseFile(text)
		if err != nil {
			t.Fatal(err)
		}
		column := dataset.Column{Values: v, Range: 262144}
		f := FunctionOf(&column, c)
		if f.Params != want {
			t.Errorf("%s takes %v, want %v", text, f.Params, want)
		}
		now := FunctionOf(nil, Column{Op: Logicle, Params: f.Params})
		for _, x := range []float64{-300, 0, 0.1, 77, 1e5} {
			decades := f.Params[scaleW] + f.Params[scaleA] + now.Forward(x)/math.Ln10
			if got := f.Forward(x); math.Abs(got-decades) > 1e-12 || math.Abs(f.Inverse(got)-x) > 1e-9*(1+math.Abs(x)) {
				t.Errorf("%s: %g lies at %g, want %g", text, x, got, decades)
			}
		}
		if again, err := ParseFile(c.File()); err != nil || again != c {
			t.Errorf("%s is read again as %v, %v", c, again, err)
		}
		if again, err := Parse(c.String()); err != nil || again != c {
			t.Errorf("%s is typed again as %v, %v", c, again, err)
		}
	}
	typed, err := Parse("logicle:1000:0.6")
	if err != nil || typed.Op != Logicle || typed.File() != "logicle-e:1000:0.6" {
		t.Errorf("typed logicle is %v in files, %v", typed.File(), err)
	}
	if again, err := ParseFile(typed.File()); err != nil || again != typed {
		t.Errorf("%v is read again as %v, %v", typed, again, err)
	}
	for text, want := range map[string]string{"CD3=logicle": "CD3=logicle-e", "logicle:auto:0.7": "logicle-e:0:0.7",
		"asinh": "asinh", "a=b=asinh:5": "a=b=asinh:5", "logicle:x": "logicle:x"} {
		if got := FileSetting(text); got != want {
			t.Errorf("%s is kept as %s, want %s", text, got, want)
		}
	}
}

func BenchmarkLogicle(b *testing.B) {
	f := FunctionOf(nil, Column{Op: Logicle, Params: Params{262144, 0.8, 4.5}})
	for i := 0; b.Loop(); i++ {
		f.Forward(float64(i%1000)*float64(i%270) - 1000)
	}
}

func BenchmarkLogicleOfManyValues(b *testing.B) {
	f := FunctionOf(nil, Column{Op: Logicle, Params: Params{262144, 0.8, 4.5}})
	v, raw := make([]float32, 1024), make([]float32, 1024)
	for i := range raw {
		raw[i] = float32(i*i%270000 - 1000)
	}
	for b.Loop() {
		copy(v, raw)
		f.block(v)
	}
}

// A top that is too large is refused with the largest that there may be.
func TestATopThatIsTooLargeIsToldTheLargest(t *testing.T) {
	if _, err := ParseFile("logicle:1e30"); err != nil {
		t.Error(err)
	}
	if _, err := ParseFile("logicle:1e308"); err == nil || !strings.Contains(err.Error(), "at most 1e30") {
		t.Errorf("it says %v", err)
	}
}
