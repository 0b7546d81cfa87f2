// Package direction puts the characters of a line that is read from the right, or in which words are, into the order in
// which they stand from left to right, by the Unicode bidirectional algorithm (UAX #9): pens write from the left.
package direction

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/bidi"
)

// Mixed says whether a line may have something that is read from the right.
func Mixed(s string) bool { return strings.IndexFunc(s, leftwards) >= 0 }

// leftwards says whether a character is in a block of scripts that are read from the right.
func leftwards(r rune) bool {
	return r >= 0x590 && (r < 0x900 || r == 0x200F || r >= 0xFB1D && r < 0xFE00 || r >= 0xFE70 && r < 0xFF00 ||
		r >= 0x10800 && r < 0x11000 || r >= 0x1E800 && r < 0x1F000)
}

// FromRight says whether a line as a whole is read from the right: its first letter is.
func FromRight(s string) bool {
	for _, r := range s {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.R, bidi.AL:
			return true
		case bidi.L:
			return false
		}
	}
	return false
}

// Line returns the characters of a line as they stand from left to right, and a text of several lines so line by line.
// Brackets in what is read from the right are turned, marks stay behind their letters. Embeddings and isolates, which a
// name has no use for, are left out.
func Line(s string) string {
	if !Mixed(s) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = line(l)
	}
	return strings.Join(lines, "\n")
}

func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			return -1
		}
		return r
	}, s)
	all, base := []rune(s), bidi.LeftToRight
	if FromRight(s) {
		base = bidi.RightToLeft
	}
	var p bidi.Paragraph
	marked := string(bracketed(all, base))
	if n, err := p.SetString(marked); err != nil || n < len(marked) { // it has a separator of paragraphs
		return s
	}
	order, err := p.Order()
	if err != nil || order.NumRuns() == 0 {
		return s
	}
	var runs []run
	for i := range order.NumRuns() {
		r := order.Run(i)
		from, to := r.Pos()
		one := run{all[from : to+1], 0}
		if r.Direction() == bidi.RightToLeft {
			one.level = 1
		} else if n := len(numbers(one.text)); i > 0 && n > 0 {
			// The library gives one run to numbers of what is read from the right and to what follows them.
			runs, one.text = append(runs, run{one.text[:n], 2}), one.text[n:]
		}
		if len(one.text) > 0 {
			runs = append(runs, one)
		}
	}
	if base == bidi.RightToLeft {
		for i := range runs {
			if runs[i].level == 0 {
				runs[i].level = 2
			}
		}
	}
	return visual(runs)
}

// run is characters of one level: 0 and 2 are read from the left, 1 from the right, and 2 lies within it.
type run struct {
	text  []rune
	level int
}

// visual writes runs from left to right: those next to each other above level 0 stand in reverse.
func visual(runs []run) string {
	var b strings.Builder
	for i := 0; i < len(runs); i++ {
		if runs[i].level == 0 {
			b.WriteString(string(runs[i].text))
			continue
		}
		end := i
		for end < len(runs) && runs[end].level > 0 {
			end++
		}
		for j := end - 1; j >= i; j-- {
			// Parts of one level that lie side by side keep their order.
			first := j
			for runs[j].level == 2 && first > i && runs[first-1].level == 2 {
				first--
			}
			for _, r := range runs[first : j+1] {
				if r.level == 1 {
					r.text = reversed(r.text)
				}
				b.WriteString(string(r.text))
			}
			j = first
		}
		i = end - 1
	}
	return b.String()
}

// numbers is the part at the beginning of a text that is numbers with their signs: rules W4 and W5.
func numbers(text []rune) []rune {
	end := 0
	for i, r := range text {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.EN, bidi.AN:
			end = i + 1
		case bidi.ET, bidi.NSM:
			if end == i && i > 0 {
				end = i + 1
			}
		case bidi.ES, bidi.CS:
			if end != i {
				return text[:end]
			}
		default:
			return text[:end]
		}
	}
	return text[:end]
}

// reversed is a text from its end, with brackets turned, and marks behind their letters.
func reversed(text []rune) []rune {
	out := make([]rune, 0, len(text))
	for end := len(text); end > 0; {
		first := end - 1
		for first > 0 && mark(text[first]) {
			first--
		}
		part := text[first:end]
		if p, _ := bidi.LookupRune(part[0]); p.IsBracket() {
			part = slices.Concat([]rune{mirrored(part[0])}, part[1:])
		}
		out, end = append(out, part...), first
	}
	return out
}

// mark says whether a character is set over the one before it.
func mark(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.NSM
}
