package hdf5

import "math/bits"

// extensible is an extensible array: a few elements in its first block, then blocks of twice as many, whose addresses
// lie in the first block and, later, in blocks of addresses.
type extensible struct {
	l         *chunkList
	at        int64
	width     int
	numbers   int // bytes of a place in the array
	own       int64
	least     int64 // elements of the smallest block
	pointers  int64
	page      int64
	set       int64 // elements up to the last that was set
	free      int   // the dimension without a limit
	maximally int
}

func (l *chunkList) extensible() error {
	f := l.d.f
	c, err := f.signed(l.d.at, int64(4+8+6*f.length+f.address+4), "EAHD")
	if err != nil {
		return err
	}
	e := &extensible{l: l, free: -1}
	if e.width, err = l.array(c); err != nil {
		return err
	}
	e.maximally = c.int(1)
	e.own, e.least, e.pointers = int64(c.u(1)), int64(c.u(1)), int64(c.u(1))
	pages := c.int(1)
	c.skip(4 * f.length)
	e.set = c.long()
	c.long()
	e.at = c.addr()
	if e.maximally > 64 || pages > 40 || e.least == 0 || e.pointers < 2 || bits.OnesCount64(uint64(e.least)) != 1 ||
		bits.OnesCount64(uint64(e.pointers)) != 1 || e.set < 0 {
		return damaged("an index of chunks makes no sense")
	}
	e.numbers, e.page = (e.maximally+7)/8, 1<<pages
	for i, n := range l.d.space.most {
		if n < 0 {
			if e.free >= 0 {
				return damaged("an index of chunks does not fit them")
			}
			e.free = i
		}
	}
	if e.at == undefined {
		return nil
	}
	return e.first()
}

// first reads the first block.
func (e *extensible) first() error {
	f := e.l.d.f
	all := 2 + e.maximally - bits.Len64(uint64(e.least)) // doublings in all: those of the first block and of tables
	here := 2 * (bits.Len64(uint64(e.pointers)) - 1)
	blocks, tables := 2*(e.pointers-1), max(0, all-here)
	c, err := f.signed(e.at, int64(6+f.address)+e.own*int64(e.width)+(blocks+int64(tables))*int64(f.address)+4, "EAIB")
	if err != nil {
		return err
	}
	c.skip(2 + f.address)
	n := min(e.own, e.set)
	if err := e.l.elements(f.over(c.take(int(e.own)*e.width)), 0, n, e.width, e.free); err != nil {
		return err
	}
	start := e.own
	for level := range here {
		count, size := e.level(level)
		for range count {
			at := c.addr()
			if at != undefined {
				if err := e.block(at, start, size, nil, 0); err != nil {
					return err
				}
			}
			start += size
		}
	}
	for level := here; level < here+tables && start < e.set; level++ {
		at := c.addr()
		count, size := e.level(level)
		all, ok := product(count, size)
		if !ok {
			return damaged("an index of chunks makes no sense")
		}
		if at != undefined {
			if err := e.table(at, start, count, size); err != nil {
				return err
			}
		}
		start += all
	}
	return c.err("an index")
}

// level is how many blocks a doubling has, and how many elements each.
func (e *extensible) level(u int) (count, size int64) {
	if u > 60 {
		return 1 << 30, 1 << 40
	}
	return 1 << (u / 2), e.least << ((u + 1) / 2)
}

// table reads a block of addresses.
func (e *extensible) table(at, start, count, size int64) error {
	f := e.l.d.f
	used := int64(0) // bytes of the bits of a block that say which of its pages are there
	if size > e.page {
		used = ((size+e.page-1)/e.page + 7) / 8
	}
	bitmap, ok := product(count, used)
	if !ok || bitmap > f.size || count > f.size {
		return damaged("an index of chunks is longer than the file")
	}
	head := int64(6 + f.address + e.numbers)
	c, err := f.signed(at, head+bitmap+count*int64(f.address)+4, "EASB")
	if err != nil {
		return err
	}
	c.skip(int(head) - 4)
	all := c.take(int(bitmap))
	for k := range count {
		at := c.addr()
		if first := start + k*size; at != undefined && first < e.set {
			if err := e.block(at, first, size, all, k*((size+e.page-1)/e.page)); err != nil {
				return err
			}
		}
	}
	return c.err("an index")
}

// block reads a block of elements. Bits of used, from bit on, say which of its pages are there.
func (e *extensible) block(at, start, size int64, used []byte, bit int64) error {
	f := e.l.d.f
	n := min(size, e.set-start)
	if n <= 0 {
		return nil
	}
	head := int64(6 + f.address + e.numbers)
	if size <= e.page {
		c, err := f.signed(at, head+size*int64(e.width)+4, "EADB")
		if err != nil {
			return err
		}
		c.skip(int(head) - 4)
		return e.l.elements(c, start, n, e.width, e.free)
	}
	if used == nil {
		return damaged("an index of chunks makes no sense")
	}
	if _, err := f.signed(at, head+4, "EADB"); err != nil {
		return err
	}
	return e.l.pages(used, bit, at+head+4, start, size, e.page, e.width, e.free)
}
