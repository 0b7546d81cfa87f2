package format

import (
	"bytes"
	"unicode/utf8"
)

// longestWritten is the length of the longest cell that scanWritten takes for a number.
const longestWritten = 48

// scanWritten reads a number that is written for people: with marks between thousands (the one of dot and comma
// that is not the decimal mark, spaces, apostrophes), or with the minus of typography. Its length is that of the
// whole cell, or 0.
func scanWritten(cell []byte, mark byte) number {
	var room [longestWritten]byte
	plain, group, ok := plainNumber(cell, mark, room[:0])
	if !ok {
		return number{}
	}
	n := scanNumber(plain, mark)
	if n.length == 0 || int(n.length) != len(plain) {
		return number{}
	}
	n.length = int32(len(cell))
	n.is |= written
	if group == '.' || group == ',' {
		n.is |= grouped
	}
	return n
}

// plainNumber appends the number of a cell to out without its marks between thousands, and says what mark that is, 0
// for none; ok is false where the cell is not written so.
func plainNumber(cell []byte, mark byte, out []byte) (plain []byte, group rune, ok bool) {
	if len(cell) > longestWritten {
		return nil, 0, false
	}
	run, whole := 0, true // digits since the last mark, and whether the decimal mark is still to come
	for i := 0; i < len(cell); {
		r, n := utf8.DecodeRune(cell[i:])
		if r == utf8.RuneError {
			r = rune(cell[i]) // Latin-1
		}
		i += n
		switch r {
		case '\u2212', '\u2013', '\ufe63', '\uff0d':
			r = '-'
		case '\u00a0', '\u202f', '\u2009', '\u2007':
			r = ' '
		case '\u2019', '\u02bc':
			r = '\''
		}
		switch {
		case r >= '0' && r <= '9':
			run++
		case r == '-' || r == '+':
			if len(out) > 0 && out[len(out)-1]|0x20 != 'e' {
				return nil, 0, false
			}
		case r == rune(mark) || r == 'e' || r == 'E':
			if whole && group != 0 && run != 3 {
				return nil, 0, false
			}
			whole = false
		case whole && (r == '.' || r == ',' || r == ' ' || r == '\''):
			if group == 0 && (run < 1 || run > 3 || out[len(out)-run] == '0') || group != 0 && (run != 3 ||
				r != group) {
				return nil, 0, false
			}
			group, run = r, 0
			continue
		default:
			return nil, 0, false
		}
		out = append(out, byte(r))
	}
	if whole && group != 0 && run != 3 {
		return nil, 0, false
	}
	return out, group, true
}

// markTally counts what the cells of a column say about its decimal mark.
type markTally struct {
	decimal [2]int // cells that tell: that many have a dot, a comma
	either  [2]int // cells like 1.234 or 1,234, whose only mark may stand between thousands too
	zeros   [2]int // how many of them end in a zero, as shortest decimals never do
	small   int    // numbers below 1000 without a mark
	large   int    // other numbers without a mark
}

var decimalMarks = [2]byte{'.', ','}

func markIndex(mark byte) int { return bytes.IndexByte(decimalMarks[:], mark) }

// add looks at one cell.
func (t *markTally) add(cell []byte) {
	cell, _ = splitSign(trimCell(cell))
	dots, commas := bytes.Count(cell, decimalMarks[:1]), bytes.Count(cell, decimalMarks[1:])
	var is [2]bool // a number with this decimal mark
	for k, mark := range decimalMarks {
		is[k] = int(scanNumber(cell, mark).length) == len(cell) && len(cell) > 0 || scanWritten(cell, mark).length > 0
	}
	switch {
	case !is[0] && !is[1]:
	case dots+commas == 0:
		if len(bytes.TrimLeft(cell, "+-0")) > 3 {
			t.large++
		} else {
			t.small++
		}
	case is[0] && is[1]: // 1.234 or 1,234
		k := 0
		if commas > 0 {
			k = 1
		}
		t.either[k]++
		if cell[len(cell)-1] == '0' {
			t.zeros[k]++
		}
	case is[0]:
		t.decimal[0]++
	default:
		t.decimal[1]++
	}
}

func (t *markTally) merge(o *markTally) {
	for k := range t.decimal {
		t.decimal[k] += o.decimal[k]
		t.either[k] += o.either[k]
		t.zeros[k] += o.zeros[k]
	}
	t.small += o.small
	t.large += o.large
}

// mark decides for a column of a table with these tallies and this separator. sure is false where its cells can be read
// both ways.
func (t *markTally) mark(all *markTally, sep byte) (mark byte, sure bool) {
	d := t.decimal
	switch {
	case d[0] != d[1]:
		if d[0] > d[1] {
			return '.', d[1] == 0
		}
		return ',', d[0] == 0
	case t.either[0]+t.either[1] == 0 && d[0] == 0: // no marks at all
		mark, _ = all.usual()
		return mark, true
	case d[0] > 0:
		mark, _ = all.usual()
		return mark, false
	}
	usual, told := all.usual()
	switch {
	case told: // the other columns say
		return usual, true
	case t.either[0] > 0 && t.either[1] > 0: // 1.234 and 1,234: one of both is a mistake
		if t.either[1] > t.either[0] {
			return ',', false
		}
		return '.', false
	case t.either[0] > 0:
		return '.', t.zeros[0] == 0 || t.small == 0 || t.large > 0
	case sep == ',': // in quotes, so that it does not separate
		return '.', true
	case t.large == 0 && (t.small > 0 || t.zeros[1]*4 > t.either[1]): // 999, 1,000, 12,500
		return '.', false
	}
	return ',', false
}

// usual is the decimal mark of most cells that tell, and whether there are any.
func (t *markTally) usual() (mark byte, told bool) {
	if t.decimal[1] > t.decimal[0] {
		return ',', true
	}
	return '.', t.decimal[0] > 0
}
