package format

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"blossom/model/data/dataset"
)

// wantRange checks that some rows of a file are those of it that is read as a whole: numbers, and what labels are
// called.
func wantRange(t *testing.T, path string, whole *dataset.Dataset, from, count int) {
	t.Helper()
	got, err := Open(ctx, path, Options{From: int64(from), Count: int64(count)})
	if err != nil {
		t.Fatal(err)
	}
	if got.Points != count || got.Total != count || len(got.Columns) != len(whole.Columns) {
		t.Fatalf("%d rows from %d on: %d of %d, %d columns", count, from, got.Points, got.Total, len(got.Columns))
	}
	for j := range whole.Columns {
		w, g := &whole.Columns[j], &got.Columns[j]
		if w.Name != g.Name || w.Label != g.Label {
			t.Fatalf("column %d is called %q", j, g.Name)
		}
		for i := range count {
			x, y := w.Values[from+i], g.Values[i]
			switch {
			case x != x || y != y:
				if (x != x) != (y != y) {
					t.Fatalf("%s: row %d is %v, not %v", w.Name, from+i, y, x)
				}
			case w.Categories != nil:
				if w.Categories[int(x)] != g.Categories[int(y)] {
					t.Fatalf("%s: row %d is %q, not %q", w.Name, from+i, g.Categories[int(y)], w.Categories[int(x)])
				}
			case x != y:
				t.Fatalf("%s: row %d is %v, not %v", w.Name, from+i, y, x)
			}
		}
	}
}

// wantRanges checks ranges of a file of n rows: the ends, all of it, one row, and some of any place and length.
func wantRanges(t *testing.T, path string, n int) {
	t.Helper()
	whole, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantRange(t, path, whole, 0, n)
	wantRange(t, path, whole, n-1, 1)
	r := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for range 12 {
		from := r.IntN(n)
		wantRange(t, path, whole, from, 1+r.IntN(n-from))
	}
	_, err = Open(ctx, path, Options{From: int64(n) - 1, Count: 2})
	wantProblem(t, err, filepath.Base(path), "rows")
}

// manyParquetRows are rows whose columns show late what they are: a whole number that float32 does not hold, labels
// that come first in the middle.
func manyParquetRows(n int) []parquetRow {
	rows := parquetRows(n)
	for i := range rows {
		rows[i].Count = int64(i % 100)
		if i > n-20 {
			rows[i].Count = 1<<40 + int64(i)
		}
		if i > n/2 && i%9 == 0 {
			late := fmt.Sprintf("late %d", i%4)
			rows[i].Kind = &late
		}
		rows[i].Words = []string{"a"}
	}
	return rows
}

// A range of the rows of a Parquet file has the values of the whole, wherever groups and pages of it end.
func TestRangesOfParquet(t *testing.T) {
	const n = 3_000
	for name, o := range map[string][]pq.WriterOption{
		"groups":      {pq.MaxRowsPerRowGroup(700)},
		"small pages": {pq.PageBufferSize(512), pq.Compression(&pq.Zstd)},
		"old pages":   {pq.DataPageVersion(1), pq.PageBufferSize(2048)},
	} {
		t.Run(name, func(t *testing.T) {
			wantRanges(t, foreignParquet(t, "x.parquet", manyParquetRows(n), o...), n)
		})
	}
}

// An outline of a Parquet file says what reading all of it says, and has its values.
func TestAnOutlineOfParquet(t *testing.T) {
	const n = 17_001
	for name, o := range map[string][]pq.WriterOption{
		"groups":      {pq.MaxRowsPerRowGroup(5_000)},
		"small pages": {pq.PageBufferSize(4096)},
	} {
		t.Run(name, func(t *testing.T) {
			path := foreignParquet(t, "x.parquet", manyParquetRows(n), o...)
			wantSameOutline(t, path, Options{})
			whole, _ := Open(ctx, path, Options{From: 500, Count: n - 500})
			part, err := Outline(ctx, path, Options{From: 500, Count: n - 500})
			if err != nil || whole.Points != part.Points || part.Total != n-500 {
				t.Fatalf("%d rows: %v", part.Points, err)
			}
			for i := range whole.Columns {
				got, err := part.Fetched(ctx, i)
				if err != nil || !same(got.Values, whole.Columns[i].Values) ||
					!sameExact(got.Exact, whole.Columns[i].Exact) ||
					!slices.Equal(got.Categories, whole.Columns[i].Categories) {
					t.Errorf("column %d of a range is another: %v", i, err)
				}
			}
		})
	}
}

// Columns whose role, deviation or digits their values decide have the same outline, too.
func TestAnOutlineOfSpecialColumns(t *testing.T) {
	const n = 17_001
	ds := specialTable(t, n)
	path := t.TempDir() + "/special.parquet"
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	wantSameOutline(t, path, Options{})
	wantRanges(t, path, n)
}
