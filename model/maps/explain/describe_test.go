package explain

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/maps/selection"
)

var nan, inf = math.NaN(), math.Inf(1)

// values are columns of values, all of one length.
type values [][]float64

func (v values) columns() (out []Column) {
	for i, c := range v {
		out = append(out, Column{string(rune('a' + i)), func(row int) float64 { return c[row] }})
	}
	return out
}

// setOf is the set of rows that a word has an x for.
func setOf(word string) *selection.Set {
	bits := make([]uint64, len(word)/64+1)
	for i, c := range word {
		if c == 'x' {
			bits[i/64] |= 1 << (i % 64)
		}
	}
	return selection.FromBits(len(word), bits)
}

// random is a table of few distinct values, some of them missing or infinite, with a set and its parent.
func random(r *rand.Rand, columns int) (v values, set, parent *selection.Set) {
	n := 1 + r.IntN(14)
	word := func(share float64) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = '-'
			if r.Float64() < share {
				b[i] = 'x'
			}
		}
		return string(b)
	}
	v = make(values, columns)
	for c := range v {
		few := 1 + r.IntN(5)
		for range n {
			x := float64(r.IntN(few)) / 3
			if r.IntN(12) == 0 {
				x = []float64{nan, inf, -inf}[r.IntN(3)]
			}
			v[c] = append(v[c], x)
		}
	}
	set = setOf(word(0.1 + 0.8*r.Float64()))
	if r.IntN(2) == 0 {
		parent = setOf(word(0.9))
	}
	return v, set, parent
}

func members(set, parent *selection.Set) (rows []int) {
	for row := range set.Len() {
		if parent == nil || parent.Contains(row) {
			rows = append(rows, row)
		}
	}
	return rows
}

// slowBest is the highest F1 of limits on up to so many columns, tried one by one.
func slowBest(v values, set, parent *selection.Set, columns int) float64 {
	rows := members(set, parent)
	size := 0
	for _, row := range rows {
		if set.Contains(row) {
			size++
		}
	}
	var try func(from, left int, rows []int) float64
	try = func(from, left int, rows []int) float64 {
		hits := 0
		for _, row := range rows {
			if set.Contains(row) {
				hits++
			}
		}
		best := 2 * float64(hits) / float64(size+len(rows))
		for c := from; c < len(v) && left > 0; c++ {
			distinct := present(v[c])
			distinct = slices.Compact(distinct)
			for i, low := range distinct {
				for _, high := range distinct[i:] {
					var within []int
					for _, row := range rows {
						if x := v[c][row]; x >= low && x <= high {
							within = append(within, row)
						}
					}
					best = max(best, try(c+1, left-1, within))
				}
			}
		}
		return best
	}
	return try(0, columns, rows)
}

