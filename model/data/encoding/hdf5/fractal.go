package hdf5

import "math/bits"

// fractalHeap keeps the links and attributes of objects that have many: blocks in rows, each row twice as wide as the
// one before, found by where in the heap something lies.
type fractalHeap struct {
	f        *File
	idBytes  int
	filtered int   // bytes of how its blocks are packed
	huge     int64 // index of objects that lie outside
	width    int   // blocks in a row
	start    int64 // bytes of a block of the first row
	direct   int   // rows that hold blocks; those beyond hold further tables
	offset   int   // bytes of a place in the heap
	lengths  int   // bytes of a length
	root     int64
	rows     int // rows of the table at root; 0: root is a block
	outside  map[uint64][]byte
}

func (f *File) fractal(at int64) (*fractalHeap, error) {
	fixed := int64(4 + 1 + 2 + 2 + 1 + 4 + 12*f.length + 3*f.address + 2 + 2 + 2 + 2)
	c, err := f.at(at, fixed+4)
	if err != nil {
		return nil, err
	}
	whole := c.b
	c.skip(5)
	h := &fractalHeap{f: f, idBytes: c.int(2), filtered: c.int(2)}
	c.skip(1)
	most := int64(c.u(4))
	c.long()
	h.huge = c.addr()
	c.long()
	c.addr()
	c.skip(8 * f.length)
	h.width, h.start = c.int(2), c.long()
	largest := c.long()
	bitsMost := c.int(2)
	c.skip(2)
	h.root, h.rows = c.addr(), c.int(2)
	if err := c.err("a heap"); err != nil {
		return nil, err
	}
	if h.filtered > 0 {
		return nil, unsupported("write it again with a program of today",
			"packs the names of a group, which is not read here")
	}
	if _, err := f.verified(whole, "FRHP"); err != nil {
		return nil, err
	}
	if h.width == 0 || h.start <= 0 || largest < h.start || largest > 1<<40 || bitsMost > 64 || bitsMost == 0 ||
		h.rows > 64 {
		return nil, damaged("a heap has rows of %d blocks of %d bytes", h.width, h.start)
	}
	h.offset = (bitsMost + 7) / 8
	h.lengths = min((bits.Len64(uint64(largest))-1+7)/8, enclosing(uint64(max(most, 1))))
	h.direct = bits.Len64(uint64(largest/h.start)) + 1
	return h, nil
}

// get returns the object of an ID.
func (h *fractalHeap) get(id []byte) ([]byte, error) {
	c := h.f.over(id)
	flags := c.u(1)
	switch flags >> 4 & 3 {
	case 0:
		at, n := int64(c.u(h.offset)), int64(c.u(h.lengths))
		if err := c.err("the place of a name"); err != nil {
			return nil, err
		}
		return h.managed(at, n)
	case 1:
		return h.large(c)
	case 2:
		n := int(flags&15) + 1
		if h.idBytes > 17 {
			n = int(flags&15)<<8 | c.int(1) + 1
		}
		return c.take(n), c.err("a name")
	}
	return nil, damaged("a heap has an object of no known kind")
}

// rowSize is the size of the blocks of a row.
func (h *fractalHeap) rowSize(row int) int64 {
	if row = max(0, row-1); row > 40 {
		return 1 << 62
	}
	return h.start << row
}

// managed reads n bytes at a place of the heap.
func (h *fractalHeap) managed(at, n int64) ([]byte, error) {
	if at < 0 || n < 0 || h.root == undefined {
		return nil, damaged("a name lies outside of its heap")
	}
	table, rows := h.root, h.rows
	if rows == 0 {
		return h.within(table, at, n, h.start)
	}
	for range depthMost {
		row, column, before := h.locate(at, rows)
		if row < 0 {
			return nil, damaged("a name lies outside of its heap")
		}
		head := int64(4 + 1 + h.f.address + h.offset)
		slot := int64(row*h.width + column)
		// Rows of blocks come first, then those of tables: both have an address for each place.
		c, err := h.f.at(table, head)
		if err != nil {
			return nil, err
		}
		if string(c.take(4)) != "FHIB" {
			return nil, damaged("FHIB is not where it should be")
		}
		if c, err = h.f.at(table+head+slot*int64(h.f.address), int64(h.f.address)); err != nil {
			return nil, err
		}
		child := c.addr()
		if child == undefined {
			return nil, damaged("a name lies in a gap of its heap")
		}
		at -= before
		if row < h.direct {
			return h.within(child, at, n, h.rowSize(row))
		}
		// A further table has as many rows as make up the size of its place.
		table, rows = child, bits.Len64(uint64(h.rowSize(row)/(h.start*int64(h.width))))
	}
	return nil, damaged("a heap is more than %d deep", depthMost)
}

// locate finds the place of a table of so many rows that has a place of the heap, and what lies before it.
func (h *fractalHeap) locate(at int64, rows int) (row, column int, before int64) {
	for row := range rows {
		size := h.rowSize(row)
		whole, ok := product(size, int64(h.width))
		if !ok {
			return -1, 0, 0
		}
		if at-before < whole {
			k := (at - before) / size
			return row, int(k), before + k*size
		}
		before += whole
	}
	return -1, 0, 0
}

// within reads from a block, whose header counts as part of the heap.
func (h *fractalHeap) within(block, at, n, size int64) ([]byte, error) {
	if at > size-n {
		return nil, damaged("a name is longer than its block")
	}
	c, err := h.f.at(block, 4)
	if err != nil {
		return nil, err
	}
	if string(c.b) != "FHDB" {
		return nil, damaged("FHDB is not where it should be")
	}
	return h.f.bytes(block+at, n)
}

// large reads an object that is too large for a block: its ID says where it lies, or under which number the index of
// such objects has it.
func (h *fractalHeap) large(c *cursor) ([]byte, error) {
	if h.f.address+h.f.length <= h.idBytes-1 {
		at, n := c.addr(), c.long()
		if err := c.err("the place of an attribute"); err != nil {
			return nil, err
		}
		return h.f.bytes(at, n)
	}
	number := c.u(min(h.f.length, h.idBytes-1))
	if h.outside == nil {
		h.outside = map[uint64][]byte{}
		err := h.f.records(h.huge, 1, func(record []byte) error {
			c := h.f.over(record)
			at, n := c.addr(), c.long()
			number := c.u(h.f.length)
			b, err := h.f.bytes(at, n)
			h.outside[number] = b
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	b, ok := h.outside[number]
	if !ok {
		return nil, damaged("an attribute is not in its heap")
	}
	return b, nil
}
