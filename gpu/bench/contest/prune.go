package contest

import "time"

// Most of the time of a large grid goes to published kernels that are far from the best of their stage.
const (
	far      = 1.5 // times the best: measured once only
	hopeless = 3   // times the best: the first run may be all that is measured
	// A first run also takes memory and loads kernels; of a time this long that is a small part.
	steady = 20 * time.Millisecond
)

// prune finds the published kernels that cannot be the best of their stage: they are measured once only,
// and not while landmarks are dragged. It looks at every run so far, so that a kernel whose first one was
// slow for other reasons is measured as often as the best all the same. That nothing but a kernel far
// behind is judged by its first run, and never one for which points were sent, keeps the papers' best what
// it would be if everything were measured.
func prune(runs []*run) {
	for _, stage := range []string{near, project} {
		best := 0.0
		for _, r := range runs {
			if t := r.least(stage); r.Published() && r.failed == nil && (best == 0 || t < best) {
				best = t
			}
		}
		for _, r := range runs {
			if !r.Published() || r.failed != nil {
				continue
			}
			t := r.least(stage)
			r.once[stage] = t > far*best
			first := r.timed.first[stage]
			if t > hopeless*best && len(r.timed.times[stage]) == 0 && r.timed.device && !r.sent &&
				first.device >= steady {
				r.add(stage, first)
			}
		}
	}
}

// least is the shortest run of a stage so far, the unmeasured first one included, in ns per point.
func (r *run) least(stage string) float64 {
	t := float64(r.timed.first[stage].device.Nanoseconds()) / float64(max(1, r.n))
	for _, m := range r.timed.times[stage] {
		t = min(t, m)
	}
	return t
}
