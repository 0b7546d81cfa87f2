package format

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
)

// dialect is how a text table is written.
type dialect struct {
	sep     byte // ' ': any number of spaces
	eol     byte
	missing *missingWords
	// names of the columns; empty ones where the file gives none.
	names    []string
	marks    []byte // decimal marks of the columns
	units    []unit // units that numbers of the columns are written with; nil: not known yet
	dates    []bool // columns of dates, where a plain number is none; nil: there are none
	firm     []bool // whether a cell told the decimal mark of a column
	text     []bool // columns of labels
	forced   []bool // columns whose kind the user has given
	exact    []bool // columns of numbers that are kept as float64 too; nil: none
	header   bool
	start    int64 // byte of the first record after the header
	line     int   // number of its line, from 1
	comments []string
	named    bool     // by the last of the comments
	doubts   []string // guesses that could be otherwise
	unsure   []int    // columns whose decimal mark was guessed
	tallies  []markTally
}

func (d *dialect) form(j int) cellForm {
	f := cellForm{mark: d.marks[j], missing: d.missing}
	if d.units != nil {
		f.unit = d.units[j]
	}
	return f
}

// dated says whether column j holds dates.
func (d *dialect) dated(j int) bool { return d.dates != nil && d.dates[j] }

// quality is how well a dialect fits what was seen.
type quality struct {
	columns, rows       int
	consistent, numeric float64 // share of rows with that many cells, and of their cells that are numbers or missing
	headed              bool    // the first record has a word for each column
}

const sniffRecords = 500

var separators = []struct {
	sep   byte
	prior float64
	name  string
}{{',', 0.05, "commas"}, {'\t', 0.04, "tabs"}, {';', 0.03, "semicolons"}, {'|', 0.02, "bars"}, {' ', 0, "spaces"}}

func separatorName(sep byte) string {
	for _, s := range separators {
		if s.sep == sep {
			return s.name
		}
	}
	return strconv.Quote(string(rune(sep)))
}

// guessSeparator sets the separator that speaks for itself most: by rows of the same length, numbers in the cells and
// several columns; then by how common it is. told is what the first line names, or 0, and was how well that fits.
func (d *dialect) guessSeparator(text []byte, whole bool, ext string, r Reading, told byte, was quality) quality {
	best, bestScore, second := was, -1.0, -1.0
	var runnerUp byte
	for _, c := range separators {
		if c.sep == '\t' && (ext == ".tsv" || ext == ".tab") {
			c.prior = 0.2
		}
		try := *d
		try.sep = c.sep
		_, _, q := try.judge(try.records(text, whole), c.sep, r)
		score := c.prior + q.consistent + q.numeric
		if q.columns > 1 && q.headed {
			score++
		} else if q.columns > 1 {
			score += math.Pow(q.consistent, 4)
		}
		if c.sep == ' ' && (q.columns < 2 || q.numeric < 0.5 || q.consistent < 0.9) {
			continue // words of a text are no cells
		}
		if score > bestScore {
			if best.columns > 1 {
				second, runnerUp = bestScore, d.sep
			}
			bestScore, best, d.sep = score, q, c.sep
		} else if q.columns > 1 && score > second {
			second, runnerUp = score, c.sep
		}
	}
	switch {
	case told != 0 && best.columns < 2:
		d.sep, best = told, was
	case told != 0:
		d.doubt("the first line says that %s separate cells; %s do", separatorName(told), separatorName(d.sep))
	case second > 0 && bestScore-second < 0.3 && best.columns == 1:
		d.doubt("each line is taken for one cell; %s could separate cells", separatorName(runnerUp))
	case second > 0 && bestScore-second < 0.3:
		d.doubt("cells are taken to be separated by %s; %s are possible too", separatorName(d.sep),
			separatorName(runnerUp))
	}
	return best
}

// sniffDialect finds out how text is written, as far as r leaves it open; whole says that it is the whole table,
// not its beginning. The error says which column of r is not there.
func sniffDialect(text []byte, whole bool, ext string, r Reading) (*dialect, quality, error) {
	d := dialect{sep: ',', eol: '\n', line: 1, missing: newMissing(r.Missing)}
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\r') >= 0 {
		d.eol = '\r'
	}
	d.start, d.sep = separatorLine(text, d.eol)
	told := d.sep
	if told != 0 {
		d.line++
	}
	given := r.Separator != ""
	if given {
		d.sep = r.Separator[0]
	}
	var best quality
	if given || told != 0 {
		_, _, best = d.judge(d.records(text, whole), d.sep, r)
	}
	if !given && best.columns < 2 { // a first line may also say sep= wrongly
		best = d.guessSeparator(text, whole, ext, r, told, best)
	}
	err := d.head(text, whole, best.columns, r)
	return &d, best, err
}

