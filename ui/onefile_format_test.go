package ui

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

func init() {
	if !oneFile {
		return
	}
	format.Register(format.Format{Name: "tally", Title: "Tally marks", Extensions: []string{".tally"},
		Sniff: func(head []byte, _ string) int {
			if bytes.HasPrefix(head, []byte("tally\n")) {
				return 100
			}
			return 0
		},
		Read: readTally, Write: writeTally})
}

func readTally(ctx context.Context, path string, _ format.Options) (*dataset.Dataset, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	var columns []dataset.Column
	for _, name := range strings.Split(lines[1], ",") {
		columns = append(columns, dataset.Column{Name: name})
	}
	for _, line := range lines[2:] {
		for i, cell := range strings.Split(line, ",") {
			x, err := strconv.ParseFloat(cell, 32)
			if err != nil {
				return nil, err
			}
			columns[i].Values = append(columns[i].Values, float32(x))
		}
	}
	return dataset.FromColumns(ctx, path, columns)
}

func writeTally(_ context.Context, w io.Writer, ds *dataset.Dataset, _ func(done, total int64)) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "tally")
	for i := range ds.Columns {
		if i > 0 {
			fmt.Fprint(out, ",")
		}
		fmt.Fprint(out, ds.Columns[i].Name)
	}
	for p := range ds.Points {
		for i := range ds.Columns {
			fmt.Fprint(out, map[bool]string{true: "\n", false: ","}[i == 0], ds.Columns[i].Values[p])
		}
	}
	return out.Flush()
}
