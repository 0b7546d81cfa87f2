package format

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/par"
	"blossom/model/data/dataset"
)

// assemble puts the blocks together into columns.
func (t *textTable) assemble(ctx context.Context) ([]dataset.Column, error) {
	n := 0
	for _, b := range t.blocks {
		n += b.rows
	}
	if !t.sampled {
		n -= t.trimTail()
		t.total = int64(n)
		if n > maxRows {
			return nil, t.in.o.guard(t.in.path, int64(n), int64(len(t.d.names)))
		}
	}
	columns := make([]dataset.Column, len(t.d.names))
	t.rows = n
	t.numbers, t.blanks, t.labelled = make([]int, len(columns)), make([]int, len(columns)), make([]int, len(columns))
	err := par.Blocks(ctx, len(columns), 1, func(j, _, _ int) {
		columns[j].Why = t.d.why(j)
		t.column(j, &columns[j])
	})
	if err != nil {
		return nil, err
	}
	return columns, nil
}

// column puts the values of column j together, if they are not in the spool, and what labels it has. It may run for
// several columns at once.
func (t *textTable) column(j int, c *dataset.Column) {
	switch {
	case t.spool != nil:
		if set := t.spool.sets[j]; set != nil {
			t.named(j, set, c)
		}
	case t.d.exact != nil && t.d.exact[j] && !t.d.text[j]:
		c.SetExact(t.exactly(j, t.rows))
	default:
		var set *labelSet
		if t.d.text[j] {
			set = newLabelSet()
		}
		values := make([]float32, 0, t.rows)
		for _, b := range t.blocks {
			v := b.column(j)
			if set != nil {
				v = b.relabel(j, set)
			}
			values = append(values, v...)
		}
		if c.Values = values; set != nil {
			t.named(j, set, c)
		}
	}
}

// named gives a column its labels, and counts what they are.
func (t *textTable) named(j int, set *labelSet, c *dataset.Column) {
	c.Categories = set.names
	for i, name := range set.names {
		t.labelled[j] += int(set.count[i])
		if kind, _ := t.d.form(j).read([]byte(name)); kind == cellNumber {
			t.numbers[j] += int(set.count[i])
		} else if kind == cellMissing {
			t.blanks[j] += int(set.count[i])
		}
	}
}

// present is how many cells of a column have a value.
func (t *textTable) present(j int, c *dataset.Column) (n int) {
	if t.spool != nil {
		return t.spool.present[j]
	}
	for _, v := range c.Values {
		if v == v {
			n++
		}
	}
	return n
}

// trimTail takes off the rows of the empty lines at the end of a table of one column, and says how many they are. It
// leaves in each block how many empty lines are none of those.
func (t *textTable) trimTail() (rows int) {
	for k := len(t.blocks) - 1; k >= 0; k-- {
		b := t.blocks[k]
		whole := b.tail == b.blanks && (b.rows == 0 || t.d.blankRows() && b.rows == b.tail)
		if t.d.blankRows() {
			b.rows -= b.tail
			rows += b.tail
		}
		b.blanks -= b.tail
		b.tail = 0
		if !whole {
			break
		}
	}
	return rows
}

// relabel changes the labels of column j from those of the block to those of the whole table.
func (b *block) relabel(j int, set *labelSet) []float32 {
	from := b.labels[j]
	to := make([]float32, len(from.names))
	for i, name := range from.names {
		to[i] = set.add([]byte(name), from.count[i])
	}
	v := b.column(j)
	for i, x := range v {
		if x == x {
			v[i] = to[int(x)]
		}
	}
	return v
}

// reconsider changes the kind and the decimal mark of columns whose cells are not what their beginning promised, and
// says whether there are any.
func (t *textTable) reconsider(columns []dataset.Column) (changed bool) {
	for j := range columns {
		if t.d.forced[j] && t.d.text[j] {
			continue
		}
		words := 0
		numbers := t.numbers[j]
		if t.d.text[j] {
			words = t.labelled[j] - numbers - t.blanks[j]
		} else {
			var o note
			for _, b := range t.blocks {
				if n := b.notes[j]; n != nil {
					o.add(n)
				}
			}
			if o.words == 0 {
				continue
			}
			if !t.d.firm[j] && o.other > 0 {
				t.d.marks[j], t.d.firm[j] = decimalMarks[1-markIndex(t.d.marks[j])], true
				t.d.unsure = append(t.d.unsure, j)
				changed = true
				continue
			}
			words = o.words - o.other
			numbers = o.other
			numbers += t.present(j, &columns[j])
		}
		if text := t.d.mostlyText(j, numbers, words); text != t.d.text[j] && numbers+words > 0 && !t.d.forced[j] {
			t.d.text[j] = text
			changed = true
		}
	}
	return changed
}

