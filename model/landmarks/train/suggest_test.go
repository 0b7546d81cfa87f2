package train

import (
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Suggested epochs have two digits, as people write them, and give every landmark its samples.
func TestSuggestedEpochs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(1, 60).Draw(t, "side")
		n := rapid.IntRange(1, 200_000_000).Draw(t, "n")
		for _, id := range []string{"som", "kmeans"} {
			x := Suggest(id, n, grid(side, side))["epochs"]
			enough := SamplesPerLandmark * float64(side*side) / float64(n)
			if x < enough && x < paramEpochs.Max || x > 1.1001*enough {
				t.Fatalf("%s: %g epochs for %g", id, x, enough)
			}
			if s := strconv.FormatFloat(x, 'e', -1, 64); len(strings.Split(s, "e")[0]) > 3 {
				t.Fatalf("%s: %s is not of two digits", id, s)
			}
		}
	})
	for _, c := range []struct {
		n    int
		want float64
	}{{50_000, 2}, {48_842, 2.1}, {1_000_000, 0.1}, {1_200_000, 0.084}, {7_000, 15}, {100, 1000}, {1, 1000}} {
		if x := Suggest("som", c.n, grid(20, 20))["epochs"]; x != c.want {
			t.Errorf("%d points: %g epochs, want %g", c.n, x, c.want)
		}
	}
}

// The values of a training are all of its parameters, each possible.
func TestValuesAreAll(t *testing.T) {
	pos := grid(12, 9)
	for _, a := range All() {
		v := Values(a.ID, 5000, pos)
		if len(v) != len(a.Params) {
			t.Errorf("%s: %d values of %d", a.ID, len(v), len(a.Params))
		}
		suggested := Suggest(a.ID, 5000, pos)
		for _, p := range a.Params {
			want, ok := suggested[p.ID]
			if !ok {
				want = p.Default
			}
			if x, ok := v[p.ID]; !ok || x != want || p.Clamp(x) != x {
				t.Errorf("%s: %s is %g, want %g", a.ID, p.ID, x, want)
			}
		}
	}
	if v := Values("unknown", 10, pos); len(v) != 0 {
		t.Errorf("an unknown training has values: %v", v)
	}
}
