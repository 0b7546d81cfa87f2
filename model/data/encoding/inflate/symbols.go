package inflate

import "encoding/binary"

// longest is how many bytes a length stands for at most; careful is how far from the ends of what is packed and
// unpacked each step looks whether it may.
const (
	longest = 258
	careful = 16
)

// block unpacks a block by the tables.
func (u *Unpacker) block() error {
	if done, err := u.fast(); done || err != nil {
		return err
	}
	return u.slow()
}

// fast unpacks while there are bits enough for the longest symbols, and room. It says whether the block has ended.
func (u *Unpacker) fast() (done bool, err error) {
	src, dst, in, out, bits, count := u.src, u.dst, u.in, u.out, u.bits, u.count
	for in+careful <= len(src) && out+longest+careful <= len(dst) {
		bits |= binary.LittleEndian.Uint64(src[in:]) << (count & 63)
		in += int(63-count) >> 3
		count |= 56
		e := u.literals[bits&(1<<literalBits-1)]
		for range 4 { // so many take 44 bits at most, and 11 that the next is looked up by are left
			if e < literal {
				break
			}
			dst[out] = byte(e >> 16)
			out++
			bits >>= e & 63
			count -= uint(e & 63)
			e = u.literals[bits&(1<<literalBits-1)]
		}
		if e >= literal {
			continue
		}
		bits |= binary.LittleEndian.Uint64(src[in:]) << (count & 63)
		in += int(63-count) >> 3
		count |= 56
		if e&further != 0 {
			bits, count = bits>>(e&63), count-uint(e&63)
			if e = u.literals.second(e, bits); e >= literal {
				dst[out] = byte(e >> 16)
				out++
				bits >>= e & 63
				count -= uint(e & 63)
				continue
			}
		}
		length := e.more(bits)
		bits >>= e & 63
		count -= uint(e & 63)
		if e&odd != 0 {
			if done = e&end != 0; !done {
				err = ErrDamaged
			}
			break
		}
		e = u.distances[bits&(1<<distanceBits-1)]
		if e&further != 0 {
			bits, count = bits>>(e&63), count-uint(e&63)
			e = u.distances.second(e, bits)
		}
		distance := e.more(bits)
		bits >>= e & 63
		count -= uint(e & 63)
		if e&odd != 0 || distance > out {
			err = ErrDamaged
			break
		}
		repeat(dst[out-distance:out+length+8], distance, length)
		out += length
	}
	u.in, u.out, u.bits, u.count = in, out, bits, count
	return done, err
}

// repeat has the first distance bytes of b followed by length bytes that are each as the one so far before. There is
// room for 8 more.
func repeat(b []byte, distance, length int) {
	switch {
	case length > 32:
		for n, all := distance, distance+length; n < all; n *= 2 { // twice as many each time
			copy(b[n:all], b[:n])
		}
	case distance >= 8:
		to := b[distance:]
		for i := 0; i < length; i += 8 {
			binary.LittleEndian.PutUint64(to[i:], binary.LittleEndian.Uint64(b[i:]))
		}
	default:
		to := b[distance:]
		for i := range length {
			to[i] = b[i]
		}
	}
}

// slow unpacks the rest of a block near an end of what is packed or unpacked.
func (u *Unpacker) slow() error {
	for {
		e, err := u.symbol(&u.literals, literalBits)
		if err != nil {
			return err
		}
		switch {
		case e&literal != 0:
			if u.out == len(u.dst) {
				return ErrLength
			}
			u.dst[u.out] = byte(e >> 16)
			u.out++
			if err := u.drop(uint(e & 63)); err != nil {
				return err
			}
			continue
		case e&odd != 0:
			return u.drop(uint(e & 63)) // the end
		}
		length := e.more(u.bits)
		if err := u.drop(uint(e & 63)); err != nil {
			return err
		}
		if e, err = u.symbol(&u.distances, distanceBits); err != nil {
			return err
		}
		distance := e.more(u.bits)
		if err := u.drop(uint(e & 63)); err != nil {
			return err
		}
		switch {
		case distance > u.out:
			return ErrDamaged
		case length > len(u.dst)-u.out:
			return ErrLength
		}
		for range length {
			u.dst[u.out] = u.dst[u.out-distance]
			u.out++
		}
	}
}

// symbol looks up the next symbol, whose last bits are still to be left behind. What is nothing is an error.
func (u *Unpacker) symbol(t *table, first int) (entry, error) {
	u.refill()
	e := t[u.bits&(1<<first-1)]
	if e&further != 0 {
		if err := u.drop(uint(e & 63)); err != nil {
			return 0, err
		}
		e = t.second(e, u.bits)
	}
	if e&odd != 0 && e&end == 0 {
		return 0, ErrDamaged
	}
	return e, nil
}
