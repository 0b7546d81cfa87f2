package step

import (
	"context"
	"errors"
	"testing"
	"time"
)

// counter rests after so many units.
type counter struct{ done, total int64 }

func (c *counter) Step(ctx context.Context, units int) (Progress, error) {
	c.done = min(c.done+int64(units), c.total)
	return Progress{Done: c.done, Total: c.total, Rest: c.done == c.total}, ctx.Err()
}

func TestToRestDoesAllUnits(t *testing.T) {
	last := int64(-1)
	more := func(p Progress, _ time.Duration) error {
		if p.Done <= last {
			t.Errorf("from %d to %d", last, p.Done)
		}
		last = p.Done
		return nil
	}
	for _, total := range []int64{0, 1, 1_000_003} {
		last = -1
		p, err := ToRest(t.Context(), &counter{total: total}, 3, time.Second, more)
		if err != nil || p.Done != total || last != total {
			t.Errorf("%+v of %d, %v", p, total, err)
		}
	}
}

func TestToRestEndsWithAnError(t *testing.T) {
	stop, calls := errors.New("stop"), 0
	each := func(Progress, time.Duration) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	}
	if _, err := ToRest(t.Context(), &counter{total: 1 << 60}, 1, 0, each); !errors.Is(err, stop) || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, err := ToRest(ctx, &counter{total: 9}, 1, 0, each)
	if !errors.Is(err, context.Canceled) || p.Done != 0 || calls != 3 {
		t.Errorf("%+v, %v", p, err)
	}
}
