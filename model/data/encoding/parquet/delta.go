package parquet

import (
	"encoding/binary"
)

// delta decodes whole numbers that are written as differences (DELTA_BINARY_PACKED): blocks with their least
// difference, of smaller blocks that have a number of bits each.
type delta struct {
	b      []byte
	left   int // numbers that are left
	first  bool
	value  uint64
	small  int // numbers of a smaller block
	count  int // smaller blocks of a block
	least  uint64
	widths []byte
	packed []byte
	bit    int
	width  int
	many   int // differences that are left of the smaller block
}

// begin reads what stands before the numbers, which are not more than most.
func (d *delta) begin(b []byte, most int) error {
	*d = delta{b: b, first: true}
	block, count, total := d.varint(), d.varint(), d.varint()
	d.value = d.zigzag()
	if d.b == nil || block == 0 || block > 1<<20 || count == 0 || count > block || block%count != 0 ||
		total > uint64(most) {
		return errDelta
	}
	d.small, d.count, d.left = int(block/count), int(count), int(total)
	if d.small%8 != 0 {
		return errDelta
	}
	return nil
}

func (d *delta) varint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b = nil
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *delta) zigzag() uint64 {
	v := d.varint()
	return v>>1 ^ -(v & 1)
}

// next decodes as many numbers as dst has room for.
func (d *delta) next(dst []int64) error {
	if len(dst) > d.left {
		return errShort
	}
	d.left -= len(dst)
	if len(dst) > 0 && d.first {
		d.first = false
		dst[0] = int64(d.value)
		dst = dst[1:]
	}
	for len(dst) > 0 {
		if d.many == 0 {
			if err := d.block(); err != nil {
				return err
			}
		}
		n := min(d.many, len(dst))
		mask := uint64(1)<<d.width - 1
		for i := range dst[:n] {
			d.value += d.least + bits64(d.packed, d.bit, d.width)&mask
			d.bit += d.width
			dst[i] = int64(d.value)
		}
		d.many -= n
		dst = dst[n:]
	}
	return nil
}

// block begins a smaller block.
func (d *delta) block() error {
	if len(d.widths) == 0 {
		d.least = d.zigzag()
		if d.b == nil || len(d.b) < d.count {
			return errShort
		}
		d.widths, d.b = d.b[:d.count], d.b[d.count:]
	}
	d.width, d.widths = int(d.widths[0]), d.widths[1:]
	if d.width > 64 {
		return errDelta
	}
	size := d.small / 8 * d.width
	if size > len(d.b) { // the last one may be cut behind its last number
		size = len(d.b)
	}
	d.packed, d.b = d.b[:size], d.b[size:]
	if d.bit, d.many = 0, d.small; d.width > 0 {
		if d.many = min(d.small, 8*size/d.width); d.many == 0 {
			return errShort
		}
	}
	return nil
}

// end is what comes behind the numbers.
func (d *delta) end() ([]byte, error) {
	var pass [256]int64
	for d.left > 0 {
		if err := d.next(pass[:min(d.left, len(pass))]); err != nil {
			return nil, err
		}
	}
	return d.b, nil
}

// bits64 is the 64 bits from bit on.
func bits64(b []byte, bit, width int) uint64 {
	if width == 0 {
		return 0
	}
	at, off := bit>>3, bit&7
	if at+9 <= len(b) {
		v := binary.LittleEndian.Uint64(b[at:]) >> off
		if off+width > 64 {
			v |= uint64(b[at+8]) << (64 - off)
		}
		return v
	}
	var last [9]byte
	copy(last[:], b[min(at, len(b)):])
	v := binary.LittleEndian.Uint64(last[:]) >> off
	if off > 0 {
		v |= uint64(last[8]) << (64 - off)
	}
	return v
}
