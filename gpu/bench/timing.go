package bench

import (
	"context"
	"slices"
	"time"

	"blossom/gpu/bench/table"
)

// repetitions is how often each thing is timed, after one run that warms the caches.
const repetitions = 7

// rowOf makes a row that compares nothing. Times are seconds for all n points, ascending.
func rowOf(name, variant, stage string, n, d, g int, seconds []float64) table.Row {
	r := table.Row{Bench: name, Variant: variant, Stage: stage, N: n, D: d, G: g}
	ns := make([]float64, len(seconds))
	for i, s := range seconds {
		ns[i] = s * 1e9 / float64(n)
	}
	r.Spread(ns)
	return r
}

// sample runs f once to warm up and then some times more, and returns the seconds of those, sorted.
func sample(f func() error) ([]float64, error) {
	return timed(context.Background(), span{warm: 1, least: repetitions, most: repetitions}, func() (bool, error) {
		return true, f()
	})
}

// span is how long something is repeated: after the warm first times, so often at least, and then for the time.
type span struct {
	warm, least, most int
	time              time.Duration
}

// timed repeats f, as long as it says that it goes on, and returns the seconds that each time took, sorted.
func timed(ctx context.Context, s span, f func() (bool, error)) (seconds []float64, err error) {
	var end time.Time
	for k, on := 0, true; on && k < s.warm+s.most; k++ {
		if k == s.warm {
			end = time.Now().Add(s.time)
		}
		if k >= s.warm+s.least && time.Now().After(end) {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		start := time.Now()
		if on, err = f(); err != nil {
			return nil, err
		}
		if k >= s.warm || !on {
			seconds = append(seconds, time.Since(start).Seconds())
		}
	}
	slices.Sort(seconds)
	return seconds, nil
}
