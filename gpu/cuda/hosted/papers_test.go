//go:build linux

package hosted

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// By the zero-one principle a network of comparators that sorts all sequences of 0 and 1 sorts all.
// Those of 8 are tried one and all, larger ones at random, with other keys too.
func TestPaperSort(t *testing.T) {
	m := Open(t, "testdata/papers.cu")
	try := func(t rapid.TB, k int, keys []uint64) {
		got, block, threads := slices.Clone(keys), max(2*k, 64), max(k, 32)
		if err := m.Launch(fmt.Sprintf("sort%d", k), Dim{X: len(keys) / block}, Dim{X: threads}, 0, 0,
			got); err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(keys); i += k {
			want := slices.Clone(keys[i : i+k])
			slices.Sort(want)
			if !slices.Equal(got[i:i+k], want) {
				t.Fatalf("%v becomes %v", keys[i:i+k], got[i:i+k])
			}
		}
	}
	var all []uint64
	for pattern := range 256 {
		for b := range 8 {
			all = append(all, uint64(pattern>>b&1))
		}
	}
	try(t, 8, all)
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.SampledFrom([]int{8, 16, 32, 64, 128}).Draw(t, "k")
		key := rapid.SampledFrom([]*rapid.Generator[uint64]{rapid.Uint64Range(0, 1), rapid.Uint64Range(0, 9),
			rapid.Uint64()}).Draw(t, "kind")
		n := max(2*k, 64)
		try(t, k, rapid.SliceOfN(key, n, n).Draw(t, "keys"))
	})
}

func TestPaperInsert(t *testing.T) {
	m := Open(t, "testdata/papers.cu")
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.OneOf(rapid.Float32Range(0, 3e38), rapid.SampledFrom([]float32{0, 0, 1, 2, 3})), 1,
			200).Draw(t, "v")
		find := rapid.IntRange(1, min(len(v), 65)).Draw(t, "find")
		dist, id := make([]float32, find), make([]uint32, find)
		if err := m.Launch("insertAll", Dim{}, Dim{X: 1}, 0, 0, v, int32(len(v)), int32(find), dist, id); err != nil {
			t.Fatal(err)
		}
		order := make([]int, len(v))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			if v[a] < v[b] {
				return -1
			} else if v[a] > v[b] {
				return 1
			}
			return 0
		})
		for r := range find {
			if int(id[r]) != order[r] || dist[r] != v[order[r]] {
				t.Fatalf("rank %d: %d at %v, not %d at %v", r, id[r], dist[r], order[r], v[order[r]])
			}
		}
	})
}

func TestPaperRadixRanks(t *testing.T) {
	m := Open(t, "testdata/papers.cu")
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SliceOfN(rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(0, 3)), 64, 64).Draw(t, "key")
		pass := rapid.IntRange(0, 3).Draw(t, "pass")
		same, upto := make([]uint32, 64), make([]uint32, 64)
		if err := m.Launch("warpWork", Dim{}, Dim{X: 64}, 0, 2, key, int32(pass), same, upto); err != nil {
			t.Fatal(err)
		}
		for i, k := range key {
			var want, sum uint32
			for lane := range 32 {
				o := key[i&^31+lane]
				if o>>(8*pass)&255 == k>>(8*pass)&255 {
					want |= 1 << lane
				}
				if lane <= i%32 {
					sum += o & 255
				}
			}
			if same[i] != want || upto[i] != sum {
				t.Fatalf("thread %d: peers %b, not %b (%d); sum %d, not %d", i, same[i], want, bits.OnesCount32(want),
					upto[i], sum)
			}
		}
	})
}

