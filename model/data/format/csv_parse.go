package format

import (
	"bytes"
	"fmt"
	"slices"
)

// block is the rows of one chunk. Column j is values[j*room : j*room+rows].
type block struct {
	rows, room int
	values     []float32
	exact      [][]float64 // per column, nil but for those that are read as float64
	inexact    []bool      // per column: float32 may not hold a number of it
	labels     []*labelSet // per column, nil for numbers; values are indices into the set
	notes      map[int]*note
	blanks     int // empty lines
	tail       int // lines after the last row with something in it
	err        error
	cells      [plainWindow]plainCell // plain numbers of the row that is read
	wide       [plainWindow]float64   // and as float64
}

func (b *block) column(j int) []float32 { return b.values[j*b.room : j*b.room+b.rows] }

// labelSet is the different texts of a column in the order in which they first come.
type labelSet struct {
	index map[string]int32
	names []string
	count []int32 // how often each occurs
}

func newLabelSet() *labelSet { return &labelSet{index: map[string]int32{}} }

// maxLabels is how many different texts a column can hold: more are not exact as float32.
const maxLabels = 1 << 24

// add returns the index of text, or NaN where there are too many.
func (s *labelSet) add(text []byte, times int32) float32 {
	i, ok := s.index[string(text)]
	if !ok {
		if len(s.names) >= maxLabels {
			return nan32
		}
		name := decodeText(text)
		key := name
		if len(name) != len(text) { // it was not UTF-8
			key = string(text)
		}
		i = s.put(key, name)
	}
	s.count[i] += times
	return float32(i)
}

// addName is add of a text that is a name of another set.
func (s *labelSet) addName(name string, times int32) float32 {
	i, ok := s.index[name]
	if !ok {
		if len(s.names) >= maxLabels {
			return nan32
		}
		i = s.put(name, name)
	}
	s.count[i] += times
	return float32(i)
}

// put adds a name that is known again by key.
func (s *labelSet) put(key, name string) int32 {
	i := int32(len(s.names))
	s.index[key] = i
	s.names, s.count = append(s.names, name), append(s.count, 0)
	return i
}

// room makes room for n texts in a set that has none, so that its index is not made again and again.
func (s *labelSet) room(n int) {
	if len(s.names) == 0 && n > 0 {
		n = min(n, maxLabels)
		s.index, s.names, s.count = make(map[string]int32, n), make([]string, 0, n), make([]int32, 0, n)
	}
}

// note counts what was odd in a column of numbers.
type note struct {
	words     int      // cells that are no numbers
	other     int      // how many of them are numbers with the other decimal mark
	line      int      // line of the first of them
	examples  []string // the first few different ones
	missing   int      // cells with a word that stands for no value among numbers only
	word      string   // the first of those
	wordLine  int
	grouped   int // numbers with marks between thousands
	group     string
	groupLine int
	overflows int
	rounded   int
	beyond    int // how many of these are beyond float64 too
}

// noteExamples is how many different cells a note shows.
const noteExamples = 3

// add takes the notes of a later block along.
func (n *note) add(o *note) {
	if n.words == 0 {
		n.line = o.line
	}
	for _, x := range o.examples {
		n.example(x)
	}
	if n.missing == 0 {
		n.word, n.wordLine = o.word, o.wordLine
	}
	if n.grouped == 0 {
		n.group, n.groupLine = o.group, o.groupLine
	}
	n.words += o.words
	n.other += o.other
	n.missing += o.missing
	n.grouped += o.grouped
	n.overflows += o.overflows
	n.rounded += o.rounded
	n.beyond += o.beyond
}

func (n *note) example(text string) {
	if len(n.examples) < noteExamples && !slices.Contains(n.examples, text) {
		n.examples = append(n.examples, text)
	}
}

// parser turns chunks into blocks. It holds nothing that changes and is shared by all workers.
type parser struct {
	d  *dialect
	in *input
}

