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

// spaced is which transform the points have, and the table of another one on its way.
type spaced struct {
	m    *Map
	of   revision.Revision // the transform that the table was made with
	with state.State       // the state that has the transform
	next *work.Value[revision.Revision, rebuilt]
}

func (t *spaced) begin(m *Map) {
	t.m, t.with = m, m.Doc.State()
	t.of = parts.Transform.Rev(t.with)
	t.next = work.Keep[revision.Revision, rebuilt](&m.Values, work.Policy{Title: "Transform", Serve: t.tend})
}

// transformed is how many operations a value of the map takes to be transformed.
const transformed work.Ops = 8

// tend has the present transform applied, if the points were not made with it. A newer change cancels an older one.
func (t *spaced) tend() {
	m, s := t.m, t.m.Doc.State()
	rev := parts.Transform.Rev(s)
	if rev == t.of {
		t.next.Stop()
		return
	}
	if t.next.Want(rev) {
		data, old, spec, code := m.Doc.Data, m.table, parts.Transform.Of(s), parts.Landmarks.Of(s).Codebook
		cost := work.Aside
		if m.Doc.Open() { // a slider is held: a job would be overtaken by the next change
			cost = transformed * work.Ops(len(old.X.Data))
		}
		t.next.Make(cost, func(ctx context.Context, report func(done, total int64)) (made rebuilt, err error) {
			if made.table, err = transform.Update(ctx, old, data, spec, report); err == nil {
				made.fill, err = transform.Centroids(ctx, old, made.table, code)
			}
			return made, err
		})
	}
	if made, fresh := t.next.Now(); fresh {
		t.take(made, rev)
	} else if t.next.Err() != nil {
		t.goBack()
	}
}

// goBack goes back to the transform that the points have, after the user has cancelled the application of
// another one, or it has failed. Where undo has brought back a codebook of the other space, that one has to come.
func (t *spaced) goBack() {
	t.next.Forget()
	if parts.Landmarks.Of(t.m.Doc.State()).Space == t.of {
		t.stay()
	}
}

// stay gives the document the transform that the points have.
func (t *spaced) stay() {
	t.m.Doc.Do("Keep the transform", func(s *state.State) { parts.Transform.Take(s, t.with) })
}

// take puts the new points in place, with the codebook carried over into their space.
func (t *spaced) take(made rebuilt, rev revision.Revision) {
	m, old := t.m, t.m.table
	m.table, t.of, t.with = made.table, rev, m.Doc.State()
	parts.Measure(m.Doc, m.table)
	if s := m.Doc.State(); parts.Landmarks.Of(s).Space != rev {
		l := *parts.Landmarks.Of(s)
		if m.table.Rev != old.Rev { // else the space is the same, and what was trained is still of it
			l.Codebook, l.CodeRev = transform.Carry(old, m.table, l.Codebook, made.fill), revision.Next()
		}
		parts.Retransformed(m.Doc, &l)
	}
	if m.table.Rev != old.Rev {
		if err := m.dev.load(); err != nil {
			m.Values.Jobs.Failed(err)
		}
	}
}
