package cuda

import (
	"time"

	"blossom/gpu/cuda/driver"
)

// Steps of a unit, as they are timed.
const (
	stepOrder  = "order"
	stepTree   = "tree"
	stepWalk   = "repulsion"
	stepMove   = "attraction and motion"
	stepCentre = "mean"
)

// steps times what a batch does by the card's own events, where that is asked for.
type steps struct {
	b     *body
	tell  func(step string, took time.Duration)
	marks []*driver.Event
	names []string
	err   error
}

func (c *steps) begin(b *body, tell func(string, time.Duration)) {
	c.b, c.tell, c.names, c.err = b, tell, c.names[:0], nil
	c.mark()
}

// step ends a step here.
func (c *steps) step(name string) {
	if c.tell != nil {
		c.names = append(c.names, name)
		c.mark()
	}
}

func (c *steps) mark() {
	if c.tell == nil || c.err != nil {
		return
	}
	if len(c.marks) <= len(c.names) {
		e, err := c.b.e.c.NewEvent()
		if c.err = err; err != nil {
			return
		}
		c.marks = append(c.marks, e)
	}
	c.err = c.b.s.Record(c.marks[len(c.names)])
}

// end waits for the steps and tells what they took.
func (c *steps) end() error {
	if c.tell == nil || c.err != nil {
		return c.err
	}
	if err := c.b.s.Wait(); err != nil {
		return err
	}
	for i, name := range c.names {
		took, err := driver.Elapsed(c.marks[i], c.marks[i+1])
		if err != nil {
			return err
		}
		c.tell(name, took)
	}
	c.tell = nil
	return nil
}

func (c *steps) free() {
	for _, e := range c.marks {
		_ = e.Destroy()
	}
	*c = steps{}
}
