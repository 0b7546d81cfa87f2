package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// mixtures are ways to draw float32 that sums go wrong for: any bits, subnormals, the largest, values that cancel, a
// measured column with zeros.
var mixtures = map[string]func(r *rand.Rand) float32{
	"any bits": func(r *rand.Rand) float32 {
		for {
			if x := math.Float32frombits(r.Uint32()); x-x == 0 {
				return x
			}
		}
	},
	"subnormal": func(r *rand.Rand) float32 { return math.Float32frombits(r.Uint32() & (1<<31 | 1<<24 - 1)) },
	"largest": func(r *rand.Rand) float32 {
		return []float32{math.MaxFloat32, -math.MaxFloat32, 1e38, -1}[r.IntN(4)]
	},
	"cancelling": func(r *rand.Rand) float32 {
		return []float32{1e20, -1e20, 1e-20, 3e38, -3e38, math.SmallestNonzeroFloat32}[r.IntN(6)]
	},
	"measured": func(r *rand.Rand) float32 { return float32(max(0, r.NormFloat64()*300)) },
	"normal":   func(r *rand.Rand) float32 { return float32(r.NormFloat64()) },
	"far":      func(r *rand.Rand) float32 { return float32(1e6 + r.NormFloat64()) },
}

// draw returns n values, and their sum and that of their squares by math/big, with more bits than any sum needs.
func draw(r *rand.Rand, n int, of func(*rand.Rand) float32) (x []float32, sum, squares *big.Float) {
	sum, squares = new(big.Float).SetPrec(2000), new(big.Float).SetPrec(2000)
	for range n {
		v := of(r)
		x = append(x, v)
		b := new(big.Float).SetPrec(2000).SetFloat64(float64(v))
		sum.Add(sum, b)
		squares.Add(squares, new(big.Float).SetPrec(2000).Mul(b, b))
	}
	return x, sum, squares
}

// asNumber is a sum as math/big has it.
func asNumber(s Sum) *big.Float {
	n, base := new(big.Int), new(big.Int).Lsh(big.NewInt(1), 64)
	for _, w := range slices.Backward(s[:]) {
		n.Add(n.Mul(n, base), new(big.Int).SetUint64(w))
	}
	if s[4]>>63 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 320))
	}
	f := new(big.Float).SetPrec(2000).SetInt(n)
	return f.SetMantExp(f, sumUnit)
}

// Every way to sum gives the sum of math/big, for any order and any tree of parts, and one rounding of it.
func TestSumsAreThoseOfBigNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 7))
	for name, of := range mixtures {
		for round := range 60 {
			x, want, squares := draw(r, 1+r.IntN(300), of)
			var words Sum
			var bins Bins
			var square Squares
			largest := float32(0)
			for _, v := range x {
				words.Add(v)
				bins.Add(v)
				square.Add(v)
				largest = max(largest, v, -v)
			}
			if asNumber(words).Cmp(want) != 0 {
				t.Fatalf("%s %d: %v, want %v", name, round, asNumber(words), want)
			}
			if f, _ := want.Float64(); words.Float64() != f {
				t.Fatalf("%s %d: rounded to %v, want %v", name, round, words.Float64(), f)
			}
			if f, _ := squares.Float64(); square.Float64() != f {
				t.Fatalf("%s %d: squares %v, want %v", name, round, square.Float64(), f)
			}
			if got := tree(r, x, largest); got != words {
				t.Fatalf("%s %d: a tree of parts is %v, want %v", name, round, got, words)
			}
			for range 2 { // asking changes nothing
				if got := bins.Sum(); got != words {
					t.Fatalf("%s %d: bins %v, want %v", name, round, got, words)
				}
			}
			if half := len(x) / 2; half > 0 {
				var a, b Squares
				for i, v := range x {
					if i < half {
						a.Add(v)
					} else {
						b.Add(v)
					}
				}
				if b.Merge(&a); b != square {
					t.Fatalf("%s %d: squares of halves", name, round)
				}
			}
		}
	}
}

// tree sums values in a random order, in parts of any of the implementations.
func tree(r *rand.Rand, x []float32, largest float32) (sum Sum) {
	if n := len(x); n > 4 && r.IntN(5) > 0 {
		at := r.IntN(n)
		a, b := tree(r, x[:at], largest), tree(r, x[at:], largest)
		if r.IntN(2) == 0 {
			a, b = b, a
		}
		a.Merge(&b)
		return a
	}
	x = slices.Clone(x)
	r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
	switch r.IntN(3) {
	case 0:
		for _, v := range x {
			sum.Add(v)
		}
		return sum
	case 1:
		var b Bins
		for _, v := range x {
			b.Add(v)
		}
		return b.Sum()
	}
	t := NewTable(2, []float32{0, largest, 0})
	for i, v := range x {
		t.Add(1, 1, []float32{v})
		if t.Added(1); i%5 == 4 {
			t.Carry(0, 2)
			t.Carried()
		}
	}
	t.Carry(0, 2)
	if *t.Sum(0, 1) != (Sum{}) || *t.Sum(1, 2) != (Sum{}) {
		panic("a sum that nothing was added to is not 0")
	}
	return *t.Sum(1, 1)
}