func (d *dialect) doubt(format string, args ...any) {
	d.doubts = append(d.doubts, fmt.Sprintf(format, args...))
}

// separatorLine understands the first line "sep=;" that spreadsheets write and heed: it is no row.
func separatorLine(text []byte, eol byte) (next int64, sep byte) {
	end := bytes.IndexByte(text, eol)
	if end < 0 {
		end = len(text) - 1
	}
	line := bytes.Trim(text[:end+1], "\r\n")
	if len(line) > 2 && line[0] == '"' && line[len(line)-1] == '"' {
		line = line[1 : len(line)-1]
	}
	if len(line) == 5 && strings.EqualFold(string(line[:4]), "sep=") && strings.IndexByte(",;|\t :", line[4]) >= 0 {
		return int64(end + 1), line[4]
	}
	return 0, 0
}

type sniffedRecord struct {
	cells [][]byte
	next  int // byte after it
	line  int // line of the record after it
}

// records splits the first records after the comments at the beginning.
func (d *dialect) records(text []byte, whole bool) []sniffedRecord {
	var out []sniffedRecord
	quotes := bytes.IndexByte(text, '"') >= 0
	line := d.line
	for i := int(d.start); i < len(text) && len(out) < sniffRecords; {
		if len(out) == 0 && isComment(text, i, d.sep, d.eol) {
			end, _ := recordEnd(text, i, d.sep, d.eol, false)
			line++
			i = end
			continue
		}
		end, complete := recordEnd(text, i, d.sep, d.eol, quotes)
		if !complete && !whole && len(out) > 0 {
			break
		}
		line += bytes.Count(text[i:end], []byte{d.eol})
		if !isBlank(text, i, d.sep, d.eol) {
			rec := bytes.TrimRight(text[i:end], "\r\n")
			out = append(out, sniffedRecord{splitRecord(nil, rec, d.sep, d.eol), end, line})
		}
		i = end
	}
	return out
}

// judge finds the usual number of cells, and the decimal mark of each column. The first record may be a header and
// counts for the number of cells only.
func (d *dialect) judge(records []sniffedRecord, sep byte, r Reading) (marks []byte, tallies []markTally, q quality) {
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
		return nil, nil, q
	}
	words := d.words(records[0].cells)
	if n := len(records); n > 1 && usual == n-1 && len(records[0].cells) == q.columns-1 && words == q.columns-1 {
		usual++ // R leaves out the header of the row names
	}
	q.headed = words == q.columns
	q.consistent = float64(usual) / float64(len(records))
	body := records
	if len(records) > 1 {
		body = records[1:]
	}
	tallies = make([]markTally, min(q.columns, judgedColumns))
	for _, r := range body {
		for j, c := range r.cells[:min(len(r.cells), len(tallies))] {
			tallies[j].add(c)
		}
	}
	marks = columnMarks(tallies, sep, r)
	numeric, cells := 0, 0
	for _, r := range body {
		for j, c := range r.cells[:min(len(r.cells), judgedColumns)] {
			cells++
			f := cellForm{mark: '.', missing: d.missing}
			if j < len(marks) {
				f.mark = marks[j]
			}
			if kind, _ := f.read(c); kind != cellText {
				numeric++
			}
		}
	}
	q.numeric = float64(numeric) / float64(max(1, cells))
	return marks, tallies, q
}

// words counts the cells that are neither numbers nor missing.
func (d *dialect) words(cells [][]byte) (n int) {
	for _, c := range cells {
		if kind, _ := (cellForm{mark: '.', missing: d.missing}).read(c); kind == cellText {
			n++
		}
	}
	return n
}

// judgedColumns is how many columns are looked at to find the separator.
const judgedColumns = 1000

// columnMarks decides the decimal marks of columns.
func columnMarks(tallies []markTally, sep byte, r Reading) []byte {
	marks := make([]byte, len(tallies))
	var all markTally
	for j := range tallies {
		all.merge(&tallies[j])
	}
	for j := range tallies {
		if r.Decimal != "" {
			marks[j] = r.Decimal[0]
		} else {
			marks[j], _ = tallies[j].mark(&all, sep)
		}
	}
	return marks
}

