package format

import (
	"math"
	"math/bits"
)

const (
	// plainWindow is how many bytes are looked at for a plain number: a sign, plainDigits, and as many again, as what
	// stands behind the mark is read in one piece.
	plainWindow = 1 + 2*plainDigits
	// plainDigits is how long a plain number may be besides its sign, with what ends it. It has 15 digits at most, so
	// float64 holds them, and the power of ten that they are divided by.
	plainDigits = 16
)

// plain reads cells of a record from column j on, the first of them at data[i], into the next row of b, as long as they
// are plain numbers: a minus or none, digits with a mark among them or none, then the separator or the end of the line.
// It returns the cell that it leaves to record, or the beginning of the next record and how many columns there are.
// What it reads is to the last bit what scanNumber makes of it, also of what is said of it.
func (p *parser) plain(data []byte, i, j int, b *block) (next, column int) {
	d, last := p.d, len(p.d.names)-1
	for ; j <= last && i+plainWindow <= len(data) && !d.text[j]; j++ {
		minus := 0
		if data[i] == '-' {
			minus = 1
		}
		w := data[i+minus:][:2*plainDigits]
		t := eightOf(w)
		ends := noDigits(t) | noDigits(eightOf(w[8:]))<<8 | 1<<plainDigits
		whole := bits.TrailingZeros32(ends)
		end, behind := whole, 0
		if w[whole&31] == d.marks[j] {
			ends &= ends - 1 | 1<<plainDigits
			end = bits.TrailingZeros32(ends)
			behind = end - whole - 1
		}
		if whole > 8 || end == plainDigits || whole+behind == 0 {
			return i, j
		}
		digits := upToEight(t, whole)*wholeTens[behind&15] + upToSixteen(w[whole+1:], behind)
		x := float64(int64(digits)) / powersOfTen[behind&15] // both are exact: x is rounded once
		low := math.Float64bits(x) & (1<<29 - 1)
		if low == middle || end == whole && digits >= 1<<24 {
			return i, j
		}
		after := i + minus + end + 1
		if j < last {
			if w[end&31] != d.sep || d.sep == ' ' && data[after] <= ' ' {
				return i, j
			}
		} else if w[end&31] != d.eol {
			if w[end&31] != '\r' || data[after] != d.eol {
				return i, j
			}
			after++
		}
		v := math.Float32frombits(math.Float32bits(float32(x)) | uint32(minus)<<31)
		if d.missing != nil && d.missing.number(v, data[i:i+minus+end]) {
			return i, j
		}
		b.values[j*b.room+b.rows] = v
		if low != 0 {
			b.inexact[j] = true
		}
		if b.exact[j] != nil {
			b.exact[j][b.rows] = math.Float64frombits(math.Float64bits(x) | uint64(minus)<<63)
		}
		i = after
	}
	return i, j
}
