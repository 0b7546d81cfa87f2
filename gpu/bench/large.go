package bench

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"blossom/gpu/bench/table"
)

// Large is a row of the measure large: what a run of the program has taken.
type Large struct {
	table.Row
	taken
}

func init() {
	seconds := func(head string, of func(Large) float64) table.Column {
		return table.Text(head, func(r Large) string { return fmt.Sprintf("%.1f", of(r)) })
	}
	Register(Measure{Name: "large", Title: "files of more rows than memory",
		Help: `Runs commands on a file of 40 columns that it makes, each as a program of its own, and says how
long they took and how much memory the system counted at most. The file takes 160 bytes a row, and lies in a folder
below that for temporary ones (TMPDIR) while it runs. It is read from the system's cache where that has room for it.`,
		Flags: []Flag{pointsFlag(1000, most, "rows of the file (default: 10000000)")},
		Columns: []table.Column{
			table.Word("command", func(r Large) string { return r.Variant }),
			table.Size("rows", func(r Large) int { return r.N }),
			seconds("seconds", func(r Large) float64 { return r.Wall }),
			seconds("of processors", func(r Large) float64 { return r.CPU }),
			table.Text("MB", func(r Large) string { return fmt.Sprintf("%.0f", float64(r.Peak)/1e6) }),
		},
		Run: func(ctx context.Context, r *Run) error {
			self, err := os.Executable()
			if err != nil {
				return err
			}
			return large(ctx, r, self, r.points(10_000_000)[0])
		}})
}

// largeColumns are those of the file.
const largeColumns = 40

// large measures commands of a program on a file of n rows.
func large(ctx context.Context, r *Run, program string, n int) error {
	dir, err := os.MkdirTemp("", "blossom-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	r.Say("large: making the file")
	if err := largeFile(ctx, filepath.Join(dir, "points.npy"), n); err != nil {
		return err
	}
	train := "train points.npy --max-points 20000 --sample random --som 20x20 --epochs 2 -o map.json"
	if _, err := measured(ctx, program, dir, train); err != nil {
		return err
	}
	for _, of := range [][2]string{
		{"embed --landmarks", "embed points.npy --landmarks map.json -o map.npy"},
		{"embed --train-on", "embed points.npy --train-on 200000 -o map.npy"},
		{"cluster --landmarks", "cluster points.npy --landmarks map.json --n-clusters 8 -o labels.npy"},
		{"convert, to CSV", "convert points.npy --columns 1-4 some.csv"},
	} {
		r.Say("large: " + of[0])
		t, err := measured(ctx, program, dir, of[1])
		if err != nil {
			return err
		}
		r.Add(Large{rowOf("large", of[0], "all", n, largeColumns, 0, []float64{t.Wall}), t})
		r.Tell()
	}
	return nil
}

// largeFile writes n rows of normal numbers around some centres as an array: a block of rows again and again.
func largeFile(ctx context.Context, path string, n int) error {
	const rows = 10_000
	r, block := rand.New(rand.NewPCG(7, 7)), []byte(nil)
	for i := range rows * largeColumns {
		x := r.NormFloat64() + 4*float64(i/largeColumns*7%(i%largeColumns+2)%3)
		block = binary.LittleEndian.AppendUint32(block, math.Float32bits(float32(x)))
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	dict := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", n, largeColumns)
	fmt.Fprintf(w, "\x93NUMPY\x01\x00\x76\x00%-117s\n", dict)
	for at := 0; at < n; at += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := w.Write(block[:4*largeColumns*min(rows, n-at)]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}
