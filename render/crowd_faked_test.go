package render

// Take has it be known what drawing a point takes, and counting it, in nanoseconds.
func (r *Renderer) Take(drawing, counting float64) {
	r.cost[r.path].nanos, r.crowds.cost.nanos = drawing, counting
}

// WithoutStorage has no memory on the card for what is counted until back is called; asked is how often there was
// none.
func WithoutStorage() (asked func() int, back func()) {
	was, n := storage, 0
	storage = func(uint32, int) bool { n++; return false }
	return func() int { return n }, func() { storage = was }
}
