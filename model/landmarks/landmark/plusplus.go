package landmark

import (
	"context"
	"math"
	"math/rand/v2"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
)

const (
	plusPlusRows  = 200_000 // at most, and this many per landmark:
	plusPlusEach  = 100
	plusPlusBlock = 2048
)

// plusPlus chooses g points of a pool by k-means++ (Arthur and Vassilvitskii 2007): the first at random,
// each next one with a chance proportional to its squared distance from the nearest one chosen. Rows
// that a new one cannot be nearest to, by the triangle inequality, are not looked at again, and a
// distance is given up once it is too large; this changes nothing in the result. When every row is on a chosen one,
// the rest are random rows.
func plusPlus(ctx context.Context, p Pool, g int, seed uint64) (matrix.Matrix32, error) {
	x := p.X
	code := matrix.New(g, x.Cols)
	rows, err := sampleRows(ctx, p, min(plusPlusRows, max(20_000, plusPlusEach*g)), seed)
	if err != nil {
		return code, err
	}
	if len(rows) == 0 {
		return code, errNoPoints()
	}
	r := rand.New(rand.NewPCG(seed, 0x94a11))
	n := len(rows)
	best := make([]float64, n)    // squared distance to the nearest chosen row
	nearest := make([]int32, n)   // which that is
	between := make([]float64, g) // squared distance of the new one to each before
	sums := make([]float64, par.Count(n, plusPlusBlock))
	for i := range best {
		best[i] = math.Inf(1)
	}
	pick := r.IntN(n)
	for c := range g {
		copy(code.Row(c), x.Row(int(rows[pick])))
		for b := range c {
			between[b] = distance2(code.Row(c), code.Row(b))
		}
		err := par.Blocks(ctx, n, plusPlusBlock, func(b, from, to int) {
			sum := 0.0
			for i := from; i < to; i++ {
				if c == 0 || between[nearest[i]] < 4*best[i] {
					if d := nearer(x.Row(int(rows[i])), code.Row(c), best[i]); d < best[i] {
						best[i], nearest[i] = d, int32(c)
					}
				}
				sum += best[i]
			}
			sums[b] = sum
		})
		if err != nil {
			return code, err
		}
		pick = draw(r, best, sums)
	}
	return code, nil
}

// draw returns an index with a chance proportional to weight; sums are those of its blocks.
func draw(r *rand.Rand, weight, sums []float64) int {
	total := 0.0
	for _, s := range sums {
		total += s
	}
	if !(total > 0) {
		return r.IntN(len(weight))
	}
	at := r.Float64() * total
	last := 0
	for b, s := range sums {
		if s > 0 {
			last = b
			if at < s {
				break
			}
		}
		at -= s
	}
	from := last * plusPlusBlock
	chosen := from
	for i := from; i < min(len(weight), from+plusPlusBlock); i++ {
		if weight[i] > 0 {
			chosen = i
			if at < weight[i] {
				break
			}
		}
		at -= weight[i]
	}
	return chosen
}

// nearer returns the squared distance of a and b if it is less than limit, else any number that is not.
func nearer(a, b []float32, limit float64) float64 {
	s := 0.0
	for len(a) > 16 {
		if s += distance2(a[:16], b); !(s < limit) {
			return s
		}
		a, b = a[16:], b[16:]
	}
	return s + distance2(a, b)
}

// distance2 is the squared Euclidean distance, in float64: differences of 1e38 have squares too.
func distance2(a, b []float32) float64 {
	b = b[:len(a)]
	var s, t float64
	i := 0
	for ; i+1 < len(a); i += 2 {
		d := float64(a[i]) - float64(b[i])
		e := float64(a[i+1]) - float64(b[i+1])
		s += d * d
		t += e * e
	}
	if i < len(a) {
		d := float64(a[i]) - float64(b[i])
		s += d * d
	}
	return s + t
}
