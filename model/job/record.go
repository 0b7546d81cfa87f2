package job

import (
	"context"

	"blossom/model/base/step"
)

// record steps to rest, and has keep called at the beginning, at the end, and in between, evenly by units, at most so
// often. Of one that does not say how far it is to its end the steps between grow. The error is the stepper's, keep's,
// or ctx's.
func record(ctx context.Context, s step.Stepper, most int, report func(done, total int64),
	keep func(step.Progress) error) error {
	if err := keep(step.Progress{}); err != nil {
		return err
	}
	p, err := s.Step(ctx, 1)
	every := int64(1)
	for kept := int64(1); err == nil; {
		if total := p.Total; total > 0 {
			for kept < int64(most) && p.Done >= total*kept/int64(most-1) {
				kept++
			}
			every = max(1, total*min(kept, int64(most-1))/int64(most-1)-p.Done)
		} else if kept++; kept > int64(most)/2 {
			every, kept = 2*every, 1
		}
		if err = keep(p); err != nil || p.Rest {
			break
		}
		if report != nil {
			report(p.Done, p.Total)
		}
		p, err = s.Step(ctx, int(min(every, 1<<30)))
	}
	return err
}
