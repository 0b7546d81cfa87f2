package format

import (
	"context"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

const saveAgain = "save it again with numpy.save as a float32 matrix of n x d"

// badArray says what is wrong with an array.
type badArray string

func (b badArray) Error() string { return string(b) }

func npyProblem(err error, path string) error {
	if b, ok := err.(badArray); ok {
		remedy := saveAgain
		if strings.HasPrefix(string(b), "is cut") || strings.HasPrefix(string(b), "is damaged") {
			remedy = copyAgain
		}
		return problem.New(path, remedy, "%s", string(b))
	}
	return fileProblem(err, path)
}

// readNPYHeader reads the header of an array of which size bytes are there; get gives its first n.
func readNPYHeader(size int64, get func(n int64) ([]byte, error)) (*npyArray, error) {
	for need := int64(12); ; {
		head, err := get(min(need, size))
		if err != nil {
			return nil, err
		}
		a, more, wrong := parseNPYHeader(head)
		if a != nil {
			return a, nil
		}
		if more <= need || int64(len(head)) < need {
			return nil, badArray(wrong)
		}
		need = more
	}
}

// numbers returns the values of each column.
func numbers(columns []dataset.Column) [][]float32 {
	values := make([][]float32, len(columns))
	for i := range columns {
		values[i] = columns[i].Values
	}
	return values
}

// table is an array whose rows of so many columns lie one after the other, without its source.
func (a *npyArray) table(columns int) table {
	t := table{base: a.data, stride: a.width * columns, values: make([]value, columns)}
	for i := range t.values {
		t.values[i] = a.value
		t.values[i].off = i * a.width
	}
	return t
}

// readRows reads an array whose rows lie one after the other.
func (a *npyArray) readRows(ctx context.Context, in *input, src source, chosen []int64,
	columns []dataset.Column) ([]tally, error) {
	t := a.table(len(columns))
	t.src = src
	m := newMeter(t.cost(chosen, len(columns[0].Values)), in.o.Progress)
	tallies, err := t.read(ctx, chosen, numbers(columns), m)
	if err != nil {
		return nil, err
	}
	return tallies, t.readExact(ctx, in, chosen, columns, tallies)
}

// readColumns reads an array whose columns lie one after the other: each is a table of its own.
func (a *npyArray) readColumns(ctx context.Context, in *input, src source, chosen []int64,
	columns []dataset.Column) (tallies []tally, err error) {
	rows, cols, _ := a.matrix()
	t := table{src: src, stride: a.width, values: []value{a.value}}
	column := func(i int) { t.base = a.data + int64(i)*rows*int64(a.width) }
	m := newMeter(cols*t.cost(chosen, len(columns[0].Values)), in.o.Progress)
	values := numbers(columns)
	for i := range columns {
		column(i)
		one, err := t.read(ctx, chosen, values[i:i+1], m)
		if err != nil {
			return nil, err
		}
		tallies = append(tallies, one...)
	}
	for i := range columns {
		column(i)
		if err := t.readExact(ctx, in, chosen, columns[i:i+1], tallies[i:i+1]); err != nil {
			return nil, err
		}
	}
	return tallies, nil
}

// readArray reads the numbers of an array into columns without names.
func readArray(ctx context.Context, in *input, a *npyArray, src source) (columns []dataset.Column, total int64,
	warn []string, err error) {
	rows, cols, ok := a.matrix()
	switch {
	case !ok:
		return nil, 0, nil, in.problem(saveAgain, "holds an array of %s, not a table",
			plural(len(a.shape), "dimension"))
	case cols == 0:
		return nil, 0, nil, in.problem(saveAgain, "holds no columns")
	}
	chosen, n, err := in.rows(rows, int(cols))
	if err != nil {
		return nil, 0, nil, err
	}
	columns = make([]dataset.Column, cols)
	for i := range columns {
		columns[i].Values = make([]float32, n)
	}
	read := a.readRows
	if a.fortran && cols > 1 && rows > 1 {
		read = a.readColumns
	}
	tallies, err := read(ctx, in, src, chosen, columns)
	if err != nil {
		return nil, 0, nil, fileProblem(err, in.path)
	}
	for i := range columns { // their names are for the warnings
		columns[i].Name = dataset.DefaultName(i)
	}
	warn = tallyWarnings(columns, tallies)
	if rows == 0 {
		warn = append(warn, "the array has no rows")
	}
	return columns, rows, warn, nil
}
