package live

import (
	"context"
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/knn"
	"blossom/model/work"
)

// LandmarksFrom makes landmarks of an embedding, as a job: centres of its points in the space, each where its points
// lie in the embedding. EmbedSOM then places all points in that picture, also those that the embedding is not of. It
// is one entry of the history. done is called when that is made. The error (problem.Problem) says why it cannot be.
func (m *Map) LandmarksFrom(e *Embedding, g int, done func()) error {
	pos, ok := e.Positions()
	title, _ := e.Label()
	switch {
	case !m.consistent():
		return problem.New("", "try again in a moment", "a change of the transform is still being applied")
	case !ok:
		return problem.New("", "pause it, or wait until it rests", "the positions of %s are still changing", title)
	}
	dims, table, seed, asked := e.Dims(), m.table, m.Doc.Seed, m.Doc.History().Now()
	pos = slices.Clone(pos) // they may move while the job goes on
	if e.steps != nil {
		e.steps.unblend() // what is shown is what is taken
	}
	m.Values.Jobs.Start("Landmarks from "+title, func(ctx context.Context, j *work.Job) (func(), error) {
		x, at := placedOf(table.X, pos, dims)
		if x.Rows < 2 {
			return nil, problem.New("", "take more points", "landmarks cannot be made of %d points", x.Rows)
		}
		set, err := LandmarksAt(ctx, x, at, dims, min(g, x.Rows), seed, j.Report)
		return func() {
			if m.table != table || !m.consistent() || m.dev.resident == nil {
				m.Values.Jobs.Failed(problem.New("", "try it again", "the data or its transform changed while "+
					"landmarks were made of %s", title))
				return
			}
			if !m.Doc.History().Since(asked) {
				m.notice("landmarks of " + title + " were dropped: you went back meanwhile")
				return
			}
			m.training.Pause()
			m.Layout().Pause()
			m.Doc.Do("Landmarks from "+title, func(s *state.State) { parts.Replace(s, set) })
			if done != nil {
				done()
			}
		}, err
	})
	return nil
}

// placedOf are the points of x that are valid and have a place, and those places.
func placedOf(x matrix.Matrix32, pos []float32, dims int) (of matrix.Matrix32, at []float32) {
	of.Cols = x.Cols
	for i := range x.Rows {
		if p := pos[i*dims : (i+1)*dims]; knn.Finite(p) && knn.Finite(x.Row(i)) {
			of.Data, at = append(of.Data, x.Row(i)...), append(at, p...)
			of.Rows++
		}
	}
	return of, at
}

// How centres are found: passes over the points, and rounds of finding their middle on the map.
const (
	centrePasses = 12
	centreRounds = 24
)

// LandmarksAt makes at most g landmarks of points x (n x d, finite) that lie at pos (n x dims, finite): centres by
// k-means, each in the geometric median (Weiszfeld 1937) of its points on the map, so that where those are in two
// places it is in the one of most. report may be nil. The error is a problem.Problem, or ctx's.
func LandmarksAt(ctx context.Context, x matrix.Matrix32, pos []float32, dims, g int, seed uint64,
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
	own, err := nearestOf(ctx, x, code, nil)
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
