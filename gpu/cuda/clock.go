package cuda

import (
	"blossom/gpu/cuda/driver"
	"blossom/model/work/engine"
)

// clock measures work by the card's own events, which are read when they have passed: nothing waits.
type clock struct {
	open   interval
	marked bool
	queue  []interval // begun and ended, oldest first
	spare  []interval
}

// An interval is a piece of work between two events.
type interval struct {
	from, copy, to *driver.Event
	copied         bool // from copy on, positions are brought to the host
	stage          engine.Stage
	points         int
}

const clockMost = 256 // pieces that nobody asks about are forgotten

func (c *clock) start(e *card, stage engine.Stage, points int) error {
	if len(c.spare) == 0 && len(c.queue) >= clockMost {
		c.spare = append(c.spare, c.queue[0])
		c.queue = append(c.queue[:0], c.queue[1:]...)
	}
	if c.open.to != nil {
		// events of a piece that failed or was cancelled
	} else if n := len(c.spare); n > 0 {
		c.open, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		var err error
		if c.open.from, err = e.c.NewEvent(); err != nil {
			return err
		}
		if c.open.copy, err = e.c.NewEvent(); err != nil {
			return err
		}
		if c.open.to, err = e.c.NewEvent(); err != nil {
			return err
		}
	}
	c.open.stage, c.open.points, c.open.copied, c.marked = stage, points, false, false
	return e.s.Record(c.open.from)
}

// restart begins the piece here, whatever came before.
func (c *clock) restart(s *driver.Stream) error { return s.Record(c.open.from) }

// copying says that from here on positions are brought to the host.
func (c *clock) copying(s *driver.Stream) error {
	if c.marked {
		return nil // time between pieces, which counts for none
	}
	c.open.copied = true
	return s.Record(c.open.copy)
}

// mark ends the piece here, whatever follows until stop.
func (c *clock) mark(s *driver.Stream) {
	if c.open.to != nil && s.Record(c.open.to) == nil {
		c.marked = true
	}
}

func (c *clock) stop(s *driver.Stream) error {
	if !c.marked {
		if err := s.Record(c.open.to); err != nil {
			return err
		}
	}
	c.queue = append(c.queue, c.open)
	c.open = interval{}
	return nil
}

// report yields what has passed. It returns the error of the work, if there is one.
func (c *clock) report(yield func(engine.Timing)) (failed error) {
	done := 0
	for _, p := range c.queue {
		past, err := p.to.Done()
		if err != nil {
			failed = err
			break
		}
		if !past {
			break
		}
		done++
		if t, err := driver.Elapsed(p.from, p.to); err == nil {
			g := engine.Timing{Stage: p.stage, Points: p.points, Time: t}
			if p.copied {
				g.Copy, _ = driver.Elapsed(p.copy, p.to) // both have passed
			}
			yield(g)
		}
		c.spare = append(c.spare, p)
	}
	c.queue = append(c.queue[:0], c.queue[done:]...)
	return failed
}

func (c *clock) free() {
	for _, l := range [][]interval{c.queue, c.spare, {c.open}} {
		for _, p := range l {
			if p.from != nil {
				_ = p.from.Destroy()
			}
			if p.copy != nil {
				_ = p.copy.Destroy()
			}
			if p.to != nil {
				_ = p.to.Destroy()
			}
		}
	}
	*c = clock{}
}
