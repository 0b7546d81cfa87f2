package hdf5

// chunk is where one of a dataset is kept: its place among the chunks, in each dimension, and its bytes in the file.
type chunk struct {
	place []int64
	at    int64
	size  int64  // bytes as they are stored
	mask  uint64 // filters that it has not gone through
}

// chunks lists those of the dataset that are stored, each once.
func (d *Dataset) chunks() ([]chunk, error) {
	l := &chunkList{d: d, grid: make([]int64, len(d.Shape)), plain: int64(d.Type.Size), seen: map[int64]bool{}}
	for i, n := range d.Shape {
		l.grid[i] = (n + d.chunk[i] - 1) / d.chunk[i]
		l.plain *= d.chunk[i]
	}
	if d.at == undefined || d.space.count() == 0 {
		return nil, nil
	}
	var err error
	switch d.index {
	case indexTree1:
		err = l.tree1()
	case indexSingle:
		size := l.plain
		if d.size > 0 && d.filters != nil {
			size = d.size
		}
		err = l.add(chunk{place: make([]int64, len(l.grid)), at: d.at, size: size, mask: d.mask})
	case indexImplicit:
		err = l.implicit()
	case indexFixed:
		err = l.fixed()
	case indexExtensible:
		err = l.extensible()
	case indexTree2:
		err = l.tree2()
	}
	return l.list, err
}

// chunkList collects the chunks of a dataset.
type chunkList struct {
	d     *Dataset
	grid  []int64 // chunks in each dimension
	plain int64   // bytes of a chunk that is not packed
	list  []chunk
	seen  map[int64]bool
}

// add takes a chunk. One outside of the shape, which has shrunk, is left out.
func (l *chunkList) add(c chunk) error {
	number := int64(0)
	for i, p := range c.place {
		if p < 0 || p >= l.grid[i] {
			return nil
		}
		number = number*l.grid[i] + p
	}
	if l.seen[number] {
		return damaged("a chunk is there twice")
	}
	l.seen[number] = true
	if c.at < 0 || c.size < 0 || c.size > l.d.f.size || c.at > l.d.f.size-c.size {
		return damaged("a chunk lies beyond its end")
	}
	if l.d.filters == nil && c.size != l.plain {
		return damaged("a chunk has %d bytes where %d belong", c.size, l.plain)
	}
	l.list = append(l.list, c)
	return nil
}

func (l *chunkList) tree1() error {
	rank := len(l.grid)
	return l.d.f.tree1(l.d.at, 1, 8+8*(rank+1), func(key []byte, at int64) error {
		k := l.d.f.over(key)
		c := chunk{at: at, size: int64(k.u(4)), mask: k.u(4), place: make([]int64, rank)}
		for i := range c.place {
			c.place[i] = int64(k.u(8)&(1<<62-1)) / l.d.chunk[i]
		}
		return l.add(c)
	})
}

func (l *chunkList) tree2() error {
	kind := uint64(10)
	if l.d.filters != nil {
		kind = 11
	}
	return l.d.f.records(l.d.at, kind, func(record []byte) error {
		c := l.d.f.over(record)
		one := chunk{at: c.addr(), size: l.plain, place: make([]int64, len(l.grid))}
		if kind == 11 {
			one.size = int64(c.u(len(record)-l.d.f.address-4-8*len(l.grid)) & (1<<62 - 1))
			one.mask = c.u(4)
		}
		for i := range one.place {
			one.place[i] = int64(c.u(8) & (1<<62 - 1))
		}
		if err := c.err("an index"); err != nil {
			return err
		}
		return l.add(one)
	})
}

func (l *chunkList) implicit() error {
	n, ok := product(l.most()...)
	if all, fits := product(n, l.plain); !ok || !fits || all > l.d.f.size {
		return damaged("chunks lie beyond its end")
	}
	for k := range n {
		if err := l.add(chunk{place: l.place(k, -1), at: l.d.at + k*l.plain, size: l.plain}); err != nil {
			return err
		}
	}
	return nil
}

