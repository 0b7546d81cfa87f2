package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"blossom/model/internal/par"
	"blossom/model/matrix"
)

// Quality says how well landmarks represent some points and keep their order.
type Quality struct {
	Quantization float64 // mean distance of a point to its nearest landmark, in units of the data
	Topographic  float64 // share of points whose two nearest landmarks are no neighbours on the map
	Points       int     // valid points that were looked at
}

// Measure computes both errors (Kohonen 2001; Kiviluoto 1996) on up to sample random points of x, 0
// for all. Two landmarks are neighbours if they are at most 1.5 times as far apart on the map as a
// landmark and its nearest one usually are (the median), which on a square grid includes diagonals.
func Measure(ctx context.Context, x, codebook, pos matrix.Matrix32, sample int, seed uint64) (Quality, error) {
	limit := 0.0
	if codebook.Rows > 0 {
		limit = 1.5 * 1.5 * spacing2(pos)
	}
	return measure(ctx, x, codebook, sample, seed, func(a, b int) bool {
		return distance64(pos.Row(a), pos.Row(b)) <= limit
	})
}

// MeasureAlong is Measure for a map whose neighbours are those that an edge joins.
func MeasureAlong(ctx context.Context, x, codebook matrix.Matrix32, edges [][2]int32, sample int, seed uint64) (Quality,
	error) {
	n := net{edges: edges}
	n.index(codebook.Rows)
	return measure(ctx, x, codebook, sample, seed, func(a, b int) bool {
		return slices.Contains(n.ends[n.from[a]:n.from[a+1]], int32(b))
	})
}

// measure computes both errors where joined tells neighbours. It is called from several goroutines.
func measure(ctx context.Context, x, codebook matrix.Matrix32, sample int, seed uint64,
	joined func(a, b int) bool) (Quality, error) {
	const size = 256
	n := x.Rows
	pick := func(i int) int { return i }
	if sample > 0 && sample < n {
		rows := rand.New(rand.NewPCG(seed, 0x9a117)).Perm(n)[:sample]
		n, pick = sample, func(i int) int { return rows[i] }
	}
	if codebook.Rows == 0 {
		return Quality{}, ctx.Err()
	}
	type part struct {
		distance float64
		broken   int
		valid    int
	}
	parts := make([]part, par.Count(n, size))
	err := par.Blocks(ctx, n, size, func(b, from, to int) {
		var p part
		for i := from; i < to; i++ {
			row := x.Row(pick(i))
			if !finite(row) {
				continue
			}
			first, second, d2 := nearestTwo(codebook, row)
			p.valid++
			p.distance += math.Sqrt(d2)
			if second >= 0 && !joined(first, second) {
				p.broken++
			}
		}
		parts[b] = p
	})
	if err != nil {
		return Quality{}, err
	}
	var q Quality
	broken := 0
	for _, p := range parts {
		q.Points += p.valid
		q.Quantization += p.distance
		broken += p.broken
	}
	if q.Points > 0 {
		q.Quantization /= float64(q.Points)
		q.Topographic = float64(broken) / float64(q.Points)
	}
	return q, nil
}

// QuantizationError is that of Measure.
func QuantizationError(ctx context.Context, x, codebook matrix.Matrix32, sample int, seed uint64) (float64, error) {
	q, err := Measure(ctx, x, codebook, matrix.New(codebook.Rows, 2), sample, seed)
	return q.Quantization, err
}

// TopographicError is that of Measure.
func TopographicError(ctx context.Context, x, codebook, pos matrix.Matrix32, sample int, seed uint64) (float64, error) {
	q, err := Measure(ctx, x, codebook, pos, sample, seed)
	return q.Topographic, err
}

// nearestTwo returns the two nearest rows of code (the second -1 if there is one row only) and the
// squared distance of the first, ties to the lower index.
func nearestTwo(code matrix.Matrix32, x []float32) (first, second int, d2 float64) {
	first, second = -1, -1
	var e2 float64
	for i := range code.Rows {
		d := distance64(code.Row(i), x)
		switch {
		case first < 0 || d < d2:
			first, second, d2, e2 = i, first, d, d2
		case second < 0 || d < e2:
			second, e2 = i, d
		}
	}
	return first, second, d2
}

// spacing2 returns the square of the median distance of a position to its nearest other one,
// of up to 1024 of them.
func spacing2(pos matrix.Matrix32) float64 {
	var all []float64
	for i := 0; i < pos.Rows; i += 1 + pos.Rows/1024 {
		low := math.Inf(1)
		for j := range pos.Rows {
			if i != j {
				low = min(low, distance64(pos.Row(i), pos.Row(j)))
			}
		}
		all = append(all, low)
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}
