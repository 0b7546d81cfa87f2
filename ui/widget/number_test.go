package widget

import (
	"math"
	"testing"
)

// A cofactor of 10000 is shown as such.
func TestNumbersAsPeopleWriteThem(t *testing.T) {
	for x, want := range map[float64]string{10000: "10000", 12345.6: "12346", 1234.5: "1234", 150: "150", 0.25: "0.25",
		1e7: "1e7", 123456789: "1.235e8", 0.00001: "1e-5", -20000: "-20000", 0: "0", 999.96: "1000"} {
		p := Param{Min: -1e12, Max: 1e12}
		if got := p.Text(x); got != want {
			t.Errorf("%g is shown as %q, want %q", x, got, want)
		}
		if back, ok := p.Parse(p.Text(x)); !ok || math.Abs(back-x) > 1e-3*math.Abs(x) {
			t.Errorf("%q is read as %g, %v", p.Text(x), back, ok)
		}
	}
	if got := (Param{Min: -1, Max: 1, Format: "%.2f"}).Text(-0.001); got != "0.00" {
		t.Errorf("a little less than nothing is shown as %q", got)
	}
	for x, want := range map[float64]string{12345.6: "12346", 1e6: "1000000", 2e7: "2e7", math.Copysign(0, -1): "0"} {
		if got := Figure(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
}

// A word like "max" or "endless" is no place on the track: its chip stands beside it, and no number of the track has
// its meaning.
func TestWordsAreNoEndsOfSliders(t *testing.T) {
	for _, p := range []Param{{Min: 1, Max: 1e7, Log: true, Integer: true, Zero: "max"},
		{Min: 0.01, Max: 1000, Default: 10, Log: true, Zero: "endless"}, {Min: 0.1, Max: 20, Zero: "auto", Now: 1.6}} {
		for at := 0.0; at <= 1; at += 0.01 {
			if v := p.Value(at); p.special(v) || p.Text(v) == p.Zero {
				t.Errorf("%q is at %g of the track", p.Zero, at)
			}
		}
		if at := p.Norm(p.begin()); at <= 0 || at >= 1 {
			t.Errorf("with %q the knob stands at the end %g", p.Zero, at)
		}
	}
}
