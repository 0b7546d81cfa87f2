package step

import (
	"context"
	"time"
)

// ToRest advances s until it rests, where nobody watches. It begins with so many units at once, and goes on with as
// many as take from least to four times that, so that progress is told often, and a context heeded soon; none of it
// changes the result. tell, which may be nil, hears how far it is and what that took.
func ToRest(ctx context.Context, s Stepper, units int, least time.Duration,
	tell func(p Progress, took time.Duration) error) (p Progress, err error) {
	for !p.Rest {
		began := time.Now()
		now, err := s.Step(ctx, units)
		if err != nil {
			return p, err
		}
		p = now
		took := time.Since(began)
		if tell != nil {
			if err := tell(p, took); err != nil {
				return p, err
			}
		}
		switch {
		case took < least:
			units *= 2
		case took > 4*least:
			units = max(1, units/2)
		}
	}
	return p, nil
}
