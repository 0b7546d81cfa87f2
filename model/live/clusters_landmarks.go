package live

import (
	"context"
	"math"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/clusters/linkage"
	"blossom/model/document/parts"
	"blossom/model/landmarks/train"
	"blossom/model/work"
)

// landmarkClusters is single linkage of the landmarks, which follows them: within a frame where that takes some
// milliseconds, else beside it. Points are in the cluster of the landmark that is nearest to them: exactly at rest, and
// while landmarks move of a moment before, since what is looked for then is never given up for something newer.
type landmarkClusters struct {
	now   *parts.Hierarchy // nil: nobody asks, or it is not there yet
	of    landmarkKey      // that now is of
	job   *work.Job
	wrong landmarkKey // could not be done
	next  time.Time   // not before: a training that moves landmarks in every frame keeps most of its time

	near   []int32 // of the points in the order of the map, their landmark; -1 of one that is not valid
	nearOf nearKey
	seeker *work.Job
	later  time.Time // not before, while landmarks move
}

// landmarkKey is what the hierarchy of landmarks depends on.
type landmarkKey struct {
	code    revision.Revision
	g       int
	metric  linkage.Metric
	samples int
}

// nearKey is what the landmarks of points depend on.
type nearKey struct {
	table, code revision.Revision
	g           int
}

// atOnceWork is how many differences of coordinates (landmarks x landmarks x dimensions) are looked at within a frame:
// some milliseconds. Landmarks that train get this share of the time.
const (
	atOnceWork    = 8 << 20
	landmarkShare = 5
	nearShare     = 2                      // and points their landmarks this, after they were looked for
	nearPace      = 200 * time.Millisecond // at least
)

func (l *landmarkClusters) tend(c *Clusters) {
	m := c.m
	v := parts.Clusters.Of(m.Doc.State())
	if !v.Landmarks {
		l.end()
		return
	}
	set := m.Landmarks()
	key := landmarkKey{set.CodeRev, set.Len(), v.Metric, min(samplesOf(v), max(set.Len()-1, 0))}
	if key == l.of || key == l.wrong || key.g == 0 || l.job != nil {
		return
	}
	products := key.g * key.g * set.Codebook.Cols
	other := l.of.metric != key.metric || l.of.samples != key.samples || l.of.g != key.g
	if began := m.now(); products <= atOnceWork {
		if !other && began.Before(l.next) {
			return
		}
		h, err := ofLandmarks(context.Background(), set.Codebook, key)
		l.take(h, err, key)
		l.next = m.now().Add(landmarkShare * m.now().Sub(began))
		return
	}
	code := set.Codebook
	job := m.Jobs.Aside("Clusters of landmarks", func(ctx context.Context, j *work.Job) (func(), error) {
		h, err := ofLandmarks(ctx, code, key)
		return func() {
			if l.job == j {
				l.job = nil
				l.take(h, err, key)
			}
		}, ctx.Err()
	})
	job.Dropped = func() {
		if l.job == job {
			l.job = nil
		}
	}
	l.job = job
}

func (l *landmarkClusters) take(h *parts.Hierarchy, err error, key landmarkKey) {
	if err != nil {
		l.wrong = key
		return
	}
	l.now, l.of = h, key
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
	if l.near != nil && l.nearOf == (nearKey{m.table.Rev, l.of.code, l.of.g}) {
		return true
	}
	l.seek(m)
	return false
}

// follows says whether the landmarks of points are known well enough for colours: exactly, or while landmarks move of
// a moment before.
func (l *landmarkClusters) follows(m *Map) bool {
	return l.find(m) || l.near != nil && !m.still() && l.nearOf.table == m.table.Rev && l.nearOf.g == l.of.g
}

// seek looks for the landmarks of points as landmarks are now, beside the window.
func (l *landmarkClusters) seek(m *Map) {
	x, code, begin := m.table.X, m.Landmarks(), m.Jobs.Start
	key := nearKey{m.table.Rev, code.CodeRev, code.Len()}
	switch {
	case l.seeker != nil || m.holding || m.preview != nil || !m.consistent() || l.near != nil && l.nearOf == key:
		return
	case !m.still():
		if m.now().Before(l.later) {
			return
		}
		begin = m.Jobs.Aside
	}
	near, began := make([]int32, x.Rows), m.now()
	job := begin("Landmarks of points", func(ctx context.Context, j *work.Job) (func(), error) {
		err := train.Nearest(ctx, x, code.Codebook, func(point, landmark int, _ float64) {
			near[point] = int32(landmark)
		}, j.Report)
		return func() {
			if l.seeker == j {
				l.seeker, l.near, l.nearOf = nil, near, key
				l.later = m.now().Add(max(nearPace, nearShare*m.now().Sub(began)))
			}
		}, err
	})
	job.Dropped = func() {
		if l.seeker == job {
			l.seeker = nil
		}
	}
	l.seeker = job
}

// spread gives points the values of their landmarks, by rows of the data; ok is false while their landmarks are not
// known.
func (l *landmarkClusters) spread(m *Map, of []float32) (values []float32, ok bool) {
	if !l.follows(m) {
		return nil, false
	}
	values = make([]float32, m.Doc.Data.Points)
	nan := float32(math.NaN())
	for i := range values {
		values[i] = nan
	}
	for i, landmark := range l.near {
		if landmark >= 0 && int(landmark) < len(of) {
			values[rowOf(m.table.Order, i)] = of[landmark]
		}
	}
	return values, true
}

// members are the rows of the points of some landmarks.
func (l *landmarkClusters) members(m *Map, landmarks []int32) (rows []int32, ok bool) {
	if !l.find(m) {
		return nil, false
	}
	in := make([]bool, l.of.g)
	for _, i := range landmarks {
		in[i] = true
	}
	for i, landmark := range l.near {
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

func (l *landmarkClusters) busy() bool { return l.job != nil || l.seeker != nil }

func (l *landmarkClusters) end() {
	for _, j := range []**work.Job{&l.job, &l.seeker} {
		if *j != nil {
			job := *j
			*j = nil
			job.Cancel()
		}
	}
	l.now, l.of, l.wrong, l.near = nil, landmarkKey{}, landmarkKey{}, nil
}
