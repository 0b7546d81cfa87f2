package hdf5

import (
	"encoding/binary"
	"io"
)

// heap places texts of any length in collections of the global heap, in the order in which they come, so that the same
// texts have the same places whenever they are gone through. With to it writes them, too.
type heap struct {
	at    int64     // where the collection begins that is being filled
	used  int64     // bytes of it; 0: there is none
	index uint32    // the number of its last object
	to    io.Writer // nil: they are only placed
	b     []byte    // the collection, with to
}

// reference is a text as values have it: its length and its place.
type reference struct {
	bytes uint32
	at    int64
	index uint32
}

const referenceBytes = 16

func (r reference) encode() []byte {
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, referenceBytes), r.bytes)
	b = binary.LittleEndian.AppendUint64(b, uint64(r.at))
	return binary.LittleEndian.AppendUint32(b, r.index)
}

// Sizes of a collection: the head of it and of each object, the least that readers take, and where another begins.
const (
	headBytes = 16
	leastHeap = 4096
	mostHeap  = 1 << 16
)

// place places a text; the empty one has no place.
func (h *heap) place(text string) reference {
	if text == "" {
		return reference{}
	}
	need := headBytes + pad(int64(len(text)))
	if h.used > 0 && h.used+need > mostHeap {
		h.close()
	}
	if h.used == 0 {
		h.used, h.index, h.b = headBytes, 0, append(h.b[:0], make([]byte, headBytes)...)
	}
	h.index++
	h.used += need
	if h.to != nil {
		h.b = binary.LittleEndian.AppendUint16(h.b, uint16(h.index))
		h.b = append(h.b, 1, 0, 0, 0, 0, 0) // one reference
		h.b = binary.LittleEndian.AppendUint64(h.b, uint64(len(text)))
		h.b = append(h.b, text...)
		h.b = append(h.b, make([]byte, h.used-int64(len(h.b)))...)
	}
	return reference{uint32(len(text)), h.at, h.index}
}

// close ends a collection.
func (h *heap) close() {
	size := max(leastHeap, h.used)
	if h.to != nil {
		if left := size - h.used; left >= headBytes { // object 0 is what is free
			h.b = append(h.b, make([]byte, 8)...)
			h.b = binary.LittleEndian.AppendUint64(h.b, uint64(left))
		}
		h.b = append(h.b, make([]byte, size-int64(len(h.b)))...)
		copy(h.b, "GCOL\x01")
		binary.LittleEndian.PutUint64(h.b[8:], uint64(size))
		h.to.Write(h.b) // a counted one keeps the error
	}
	h.at, h.used = h.at+size, 0
}

// end ends the last collection, and returns where the next thing has its place.
func (h *heap) end() int64 {
	if h.used > 0 {
		h.close()
	}
	return h.at
}
