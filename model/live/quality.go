package live

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/maps/quality"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
)

// Quality is what is known of the quality of an embedding.
type Quality struct {
	Now    *Measured // the last measure; nil: there is none yet
	Before *Measured // when the map last was at rest before it changed; nil: it has not changed
	Older  bool      // the embedding is another by now, and is being measured
	// Blended: what is shown lies between two embeddings, and nothing is told of it.
	Blended bool
}

// Measured is the quality of an embedding on a sample of its points.
type Measured struct {
	*quality.Result
	Far  quality.Far // NaN where the embedding is not made of landmarks
	Of   int         // the points of which those measured are a sample
	At   time.Time   // when it was measured
	Runs bool        // the embedding is one that runs:
	Unit int64       // the unit after which it was as it was measured
}

// Sampled says that there are more points than were measured.
func (q *Measured) Sampled() bool { return q.Points < q.Of }

// gaugeKey is what the positions of an embedding depend on.
type gaugeKey struct {
	table     *transform.Table
	code, pos revision.Revision
	params    embedsom.Params
	rev       revision.Revision // the revision of an embedding other than EmbedSOM, and
	unit      int64             // the unit of one that runs
}

// gauge measures one embedding again and again, as it changes: one job at a time, and the latest state wins.
type gauge struct {
	e       *Embedding
	value   *work.Value[gaugeKey, gauged]
	now     *Measured
	before  *Measured
	settled bool // the map has been at rest since now
}

// gauged is what a measure has made: the measure, and what the next one can go on with.
type gauged struct {
	*Measured
	space *quality.Space
	of    *transform.Table // the table that space is a sample of
	near  quality.Landmarks
}

// gauges are those of all embeddings, and what they share.
type gauges struct {
	list   []*gauge
	gentle atomic.Bool // something moves: measuring leaves the machine to it
	space  *quality.Space
	of     *transform.Table // the table that space is a sample of
	near   quality.Landmarks
}

// gentleShare is the part of one core that measuring takes while something moves.
const gentleShare = 0.12

// QualityOf returns the quality of an embedding, and keeps measuring it as long as every frame asks for it.
func (m *Map) QualityOf(e *Embedding) Quality {
	g := m.gauge(e)
	if e.Blended() < 1 {
		return Quality{Blended: true}
	}
	key, ready := g.wants()
	moving := m.holding || m.training.Active() || m.runs.Running() || e.Busy()
	m.gauges.gentle.Store(moving)
	older := g.now == nil || g.value.Of() != key || e.Busy()
	switch under, busy := g.value.Under(); {
	case !older:
		g.settled = g.settled || !moving
	case !ready:
	case busy && !moving && under != key:
		g.value.Stop()
		fallthrough
	case !moving || g.value.Rested() || g.far():
		if g.value.Want(key) {
			g.measure(key)
		}
	}
	return Quality{Now: g.now, Before: g.before, Older: older}
}

// far says whether a run has done a tenth of its units since it was measured.
func (g *gauge) far() bool {
	w := g.e.steps
	if w == nil || g.now == nil {
		return false
	}
	total := w.Total()
	if total <= 0 {
		total = max(g.now.Unit, 1)
	}
	return 10*(w.Run().Progress().Done-g.now.Unit) >= total
}

// anew says that an embedding begins anew: what was measured says nothing of it.
func (s *gauges) anew(e *Embedding) {
	for _, g := range s.list {
		if g.e == e {
			g.value.Forget()
			if g.now != nil {
				g.before, g.now, g.settled = g.now, nil, false
			}
		}
	}
}

// gauge returns that of an embedding, made if there is none.
func (m *Map) gauge(e *Embedding) *gauge {
	kept := m.gauges.list[:0]
	var found *gauge
	for _, g := range m.gauges.list {
		if g.e == e {
			found = g
		} else if !slices.Contains(m.list, g.e) { // an embedding that is gone
			g.value.Drop()
			continue
		}
		kept = append(kept, g)
	}
	clear(m.gauges.list[len(kept):])
	if m.gauges.list = kept; found == nil {
		found = newGauge(&m.Values, e)
		m.gauges.list = append(m.gauges.list, found)
	}
	return found
}

// gaugeRest is how many times longer than a measure took the machine is left to what moves.
const gaugeRest = 2

