package train

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/par"
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
	n, err := pairs(ctx, par.Cores(), x, codebook, sample, seed)
	if err != nil {
		return Quality{}, err
	}
	return n.Quality(pos), nil
}

// Pairs is the two nearest landmarks of points, which are the same wherever landmarks are on the map.
type Pairs struct {
	first, second []int32 // by points that are valid; second is -1 where there is one landmark
	landmarks     int
	quantization  float64
}

// PairsOf finds those of all points of x, on so many goroutines at most. The error is ctx's.
func PairsOf(ctx context.Context, threads int, x, codebook matrix.Matrix32) (*Pairs, error) {
	return pairs(ctx, threads, x, codebook, 0, 0)
}

func pairs(ctx context.Context, threads int, x, codebook matrix.Matrix32, sample int, seed uint64) (*Pairs,
	error) {
	const size = 256
	n := x.Rows
	pick := func(i int) int { return i }
	if sample > 0 && sample < n {
		rows := rand.New(rand.NewPCG(seed, 0x9a117)).Perm(n)[:sample]
		n, pick = sample, func(i int) int { return rows[i] }
	}
	out := &Pairs{landmarks: codebook.Rows}
	if codebook.Rows == 0 {
		return out, ctx.Err()
	}
	type part struct {
		distance float64
		valid    int
	}
	parts := make([]part, par.Count(n, size))
	first, second := make([]int32, n), make([]int32, n)
	err := par.On(ctx, threads, n, size, func(b, from, to int) {
		var p part
		for i := from; i < to; i++ {
			row := x.Row(pick(i))
			if !finite(row) {
				continue
			}
			a, b, d2 := nearestTwo(codebook, row)
			first[from+p.valid], second[from+p.valid] = int32(a), int32(b)
			p.valid++
			p.distance += math.Sqrt(d2)
		}
		parts[b] = p
	})
	if err != nil {
		return nil, err
	}
	for b, p := range parts {
		out.quantization += p.distance
		out.first = append(out.first, first[b*size:b*size+p.valid]...)
		out.second = append(out.second, second[b*size:b*size+p.valid]...)
	}
	if len(out.first) > 0 {
		out.quantization /= float64(len(out.first))
	}
	return out, nil
}

// Quality is that of Measure, of landmarks at pos.
func (n *Pairs) Quality(pos matrix.Matrix32) Quality {
	if n.landmarks == 0 {
		return Quality{}
	}
	limit := 1.5 * 1.5 * spacing2(pos)
	return n.quality(func(a, b int32) bool { return distance64(pos.Row(int(a)), pos.Row(int(b))) <= limit })
}

// Along is Quality for a map whose neighbours are those that an edge joins.
func (n *Pairs) Along(edges [][2]int32) Quality {
	var e net
	e.edges = edges
	e.index(n.landmarks)
	return n.quality(func(a, b int32) bool { return slices.Contains(e.ends[e.from[a]:e.from[a+1]], b) })
}

// quality is both errors where joined tells neighbours.
func (n *Pairs) quality(joined func(a, b int32) bool) Quality {
	q := Quality{Quantization: n.quantization, Points: len(n.first)}
	broken := 0
	for i, a := range n.first {
		if b := n.second[i]; b >= 0 && !joined(a, b) {
			broken++
		}
	}
	if q.Points > 0 {
		q.Topographic = float64(broken) / float64(q.Points)
	}
	return q
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
