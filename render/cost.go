package render

import (
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/render/camera"
)

// cost estimates what drawing a point takes on one path.
type cost struct {
	nanos   float64 // per point; 0: not known yet
	queries [4]query
	next    int
}

// query is a measurement under way on the GPU.
type query struct {
	id     uint32
	points int // 0: free
}

const leastToMeasure = 2000 // fewer points measure the overhead

func (c *cost) add(points int, d time.Duration) {
	if points < leastToMeasure || d <= 0 {
		return
	}
	x := float64(d) / float64(points)
	if c.nanos == 0 {
		c.nanos = x
		return
	}
	c.nanos += 0.25 * (x - c.nanos)
}

// begin starts a GPU timer where one is free and says whether it did.
func (c *cost) begin(points int) bool {
	q := &c.queries[c.next]
	if q.points > 0 {
		var done int32
		gl.GetQueryObjectiv(q.id, gl.QUERY_RESULT_AVAILABLE, &done)
		if done == gl.FALSE {
			return false
		}
		var ns uint64
		gl.GetQueryObjectui64v(q.id, gl.QUERY_RESULT, &ns)
		c.add(q.points, time.Duration(ns))
		q.points = 0
	}
	if points < leastToMeasure {
		return false
	}
	if q.id == 0 {
		gl.GenQueries(1, &q.id)
	}
	q.points = points
	gl.BeginQuery(gl.TIME_ELAPSED, q.id)
	return true
}

// framePoints returns how many points may be drawn in a frame while things move.
func (c *cost) framePoints() int {
	if c.nanos == 0 {
		return 50_000 // not known yet
	}
	return max(10_000, int(float64(frameDraw)/c.nanos))
}

func (c *cost) end() {
	gl.EndQuery(gl.TIME_ELAPSED)
	c.next = (c.next + 1) % len(c.queries)
}

func (c *cost) free() {
	for i := range c.queries {
		if c.queries[i].id != 0 {
			gl.DeleteQueries(1, &c.queries[i].id)
		}
	}
	*c = cost{}
}

// CostPerPoint returns the measured nanoseconds that drawing one point of a flat map takes on the current
// path, a moving average over recent calls of DrawRange, or 0 before the first measurement.
func (r *Renderer) CostPerPoint() float64 { return r.cost[r.path].nanos }

// frameDraw is what drawing points may take of a frame while things move; the rest follows in the next.
const frameDraw = 12 * time.Millisecond

// FramePoints returns how many points of a flat map may be drawn in a frame while things move; see also
// Layer.FramePoints.
func (r *Renderer) FramePoints() int { return r.cost[r.path].framePoints() }

// Finish waits until all that has been asked for is drawn: for measurements.
func (r *Renderer) Finish() { gl.Finish() }

// cpuIsFaster draws the same small scene both ways.
func (r *Renderer) cpuIsFaster() bool {
	const n = 10000
	b := r.NewPointBuffer(n, 2)
	defer b.Free()
	x := uint32(1)
	for i := range b.Host() {
		x = x*1664525 + 1013904223
		b.Host()[i] = float32(x>>8) / (1 << 24)
	}
	best := func(p Path) time.Duration {
		r.path = p
		l := r.NewLayer()
		defer l.Free()
		least := time.Hour
		for range 3 { // the first one compiles and fills caches
			l.Begin(camera.NewFlat(400, 300).Projection(), Style{Size: 2, Opacity: 0.5})
			start := r.clock()
			l.DrawRange(b, nil, nil, 0, n)
			l.Resolve(Light().Background)
			gl.Finish()
			least = min(least, r.clock().Sub(start))
		}
		return least
	}
	return best(CPU) <= best(OpenGL)
}
