package hdf5

// space is the shape of values.
type space struct {
	dims []int64 // none: a single value
	most []int64 // how far they may grow; -1: without limit
	null bool    // no value at all
}

func (f *File) space(body []byte) (space, error) {
	c := f.over(body)
	var s space
	version, rank, flags := c.u(1), c.int(1), c.u(1)
	switch version {
	case 1:
		c.skip(5)
	case 2:
		s.null = c.u(1) == 2
	default:
		return s, damaged("a shape has no known version")
	}
	if rank > 32 {
		return s, damaged("a shape has %d dimensions", rank)
	}
	for range rank {
		n := c.long()
		if n < 0 {
			return s, damaged("a shape makes no sense")
		}
		s.dims = append(s.dims, n)
	}
	s.most = append(s.most, s.dims...)
	if flags&1 != 0 {
		for i := range s.most {
			s.most[i] = c.long()
		}
	}
	if _, ok := product(s.dims...); !ok {
		return s, damaged("a shape holds more values than can be counted")
	}
	return s, c.err("a shape")
}

// count is how many values there are.
func (s *space) count() int64 {
	if s.null {
		return 0
	}
	n, _ := product(s.dims...)
	return n
}
