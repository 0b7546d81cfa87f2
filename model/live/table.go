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

// retableAtOnce is how many values of the map are transformed within a frame, in some milliseconds.
const retableAtOnce = 2_000_000

// retable sends the present transform off to be applied, if the points were not made with it and it
// is not under way. A newer change cancels an older one.
func (m *Map) retable() {
	s := m.Doc.State()
	if parts.Transform.Rev(s) == m.tableFor || parts.Transform.Rev(s) == m.buildFor {
		return
	}
	if m.building != nil {
		m.building.Cancel()
	}
	m.buildFor = parts.Transform.Rev(s)
	data, old, spec, rev := m.Doc.Data, m.table, parts.Transform.Of(s), parts.Transform.Rev(s)
	code := parts.Landmarks.Of(s).Codebook
	if m.Doc.Open() && len(old.X.Data) <= retableAtOnce {
		// A slider is held: the map follows in this frame, as a job would be overtaken by the next change.
		m.building = nil
		t, err := transform.Update(context.Background(), old, data, spec, nil)
		if err == nil {
			var fill matrix.Matrix32
			if fill, err = transform.Centroids(context.Background(), old, t, code); err == nil {
				m.retransformed(t, rev, fill)
				return
			}
		}
		m.Jobs.Failed(err)
		m.keepTransform()
		return
	}
	job := m.Jobs.Start("Transform", func(ctx context.Context, j *work.Job) (func(), error) {
		t, err := transform.Update(ctx, old, data, spec, j.Report)
		if err != nil {
			return func() {}, err
		}
		fill, err := transform.Centroids(ctx, old, t, code)
		return func() { m.retransformed(t, rev, fill) }, err
	})
	job.Dropped = func() {
		if m.building == job {
			m.keepTransform()
		}
	}
	m.building = job
}

// keepTransform goes back to the transform that the points have, after the user has cancelled the
// application of another one, or it has failed.
func (m *Map) keepTransform() {
	m.building = nil
	if parts.Landmarks.Of(m.Doc.State()).Space != m.tableFor {
		m.buildFor = 0 // undo has brought back a codebook of the other space: that one has to come
		return
	}
	m.Doc.Do("Keep the transform", func(s *state.State) { parts.Transform.Take(s, m.tableState) })
	m.buildFor = m.tableFor
}

// retransformed puts the new points in place, with the codebook carried over into their space.
func (m *Map) retransformed(t *transform.Table, rev revision.Revision, fill matrix.Matrix32) {
	if parts.Transform.Rev(m.Doc.State()) != rev {
		return // changed again meanwhile; that job is on its way
	}
	old := m.table
	m.table, m.tableFor, m.tableState, m.building = t, rev, m.Doc.State(), nil
	parts.Measure(m.Doc, t)
	if s := m.Doc.State(); parts.Landmarks.Of(s).Space != rev {
		l := *parts.Landmarks.Of(s)
		l.Codebook = transform.Carry(old, t, l.Codebook, fill)
		l.CodeRev = revision.Next()
		parts.Retransformed(m.Doc, &l)
	}
	if t.Rev != old.Rev {
		if err := m.load(); err != nil {
			m.Jobs.Failed(err)
		}
	}
}
