package embedsom

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Residual projects a valid point and returns how badly the pairs of landmarks near it agree on where it lies: 0 where
// all of them say the same place, 1 where they disagree by as much as landmarks are apart. NaN: the point is not
// valid, or there is no pair that says anything.
//
// The projection y minimises, beside gravity, the sum over pairs of S (h.(y - l_i)/|h| - |h| t)^2: S is the pair's
// weight, h = l_j - l_i, t = (L_j-L_i).(x-L_i)/|L_j-L_i|^2 the place of the point along the pair in the space, as a
// share of its length, and h.(y-l_i)/|h|^2 the same on the map. The residual is the root of that sum at y, over the
// sum of S |h|^2, so that neither the map's size nor the scale of the data changes it.
func (w *Worker) Residual(x []float32) float64 {
	if !Valid(x) {
		return math.NaN()
	}
	w.gather(x)
	w.rank(x)
	var y [3]float64
	w.solve(x, y[:w.r.m])
	return w.disagreement(x, y)
}

// spare is how many landmarks more than needed are gathered: distances of far points round.
const spare = 8

// gather makes w.all the nearest landmarks, and some to spare. Sorting all of them costs more than all the rest.
func (w *Worker) gather(x []float32) {
	r := w.r
	most := min(r.find+spare, r.g)
	w.all = w.all[:0]
	for i := range r.g {
		d := 0.0
		for c, l := range r.row(i) {
			t := float64(x[c]) - l
			d += t * t
		}
		if len(w.all) == most && !(d < w.all[most-1].delta) {
			continue
		}
		at, _ := slices.BinarySearchFunc(w.all, d, func(n neighbour, d float64) int {
			if n.delta == d {
				return -1 // behind those of lower index
			}
			return cmp.Compare(n.delta, d)
		})
		if len(w.all) == most {
			w.all = w.all[:most-1]
		}
		w.all = slices.Insert(w.all, at, neighbour{i, d})
	}
}

// disagreement is the residual at y, of the point for which neighbours and scores are there.
func (w *Worker) disagreement(x []float32, y [3]float64) float64 {
	r := w.r
	var off, all float64
	for i := 0; i < r.k; i++ {
		pi, ci := r.pos[w.all[i].id*r.m:][:r.m], r.row(w.all[i].id)
		for j := i + 1; j < r.k; j++ {
			var hh, q2, along, place float64
			for q, p := range r.pos[w.all[j].id*r.m:][:r.m] {
				h := p - pi[q]
				hh += h * h
				place += h * (y[q] - pi[q])
			}
			for q, l := range r.row(w.all[j].id) {
				v := l - ci[q]
				q2 += v * v
				along += v * (float64(x[q]) - ci[q])
			}
			if hh < minimalH || q2 == 0 {
				continue
			}
			along, place = along/q2, place/hh
			weight := w.score[i] * w.score[j] * math.Pow(1+hh, -r.adjust) * math.Exp(-(along-0.5)*(along-0.5)) * hh
			if weight == 0 { // along may be huge
				continue
			}
			off += weight * (place - along) * (place - along)
			all += weight
		}
	}
	if !(all > 0) {
		return math.NaN()
	}
	return math.Sqrt(off / all)
}

// Residuals is Residual for every point of n x d, on all cores. progress may be nil; it is called from several
// goroutines. The error is ctx's, or a Problem where landmarks or parameters cannot be used.
func Residuals(ctx context.Context, points, codebook, pos matrix.Matrix32, p Params,
	progress func(done, total int64)) ([]float32, error) {
	r, err := NewReference(codebook, pos, p)
	if err != nil {
		return nil, err
	}
	if points.Cols != r.d {
		return nil, problem.New("", "use landmarks made from these columns",
			"points have %d columns and landmarks %d", points.Cols, r.d)
	}
	out := make([]float32, points.Rows)
	var done atomic.Int64
	err = r.Each(ctx, 0, points.Rows, 0, func(w *Worker, i int) {
		out[i] = float32(w.Residual(points.Row(i)))
		if now := done.Add(1); progress != nil && now%1024 == 0 {
			progress(now, int64(points.Rows))
		}
	})
	return out, err
}
