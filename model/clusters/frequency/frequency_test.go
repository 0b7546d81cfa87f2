package frequency

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/clusters/population"
	"blossom/model/maps/selection"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 || a != a && b != b }

// pairs is U by its definition.
func pairs(a, b []float64) (u float64) {
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				u++
			case x == y:
				u += 0.5
			}
		}
	}
	return u
}

// The p-value of two small groups is the share of all ways to deal their values whose U is as far from the middle.
func TestSmallGroupsAreTestedByAllWaysToDealThem(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for try := range 300 {
		na, nb := 1+r.IntN(5), 1+r.IntN(5)
		all := make([]float64, na+nb)
		for i := range all {
			if all[i] = r.Float64(); try%2 == 0 {
				all[i] = float64(r.IntN(4)) // ties
			}
		}
		u, p := MannWhitney(all[:na], all[na:])
		if want := pairs(all[:na], all[na:]); u != want {
			t.Fatalf("U is %g, %g pairs", u, want)
		}
		far, ways := 0, 0
		middle := float64(na*nb) / 2
		for mask := range 1 << (na + nb) {
			if bits.OnesCount(uint(mask)) != na {
				continue
			}
			var a, b []float64
			for i, x := range all {
				if mask>>i&1 == 1 {
					a = append(a, x)
				} else {
					b = append(b, x)
				}
			}
			if ways++; math.Abs(pairs(a, b)-middle) >= math.Abs(u-middle) {
				far++
			}
		}
		if want := float64(far) / float64(ways); !near(p, want) {
			t.Fatalf("p of %v and %v is %g, %g of all ways", all[:na], all[na:], p, want)
		}
	}
}

// Known values: of three against three that are apart 2 of 20 ways are as far; of the table of Mann and Whitney (1947)
// for n = m = 4, P(U <= 1) = 0.029 on one side.
func TestKnownValuesOfMannAndWhitney(t *testing.T) {
	if u, p := MannWhitney([]float64{1, 2, 3}, []float64{4, 5, 6}); u != 0 || !near(p, 0.1) {
		t.Errorf("three against three: U %g, p %g", u, p)
	}
	if u, p := MannWhitney([]float64{1, 2, 3, 5}, []float64{4, 6, 7, 8}); u != 1 || !near(p, 4.0/70) {
		t.Errorf("four against four: U %g, p %g", u, p)
	}
	if _, p := MannWhitney(nil, []float64{1}); p == p {
		t.Errorf("of no values p is %g", p)
	}
	if _, p := MannWhitney([]float64{2, 2, 2}, []float64{2, 2, 2}); p != 1 {
		t.Errorf("of equal values p is %g", p)
	}
}

// Where the normal distribution takes over, it says about what all ways say.
func TestLargeGroupsAreTestedAsSmallOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		a, b := make([]float64, 21), make([]float64, 20)
		for i := range a {
			a[i] = math.Round(10 * (r.NormFloat64() + 0.5))
		}
		for i := range b {
			b[i] = math.Round(10 * r.NormFloat64())
		}
		_, p := MannWhitney(a, b)
		doubled, _ := ranks(append(slices.Clone(a), b...))
		sum := 0
		for _, x := range doubled[:len(a)] {
			sum += x
		}
		exact := dealt(doubled, len(a), math.Abs(float64(sum-len(a)*(len(a)+len(b)+1))))
		if math.Abs(p-exact) > 0.01 {
			t.Errorf("p is %g, %g exactly", p, exact)
		}
		if _, q := MannWhitney(b, a); math.Abs(p-q) > 1e-12 {
			t.Errorf("turned round p is %g, not %g", q, p)
		}
	}
	equal := make([]float64, 50)
	if _, p := MannWhitney(equal, equal); p != 1 {
		t.Errorf("of equal values p is %g", p)
	}
}

