package format

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"blossom/model/data/dataset"
)

// The array format of NumPy: numbers of 1 to 8 bytes, both byte orders, C and Fortran order, one or two
// dimensions.
func init() {
	Register(Format{
		Name: "npy", Title: "NumPy array (NPY)", Extensions: []string{".npy"},
		Sniff: func(head []byte, ext string) int {
			switch {
			case bytes.HasPrefix(head, []byte(npyMagic)):
				return 100
			case ext == ".npy":
				return 30 // to say what is wrong with it
			}
			return 0
		},
		Rows:       true,
		Read:       reading(readNPY),
		Outline:    reading(outlineNPY),
		Write:      writeNPY,
		WriteRange: writeNPYRange,
		Loses:      namesLost,
	})
}

func readNPY(ctx context.Context, in *input) (*dataset.Dataset, error) {
	a, err := readNPYHeader(in.size, func(n int64) ([]byte, error) { return in.bytes(0, n) })
	if err != nil {
		return nil, npyProblem(err, in.path)
	}
	if a.text {
		return readNPYTexts(ctx, in, a)
	}
	var src source = fileSource{in.r}
	if in.o.MaxPoints == 0 { // mapped, rows between those of a sample would count as memory of the program
		if data, unmap := mapFile(in.file, in.size); data != nil {
			defer unmap()
			src = mapSource(data)
		}
	}
	if have := in.size - a.data; have < a.size() {
		return nil, in.problem(copyAgain, "is cut: %s of %s bytes are there", thousands(in.size),
			thousands(a.data+a.size()))
	}
	behind := a.behind(in)
	if err := a.take(in); err != nil {
		return nil, err
	}
	columns, total, warn, err := readArray(ctx, in, a, src)
	if err != nil {
		return nil, err
	}
	warn = append(warn, behind...)
	for i := range columns {
		columns[i].Name = dataset.DefaultName(i)
	}
	return in.finish(ctx, columns, total, warn)
}

// behind warns of bytes behind the array.
func (a *npyArray) behind(in *input) []string {
	if extra := in.size - a.data - a.size(); extra > 0 {
		return []string{fmt.Sprintf("%s bytes after the array were left out", thousands(extra))}
	}
	return nil
}

// take has the array be those of its rows that are asked for.
func (a *npyArray) take(in *input) error {
	rows, cols, ok := a.matrix()
	if in.o.Count == 0 || !ok {
		return nil
	}
	if a.fortran && cols > 1 {
		return in.problem("save it in C order (numpy.ascontiguousarray), or take all of it in one part",
			"has its columns one after the other, and cannot be read in parts of its rows")
	}
	from, count, err := in.taken(rows)
	if err == nil {
		a.data += from * cols * int64(a.width)
		a.shape[0] = count
	}
	return err
}

// outlineNPY reads all but the values, of an array of numbers whose rows lie one after the other. What is wrong with
// others is said where they are read as a whole.
func outlineNPY(ctx context.Context, in *input) (*dataset.Dataset, error) {
	a, err := readNPYHeader(in.size, func(n int64) ([]byte, error) { return in.bytes(0, n) })
	if err != nil || a.text || a.fortran || in.size-a.data < a.size() {
		return nil, dataset.ErrWhole
	}
	behind := a.behind(in)
	if a.take(in) != nil {
		return nil, dataset.ErrWhole
	}
	rows, cols, ok := a.matrix()
	if !ok || cols == 0 || cols > widest {
		return nil, dataset.ErrWhole
	}
	columns := make([]dataset.Column, cols)
	for i := range columns {
		columns[i].Name = dataset.DefaultName(i)
	}
	return in.outline(ctx, a.table(len(columns)), columns, rows, func(tallies []tally) []string {
		return append(tallyWarnings(columns, tallies), behind...)
	})
}

// readNPYTexts reads an array of texts, one for each row, as a column of labels.
func readNPYTexts(ctx context.Context, in *input, a *npyArray) (*dataset.Dataset, error) {
	total, each, ok := a.matrix()
	if !ok || each != 1 {
		return nil, in.problem("save one text for each row", "holds several texts for each row, where labels are one")
	}
	if have := in.size - a.data; have < a.size() {
		return nil, in.problem(copyAgain, "is cut: %s of %s bytes are there", thousands(in.size),
			thousands(a.data+a.size()))
	}
	chosen, _, err := in.rows(total, 1)
	if err != nil {
		return nil, err
	}
	c, err := a.texts(ctx, in, bufio.NewReaderSize(io.NewSectionReader(in.r, 0, in.size), 1<<16), chosen, total)
	if err != nil {
		return nil, err
	}
	c.Name = "label"
	return in.finish(ctx, []dataset.Column{c}, total, nil)
}

// writeNPY writes all columns as an n x d array of float32, or of float64 where one of the columns has such, in C
// order, version 1.0. Labels are written as their LabelNumbers, since an array has one type.
func writeNPY(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	if err := beginNPY(w, ds, ds.Points); err != nil {
		return err
	}
	return writeRows(ctx, w, ds, progress)
}

// beginNPY writes the header of the array of a table of so many rows.
func beginNPY(w io.Writer, ds *dataset.Dataset, rows int) error {
	return writeNPYHeader(w, fmt.Sprintf("<f%d", valueBytes(ds)), fmt.Sprintf("(%d, %d)", rows, len(ds.Columns)))
}

// writeNPYRange writes rows of such an array.
func writeNPYRange(ctx context.Context, w io.Writer, ds *dataset.Dataset, from, total int) error {
	if from == 0 {
		if err := beginNPY(w, ds, total); err != nil {
			return err
		}
	}
	return writeRows(ctx, w, ds, unreported)
}

// writeNPYHeader writes what stands before the values of an array of some type and shape, in C order.
func writeNPYHeader(w io.Writer, descr, shape string) error {
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	pad := 63 - (10+len(dict))%64 // values begin at a multiple of 64
	length := len(dict) + pad + 1
	head := append([]byte(npyMagic), 1, 0, byte(length), byte(length>>8))
	head = append(append(append(head, dict...), strings.Repeat(" ", pad)...), '\n')
	_, err := w.Write(head)
	return err
}

// mostNamed is how many labels are named in one sentence.
const mostNamed = 8

// namesLost says which label a number stands for, as an array holds numbers alone.
func namesLost(ds *dataset.Dataset) []string {
	var out []string
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Categories == nil {
			continue
		}
		said := []string{"0 is none"}
		for k, n := range c.LabelNumbers() {
			if k == mostNamed {
				said = append(said, fmt.Sprintf("and so on for %d labels", len(c.Categories)))
				break
			}
			said = append(said, fmt.Sprintf("%g is %s", n, shortLabel(c.Categories[k])))
		}
		out = append(out, fmt.Sprintf("column %q is written as numbers: %s", c.Name, strings.Join(said, ", ")))
	}
	return out
}
