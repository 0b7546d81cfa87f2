package parquet

import (
	"encoding/binary"
	"errors"
)

var errShort = errors.New("it ends too early")

// hybrid decodes numbers of few bits: runs of one number, and groups of eight that are packed.
type hybrid struct {
	b     []byte
	width int
	same  int // how many of value are left
	value uint32
	many  int // how many packed ones are left
	bit   int // where the next of them begins in packed
	bits  []byte
}

// begin takes the bytes of numbers of width bits, at most 32.
func (h *hybrid) begin(b []byte, width int) { *h = hybrid{b: b, width: width} }

// run makes sure that there is something left.
func (h *hybrid) run() error {
	for h.same == 0 && h.many == 0 {
		head, n := binary.Uvarint(h.b)
		if n <= 0 || head>>1 > 1<<40 {
			return errShort
		}
		h.b = h.b[n:]
		count := int(head >> 1)
		if head&1 == 0 {
			size := (h.width + 7) / 8
			if len(h.b) < size {
				return errShort
			}
			h.value, h.same = 0, count
			for i, b := range h.b[:size] {
				h.value |= uint32(b) << (8 * i)
			}
			h.b = h.b[size:]
			continue
		}
		size := min(count*h.width, len(h.b)) // the last group may be cut behind its last number
		h.bits, h.b = h.b[:size], h.b[size:]
		h.many, h.bit = 8*count, 0
		if h.width > 0 {
			h.many = min(h.many, 8*size/h.width)
		}
		if count > 0 && h.many == 0 {
			return errShort
		}
	}
	return nil
}

// next decodes as many numbers as dst has room for.
func (h *hybrid) next(dst []uint32) error {
	for len(dst) > 0 {
		if err := h.run(); err != nil {
			return err
		}
		if h.same > 0 {
			n := min(h.same, len(dst))
			for i := range dst[:n] {
				dst[i] = h.value
			}
			h.same -= n
			dst = dst[n:]
			continue
		}
		n := min(h.many, len(dst))
		unpack32(dst[:n], h.bits, h.bit, h.width)
		h.bit += n * h.width
		h.many -= n
		dst = dst[n:]
	}
	return nil
}

// steady takes n numbers where all of them are of one run, and says which; false: it takes none.
func (h *hybrid) steady(n int) (uint32, bool) {
	if h.run() != nil || h.same < n {
		return 0, false
	}
	h.same -= n
	return h.value, true
}

// unpack32 reads numbers of width bits from bit on, the lowest first.
func unpack32(dst []uint32, b []byte, bit, width int) {
	mask := uint64(1)<<width - 1
	i := 0
	for ; i < len(dst) && bit>>3+8 <= len(b); i++ {
		dst[i] = uint32(binary.LittleEndian.Uint64(b[bit>>3:]) >> (bit & 7) & mask)
		bit += width
	}
	for ; i < len(dst); i++ {
		var last [8]byte
		copy(last[:], b[min(bit>>3, len(b)):])
		dst[i] = uint32(binary.LittleEndian.Uint64(last[:]) >> (bit & 7) & mask)
		bit += width
	}
}