// H by its definition, as the spread of mean ranks; p of two degrees of freedom is exp(-H/2), of one erfc(sqrt(H/2)).
func TestKruskalAndWallisByTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for try := range 200 {
		groups := make([][]float64, 2+try%2)
		var all []float64
		for g := range groups {
			for range 3 + r.IntN(5) {
				x := r.Float64()
				if try%3 == 0 {
					x = math.Floor(4 * x)
				}
				groups[g] = append(groups[g], x)
				all = append(all, x)
			}
		}
		rank := func(x float64) (sum float64) {
			for _, y := range all {
				if y < x {
					sum++
				} else if y == x {
					sum += 0.5
				}
			}
			return sum + 0.5
		}
		middle, between, total := float64(len(all)+1)/2, 0.0, 0.0
		for _, g := range groups {
			mean := 0.0
			for _, x := range g {
				mean += rank(x) / float64(len(g))
				total += (rank(x) - middle) * (rank(x) - middle)
			}
			between += float64(len(g)) * (mean - middle) * (mean - middle)
		}
		want := float64(len(all)-1) * between / total
		h, p := KruskalWallis(groups)
		tail := math.Erfc(math.Sqrt(h / 2))
		if len(groups) == 3 {
			tail = math.Exp(-h / 2)
		}
		if math.Abs(h-want) > 1e-9 || math.Abs(p-tail) > 1e-9 {
			t.Fatalf("H %g, p %g; %g and %g are wanted", h, p, want, tail)
		}
	}
	if _, p := KruskalWallis([][]float64{{1, 1}, {1}, {1}}); p != 1 {
		t.Errorf("of equal values p is %g", p)
	}
	if _, p := KruskalWallis([][]float64{{1, 2}, nil}); p == p {
		t.Errorf("of one group p is %g", p)
	}
}

// The example of Benjamini and Hochberg (1995): of 15 p-values the first four are below 0.05 once adjusted.
func TestPValuesAreAdjustedForTheirNumber(t *testing.T) {
	p := []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719,
		0.6528, 0.7590, 1}
	below := 0
	q := Adjusted(p)
	for i, x := range q {
		want := 1.0
		for k := i; k < len(p); k++ { // by the definition: the least of p_k n/k from there on
			want = min(want, p[k]*float64(len(p))/float64(k+1))
		}
		if !near(x, want) {
			t.Errorf("the p-value %g becomes %g, %g is wanted", p[i], x, want)
		}
		if x <= 0.05 {
			below++
		}
	}
	if below != 4 {
		t.Errorf("%d are below 0.05, 4 in the paper", below)
	}
	if got := Adjusted([]float64{math.NaN(), 0.02, math.NaN(), 0.01}); !near(got[0], math.NaN()) || got[1] != 0.02 ||
		got[3] != 0.02 {
		t.Errorf("beside those that are none they are %v", got)
	}
	if len(Adjusted(nil)) != 0 {
		t.Error("of none there are some")
	}
}

// Quartiles are those of definition 7, by its words, and medians those that anyone knows.
func TestQuartilesAreThoseOfTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for n := range 40 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.Float64()
		}
		slices.Sort(v)
		if n == 0 {
			if q := Quantile(v, 0.5); q == q {
				t.Errorf("the median of none is %g", q)
			}
			continue
		}
		want := v[n/2]
		if n%2 == 0 {
			want = (v[n/2-1] + v[n/2]) / 2
		}
		if !near(Quantile(v, 0.5), want) || Quantile(v, 0) != v[0] || Quantile(v, 1) != v[n-1] {
			t.Errorf("of %d the median is %g, %g is wanted", n, Quantile(v, 0.5), want)
		}
		if n%4 == 1 { // then quartiles are values
			if !near(Quantile(v, 0.25), v[(n-1)/4]) || !near(Quantile(v, 0.75), v[3*(n-1)/4]) {
				t.Errorf("of %d quartiles are %g and %g", n, Quantile(v, 0.25), Quantile(v, 0.75))
			}
		}
	}
	if got := Quantile([]float64{1, 2, 3, 4}, 0.25); got != 1.75 { // as R's quantile and numpy.percentile
		t.Errorf("the first quartile of 1 to 4 is %g", got)
	}
}

