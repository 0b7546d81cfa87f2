package format

import (
	"archive/zip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// The names of arrays in archives that are written: the numbers, and the names of their columns.
const (
	npzNumbers = "data"
	npzNames   = "columns"
)

// writeNPZ writes the columns of numbers as one array of n x d, their names as an array of d texts, and each column of
// labels as an array of n texts under its own name, "" where there is none. The arrays are not packed, as numpy.savez
// leaves them, and have no date: the same table gives the same bytes.
func writeNPZ(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	z := zip.NewWriter(w)
	numbers, labels := *ds, []*dataset.Column(nil)
	numbers.Columns = nil
	var names []string
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Categories != nil {
			labels = append(labels, c)
		} else {
			numbers.Columns, names = append(numbers.Columns, *c), append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return problem.New("", "write them as .csv or .fcs", "an archive of labels alone would be no table")
	}
	to, err := npzEntryOf(z, npzNumbers)
	if err == nil {
		err = writeNPY(ctx, to, &numbers, progress)
	}
	if err == nil {
		err = writeTexts(z, npzNames, len(names), names, func(i int) int { return i })
	}
	taken := []string{npzNumbers, npzNames}
	for _, c := range labels {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		name := strings.NewReplacer("/", "_", `\`, "_").Replace(c.Name)
		for slices.Contains(taken, name) {
			name += "_"
		}
		taken = append(taken, name)
		err = writeTexts(z, name, ds.Points, c.Categories, func(i int) int {
			if v := c.Values[i]; v >= 0 && int(v) < len(c.Categories) {
				return int(v)
			}
			return -1
		})
	}
	if err != nil {
		return err
	}
	return z.Close()
}

// npzEntryOf begins an array of an archive.
func npzEntryOf(z *zip.Writer, name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
}

// writeTexts writes an array of n texts; at says which of texts stands at an index, -1: none.
func writeTexts(z *zip.Writer, name string, n int, texts []string, at func(i int) int) error {
	to, err := npzEntryOf(z, name)
	if err != nil {
		return err
	}
	width := 1
	for _, text := range texts {
		width = max(width, utf8.RuneCountInString(text))
	}
	cells := make([]byte, (len(texts)+1)*4*width) // the last is that of none
	for k, text := range texts {
		cell := cells[k*4*width:]
		for i, letter := range []rune(text) {
			binary.LittleEndian.PutUint32(cell[4*i:], uint32(letter))
		}
	}
	if err := writeNPYHeader(to, fmt.Sprintf("<U%d", width), fmt.Sprintf("(%d,)", n)); err != nil {
		return err
	}
	var block []byte
	for i := range n {
		k := at(i)
		if k < 0 {
			k = len(texts)
		}
		if block = append(block, cells[k*4*width:(k+1)*4*width]...); len(block) >= blockSize || i == n-1 {
			if _, err := to.Write(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	return nil
}

// labelsLast says where labels stand in an archive, where that is not where they were.
func labelsLast(ds *dataset.Dataset) []string {
	label := func(c dataset.Column) bool { return c.Categories != nil }
	first := slices.IndexFunc(ds.Columns, label)
	if first < 0 || !slices.ContainsFunc(ds.Columns[first:], func(c dataset.Column) bool { return !label(c) }) {
		return nil
	}
	return []string{"labels stand behind the columns of numbers in an archive, each as an array of its own"}
}
