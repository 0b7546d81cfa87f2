package hdf5

import (
	"encoding/binary"
	"math/bits"
)

// lookup3 is Bob Jenkins' hash of 2006 with the initial value 0, the checksum of what describes data.
func lookup3(b []byte) uint32 {
	start := 0xdeadbeef + uint32(len(b))
	x, y, z := start, start, start
	for len(b) > 12 {
		x += binary.LittleEndian.Uint32(b)
		y += binary.LittleEndian.Uint32(b[4:])
		z += binary.LittleEndian.Uint32(b[8:])
		x = (x - z) ^ bits.RotateLeft32(z, 4)
		z += y
		y = (y - x) ^ bits.RotateLeft32(x, 6)
		x += z
		z = (z - y) ^ bits.RotateLeft32(y, 8)
		y += x
		x = (x - z) ^ bits.RotateLeft32(z, 16)
		z += y
		y = (y - x) ^ bits.RotateLeft32(x, 19)
		x += z
		z = (z - y) ^ bits.RotateLeft32(y, 4)
		y += x
		b = b[12:]
	}
	if len(b) == 0 {
		return z
	}
	var last [12]byte
	copy(last[:], b)
	x += binary.LittleEndian.Uint32(last[:])
	y += binary.LittleEndian.Uint32(last[4:])
	z += binary.LittleEndian.Uint32(last[8:])
	z = (z ^ y) - bits.RotateLeft32(y, 14)
	x = (x ^ z) - bits.RotateLeft32(z, 11)
	y = (y ^ x) - bits.RotateLeft32(x, 25)
	z = (z ^ y) - bits.RotateLeft32(y, 16)
	x = (x ^ z) - bits.RotateLeft32(z, 4)
	y = (y ^ x) - bits.RotateLeft32(x, 14)
	z = (z ^ y) - bits.RotateLeft32(y, 24)
	return z
}

// fletcher32 is the checksum of chunks: sums of 16 bits, the first byte the higher one.
func fletcher32(b []byte) uint32 {
	var low, high uint32
	words := b[:len(b)&^1]
	for len(words) > 0 {
		n := min(len(words), 720)
		for i := 0; i < n; i += 2 {
			low += uint32(words[i])<<8 | uint32(words[i+1])
			high += low
		}
		low, high = low&0xffff+low>>16, high&0xffff+high>>16
		words = words[n:]
	}
	if len(b)&1 != 0 {
		low += uint32(b[len(b)-1]) << 8
		high += low
		low, high = low&0xffff+low>>16, high&0xffff+high>>16
	}
	low, high = low&0xffff+low>>16, high&0xffff+high>>16
	return high<<16 | low
}
