package hdf5

import "math/bits"

// tree2 is a B-tree of version 2: records in its leaves and between its nodes.
type tree2 struct {
	f      *File
	kind   uint64
	node   int64 // bytes of a node
	record int   // bytes of a record
	count  int   // bytes of the number of records in a node
	totals []int // bytes of the number of records below a node, by level
	seen   map[int64]bool
	visit  func(record []byte) error
}

// records calls visit with every record of the tree at an address, in order.
func (f *File) records(at int64, kind uint64, visit func(record []byte) error) error {
	if at == undefined {
		return nil
	}
	c, err := f.signed(at, int64(4+2+4+2+2+2+f.address+2+f.length+4), "BTHD")
	if err != nil {
		return err
	}
	c.skip(1)
	if c.u(1) != kind {
		return damaged("an index is of the wrong kind")
	}
	t := &tree2{f: f, kind: kind, node: int64(c.u(4)), record: c.int(2), seen: map[int64]bool{}, visit: visit}
	depth := c.int(2)
	c.skip(2)
	root, n := c.addr(), c.int(2)
	if t.record == 0 || t.node > f.size || depth > depthMost {
		return damaged("an index is %d deep, of records of %d bytes", depth, t.record)
	}
	if root == undefined {
		return nil
	}
	t.measure(depth)
	return t.walk(root, depth, n)
}

// enclosing is how many bytes a number up to limit takes.
func enclosing(limit uint64) int { return (bits.Len64(max(limit, 1))-1)/8 + 1 }

// measure computes how wide the numbers beside pointers are: they depend on how many records a node can hold.
func (t *tree2) measure(depth int) {
	most := uint64(max(0, t.node-10)) / uint64(t.record)
	t.count, t.totals = enclosing(most), []int{0}
	all := most
	for level := 1; level <= depth; level++ {
		pointer := t.f.address + t.count + t.totals[level-1]
		most = uint64(max(0, t.node-10-int64(pointer))) / uint64(t.record+pointer)
		if high, low := bits.Mul64(most+1, all); high == 0 && low < 1<<62 {
			all = low + most
		} else {
			all = 1 << 62
		}
		t.totals = append(t.totals, enclosing(all))
	}
}

func (t *tree2) walk(at int64, level, n int) error {
	if t.seen[at] {
		return damaged("an index holds itself")
	}
	t.seen[at] = true
	signature, pointer := "BTLF", 0
	if level > 0 {
		signature, pointer = "BTIN", t.f.address+t.count+t.totals[level-1]
	}
	size := int64(6+n*t.record+4) + int64(n+1)*int64(pointer)
	if size > t.node {
		return damaged("a node of an index has more records than it can hold")
	}
	c, err := t.f.signed(at, size, signature)
	if err != nil {
		return err
	}
	c.skip(1)
	if c.u(1) != t.kind {
		return damaged("an index is of the wrong kind")
	}
	records := t.f.over(c.take(n * t.record))
	for i := 0; i <= n; i++ {
		if level > 0 {
			child, below := c.addr(), c.int(t.count)
			c.skip(t.totals[level-1])
			if err := t.walk(child, level-1, below); err != nil {
				return err
			}
		}
		if i < n {
			if err := t.visit(records.take(t.record)); err != nil {
				return err
			}
		}
	}
	return c.err("an index")
}
