package hdf5

import "encoding/binary"

// Kind is what values of a dataset are, all little-endian.
type Kind int

// The kinds that are written.
const (
	Float32 Kind = iota
	Float64
	Int8
	Int16
	Int32
	Int64
	textKind // UTF-8 of any length
	truth    // an enumeration of FALSE and TRUE, as h5py has them
)

// bytes is the size of a value.
func (k Kind) bytes() int {
	return map[Kind]int{Float32: 4, Float64: 8, Int8: 1, Int16: 2, Int32: 4, Int64: 8, textKind: referenceBytes,
		truth: 1}[k]
}

// encode is the datatype message.
func (k Kind) encode() []byte {
	head := func(class, b0, b1, b2 byte, size int) []byte {
		return binary.LittleEndian.AppendUint32([]byte{0x10 | class, b0, b1, b2}, uint32(size))
	}
	integer := func(size int, signed byte) []byte {
		b := head(0, signed, 0, 0, size)
		return append(b, 0, 0, byte(8*size), 0)
	}
	switch k {
	case Float32:
		return append(head(1, 0x20, 31, 0, 4), 0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0)
	case Float64:
		return append(head(1, 0x20, 63, 0, 8), 0, 0, 64, 0, 52, 11, 0, 52, 0xff, 3, 0, 0)
	case textKind: // a sequence that is a text, UTF-8, of bytes
		return append(head(9, 1, 1, 0, referenceBytes), integer(1, 0)...)
	case truth:
		b := append(head(8, 2, 0, 0, 1), integer(1, 8)...)
		return append(append(b, "FALSE\x00\x00\x00TRUE\x00\x00\x00\x00"...), 0, 1)
	}
	return integer(k.bytes(), 8)
}

// spaceOf is the dataspace message of a shape; nil is a single value.
func spaceOf(shape []int64) []byte {
	if shape == nil {
		return []byte{2, 0, 0, 0}
	}
	b := []byte{2, byte(len(shape)), 0, 1}
	for _, n := range shape {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}
