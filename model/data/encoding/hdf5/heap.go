package hdf5

import (
	"bytes"
	"cmp"
	"slices"
)

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

// collection is a part of the global heap, where values of variable length lie.
type collection struct {
	data    []byte
	objects []heapObject // by number
}

// heapObject is one of a collection: its number and bytes, and the text that was made of them.
type heapObject struct {
	number   uint32
	from, to int
	text     string
}

// heapText returns the first n bytes of an object of the global heap as a text. Asked again it is the same memory.
func (f *File) heapText(at int64, number uint32, n int) (string, error) {
	h := f.heaps[at]
	if h == nil {
		var err error
		if h, err = f.readCollection(at); err != nil {
			return "", err
		}
		f.heaps[at] = h
	}
	k := int(number) - 1 // where it is if none was taken out
	if k < 0 || k >= len(h.objects) || h.objects[k].number != number {
		var ok bool
		k, ok = slices.BinarySearchFunc(h.objects, number, func(o heapObject, n uint32) int {
			return cmp.Compare(o.number, n)
		})
		if !ok {
			return "", damaged("a text is not in its heap")
		}
	}
	o := &h.objects[k]
	if n > o.to-o.from {
		return "", damaged("a text is longer than its place in the heap")
	}
	if o.text == "" {
		o.text = string(h.data[o.from:o.to])
	}
	return cut(o.text[:n]), nil
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
	h := &collection{data: data}
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
		h.objects = append(h.objects, heapObject{number: number, from: i, to: i + int(n)})
		i += int(n+7) &^ 7
	}
	slices.SortStableFunc(h.objects, func(a, b heapObject) int { return cmp.Compare(a.number, b.number) })
	return h, nil
}
