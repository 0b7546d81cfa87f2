package format

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"blossom/model/dataset"
)

// assemble puts the blocks together into columns.
func (t *textTable) assemble(ctx context.Context) ([]dataset.Column, error) {
	n := 0
	for _, b := range t.blocks {
		n += b.rows
	}
	if !t.sampled {
		t.total = int64(n)
		if n > maxRows {
			return nil, t.in.o.guard(t.in.path, int64(n), int64(len(t.d.names)))
		}
	}
	columns := make([]dataset.Column, len(t.d.names))
	t.numbers = make([]int, len(columns))
	for j := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		values := make([]float32, 0, n)
		var set *labelSet
		if t.d.text[j] {
			set = newLabelSet()
		}
		for _, b := range t.blocks {
			v := b.column(j)
			if set != nil {
				v = b.relabel(j, set)
			}
			values = append(values, v...)
		}
		columns[j].Values = values
		if set != nil {
			columns[j].Categories = set.names
			for i, name := range set.names {
				if kind, _ := readCell([]byte(name), t.d.mark); kind == cellNumber {
					t.numbers[j] += int(set.count[i])
				}
			}
		}
	}
	return columns, nil
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

// reconsider changes the kind of columns whose cells are not what their beginning promised, and says
// whether there are any.
func (t *textTable) reconsider(columns []dataset.Column) (changed bool) {
	for j := range columns {
		words := 0
		numbers := t.numbers[j]
		if t.d.text[j] {
			for _, b := range t.blocks {
				for _, n := range b.labels[j].count {
					words += int(n)
				}
			}
			words -= numbers
		} else {
			for _, b := range t.blocks {
				if o := b.notes[j]; o != nil {
					words += o.words
				}
			}
			if words == 0 {
				continue
			}
			for _, v := range columns[j].Values {
				if v == v {
					numbers++
				}
			}
		}
		if text := mostlyText(numbers, words); text != t.d.text[j] && numbers+words > 0 {
			t.d.text[j] = text
			changed = true
		}
	}
	return changed
}

// dataset names the columns and tells what was odd.
func (t *textTable) dataset(ctx context.Context, columns []dataset.Column) (*dataset.Dataset, error) {
	var warn []string
	names := slices.Clone(t.d.names)
	if k := len(columns) - 1; k > 0 && names[k] == "" && !t.d.text[k] && allMissing(columns[k].Values) &&
		(t.d.header || len(columns[k].Values) > 0) {
		// Every line ends in a separator.
		columns, names = columns[:k], names[:k]
	}
	warn = append(warn, uniqueNames(names)...)
	comments := 0
	total := map[int]*note{}
	for _, b := range t.blocks {
		comments += b.comments
		for j, o := range b.notes {
			if total[j] == nil {
				total[j] = &note{}
			}
			total[j].add(o)
		}
	}
	for j := range columns {
		columns[j].Name = names[j]
		o := total[j]
		if o == nil {
			continue
		}
		if o.words > 0 {
			warn = append(warn, fmt.Sprintf(
				"column %q: %s that %s no number counted as missing, the first is %q on line %d",
				names[j], plural(o.words, "cell"), isAre(o.words), o.word, o.line))
		}
		warn = append(warn, tallyWarnings(columns[j:j+1], []tally{{overflow: o.overflows, rounded: o.rounded}})...)
	}
	if comments > 0 && t.d.header {
		warn = append(warn, fmt.Sprintf("%s in the table that begin with # left out", plural(comments, "line")))
	}
	if len(columns) > 0 && len(columns[0].Values) == 0 {
		warn = append(warn, "the table has a header and no rows")
	}
	t.blocks = nil
	ds, err := t.in.finish(ctx, columns, t.total, warn)
	if err != nil {
		return nil, err
	}
	ds.Format = "csv"
	if t.d.sep == '\t' {
		ds.Format = "tsv"
	}
	ds.Metadata = map[string]string{}
	if len(t.d.comments) > 0 {
		ds.Metadata["comment"] = strings.Join(t.d.comments, "\n")
	}
	return ds, nil
}

func allMissing(values []float32) bool {
	return !slices.ContainsFunc(values, func(v float32) bool { return !math.IsNaN(float64(v)) })
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
