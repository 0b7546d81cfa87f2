package direction

import (
	"slices"

	"golang.org/x/text/unicode/bidi"
)

// sides are the strong directions of characters.
type sides []bidi.Direction

// Signs without ink that the library takes for letters of a direction.
const (
	leftSign  = '\u200E'
	rightSign = '\u200F'
)

// bracketed returns a line with signs in the place of brackets, each of the direction that rule N0 gives its pair: the
// library does not find pairs.
func bracketed(line []rune, base bidi.Direction) []rune {
	out, at := slices.Clone(line), sidesOf(line, base)
	for _, p := range pairs(line) {
		if side := at.pair(p, base); side != bidi.Neutral {
			sign := leftSign
			if side == bidi.RightToLeft {
				sign = rightSign
			}
			at[p[0]], at[p[1]], out[p[0]], out[p[1]] = side, side, sign, sign
		}
	}
	return out
}

// sidesOf are the directions of characters; numbers go with the letter before them, and Arabic ones from the right.
func sidesOf(line []rune, base bidi.Direction) sides {
	out, last := make(sides, len(line)), base
	for i, r := range line {
		out[i] = bidi.Neutral
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.L:
			out[i], last = bidi.LeftToRight, bidi.LeftToRight
		case bidi.R, bidi.AL:
			out[i], last = bidi.RightToLeft, bidi.RightToLeft
		case bidi.EN:
			out[i] = last
		case bidi.AN:
			out[i] = bidi.RightToLeft
		}
	}
	return out
}

// pair is the direction of a pair of brackets: that of the line where they hold any of it, else that of what they hold
// where it goes on from what is before them; Neutral: they hold nothing that has one.
func (s sides) pair(p [2]int, base bidi.Direction) bidi.Direction {
	within := s[p[0]+1 : p[1]]
	if slices.Contains(within, base) {
		return base
	}
	at := slices.IndexFunc(within, func(d bidi.Direction) bool { return d != bidi.Neutral })
	if at < 0 {
		return bidi.Neutral
	}
	for i := p[0] - 1; i >= 0; i-- {
		if s[i] != bidi.Neutral {
			return s[i] // the other one than that of the line is that of what they hold
		}
	}
	return base
}

// pairs are the places of brackets that belong together, by their beginnings.
func pairs(line []rune) (out [][2]int) {
	var open []int
	for i, r := range line {
		p, _ := bidi.LookupRune(r)
		switch {
		case p.IsOpeningBracket():
			open = append(open, i)
		case p.IsBracket():
			for k := len(open) - 1; k >= 0; k-- {
				if mirrored(line[open[k]]) == r {
					out = append(out, [2]int{open[k], i})
					open = open[:k]
					break
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	return out
}

// mirrored is the other bracket of a pair.
func mirrored(bracket rune) rune { return []rune(bidi.ReverseString(string(bracket)))[0] }
