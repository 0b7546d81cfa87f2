package enginetest

// random compares with the reference on fresh data of every kind that is known to be hard.
func random(s *suite) {
	for _, c := range []Case{
		Uniform(s.rng, 5000, 16, 256, 16, 2), // enough points for a 99.9th percentile
		Uniform(s.rng, 4000, 8, 64, 10, 3),
		Uniform(s.rng, 1000, 3, 100, 12, 2),
		Uniform(s.rng, 1000, 8, 64, 10, 3),
		Uniform(s.rng, 1000, 2, 400, 10, 2),
		Blobs(s.rng, 1000, 39, 400, 20, 2),
		Blobs(s.rng, 1000, 16, 256, 16, 3),
		shift(Blobs(s.rng, 1000, 16, 256, 16, 2), 100),
		shift(Uniform(s.rng, 1000, 16, 256, 16, 2), 100),
		scaled(Blobs(s.rng, 500, 5, 100, 10, 2), 1e-15),
		scaled(Blobs(s.rng, 500, 5, 100, 10, 2), 1e15),
		nearDuplicates(s.rng, Uniform(s.rng, 1000, 16, 256, 16, 2), 1e-2),
		nearDuplicates(s.rng, Uniform(s.rng, 1000, 16, 256, 16, 2), 1e-4),
		nearDuplicates(s.rng, Uniform(s.rng, 1000, 3, 256, 16, 3), 1e-6),
		nearDuplicates(s.rng, Blobs(s.rng, 1000, 8, 100, 10, 2), 0),
		onLandmarks(s.rng, Blobs(s.rng, 500, 8, 100, 10, 2)),
		with(Blobs(s.rng, 500, 8, 100, 10, 2), 0.05, 0),
		with(Blobs(s.rng, 500, 8, 100, 10, 2), 7, 3),
		with(Uniform(s.rng, 500, 8, 100, 10, 3), 0.37, 1),
		with(Blobs(s.rng, 500, 8, 100, 10, 2), 30, 0.2),
		with(Uniform(s.rng, 500, 8, 100, 10, 3), 60, 0.2), // beyond what is offered: engines must agree all the same
	} {
		s.compare(c)
	}
	// A map that has just begun: all landmarks close together, the points far around them.
	c := Blobs(s.rng, 500, 8, 100, 10, 2)
	c.Name = "collapsed landmarks"
	for i := range c.Codebook.Data {
		c.Codebook.Data[i] = 2 + 0.02*c.Codebook.Data[i]
	}
	s.compare(c)
	// A regular grid of landmarks in the plane of the data, with many exact ties.
	c = Uniform(s.rng, 500, 2, 100, 10, 2)
	c.Name = "regular grid"
	for i := range 100 {
		c.Codebook.Row(i)[0], c.Codebook.Row(i)[1] = float32(i%10), float32(i/10)
	}
	for i := range c.X.Data {
		c.X.Data[i] = float32(s.rng.IntN(37)) / 4
	}
	s.compare(c)
}

// sizes goes through every awkward size, one at a time and then drawn together.
func sizes(s *suite) {
	ns := []int{0, 1, 31, 32, 33, 1023, 1025}
	ds := []int{1, 2, 3, 4, 5, 7, 16, 39, 64, 300}
	gs := []int{1, 2, 3, 4, 5, 16, 17, 64, 100, 256, 1000, 4096}
	ks := []int{1, 2, 3, 16, 17, 32, 33, 63, 64}
	for _, n := range ns {
		s.compare(Uniform(s.rng, n, 5, 50, 8, 2))
	}
	for _, d := range ds {
		s.compare(Blobs(s.rng, 120, d, 64, 10, 2))
	}
	for _, g := range gs {
		s.compare(Uniform(s.rng, 100, 6, g, 10, 2))
		if g < 4096 {
			s.compare(Uniform(s.rng, 40, 4, g, 16, 3))
		}
	}
	for _, k := range ks {
		s.compare(Uniform(s.rng, 120, 8, 256, k, 2))
		s.compare(Blobs(s.rng, 60, 8, 65, k, 3))
	}
	s.compare(Uniform(s.rng, 40, 8, 300, 200, 2)) // more neighbours than any fast path has room for
	s.compare(Uniform(s.rng, 40, 8, 90, 90, 2))
	s.compare(Uniform(s.rng, 20, 4096, 20, 10, 2))
	s.compare(Uniform(s.rng, 33, 1, 4096, 64, 2))
	pick := func(v []int) int { return v[s.rng.IntN(len(v))] }
	for range 12 {
		n, d, g, k, dims := pick(ns), pick(ds), pick(gs), pick(ks), 2+s.rng.IntN(2)
		for d*g*g > 300_000_000 { // the tables of all pairs alone would take seconds
			g = pick(gs)
		}
		n = min(n, max(4, 4_000_000/(d*(g+k*k))))
		s.compare(Blobs(s.rng, n, d, g, k, dims))
	}
}
