package live

import (
	"context"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/landmarks/train"
	"blossom/model/work"
)

// nearest is the nearest landmark of each point in the space of the map, in the order of the map; -1 of one that is not
// valid. It is looked for beside the window: exactly at rest, and while landmarks move now and then.
type nearest struct {
	*work.Value[nearKey, []int32]
	m *Map
}

// nearKey is what the landmarks of points depend on.
type nearKey struct {
	table, code revision.Revision
	g           int
}

// After they were looked for, landmarks of points rest this long.
const (
	nearShare = 2                      // times what it took
	nearPace  = 200 * time.Millisecond // at least
)

// begin makes the value.
func (n *nearest) begin(m *Map) {
	n.m, n.Value = m, work.Keep[nearKey, []int32](&m.Values, work.Policy{Title: "Landmarks of points", Finish: true,
		Share: nearShare, Least: nearPace})
}

// key is of the landmarks and the points as they are now.
func (n *nearest) key() nearKey {
	set := n.m.Landmarks()
	return nearKey{n.m.table.Rev, set.CodeRev, set.Len()}
}

// find says whether those of a key are known, and has them looked for as landmarks are now where they are not.
func (n *nearest) find(of nearKey) bool {
	if n.Of() == of {
		return true
	}
	n.seek()
	return false
}

// seek looks for them as landmarks are now.
func (n *nearest) seek() {
	m := n.m
	x, set, moving := m.table.X, m.Landmarks(), !m.still()
	if m.holding || m.preview != nil || !m.consistent() || moving && !n.Rested() || !n.Want(n.key()) {
		return
	}
	n.Quiet = moving
	n.Make(work.Aside, func(ctx context.Context, report func(done, total int64)) ([]int32, error) {
		return nearestOf(ctx, x, set.Codebook, report)
	})
}

// nearestOf is the nearest landmark of each point, -1 of one that is not valid. The error is ctx's.
func nearestOf(ctx context.Context, x, codebook matrix.Matrix32, report func(done, total int64)) ([]int32, error) {
	near := make([]int32, x.Rows)
	return near, train.Nearest(ctx, x, codebook, func(point, landmark int, _ float64) {
		near[point] = int32(landmark)
	}, report)
}