// check counts what a description says of its rows.
func check(t *testing.T, v values, set, parent *selection.Set, d Description) {
	t.Helper()
	hits, within, size := 0, 0, 0
	gate, err := d.Gate(v.columns(), set.Len()).Pick(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range members(set, parent) {
		if set.Contains(row) {
			size++
		}
		if gate.Contains(row) {
			within++
			if set.Contains(row) {
				hits++
			}
		}
	}
	if want := describe(d.Limits, hits, within, size); !reflect.DeepEqual(d, want) {
		t.Fatalf("described as %+v, by its rows it is %+v", d, want)
	}
}

// No search of limits on two and three columns is sure to find the best; this one does in all of these tables.
func TestDescriptionsAgainstAllLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		v, set, parent := random(r, 3)
		found, err := Describe(t.Context(), v.columns(), set, parent)
		if selection.Intersect(set, or(parent, set)).Empty() {
			if problem.As(err).Remedy == "" {
				t.Fatalf("no rows are described by %v, %v", found, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		best := slowBest(v, set, parent, 0)
		for k := 1; k <= most; k++ {
			want := slowBest(v, set, parent, k)
			if at := len(found) - 1; want > best && (at < 0 || len(found[at].Limits) != k || found[at].F1 != want) {
				t.Fatalf("%v of %v among %v: %v is left on %d columns, not %v", v, set, parent, found, k, want)
			}
			if want > best {
				check(t, v, set, parent, found[len(found)-1])
				found = found[:len(found)-1]
			}
			best = want
		}
		if len(found) > 0 {
			t.Fatalf("%v do no better than fewer limits", found)
		}
	}
}

func or(a, b *selection.Set) *selection.Set {
	if a == nil {
		return b
	}
	return a
}

func TestOneLimitIsTheBest(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20 {
		n, c, words := 60, []float64{}, []uint64{0}
		for row := range n {
			x := r.NormFloat64()
			c = append(c, x)
			if math.Abs(x-0.5)+0.7*r.NormFloat64() < 0.6 {
				words[0] |= 1 << row
			}
		}
		set := selection.FromBits(n, words)
		found, err := Describe(t.Context(), values{c}.columns(), set, nil)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		check(t, values{c}, set, nil, found[0])
		if want := slowBest(values{c}, set, nil, 1); found[0].F1 != want {
			t.Errorf("F1 %v, the best is %v", found[0].F1, want)
		}
	}
}

func TestDescriptionsOfStrangeTables(t *testing.T) {
	for _, c := range []struct {
		name string
		v    values
		set  string
		want [][]Limit
	}{
		{"no columns", nil, "xx--", nil},
		{"all rows", values{{1, 2}}, "xx", nil},
		{"one row", values{{1}}, "x", nil},
		{"constant", values{{5, 5, 5}}, "x--", nil},
		{"all missing", values{{nan, nan, nan}}, "x--", nil},
		{"missing in the others", values{{nan, 1, 1}}, "-xx", [][]Limit{{{0, -inf, inf}}}},
		{"missing in the set", values{{nan, 1, 2}}, "x--", nil},
		{"infinite in the set", values{{inf, 1, -inf}}, "x--", [][]Limit{{{0, inf, inf}}}},
		{"infinite in the others", values{{inf, 1, -inf}}, "-x-", [][]Limit{{{0, 1, 1}}}},
		{"twice", values{{0, 10, 20}, {0, 10, 20}}, "-x-", [][]Limit{{{0, 5, 15}}}},
		{"each of two", values{{0, 0, 10, 10}, {0, 8, 0, 8}}, "---x",
			[][]Limit{{{0, 5, inf}, {1, 4, inf}}, {{0, 5, inf}}}},
		{"digits", values{{1.2345, 1.4567, 3}}, "x--", [][]Limit{{{0, -inf, 1.3}}}},
		{"no number between", values{{1, math.Nextafter(1, 2), 2}}, "x--", [][]Limit{{{0, -inf, 1}}}},
		{"greatest numbers", values{{-math.MaxFloat64, math.MaxFloat64}}, "x-", [][]Limit{{{0, -inf, 0}}}},
		{"what another leaves alone", values{{0, 0, 1, 1}, {3, 9, 3, 1}}, "--x-",
			[][]Limit{{{0, 0.5, inf}, {1, 2, inf}}, {{0, 0.5, inf}}}},
	} {
		found, err := Describe(t.Context(), c.v.columns(), setOf(c.set), nil)
		var got [][]Limit
		for _, d := range found {
			check(t, c.v, setOf(c.set), nil, d)
			got = append(got, d.Limits)
		}
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, %v, not %v", c.name, got, err, c.want)
		}
	}
	for _, set := range []*selection.Set{nil, selection.None(0), selection.None(3)} {
		if found, err := Describe(t.Context(), values{{1, 2, 3}}.columns(), set, nil); err == nil {
			t.Errorf("no rows are described by %v", found)
		}
	}
}

// planted is a large table, with the rows that limits on three of its columns hold, but for one in a thousand.
func planted(n int) (v values, set *selection.Set) {
	r := rand.New(rand.NewPCG(5, 6))
	v = make(values, 8)
	words := make([]uint64, n/64+1)
	for row := range n {
		for c := range v {
			v[c] = append(v[c], r.NormFloat64())
		}
		in := v[1][row] > 0.5 && math.Abs(v[4][row]) < 1 && v[6][row] < 0
		if r.IntN(1000) == 0 {
			in = !in
		}
		if in {
			words[row/64] |= 1 << (row % 64)
		}
	}
	return v, selection.FromBits(n, words)
}

func TestLimitsOfALargeTable(t *testing.T) {
	v, set := planted(150_000)
	found, err := Describe(t.Context(), v.columns(), set, nil)
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	for i, d := range found {
		check(t, v, set, nil, d)
		if len(d.Limits) != 3-i || i > 0 && d.F1 >= found[i-1].F1 {
			t.Errorf("in place %d: %v", i, d)
		}
	}
	if l := found[0].Limits; found[0].F1 < 0.99 || l[0].Column != 1 || l[1].Column != 4 || l[2].Column != 6 {
		t.Errorf("the limits that the set was made by are found as %+v", found[0])
	}
	cores := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(cores)
	for _, more := range []int{1, 5} {
		runtime.GOMAXPROCS(more)
		if again, _ := Describe(t.Context(), v.columns(), set, nil); !reflect.DeepEqual(found, again) {
			t.Errorf("on %d cores it is %v, not %v", more, again, found)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Describe(ended, v.columns(), set, nil); err != context.Canceled {
		t.Errorf("a cancelled search ends in %v", err)
	}
}

// A set of few rows in a thousand has few of those that are drawn near it: its limits are placed by all that are.
func TestLimitsOfARareSet(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const n, bound = 200_000, 1.2
	v, words, size, within := make(values, 8), make([]uint64, n/64), 0, 0
	for row := range n {
		for c := range v {
			v[c] = append(v[c], r.NormFloat64())
		}
		if v[1][row] < bound || v[4][row] < bound || v[6][row] > -bound {
			continue
		}
		within++
		if r.IntN(6) > 0 { // no column tells
			size++
			words[row/64] |= 1 << (row % 64)
		}
	}
	set := selection.FromBits(n, words)
	found, err := Describe(t.Context(), v.columns(), set, nil)
	if err != nil || len(found) == 0 {
		t.Fatal(found, err)
	}
	check(t, v, set, nil, found[0])
	if made := describe(nil, size, within, size); found[0].F1 < made.F1 {
		t.Errorf("%+v does worse than the limits that the set was made by, %+v", found[0], made)
	}
}
