package format

import (
	"bytes"
	"strconv"
	"strings"
)

// dialect is how a text table is written.
type dialect struct {
	sep  byte // ' ': any number of spaces
	eol  byte
	mark byte // decimal mark
	// names of the columns; empty ones where the file gives none.
	names    []string
	text     []bool // columns of labels
	header   bool
	start    int64 // byte of the first record after the header
	line     int   // number of its line, from 1
	comments []string
}

// quality is how well a dialect fits what was seen.
type quality struct {
	columns, rows       int
	consistent, numeric float64 // share of rows with that many cells, and of their cells that are numbers or missing
}

const sniffRecords = 500

// sniffDialect finds out how text is written; whole says that it is the whole table, not its beginning.
func sniffDialect(text []byte, whole bool, ext string) (*dialect, quality) {
	eol := byte('\n')
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		eol = '\r'
	}
	// What speaks for a separator: rows of the same length, numbers in the cells, several columns; then
	// how common it is.
	bestScore := -1.0
	best := dialect{sep: ',', eol: eol, mark: '.', line: 1}
	var bestQuality quality
	for _, c := range []struct {
		sep   byte
		prior float64
	}{{',', 0.05}, {'\t', 0.04}, {';', 0.03}, {'|', 0.02}, {' ', 0}} {
		if c.sep == '\t' && (ext == ".tsv" || ext == ".tab") {
			c.prior = 0.2
		}
		records := sniffRecordsOf(text, whole, c.sep, eol)
		mark, q := judge(records, c.sep)
		score := c.prior + q.consistent + q.numeric
		if q.columns > 1 {
			score++
		}
		if c.sep == ' ' && (q.columns < 2 || q.numeric < 0.5 || q.consistent < 0.9) {
			continue // words of a text are no cells
		}
		if score > bestScore {
			bestScore, bestQuality = score, q
			best.sep, best.mark = c.sep, mark
		}
	}
	best.head(text, whole, bestQuality.columns)
	return &best, bestQuality
}

type sniffedRecord struct {
	cells [][]byte
	next  int // byte after it
	line  int // of the record after it
}

func sniffRecordsOf(text []byte, whole bool, sep, eol byte) []sniffedRecord {
	var out []sniffedRecord
	quotes := bytes.IndexByte(text, '"') >= 0
	line := 1
	for i := 0; i < len(text) && len(out) < sniffRecords; {
		end, complete := recordEnd(text, i, sep, eol, quotes)
		if !complete && !whole && len(out) > 0 {
			break
		}
		line += bytes.Count(text[i:end], []byte{eol})
		if !isBlank(text, i, sep, eol) {
			rec := bytes.TrimRight(text[i:end], "\r\n")
			out = append(out, sniffedRecord{splitRecord(nil, rec, sep, eol), end, line})
		}
		i = end
	}
	return out
}

// judge finds the usual number of cells, and the decimal mark with which most cells are numbers. The
// first record may be a header and counts for the number of cells only.
func judge(records []sniffedRecord, sep byte) (mark byte, q quality) {
	widths := map[int]int{}
	for _, r := range records {
		widths[len(r.cells)]++
	}
	usual := 0
	for w, n := range widths {
		if n > usual || n == usual && w > q.columns {
			q.columns, usual = w, n
		}
	}
	q.rows = len(records)
	if len(records) == 0 {
		return '.', q
	}
	if len(records) > 1 && len(records[0].cells) == q.columns-1 {
		usual++ // R leaves out the header of the row names
	}
	q.consistent = float64(usual) / float64(len(records))
	body := records
	if len(records) > 1 {
		body = records[1:]
	}
	cells := 0
	numeric := map[byte]int{}
	for _, r := range body {
		for _, c := range r.cells[:min(len(r.cells), 1000)] {
			cells++
			for _, m := range []byte{'.', ','} {
				if m == sep {
					continue
				}
				if kind, _ := readCell(c, m); kind != cellText {
					numeric[m]++
				}
			}
		}
	}
	mark = '.'
	if sep != ',' && numeric[','] > numeric['.'] {
		mark = ','
	}
	q.numeric = float64(numeric[mark]) / float64(max(1, cells))
	return mark, q
}

