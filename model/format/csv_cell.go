package format

import (
	"bytes"
	"math"
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

// missingWords are cells without a value, in lower case, besides the empty one.
var missingWords = map[string]bool{
	"na": true, "nan": true, "+nan": true, "-nan": true, "n/a": true, "#n/a": true, "null": true, "-": true,
	"1.#qnan": true, "1.#ind": true, "-1.#ind": true,
}

var infinityWords = map[string]float32{
	"inf": float32(math.Inf(1)), "+inf": float32(math.Inf(1)), "-inf": float32(math.Inf(-1)),
	"infinity": float32(math.Inf(1)), "+infinity": float32(math.Inf(1)), "-infinity": float32(math.Inf(-1)),
	"1.#inf": float32(math.Inf(1)), "-1.#inf": float32(math.Inf(-1)),
}

// longestWord is the length of the longest of the words above.
const longestWord = 9

// readCell tells what the cell holds that stands between two separators, quotes taken off.
func readCell(cell []byte, mark byte) (cellKind, number) {
	cell = bytes.TrimSpace(cell)
	if len(cell) == 0 {
		return cellMissing, number{value: nan32}
	}
	if n := scanNumber(cell, mark); n.length == len(cell) {
		return cellNumber, n
	}
	if len(cell) <= longestWord {
		word := strings.ToLower(string(cell))
		if missingWords[word] {
			return cellMissing, number{value: nan32}
		}
		if v, ok := infinityWords[word]; ok {
			return cellNumber, number{value: v}
		}
	}
	return cellText, number{value: nan32}
}

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
	if !quotes || i < len(s) && s[i] == '#' {
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

// isBlank says whether the record that starts at s[i] is no row: an empty line (only spaces too, unless
// they separate cells) or a comment.
func isBlank(s []byte, i int, sep, eol byte) bool {
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == eol:
			return true
		case c == '#':
			return i == 0 || s[i-1] == eol
		case c == sep && c != ' ', c > ' ':
			return false
		}
	}
	return true
}
