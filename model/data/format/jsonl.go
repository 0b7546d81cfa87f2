package format

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// Objects of JSON, one a line, as programs write what they come across.
func init() {
	Register(Format{
		Name: "jsonl", Title: "JSON Lines", Extensions: []string{".jsonl", ".ndjson"},
		Sniff: sniffJSONLines,
		Read:  reading(readJSONLines),
	})
}

func sniffJSONLines(head []byte, ext string) int {
	called := ext == ".jsonl" || ext == ".ndjson"
	r, err := textReader(bytes.NewReader(head))
	if err != nil {
		return 0
	}
	text, _ := io.ReadAll(io.LimitReader(r, headSize)) // a head that was cut ends in an error
	first, rest, more := bytes.Cut(bytes.TrimLeft(text, " \t\r\n"), []byte("\n"))
	object := len(first) > 0 && first[0] == '{'
	if s := (jsonScan{b: first}); object && more {
		object = s.object(func([]byte, jsonValue) {}) == nil
	}
	second := bytes.TrimLeft(rest, " \t\r\n")
	switch {
	case object && (called || more && len(second) > 0 && second[0] == '{'):
		return 95
	case called:
		return 30 // to say what is wrong with it
	}
	return 0
}

// jsonLines is a file that is being read.
type jsonLines struct {
	in      *input
	columns []*jsonColumn
	at      map[string]int
	row     int
	n       int
	many    bool // objects have more names than mostNames
}

// mostNames is how many names objects may have: each becomes a column.
const mostNames = 1 << 17

// jsonColumn is a name, with what objects have under it.
type jsonColumn struct {
	name     string
	numbers  []float64   // NaN where there is none; truth values are 0 and 1
	labels   []float32   // numbers of set; NaN where there is none
	set      *labelSet   // nil: no text was met
	lists    [][]float64 // the numbers of lists by their place
	truths   bool        // a truth value was met
	measured bool        // a number was met
	left     string      // why it is left out
}

