package glcompute

import (
	"time"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/work/engine"
)

// clock measures pieces of work by queries of the card's own time, which are read when they have
// arrived.
type clock struct {
	idle  []uint32
	open  []sample // oldest first
	ready []engine.Timing
	said  *answers
}

// answers are what OpenGL writes to; kept, for otherwise each call would allocate them.
type answers struct {
	id, there uint32
	time      uint64
}

func newClock() clock { return clock{said: &answers{}} }

// sample is a piece of work between two queries; after copy, if it is not 0, positions are brought to the
// host.
type sample struct {
	from, copy, to uint32
	stage          engine.Stage
	points         int
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

// forget is for a piece that does not end.
func (c *clock) forget(from uint32) {
	if from != 0 {
		c.idle = append(c.idle, from)
	}
}

// end ends it. copy is where copying began, or 0.
func (c *clock) end(from, copy uint32, stage engine.Stage, points int) {
	if len(c.open) >= maxSamples {
		c.drop()
	}
	c.open = append(c.open, sample{from, copy, c.query(), stage, points})
}

// drop forgets the oldest piece.
func (c *clock) drop() {
	s := c.open[0]
	c.idle = append(c.idle, s.from, s.to)
	if s.copy != 0 {
		c.idle = append(c.idle, s.copy)
	}
	c.open = append(c.open[:0], c.open[1:]...)
}

// read returns the time of a query that has arrived.
func (c *clock) read(id uint32) time.Duration {
	gl.GetQueryObjectui64v(id, gl.QUERY_RESULT, &c.said.time)
	return time.Duration(c.said.time)
}

// collect moves what has arrived to ready.
func (c *clock) collect() {
	for len(c.open) > 0 {
		s := c.open[0]
		if gl.GetQueryObjectuiv(s.to, gl.QUERY_RESULT_AVAILABLE, &c.said.there); c.said.there == 0 {
			return
		}
		t := engine.Timing{Stage: s.stage, Points: s.points}
		to := c.read(s.to)
		t.Time = to - c.read(s.from)
		if s.copy != 0 {
			t.Copy = to - c.read(s.copy)
		}
		c.drop()
		c.ready = append(c.ready, t)
	}
}

func (c *clock) free() {
	for len(c.open) > 0 {
		c.drop()
	}
	if n := len(c.idle); n > 0 {
		gl.DeleteQueries(int32(n), &c.idle[0])
	}
	*c = newClock()
}
