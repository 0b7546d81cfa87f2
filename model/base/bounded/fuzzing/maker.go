package fuzzing

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
)

// maker makes inputs of those that it goes on from.
type maker struct {
	r     *rand.Rand
	from  [][]byte
	sound int // the first so many are the sound ones
	most  int // no input grows longer
}

func newMaker(r *rand.Rand, sound [][]byte) *maker {
	m := &maker{r: r, from: slices.Clone(sound), sound: len(sound)}
	for _, b := range sound {
		m.most = max(m.most, 2*len(b)+64)
	}
	return m
}

// next returns an input with a few damages. Every second is made of a sound one.
func (m *maker) next() []byte {
	b := m.from[m.r.IntN(len(m.from))]
	if m.r.IntN(2) == 0 {
		b = m.from[m.r.IntN(m.sound)]
	}
	b = bytes.Clone(b)
	for range 1 + m.r.IntN(1<<m.r.IntN(4)) {
		if len(b) == 0 {
			return []byte{byte(m.r.Uint32())}
		}
		b = damages[m.r.IntN(len(damages))](m, b)
	}
	return b[:min(len(b), m.most)]
}

// pool is how many inputs it goes on from at most.
const pool = 4096

// goOnFrom has inputs made of this one too, where there are too many in place of one of the others.
func (m *maker) goOnFrom(b []byte) {
	if len(m.from) < pool {
		m.from = append(m.from, b)
	} else {
		m.from[m.sound+m.r.IntN(pool-m.sound)] = b
	}
}

// damages are ways to change an input that is not empty.
var damages = []func(m *maker, b []byte) []byte{
	func(m *maker, b []byte) []byte { b[m.r.IntN(len(b))] = byte(m.r.Uint32()); return b },
	func(m *maker, b []byte) []byte { b[m.r.IntN(len(b))] ^= 1 << m.r.IntN(8); return b },
	func(m *maker, b []byte) []byte { b[m.r.IntN(len(b))] += byte(m.r.IntN(9)) - 4; return b },
	(*maker).integer, (*maker).integer, (*maker).number, (*maker).cut, (*maker).take, (*maker).copy, (*maker).insert,
	(*maker).repeat,
}

// integer writes a number of one to eight bytes that readers may not expect: an end of its range, or about as large
// as the input.
func (m *maker) integer(b []byte) []byte {
	size := 1 << m.r.IntN(4)
	if len(b) < size {
		return b
	}
	at := m.r.IntN(len(b) - size + 1)
	var x uint64
	switch m.r.IntN(6) {
	case 0:
		x = ^uint64(0) >> m.r.IntN(64)
	case 1:
		x = 1 << m.r.IntN(64)
	case 2:
		x = -uint64(m.r.IntN(5))
	case 3:
		x = uint64(m.r.IntN(len(b) + 1))
	case 4:
		x = uint64(len(b) - at + m.r.IntN(5) - 2)
	case 5:
		x = m.r.Uint64()
	}
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], x)
	if m.r.IntN(4) == 0 {
		slices.Reverse(word[:size])
	}
	copy(b[at:], word[:size])
	return b
}

// numbers take the place of numbers in texts.
var numbers = []string{"", "0", "-1", "1e308", "-1e-308", "NaN", "inf", "-Infinity", "9223372036854775808",
	"4294967296", "0x10", "1e", "--1", ".", "00", "1e999", "+5", "1_000", "0.1", "65536"}

// number exchanges a number that stands in a text.
func (m *maker) number(b []byte) []byte {
	digit := func(c byte) bool { return c >= '0' && c <= '9' || c == '.' }
	at := m.r.IntN(len(b))
	for range 40 {
		if digit(b[at]) {
			break
		}
		at = m.r.IntN(len(b))
	}
	end := at
	for end < len(b) && digit(b[end]) {
		end++
	}
	return slices.Concat(b[:at], []byte(numbers[m.r.IntN(len(numbers))]), b[end:])
}

// cut leaves out the end, seldom much of it.
func (m *maker) cut(b []byte) []byte {
	if m.r.IntN(4) == 0 {
		return b[:m.r.IntN(len(b))]
	}
	return b[:len(b)-m.r.IntN(min(len(b), 16))]
}

// part is a range of an input, most often a short one.
func (m *maker) part(b []byte) (begin, end int) {
	begin = m.r.IntN(len(b))
	n := 1 + m.r.IntN(1<<m.r.IntN(9))
	return begin, min(len(b), begin+n)
}

// take takes a part out.
func (m *maker) take(b []byte) []byte {
	begin, end := m.part(b)
	return slices.Delete(b, begin, end)
}

// copy writes a part over another place.
func (m *maker) copy(b []byte) []byte {
	begin, end := m.part(b)
	copy(b[m.r.IntN(len(b)):], bytes.Clone(b[begin:end]))
	return b
}

// insert puts a part of another input anywhere.
func (m *maker) insert(b []byte) []byte {
	other := m.from[m.r.IntN(len(m.from))]
	if len(other) == 0 {
		return b
	}
	begin, end := m.part(other)
	return slices.Insert(b, m.r.IntN(len(b)+1), other[begin:end]...)
}

// repeat has a part follow itself, sometimes often, as what is nested deeply does.
func (m *maker) repeat(b []byte) []byte {
	begin, end := m.part(b)
	times := 1 + m.r.IntN(1<<m.r.IntN(8))
	if n := end - begin; times*n > m.most {
		times = max(1, m.most/n)
	}
	return slices.Insert(b, end, bytes.Repeat(b[begin:end], times)...)
}
