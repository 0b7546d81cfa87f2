package format

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// cellKind is what a cell of a text table holds.
type cellKind uint8

const (
	cellMissing cellKind = iota
	cellNumber
	cellText
)

var nan32 = float32(math.NaN())

// absentWords are cells without a value, in lower case, besides the empty one: in columns of numbers and of labels.
var absentWords = wordSet("na", "n/a", "n.a.", "nan", "+nan", "-nan", "null", "<na>", "<nan>", "#n/a", "#n/a n/a",
	"#na",
	"1.#qnan", "1.#ind", "-1.#ind", "-nan(ind)")

// blankWords say that there is no value only among numbers: in a column of labels they may be meant.
var blankWords = wordSet("none", "nil", "nat", "missing", "-", "--", "\u2013", "\u2014", ".", "..", "...", "?",
	"\\n", "nd",
	"n.d.", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!", "#calc!", "#spill!", "#error!", "#####")

// errorWords begin a line that is a row of the table although it begins with #.
var errorWords = wordSet("#n/a", "#n/a n/a", "#na", "#div/0!", "#value!", "#ref!", "#num!", "#name?", "#null!",
	"#calc!",
	"#spill!", "#error!", "#####")

var infinityWords = map[string]float32{
	"inf": float32(math.Inf(1)), "+inf": float32(math.Inf(1)), "-inf": float32(math.Inf(-1)),
	"infinity": float32(math.Inf(1)), "+infinity": float32(math.Inf(1)), "-infinity": float32(math.Inf(-1)),
	"1.#inf": float32(math.Inf(1)), "-1.#inf": float32(math.Inf(-1)),
}

// longestWord is the length of the longest of the words above.
const longestWord = 9

func wordSet(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}

// cellForm is how the cells of a column are written.
type cellForm struct {
	mark    byte          // decimal mark
	missing *missingWords // words that the user names
	unit    unit          // unit that its numbers are written with
}

// missingWords are what the user says stands for no value: texts, and numbers such as -999 however they are written.
type missingWords struct {
	words  map[string]bool // in lower case
	values []float32
}

// newMissing returns nil where there are no words.
func newMissing(words []string) *missingWords {
	if len(words) == 0 {
		return nil
	}
	m := &missingWords{words: map[string]bool{}}
	for _, w := range words {
		w = strings.ToLower(strings.TrimSpace(w))
		m.words[w] = true
		if n := scanNumber([]byte(w), '.'); int(n.length) == len(w) && n.length > 0 {
			m.values = append(m.values, n.value)
		}
	}
	return m
}

// number says whether a number stands for no value: as one of those, or because it is written as one of the words.
func (m *missingWords) number(v float32, text []byte) bool {
	return m != nil && (slices.Contains(m.values, v) || m.words[string(text)])
}

// read tells what the cell of a column of numbers holds that stands between two separators, quotes taken off.
func (f cellForm) read(cell []byte) (cellKind, number) {
	cell = trimCell(cell)
	if f.absent(cell) {
		return cellMissing, number{value: nan32}
	}
	if f.unit.isDate() {
		return f.readDate(cell)
	}
	cell = f.bare(cell)
	n := scanNumber(cell, f.mark)
	if int(n.length) != len(cell) {
		n = scanWritten(cell, f.mark)
	}
	if int(n.length) == len(cell) {
		if f.missing.number(n.value, cell) {
			return cellMissing, number{value: nan32}
		}
		return cellNumber, n
	}
	if len(cell) <= longestWord {
		text := strings.ToLower(string(cell))
		if blankWords[text] {
			return cellMissing, number{value: nan32, is: word}
		}
		if v, ok := infinityWords[text]; ok {
			return cellNumber, number{value: v}
		}
	}
	return cellText, number{value: nan32}
}

// absent says whether the trimmed cell has no value even in a column of labels.
func (f cellForm) absent(cell []byte) bool {
	if len(cell) == 0 {
		return true
	}
	known := len(cell) <= longestWord && bytes.IndexByte(absentFirst, cell[0]) >= 0
	if !known && f.missing == nil {
		return false
	}
	word := strings.ToLower(string(cell))
	return known && absentWords[word] || f.missing != nil && f.missing.words[word]
}

// absentFirst are the bytes that absentWords begin with.
var absentFirst = []byte("nN#<+-1")

// trimCell takes off spaces, also those that do not break.
func trimCell(cell []byte) []byte {
	if n := len(cell); n > 0 && cell[0]-'!' <= '~'-'!' && cell[n-1]-'!' <= '~'-'!' { // as most are: nothing to take off
		return cell
	}
	cell = bytes.TrimSpace(cell)
	for bytes.HasPrefix(cell, noBreak) {
		cell = bytes.TrimSpace(cell[len(noBreak):])
	}
	for bytes.HasSuffix(cell, noBreak) {
		cell = bytes.TrimSpace(cell[:len(cell)-len(noBreak)])
	}
	return cell
}

var noBreak = []byte("\u00a0")

// cellEnd returns where the cell that starts at s[i] ends (at a separator, an end of line or the end of
// s), the cell without its quotes, and whether a quote was left open. Quotes count only as the first
// byte of a cell (spaces before it aside); a doubled one within stands for one.
func cellEnd(s []byte, i int, sep, eol byte) (end int, cell []byte, open bool) {
	start := i
	for start < len(s) && s[start] == ' ' && sep != ' ' {
		start++
	}
	if start < len(s) && s[start] == '"' {
		body := start + 1
		at := body
		doubled := false
		for {
			k := bytes.IndexByte(s[at:], '"')
			if k < 0 {
				return len(s), s[body:], true
			}
			at += k
			if at+1 < len(s) && s[at+1] == '"' {
				doubled = true
				at += 2
				continue
			}
			break
		}
		cell = s[body:at]
		if doubled {
			cell = bytes.ReplaceAll(cell, []byte(`""`), []byte(`"`))
		}
		end = at + 1
		for end < len(s) && s[end] != sep && s[end] != eol {
			end++
		}
		if rest := bytes.TrimSpace(s[at+1 : end]); len(rest) > 0 { // text after the closing quote belongs to the cell
			cell = append(append([]byte(nil), cell...), rest...)
		}
		return end, cell, false
	}
	end = i
	for end < len(s) && s[end] != sep && s[end] != eol {
		end++
	}
	return end, s[i:end], false
}

// recordEnd returns the index after the record that starts at s[i], its end of line included, and
// whether that end was found. quotes says whether s has any, that is whether a cell can hold an end of
// line.
func recordEnd(s []byte, i int, sep, eol byte, quotes bool) (end int, complete bool) {
	if !quotes {
		k := bytes.IndexByte(s[i:], eol)
		if k < 0 {
			return len(s), false
		}
		return i + k + 1, true
	}
	for i < len(s) {
		e, _, open := cellEnd(s, i, sep, eol)
		if open || e >= len(s) {
			return len(s), false
		}
		if s[e] == eol {
			return e + 1, true
		}
		i = e + 1
	}
	return len(s), false
}

// splitRecord appends the cells of one record (without its end of line) to cells.
func splitRecord(cells [][]byte, rec []byte, sep, eol byte) [][]byte {
	if sep == ' ' {
		rec = bytes.Trim(rec, " ")
	}
	for i := 0; ; {
		e, cell, _ := cellEnd(rec, i, sep, 0)
		cells = append(cells, cell)
		if e >= len(rec) {
			return cells
		}
		for i = e + 1; sep == ' ' && i < len(rec) && rec[i] == ' '; i++ {
		}
	}
}

// isBlank says whether the record that starts at s[i] is an empty line (only spaces too, unless they separate cells).
func isBlank(s []byte, i int, sep, eol byte) bool {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == eol:
			return true
		case c == sep && c != ' ', c > ' ':
			return false
		}
	}
	return true
}

// isComment says whether the line that starts at s[i] is a comment, if it stands before the header: it begins with #,
// and its first cell is no error of a spreadsheet.
func isComment(s []byte, i int, sep, eol byte) bool {
	if i >= len(s) || s[i] != '#' {
		return false
	}
	_, cell, _ := cellEnd(s, i, sep, eol)
	cell = trimCell(cell)
	return len(cell) > longestWord || !errorWords[strings.ToLower(string(cell))]
}
