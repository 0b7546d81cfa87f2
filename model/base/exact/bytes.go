package exact

import (
	"encoding/binary"
	"errors"
	"io"
)

// Append adds the sum to b as bytes: which of its words follow and whether it is negative, and these words. What lies
// below them is 0, and above them the sign alone, so that a sum of numbers of one size takes 9 to 25 bytes of 41.
func (s *Sum) Append(b []byte) []byte {
	low, high, fill := 0, len(s), uint64(0)
	if s[len(s)-1]>>63 != 0 {
		fill = ^fill
	}
	for high > 0 && s[high-1] == fill {
		high--
	}
	for low < high && s[low] == 0 {
		low++
	}
	b = append(b, byte(low|high<<3)|byte(fill)&0x40)
	for _, w := range s[low:high] {
		b = binary.LittleEndian.AppendUint64(b, w)
	}
	return b
}

// ErrBytes is the error of bytes that are no sum.
var ErrBytes = errors.New("this is no exact sum")

// ReadSum reads what Append has written. The error is the reader's, or ErrBytes.
func ReadSum(r io.Reader) (s Sum, err error) {
	var head, word [8]byte
	if _, err := io.ReadFull(r, head[:1]); err != nil {
		return s, err
	}
	low, high := int(head[0]&7), int(head[0]>>3&7)
	if low > high || high > len(s) || head[0]>>7 != 0 {
		return s, ErrBytes
	}
	for i := low; i < high; i++ {
		if _, err := io.ReadFull(r, word[:]); err != nil {
			return s, err
		}
		s[i] = binary.LittleEndian.Uint64(word[:])
	}
	if head[0]&0x40 != 0 {
		for i := high; i < len(s); i++ {
			s[i] = ^uint64(0)
		}
	}
	return s, nil
}