// parse reads the records of c; chosen, if not nil, lists those wanted, counted from the first record
// of the chunk.
func (p *parser) parse(c chunk, chosen []int64) *block {
	d := p.d
	cols := len(d.names)
	b := &block{labels: make([]*labelSet, cols), notes: map[int]*note{}}
	// A record has at least one byte per cell, and a line of its own unless it is in quotes.
	b.room = min(len(c.data)/cols+1, c.ends+1)
	if chosen != nil {
		b.room = min(b.room, len(chosen))
	}
	b.values, b.inexact, b.exact = make([]float32, b.room*cols), make([]bool, cols), make([][]float64, cols)
	for j, on := range d.exact {
		if on {
			b.exact[j] = make([]float64, b.room)
		}
	}
	for j, text := range d.text {
		if text {
			b.labels[j] = newLabelSet()
		}
	}
	record := int64(-1)
	blankRows := d.blankRows()
	for i := 0; i < len(c.data) && b.err == nil; {
		if c.data[i] == d.eol && !blankRows { // there can be very many of them
			b.blanks++
			b.tail++
			i++
			continue
		}
		if blank := isBlank(c.data, i, d.sep, d.eol); blank && !blankRows {
			b.blanks++
			b.tail++
			i, _ = recordEnd(c.data, i, d.sep, d.eol, false)
			continue
		} else if blank {
			b.blanks++
			b.tail++
		} else {
			b.tail = 0
		}
		record++
		if chosen != nil {
			if len(chosen) == 0 {
				break
			}
			if chosen[0] != record {
				i, _ = recordEnd(c.data, i, d.sep, d.eol, c.quotes)
				continue
			}
			chosen = chosen[1:]
		}
		i = p.record(c, i, b)
		b.rows++
	}
	b.shrink(cols)
	return b
}

// blankRows says whether an empty line is a row: in a table of one column it is one without a value, unless no other
// row follows.
func (d *dialect) blankRows() bool { return len(d.names) == 1 }

// shrink gives back room that turned out not to be needed: a chunk of empty lines has none.
func (b *block) shrink(cols int) {
	if b.room < 2*b.rows+64 {
		return
	}
	values := make([]float32, b.rows*cols)
	for j := range cols {
		copy(values[j*b.rows:], b.column(j))
	}
	for j, v := range b.exact {
		if v != nil {
			b.exact[j] = slices.Clone(v[:b.rows])
		}
	}
	b.values, b.room = values, b.rows
}

// record reads the record at i into the next row of b and returns where the next one begins.
func (p *parser) record(c chunk, i int, b *block) int {
	d, data := p.d, c.data
	sep, eol := d.sep, d.eol
	start, cols := i, len(d.names)
	for sep == ' ' && i < len(data) && data[i] == ' ' {
		i++
	}
	extra := false
	for j := 0; ; j++ {
		if j < cols {
			if i, j = p.plain(data, i, j, b); j == cols {
				return i
			}
		}
		end := -1
		if j < cols && !d.text[j] && !d.dated(j) {
			if n := scanNumber(data[i:], d.marks[j]); n.length > 0 {
				e := i + int(n.length)
				switch {
				case e >= len(data) || data[e] == sep || data[e] == eol:
					end = e
				case data[e] == '\r' && (e+1 == len(data) || data[e+1] == eol):
					end = e + 1
				}
				if end >= 0 && d.missing.number(n.value, data[i:i+int(n.length)]) {
					end = -1
				}
				if end >= 0 {
					b.number(j, n, data[i:i+int(n.length)], d.marks[j])
				}
			}
		}
		if end < 0 {
			var cell []byte
			end, cell, _ = cellEnd(data, i, sep, eol)
			switch {
			case j < cols:
				p.cell(c, start, j, cell, b)
			case len(bytes.TrimSpace(cell)) > 0:
				extra = true
			}
		}
		i = end + 1
		last := end >= len(data) || data[end] == eol
		if !last && sep == ' ' {
			i, last = passBlanks(data, i, eol)
		}
		if last {
			if j+1 < cols || extra {
				b.err = p.ragged(c, start, j+1)
			}
			return i
		}
	}
}

