package train

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"blossom/model/base/exact"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// plainChance and plainDistance are the formulas, one operation after the other.
func plainChance(x []float32, salt uint64) float64 {
	h := salt
	for _, v := range x {
		bits := uint64(math.Float32bits(v))
		if v == 0 {
			bits = 0
		}
		h = (h ^ bits) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	return (float64((h^h>>32)>>11) + 0.5) / (1 << 53)
}

func plainDistance(a, b []float32) float64 {
	s := 0.0
	for j := range a {
		e := float64(a[j]) - float64(b[j])
		s += float64(e * e)
	}
	return s
}

// plainStrays has the times of all points, sorts them all, and leaves the earliest.
func plainStrays(x matrix.Matrix32, bmu []int32, code matrix.Matrix32, pinned []bool, salt uint64) []stray {
	var all []stray
	for i, c := range bmu {
		if c < 0 {
			continue
		}
		d2 := plainDistance(x.Row(i), code.Row(int(c)))
		if d2 == 0 {
			continue
		}
		row := slices.Clone(x.Row(i))
		for j, v := range row {
			if v == 0 {
				row[j] = 0
			}
		}
		all = append(all, stray{pinned: pinned != nil && pinned[c], time: -math.Log(plainChance(row, salt)) / d2,
			d2: d2, x: row})
	}
	slices.SortFunc(all, func(a, b stray) int {
		if a.pinned != b.pinned {
			return map[bool]int{true: 1, false: -1}[a.pinned]
		}
		return cmp.Or(cmp.Compare(a.time, b.time), slices.Compare(a.x, b.x))
	})
	all = slices.CompactFunc(all, func(a, b stray) bool { return a.pinned == b.pinned && slices.Equal(a.x, b.x) })
	return all[:min(len(all), mostStrays)]
}

// plainDrawn is Strays.drawn of what plainStrays has left.
func plainDrawn(list []stray, moving bool) (some []stray, chances []float64) {
	full := len(list) == mostStrays
	for _, p := range list {
		chance := 1.0
		if last := list[len(list)-1]; full && p.pinned == last.pinned {
			chance = -math.Expm1(-p.d2 * last.time)
		}
		if !full { // all of them, so the last is at no time
			chance = -math.Expm1(math.Inf(-1))
		}
		if p.pinned && moving && !list[0].pinned {
			break
		}
		if p.pinned && moving {
			return nil, nil
		}
		some, chances = append(some, p), append(chances, chance)
	}
	return some, chances
}

// strayCase has points of one of several kinds, some of them twice, with -0, invalid ones and landmarks that stay.
func strayCase(r *rand.Rand, n, d int) Input {
	g := 1 + r.IntN(30)
	in := Input{X: matrix.New(n, d), Codebook: matrix.New(g, d), Pos: grid(g, 1), Seed: r.Uint64()}
	draw := []func() float64{
		r.NormFloat64,
		func() float64 { return float64(r.IntN(5) - 2) }, // few distinct ones
		func() float64 { return r.NormFloat64() * math.Pow(10, float64(r.IntN(7)-3)) },
		func() float64 { return r.NormFloat64() * 1e-40 },
		func() float64 { return r.NormFloat64() * 1e30 },
		func() float64 { return 1 - r.Float64()/1000 },
	}[r.IntN(6)]
	opposite := r.IntN(2) == 0 // no point could be farther from its landmark
	value := func() float32 {
		if r.IntN(40) == 0 {
			return float32(math.Copysign(0, -1))
		}
		return float32(draw())
	}
	for _, m := range []matrix.Matrix32{in.X, in.Codebook} {
		for i := range m.Data {
			m.Data[i] = value()
		}
	}
	for i, v := range in.Codebook.Data {
		if opposite {
			in.Codebook.Data[i] = -v
		}
	}
	for range r.IntN(2) * n / 3 { // twice, once with the other 0
		a, b := in.X.Row(r.IntN(n)), in.X.Row(r.IntN(n))
		for j, v := range a {
			if b[j] = v; v == 0 {
				b[j] = float32(math.Copysign(0, float64(r.IntN(2)-1)))
			}
		}
	}
	for c := range g {
		if opposite {
			break
		}
		if r.IntN(3) == 0 {
			copy(in.Codebook.Row(c), in.X.Row(r.IntN(n)))
		} else if r.IntN(3) == 0 { // far from all
			in.Codebook.Row(c)[r.IntN(d)] = 3e31
		}
	}
	for range r.IntN(2) * n / 50 {
		in.X.Row(r.IntN(n))[r.IntN(d)] = []float32{float32(math.NaN()), float32(math.Inf(1))}[r.IntN(2)]
	}
	if share := r.IntN(3); share > 0 {
		in.Pinned = make([]bool, g)
		few := 2 + r.IntN(2)*20
		for c := range in.Pinned {
			in.Pinned[c] = share == 2 || r.IntN(few) > 0
		}
	}
	return in
}

// onCores calls f with 1, 2 and 8 of them.
func onCores(f func(cores int)) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 8} {
		runtime.GOMAXPROCS(cores)
		f(cores)
	}
}

func sameStrays(a, b []stray) bool {
	return slices.EqualFunc(a, b, func(a, b stray) bool {
		return a.pinned == b.pinned && math.Float64bits(a.time) == math.Float64bits(b.time) &&
			math.Float64bits(a.d2) == math.Float64bits(b.d2) &&
			slices.EqualFunc(a.x, b.x, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) })
	})
}

