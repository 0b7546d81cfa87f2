package format

import (
	"math"
	"strconv"
)

// number is what scanNumber found out about a cell. It is small: millions of them are handed on by value.
type number struct {
	value  float32
	length int32 // bytes that belong to the number; 0: not a number
	is     finding
}

// finding is a set of what there is to say of a number.
type finding uint8

const (
	overflow finding = 1 << iota // finite in the text, infinite as float32
	rounded                      // a whole number that float32 does not hold exactly
	beyond                       // nor does float64
	inexact                      // float32 may hold another number than the text
	grouped                      // written with dots or commas between thousands
	written                      // for people: it is to be written anew for machines before it is read
	word                         // no number: a word that stands for no value among numbers only
)

// float64 returns the number that was read from s with all the digits that float64 holds; infinite where float32 is.
func (n number) float64(s []byte, mark byte) float64 {
	if n.length == 0 || n.is&overflow != 0 {
		return float64(n.value)
	}
	var room [longestWritten]byte
	if n.is&written != 0 {
		s, _, _ = plainNumber(s, mark, room[:0])
	}
	x, _ := strconv.ParseFloat(withPoint(s, mark), 64)
	return x
}

// middle is the middle of the 29 bits of float64 that float32 drops.
const middle = 1 << 28

var powersOfTen = func() (p [65]float64) {
	for i := range p {
		p[i], _ = strconv.ParseFloat("1e"+strconv.Itoa(i), 64)
	}
	return p
}()

// scanExponent reads a whole number with its sign at the start of s; length is 0 where there is none. Beyond a million
// digits no exponent makes a difference.
func scanExponent(s []byte) (e, length int) {
	j, minus := 0, false
	if j < len(s) && (s[j] == '-' || s[j] == '+') {
		minus = s[j] == '-'
		j++
	}
	first := j
	for j < len(s) && s[j]-'0' <= 9 {
		e = min(e*10+int(s[j]-'0'), 1e6)
		j++
	}
	switch {
	case j == first:
		return 0, 0
	case minus:
		return -e, j
	}
	return e, j
}

// scanNumber reads the decimal number at the start of s, with the given decimal mark, and rounds it
// to the nearest float32 exactly as strconv does: digits are gathered into a 64-bit integer and scaled
// in float64, whose error is a few units in the last place; only when the result lies so close to the
// middle between two float32 that this error could decide, or outside the normal range, strconv does it.
func scanNumber(s []byte, mark byte) number {
	i := 0
	negative := false
	if i < len(s) && (s[i] == '-' || s[i] == '+') {
		negative = s[i] == '-'
		i++
	}
	any := i
	digits, i, added := digitsOf(s, i, 0)
	exp := i - any - added // digits that are left out before the mark
	found, cut, whole := i > any, exp > 0, true
	if i < len(s) && s[i] == mark {
		any = i + 1
		digits, i, added = digitsOf(s, any, digits)
		exp -= added
		found, cut, whole = found || i > any, cut || i-any > added, false
	}
	if !found {
		return number{}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		e, length := scanExponent(s[i+1:])
		if length == 0 {
			return number{}
		}
		exp += e
		i += 1 + length
		whole = false
	}
	n := number{length: int32(i)}
	n.value, n.is = roundNumber(s[:i], mark, digits, exp, negative, cut)
	if whole && digits >= 1<<24 {
		if cut || !exact(digits, 24) {
			n.is |= rounded
		}
		if cut || !exact(digits, 53) {
			n.is |= beyond
		}
	}
	return n
}

func roundNumber(s []byte, mark byte, digits uint64, exp int, negative, cut bool) (value float32, is finding) {
	if digits == 0 {
		if negative {
			return float32(math.Copysign(0, -1)), 0
		}
		return 0, 0
	}
	if exp < -64 || exp > 64 {
		return slowNumber(s, mark)
	}
	x := float64(digits)
	doubt := uint64(8) // in units of the last place of float64
	if digits < 1<<53 && exp >= -22 && exp <= 22 && !cut {
		doubt = 0 // both factors are exact: x is rounded once
		if exp == 0 {
			if negative {
				x = -x
			}
			if float64(float32(x)) != x {
				return float32(x), inexact
			}
			return float32(x), 0
		}
	}
	if exp < 0 {
		x /= powersOfTen[-exp]
	} else {
		x *= powersOfTen[exp]
	}
	low := math.Float64bits(x) & (1<<29 - 1)
	if low+doubt >= middle && low <= middle+doubt || x < 0x1p-126 || x > math.MaxFloat32 {
		return slowNumber(s, mark)
	}
	if negative {
		x = -x
	}
	if low != 0 || doubt != 0 {
		return float32(x), inexact
	}
	return float32(x), 0
}

// slowNumber leaves it to strconv.
func slowNumber(s []byte, mark byte) (value float32, is finding) {
	x, err := strconv.ParseFloat(withPoint(s, mark), 32)
	if err != nil {
		return float32(x), inexact | overflow
	}
	return float32(x), inexact
}

// withPoint returns a number with its decimal mark as a point.
func withPoint(s []byte, mark byte) string {
	text := string(s)
	if mark != '.' {
		b := []byte(text)
		for i := range b {
			if b[i] == mark {
				b[i] = '.'
			}
		}
		text = string(b)
	}
	return text
}
