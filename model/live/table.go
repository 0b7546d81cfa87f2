package live

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
	"blossom/model/work"
)

// rebuilt is the table of another transform, with what fills the columns of a codebook that is carried into it.
type rebuilt struct {
	table *transform.Table
	fill  matrix.Matrix32
}

func newRebuilt(all *work.Values, retable func()) *work.Value[revision.Revision, rebuilt] {
	return work.Keep[revision.Revision, rebuilt](all, work.Policy{Title: "Transform", Serve: retable})
}

// transformed is how many operations a value of the map takes to be transformed.
const transformed work.Ops = 8

// retable has the present transform applied, if the points were not made with it. A newer change cancels an older one.
func (m *Map) retable() {
	s := m.Doc.State()
	rev := parts.Transform.Rev(s)
	if rev == m.tableFor {
		m.rebuilt.Stop()
		return
	}
	if m.rebuilt.Want(rev) {
		data, old, spec, code := m.Doc.Data, m.table, parts.Transform.Of(s), parts.Landmarks.Of(s).Codebook
		cost := work.Aside
		if m.Doc.Open() { // a slider is held: a job would be overtaken by the next change
			cost = transformed * work.Ops(len(old.X.Data))
		}
		m.rebuilt.Make(cost, func(ctx context.Context, report func(done, total int64)) (made rebuilt, err error) {
			if made.table, err = transform.Update(ctx, old, data, spec, report); err == nil {
				made.fill, err = transform.Centroids(ctx, old, made.table, code)
			}
			return made, err
		})
	}
	if made, fresh := m.rebuilt.Now(); fresh {
		m.retransformed(made.table, rev, made.fill)
	} else if m.rebuilt.Err() != nil {
		m.keepTransform()
	}
}

// keepTransform goes back to the transform that the points have, after the user has cancelled the application of
// another one, or it has failed. Where undo has brought back a codebook of the other space, that one has to come.
func (m *Map) keepTransform() {
	m.rebuilt.Forget()
	if parts.Landmarks.Of(m.Doc.State()).Space == m.tableFor {
		m.Doc.Do("Keep the transform", func(s *state.State) { parts.Transform.Take(s, m.tableState) })
	}
}

// retransformed puts the new points in place, with the codebook carried over into their space.
func (m *Map) retransformed(t *transform.Table, rev revision.Revision, fill matrix.Matrix32) {
	old := m.table
	m.table, m.tableFor, m.tableState = t, rev, m.Doc.State()
	parts.Measure(m.Doc, t)
	if s := m.Doc.State(); parts.Landmarks.Of(s).Space != rev {
		l := *parts.Landmarks.Of(s)
		l.Codebook = transform.Carry(old, t, l.Codebook, fill)
		l.CodeRev = revision.Next()
		parts.Retransformed(m.Doc, &l)
	}
	if t.Rev != old.Rev {
		if err := m.dev.load(); err != nil {
			m.Values.Jobs.Failed(err)
		}
	}
}
