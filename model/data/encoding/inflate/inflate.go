// Package inflate unpacks what zlib has packed (RFC 1950, RFC 1951) from memory into memory, where it is known how long
// it becomes: the chunks of HDF5. Readers of streams, such as the one of the standard library, ask for a byte at a time
// and keep a window of what they gave away; with all at hand neither is needed: numbers of float32 take two thirds
// of the time that the fastest of them takes.
package inflate

import (
	"encoding/binary"
	"errors"
	"hash/adler32"
)

// Errors of packed bytes.
var (
	ErrDamaged  = errors.New("inflate: the packed bytes are damaged")
	ErrShort    = errors.New("inflate: the packed bytes end too early")
	ErrLength   = errors.New("inflate: more bytes are packed than belong there")
	ErrChecksum = errors.New("inflate: the checksum does not fit")
)

// Unpacker unpacks one after the other and keeps its tables in between. The zero value is ready, for one goroutine.
type Unpacker struct {
	lengths   [maxLiterals + maxDistances]byte // bits of the codes of a block
	literals  table
	distances table
	stream
}

// Zlib unpacks src, which must become as many bytes as dst has. What follows its checksum is not looked at. On an
// error dst holds anything.
func (u *Unpacker) Zlib(dst, src []byte) error {
	if len(src) < 2 {
		return ErrShort
	}
	if head := binary.BigEndian.Uint16(src); src[0]&15 != 8 || src[0]>>4 > 7 || src[1]&32 != 0 || head%31 != 0 {
		return ErrDamaged
	}
	u.stream = stream{src: src, dst: dst, in: 2}
	for last := false; !last; {
		u.refill()
		head, err := u.take(3)
		if err != nil {
			return err
		}
		last = head&1 != 0
		switch head >> 1 {
		case 0:
			err = u.stored()
		case 1:
			if err = u.usual(); err == nil {
				err = u.block()
			}
		case 2:
			if err = u.described(); err == nil {
				err = u.block()
			}
		default:
			err = ErrDamaged
		}
		if err != nil {
			return err
		}
	}
	if u.out != len(dst) {
		return ErrShort
	}
	u.align()
	if len(src)-u.in < 4 {
		return ErrShort
	}
	if binary.BigEndian.Uint32(src[u.in:]) != adler32.Checksum(dst) {
		return ErrChecksum
	}
	return nil
}

// stream is where packed bytes are read and unpacked ones written. The next count bits of src are the lowest of bits;
// above them are more that are right too, or zeros.
type stream struct {
	src, dst []byte
	in, out  int
	bits     uint64
	count    uint
}

// refill has at least 56 bits ready, or all that there are.
func (s *stream) refill() {
	if s.in+8 <= len(s.src) {
		s.bits |= binary.LittleEndian.Uint64(s.src[s.in:]) << s.count
		s.in += int(63-s.count) >> 3
		s.count |= 56
		return
	}
	for s.count < 56 && s.in < len(s.src) {
		s.bits |= uint64(s.src[s.in]) << s.count
		s.in++
		s.count += 8
	}
}

// drop leaves n bits behind.
func (s *stream) drop(n uint) error {
	if n > s.count {
		return ErrShort
	}
	s.bits >>= n & 63
	s.count -= n
	return nil
}

// take takes n bits, of which there are enough after a refill.
func (s *stream) take(n uint) (uint, error) {
	v := uint(s.bits) & (1<<n - 1)
	return v, s.drop(n)
}

// align goes on with the next whole byte.
func (s *stream) align() {
	s.in -= int(s.count >> 3)
	s.bits, s.count = 0, 0
}

// stored copies a block that is not packed.
func (s *stream) stored() error {
	s.align()
	if len(s.src)-s.in < 4 {
		return ErrShort
	}
	n, not := binary.LittleEndian.Uint16(s.src[s.in:]), binary.LittleEndian.Uint16(s.src[s.in+2:])
	s.in += 4
	switch {
	case n != ^not:
		return ErrDamaged
	case int(n) > len(s.src)-s.in:
		return ErrShort
	case int(n) > len(s.dst)-s.out:
		return ErrLength
	}
	s.out += copy(s.dst[s.out:], s.src[s.in:s.in+int(n)])
	s.in += int(n)
	return nil
}
