package glcompute

import (
	"time"

	"github.com/go-gl/gl/v4.3-core/gl"

	"blossom/gpu"
)

// clock measures pieces of work by queries of the card's own time, which are read when they have
// arrived.
type clock struct {
	idle  []uint32
	open  []sample // oldest first
	ready []gpu.Timing
}

// sample is a piece of work between two queries.
type sample struct {
	from, to uint32
	stage    gpu.Stage
	points   int
}

// maxSamples is how many pieces are remembered when nobody asks for them.
const maxSamples = 256

func (c *clock) query() uint32 {
	var id uint32
	if n := len(c.idle); n > 0 {
		id = c.idle[n-1]
		c.idle = c.idle[:n-1]
	} else {
		gl.GenQueries(1, &id)
	}
	gl.QueryCounter(id, gl.TIMESTAMP)
	return id
}

// begin starts a piece of work.
func (c *clock) begin() uint32 { return c.query() }

// end ends it.
func (c *clock) end(from uint32, stage gpu.Stage, points int) {
	if len(c.open) >= maxSamples {
		s := c.open[0]
		c.idle = append(c.idle, s.from, s.to)
		c.open = append(c.open[:0], c.open[1:]...)
	}
	c.open = append(c.open, sample{from, c.query(), stage, points})
}

// collect moves what has arrived to ready.
func (c *clock) collect() {
	for len(c.open) > 0 {
		s := c.open[0]
		var there uint32
		if gl.GetQueryObjectuiv(s.to, gl.QUERY_RESULT_AVAILABLE, &there); there == 0 {
			return
		}
		var from, to uint64
		gl.GetQueryObjectui64v(s.from, gl.QUERY_RESULT, &from)
		gl.GetQueryObjectui64v(s.to, gl.QUERY_RESULT, &to)
		c.idle = append(c.idle, s.from, s.to)
		c.open = append(c.open[:0], c.open[1:]...)
		c.ready = append(c.ready, gpu.Timing{Stage: s.stage, Points: s.points, Time: time.Duration(to - from)})
	}
}

func (c *clock) free() {
	for _, s := range c.open {
		c.idle = append(c.idle, s.from, s.to)
	}
	for _, id := range c.idle {
		gl.DeleteQueries(1, &id)
	}
	*c = clock{}
}