// most is how many chunks there may be in each dimension, by which places in arrays are counted.
func (l *chunkList) most() []int64 {
	out := make([]int64, len(l.grid))
	for i, n := range l.d.space.most {
		if out[i] = l.grid[i]; n > l.d.Shape[i] {
			out[i] = (n-1)/l.d.chunk[i] + 1
		}
	}
	return out
}

// place is that of the chunk of a number in an array, where one dimension (-1: none) has no limit and counts first.
func (l *chunkList) place(number int64, free int) []int64 {
	most := l.most()
	out := make([]int64, len(most))
	for i := len(most) - 1; i >= 0; i-- {
		if i == free {
			continue
		}
		if most[i] == 0 {
			return out
		}
		out[i], number = number%most[i], number/most[i]
	}
	if free >= 0 {
		out[free] = number
	} else if number > 0 {
		out[0] = -1
	}
	return out
}

// element takes an element of an array.
func (l *chunkList) element(c *cursor, number int64, width, free int) error {
	one := chunk{size: l.plain}
	e := l.d.f.over(c.take(width))
	one.at = e.addr()
	if l.d.filters != nil {
		one.size = int64(e.u(width-l.d.f.address-4) & (1<<62 - 1))
		one.mask = e.u(4)
	}
	if one.at == undefined || c.short {
		return c.err("an index")
	}
	one.place = l.place(number, free)
	return l.add(one)
}

// array is what the headers of both kinds of arrays say first.
func (l *chunkList) array(c *cursor) (width int, err error) {
	c.skip(1)
	client := c.u(1)
	width = c.int(1)
	if (client == 1) != (l.d.filters != nil) || width < l.d.f.address || l.d.filters != nil && width < l.d.f.address+5 {
		return 0, damaged("an index of chunks does not fit them")
	}
	return width, nil
}

// fixed reads a fixed array.
func (l *chunkList) fixed() error {
	f := l.d.f
	c, err := f.signed(l.d.at, int64(4+4+f.length+f.address+4), "FAHD")
	if err != nil {
		return err
	}
	width, err := l.array(c)
	if err != nil {
		return err
	}
	page, n, at := c.int(1), c.long(), c.addr()
	if at == undefined {
		return nil
	}
	if bytes, ok := product(n, int64(width)); !ok || bytes > f.size || page > 40 {
		return damaged("an index of chunks is longer than the file")
	}
	head := int64(6 + f.address)
	if n <= 1<<page {
		c, err := f.signed(at, head+n*int64(width)+4, "FADB")
		if err != nil {
			return err
		}
		c.skip(int(head) - 4)
		return l.elements(c, 0, n, width, -1)
	}
	pages := (n + 1<<page - 1) >> page
	used := (pages + 7) / 8
	if c, err = f.signed(at, head+used+4, "FADB"); err != nil {
		return err
	}
	c.skip(int(head) - 4)
	return l.pages(c.take(int(used)), 0, at+head+used+4, 0, n, 1<<page, width, -1)
}

// elements takes those from number first on.
func (l *chunkList) elements(c *cursor, first, n int64, width, free int) error {
	for k := range n {
		if err := l.element(c, first+k, width, free); err != nil {
			return err
		}
	}
	return nil
}

// pages reads elements that lie in pages, of which those are there whose bits are set, from one on.
func (l *chunkList) pages(used []byte, bit, at, first, n, page int64, width, free int) error {
	for k := int64(0); k*page < n; k++ {
		count := min(page, n-k*page)
		if b := bit + k; b/8 >= int64(len(used)) || used[b/8]&(0x80>>(b%8)) == 0 {
			continue
		}
		b, err := l.d.f.bytes(at+k*(page*int64(width)+4), count*int64(width)+4)
		if err != nil {
			return err
		}
		end := len(b) - 4
		if c := l.d.f.over(b[end:]); !l.d.f.lax && uint32(c.u(4)) != lookup3(b[:end]) {
			return damaged("the checksum of an index does not fit")
		}
		if err := l.elements(l.d.f.over(b[:end]), first+k*page, count, width, free); err != nil {
			return err
		}
	}
	return nil
}
