package format

import (
	"math"
	"math/bits"
)

const (
	// plainWindow is how many bytes are looked at together for what ends numbers, and how many cells are read together.
	// Plain numbers are read where so many bytes stand before the end of a chunk.
	plainWindow = 64
	// plainDigits is how long a plain number may be besides its sign, with what ends it. It has 15 digits at most.
	plainDigits = 16
	// plainReach is how far a plain number may begin in a window that it is to end in, with its sign.
	plainReach = plainWindow - 1 - plainDigits
)

// plainCell is a plain number: a minus or none, digits with a mark among them or none. Its lowest four bits are how
// many digits stand before the mark, the next is set where it has a minus, and the four from the eighth on are how many
// there are in all. The upper half is where in the chunk its first digit is, or the mark.
type plainCell uint64

const (
	plainMinus = 1 << 4 // the bits of a plainCell
	plainAll   = 1 << 8
	plainAt    = 1 << 32
)

// start is where in the chunk the cell begins.
func (c plainCell) start() int { return int(c/plainAt) - int(c/plainMinus%2) }

// plain reads cells of a record from column j on, the first of them at data[i], into the next row of b, as long as they
// are plain numbers before the separator or the end of the line. It returns the cell that it leaves to record, or the
// beginning of the next record and how many columns there are. What it reads is to the last bit what scanNumber makes
// of it, also of what is said of it.
func (p *parser) plain(data []byte, i, j int, b *block) (next, column int) {
	for {
		after, n := p.plainCells(data, i, j, &b.cells)
		k := 0
		if p.d.missing == nil {
			k = b.plainNumbers(data, j, b.cells[:n], b.wide[:])
		} else {
			for k < n && p.plainOrMissing(data, j, k, b) {
				k++
			}
		}
		if p.d.exact != nil {
			for m, v := range b.exact[j:][:k] {
				if v != nil {
					v[b.rows] = b.wide[m]
				}
			}
		}
		if k < n {
			return b.cells[k].start(), j + k
		}
		if i, j = after, j+n; n < len(b.cells) {
			return i, j
		}
	}
}

// plainCells finds the plain numbers that plain reads, n of them at most as many as there is room for, and where the
// cell after them begins. Where numbers end is found for many bytes at once, so that no number waits for the one
// before it.
func (p *parser) plainCells(data []byte, i, j int, cells *[plainWindow]plainCell) (after, n int) {
	d, last := p.d, len(p.d.names)-1
	columns := min(last+1-j, plainWindow)
	marks, text, sep := d.marks[j:][:columns], d.text[j:][:columns], d.sep
	last -= j
	window, ends, most := i-plainWindow, uint64(0), len(data)-plainWindow // ends: where from window on are no digits
	for n := range marks {
		if text[n] || i > most || d.dates != nil && d.dates[j+n] {
			return i, n
		}
		if i-window > plainReach {
			window, ends = i, noDigitsOf((*[plainWindow]byte)(data[i:]))
		}
		minus := 0
		if data[i] == '-' {
			minus = 1
		}
		at := i + minus
		m := ends>>(uint(at-window)&63) | 1<<plainDigits
		whole := bits.TrailingZeros64(m)
		end, digits := whole, whole
		if data[at+whole] == marks[n] {
			end = bits.TrailingZeros64(m&(m-1) | 1<<plainDigits)
			digits = end - 1
		} else if whole == 8 { // it may be beyond 1<<24, of which there is more to say
			return i, n
		}
		if whole > 8 || end == plainDigits || digits == 0 {
			return i, n
		}
		after := at + end + 1
		if c := data[after-1]; n != last {
			if c != sep || sep == ' ' && data[after] <= ' ' {
				return i, n
			}
		} else if c != d.eol {
			if c != '\r' || data[after] != d.eol {
				return i, n
			}
			after++
		}
		cells[n%plainWindow] = plainCell(at*plainAt + digits*plainAll + minus*plainMinus + whole)
		i = after
	}
	return i, columns
}

// noDigitsOf returns a number with a bit for each byte of s, set where the byte is no digit.
func noDigitsOf(s *[plainWindow]byte) uint64 {
	return uint64(noDigits(eightOf(s[:]))) | uint64(noDigits(eightOf(s[8:])))<<8 |
		uint64(noDigits(eightOf(s[16:])))<<16 | uint64(noDigits(eightOf(s[24:])))<<24 |
		uint64(noDigits(eightOf(s[32:])))<<32 | uint64(noDigits(eightOf(s[40:])))<<40 |
		uint64(noDigits(eightOf(s[48:])))<<48 | uint64(noDigits(eightOf(s[56:])))<<56
}

// plainForm is what is done to digits of which so many stand before the mark, or so many in all.
type plainForm struct {
	first, rest uint64  // keep the first digits of sixteen, which are two words of eightOf: the others become zeros
	tens        float64 // a power of ten, below zero behind a minus, that sixteen digits are divided by
}

var plainForms = func() (k [2 * plainDigits]plainForm) {
	for n := range plainDigits {
		k[n] = plainForm{1<<(8*min(n, 8)) - 1, 1<<(8*max(n-8, 0)) - 1, powersOfTen[plainDigits-n]}
		k[n+plainMinus] = k[n]
		k[n+plainMinus].tens *= -1
	}
	return k
}()

// plainNumbers reads cells into the next row of b, from column j on, and as float64 into wide. It says how many it
// read: all up to the first that is the middle between two float32. The mark is taken out of the digits, and zeros are
// put behind them until they are sixteen: they are a number below 1e16 and, as the last is a zero, an even one, so that
// float64 holds it.
func (b *block) plainNumbers(data []byte, j int, cells []plainCell, wide []float64) int {
	inexact, values, room := b.inexact[j:][:len(cells)], b.values, b.room
	wide = wide[:len(cells)]
	to := j*room + b.rows
	for k, c := range cells {
		w := data[c/plainAt:]
		if len(w) <= plainDigits {
			return k
		}
		mark, all := &plainForms[c%(2*plainDigits)], &plainForms[c/plainAll%plainDigits]
		first := (eightOf(w)&mark.first | eightOf(w[1:])&^mark.first) & all.first
		digits := eightDigits(first)*1e8 + eightDigits(eightOf(w[9:])&all.rest)
		x := float64(int64(digits)) / mark.tens // both are exact: x is rounded once
		if low := math.Float64bits(x) & (1<<29 - 1); low&^middle != 0 {
			inexact[k] = true
		} else if low != 0 {
			return k
		}
		values[to] = float32(x)
		to += room
		wide[k] = x
	}
	return len(cells)
}

// plainOrMissing reads the cell of column j+k, the one at k of those found, where numbers may stand for no value. It
// says whether it could.
func (p *parser) plainOrMissing(data []byte, j, k int, b *block) bool {
	c, was := b.cells[k], b.inexact[j+k]
	if b.plainNumbers(data, j+k, b.cells[k:k+1], b.wide[k:]) == 0 {
		return false
	}
	end := int(c/plainAt) + int(c/plainAll%plainDigits)
	if data[int(c/plainAt)+int(c%plainDigits)] == p.d.marks[j+k] {
		end++
	}
	at := (j+k)*b.room + b.rows
	if p.d.missing.number(b.values[at], data[c.start():end]) {
		b.values[at], b.wide[k], b.inexact[j+k] = nan32, float64(nan32), was
	}
	return true
}
