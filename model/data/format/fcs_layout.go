package format

import "fmt"

// fcsPlace is where the events are: the first byte, and how many.
type fcsPlace struct{ begin, rows int64 }

// placeData finds the events. HEADER, TEXT and $TOT may disagree; the number of events times the
// width of a row decides, and a warning says so.
func (p *fcsPart) placeData(in *input, row int64, warn *[]string) (fcsPlace, error) {
	begin, ok1 := p.text.integer("$BEGINDATA")
	end, ok2 := p.text.integer("$ENDDATA")
	tot, ok := p.text.integer("$TOT")
	if !ok || tot < 0 {
		if v, _ := p.text.get("$TOT"); v != "" {
			*warn = append(*warn, fmt.Sprintf("the number of events ($TOT) is %q: they were counted", v))
		} else {
			*warn = append(*warn, "the number of events ($TOT) is missing: they were counted")
		}
		tot = -1
	}
	f := fcsFile{size: in.size - p.base, row: row, tot: tot, taken: p.header.text}
	header := fcsCandidate{segment: p.header.data, from: "HEADER"}
	text := fcsCandidate{segment: segment{begin, end}, from: "TEXT"}
	candidates := []fcsCandidate{header}
	if ok1 && ok2 && text.begin > 0 {
		// From version 3.0 on TEXT has room for any offset: it is asked first.
		if candidates = []fcsCandidate{text, header}; p.version == "2.0" {
			candidates = []fcsCandidate{header, text}
		}
	}
	best, ok := f.choose(candidates, warn)
	if !ok {
		if tot == 0 {
			return fcsPlace{}, nil
		}
		return fcsPlace{}, in.problem(exportAgain,
			"does not say where its events are (HEADER has bytes %d to %d, TEXT %d to %d)",
			header.begin, header.end, text.begin, text.end)
	}
	if p.vague != "" && tot >= 0 && f.fit(best.segment) < 2 {
		par, _ := p.text.get("$PAR")
		return fcsPlace{}, in.problem(copyAgain,
			"contradicts itself: it says that it has %s columns ($PAR), %s, and %s events ($TOT) of that width do "+
				"not fill its %s bytes of data",
			par, p.vague, thousands(tot), thousands(max(0, best.length())))
	}
	rows := f.rows(best.segment, warn)
	if have := max(0, f.size-best.begin) / row; rows > have {
		return fcsPlace{}, in.problem(copyAgain, "is cut: %s of %s events are there", thousands(have), thousands(rows))
	}
	return fcsPlace{best.begin, rows}, nil
}

// fcsCandidate is a place where the events may be.
type fcsCandidate struct {
	segment
	from string
}

// fcsFile is what places are judged by.
type fcsFile struct {
	size, row, tot int64 // tot -1: not known
	taken          segment
}

// need is how many bytes the events take, or -1 when that is not known or more than the file has.
func (f fcsFile) need() int64 {
	if f.tot < 0 || f.tot > f.size/f.row {
		return -1
	}
	return f.tot * f.row
}

// absurd is an offset beyond any file; sums of offsets below it do not overflow.
const absurd = 1 << 60

// choose returns the candidate that fits the events best, the earlier one where two do.
func (f fcsFile) choose(candidates []fcsCandidate, warn *[]string) (best fcsCandidate, ok bool) {
	var given []fcsCandidate
	for _, c := range candidates {
		if c.begin > 0 && c.begin < absurd && c.end < absurd && c.end > -absurd &&
			(len(given) == 0 || given[0].segment != c.segment) {
			given = append(given, c)
		}
	}
	if len(given) == 0 {
		return best, false
	}
	best = given[0]
	if len(given) == 1 {
		return best, true
	}
	a, b := f.fit(given[0].segment), f.fit(given[1].segment)
	other := given[1]
	if b > a {
		best, other = given[1], given[0]
	}
	why := "it fits the number of events"
	switch {
	case a == b && best.begin == other.begin:
		return best, true
	case a == b && a == 0:
		why = "neither fits the number of events, check the values"
	case a == b:
		why = "both fit the number of events equally well, check the values"
	case best.begin == other.begin && best.end-other.end <= 1 && other.end-best.end <= 1:
		return best, true // the end is off by one in many files
	}
	*warn = append(*warn, fmt.Sprintf(
		"HEADER and TEXT disagree about where the events are; bytes %d to %d of %s were taken, not %d to %d of %s: %s",
		best.begin, best.end, best.from, other.begin, other.end, other.from, why))
	return best, true
}

// fit says how well the events fit into s: 0 not at all, 3 exactly (also where the end is off by one,
// as many writers have it).
func (f fcsFile) fit(s segment) int {
	length := s.length()
	need := f.need()
	if need < 0 { // judge by whole rows
		switch {
		case length <= 0 || s.end >= f.size || s.begin <= f.taken.end && f.taken.begin <= s.end:
			return 0
		case length%f.row == 0:
			return 2
		}
		return 1
	}
	overlaps := need > 0 && s.begin <= f.taken.end && f.taken.begin < s.begin+need
	switch {
	case overlaps || s.begin+need > f.size:
		return 0
	case length >= need-1 && length <= need+1:
		return 3
	case length > need && length < need+f.row:
		return 2
	}
	return 1
}

// rows counts the events in s, which $TOT and the length of s should agree about.
func (f fcsFile) rows(s segment, warn *[]string) int64 {
	length := max(0, s.length())
	if s.end < s.begin {
		length = 0
	}
	// The last byte counts; writers that mean the byte after it, or the one before, are off by one.
	if need := f.need(); need >= 0 && need >= length-1 && need <= length+1 && s.begin+need <= f.size {
		return f.tot
	}
	held := length / f.row
	if length%f.row == f.row-1 && f.row > 2 && s.begin+length+1 <= f.size {
		held++
	}
	whole := length%f.row <= 1 || held > length/f.row
	switch {
	case f.tot < 0:
		return held
	case f.tot == held:
		return held
	case length == 0 && f.need() >= 0:
		*warn = append(*warn, "the end of the events is not given: their number ($TOT) was taken")
		return f.tot
	case f.need() >= 0 && f.need() < length && !whole:
		*warn = append(*warn, fmt.Sprintf(
			"the number of events ($TOT) is %s, and there is room for %s that does not end with a whole event: "+
				"$TOT was taken", thousands(f.tot), thousands(held)))
		return f.tot
	}
	if f.tot > held && s.end >= f.size {
		return f.tot // more than the file has, by both accounts: it is cut
	}
	*warn = append(*warn, fmt.Sprintf(
		"the number of events ($TOT) is %s, and there are %s: all that are there were read", thousands(f.tot),
		thousands(held)))
	return held
}
