package ui

import "time"

// frameClock measures frames and says how long this one may compute.
type frameClock struct {
	start time.Time
	last  time.Duration // between the last two frames
	work  time.Duration // time between the last two frames
	times [60]time.Duration
	n     int
	on    bool // the next frame follows this one at once
}

// begin starts a frame, delta after the last one. The time since a frame that none was to follow is a pause, no frame.
func (f *frameClock) begin(delta time.Duration) {
	f.start, f.last = time.Now(), delta
	if !f.on {
		f.n = 0
	} else if delta > 0 && delta < time.Second {
		f.times[f.n%len(f.times)] = delta
		f.n++
	}
}

// end ends a frame, and says whether another one follows it at once.
func (f *frameClock) end(on bool) { f.work, f.on = time.Since(f.start), on }

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
