package format

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/data/dataset"
)

// seeds are sound inputs of a format and what reads them.
type seeds struct {
	name   string
	inputs [][]byte
	read   func(ctx context.Context, in *input) (*dataset.Dataset, error)
}

func allSeeds(t testing.TB) []seeds {
	content := func(path string) []byte {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	array := npyBytes(1, "<f4", false, "(3, 2)", floats(6))
	text := func(ctx context.Context, in *input) (*dataset.Dataset, error) { return readText(ctx, in, ".csv") }
	return []seeds{
		{"x.h5ad", [][]byte{content(h5Data("old.h5ad")), content(h5Data("v3.h5")), content(h5Data("v2.h5")),
			content(h5Data("small.h5mu")), content(h5Data("small.h5ad")), content(h5Data("small.loom"))}, readH5},
		{"x.parquet", [][]byte{content(foreignParquet(t, "x.parquet", parquetRows(2)))}, readParquet},
		{"x.arrow", [][]byte{arrowBytes(t, false), arrowBytes(t, true)}, readArrow},
		{"x.jsonl", [][]byte{[]byte(jsonSample), []byte("{\"a\": {\"b\": [1, \"x\"]}, \"v\": []}\n{\"v\": [1]}")},
			readJSONLines},
		{"x.fcs", [][]byte{twoColumns(3).build()}, readFCS},
		{"x.csv", [][]byte{[]byte("a,b\n1,2\n3,\"x\"\"y\"\n"), []byte("a;b\r\n1,5;NA\r\n-inf;1e39\n")}, text},
		{"x.npy", [][]byte{array, npyBytes(2, ">i8", true, "(3, 1)", floats(6))}, readNPY},
		{"x.npz", [][]byte{npzBytes(t, 0, "x.npy", array, "y.npy", npyBytes(1, "|S2", false, "(3,)",
			[]byte("aabbcc")))}, readNPZ},
	}
}

// Damaged files are sound tables or problems in words, in every format.
func TestDamagedFilesAreTablesOrProblems(t *testing.T) {
	for _, s := range allSeeds(t) {
		t.Run(s.name[2:], func(t *testing.T) {
			fuzzing.Try(t, s.inputs, 300, func(t testing.TB, b []byte) string {
				if len(b) == 0 {
					return "" // Open refuses it before
				}
				ds, err := s.read(context.Background(), memory(s.name, b, fuzzOptions(b[len(b)/2])))
				fuzzed(t, ds, err)
				if err != nil {
					return err.Error()
				}
				return fmt.Sprint(strings.Repeat("+", len(ds.Columns)), ds.Warnings)
			})
		})
	}
}
