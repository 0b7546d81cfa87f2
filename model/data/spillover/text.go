package spillover

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

// Limits of a text: beyond them it is none of a matrix, and is not taken apart.
const (
	maxLines = 1 << 16
	maxCells = 1 + maxDetectors + maxDetectors*maxDetectors // in a line
)

// parseText reads a matrix from text, or says what is wrong.
func parseText(text string) (dataset.Spillover, string) {
	if n := strings.Count(text, "\n") + strings.Count(text, "\r"); n > 2*maxLines {
		return dataset.Spillover{}, fmt.Sprintf("holds no matrix of spillover: it has %d lines", n)
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\r' || r == '\n' })
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.Trim(l, " \t,;\"\x00") == "" })
	if len(lines) == 0 {
		return dataset.Spillover{}, "is empty"
	}
	if m, ok := keywordLine(lines); ok {
		return m, ""
	}
	return table(lines)
}

// keywordLine reads the value of $SPILLOVER, "n,NAME1,...,NAMEn,m11,m12,...,mnn", with or without the keyword, in one
// line that may stand among others.
func keywordLine(lines []string) (m dataset.Spillover, ok bool) {
	for _, line := range lines {
		words := cut(line, ',')
		if len(words) < 3 {
			continue
		}
		if at := strings.LastIndexAny(words[0], " \t=/|"); at >= 0 {
			words[0] = words[0][at+1:]
		} else if strings.Contains(strings.ToUpper(words[0]), "SPILL") {
			words = words[1:]
		}
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > maxDetectors || len(words) != 1+n+n*n {
			continue
		}
		m = dataset.Spillover{Names: words[1 : 1+n], M: make([][]float64, n)}
		ok = someName(m.Names)
		for i := range m.M {
			for _, w := range words[1+n+i*n : 1+n+(i+1)*n] {
				x, fine := number(w)
				m.M[i], ok = append(m.M[i], x), ok && fine
			}
		}
		if ok {
			return m, true
		}
	}
	return dataset.Spillover{}, false
}

// table reads a row of names and as many rows of numbers below it, each with or without a name. The matrix stands at
// the end; what is above is passed over.
func table(lines []string) (dataset.Spillover, string) {
	last := lines[len(lines)-1]
	seps := slices.DeleteFunc([]rune{'\t', ';', ',', ' '}, func(sep rune) bool {
		return !strings.ContainsRune(strings.TrimSpace(last), sep)
	})
	if len(seps) == 0 {
		seps = []rune{'\t'}
	}
	for _, sep := range seps {
		cells, wrong := len(cut(last, sep)), ""
		for _, named := range []bool{false, true} {
			n := cells
			if named {
				n--
			}
			if n < 1 || named && n < 2 || n > maxDetectors || len(lines) < n+1 {
				continue
			}
			names, first := header(lines[len(lines)-1-n], sep, n, named)
			if names == nil {
				continue
			}
			below := lines[len(lines)-n:]
			why := wrongNames(names, first, below, sep, named)
			var m dataset.Spillover
			if why == "" {
				m, why = rows(names, below, sep, named)
			}
			if why == "" {
				return m, ""
			}
			wrong = why // the row may be a title of as many cells, above the names
		}
		if wrong != "" {
			return dataset.Spillover{}, wrong
		}
	}
	n := len(cut(last, seps[0]))
	return dataset.Spillover{}, fmt.Sprintf("holds no matrix of spillover: its last line has %d values, so that there "+
		"should be a line of names and as many of numbers", n)
}

// header returns the n names of a row, nil if it holds others or none. A row of the matrix is none. first is what
// stands above the names of rows; nil: nothing does.
func header(line string, sep rune, n int, named bool) (names []string, first *string) {
	words := cut(strings.TrimLeft(strings.TrimSpace(line), "# "), sep)
	if line != strings.TrimLeft(line, string(sep)) { // an empty cell above the names of the rows
		words = cut(line, sep)
	}
	if named && len(words) == n+1 {
		first, words = &words[0], words[1:]
	}
	if len(words) != n || !someName(words) {
		return nil, nil
	}
	return words, first
}

