package job

import (
	"context"
	"fmt"
	"slices"

	"blossom/model/job/run"
)

// linked cuts a hierarchy that is made in parts elsewhere.
func (c *Clustered) linked(ctx context.Context, l *Labels) (err error) {
	if c.Linkage, err = l.Linked(ctx, c.Points); err != nil {
		return err
	}
	c.Exact = true
	if n := c.Linkage.Rows - c.Linkage.Len(); n > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d of %d points have a missing or infinite value and no cluster", n,
			c.Linkage.Rows))
	}
	return run.Wrong(ctx, c.cut(ctx, l))
}

// makeLinked is Make where the points go by, in parts that are linked elsewhere.
func (l *Labels) makeLinked(ctx context.Context, w *Work) error {
	if err := spaceByRanges(ctx, w); err != nil {
		return run.Wrong(ctx, err)
	}
	made, err := l.cluster(ctx, w)
	if err != nil {
		return err
	}
	l.Made = made
	err = made.save(ctx, l, w)
	made.Notes = slices.Concat(w.notes, made.Notes)
	w.Notes = append(w.Notes, made.Notes...)
	return err
}
