package inflate

import "math/bits"

// Limits of RFC 1951.
const (
	maxLiterals  = 288 // bytes, the end of a block, lengths
	maxDistances = 32
	maxCode      = 15 // bits
	endOfBlock   = 256
)

// Bits that are looked up at once. Longer codes are looked up in two steps.
const (
	literalBits  = 11
	distanceBits = 8
)

// entry says what the next bits are. The lowest 8 bits are how many of them it takes, with those that say more of a
// length or distance; 4 bits follow, how many its code takes alone; bits 16 to 30 are the byte, or the least length or
// distance. An entry of neither says so by the bit odd.
type entry uint32

const (
	literal entry = 1 << 31
	odd     entry = 1 << 15 // nothing, the end, or a second table, which begins at bits 16 to 30 and has so many bits
	further entry = 1 << 14 // a second table
	end     entry = 1 << 13
)

// table is a code, to be looked up by the next bits. The largest code of 288 symbols takes 2342 entries, as
// zlib's program enough counts them; a power of two is looked up faster.
type table [4096]entry

// second looks up the next bits in the second table that e names, once those that e takes are left behind.
func (t *table) second(e entry, bits uint64) entry {
	return t[(uint64(e>>16)+bits&(1<<(e>>8&15)-1))&uint64(len(t)-1)]
}

// more is the length or distance that e and the next bits say.
func (e entry) more(bits uint64) int {
	return int(e>>16) + int(bits>>(e>>8&15)&(1<<((e-e>>8&15)&15)-1))
}

var literalEntries, distanceEntries = literalKinds(), distanceKinds()

// literalKinds are the entries of the symbols of bytes and lengths, without the bits of their codes.
func literalKinds() (out [maxLiterals]entry) {
	for i := range 256 {
		out[i] = literal | entry(i)<<16
	}
	out[endOfBlock] = odd | end
	least := 3
	for i := 257; i < 285; i++ {
		more := max(0, (i-261)/4)
		out[i] = entry(least)<<16 | entry(more)
		least += 1 << more
	}
	out[285] = 258 << 16
	out[286], out[287] = odd, odd
	return out
}

// distanceKinds are the entries of the symbols of distances.
func distanceKinds() (out [maxDistances]entry) {
	least := 1
	for i := range 30 {
		more := max(0, i/2-1)
		out[i] = entry(least)<<16 | entry(more)
		least += 1 << more
	}
	out[30], out[31] = odd, odd
	return out
}

// build makes the table of the codes with so many bits each (0: no code), looked up by the first few bits. A code that
// leaves bits without a meaning is damaged, but for that of a single symbol.
func (t *table) build(lengths []byte, kinds []entry, first int) error {
	var count, next [maxCode + 1]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	longest, left := 0, 1
	for n := 1; n <= maxCode; n++ {
		if left = left<<1 - count[n]; left < 0 {
			return ErrDamaged
		}
		if count[n] > 0 {
			longest = n
		}
		if n < maxCode {
			next[n+1] = next[n] + count[n]
		}
	}
	if left > 0 && (longest > 1 || count[1] > 1) {
		return ErrDamaged
	}
	if left > 0 { // one symbol, or none
		for i := range t[:1<<first] {
			t[i] = odd
		}
	}
	var sorted [maxLiterals]uint16
	for symbol, n := range lengths {
		if n > 0 {
			sorted[next[n]] = uint16(symbol)
			next[n]++
		}
	}
	return t.fill(count, sorted[:next[longest]], kinds, first)
}

// fill writes the entries of symbols that are sorted by the bits of their codes; count says how many have so
// many.
func (t *table) fill(count [maxCode + 1]int, sorted []uint16, kinds []entry, first int) error {
	code, n := 0, 1
	room := 1 << first         // where the next second table begins
	begin, size := 0, 0        // the second table that is being written
	prefix, prefixed := -1, -1 // its code
	for _, symbol := range sorted {
		for count[n] == 0 {
			n++
			code <<= 1
		}
		e := kinds[symbol]
		at := int(bits.Reverse16(uint16(code))) >> (16 - n)
		if n <= first {
			e += entry(n) | entry(n)<<8
			for i := at; i < 1<<first; i += 1 << n {
				t[i] = e
			}
		} else {
			if prefixed = at & (1<<first - 1); prefixed != prefix {
				prefix, begin = prefixed, room
				size = sizeOfSecond(count, n, first)
				if room += 1 << size; room > len(t) {
					return ErrDamaged
				}
				t[prefix] = odd | further | entry(begin)<<16 | entry(size)<<8 | entry(first)
			}
			e += entry(n-first) | entry(n-first)<<8
			for i := at >> first; i < 1<<size; i += 1 << (n - first) {
				t[begin+i] = e
			}
		}
		count[n]--
		code++
	}
	return nil
}

// sizeOfSecond is how many bits a second table needs, whose first code has n, of the codes that are still to come.
func sizeOfSecond(count [maxCode + 1]int, n, first int) int {
	left := 1 << (n - first)
	for n < maxCode {
		if left -= count[n]; left <= 0 {
			break
		}
		n++
		left <<= 1
	}
	return n - first
}