// number puts a number, written as cell, into column j of the row that is read.
func (b *block) number(j int, n number, cell []byte, mark byte) {
	b.values[j*b.room+b.rows] = n.value
	if n.is&inexact != 0 {
		b.inexact[j] = true
	}
	if b.exact[j] != nil {
		b.exact[j][b.rows] = n.exactly(cell, mark)
	}
	if n.is&(overflow|rounded) != 0 {
		b.odd(j, n)
	}
}

// cell reads a cell that is not a plain number where one is expected.
func (p *parser) cell(c chunk, start, j int, cell []byte, b *block) {
	at := j*b.room + b.rows
	form := p.d.form(j)
	if p.d.text[j] {
		cell = trimCell(cell)
		b.values[at] = nan32
		if !form.absent(cell) {
			b.values[at] = b.labels[j].add(cell, 1)
		}
		return
	}
	kind, n := form.read(cell)
	b.values[at] = n.value
	b.inexact[j] = b.inexact[j] || n.is&inexact != 0
	if b.exact[j] != nil {
		b.exact[j][b.rows] = form.float64(n, cell)
	}
	switch {
	case kind == cellText:
		o := b.noteOf(j)
		if o.words++; o.words == 1 {
			o.line = p.line(c, start)
		}
		if len(o.examples) < noteExamples {
			o.example(shownCell(cell))
		}
		if p.d.otherMark(j, cell) {
			o.other++
		}
	case n.is&word != 0:
		o := b.noteOf(j)
		if o.missing++; o.missing == 1 {
			o.word, o.wordLine = shownCell(cell), p.line(c, start)
		}
	case n.is&(overflow|rounded|grouped) != 0:
		b.odd(j, n)
		if o := b.noteOf(j); n.is&grouped != 0 {
			if o.grouped++; o.grouped == 1 {
				o.group, o.groupLine = shownCell(cell), p.line(c, start)
			}
		}
	}
}

// shownCell is a cell as a note shows it.
func shownCell(cell []byte) string {
	text := decodeText(trimCell(cell))
	if r := []rune(text); len(r) > 20 {
		text = string(r[:20]) + "..."
	}
	return text
}

func (b *block) noteOf(j int) *note {
	if b.notes[j] == nil {
		b.notes[j] = &note{}
	}
	return b.notes[j]
}

// passBlanks passes the blanks at i, where they separate cells. If the line ends behind them, next is the beginning of
// the line after it.
func passBlanks(data []byte, i int, eol byte) (next int, last bool) {
	for i < len(data) && data[i] == ' ' {
		i++
	}
	if i < len(data) && data[i] != eol && !(data[i] == '\r' && (i+1 == len(data) || data[i+1] == eol)) {
		return i, false
	}
	k := bytes.IndexByte(data[i:], eol)
	if k < 0 {
		return len(data), true
	}
	return i + k + 1, true
}

// exactly returns the number as float64; cell is how it is written.
func (n number) exactly(cell []byte, mark byte) float64 {
	if n.is&inexact != 0 {
		return n.float64(cell, mark)
	}
	return float64(n.value)
}

func (b *block) odd(j int, n number) {
	o := b.noteOf(j)
	if n.is&overflow != 0 {
		o.overflows++
	}
	if n.is&rounded != 0 {
		o.rounded++
	}
	if n.is&beyond != 0 {
		o.beyond++
	}
}

func (p *parser) line(c chunk, at int) int {
	return c.line + bytes.Count(c.data[:at], []byte{p.d.eol})
}

func (p *parser) ragged(c chunk, start, cells int) error {
	remedy := "correct that line: perhaps a separator or a quote is missing or one too many"
	if c.data[start] == '#' {
		remedy = "remove that line: comments that begin with # can stand before the header only"
	}
	if c.data[len(c.data)-1] != p.d.eol && bytes.IndexByte(c.data[start:], p.d.eol) < 0 {
		remedy = "the last line seems cut: " + copyAgain
	}
	return p.in.problem(remedy, "line %d has %s, and the table has %d columns", p.line(c, start),
		plural(cells, "cell"), len(p.d.names))
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
