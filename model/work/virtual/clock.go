// Package virtual is the time of tests: it goes on by what runs have done, not by how long that takes on some machine,
// so that how many units fit into a frame is a count.
package virtual

import (
	"strings"
	"sync/atomic"
	"time"
)

// Clock is such a time. It may be looked at on any goroutine.
type Clock struct {
	Unit time.Duration // a unit of a run takes so much; 0: UnitTime
	ns   atomic.Int64
}

const (
	UnitTime   = 200 * time.Microsecond
	sampleTime = 2 * time.Microsecond  // a unit of training is a sample
	blockTime  = 10 * time.Millisecond // a unit of clustering is a block of rows
	look       = 20 * time.Microsecond // a look at the clock, so that waiting for a time comes to an end
)

// Now goes on a little whenever it is looked at.
func (c *Clock) Now() time.Time { return time.Unix(0, c.ns.Add(int64(look))) }

// Spent has the time go on by units of a run: by samples where it is a training, by blocks where points are clustered,
// else by Unit.
func (c *Clock) Spent(title string, units int) {
	price := c.Unit
	switch {
	case strings.HasPrefix(title, "Train"):
		price = sampleTime
	case strings.HasPrefix(title, "Clusters"):
		price = blockTime
	case price == 0:
		price = UnitTime
	}
	c.pass(time.Duration(units) * price)
}

// Frame has the time between two frames go by.
func (c *Clock) Frame(elapsed time.Duration) { c.pass(elapsed) }

func (c *Clock) pass(d time.Duration) { c.ns.Add(int64(d)) }
