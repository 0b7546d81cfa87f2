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
	text    string       // the bytes of all objects, one after the other
	objects []heapObject // by number
}

// heapObject is one of a collection: its number and bytes.
type heapObject struct {
	number   uint32
	from, to int
}

// heapText returns the first n bytes of an object of the global heap as a text. Asked again it is the same memory.
func (f *File) heapText(at int64, number uint32, n int) (string, error) {
	h := f.heap
	if h == nil || f.heapAt != at { // texts that follow each other mostly lie in one
		if h = f.heaps[at]; h == nil {
			var err error
			if h, err = f.readCollection(at); err != nil {
				return "", err
			}
			f.heaps[at] = h
		}
		f.heap, f.heapAt = h, at
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
	return cut(h.text[o.from:][:n]), nil
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
	h := &collection{objects: make([]heapObject, 0, min(len(data)/24, 256))}
	text := data[:0] // in the same memory, where each has its place before the next
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
		from := len(text)
		text = append(text, data[i:i+int(n)]...)
		h.objects = append(h.objects, heapObject{number: number, from: from, to: len(text)})
		i += int(n+7) &^ 7
	}
	h.text = string(text)
	order := func(a, b heapObject) int { return cmp.Compare(a.number, b.number) }
	if !slices.IsSortedFunc(h.objects, order) {
		slices.SortStableFunc(h.objects, order)
	}
	return h, nil
}