func newGauge(all *work.Values, e *Embedding) *gauge {
	g := &gauge{e: e}
	g.value = work.Keep[gaugeKey, gauged](all, work.Policy{Title: "Quality of the map", Quiet: true, Background: true,
		Finish: true, Share: gaugeRest, Done: g.note})
	return g
}

// note takes a measure.
func (g *gauge) note() {
	made, _ := g.value.Now()
	if made.Measured == g.now {
		return // there is no other: it has failed
	}
	share := &g.e.m.gauges
	share.space, share.of, share.near = made.space, made.of, made.near
	if g.settled && g.now != nil {
		g.before, g.settled = g.now, false
	}
	g.now = made.Measured
}

// wants says what should be measured now, and whether it is there.
func (g *gauge) wants() (key gaugeKey, ready bool) {
	m := g.e.m
	key.table = m.table
	if g.e == m.som {
		s := m.Doc.State()
		l := parts.Landmarks.Of(s)
		key.code, key.pos, key.params = l.CodeRev, l.PosRev, parts.Projection.Of(s)
		fits := m.consistent() && l.Codebook.Cols == m.table.X.Cols // a column may just have been taken back
		return key, fits && l.Len() > 0 && m.som.Shown() > 0
	}
	key.rev = g.e.at.Rev
	if w := g.e.steps; w != nil {
		if w.Preparing() {
			return key, false // the former map is still shown
		}
		key.unit = w.Run().Progress().Done
	}
	return key, g.e.at.Err == nil && g.e.at.Target != nil && g.e.Shown() > 0 &&
		(g.e.kind.Way != embedding.AtOnce || !g.e.Busy())
}

// measure begins to measure what there is now.
func (g *gauge) measure(key gaugeKey) {
	m := g.e.m
	share := &m.gauges
	space, near, table, x := share.space, share.near, m.table, m.table.X
	if share.of != m.table {
		space = nil
	}
	var l *landmark.Set
	var pos []float32
	dims := g.e.Dims()
	if g.e == m.som {
		l, dims = parts.Landmarks.Of(m.Doc.State()), 0
	} else {
		rows := min(x.Rows, reachOf(space, x))
		host := g.e.at.Target.Host()
		if g.e.steps != nil {
			host = g.e.steps.Host()
		}
		pos = append([]float32(nil), host[:rows*dims]...)
	}
	runs := g.e.steps != nil
	size := cmp.Or(m.Measured, quality.SampleSize)
	w := quality.Work{Threads: max(1, runtime.GOMAXPROCS(0)/2), Pause: pauser(&share.gentle, time.Now, time.Sleep)}
	if share.gentle.Load() {
		w.Threads = 1
	}
	begun := time.Now()
	g.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (out gauged, err error) {
		out.Measured = &Measured{Far: quality.Far{Share: math.NaN(), Bound: math.NaN()}, At: begun, Runs: runs,
			Unit: key.unit}
		if space == nil {
			if space, err = quality.NewSpace(ctx, x, size, w); err != nil {
				return out, err
			}
		}
		at := make([]float32, 0, 3*space.Len())
		if l != nil {
			if at, dims, err = near.Project(ctx, space, key.code, l, key.params, w); err != nil {
				return out, err
			}
			out.Far = near.Far
		} else {
			at = space.Gather(pos, dims, at)
		}
		out.Of, out.space, out.of, out.near = space.Of, space, table, near
		out.Result, err = space.Measure(ctx, at, dims, w)
		return out, err
	})
}

// reachOf is how many points, from the first, a sample is taken from.
func reachOf(s *quality.Space, x matrix.Matrix32) int {
	if s == nil {
		return x.Rows
	}
	if s.Len() == 0 {
		return 0
	}
	return int(s.Points[s.Len()-1]) + 1
}

// pauser returns what sleeps, while gentle, so long that its caller takes gentleShare of a core.
func pauser(gentle *atomic.Bool, now func() time.Time, sleep func(time.Duration)) func() {
	const most = 50 * time.Millisecond // so that it can be cancelled
	var last atomic.Int64
	last.Store(now().UnixNano())
	return func() {
		worked := time.Duration(now().UnixNano() - last.Load())
		if gentle.Load() && worked > 0 {
			sleep(min(time.Duration(float64(worked)*(1/gentleShare-1)), most))
		}
		last.Store(now().UnixNano())
	}
}