// exactly returns the n values of a column that was read as float64.
func (t *textTable) exactly(j, n int) []float64 {
	values := make([]float64, 0, n)
	for _, b := range t.blocks {
		values = append(values, b.exact[j][:b.rows]...)
	}
	return values
}

// inexact says whether float32 may not hold a number of a column, and whether it holds no whole one.
func (t *textTable) inexact(j int) (rounded, inexact bool) {
	if t.d.text[j] {
		return false, false
	}
	for _, b := range t.blocks {
		inexact = inexact || b.inexact[j]
		if o := b.notes[j]; o != nil {
			rounded = rounded || o.rounded > 0
		}
	}
	return rounded, inexact
}

// coarse chooses the columns that float32 cannot hold, and says whether there are any that were not known.
func (t *textTable) coarse(ctx context.Context, columns []dataset.Column) (changed bool, err error) {
	exact, kept := make([]bool, len(columns)), 0
	err = par.Blocks(ctx, len(columns), 1, func(j, _, _ int) {
		rounded, inexact := t.inexact(j)
		exact[j] = inexact && (rounded || dataset.Coarse(columns[j].Values))
	})
	if err != nil {
		return false, err
	}
	for j := range columns {
		if exact[j] {
			changed = changed || t.d.exact == nil || !t.d.exact[j]
			kept++
		}
	}
	t.d.exact = exact
	rows := 0
	if len(columns) > 0 {
		rows = len(columns[0].Values)
	}
	return changed, t.in.guardExact(rows, len(columns), kept)
}

// oddities names the columns and tells what was odd in them; of many oddities the first. unsure says that a column may
// have been meant otherwise.
func (t *textTable) oddities(columns []dataset.Column, names []string) (warn []string, unsure bool) {
	total := map[int]*note{}
	for _, b := range t.blocks {
		for j, o := range b.notes {
			if total[j] == nil {
				total[j] = &note{}
			}
			total[j].add(o)
		}
	}
	odd := 0
	for j := range columns {
		columns[j].Name = names[j]
		said, doubtful := t.say(names[j], j, total[j], &columns[j])
		if odd += len(said); odd <= mostNotes {
			warn = append(warn, said...)
		}
		unsure = unsure || doubtful
	}
	if odd > mostNotes {
		warn = append(warn, fmt.Sprintf("as much is to be said of other columns, %s times in all",
			thousands(int64(odd))))
	}
	return warn, unsure
}

// dataset names the columns and tells what was odd.
func (t *textTable) dataset(ctx context.Context, columns []dataset.Column) (*dataset.Dataset, error) {
	columns, warn, unsure := t.headed(columns)
	t.blocks = nil
	ds, err := t.in.finish(ctx, columns, t.total, warn)
	if err != nil {
		return nil, err
	}
	t.describe(ds, unsure)
	return ds, nil
}

// headed gives the columns their names, and tells what was odd. unsure says that a column may have been meant
// otherwise.
func (t *textTable) headed(columns []dataset.Column) (_ []dataset.Column, warn []string, unsure bool) {
	names := slices.Clone(t.d.names)
	if k := len(columns) - 1; k > 0 && names[k] == "" && !t.d.text[k] && t.present(k, &columns[k]) == 0 &&
		(t.d.header || t.rows > 0) {
		// Every line ends in a separator.
		columns, names = columns[:k], names[:k]
	}
	for j, heading := range names {
		names[j], columns[j].Label = dataset.ParseHeading(heading)
	}
	warn = append(warn, uniqueNames(names)...)
	odd, unsure := t.oddities(columns, names)
	warn = append(append(append(warn, t.d.doubts...), odd...), t.sayOfLines()...)
	if len(columns) > 0 && t.rows == 0 {
		warn = append(warn, "the table has a header and no rows")
	}
	return columns, warn, unsure
}

