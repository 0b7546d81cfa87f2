package axes

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/dataset"
	"blossom/model/transform"
)

// scale is the resolved transform of a column that holds the values.
func scale(t interface {
	Helper()
	Fatal(...any)
}, text string, values ...float32) *transform.Func {
	t.Helper()
	set, err := transform.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f := transform.FunctionOf(&dataset.Column{Values: values}, set)
	return &f
}

func texts(ticks []Tick) string {
	var out []string
	for _, t := range ticks {
		out = append(out, t.Text)
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	asinh := func(x float64) float64 { return math.Asinh(x / 150) }
	for _, c := range []struct {
		name   string
		scale  string
		lo, hi float64
		most   int
		want   string
	}{
		{"plain", "none", -6.2, 8.1, 8, "−6 −4 −2 0 2 4 6 8"},
		{"plain, few", "none", -6.2, 8.1, 3, "−5 0 5"},
		{"small numbers", "none", 0.011, 0.034, 5, "0.015 0.020 0.025 0.030"},
		{"fluorescence", "asinh:150", asinh(-300), asinh(60000), 8, "0 10³ 10⁴"},
		{"negative too", "asinh:150", asinh(-20000), asinh(60000), 12, "−10⁴ −10³ 0 10³ 10⁴"},
		{"within a decade", "asinh:150", asinh(2000), asinh(9000), 4, "2,000 4,000 6,000"},
		{"mass", "asinh:5", math.Asinh(-0.1), math.Asinh(40), 9, "0 10 100"},
		{"log", "log:1", 0.2, 4.1, 9, "10 100 10³ 10⁴"},
		{"an even scale", "linear:2:1", 1, 21, 6, "0 2 4 6 8 10"},
		{"a falling one", "linear:-1", -3, 3, 7, "3 2 1 0 −1 −2 −3"},
		{"nothing between", "none", 1, 1, 5, ""},
		{"the wrong way", "none", 2, 1, 5, ""},
		{"no number", "none", math.NaN(), 1, 5, ""},
		{"endless", "none", math.Inf(-1), 1, 5, ""},
	} {
		a := Axis{Scale: scale(t, c.scale, 1, 10, 100)}
		if got := texts(a.Ticks(c.lo, c.hi, c.most)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := texts((Axis{}).Ticks(0, 10, 5)); got != "0.0 2.5 5.0 7.5 10.0" {
		t.Errorf("without a scale: %q", got)
	}
}

// A factor moves the ticks and changes none of their values.
func TestFactor(t *testing.T) {
	plain := Axis{Scale: scale(t, "asinh:150")}
	wide := Axis{Scale: plain.Scale, Factor: 40}
	a, b := plain.Ticks(-1, 6, 9), wide.Ticks(-40, 240, 9)
	if texts(a) != texts(b) || len(a) == 0 {
		t.Fatalf("%q, %q", texts(a), texts(b))
	}
	for i := range a {
		if math.Abs(b[i].At-40*a[i].At) > 1e-9 {
			t.Errorf("%+v, %+v", a[i], b[i])
		}
	}
}

// Ticks lie where their text says, between the ends, ascending, with room between them.
func TestTicksAreTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom([]string{"none", "asinh:150", "asinh:5", "log:1", "linear:-3:2"}).Draw(t, "scale")
		a := Axis{Scale: scale(t, text, 1, 2, 300)}
		lo := rapid.Float64Range(-12, 12).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 20).Draw(t, "span")
		most := rapid.IntRange(1, 20).Draw(t, "most")
		ticks := a.Ticks(lo, hi, most)
		if len(ticks) > most+1 {
			t.Fatalf("%d ticks", len(ticks))
		}
		for i, tick := range ticks {
			if tick.At < lo || tick.At > hi || tick.Text == "" {
				t.Fatalf("%+v is not between %g and %g", tick, lo, hi)
			}
			if i > 0 && tick.At-ticks[i-1].At < (hi-lo)/float64(most)*(1-1e-9) {
				t.Fatalf("%+v and %+v are too near", ticks[i-1], tick)
			}
		}
	})
}