// head decides whether the first record names the columns, and which columns are labels.
func (d *dialect) head(text []byte, whole bool, columns int, r Reading) error {
	records := d.records(text, whole)
	d.leadingComments(text)
	if len(records) == 0 {
		d.names, d.text, d.forced, d.marks, d.firm = []string{""}, []bool{false}, []bool{false}, []byte{'.'},
			[]bool{true}
		return nil
	}
	first := records[0]
	body := records[1:]
	d.decide(records, columns, r)
	d.header = d.decideHeader(first.cells, body, r)
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
			if names, _ := d.firstIsHeader(cells, body); names && len(cells) == columns && columns > 1 {
				d.named = true
				for i, c := range cells {
					d.names[i] = strings.TrimSpace(decodeText(c))
				}
			}
		}
	}
	d.decide(body, columns, r)
	return d.kinds(body, columns, r)
}

// decide finds the decimal marks of so many columns.
func (d *dialect) decide(body []sniffedRecord, columns int, r Reading) {
	tallies := make([]markTally, columns)
	for _, rec := range body {
		for j, c := range rec.cells[:min(len(rec.cells), columns)] {
			tallies[j].add(c)
		}
	}
	d.marks = columnMarks(tallies, d.sep, r)
	d.firm = make([]bool, columns)
	for j := range tallies {
		t := &tallies[j]
		d.firm[j] = r.Decimal != "" || t.decimal[0]+t.decimal[1] > 0
	}
	d.tallies = tallies
}

// kinds decides which columns are labels, and says where a decimal mark was guessed.
func (d *dialect) kinds(body []sniffedRecord, columns int, r Reading) error {
	d.text, d.forced = make([]bool, columns), make([]bool, columns)
	if err := d.choose(r); err != nil {
		return err
	}
	d.units = make([]unit, columns)
	var all markTally
	for j := range d.tallies {
		all.merge(&d.tallies[j])
	}
	for j := range d.text {
		if !d.forced[j] || !d.text[j] {
			d.units[j] = d.unitOf(j, body, d.forced[j])
		}
		if d.units[j].isDate() {
			if d.dates == nil {
				d.dates = make([]bool, columns)
			}
			d.dates[j] = true
		}
		if d.forced[j] {
			continue
		}
		numbers, words := 0, 0
		for _, rec := range body {
			if j < len(rec.cells) {
				switch kind, _ := d.form(j).read(rec.cells[j]); {
				case kind == cellNumber, kind == cellText && d.otherMark(j, rec.cells[j]):
					numbers++
				case kind == cellText:
					words++
				}
			}
		}
		d.text[j] = d.mostlyText(j, numbers, words)
	}
	if r.Decimal != "" {
		return nil
	}
	for j := range d.tallies {
		if _, sure := d.tallies[j].mark(&all, d.sep); !sure && !d.text[j] {
			d.unsure = append(d.unsure, j)
		}
	}
	return nil
}

// otherMark says whether a cell that is no number would be one with the other decimal mark.
func (d *dialect) otherMark(j int, cell []byte) bool {
	f := d.form(j)
	f.mark = decimalMarks[1-markIndex(f.mark)]
	kind, _ := f.read(cell)
	return kind == cellNumber
}

// mostlyText says whether column j with so many cells of numbers and of words holds labels: where most are numbers, the
// words are mistakes. Under a name of labels (cluster, population) a tenth of words is meant.
func (d *dialect) mostlyText(j, numbers, words int) bool {
	if j < len(d.names) && dataset.NamesLabels(d.names[j]) {
		return words*10 > numbers+words
	}
	return words > numbers
}

// guessForm is form for a record that may be longer than the others.
func (d *dialect) guessForm(j int) cellForm {
	if j < len(d.marks) {
		return d.form(j)
	}
	return cellForm{mark: '.', missing: d.missing}
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

// leadingComments gathers the lines that begin with # before the first record, and starts after them.
func (d *dialect) leadingComments(text []byte) {
	for i := int(d.start); i < len(text); i = int(d.start) {
		end, _ := recordEnd(text, i, d.sep, d.eol, false)
		switch {
		case isComment(text, i, d.sep, d.eol):
			d.comments = append(d.comments, decodeText(bytes.TrimSpace(text[i+1:end])))
		case !isBlank(text, i, d.sep, d.eol):
			return
		}
		d.start = int64(end)
		d.line++
	}
}
