package cuda

import (
	"blossom/gpu/cuda/driver"
	"blossom/model/engine"
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

func (c *clock) start(r *resident, stage engine.Stage, points int) error {
	if len(c.spare) == 0 && len(c.queue) >= clockMost {
		c.spare = append(c.spare, c.queue[0])
		c.queue = append(c.queue[:0], c.queue[1:]...)
	}
	if c.open.to != nil {
		// of a piece that failed or was cancelled
	} else if n := len(c.spare); n > 0 {
		c.open, c.spare = c.spare[n-1], c.spare[:n-1]
	} else {
		var err error
		if c.open.from, err = r.e.c.NewEvent(); err != nil {
			return err
		}
		if c.open.copy, err = r.e.c.NewEvent(); err != nil {
			return err
		}
		if c.open.to, err = r.e.c.NewEvent(); err != nil {
			return err
		}
	}
	c.open.stage, c.open.points, c.open.copied, c.marked = stage, points, false, false
	return r.e.s.Record(c.open.from)
}

// restart begins the piece here, whatever came before.
func (c *clock) restart(r *resident) error { return r.e.s.Record(c.open.from) }

// copying says that from here on positions are brought to the host.
func (c *clock) copying(r *resident) error {
	if c.marked {
		return nil // that is no part of the piece
	}
	c.open.copied = true
	return r.e.s.Record(c.open.copy)
}

// mark ends the piece here, whatever follows until stop.
func (c *clock) mark(r *resident) {
	if c.open.to != nil && r.e.s.Record(c.open.to) == nil {
		c.marked = true
	}
}

func (c *clock) stop(r *resident) error {
	if !c.marked {
		if err := r.e.s.Record(c.open.to); err != nil {
			return err
		}
	}
	c.queue = append(c.queue, c.open)
	c.open = interval{}
	return nil
}

func (c *clock) report(r *resident, yield func(engine.Timing)) {
	if len(c.queue) == 0 || r.err != nil {
		return
	}
	leave, err := r.e.c.Enter()
	if err != nil {
		_ = r.failed(err)
		return
	}
	defer leave()
	done := 0
	for _, p := range c.queue {
		past, err := p.to.Done()
		if err != nil {
			_ = r.failed(err) // the next call says it
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
