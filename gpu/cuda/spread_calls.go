package cuda

import (
	"slices"

	"blossom/model/work/engine"
)

// calls are what several cards were asked for together: a call has taken as long as the card that took longest.
type calls struct {
	of    []*resident
	queue []call // oldest first
}

// call is one of them, and how much of it is done.
type call struct {
	stage  engine.Stage
	points int
	left   []int           // points by card that have not been reported yet
	took   []engine.Timing // by card, so far
}

// do makes a call about a range, whose stripes cards take in turns.
func (c *calls) do(stage engine.Stage, rg engine.Range, stripe int, work func() error) error {
	c.collect()
	made := call{stage, rg.Len(), make([]int, len(c.of)), make([]engine.Timing, len(c.of))}
	for at := rg.From; at < rg.To; {
		next := min(rg.To, (at/stripe+1)*stripe)
		made.left[at/stripe%len(c.of)] += next - at
		at = next
	}
	if c.queue = append(c.queue, made); len(c.queue) > clockMost {
		c.queue = slices.Delete(c.queue, 0, 1) // nobody asks
	}
	err := work()
	if err != nil { // some cards may have done their share, which is no call of its own
		for _, r := range c.of {
			_ = r.Wait()
		}
		c.collect()
		c.queue = slices.DeleteFunc(c.queue, func(of call) bool { return !of.done() })
	}
	return err
}

func (c *call) done() bool { return slices.Max(c.left) <= 0 }

// collect asks cards what has passed.
func (c *calls) collect() {
	for i, r := range c.of {
		at := 0
		r.Timings(func(t engine.Timing) {
			for at < len(c.queue) && (c.queue[at].left[i] <= 0 || c.queue[at].stage != t.Stage) {
				at++
			}
			if at == len(c.queue) {
				return // the call is forgotten
			}
			to := &c.queue[at]
			to.left[i] -= t.Points
			to.took[i].Time += t.Time
			to.took[i].Copy += t.Copy
		})
	}
}

// report yields what has passed on all cards, in the order of the calls.
func (c *calls) report(yield func(engine.Timing)) {
	c.collect()
	for len(c.queue) > 0 && c.queue[0].done() {
		made := c.queue[0]
		t := engine.Timing{Stage: made.stage, Points: made.points}
		for _, of := range made.took {
			if of.Time > t.Time {
				t.Time, t.Copy = of.Time, of.Copy
			}
		}
		c.queue = slices.Delete(c.queue, 0, 1)
		yield(t)
	}
}
