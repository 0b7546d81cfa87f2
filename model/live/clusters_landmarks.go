package live

import (
	"context"
	"math"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/work"
)

// landmarkClusters is single linkage of the landmarks, which follows them: within a frame where that takes some
// milliseconds, else beside it. Points are in the cluster of the landmark that is nearest to them: exactly at rest, and
// while landmarks move of a moment before, since what is looked for then is never given up for something newer.
type landmarkClusters struct {
	tree *work.Value[landmarkKey, *parts.Hierarchy]
}

// landmarkKey is what the hierarchy of landmarks depends on.
type landmarkKey struct {
	code    revision.Revision
	g       int
	metric  linkage.Metric
	samples int
}

// Landmarks that train get this share of the time.
const landmarkShare = 5

func newLandmarkClusters(c *Clusters, all *work.Values) (l landmarkClusters) {
	l.tree = work.Keep[landmarkKey, *parts.Hierarchy](all, work.Policy{Title: "Clusters of landmarks", Quiet: true,
		Finish: true, Silent: true, Share: landmarkShare, Serve: func() { c.landmarks.follow(c.m) }})
	return l
}

// follow has the hierarchy of the landmarks made as they are now, where it is landmarks that are clustered.
func (l *landmarkClusters) follow(m *Map) {
	v := parts.Clusters.Of(m.Doc.State())
	if !v.Landmarks {
		l.tree.Forget()
		return
	}
	code := m.Landmarks()
	key := landmarkKey{code.CodeRev, code.Len(), v.Metric, min(v.Samples(), max(code.Len()-1, 0))}
	if key.g == 0 || !l.tree.Want(key) {
		return
	}
	was := l.tree.Of()
	if other := was.metric != key.metric || was.samples != key.samples || was.g != key.g; !other && !m.still() &&
		!l.tree.Rested() {
		return
	}
	cost := 2 * work.Ops(key.g*key.g*code.Codebook.Cols)
	l.tree.Make(cost, func(ctx context.Context, _ func(done, total int64)) (*parts.Hierarchy, error) {
		return ofLandmarks(ctx, code.Codebook, key)
	})
}

// ofLandmarks is the hierarchy of a codebook: of so few points the one that looks at all pairs is the fastest.
func ofLandmarks(ctx context.Context, code matrix.Matrix32, key landmarkKey) (*parts.Hierarchy, error) {
	o := linkage.Options{Metric: key.metric, MinSamples: key.samples, Algorithm: "prim"}
	if code.Rows > 2048 {
		o.Algorithm = ""
	}
	r, err := linkage.New(ctx, code, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if err := r.Finish(ctx, nil); err != nil {
		return nil, err
	}
	tree, err := r.Linkage(ctx)
	if err != nil {
		return nil, err
	}
	return parts.NewHierarchy(ctx, tree, key.metric, key.samples, 1, 0)
}

// find says whether the landmarks of all points are known, and has them looked for where they are not: at rest.
func (l *landmarkClusters) find(m *Map) bool {
	of := l.tree.Of()
	return m.named.near.find(nearKey{m.table.Rev, of.code, of.g})
}

// follows says whether the landmarks of points are known well enough for colours: exactly, or while landmarks move of
// a moment before.
func (l *landmarkClusters) follows(m *Map) bool {
	was := m.named.near.Of()
	return l.find(m) || !m.still() && was.table == m.table.Rev && was.g == l.tree.Of().g
}

// spread gives points the values of their landmarks, by rows of the data.
func (l *landmarkClusters) spread(m *Map, of []float32) []float32 {
	values := make([]float32, m.Doc.Data.Points)
	nan := float32(math.NaN())
	for i := range values {
		values[i] = nan
	}
	near, _ := m.named.near.Now()
	for i, landmark := range near {
		if landmark >= 0 && int(landmark) < len(of) {
			values[rowOf(m.table.Order, i)] = of[landmark]
		}
	}
	return values
}

// members are the rows of the points of some landmarks.
func (l *landmarkClusters) members(m *Map, landmarks []int32) (rows []int32, ok bool) {
	if !l.find(m) {
		return nil, false
	}
	in := make([]bool, l.tree.Of().g)
	near, _ := m.named.near.Now()
	for _, i := range landmarks {
		in[i] = true
	}
	for i, landmark := range near {
		if landmark >= 0 && int(landmark) < len(in) && in[landmark] {
			rows = append(rows, int32(rowOf(m.table.Order, i)))
		}
	}
	return rows, true
}

// rowOf is the row of the data of a point of the map.
func rowOf(order []int32, point int) int {
	if order == nil {
		return point
	}
	return int(order[point])
}