// Points are drawn, with their chances, as sorting the times of all tells, on any cores, at once and in pieces.
func TestStraysAreTheEarliestOfAll(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for k := range 24 {
		d := []int{1, 3, 30, 130}[k%4]
		n := []int{1, 3, 900, 1500, 9000, 30_000}[r.IntN(6)]
		in, salt := strayCase(r, n, d), r.Uint64()
		p, l, err := start(in)
		if err != nil {
			t.Fatal(err)
		}
		bmu := make([]int32, n)
		for i := range bmu {
			if bmu[i] = -1; finite(in.X.Row(i)) {
				bmu[i] = int32(Winner(l.code, in.X.Row(i)))
			}
		}
		want := plainStrays(in.X, bmu, l.code, in.Pinned, salt)
		cut := r.IntN(n)
		onCores(func(cores int) {
			name := fmt.Sprintf("seed %d, case %d: %d x %d on %d cores", seed, k, n, d, cores)
			for _, cuts := range [][]int{{0, n}, {0, cut, n}} {
				var s Strays
				for c := range cuts[1:] {
					from, to := cuts[c], cuts[c+1]
					part := p
					part.Data, part.Rows = p.Data[from*d:to*d], to-from
					if err := s.look(background, &part, bmu[from:to], &l, salt); err != nil {
						t.Fatal(err)
					}
				}
				for _, moving := range []bool{true, false} {
					some, chances := s.drawn(moving)
					wantSome, wantChances := plainDrawn(want, moving)
					if !sameStrays(some, wantSome) || !slices.Equal(chances, wantChances) {
						t.Fatalf("%s: drew %d with %v, want %d with %v", name, len(some), chances, len(wantSome),
							wantChances)
					}
				}
				var a, b bytes.Buffer
				plain := Strays{list: slices.Clone(want)}
				if s.write(&a) != nil || plain.write(&b) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
					t.Fatalf("%s: other bytes are written", name)
				}
			}
		})
	}
}

// plainLloyd is the algorithm on one core, which shares but the drawing with it: the codebook after so many epochs, or
// fewer where nothing changes any more, and which share of the points changed their landmark in the last of them.
func plainLloyd(in Input, epochs int) (code matrix.Matrix32, share float64) {
	n, d := in.X.Rows, in.X.Cols
	code = in.Codebook.Clone()
	before := make([]int32, n)
	for epoch := range epochs {
		sums, counts, changed := make([]exact.Sum, code.Rows*d), make([]int64, code.Rows), 0
		bmu := make([]int32, n)
		for i := range n {
			x := in.X.Row(i)
			c := Winner(code, x)
			bmu[i] = int32(c)
			if before[i] != int32(c)+1 {
				changed++
			}
			if before[i] = int32(c) + 1; c >= 0 {
				counts[c]++
				for j, v := range x {
					sums[c*d+j].Add(v)
				}
			}
		}
		next, moving := code.Clone(), false
		var empty []int
		for c, n := range counts {
			switch {
			case in.Pinned != nil && in.Pinned[c]:
			case n == 0:
				empty = append(empty, c)
			default:
				moving = true
				for j := range d {
					next.Row(c)[j] = toFloat32(sums[c*d+j].Float64() / float64(n))
				}
			}
		}
		filled := false
		if len(empty) > 0 {
			salt := (in.Seed^0x6c6c6f7964)*0x9e3779b97f4a7c15 + uint64(epoch)*0xd6e8feb86659fd93
			some, chances := plainDrawn(plainStrays(in.X, bmu, code, in.Pinned, salt), moving)
			left := make([]float64, len(some))
			for i, p := range some {
				left[i] = p.d2 / chances[i]
			}
			random := rand.New(rand.NewPCG(in.Seed, uint64(epoch)))
			for _, c := range empty {
				i := draw(random, left)
				if i < 0 {
					break
				}
				copy(next.Row(c), some[i].x)
				filled = true
				for k := range some {
					left[k] = min(left[k], plainDistance(some[k].x, some[i].x)/chances[k])
				}
			}
		}
		if code = next; total(counts) > 0 {
			share = float64(changed) / float64(total(counts))
		}
		if changed == 0 && !filled {
			break
		}
	}
	return code, share
}

// Codebooks of several epochs, in which landmarks without points take strays, are those of the plain algorithm to the
// last bit, on any number of cores, with a device and without.
func TestLloydIsThePlainAlgorithmOnAnyCores(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 2))
	for k := range 12 {
		d := []int{1, 3, 30, 130}[k%4]
		n := []int{2, 700, 3000, 40_000}[r.IntN(4)]
		if d > 3 {
			n = min(n, 6000)
		}
		in, epochs := strayCase(r, n, d), 1+r.IntN(5)
		want, share := plainLloyd(in, epochs)
		onCores(func(cores int) {
			for _, by := range []Input{in, (&device{x: in.X}).offer(in)} {
				tr := open(t, "lloyd", by, step.Values{"epochs": float64(epochs)})
				if r.IntN(2) == 0 {
					inPieces(tr, 1+r.IntN(n))
				}
				if run(t, tr); !sameBits(tr.Codebook(), want) || tr.Live()["changed"] != share {
					t.Fatalf("seed %d, case %d: another codebook of %d x %d after %d epochs on %d cores", seed, k, n, d,
						epochs, cores)
				}
			}
		})
	}
}

// A look that is cancelled ends with the error, and leaves nothing that is lent.
func TestALookThatIsCancelled(t *testing.T) {
	in := strayCase(rand.New(rand.NewPCG(1, 3)), 5000, 3)
	p, l, err := start(in)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	var s Strays
	if err := s.look(ctx, &p, make([]int32, 5000), &l, 1); err != context.Canceled || len(s.list) > 0 {
		t.Errorf("%v, with %d strays", err, len(s.list))
	}
}
