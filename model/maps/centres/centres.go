// Package centres makes landmarks of a map that points have already: at the centres of the points in the space, each
// where its own lie on the map.
package centres

import (
	"context"
	"math"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
)

// How centres are found: passes over the points, and rounds of finding their middle on the map.
const (
	centrePasses = 12
	centreRounds = 24
)

// At makes at most g landmarks of points x (n x d, finite) that lie at pos (n x dims, finite): centres by
// k-means, each in the geometric median (Weiszfeld 1937) of its points on the map, so that where those are in two
// places it is in the one of most. report may be nil. The error is a problem.Problem, or ctx's.
func At(ctx context.Context, x matrix.Matrix32, pos []float32, dims, g int, seed uint64,
	report func(done, total int64)) (*landmark.Set, error) {
	begin, err := landmark.StartKMeans(ctx, x, g, dims, seed)
	if err != nil {
		return nil, err
	}
	lloyd, _ := train.ByID("lloyd")
	t, err := lloyd.New(train.Input{X: x, Codebook: begin.Codebook, Pos: begin.Pos, Seed: seed},
		step.Values{"epochs": centrePasses})
	if err != nil {
		return nil, err
	}
	_, err = step.ToRest(ctx, t, 1000, 20*time.Millisecond, func(p step.Progress, _ time.Duration) error {
		if report != nil {
			report(p.Done, int64(centrePasses*x.Rows))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	code := t.Codebook()
	own := make([]int, x.Rows)
	err = train.Nearest(ctx, x, code, func(point, landmark int, _ float64) { own[point] = landmark }, nil)
	if err != nil {
		return nil, err
	}
	of := make([][]float32, code.Rows)
	for i, id := range own {
		of[id] = append(of[id], pos[i*dims:(i+1)*dims]...)
	}
	var kept, places matrix.Matrix32
	kept.Cols, places.Cols = code.Cols, dims
	for id, p := range of {
		if len(p) == 0 {
			continue // a centre that no point is near
		}
		kept.Data, places.Data = append(kept.Data, code.Row(id)...), append(places.Data, middleOf(p, dims)...)
		kept.Rows++
		places.Rows++
	}
	set, err := landmark.New(kept, places)
	if err == nil {
		set.CodeRev, set.PosRev = revision.Next(), revision.Next()
	}
	return set, err
}

// middleOf is the geometric median of some places.
func middleOf(p []float32, dims int) []float32 {
	n := len(p) / dims
	at := make([]float64, dims)
	for i, v := range p {
		at[i%dims] += float64(v) / float64(n)
	}
	for range centreRounds {
		var sum [3]float64
		weight := 0.0
		for i := range n {
			d := 0.0
			for c := range dims {
				e := float64(p[i*dims+c]) - at[c]
				d += e * e
			}
			w := 1 / max(math.Sqrt(d), 1e-6)
			weight += w
			for c := range dims {
				sum[c] += w * float64(p[i*dims+c])
			}
		}
		for c := range dims {
			at[c] = sum[c] / weight
		}
	}
	out := make([]float32, dims)
	for c, v := range at {
		out[c] = float32(v)
	}
	return out
}
