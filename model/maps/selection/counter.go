package selection

import (
	"context"
	"time"
)

// Sample is the number of points, the first of the map, that a Counter counts at least: in their shuffled
// order they are a fair sample, which knows a share of a half to within 0.5 % (twice the standard error).
const Sample = 50_048 // a multiple of 64

// Counter counts the points in a region while it is being drawn: all of them if that is fast enough, else a
// sample. Set its fields once; use it from one goroutine.
type Counter struct {
	Points Points
	Depths *Depths          // all points in the view, where only those in front are counted; nil: all are
	Budget time.Duration    // for one Count
	Now    func() time.Time // nil: time.Now
}

// Count is how many of the first Of points are in a region, Of of Total.
type Count struct{ In, Of, Total int }

// Exact says whether all points were looked at.
func (c Count) Exact() bool { return c.Of == c.Total }

// Estimate is the number of points in the region: exact, or as the sample tells.
func (c Count) Estimate() int {
	if c.Of == 0 {
		return 0
	}
	return int(float64(c.In)/float64(c.Of)*float64(c.Total) + 0.5)
}

// Share is the part of all points that is in the region, 0 to 1.
func (c Count) Share() float64 {
	if c.Of == 0 {
		return 0
	}
	return float64(c.In) / float64(c.Of)
}

// Count counts the points in a region as it is now. It looks at the rest of the points if what the sample
// took says that they keep within the budget.
func (c *Counter) Count(ctx context.Context, r Region, v View) (Count, error) {
	if err := c.Points.check(); err != nil {
		return Count{}, err
	}
	now := c.Now
	if now == nil {
		now = time.Now
	}
	n := c.Points.Len()
	out := Count{Of: min(n, Sample), Total: n}
	start := now()
	t, err := r.tester(ctx, out.Of)
	if err != nil {
		return Count{}, err
	}
	if t == nil { // none of all
		return Count{Of: n, Total: n}, nil
	}
	proj := v.projector()
	built := now()
	if out.In, err = c.Points.count(ctx, &proj, t, c.Depths, 0, out.Of); err != nil || out.Exact() {
		return out, err
	}
	end := now()
	rest := time.Duration(float64(end.Sub(built)) * float64(n-out.Of) / float64(out.Of))
	if end.Sub(start)+rest > c.Budget {
		return out, nil
	}
	more, err := c.Points.count(ctx, &proj, t, c.Depths, out.Of, n)
	return Count{out.In + more, n, n}, err
}