// The sums over pairs and the solution of the system, against float64.
func TestPaperSystem(t *testing.T) {
	m := Open(t, "testdata/papers.cu")
	solved := 0
	rapid.Check(t, func(t *rapid.T) {
		dims, n := rapid.IntRange(2, 3).Draw(t, "dims"), rapid.IntRange(1, 100).Draw(t, "n")
		some := func(name string, lo, hi float32, n int) []float32 {
			return rapid.SliceOfN(rapid.Float32Range(lo, hi), n, n).Draw(t, name)
		}
		l, s := some("l", -5, 5, 2*n*dims), some("s", 0, 1, n)
		q, dot := some("q", 0.1, 4, n), some("dot", -4, 4, n)
		for _, i := range []int{0, n / 2} { // landmarks at one place, in either space
			if rapid.Bool().Draw(t, "twins") {
				q[i] = 0
			} else if rapid.Bool().Draw(t, "one position") {
				copy(l[(2*i+1)*dims:][:dims], l[2*i*dims:][:dims])
			}
		}
		adjust, pull := rapid.Float32Range(0, 3).Draw(t, "adjust"), rapid.Float32Range(0, 1e-3).Draw(t, "pull")
		y, ok := make([]float32, dims), make([]int32, 1)
		if err := m.Launch(fmt.Sprintf("pairs%d", dims), Dim{}, Dim{X: 32}, 0, 0, int32(n), l, s, q, dot, adjust,
			pull, y, ok); err != nil {
			t.Fatal(err)
		}
		a, c := make([]float64, dims*dims), make([]float64, dims)
		terms := make([]float64, dims) // sizes of what c is the sum of, which may cancel
		for i := range n {
			li, h := l[2*i*dims:][:dims], make([]float64, dims)
			var hh, along, size float64
			for p, v := range li {
				g := float64(pull) * float64(s[i])
				a[p*dims+p] += g
				c[p] += g * float64(v)
				terms[p] += g * math.Abs(float64(v))
				h[p] = float64(l[(2*i+1)*dims+p]) - float64(v)
				hh += h[p] * h[p]
				along += h[p] * float64(v)
				size += math.Abs(h[p] * float64(v))
			}
			if q[i] == 0 || hh < 1e-10 {
				continue
			}
			x := float64(dot[i]) / float64(q[i])
			w := float64(s[i]) * math.Pow(1+hh, -float64(adjust)) * math.Exp(-(x-0.5)*(x-0.5))
			for p := range dims {
				c[p] += w * (x + along/hh) * h[p]
				terms[p] += w * (math.Abs(x) + size/hh) * math.Abs(h[p])
				for o := range dims {
					a[p*dims+o] += w / hh * h[p] * h[o]
				}
			}
		}
		if ok[0] == 0 {
			return
		}
		solved++
		// The kernel's solution must solve the exact equations, to the rounding of their coefficients.
		for p := range dims {
			rest, size := -c[p], math.Abs(c[p])
			for o := range dims {
				rest += a[p*dims+o] * float64(y[o])
				size += math.Abs(a[p*dims+o] * float64(y[o]))
			}
			if !(math.Abs(rest) <= 3e-5*size+1e-6*terms[p]+1e-20) {
				t.Fatalf("A %v c %v: y %v leaves %g of %g", a, c, y, rest, size)
			}
		}
	})
	if solved < 5 { // at least 5 of 100, or of 20 in a short run
		t.Errorf("only %d systems were solved", solved)
	}
}

func TestPaperScores(t *testing.T) {
	m := Open(t, "testdata/papers.cu")
	rapid.Check(t, func(t *rapid.T) {
		find := rapid.IntRange(2, 32).Draw(t, "find")
		D := rapid.SliceOfN(rapid.Float32Range(0.01, 10), find, find).Draw(t, "D")
		slices.Sort(D)
		k := find - rapid.IntRange(0, 1).Draw(t, "cut")
		per := rapid.Float32Range(0, 20).Draw(t, "per")
		s := make([]float32, k)
		if err := m.Launch("scores", Dim{}, Dim{X: 32}, 0, 0, D, int32(k), int32(find), per, s); err != nil {
			t.Fatal(err)
		}
		last := float64(D[find-1])
		for r, v := range s {
			e := float64(D[r]) - float64(D[0])
			want := math.Exp(-float64(per) * e)
			if k < find {
				want *= -math.Expm1(10 * (float64(D[r])/last - 1))
			}
			if math.Abs(float64(v)-want) > 1e-6+3e-5*want {
				t.Fatalf("rank %d of %v: %v, not %v", r, D, v, want)
			}
		}
	})
}
