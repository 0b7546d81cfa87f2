package format

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
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
	off   int // place of its first byte in the row
	kind  kind
	order order
	mask  uint64 // which bits of unsigned integers count; 0: all
}

// tally counts what decoding could not keep.
type tally struct {
	overflow int  // finite numbers that are infinite as float32
	rounded  int  // whole numbers that are not exact as float32
	beyond   int  // how many of these are not exact as float64 either
	fraction bool // numbers that are neither whole nor exact as float32
}

func (t *tally) add(o tally) {
	t.overflow += o.overflow
	t.rounded += o.rounded
	t.beyond += o.beyond
	t.fraction = t.fraction || o.fraction
}

// any says whether float32 does not hold a value that float64 holds.
func (t tally) any() bool { return t.rounded > 0 || t.fraction }

// coarse says whether the column whose values became float32 so must be read as float64.
func (t tally) coarse(values []float32) bool {
	return t.rounded > 0 && !t.fraction || (t.rounded > 0 || t.fraction) && dataset.Coarse(values)
}

// tallyWarnings says which columns lost something when their values became float32, or float64.
func tallyWarnings(columns []dataset.Column, tallies []tally) (warnings []string) {
	for i, t := range tallies {
		if t.overflow > 0 {
			warnings = append(warnings, fmt.Sprintf("column %q: %s numbers are beyond 3.4e38 and count as invalid",
				columns[i].Name, thousands(int64(t.overflow))))
		}
		if t.beyond > 0 {
			warnings = append(warnings, fmt.Sprintf(
				"column %q: %s whole numbers beyond 9,007,199,254,740,992 are rounded to 53 bits", columns[i].Name,
				thousands(int64(t.beyond))))
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
				dst[i] = frame.Half(uint16(b))
			}
		case 4:
			for i, b := range raw {
				dst[i] = math.Float32frombits(uint32(b))
			}
		default:
			for i, b := range raw {
				x := math.Float64frombits(b)
				f := float32(x)
				if float64(f) != x && x == x {
					t.lost(x, f)
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
			if !exact(b, 24) {
				t.whole(b)
			}
			dst[i] = float32(b)
		}
	case kindInt:
		unused := 64 - 8*len(v.order)
		for i, b := range raw {
			x := int64(b<<unused) >> unused
			if u := uint64(max(x, -x)); !exact(u, 24) {
				t.whole(u)
			}
			dst[i] = float32(x)
		}
	}
}

// lost counts the number x, which is f as float32.
func (t *tally) lost(x float64, f float32) {
	switch {
	case math.IsInf(float64(f), 0):
		t.overflow++
	case x == math.Trunc(x) && math.Abs(x) <= 1<<53:
		t.rounded++
	default:
		t.fraction = true
	}
}

// whole counts a whole number that float32 rounds.
func (t *tally) whole(u uint64) {
	t.rounded++
	if !exact(u, 53) {
		t.beyond++
	}
}

// decodeExact is decode to float64. What float32 cannot reach stays as it is here.
func (v *value) decodeExact(dst []float64, src []byte, stride int, scratch []uint64) {
	raw := scratch[:len(dst)]
	v.order.load(raw, src[v.off:], stride)
	unused, mask := 64-8*len(v.order), v.mask
	if mask == 0 {
		mask = math.MaxUint64
	}
	for i, b := range raw {
		switch {
		case v.kind == kindUint:
			dst[i] = float64(b & mask)
		case v.kind == kindInt:
			dst[i] = float64(int64(b<<unused) >> unused)
		case len(v.order) == 8:
			dst[i] = math.Float64frombits(b)
		case len(v.order) == 4:
			dst[i] = float64(math.Float32frombits(uint32(b)))
		default:
			dst[i] = float64(frame.Half(uint16(b)))
		}
	}
}

// exact says whether a number of so many bits holds u: its significant bits fit into them.
func exact(u uint64, most int) bool { return bits.Len64(u)-bits.TrailingZeros64(u) <= most }

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
