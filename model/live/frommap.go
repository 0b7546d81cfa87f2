package live

import (
	"context"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/centres"
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
		e.steps.Unblend() // the map is taken as it is shown
	}
	m.Values.Jobs.Start("Landmarks from "+title, func(ctx context.Context, j *work.Job) (func(), error) {
		x, at := placedOf(table.X, pos, dims)
		if x.Rows < 2 {
			return nil, problem.New("", "take more points", "landmarks cannot be made of %d points", x.Rows)
		}
		set, err := centres.At(ctx, x, at, dims, min(g, x.Rows), seed, j.Report)
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
