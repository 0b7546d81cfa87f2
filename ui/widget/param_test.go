package widget

import (
	"math"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"
	"pgregory.net/rapid"
)

// Norm and Value are inverse to each other on every kind of track, and stay in their ranges.
func TestTrackRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Float64Range(-1e38, 1e38).Draw(t, "min")
		b := rapid.Float64Range(-1e38, 1e38).Draw(t, "max")
		p := Param{Min: min(a, b), Max: max(a, b), Log: rapid.Bool().Draw(t, "log")}
		if rapid.Bool().Draw(t, "small") {
			p.Min, p.Max = rapid.Float64Range(1e-6, 1).Draw(t, "lo"), rapid.Float64Range(1, 1e6).Draw(t, "hi")
		}
		if math.Abs(p.Min) < 1e-300 {
			p.Min = 0 // subnormal numbers have too few digits for a place
		}
		if math.Abs(p.Max) < 1e-300 {
			p.Max = 0
		}
		f := rapid.Float64Range(0, 1).Draw(t, "place")
		v := p.Value(f)
		if !(v >= p.Min && v <= p.Max) {
			t.Fatalf("%+v: value %v at %v is out of range", p, v, f)
		}
		if p.Max-p.Min <= 1e-9*math.Max(math.Abs(p.Min), math.Abs(p.Max)) {
			return // too narrow to tell places apart
		}
		if g := p.Norm(v); math.Abs(g-f) > 1e-6 {
			t.Fatalf("%+v: place %v gave %v, which is at %v", p, f, v, g)
		}
	})
}

// Whatever is in a variable, what a control makes of it is allowed.
func TestClampAlwaysInRange(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Param{Min: -3, Max: 7, Default: 1, Integer: rapid.Bool().Draw(t, "integer")}
		v := p.Clamp(rapid.Float64().Draw(t, "v"))
		if !(v >= p.Min && v <= p.Max) || (p.Integer && v != math.Trunc(v)) {
			t.Fatalf("clamped to %v", v)
		}
	})
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if w := (Param{Min: 0, Max: 1, Default: 0.5}).Clamp(v); !(w >= 0 && w <= 1) {
			t.Errorf("%v became %v", v, w)
		}
	}
	if v := (Param{Min: 2, Max: 2}).Value(0.7); v != 2 {
		t.Errorf("an empty range gave %v", v)
	}
	if v := (Param{Min: 2, Max: 2}).Norm(2); v != 0 {
		t.Errorf("an empty range has place %v", v)
	}
}

func TestParseTakesOnlyNumbers(t *testing.T) {
	p := Param{Min: -1000, Max: 1000, Unit: " %"}
	for s, want := range map[string]float64{"1": 1, " 2.5 ": 2.5, "3,5": 3.5, "4 %": 4, "5%": 5, "−6": -6, "1e2": 100,
		"+7": 7, ".5": 0.5} {
		if v, ok := p.Parse(s); !ok || v != want {
			t.Errorf("%q: %v %v, want %v", s, v, ok, want)
		}
	}
	for _, s := range []string{"", "x", "nan", "inf", "-Inf", "0x1p4", "1_000", "1,2,3", "--1", "1 2", "%"} {
		if v, ok := p.Parse(s); ok {
			t.Errorf("%q was taken for %v", s, v)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if v, ok := p.Parse(rapid.String().Draw(t, "text")); ok && !(v >= p.Min && v <= p.Max) {
			t.Fatalf("out of range: %v", v)
		}
	})
}

func TestKeyParts(t *testing.T) {
	for s, n := range map[string]int{"": 0, "A": 1, "+": 1, "Ctrl+Z": 2, "Ctrl++": 2, "Ctrl+Shift+Z": 3} {
		p := keyParts(s)
		if len(p) != n {
			t.Errorf("%q: %q", s, p)
		}
		for _, k := range p {
			if k == "" {
				t.Errorf("%q has an empty key: %q", s, p)
			}
		}
	}
}

func TestColors(t *testing.T) {
	c := Hex(0x1f6feb)
	if r, g, b, a := c.Bytes(); r != 0x1f || g != 0x6f || b != 0xeb || a != 255 {
		t.Errorf("%x %x %x %x", r, g, b, a)
	}
	if c.Mix(Hex(0), 0) != c || c.Mix(Hex(0), 1) != Hex(0) || c.Alpha(1) != c || c.Alpha(0)>>24 != 0 {
		t.Error("Mix or Alpha changes a colour at its ends")
	}
	// apply fills ImGui's table by index.
	if imgui.ColCOUNT != 62 {
		t.Errorf("ImGui has %d colours, the theme sets 62", imgui.ColCOUNT)
	}
}

// A number that has too little room is shown by fewer digits, or by none: what is read is never another number.
func TestNumbersAreNeverCutIntoOthers(t *testing.T) {
	for _, p := range []Param{{Min: -1e300, Max: 1e300}, {Min: 0, Max: 1e9, Integer: true},
		{Min: -1e5, Max: 1e5, Format: "%.3f", Unit: " px"}, {Min: 0, Max: 1, Format: "%.4f"}} {
		rapid.Check(t, func(t *rapid.T) {
			v := p.Value(rapid.Float64Range(0, 1).Draw(t, "place"))
			room := rapid.IntRange(1, 14).Draw(t, "characters")
			s := p.fit(v, func(s string) bool { return len([]rune(s)) <= room })
			if s == "…" {
				if room >= 8 { // a sign, a digit, e, a sign and three digits
					t.Fatalf("%g is not shown in %d characters", v, room)
				}
				return
			}
			read, ok := Param{Min: -math.MaxFloat64, Max: math.MaxFloat64, Unit: p.Unit}.Parse(s)
			if !ok || len([]rune(s)) > room {
				t.Fatalf("%g is %q in %d characters", v, s, room)
			}
			if tiny := math.Abs(v) < 1e-3 && p.Format != ""; !tiny && math.Abs(read-v) > math.Abs(v)/2 {
				t.Fatalf("%g is %q, read as %g", v, s, read)
			}
		})
	}
}
