package ui

import "time"

// frameClock measures frames and says how long this one may compute.
type frameClock struct {
	start time.Time
	last  time.Duration // between the last two frames
	work  time.Duration // what the last frame spent before it was shown
	times [60]time.Duration
	n     int
}

func (f *frameClock) begin(delta time.Duration) {
	f.start, f.last = time.Now(), delta
	if delta > 0 && delta < time.Second {
		f.times[f.n%len(f.times)] = delta
		f.n++
	}
}

func (f *frameClock) end() { f.work = time.Since(f.start) }

// rate returns frames per second over the last frames, 0 while there are too few.
func (f *frameClock) rate() float64 {
	n := min(f.n, len(f.times))
	if n < 5 {
		return 0
	}
	var sum time.Duration
	for _, t := range f.times[:n] {
		sum += t
	}
	return float64(n) / sum.Seconds()
}
