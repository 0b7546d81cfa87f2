package format

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/dataset"
	"math/rand/v2"
)

// benchFile writes a table of n x d random numbers once per run and returns its path and size.
func benchFile(b *testing.B, name string, n, d int) (string, int64) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	cols := make([]dataset.Column, d)
	for j := range cols {
		cols[j].Name = fmt.Sprintf("marker%d", j)
		cols[j].Values = make([]float32, n)
		for i := range cols[j].Values {
			cols[j].Values[i] = float32(rng.NormFloat64() * 1000)
		}
	}
	path := filepath.Join(b.TempDir(), name)
	if err := Save(ctx, path, &dataset.Dataset{Points: n, Columns: cols}, nil); err != nil {
		b.Fatal(err)
	}
	st, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	return path, st.Size()
}

// BenchmarkOpen measures reading with statistics, from a warm cache, in bytes of the file.
func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"x.fcs", "x.npy", "x.csv", "x.tsv", "x.csv.gz", "x.h5ad", "x.parquet"} {
		b.Run(strings.TrimPrefix(name, "x."), func(b *testing.B) {
			path, size := benchFile(b, name, 1_000_000, 20)
			b.SetBytes(size)
			for b.Loop() {
				if _, err := Open(ctx, path, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