func TestWhiskersEndAtValues(t *testing.T) {
	b := boxOf([]Share{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 100}, {5, -50}})
	if b.Low != 1 || b.High != 4 || b.Median != 2.5 || b.Shares[0].Sample != 5 {
		t.Errorf("the box is %+v", b)
	}
	if b = boxOf([]Share{{0, 0.5}}); b.Low != 0.5 || b.High != 0.5 || b.First != 0.5 {
		t.Errorf("the box of one is %+v", b)
	}
}

// Shares by groups are those that counting gives, of the samples or of the population above; groups of fewer than three
// samples are not tested.
func TestPopulationsAreComparedByGroups(t *testing.T) {
	const rows, samples = 700, 7
	r := rand.New(rand.NewPCG(11, 12))
	var a, b [rows]bool
	words := func(in *[rows]bool) *selection.Set {
		w := make([]uint64, (rows+63)/64)
		for i, x := range in {
			if x {
				w[i/64] |= 1 << (i % 64)
			}
		}
		return selection.FromBits(rows, w)
	}
	for i := range rows {
		a[i] = r.IntN(2) == 0 && i%samples != 6
		b[i] = r.IntN(10) < 2+i%samples
	}
	tree, up, err := population.Tree{}.Add(population.Population{Name: "a", Rule: population.Of(words(&a))})
	if err != nil {
		t.Fatal(err)
	}
	tree, _, err = tree.Add(population.Population{Name: "b", Parent: up, Rule: population.Of(words(&b))})
	if err != nil {
		t.Fatal(err)
	}
	l, err := population.LabelRows(t.Context(), tree, population.Inputs{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	counts := l.Count(make([]string, samples), func(row int) int { return row % samples })
	in := []int{0, 0, 0, 1, 1, 1, 1}
	for _, parent := range []bool{false, true} {
		got := Compare(tree, counts, []int{0, 1}, in, 2, parent)
		var sums [samples]struct{ a, both, all int }
		for i := range rows {
			s := &sums[i%samples]
			if s.all++; a[i] {
				if s.a++; b[i] {
					s.both++
				}
			}
		}
		var want [2][]float64
		for s, x := range sums {
			of := x.all
			if parent {
				of = x.a
			}
			if of > 0 {
				want[in[s]] = append(want[in[s]], float64(x.both)/float64(of))
			}
		}
		for g, box := range got[1].Boxes {
			slices.Sort(want[g])
			if !slices.Equal(values(box.Shares), want[g]) {
				t.Errorf("shares are %v, %v are wanted", values(box.Shares), want[g])
			}
		}
		_, p := MannWhitney(want[0], want[1])
		if !near(got[1].P, p) || !near(got[1].Difference, Quantile(want[1], 0.5)-Quantile(want[0], 0.5)) {
			t.Errorf("p is %g, %g is wanted; difference %g", got[1].P, p, got[1].Difference)
		}
		if q := Adjusted([]float64{got[0].P, got[1].P}); !near(got[0].Adjusted, q[0]) || !near(got[1].Adjusted, q[1]) {
			t.Errorf("adjusted are %g and %g", got[0].Adjusted, got[1].Adjusted)
		}
	}
	for _, few := range [][]int{{0, 0, 1, 1, 1, 1, 1}, {0, 0, 0, 0, 0, 0, 0}, {-1, -1, -1, -1, -1, -1, -1}} {
		if got := Compare(tree, counts, []int{1}, few, 2, false); got[0].P == got[0].P {
			t.Errorf("groups %v have p %g", few, got[0].P)
		}
	}
	three := []int{0, 0, 0, 1, 1, 1, -1}
	if got := Compare(tree, counts, []int{1}, three, 3, false); got[0].P != got[0].P || len(got[0].Boxes) != 3 {
		t.Errorf("an empty group hides the others: p %g", got[0].P)
	}
}
