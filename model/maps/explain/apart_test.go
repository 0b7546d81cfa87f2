package explain

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/maps/selection"
)

// slowAbove compares all pairs of values.
func slowAbove(v []float64, a, b *selection.Set) float64 {
	sum, pairs := 0.0, 0.0
	for i, x := range v {
		for j, y := range v {
			if a.Contains(i) && b.Contains(j) && x == x && y == y {
				pairs++
				if x > y {
					sum++
				} else if x == y {
					sum += 0.5
				}
			}
		}
	}
	return sum / pairs
}

func TestColumnsThatSetTwoSetsApart(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		v, a, b := random(r, 4)
		if b == nil {
			b = selection.Invert(a, a.Len())
		}
		found, err := Apart(t.Context(), v.columns(), a, b)
		if a.Empty() || b.Empty() {
			if err == nil {
				t.Fatalf("no rows differ in %v", found)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		seen := map[int]bool{}
		for i, d := range found {
			if want := slowAbove(v[d.Column], a, b); d.Above != want || seen[d.Column] {
				t.Fatalf("%v, %v and %v: %+v, not %v", v, a, b, d, want)
			}
			seen[d.Column] = true
			if i > 0 && cmp.Or(cmp.Compare(math.Abs(d.Above-0.5), math.Abs(found[i-1].Above-0.5)),
				cmp.Compare(math.Abs(d.Shifted), math.Abs(found[i-1].Shifted)),
				cmp.Compare(found[i-1].Column, d.Column)) > 0 {
				t.Fatalf("%+v comes after %+v", d, found[i-1])
			}
		}
		for c := range v {
			if want := slowAbove(v[c], a, b); seen[c] != (want == want) {
				t.Fatalf("column %d, of which %v of A are above B, is in: %v", c, want, seen[c])
			}
		}
	}
}

func TestEffectSizes(t *testing.T) {
	for _, c := range []struct {
		name string
		a, b []float64
		want string
	}{
		{"normal", []float64{1, 2, 3, 4, 5}, []float64{3, 4, 5, 6, 7}, "3 5 0.18 -1.349"},
		{"the same", []float64{1, 2, 3}, []float64{3, 2, 1}, "2 2 0.5 0"},
		{"constants", []float64{1, 1}, []float64{0}, "1 0 1 +Inf"},
		{"one constant", []float64{5, 5}, []float64{5, 5, 5}, "5 5 0.5 0"},
		{"mostly zero", []float64{1, 1, 1}, []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 2}, "1 0 0.9 2.357"},
		{"missing", []float64{1, nan, 2, 3}, []float64{nan, 0}, "2 0 1 3.816"},
		{"infinite", []float64{inf, 2}, []float64{-inf, inf}, "2 NaN 0.625 NaN"},
		{"all missing", []float64{nan}, []float64{0}, ""},
	} {
		all := slices.Concat(c.a, c.b)
		a := setOf(fmt.Sprintf("%.*s%.*s", len(c.a), "xxxxxxxxxx", len(c.b), "----------"))
		got := ""
		found, err := Apart(t.Context(), values{all}.columns(), a, selection.Invert(a, len(all)))
		for _, d := range found {
			got = fmt.Sprintf("%.4g %.4g %.4g %.4g", d.A, d.B, d.Above, d.Shifted)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q, %v, not %q", c.name, got, err, c.want)
		}
	}
}

func TestEffectSizesOfLargeSets(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	v, words := make(values, 3), make([]uint64, 3125)
	for row := range 200_000 {
		in := r.IntN(3) == 0
		if in {
			words[row/64] |= 1 << (row % 64)
		}
		for c := range v {
			x := r.NormFloat64()
			if in {
				x += []float64{0, 1, -2}[c]
			}
			v[c] = append(v[c], x)
		}
	}
	a := selection.FromBits(200_000, words)
	found, err := Apart(t.Context(), v.columns(), a, selection.Invert(a, a.Len()))
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	for i, c := range []int{2, 1, 0} { // a normal value exceeds one that is less by s with probability Phi(s/sqrt 2)
		shift := []float64{0, 1, -2}[c]
		want := 0.5 * math.Erfc(-shift/2)
		if d := found[i]; d.Column != c || math.Abs(d.Above-want) > 0.01 || math.Abs(d.Shifted-shift) > 0.05 {
			t.Errorf("in place %d: %+v, a shift of %v and %v above", i, d, shift, want)
		}
	}
}
