package format

import (
	"bytes"
	"math"
	"strconv"
)

// A first row is a header if it differs in kind from the rows below. Every cell of it speaks for a header or against
// it, by what stands below it; the sum decides. A name may look like a number (2023, inf, 1), and a table without
// names may begin with a word that is no number.
const (
	wordOverNumbers  = 3  // words above numbers are names
	numberOverLabels = 2  // and so is a number above words
	strangeNumber    = 1  // it is no value of this column: infinite, far out, whole where the values have decimals
	strangeWord      = 1  // it is written otherwise than the labels below
	yearsInARow      = 3  // 2021, 2022, 2023
	usualValue       = -1 // it lies among the values below, or is written like the labels
	finelyWritten    = -2 // nobody names a column 3.75
	valueAgain       = -2 // the same text stands below
)

// heading is what speaks for a header.
type heading struct {
	score           int
	words, numbers  int
	above, counting bool // a word stands above numbers; the numbers are 0, 1, 2, ... as pandas names columns
	strange         int  // numbers that are no values of their columns
	years           int  // numbers that are the year after the one before them
}

// firstIsHeader reports whether the first record names columns. sure: nothing in it speaks for the contrary.
func (d *dialect) firstIsHeader(first [][]byte, body []sniffedRecord) (is, sure bool) {
	h := d.weigh(first, body)
	switch {
	case h.numbers == 0:
		return h.words > 0, true
	case len(body) == 0:
		return false, true
	case h.counting && h.numbers >= 3 &&
		(len(bytes.TrimSpace(first[0])) == 0 || h.above || d.realNumbers(body)):
		return true, true
	case h.words == 0 && len(bytes.TrimSpace(first[0])) > 0:
		// Numbers alone are names only if they are years in a row, and none is a value of its column: a first row far
		// above the others also begins a decay.
		is = h.numbers > 1 && h.numbers == len(first) && h.strange == h.numbers && h.years == h.numbers-1
		return is, !is
	}
	return h.score > 0, h.score <= -2 || h.above && h.score >= 5
}

// weigh adds up what the cells of the first record say.
func (d *dialect) weigh(first [][]byte, body []sniffedRecord) heading {
	h := heading{counting: true}
	last := -1
	for j, c := range first {
		c = bytes.TrimSpace(c)
		kind, n := d.guessForm(j).read(c)
		below := d.lookBelow(j, c, body)
		switch kind {
		case cellText:
			h.words++
			h.above = h.above || below.numbers > below.words
			h.score += below.underWord(c)
		case cellNumber:
			h.numbers++
			value, err := strconv.Atoi(string(c))
			if err != nil || last >= 0 && value != last+1 || last < 0 && value > 1 || value < 0 {
				h.counting = false
			}
			if err == nil && value == last+1 && value >= 1900 && value <= 2200 {
				h.years++
			}
			last = value
			score := below.underNumber(float64(n.value), err == nil)
			if h.score += score; score > 0 {
				h.strange++
			}
		}
	}
	if h.years > 0 {
		h.score += yearsInARow
	}
	return h
}

// columnBelow is what the rows below the first hold in one column.
type columnBelow struct {
	numbers, words, decimals int
	again                    bool    // the text of the first record
	least, most              float64 // range of the finite numbers
	infinite                 bool
	shapes                   map[string]bool
	shortest, longest        int // length of the words
}

// lookBelow looks at column j below the cell c of the first record.
func (d *dialect) lookBelow(j int, c []byte, body []sniffedRecord) columnBelow {
	f := d.guessForm(j)
	b := columnBelow{least: math.Inf(1), most: math.Inf(-1), shapes: map[string]bool{}, shortest: math.MaxInt}
	for _, r := range body {
		if j >= len(r.cells) {
			continue
		}
		cell := bytes.TrimSpace(r.cells[j])
		b.again = b.again || len(cell) > 0 && bytes.Equal(cell, c)
		switch kind, n := f.read(cell); kind {
		case cellNumber:
			b.numbers++
			if v := float64(n.value); math.IsInf(v, 0) {
				b.infinite = true
			} else {
				b.least, b.most = min(b.least, v), max(b.most, v)
			}
			if n.is&grouped == 0 && bytes.IndexByte(cell, f.mark) >= 0 {
				b.decimals++
			}
		case cellText:
			b.words++
			b.shapes[shapeOf(cell)] = true
			b.shortest, b.longest = min(b.shortest, len(cell)), max(b.longest, len(cell))
		}
	}
	return b
}

// underWord is what a word above the column says.
func (b *columnBelow) underWord(c []byte) int {
	switch {
	case b.numbers > b.words:
		return wordOverNumbers
	case b.again:
		return valueAgain
	case b.words == 0:
		return 0
	case b.shapes[shapeOf(c)] && len(c) >= b.shortest && len(c) <= b.longest:
		return usualValue
	}
	return strangeWord
}

// underNumber is what a number above the column says; whole: it is written without a decimal mark.
func (b *columnBelow) underNumber(v float64, whole bool) int {
	if b.words > b.numbers {
		return numberOverLabels
	}
	if b.numbers == 0 {
		return 0
	}
	finite := !math.IsInf(v, 0)
	scale := 3 * max(b.most-b.least, math.Abs(b.least), math.Abs(b.most))
	switch {
	case b.again:
		return valueAgain
	case !finite && b.infinite:
		return usualValue
	case !finite:
		return strangeNumber
	case !whole:
		return finelyWritten
	case 2*b.decimals > b.numbers || v > b.most+scale || v < b.least-scale:
		return strangeNumber
	case v >= b.least && v <= b.most:
		return usualValue
	}
	return 0
}

// shapeOf is how a word is made: its runs of letters, digits and other signs. "B12" and "C7" are alike.
func shapeOf(word []byte) string {
	var out []byte
	for _, c := range word {
		switch {
		case c >= '0' && c <= '9':
			c = '9'
		case isLetter(c) || c >= 0x80:
			c = 'a'
		}
		if n := len(out); n == 0 || out[n-1] != c {
			out = append(out, c)
		}
	}
	return string(out)
}

// realNumbers reports whether there is a number with a decimal mark.
func (d *dialect) realNumbers(body []sniffedRecord) bool {
	for _, r := range body {
		for j, c := range r.cells {
			f := d.guessForm(j)
			if kind, n := f.read(c); kind == cellNumber && n.is&grouped == 0 && bytes.IndexByte(c, f.mark) >= 0 {
				return true
			}
		}
	}
	return false
}

// decideHeader reports whether the first record names the columns: as r says, or as it looks, and then a doubt is
// said.
func (d *dialect) decideHeader(first [][]byte, body []sniffedRecord, r Reading) bool {
	if r.Header != "" {
		return r.Header == "yes"
	}
	is, sure := d.firstIsHeader(first, body)
	switch {
	case sure:
	case is:
		d.doubt("the first line is taken for names of columns, though some are numbers; it could be a row of data")
	default:
		d.doubt("the first line is taken for a row of data; it could be names of columns")
	}
	return is
}
