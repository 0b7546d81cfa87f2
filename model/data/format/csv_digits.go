package format

import (
	"encoding/binary"
	"math/bits"
)

// Eight characters are looked at together, as the bytes of one word of 64 bits, the first in the lowest. eachZero is
// eight times the character 0: what a digit is worth is what it differs from that in.
const eachZero = 0x3030303030303030

// eightOf returns what the first eight bytes of s differ from zeros in: digits are 0 to 9.
func eightOf(s []byte) uint64 { return binary.LittleEndian.Uint64(s) ^ eachZero }

// noDigits returns a number with a bit for each byte of a word of eightOf, the lowest for the first, which is set where
// the byte is no digit. Added to 0x76, the seven lower bits of a byte reach the eighth from 10 on; none is carried on
// into the next byte. The product brings the eight bits together, each at a place of its own.
func noDigits(t uint64) uint32 {
	const low, high = 0x7f7f7f7f7f7f7f7f, 0x8080808080808080
	t = ((t&low + 0x7676767676767676) | t) & high
	return uint32(t >> 7 * 0x0102040810204080 >> 56)
}

// eightDigits returns the number that eight digits are, where t is of eightOf. Neighbours are put together to four
// numbers below a hundred, and each of these is multiplied with its power of ten so that all meet in the upper half.
func eightDigits(t uint64) uint64 {
	t = t * (10<<8 + 1) >> 8 & 0x00ff00ff00ff00ff
	t = t * (100<<16 + 1) >> 16 & 0x0000ffff0000ffff
	return t * (10000<<32 + 1) >> 32
}

// wholeTens are powers of ten.
var wholeTens = [16]uint64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// upToEight returns the number that the first n digits of a word of eightOf are, for n up to eight; 0 for none.
func upToEight(t uint64, n int) uint64 { return eightDigits(t << (64 - 8*uint(n))) }

// upToSixteen is upToEight of s for n up to sixteen.
func upToSixteen(s []byte, n int) uint64 {
	if n <= 8 {
		return upToEight(eightOf(s), n)
	}
	return eightDigits(eightOf(s))*wholeTens[(n-8)&15] + upToEight(eightOf(s[8:]), n-8)
}

// digitsOf reads digits from s[i] on behind those that make the number so far. Below 1e18 they are added to it; end is
// the place after the last of all, and added is how many were.
func digitsOf(s []byte, i int, so uint64) (number uint64, end, added int) {
	first := i
	for ; i+8 <= len(s) && so < 1e10; i += 8 {
		t := eightOf(s[i:])
		if m := noDigits(t); m != 0 {
			n := bits.TrailingZeros32(m)
			return so*wholeTens[n&15] + upToEight(t, n), i + n, i + n - first
		}
		so = so*1e8 + eightDigits(t)
	}
	for ; i < len(s) && s[i]-'0' <= 9 && so < 1e18; i++ {
		so = so*10 + uint64(s[i]-'0')
	}
	added = i - first
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	return so, i, added
}