// A table stays exact up to the last row that it has room for, at the limits of its float64.
func TestATableIsExactForAllItsRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, largest := range []float32{1, 3e38, math.MaxFloat32, 1.999, 0x1p-112, 0x1p-113, 0x1p-125, 0x1p-140,
		math.SmallestNonzeroFloat32} {
		table, want := NewTable(1, []float32{largest}), Bins{}
		for range 3 * mostRows {
			x := largest // the most that there can be, with odd last bits at every exponent
			if r.IntN(3) == 0 {
				b := math.Float32bits(largest)
				x = min(largest, math.Float32frombits(b-min(b>>23, uint32(r.IntN(20)))<<23|1))
			}
			if r.IntN(100) == 0 {
				x = 0
			}
			table.Add(0, 0, []float32{x})
			want.Add(x)
			if table.Added(1); table.Room() == 0 {
				table.Carry(0, 1)
				table.Carried()
			}
		}
		table.Carry(0, 1)
		if *table.Sum(0, 0) != want.Sum() {
			t.Errorf("largest %g: %v, want %v", largest, table.Sum(0, 0).Float64(), want.sum.Float64())
		}
		table.Clear()
		if *table.Sum(0, 0) != (Sum{}) {
			t.Error("what was cleared is not 0")
		}
	}
}

// Rounding is to the nearest, ties to even, for numbers that a carry makes longer too.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		values []float32
		want   float64
	}{
		{nil, 0},
		{[]float32{0x1p53, 1}, 0x1p53},
		{[]float32{0x1p53, 1, 2}, 0x1p53 + 4},
		{[]float32{0x1p53, 1, math.SmallestNonzeroFloat32}, 0x1p53 + 2},
		{[]float32{-0x1p53, -1, -math.SmallestNonzeroFloat32}, -0x1p53 - 2},
		{[]float32{0x1p60, -0x1p6, 0x1p5}, 0x1p60}, // 2^60 - 2^5: halfway below a power of two rounds up to it
		{[]float32{math.SmallestNonzeroFloat32}, math.SmallestNonzeroFloat32},
		{[]float32{1, -1}, 0},
	} {
		var s Sum
		exact := new(big.Float).SetPrec(2000)
		for _, x := range c.values {
			s.Add(x)
			exact.Add(exact, new(big.Float).SetFloat64(float64(x)))
		}
		want, _ := exact.Float64()
		if got := s.Float64(); got != want || c.want != want {
			t.Errorf("%v: %v, want %v (%v)", c.values, got, want, c.want)
		}
	}
}

func FuzzSum(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 255, 255, 127, 127, 255, 255, 127, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		var s Sum
		var bins Bins
		want := new(big.Float).SetPrec(2000)
		for ; len(b) >= 4; b = b[4:] {
			x := math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
			if x-x != 0 {
				continue
			}
			s.Add(x)
			bins.Add(x)
			want.Add(want, new(big.Float).SetFloat64(float64(x)))
		}
		if f, _ := want.Float64(); s.Float64() != f || bins.Sum() != s || asNumber(s).Cmp(want) != 0 {
			t.Errorf("%v, %v, want %v", s.Float64(), bins.sum.Float64(), want)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]float32, 40*1024)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	largest := make([]float32, 40)
	for j := range largest {
		largest[j] = 6
	}
	kinds := make([]int, 1024)
	for i := range kinds {
		kinds[i] = r.IntN(400)
	}
	b.Run("float64", func(b *testing.B) {
		total := make([]float64, 400*40)
		for b.Loop() {
			for i, c := range kinds {
				row, s := x[40*i:40*i+40], total[40*c:40*c+40]
				for j, v := range row {
					s[j] += float64(v)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
	})
	b.Run("table", func(b *testing.B) {
		t := NewTable(400, largest)
		for b.Loop() {
			for i, c := range kinds {
				t.Add(c, 0, x[40*i:40*i+40])
			}
			if t.Added(1024); t.Room() == 0 {
				t.Carry(0, 400)
				t.Carried()
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
	})
	b.Run("words", func(b *testing.B) {
		sums := make([]Sum, 400*40)
		for b.Loop() {
			for i, c := range kinds {
				for j, v := range x[40*i : 40*i+40] {
					sums[40*c+j].Add(v)
				}
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(x)), "ns/value")
	})
}

// A whole number of any unit adds what it is worth.
func TestScaledNumbersAreAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 3))
	var got Sum
	want := new(big.Float).SetPrec(2000)
	for range 2000 {
		v, e := r.Int64()-r.Int64(), r.IntN(210)-sumUnit-300
		if e < sumUnit {
			v = v >> (sumUnit - e) << (sumUnit - e)
		}
		got.AddScaled(v, e)
		x := new(big.Float).SetPrec(2000).SetInt64(v)
		want.Add(want, x.SetMantExp(x, e))
	}
	for _, v := range []int64{math.MinInt64, math.MaxInt64, 0} {
		got.AddScaled(v, 3)
		x := new(big.Float).SetPrec(2000).SetInt64(v)
		want.Add(want, x.SetMantExp(x, 3))
	}
	if asNumber(got).Cmp(want) != 0 {
		t.Fatalf("%v, want %v", asNumber(got), want)
	}
}
