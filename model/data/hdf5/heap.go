package hdf5

import "bytes"

// names is the heap of a group of the old kind: texts that end with a 0.
type names []byte

func (f *File) localHeap(at int64) (names, error) {
	c, err := f.at(at, int64(8+2*f.length+f.address))
	if err != nil {
		return nil, err
	}
	if string(c.take(4)) != "HEAP" {
		return nil, damaged("HEAP is not where it should be")
	}
	c.skip(4)
	size := c.long()
	c.long()
	return f.bytes(c.addr(), size)
}

func (n names) at(at int64) (string, error) {
	if at < 0 || at >= int64(len(n)) {
		return "", damaged("a name lies outside of its heap")
	}
	end := bytes.IndexByte(n[at:], 0)
	if end < 0 {
		return "", damaged("a name has no end")
	}
	return string(n[at:][:end]), nil
}

// collection is a part of the global heap, where values of variable length lie: place and length of each by its number.
type collection struct {
	data  []byte
	place map[uint32][2]int
}

// heapObject returns the object of a number in the collection at an address.
func (f *File) heapObject(at int64, number uint32) ([]byte, error) {
	h := f.heaps[at]
	if h == nil {
		var err error
		if h, err = f.readCollection(at); err != nil {
			return nil, err
		}
		f.heaps[at] = h
	}
	p, ok := h.place[number]
	if !ok {
		return nil, damaged("a text is not in its heap")
	}
	return h.data[p[0]:p[1]], nil
}

func (f *File) readCollection(at int64) (*collection, error) {
	head := int64(8 + f.length)
	c, err := f.at(at, head)
	if err != nil {
		return nil, err
	}
	if string(c.take(4)) != "GCOL" {
		return nil, damaged("GCOL is not where it should be")
	}
	c.skip(4)
	size := c.long()
	if size < head {
		return nil, damaged("a heap is shorter than its header")
	}
	data, err := f.bytes(at, size)
	if err != nil {
		return nil, err
	}
	h := &collection{data: data, place: map[uint32][2]int{}}
	for i := int(head); i+8+f.length <= len(data); {
		c := f.over(data[i:])
		number := uint32(c.u(2))
		c.skip(6)
		n := c.long()
		if number == 0 {
			break // free space, to the end
		}
		i += 8 + f.length
		if n < 0 || n > int64(len(data)-i) {
			return nil, damaged("an object of a heap is longer than the heap")
		}
		h.place[number] = [2]int{i, i + int(n)}
		i += int(n+7) &^ 7
	}
	return h, nil
}
