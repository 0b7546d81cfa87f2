package live

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
)

type influenceKey struct {
	table, code revision.Revision
	params      embedsom.Params
}

func newInfluences(all *work.Values) *work.Value[influenceKey, *embedsom.Influence] {
	return work.Keep[influenceKey, *embedsom.Influence](all, work.Policy{Title: "Influence", Quiet: true,
		Background: true, Finish: true})
}

// Influence returns which points landmarks carry; nil while that is found out, beside the window, and while landmarks
// are trained, which change faster than that is found out. Asking each frame costs nothing.
func (m *Map) Influence() *embedsom.Influence {
	if m.training.Active() {
		return nil
	}
	s := m.Doc.State()
	l, params := parts.Landmarks.Of(s), parts.Projection.Of(s)
	if m.influence.Want(influenceKey{m.table.Rev, l.CodeRev, params}) && m.consistent() && l.Len() > 0 {
		x := m.table.X
		m.influence.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*embedsom.Influence, error) {
			return embedsom.NewInfluence(ctx, l.Codebook, l.Pos, params, x)
		})
	}
	if f, fresh := m.influence.Now(); fresh {
		return f
	}
	return nil
}
