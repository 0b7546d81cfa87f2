package scale

import (
	"context"
	"time"

	"blossom/model/base/problem"
)

// Watch waits for something else to make the parts that are missing: until all are there, ended is closed, or going
// says that nothing makes any more. Either may be nil. When no part has come for o.Stall it gives up with a Problem, in
// which remedy is the way out; time in which going says that something waits or makes does not count, that in which it
// fails does.
func (p *Plan) Watch(ctx context.Context, o *Options, remedy string, ended <-chan struct{},
	going func(context.Context) (bool, error)) error {
	last, done := time.Now(), -1
	for {
		s, err := p.Status(ctx)
		if err != nil {
			return err
		}
		if s.Done != done {
			last, done = time.Now(), s.Done
			if o.Progress != nil {
				o.Progress(int64(s.Done), int64(s.Parts))
			}
		}
		if s.Done == s.Parts {
			return nil
		}
		if going != nil {
			on, err := going(ctx)
			if err == nil && !on {
				return nil
			}
			if err == nil {
				last = time.Now()
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Since(last) > o.Stall {
			return problem.New(told(p.over, p.folder), remedy, "no part has been made for %v; %d of %d are there",
				o.Stall, s.Done, s.Parts)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return nil
		case <-time.After(500 * time.Millisecond):
		}
	}
}
