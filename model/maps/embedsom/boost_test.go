package embedsom

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"blossom/model/base/matrix"
)

// TestBoostHasNoJumpsWithinTheRange compares the projection at the highest boost that is offered with the same
// formula solved in 300 bits, where no pivot is ever too small. The falling back on a mean, which is a jump, would
// put points off by parts of the extent.
func TestBoostHasNoJumpsWithinTheRange(t *testing.T) {
	if testing.Short() {
		t.Skip("long, on one goroutine")
	}
	rng := rand.New(rand.NewPCG(9, 9))
	const g, n = 100, 200
	for _, d := range []int{2, 5, 20} {
		code, pos, x := matrix.New(g, d), matrix.New(g, 2), matrix.New(n, d)
		for i := range code.Data {
			code.Data[i] = float32(rng.NormFloat64())
		}
		for i := range g { // a grid, on which neighbours often lie on one line
			pos.Row(i)[0], pos.Row(i)[1] = float32(i%10), float32(i/10)
		}
		for i := range x.Data {
			x.Data[i] = float32(rng.NormFloat64())
		}
		for _, k := range []int{4, 10, 30} {
			p := Params{K: k, Boost: MaxBoost, Adjust: 0.2}
			got, err := Embed(context.Background(), x, code, pos, p)
			if err != nil {
				t.Fatal(err)
			}
			off := 0
			for i := range n {
				want := inManyBits(x.Row(i), code, pos, p)
				for q := range want {
					if math.Abs(float64(got.Row(i)[q])-want[q]) > 1e-3*9 {
						off++
						break
					}
				}
			}
			if off > 0 {
				t.Errorf("d %d, k %d: %d of %d points are off by more than 1e-3 of the extent", d, k, off, n)
			}
		}
	}
}

// inManyBits is EmbedSOM in the plane as docs/engines.md has it, with sums and solution in 300 bits.
func inManyBits(x []float32, code, pos matrix.Matrix32, p Params) [2]float64 {
	type near struct {
		id int
		d  float64
	}
	var all []near
	for i := range code.Rows {
		d := 0.0
		for q, c := range code.Row(i) {
			d += (float64(c) - float64(x[q])) * (float64(c) - float64(x[q]))
		}
		all = append(all, near{i, math.Sqrt(d)})
	}
	slices.SortStableFunc(all, func(a, b near) int {
		switch {
		case a.d < b.d:
			return -1
		case a.d > b.d:
			return 1
		}
		return 0
	})
	all = all[:p.K+1]
	var sum, mu, v float64
	for r, a := range all {
		sum, mu = sum+1/float64(r+1), mu+a.d/float64(r+1)
	}
	mu /= sum
	for r, a := range all {
		v += (a.d - mu) * (a.d - mu) / float64(r+1)
	}
	sd := math.Sqrt(v / sum)
	score := make([]float64, p.K)
	for r := range score {
		score[r] = math.Exp(float64(p.Boost)*(mu-all[r].d)/sd) * -math.Expm1(10*(all[r].d/all[p.K].d-1))
	}
	num := func(v float64) *big.Float { return new(big.Float).SetPrec(300).SetFloat64(v) }
	mul := func(a, b *big.Float) *big.Float { return num(0).Mul(a, b) }
	var m [5]*big.Float // xx, xy, yy, cx, cy
	for i := range m {
		m[i] = num(0)
	}
	add := func(i int, factors ...float64) {
		f := num(1)
		for _, x := range factors {
			f.Mul(f, num(x))
		}
		m[i].Add(m[i], f)
	}
	for i := range p.K {
		li := [2]float64{float64(pos.Row(all[i].id)[0]), float64(pos.Row(all[i].id)[1])}
		add(0, 1e-5, score[i])
		add(2, 1e-5, score[i])
		add(3, 1e-5, score[i], li[0])
		add(4, 1e-5, score[i], li[1])
		for j := i + 1; j < p.K; j++ {
			h := [2]float64{float64(pos.Row(all[j].id)[0]) - li[0], float64(pos.Row(all[j].id)[1]) - li[1]}
			hh := h[0]*h[0] + h[1]*h[1]
			var q2, along float64
			ci := code.Row(all[i].id)
			for q, l := range code.Row(all[j].id) {
				u := float64(l) - float64(ci[q])
				q2, along = q2+u*u, along+u*(float64(x[q])-float64(ci[q]))
			}
			along /= q2
			w := math.Pow(1+hh, -float64(p.Adjust)) * math.Exp(-(along-0.5)*(along-0.5)) / hh
			b := along*hh + h[0]*li[0] + h[1]*li[1]
			s := []float64{score[i], score[j], w}
			add(0, append(s, h[0], h[0])...)
			add(1, append(s, h[0], h[1])...)
			add(2, append(s, h[1], h[1])...)
			add(3, append(s, h[0], b)...)
			add(4, append(s, h[1], b)...)
		}
	}
	det := num(0).Sub(mul(m[0], m[2]), mul(m[1], m[1]))
	y0, _ := num(0).Quo(num(0).Sub(mul(m[3], m[2]), mul(m[4], m[1])), det).Float64()
	y1, _ := num(0).Quo(num(0).Sub(mul(m[4], m[0]), mul(m[3], m[1])), det).Float64()
	return [2]float64{y0, y1}
}
