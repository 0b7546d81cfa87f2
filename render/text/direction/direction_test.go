package direction

import (
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/text/unicode/bidi"
)

// Lines stand as the rules of UAX #9 have them; Hebrew letters are written as their numbers, from alef = \u05d0.
func TestLinesStandFromLeftToRight(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"latin", "CD4 (T cells) 10 %", "CD4 (T cells) 10 %"},
		{"greek", "γδ T", "γδ T"},
		{"hebrew", "\u05d0\u05d1\u05d2", "\u05d2\u05d1\u05d0"},
		{"two words", "\u05d0\u05d1 \u05d2\u05d3", "\u05d3\u05d2 \u05d1\u05d0"},
		{"arabic", "\u0628\u062a", "\u062a\u0628"},
		{"latin within", "\u05d0 CD4 \u05d1", "\u05d1 CD4 \u05d0"},
		{"hebrew within", "CD4 \u05d0\u05d1 low", "CD4 \u05d1\u05d0 low"},
		{"number behind", "\u05d0\u05d1 12", "12 \u05d1\u05d0"},
		{"number within latin", "x \u05d0\u05d1 12", "x 12 \u05d1\u05d0"},
		{"number, then latin", "x \u05d0\u05d1 12 y", "x 12 \u05d1\u05d0 y"},
		{"number at latin", "x \u05d0\u05d1 12y", "x 12 \u05d1\u05d0y"},
		{"decimal", "\u05d0 1.5 \u05d1", "\u05d1 1.5 \u05d0"},
		{"share", "x \u05d0 10% y", "x 10% \u05d0 y"},
		{"brackets", "\u05d0 (\u05d1)", "(\u05d1) \u05d0"},
		{"brackets within latin", "a (\u05d0): 0 b", "a (\u05d0): 0 b"},
		{"brackets go on", "a \u05d0 (\u05d1) b", "a (\u05d1) \u05d0 b"},
		{"nested brackets", "a [b (\u05d0\u05d1)] 1", "a [b (\u05d1\u05d0)] 1"},
		{"a bracket alone", "\u05d0) \u05d1", "\u05d1 (\u05d0"},
		{"numbers in brackets", "\u05d0 (12)", "(12) \u05d0"},
		{"latin brackets", "\u05d0 (CD4)", "(CD4) \u05d0"},
		{"marks", "\u05d0\u05b8\u05d1", "\u05d1\u05d0\u05b8"},
		{"lines", "\u05d0\u05d1\nab\n\u05d2\u05d3", "\u05d1\u05d0\nab\n\u05d3\u05d2"},
		{"embedding", "\u202b\u05d0\u05d1\u202c", "\u05d1\u05d0"},
		{"nothing", "", ""},
	} {
		if got := Line(c.in); got != c.want {
			t.Errorf("%s: %+q, want %+q", c.name, got, c.want)
		}
	}
	for s, want := range map[string]bool{"\u05d0 CD4": true, "CD4 \u05d0": false, "1 \u0628": true, "12": false} {
		if FromRight(s) != want {
			t.Errorf("%+q as a whole is read from the right: %v", s, !want)
		}
	}
}

// Whatever a line has, its characters are all there once, brackets perhaps turned; a line without letters that are read
// from the right is as it was, and one of these alone is turned round.
func TestLinesKeepTheirCharacters(t *testing.T) {
	seed := rand.Uint64()
	rng, some := rand.New(rand.NewPCG(seed, 1)), []rune("ab 12.,%-+()[]<>:\u05d0\u05d1\u05b8\u0628\u0661\u200f\u200e\t")
	plain := func(s string) []rune {
		out := []rune(s)
		for i, r := range out {
			if p, _ := bidi.LookupRune(r); p.IsBracket() && !p.IsOpeningBracket() {
				out[i] = mirrored(r)
			}
		}
		slices.Sort(out)
		return out
	}
	for range 3000 {
		var line []rune
		for range rng.IntN(12) {
			line = append(line, some[rng.IntN(len(some))])
		}
		s := string(line)
		got := Line(s)
		if !slices.Equal(plain(got), plain(s)) {
			t.Fatalf("seed %d: %+q became %+q", seed, s, got)
		}
		if !Mixed(s) && got != s {
			t.Fatalf("seed %d: %+q became %+q", seed, s, got)
		}
	}
	if got := Line("\u05d0\u05d1\u05d2\u05d3"); got != "\u05d3\u05d2\u05d1\u05d0" {
		t.Errorf("%+q", got)
	}
}