// head decides whether the first record names the columns, and which columns are labels.
func (d *dialect) head(text []byte, whole bool, columns int) {
	records := sniffRecordsOf(text, whole, d.sep, d.eol)
	d.leadingComments(text)
	if len(records) == 0 {
		d.names, d.text = []string{""}, []bool{false}
		return
	}
	first := records[0]
	body := records[1:]
	d.header = d.firstIsHeader(first.cells, body)
	if d.header {
		d.start, d.line = int64(first.next), first.line
		columns = len(first.cells)
		for _, c := range first.cells {
			d.names = append(d.names, strings.Join(strings.Fields(decodeText(c)), " "))
		}
		if d.rowNames(body, columns) {
			// R leaves out the header of the row names.
			d.names = append([]string{"row"}, d.names...)
			columns++
		} else if columns > 1 && d.names[0] == "" {
			d.names[0] = "row" // and pandas leaves it empty
		}
	} else {
		body = records
		d.names = make([]string, columns)
		if n := len(d.comments); n > 0 {
			// NumPy writes the header as a comment.
			cells := splitRecord(nil, []byte(d.comments[n-1]), d.sep, d.eol)
			if len(cells) == columns && columns > 1 && d.firstIsHeader(cells, body) {
				for i, c := range cells {
					d.names[i] = strings.TrimSpace(decodeText(c))
				}
			}
		}
	}
	d.text = make([]bool, columns)
	for j := range d.text {
		numbers, words := 0, 0
		for _, r := range body {
			if j < len(r.cells) {
				switch kind, _ := readCell(r.cells[j], d.mark); kind {
				case cellNumber:
					numbers++
				case cellText:
					words++
				}
			}
		}
		d.text[j] = mostlyText(numbers, words)
	}
}

// mostlyText says whether a column with so many cells of numbers and of words holds labels: a few words
// among numbers are mistakes, more of them are meant.
func mostlyText(numbers, words int) bool { return words*10 > numbers+words }

// firstIsHeader says whether the first record names columns: it has words where the rows below have
// numbers, or there are words only.
func (d *dialect) firstIsHeader(first [][]byte, body []sniffedRecord) bool {
	words, numbers, above := 0, 0, false
	counting := true // 0,1,2,... or 1,2,3,..., as pandas names columns that have no name
	at := -1
	for j, c := range first {
		kind, _ := readCell(c, d.mark)
		switch kind {
		case cellText:
			words++
			above = above || numbersIn(body, j, d.mark)
		case cellNumber:
			numbers++
			n, err := strconv.Atoi(string(bytes.TrimSpace(c)))
			if err != nil || at >= 0 && n != at+1 || at < 0 && n > 1 || n < 0 {
				counting = false
			}
			at = n
		}
	}
	if numbers == 0 {
		return words > 0
	}
	if counting && numbers >= 3 && (len(bytes.TrimSpace(first[0])) == 0 || above || realNumbers(body, d.mark)) {
		return true
	}
	return false
}

// numbersIn says whether column j holds numbers in most of its rows.
func numbersIn(body []sniffedRecord, j int, mark byte) bool {
	numbers, words := 0, 0
	for _, r := range body {
		if j < len(r.cells) {
			switch kind, _ := readCell(r.cells[j], mark); kind {
			case cellNumber:
				numbers++
			case cellText:
				words++
			}
		}
	}
	return numbers > words
}

// realNumbers says whether there is a number with a decimal mark.
func realNumbers(body []sniffedRecord, mark byte) bool {
	for _, r := range body {
		for _, c := range r.cells {
			if kind, _ := readCell(c, mark); kind == cellNumber && bytes.IndexByte(c, mark) >= 0 {
				return true
			}
		}
	}
	return false
}

// rowNames says whether every row has one cell more than the header, and something in its last cell
// (where there is nothing, rows only end in a separator).
func (d *dialect) rowNames(body []sniffedRecord, columns int) bool {
	filled := false
	for _, r := range body {
		if len(r.cells) != columns+1 {
			return false
		}
		filled = filled || len(bytes.TrimSpace(r.cells[columns])) > 0
	}
	return filled
}

// leadingComments gathers the lines that begin with # before the first record.
func (d *dialect) leadingComments(text []byte) {
	for i := 0; i < len(text) && isBlank(text, i, d.sep, d.eol); {
		end, _ := recordEnd(text, i, d.sep, d.eol, false)
		if line := bytes.TrimSpace(text[i:end]); len(line) > 0 && line[0] == '#' {
			d.comments = append(d.comments, decodeText(bytes.TrimSpace(line[1:])))
		}
		i = end
	}
}