// describe says of a table how it was read.
func (t *textTable) describe(ds *dataset.Dataset, unsure bool) {
	ds.Unsure = unsure || len(t.d.doubts) > 0
	ds.Found = t.d.found()
	ds.Format = "csv"
	if t.d.sep == '\t' {
		ds.Format = "tsv"
	}
	ds.Metadata = map[string]string{}
	if len(t.d.comments) > 0 {
		ds.Metadata["comment"] = strings.Join(t.d.comments, "\n")
	}
}

// found is what a Reading may say of the whole table.
func (d *dialect) found() Reading {
	r := Reading{Separator: string(rune(d.sep)), Header: "no"}
	if d.header {
		r.Header = "yes"
	}
	return r
}

// sayOfLines tells which lines are no rows, or rows without a value: comments, and blank ones.
func (t *textTable) sayOfLines() (said []string) {
	blanks := 0
	for _, b := range t.blocks {
		blanks += b.blanks
	}
	if n := len(t.d.comments); n > 1 || n == 1 && !t.d.named {
		said = append(said, fmt.Sprintf("%s before the table that %s with # %s no row", plural(n, "line"),
			pick(n, "begins", "begin"), pick(n, "is", "are")))
	}
	switch {
	case blanks > 0 && t.d.blankRows():
		said = append(said, fmt.Sprintf("%s %s read as %s without a value", plural(blanks, "empty line"),
			pick(blanks, "is", "are"), pick(blanks, "a row", "rows")))
	case blanks > 0:
		said = append(said, fmt.Sprintf("%s within the table %s no row", plural(blanks, "empty line"),
			pick(blanks, "is", "are")))
	}
	return said
}

// mostNotes is how much is said of single columns: a table may have tens of thousands.
const mostNotes = 100

// say tells what of column j is not what it looks like; doubtful says that it could be meant otherwise.
func (t *textTable) say(name string, j int, o *note, c *dataset.Column) (said []string, doubtful bool) {
	say := func(format string, args ...any) {
		said = append(said, fmt.Sprintf("column %q: ", name)+fmt.Sprintf(format, args...))
	}
	if t.d.text[j] {
		// A column of labels with numbers among them.
		if n, of := t.numbers[j], t.labelled[j]; 10*n >= of && n > 0 && n < of && !t.d.forced[j] {
			say("read as labels, as only %d of %s %s", n, plural(of, "cell"), pick(n, "is a number", "are numbers"))
			doubtful = true
		}
		return said, doubtful
	}
	guessed := slices.Contains(t.d.unsure, j)
	if t.d.units != nil && t.d.units[j] != "" {
		say("%s", t.d.units[j].said())
	}
	if o == nil {
		if guessed && t.d.marks[j] == ',' {
			say("the comma is taken for a decimal mark, it could stand between thousands")
		}
		return said, guessed
	}
	if o.words > 0 {
		more := ""
		for _, x := range o.examples[1:] {
			more += fmt.Sprintf(", %q", x)
		}
		if more != "" {
			more = "; others are " + more[2:]
		}
		kind := "number"
		if t.d.dated(j) {
			kind = "date"
		}
		say("%s that %s no %s counted as missing, the first is %q on line %d%s", plural(o.words, "cell"),
			pick(o.words, "is", "are"), kind, o.examples[0], o.line, more)
		doubtful = !t.d.forced[j]
	}
	if o.missing > 0 {
		say("%s as missing, the first is %q on line %d", pick(o.missing, "1 cell counts", plural(o.missing,
			"cell")+" count"),
			o.word, o.wordLine)
	}
	if o.grouped > 0 {
		mark := "comma"
		if t.d.marks[j] == ',' {
			mark = "dot"
		}
		say("the %s stands between thousands in %s, the first is %q on line %d", mark, plural(o.grouped, "cell"),
			o.group,
			o.groupLine)
	}
	if guessed && o.grouped == 0 && t.d.marks[j] == ',' {
		say("the comma is taken for a decimal mark, it could stand between thousands")
	}
	c.Name = name
	said = append(said, tallyWarnings([]dataset.Column{*c}, []tally{{overflow: o.overflows, beyond: o.beyond}})...)
	return said, doubtful || guessed
}

func pick(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
