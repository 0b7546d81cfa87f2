package scale

import (
	"context"
	"time"

	"blossom/model/base/problem"
)

// looking looks at the status of a plan again and again, until look says that it has seen enough, or ended is closed,
// which may be nil. Many parts are many files, so that it looks the less often the longer that takes. The error is
// look's, or ctx's.
func looking(ctx context.Context, p *Plan, ended <-chan struct{},
	look func(Status) (enough bool, err error)) error {
	for {
		began := time.Now()
		s, err := p.Status(ctx)
		if err != nil {
			return err
		}
		took := time.Since(began)
		if enough, err := look(s); enough || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ended:
			return nil
		case <-time.After(max(looksEvery, 10*took)):
		}
	}
}

// Watch waits for something else to make the parts that are missing: until all are there, ended is closed, or going
// says that nothing makes any more. Either may be nil. When no part has come for o.Stall it gives up with a Problem, in
// which remedy is the way out; time in which going says that something waits or makes does not count, that in which it
// fails does.
func (p *Plan) Watch(ctx context.Context, o *Options, remedy string, ended <-chan struct{},
	going func(context.Context) (bool, error)) error {
	last, done := time.Now(), -1
	return looking(ctx, p, ended, func(s Status) (enough bool, err error) {
		if s.Done != done {
			last, done = time.Now(), s.Done
			if o.Progress != nil {
				o.Progress(int64(s.Done), int64(s.Parts))
			}
		}
		if s.Done == s.Parts {
			return true, nil
		}
		if going != nil {
			on, err := going(ctx)
			if err == nil && !on {
				return true, nil
			}
			if err == nil {
				last = time.Now()
			}
		}
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if time.Since(last) > o.Stall {
			return false, problem.New(told(p.over, p.folder), remedy,
				"no part has been made for %v; %d of %d are there", o.Stall, s.Done, s.Parts)
		}
		return false, nil
	})
}
