package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"blossom/model/dataset"
)

// kind is how the bytes of a value are to be understood.
type kind uint8

const (
	kindFloat kind = iota // IEEE 754 of 2, 4 or 8 bytes
	kindUint              // unsigned, 1 to 8 bytes
	kindInt               // two's complement, 1, 2, 4 or 8 bytes
)

// order is the place of each byte of a value in the file: order[i] is how far the byte at offset i is
// shifted left. It has as many entries as the value has bytes.
type order []uint8

func littleEndian(width int) order {
	o := make(order, width)
	for i := range o {
		o[i] = uint8(8 * i)
	}
	return o
}

func bigEndian(width int) order {
	o := make(order, width)
	for i := range o {
		o[i] = uint8(8 * (width - 1 - i))
	}
	return o
}

// value describes one value in a row of fixed-width binary values.
type value struct {
	off   int // of its first byte in the row
	kind  kind
	order order
	mask  uint64 // of unsigned integers: which bits count; 0: all
}

// tally counts what decoding could not keep.
type tally struct {
	overflow int // finite numbers that are infinite as float32
	rounded  int // whole numbers that are not exact as float32
}

func (t *tally) add(o tally) {
	t.overflow += o.overflow
	t.rounded += o.rounded
}

// tallyWarnings says which columns lost something when their values became float32.
func tallyWarnings(columns []dataset.Column, tallies []tally) (warnings []string) {
	for i, t := range tallies {
		if t.overflow > 0 {
			warnings = append(warnings, fmt.Sprintf("column %q: %s numbers are beyond 3.4e38 and count as invalid",
				columns[i].Name, thousands(int64(t.overflow))))
		}
		if t.rounded > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"column %q: %s whole numbers beyond 16,777,216 are rounded to 24 bits", columns[i].Name,
				thousands(int64(t.rounded))))
		}
	}
	return warnings
}

// decode converts the value v of len(dst) rows of stride bytes in src. scratch has room for len(dst).
func (v *value) decode(dst []float32, src []byte, stride int, scratch []uint64, t *tally) {
	if v.kind == kindFloat && len(v.order) == 4 && (v.order[0] == 0 || v.order[0] == 24) && v.order.plain() {
		decodeFloat32(dst, src[v.off:], stride, v.order[0] == 24)
		return
	}
	raw := scratch[:len(dst)]
	v.order.load(raw, src[v.off:], stride)
	switch v.kind {
	case kindFloat:
		switch len(v.order) {
		case 2:
			for i, b := range raw {
				dst[i] = halfToFloat(uint16(b))
			}
		case 4:
			for i, b := range raw {
				dst[i] = math.Float32frombits(uint32(b))
			}
		default:
			for i, b := range raw {
				x := math.Float64frombits(b)
				f := float32(x)
				if math.IsInf(float64(f), 0) && !math.IsInf(x, 0) {
					t.overflow++
				}
				dst[i] = f
			}
		}
	case kindUint:
		mask := v.mask
		if mask == 0 {
			mask = math.MaxUint64
		}
		if len(v.order) <= 3 || mask < 1<<24 {
			for i, b := range raw {
				dst[i] = float32(b & mask)
			}
			return
		}
		for i, b := range raw {
			b &= mask
			if !exact(b) {
				t.rounded++
			}
			dst[i] = float32(b)
		}
	case kindInt:
		unused := 64 - 8*len(v.order)
		for i, b := range raw {
			x := int64(b<<unused) >> unused
			if u := uint64(max(x, -x)); !exact(u) {
				t.rounded++
			}
			dst[i] = float32(x)
		}
	}
}

// exact says whether u is the same as float32: its significant bits fit into 24.
func exact(u uint64) bool { return u < 1<<24 || bits.Len64(u)-bits.TrailingZeros64(u) <= 24 }

// plain says whether the order is little or big endian, not a mixed one.
func (o order) plain() bool {
	up, down := true, true
	for i, s := range o {
		up = up && int(s) == 8*i
		down = down && int(s) == 8*(len(o)-1-i)
	}
	return up || down
}

func decodeFloat32(dst []float32, src []byte, stride int, big bool) {
	if len(dst) == 0 {
		return
	}
	_ = src[(len(dst)-1)*stride+3]
	if big {
		for i := range dst {
			dst[i] = math.Float32frombits(binary.BigEndian.Uint32(src[i*stride : i*stride+4]))
		}
		return
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[i*stride : i*stride+4]))
	}
}

// load reads the bits of len(raw) values.
func (o order) load(raw []uint64, src []byte, stride int) {
	little := len(o) > 0 && o[0] == 0
	switch {
	case len(o) == 1:
		for i := range raw {
			raw[i] = uint64(src[i*stride])
		}
	case !o.plain() || len(o) != 2 && len(o) != 4 && len(o) != 8:
		for i := range raw {
			var u uint64
			for j, b := range src[i*stride:][:len(o)] {
				u |= uint64(b) << o[j]
			}
			raw[i] = u
		}
	case len(o) == 2 && little:
		for i := range raw {
			raw[i] = uint64(binary.LittleEndian.Uint16(src[i*stride:]))
		}
	case len(o) == 2:
		for i := range raw {
			raw[i] = uint64(binary.BigEndian.Uint16(src[i*stride:]))
		}
	case len(o) == 4 && little:
		for i := range raw {
			raw[i] = uint64(binary.LittleEndian.Uint32(src[i*stride:]))
		}
	case len(o) == 4:
		for i := range raw {
			raw[i] = uint64(binary.BigEndian.Uint32(src[i*stride:]))
		}
	case little:
		for i := range raw {
			raw[i] = binary.LittleEndian.Uint64(src[i*stride:])
		}
	default:
		for i := range raw {
			raw[i] = binary.BigEndian.Uint64(src[i*stride:])
		}
	}
}

// halfToFloat converts IEEE 754 binary16.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp := uint32(h>>10) & 0x1f
	frac := uint32(h & 0x3ff)
	switch exp {
	case 0: // zero and subnormal numbers: frac * 2^-24
		f := float32(frac) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}
