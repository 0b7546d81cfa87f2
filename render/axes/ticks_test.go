package axes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/data/dataset"
	"blossom/model/space/transform"
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

// digits is a font of six pixels a letter.
func digits(s string) float64 { return 6 * float64(len([]rune(s))) }

func texts(ticks []Tick) string {
	var out []string
	for _, t := range ticks {
		if t.Text != "" {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, " ")
}

func TestTicks(t *testing.T) {
	asinh := func(x float64) float64 { return math.Asinh(x / 150) }
	for _, c := range []struct {
		name   string
		scale  string
		lo, hi float64
		length float64
		want   string
	}{
		{"plain", "none", -6.2, 8.1, 320, "−6 −4 −2 0 2 4 6 8"},
		{"plain, few", "none", -6.2, 8.1, 120, "−5 0 5"},
		{"small numbers", "none", 0.011, 0.034, 200, "0.02 0.03"},
		{"fluorescence", "asinh:150", asinh(-300), asinh(60000), 320, "0 10³ 10⁴"},
		{"negative too", "asinh:150", asinh(-20000), asinh(60000), 480, "−10⁴ −10³ 0 10³ 10⁴"},
		{"within a decade", "asinh:150", asinh(2000), asinh(9000), 160, "2,000 5,000"},
		{"mass", "asinh:5", math.Asinh(-0.1), math.Asinh(40), 360, "0 10 100"},
		{"logicle", "logicle:262144:0.8", -1.8, 8.5, 360, "0 10³ 10⁴ 10⁵"},
		{"hyperlog", "hyperlog:262144:0.8", -1.8, 8.5, 360, "0 10³ 10⁴ 10⁵"},
		{"asinh by decades", "fasinh:262144:4", -1.8, 9.2, 360, "−100 0 100 10³ 10⁴ 10⁵"},
		{"log by decades", "flog:10000:4:1", 0.5, 9.4, 360, "10 100 10³ 10⁴"},
		{"straight to 1", "flin:1000:100", 0, 1, 240, "0 200 400 600 800 1,000"},
		{"biex", "biex:-100:0:4.42:262144", -1.5, 8, 360, "0 10³ 10⁴ 10⁵"},
		{"log", "log:1", 0.2, 4.1, 360, "10 100 10³ 10⁴"},
		{"an even scale", "linear:2:1", 1, 21, 240, "0 2 4 6 8 10"},
		{"a falling one", "linear:-1", -3, 3, 280, "3 2 1 0 −1 −2 −3"},
		{"nothing between", "none", 1, 1, 200, ""},
		{"the wrong way", "none", 2, 1, 200, ""},
		{"no number", "none", math.NaN(), 1, 200, ""},
		{"endless", "none", math.Inf(-1), 1, 200, ""},
	} {
		a := Axis{Scale: scale(t, c.scale, 1, 10, 100)}
		if got := texts(a.Ticks(c.lo, c.hi, c.length, digits)); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := texts((Axis{}).Ticks(0, 10, 200, digits)); got != "0 2 4 6 8 10" {
		t.Errorf("without a scale: %q", got)
	}
}

// A factor moves the ticks and changes none of their values.
func TestFactor(t *testing.T) {
	plain := Axis{Scale: scale(t, "asinh:150")}
	wide := Axis{Scale: plain.Scale, Factor: 40}
	a, b := plain.Ticks(-1, 6, 400, digits), wide.Ticks(-40, 240, 400, digits)
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
		text := rapid.SampledFrom([]string{"none", "asinh:150", "asinh:5", "logicle:1000:0.5", "log:1",
			"hyperlog:1000:1",
			"fasinh:1000:4", "flin:1000:10", "biex:-10:1:4.42:262144",
			"linear:-3:2"}).Draw(t, "scale")
		a := Axis{Scale: scale(t, text, 1, 2, 300)}
		lo := rapid.Float64Range(-12, 12).Draw(t, "lo")
		hi := lo + rapid.Float64Range(1e-3, 20).Draw(t, "span")
		length := rapid.Float64Range(1, 2000).Draw(t, "length")
		ticks := a.Ticks(lo, hi, length, digits)
		rises := func(y float64) bool { return a.Scale.Inverse(y) < a.Scale.Inverse(y+(hi-lo)/100) }
		whole := text != "log:1" && rises(lo) && rises(hi-(hi-lo)/100) // a scale may end between them
		if len(ticks) > 40 || (whole || strings.HasPrefix(text, "linear")) && length > 400 && len(ticks) < 2 {
			t.Fatalf("%d ticks on %v pixels", len(ticks), length)
		}
		last := Tick{Pos: math.Inf(-1)} // with a text
		for i, tick := range ticks {
			if tick.At < lo || tick.At > hi || tick.Text == "" && strings.HasPrefix(text, "linear") {
				t.Fatalf("%+v is not between %g and %g", tick, lo, hi)
			}
			if math.Abs(tick.Pos-(tick.At-lo)/(hi-lo)*length) > 1e-6 {
				t.Fatalf("%+v is drawn elsewhere", tick)
			}
			if i > 0 && !(tick.At > ticks[i-1].At) {
				t.Fatalf("%+v comes before %+v", ticks[i-1], tick)
			}
			if tick.Text == "" {
				continue
			}
			if tick.Pos-last.Pos < (tick.Wide+last.Wide)/2 {
				t.Fatalf("%+v overlaps %+v", last, tick)
			}
			last = tick
		}
	})
}

// Where the text of a power of ten has no room there is its mark, so that no decade seems to be missing.
func TestEveryDecadeHasAMark(t *testing.T) {
	for _, c := range []struct {
		scale          string
		lo, hi, length float64
		decades        []float64 // decades that must have a mark
	}{
		{"log:1", -0.2, 8.2, 110, []float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}},
		{"asinh:150", math.Asinh(-2000. / 150), math.Asinh(1e5 / 150), 130, []float64{-1e3, 0, 1e3, 1e4}},
		{"asinh:5", math.Asinh(-10. / 5), math.Asinh(1e4 / 5), 110, []float64{-10, 0, 10, 100, 1e3, 1e4}},
	} {
		a := Axis{Scale: scale(t, c.scale, 1, 10, 100)}
		ticks := a.Ticks(c.lo, c.hi, c.length, digits)
		for _, x := range c.decades {
			at := a.coordinate(x)
			if !slices.ContainsFunc(ticks, func(o Tick) bool { return math.Abs(o.At-at) < 1e-4*(c.hi-c.lo) }) {
				t.Errorf("%s: no mark at %g: %+v", c.scale, x, ticks)
			}
		}
		for i := 1; i < len(ticks); i++ {
			if d := ticks[i].Pos - ticks[i-1].Pos; d < 3 {
				t.Errorf("%s: marks %g pixels apart", c.scale, d)
			}
		}
	}
}

// Numbers of a column far from 0 tell its ticks apart.
func TestTicksFarFromZeroAreToldApart(t *testing.T) {
	for _, far := range []float64{2e7, 1e9, 1.7e18} {
		set, err := transform.Parse(fmt.Sprintf("linear:1:%g", -far))
		if err != nil {
			t.Fatal(err)
		}
		f := transform.FunctionOf(nil, set)
		spread := max(10, far/1e12)
		seen := map[string]bool{}
		ticks := Axis{Scale: &f}.Ticks(-spread, spread, 2000, func(s string) float64 { return 6 * float64(len(s)) })
		for _, tick := range ticks {
			seen[tick.Text] = true
		}
		if len(ticks) < 3 || len(seen) < len(ticks) {
			t.Errorf("from %g on: %+v", far, ticks)
		}
	}
}
