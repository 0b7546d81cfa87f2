package hdf5

import (
	"math"

	"blossom/model/base/problem"
)

// bitsOf takes the bytes of a value as a number without sign.
func (t *Type) bitsOf(b []byte) (v uint64) {
	for i := range t.Size {
		if k := i; t.Big {
			v = v<<8 | uint64(b[k])
		} else {
			v |= uint64(b[k]) << (8 * k)
		}
	}
	return v
}

// Int returns a value of an integer type; beyond 2^63 it is negative.
func (t *Type) Int(b []byte) int64 {
	v := t.bitsOf(b)
	if t.bits[1] > 0 && t.bits[1] < 64 {
		unused := 64 - t.bits[1]
		v = v >> t.bits[0] << unused
		if t.Signed {
			return int64(v) >> unused
		}
		return int64(v >> unused)
	}
	return int64(v)
}

// Number64 returns a value of a numeric type.
func (t *Type) Number64(b []byte) float64 {
	if t.Class == Integer {
		v := t.Int(b)
		if !t.Signed {
			return float64(uint64(v))
		}
		return float64(v)
	}
	switch v := t.bitsOf(b); t.Size {
	case 2:
		return half(uint16(v))
	case 4:
		return float64(math.Float32frombits(uint32(v)))
	default:
		return math.Float64frombits(v)
	}
}

// half is a number of IEEE 754 binary16.
func half(h uint16) float64 {
	exponent, fraction := int(h>>10&31), float64(h&1023)
	v := 0.0
	switch exponent {
	case 0:
		v = math.Ldexp(fraction, -24)
	case 31:
		if v = math.Inf(1); fraction != 0 {
			v = math.NaN()
		}
	default:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if h>>15 != 0 {
		return -v
	}
	return v
}

// Decimals fills dst with the values of a numeric type, which begin at src and lie stride bytes apart. The type is
// one of which Number is true.
func (t *Type) Decimals(dst []float64, src []byte, stride int) {
	for i := range dst {
		dst[i] = t.Number64(src[i*stride:])
	}
}

// Plain says whether the values are what the machine has too: whole numbers that take all their bits, and IEEE 754.
func (t *Type) Plain() bool {
	return t.Number() && (t.Class == Float || t.bits == [2]int{0, 8 * t.Size})
}

// CheckNumber is the Problem of values that are no numbers, or none that can be read.
func (t *Type) CheckNumber() error {
	switch {
	case t.odd != "":
		return problem.New("", "write it again as float32", "holds %s, which are not read here", t.odd)
	case !t.Number():
		return problem.New("", "name a matrix of numbers", "holds values that are no numbers (%s)", t)
	}
	return nil
}

// Floats are all values of a numeric type.
func (t *Type) Floats(raw []byte) ([]float64, error) {
	if err := t.CheckNumber(); err != nil {
		return nil, err
	}
	out := make([]float64, len(raw)/t.Size)
	t.Decimals(out, raw, t.Size)
	return out, nil
}

// Texts returns the texts of values in order. One that is read again is the same text in memory.
func (f *File) Texts(t *Type, raw []byte) ([]string, error) {
	if !t.IsText() || t.Size == 0 {
		return nil, problem.New("", "write it again as text", "has values of the type %s where texts belong", t)
	}
	n := len(raw) / t.Size
	out := make([]string, n)
	if t.Class == Text {
		for i := range out {
			out[i] = symbol(raw[i*t.Size:][:t.Size])
		}
		return out, nil
	}
	if t.Size < 8+f.address {
		return nil, damaged("the place of a text has %d bytes", t.Size)
	}
	for i := range out {
		c := f.over(raw[i*t.Size:][:t.Size])
		length, at, number := c.int(4), c.addr(), uint32(c.u(4))
		if length == 0 || at == 0 || at == undefined {
			continue
		}
		var err error
		if out[i], err = f.heapText(at, number, length); err != nil {
			return nil, err
		}
	}
	return out, nil
}