// wrongNames says why the first cells of rows are no names of these. A number is one where the cell above it is empty,
// or where rows are counted in a column without a title; else it belongs to the matrix, which lacks a row or has a
// column too many.
func wrongNames(names []string, first *string, lines []string, sep rune, named bool) string {
	if !named || first != nil && *first == "" {
		return ""
	}
	from := 0.0
	for i, line := range lines {
		own := cut(line, sep)[0]
		x, is := number(own)
		if i == 0 {
			from = x
		}
		switch {
		case !is || slices.Contains(names, own):
		case first != nil:
			return fmt.Sprintf("holds no matrix of spillover: it has %d detectors, %d rows", len(names)+1, len(lines))
		case from != 0 && from != 1 || x != from+float64(i):
			return fmt.Sprintf("row %d of the matrix has %d numbers for %d detectors", i+1, len(names)+1, len(names))
		}
	}
	return ""
}

// someName says whether words may be names of detectors: none is empty, and not all are numbers.
func someName(words []string) bool {
	return !slices.Contains(words, "") &&
		slices.ContainsFunc(words, func(w string) bool { _, is := number(w); return !is })
}

// rows reads the rows of a matrix. Names of rows put them in the order of the columns where they are the same names;
// else they are in that order.
func rows(names, lines []string, sep rune, named bool) (m dataset.Spillover, why string) {
	n := len(names)
	m = dataset.Spillover{Names: names, M: make([][]float64, n)}
	own := make([]string, n)
	for i, line := range lines {
		words := cut(line, sep)
		if named {
			own[i], words = words[0], words[1:]
		}
		if len(words) != n {
			return m, fmt.Sprintf("row %d of the matrix has %d numbers for %d detectors", i+1, len(words), n)
		}
		for j, w := range words {
			x, ok := number(w)
			if !ok {
				return m, fmt.Sprintf("row %d of the matrix has %.40q for %q, which is not a number", i+1, w, names[j])
			}
			m.M[i] = append(m.M[i], x)
		}
	}
	if !named || !slices.ContainsFunc(own, func(o string) bool { return slices.Contains(names, o) }) {
		return m, ""
	}
	sorted := make([][]float64, n)
	for i, o := range own {
		to := slices.Index(names, o)
		switch {
		case to < 0:
			return m, fmt.Sprintf("row %.60q is no column", o)
		case sorted[to] != nil:
			return m, fmt.Sprintf("detector %.60q has two rows", o)
		}
		sorted[to] = m.M[i]
	}
	m.M = sorted
	return m, ""
}

// cut returns the cells of a line, without quotes and blanks around them, and without empty ones at the end.
func cut(line string, sep rune) []string {
	var words []string
	switch {
	case strings.Count(line, string(sep)) > maxCells || sep == ' ' && strings.Count(line, "\t") > maxCells:
		words = []string{line}
	case sep == ' ':
		words = strings.Fields(line)
	case strings.Contains(line, `"`):
		r := csv.NewReader(strings.NewReader(line))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = sep, true, -1
		if record, err := r.Read(); err == nil {
			words = record
			break
		}
		fallthrough
	default:
		words = strings.Split(line, string(sep))
	}
	for i := range words {
		words[i] = strings.TrimSpace(strings.Trim(strings.TrimSpace(words[i]), `"`))
	}
	for len(words) > 1 && words[len(words)-1] == "" {
		words = words[:len(words)-1]
	}
	return words
}

// number reads a finite number, with a point or a comma.
func number(word string) (float64, bool) {
	if strings.Count(word, ",") == 1 && !strings.Contains(word, ".") {
		word = strings.Replace(word, ",", ".", 1)
	}
	x, err := strconv.ParseFloat(word, 64)
	return x, err == nil && x-x == 0
}