func readJSONLines(ctx context.Context, in *input) (*dataset.Dataset, error) {
	total := int64(0)
	if err := in.jsonLines(ctx, nil, func(int64, []byte) error { total++; return nil }); err != nil {
		return nil, err
	}
	chosen, n, err := in.rows(total, 1)
	if err != nil {
		return nil, err
	}
	t := &jsonLines{in: in, at: map[string]int{}, n: n}
	row, left := int64(-1), chosen
	err = in.jsonLines(ctx, newMeter(in.size, in.o.Progress), func(number int64, line []byte) error {
		row++
		if chosen != nil {
			if len(left) == 0 || left[0] != row {
				return nil
			}
			left = left[1:]
		}
		s := jsonScan{b: line}
		if err := s.object(t.take); err != nil {
			return in.problem("check that each line is one object of JSON", "line %s %v", thousands(number), err)
		}
		if t.row++; t.row == 1 || t.row%1024 == 0 || t.many {
			return t.guard()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return t.finish(ctx, total)
}

// jsonLines calls each with every line that is not blank, and its number.
func (in *input) jsonLines(ctx context.Context, m *meter, each func(number int64, line []byte) error) error {
	r, err := textReader(&countedReader{r: in.r, size: in.size, m: m, ctx: ctx})
	if err != nil {
		return fileProblem(err, in.path)
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), int(min(maxRecord, max(1<<20, in.o.Memory/8))))
	number := int64(0)
	for lines.Scan() {
		number++
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 {
			if err := each(number, line); err != nil {
				return err
			}
		}
	}
	if lines.Err() == bufio.ErrTooLong {
		return in.problem("check that each line is one object of JSON", "line %s is too long", thousands(number+1))
	}
	if err := lines.Err(); err != nil {
		return fileProblem(err, in.path)
	}
	return nil
}

// guard holds the columns so far against the memory.
func (t *jsonLines) guard() error {
	if t.many {
		return t.in.problem("check that it is a table with one row per line", "has objects of more than %s names",
			thousands(mostNames))
	}
	width, words := 0, int64(0)
	for _, c := range t.columns {
		width += 2 * max(1, len(c.lists)) // they are numbers of 64 bits meanwhile
		if c.set != nil {
			for _, name := range c.set.names[max(0, len(c.set.names)-1024):] {
				words = max(words, int64(len(name))*int64(len(c.set.names)))
			}
		}
	}
	if words > t.in.o.Memory/2 {
		return t.in.problem("leave such texts out when the file is written", "holds more text than the memory")
	}
	return t.in.o.guard(t.in.path, int64(t.n), int64(width))
}

// take takes a value of the object that is read.
func (t *jsonLines) take(name []byte, v jsonValue) {
	k, ok := t.at[string(name)]
	if !ok {
		if len(t.columns) >= mostNames {
			t.many = true
			return
		}
		k = len(t.columns)
		t.at[string(name)] = k
		t.columns = append(t.columns, &jsonColumn{name: string(name)})
	}
	c := t.columns[k]
	if c.left != "" || v.kind == jsonNull {
		return
	}
	switch v.kind {
	case jsonNumber, jsonTruth:
		c.truths, c.measured = c.truths || v.kind == jsonTruth, c.measured || v.kind == jsonNumber
		c.numbers = putAt(c.numbers, t.row, v.number, math.NaN())
	case jsonText:
		if c.set == nil {
			c.set = newLabelSet()
		}
		c.labels = putAt(c.labels, t.row, c.set.add(v.text, 1), nan32)
	case jsonList:
		if c.lists == nil && len(v.list) > 0 {
			c.lists = make([][]float64, len(v.list))
		}
		if len(v.list) != len(c.lists) && len(v.list) > 0 {
			c.left = fmt.Sprintf("it holds %v", frame.ErrUneven)
		}
		for i, x := range v.list[:min(len(v.list), len(c.lists))] {
			c.lists[i] = putAt(c.lists[i], t.row, x, math.NaN())
		}
	default:
		c.left = "it holds lists of other things than numbers, or objects"
	}
	if c.lists != nil && (c.numbers != nil || c.set != nil) {
		c.left = "it holds lists and single values"
	}
	if c.left != "" {
		*c = jsonColumn{name: c.name, left: c.left}
	}
}

// putAt sets a value of a row; rows before it without one have none.
func putAt[T any](values []T, row int, v, none T) []T {
	values = upToRow(values, row, none)
	if len(values) > row { // an object may have a name twice
		values[row] = v
		return values
	}
	return append(values, v)
}

func upToRow[T any](values []T, rows int, none T) []T {
	for len(values) < rows {
		values = append(values, none)
	}
	return values
}

// finish makes the table.
func (t *jsonLines) finish(ctx context.Context, total int64) (*dataset.Dataset, error) {
	var columns []dataset.Column
	var left, warnings []string
	for _, c := range t.columns {
		switch {
		case c.left != "":
			left = append(left, fmt.Sprintf("%q (%s)", shortLabel(c.name), c.left))
		case c.lists != nil:
			for i, values := range c.lists {
				one := dataset.Column{Name: fmt.Sprintf("%s%d", c.name, i)}
				setNumbers(&one, upToRow(values, t.row, math.NaN()))
				columns = append(columns, one)
			}
		case c.set != nil:
			if c.measured {
				warnings = append(warnings, fmt.Sprintf("column %q: read as labels, as it holds numbers and texts",
					shortLabel(c.name)))
			}
			columns = append(columns, c.labelled(t.row))
		case c.truths && !c.measured:
			one := dataset.Column{Name: c.name, Categories: []string{"False", "True"}}
			for _, x := range upToRow(c.numbers, t.row, math.NaN()) {
				one.Values = append(one.Values, float32(x))
			}
			columns = append(columns, one)
		default:
			one := dataset.Column{Name: c.name}
			setNumbers(&one, upToRow(c.numbers, t.row, math.NaN()))
			columns = append(columns, one)
		}
	}
	if len(left) > 0 {
		more := ""
		if len(left) > 5 {
			more = fmt.Sprintf(" and %d others", len(left)-5)
		}
		warnings = append(warnings, "columns that cannot be read are left out: "+
			strings.Join(left[:min(5, len(left))], ", ")+more)
	}
	names := make([]string, len(columns))
	for i := range columns {
		names[i], columns[i].Label = dataset.ParseHeading(columns[i].Name)
	}
	warnings = append(warnings, uniqueNames(names)...)
	for i := range columns {
		columns[i].Name = names[i]
	}
	ds, err := t.in.finish(ctx, columns, total, warnings)
	if err == nil {
		ds.Points = t.row
	}
	return ds, err
}

// labelled makes labels of a column that holds texts; numbers and truth values among them are texts too.
func (c *jsonColumn) labelled(rows int) dataset.Column {
	c.labels = upToRow(c.labels, rows, nan32)
	for row, x := range c.numbers {
		if x != x || c.labels[row] == c.labels[row] {
			continue
		}
		text := strconv.FormatFloat(x, 'f', -1, 64) // 20231101 is a day, and no 2.0231101e+07
		if !c.measured {
			text = []string{"False", "True"}[int(x)]
		}
		c.labels[row] = c.set.add([]byte(text), 1)
	}
	return dataset.Column{Name: c.name, Values: c.labels, Categories: slices.Clone(c.set.names)}
}

// setNumbers gives a column numbers, as float64 too where float32 loses what may matter.
func setNumbers(c *dataset.Column, numbers []float64) {
	var lost tally
	c.Values = make([]float32, len(numbers))
	for i, x := range numbers {
		v := float32(x)
		if c.Values[i] = v; float64(v) != x && x == x {
			lost.lost(x, v)
		}
	}
	if lost.coarse(c.Values) {
		c.SetExact(numbers)
	}
}
