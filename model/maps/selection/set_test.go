package selection

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/problem"
)

var sizes = []int{0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}

// drawSet draws rows as bools, and the set of them.
func drawSet(t *rapid.T, n int, name string) ([]bool, *Set) {
	r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, name), 1))
	share := rapid.SampledFrom([]float64{0, 0.01, 0.5, 0.99, 1}).Draw(t, name+" share")
	in, words := make([]bool, n), make([]uint64, wordsOf(n))
	long := rapid.Bool().Draw(t, name+" runs")
	for i := range in {
		in[i] = r.Float64() < share
		if long && i > 0 && r.IntN(20) > 0 {
			in[i] = in[i-1]
		}
		if in[i] {
			words[i/64] |= 1 << (i % 64)
		}
	}
	return in, FromBits(n, words)
}

func same(t *rapid.T, s *Set, in func(i int) bool) {
	t.Helper()
	count := 0
	for i := range s.Len() {
		if s.Contains(i) != in(i) {
			t.Fatalf("row %d of %d: %v", i, s.Len(), s.Contains(i))
		}
		if in(i) {
			count++
		}
	}
	if s.Count() != count || s.Contains(-1) || s.Contains(s.Len()) {
		t.Fatalf("%d are in, not %d", s.Count(), count)
	}
	runs, last := make([]bool, s.Len()), -1
	for from, to := range s.Runs() {
		if from <= last || to <= from || to > s.Len() {
			t.Fatalf("run [%d, %d) after %d", from, to, last)
		}
		for i := from; i < to; i++ {
			runs[i] = true
		}
		last = to
	}
	for i := range runs {
		if runs[i] != in(i) {
			t.Fatalf("runs: row %d of %d: %v", i, s.Len(), runs[i])
		}
	}
}

func TestAlgebra(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sizes).Draw(t, "n")
		a, sa := drawSet(t, n, "a")
		b, sb := drawSet(t, n, "b")
		_, sc := drawSet(t, n, "c")
		same(t, sa, func(i int) bool { return a[i] })
		same(t, Union(sa, sb), func(i int) bool { return a[i] || b[i] })
		same(t, Subtract(sa, sb), func(i int) bool { return a[i] && !b[i] })
		same(t, Intersect(sa, sb), func(i int) bool { return a[i] && b[i] })
		same(t, Invert(sa, n), func(i int) bool { return !a[i] })
		equal := func(law string, x, y *Set) {
			if !Equal(x, y) || x.Count() != y.Count() {
				t.Fatalf("%s does not hold", law)
			}
		}
		equal("a | b = b | a", Union(sa, sb), Union(sb, sa))
		equal("a | (b & c) = (a | b) & (a | c)", Union(sa, Intersect(sb, sc)), Intersect(Union(sa, sb), Union(sa, sc)))
		equal("!(a | b) = !a & !b", Invert(Union(sa, sb), n), Intersect(Invert(sa, n), Invert(sb, n)))
		equal("a - b = a & !b", Subtract(sa, sb), Intersect(sa, Invert(sb, n)))
		equal("!!a = a", Invert(Invert(sa, n), n), sa)

		// A change that changes nothing gives the same set.
		for what, s := range map[string]*Set{
			"a | a & b": Union(sa, Intersect(sa, sb)), "a | none": Union(sa, None(n)), "a - none": Subtract(sa, nil),
			"a & all": Intersect(sa, All(n)), "a - (b - a)": Subtract(sa, Subtract(sb, sa)),
			"replace": Replace(sa, Intersect(sa, Union(sb, sa))),
		} {
			if s != sa && !(s.Empty() && sa.Empty()) {
				t.Fatalf("%s is another set", what)
			}
		}
	})
}

// Sets of different lengths: rows that are not there are not in.
func TestAlgebraOfLengths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.SampledFrom(sizes).Draw(t, "n"), rapid.SampledFrom(sizes).Draw(t, "m")
		a, sa := drawSet(t, n, "a")
		b, sb := drawSet(t, m, "b")
		at := func(in []bool, i int) bool { return i < len(in) && in[i] }
		for name, c := range map[string]struct {
			s  *Set
			in func(i int) bool
		}{
			"union":     {Union(sa, sb), func(i int) bool { return at(a, i) || at(b, i) }},
			"subtract":  {Subtract(sa, sb), func(i int) bool { return at(a, i) && !at(b, i) }},
			"intersect": {Intersect(sa, sb), func(i int) bool { return at(a, i) && at(b, i) }},
		} {
			for i := range max(n, m) {
				if c.s.Contains(i) != c.in(i) {
					t.Fatalf("%s: row %d of %d and %d: %v", name, i, n, m, c.s.Contains(i))
				}
			}
		}
	})
	if s := None(70); Replace(nil, s) != nil || Union(s, nil) != s || !Union(nil, All(3)).Contains(2) {
		t.Error("nil is not the empty set")
	}
	if (*Set)(nil).Len() != 0 || (*Set)(nil).Contains(0) || (*Set)(nil).Bytes() != 0 || Invert(nil, 9).Count() != 9 {
		t.Error("nil is not the empty set")
	}
	if None(-3).Len() != 0 || All(-3).Count() != 0 || FromBits(-1, []uint64{1}).Count() != 0 {
		t.Error("negative lengths")
	}
	if s := FromBits(65, []uint64{1}); s.Count() != 1 || s.Contains(64) {
		t.Error("missing words are not empty")
	}
	if s := FromBits(3, []uint64{^uint64(0), 5}); s.Count() != 3 || s.Bytes() != All(3).Bytes() {
		t.Error("bits of later rows count")
	}
}

func TestEncoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sizes).Draw(t, "n")
		in, s := drawSet(t, n, "s")
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(text, n, "x.blossom")
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		same(t, back, func(i int) bool { return in[i] })
		again, _ := json.Marshal(back)
		if !bytes.Equal(text, again) {
			t.Fatalf("%s, then %s", text, again)
		}
		if limit := 100 + n/6 + 4; len(text) > limit {
			t.Fatalf("%d bytes for %d rows", len(text), n)
		}
		var p *problem.Problem
		if back, err := Decode(text, n+1, "x.blossom"); !errors.As(err, &p) && !(s.Empty() && n == 0 && back.Empty()) {
			t.Fatalf("a set of %d rows is read as one of %d: %v", n, n+1, err)
		} else if p != nil && (p.File != "x.blossom" || p.Remedy == "") {
			t.Fatalf("%+v", p)
		}
	})
	for _, s := range []*Set{nil, None(0), None(12), All(10_000_000)} {
		text, err := json.Marshal(s)
		if s == nil {
			text, err = s.MarshalJSON()
		}
		back, err2 := Decode(text, s.Len(), "")
		if err != nil || err2 != nil || !Equal(s, back) || len(text) > 80 {
			t.Errorf("%s: %v, %v", text, err, err2)
		}
	}
}

// Damaged sets are problems, never panics or memory.
func TestDecodeDamaged(t *testing.T) {
	for _, text := range []string{"", "[]", "null", "{}", `{"rows":-1,"count":0}`, `{"rows":100}`,
		`{"rows":100,"count":1,"runs":"!"}`, `{"rows":100,"count":1,"bits":"AAAA"}`,
		`{"rows":100,"count":1,"runs":"/w=="}`,
		`{"rows":100,"count":1,"runs":"////////////fw=="}`, `{"rows":100,"count":1,"runs":"AQ=="}`,
		`{"rows":100,"count":1,"runs":"AQA="}`, `{"rows":100,"count":2,"runs":"AQE="}`,
		`{"rows":100,"count":120,"runs":"AHg="}`,
		`{"rows":100,"count":1,"bits":"AAAAAAAAAAAAAAAAgA=="}`, `{"rows":1e18,"count":1,"runs":"AQE="}`,
		`{"rows":100,"count":1,"runs":"gICAgICAgICAAQE="}`} {
		s, err := Decode([]byte(text), 100, "f")
		var p *problem.Problem
		if !errors.As(err, &p) || !strings.HasPrefix(err.Error(), "f: ") || s != nil {
			t.Errorf("%s: %v, %v", text, s, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		_, s := drawSet(t, 200, "s")
		text, _ := json.Marshal(s)
		i := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		text[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "xor"))
		if back, err := Decode(text, 200, "f"); err == nil && back.Len() != 200 {
			t.Fatalf("%s is of %d rows", text, back.Len())
		}
	})
}

func TestFillStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(append([]int{statesBlock - 1, 2*statesBlock + 1}, sizes...)).Draw(t, "n")
		in, s := drawSet(t, n, "s")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		p := randomPoints(r, n, 2, false)
		if n > 0 && p.Order != nil {
			p.Order[0] = int32(n) // a row that there is not
		}
		states, before := make([]byte, n+3), make([]byte, n+3)
		for i := range states {
			states[i] = byte(r.Uint32())
		}
		copy(before, states)
		s.FillStates(p.Order, states, 2)
		for i := range states {
			want := before[i]
			if i < n && p.Row(i) < n && in[p.Row(i)] {
				want |= 2
			} else if i < n || p.Order == nil {
				want &^= 2
			}
			if states[i] != want {
				t.Fatalf("state %d is %d, was %d", i, states[i], before[i])
			}
		}
	})
}
