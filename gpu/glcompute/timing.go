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
	said  *answers
}

// answers are what OpenGL writes to; kept, for otherwise each call would allocate them.
type answers struct {
	id, there uint32
	from, to  uint64
}

func newClock() clock { return clock{said: &answers{}} }

// sample is a piece of work between two queries.
type sample struct {
	from, to uint32
	stage    gpu.Stage
	points   int
}

// maxSamples is how many pieces are remembered when nobody asks for them.
const maxSamples = 256

func (c *clock) query() uint32 {
	if n := len(c.idle); n > 0 {
		c.said.id = c.idle[n-1]
		c.idle = c.idle[:n-1]
	} else {
		gl.GenQueries(1, &c.said.id)
	}
	gl.QueryCounter(c.said.id, gl.TIMESTAMP)
	return c.said.id
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
		if gl.GetQueryObjectuiv(s.to, gl.QUERY_RESULT_AVAILABLE, &c.said.there); c.said.there == 0 {
			return
		}
		gl.GetQueryObjectui64v(s.from, gl.QUERY_RESULT, &c.said.from)
		gl.GetQueryObjectui64v(s.to, gl.QUERY_RESULT, &c.said.to)
		c.idle = append(c.idle, s.from, s.to)
		c.open = append(c.open[:0], c.open[1:]...)
		c.ready = append(c.ready, gpu.Timing{Stage: s.stage, Points: s.points, Time: time.Duration(c.said.to - c.said.from)})
	}
}

func (c *clock) free() {
	for _, s := range c.open {
		c.idle = append(c.idle, s.from, s.to)
	}
	if n := len(c.idle); n > 0 {
		gl.DeleteQueries(int32(n), &c.idle[0])
	}
	*c = newClock()
}
