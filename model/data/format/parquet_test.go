package format

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	pq "github.com/parquet-go/parquet-go"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/parquet"
)

// foreignParquet writes rows with another library.
func foreignParquet[T any](t testing.TB, name string, rows []T, o ...pq.WriterOption) string {
	t.Helper()
	var b bytes.Buffer
	w := pq.NewGenericWriter[T](&b, o...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return write(t, name, b.Bytes())
}

type parquetRow struct {
	A     float32  `parquet:"CD3 :: PE-A"`
	Far   float64  `parquet:"far"`
	Count int64    `parquet:"count"`
	Big   uint64   `parquet:"big"`
	Price int64    `parquet:"price,decimal(2:10)"`
	Day   int32    `parquet:"day,date"`
	When  int64    `parquet:"when,timestamp(millisecond)"`
	Live  *bool    `parquet:"live"`
	Kind  *string  `parquet:"kind,dict"`
	Index string   `parquet:"__index_level_0__"`
	Key   int64    `parquet:"key"`
	Words []string `parquet:"words,list"`
}

func parquetRows(n int) (rows []parquetRow) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n {
		kind, live := fmt.Sprintf("kind %d", i/7%3), i%2 == 0
		row := parquetRow{A: r.Float32(), Far: 1e9 + r.Float64(), Count: int64(r.IntN(1000)), Big: 1<<63 + uint64(i),
			Price: int64(i), Day: int32(19000 + i), When: int64(19000*86400e3) + int64(i)*43200e3,
			Index: fmt.Sprintf("cell-%d", i), Key: int64(r.IntN(1 << 30))}
		if i%5 != 0 {
			row.Live, row.Kind = &live, &kind
		}
		rows = append(rows, row)
	}
	return rows
}

// Columns of a Parquet file become columns of the table with roles: numbers exactly, days, truth values and
// texts as labels, the index of pandas.
func TestParquetColumnsBecomeColumnsOfTheTable(t *testing.T) {
	rows := parquetRows(50)
	path := foreignParquet(t, "x.parquet", rows, pq.KeyValueMetadata("pandas",
		`{"index_columns": ["key", {"kind": "range"}], "columns": []}`))
	ds, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !warned(ds, `"words" (it holds lists of`) || len(ds.Columns) != 11 || ds.Points != 50 || ds.Format != "parquet" {
		t.Fatalf("%d columns of %d points, %v", len(ds.Columns), ds.Points, ds.Warnings)
	}
	at := ds.Places()
	column := func(name string) *dataset.Column { return &ds.Columns[at[name]] }
	for name, role := range map[string]dataset.Role{"far": dataset.Marker, "kind": dataset.Label, "live": dataset.Label,
		"day": dataset.Time, "when": dataset.Time, "__index_level_0__": dataset.Index, "key": dataset.Index} {
		if c := column(name); c.Role != role {
			t.Errorf("%s is %v (%s), want %v", name, c.Role, c.Why, role)
		}
	}
	if c := &ds.Columns[at["CD3"]]; c.Label != "PE-A" || c.Values[3] != rows[3].A {
		t.Errorf("the first column is %q %q", c.Name, c.Label)
	}
	for i, row := range rows {
		for name, want := range map[string]float64{"far": row.Far, "count": float64(row.Count), "big": float64(row.Big),
			"price": float64(row.Price) / 100, "day": float64(row.Day), "when": 19000 + float64(i)/2,
			"key": float64(row.Key)} {
			got := column(name).At(i)
			if exact := name == "far" || name == "key" || name == "big"; exact && got != want ||
				math.Abs(got-want) > 1e-6*math.Abs(want) {
				t.Errorf("%s %d: %v, want %v", name, i, got, want)
			}
		}
		kind, live := column("kind"), column("live")
		if row.Kind == nil {
			if v, w := kind.Values[i], live.Values[i]; v == v || w == w {
				t.Errorf("row %d has a kind or is alive", i)
			}
		} else if kind.Categories[int(kind.Values[i])] != *row.Kind || live.Values[i] == 1 != *row.Live {
			t.Errorf("row %d is another kind", i)
		}
	}
	if live := column("live"); fmt.Sprint(live.Categories) != "[False True]" {
		t.Errorf("truth values are called %v", live.Categories)
	}
}

// A sample has the same rows as one of the whole table, whatever the groups and pages are.
func TestASampleOfParquetHasRowsOfTheTable(t *testing.T) {
	path := foreignParquet(t, "x.parquet", parquetRows(3000), pq.MaxRowsPerRowGroup(700), pq.PageBufferSize(1000))
	whole, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{MaxPoints: 1}, {MaxPoints: 750}, {MaxPoints: 100, Sample: dataset.SampleRandom,
		Seed: 3},
		{MaxPoints: 2900, Sample: dataset.SampleRandom, Seed: 4}} {
		ds, err := Open(ctx, path, o)
		if err != nil {
			t.Fatal(err)
		}
		if ds.Points != o.MaxPoints || ds.Total != 3000 {
			t.Fatalf("%d points of %d", ds.Points, ds.Total)
		}
		want, err := dataset.Sample(ctx, whole, o.MaxPoints, o.Sample, o.Seed)
		if err != nil {
			t.Fatal(err)
		}
		for k := range ds.Columns {
			got, want := &ds.Columns[k], &want.Columns[k]
			for i := range got.Values {
				a, b := got.At(i), want.At(i)
				if got.Categories != nil && a == a && b == b {
					if got.Categories[int(a)] != want.Categories[int(b)] {
						t.Fatalf("%+v: %s %d differs", o, got.Name, i)
					}
				} else if math.Abs(a-b) > 1e-6*math.Abs(b) || (a == a) != (b == b) {
					t.Fatalf("%+v: %s %d is %v, want %v", o, got.Name, i, a, b)
				}
			}
		}
	}
}

// A table that is saved as Parquet is the same when it is opened again, and can be told from a cut one.
func TestTablesAreTheSameAfterParquet(t *testing.T) {
	ds := openText(t, "x :: CD4,far,kind\n1.5,1000000000.25,a\nNaN,1000000000.5,\n3,1000000000.75,b\n", Options{})
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	again, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	equalTables(t, again, ds)
	if again.Columns[0].Label != "CD4" || again.Columns[1].Exact == nil {
		t.Errorf("a label or exact values are lost: %+v", again.Columns)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := 4; n < len(b); n++ {
		_, err := Open(ctx, write(t, "cut.parquet", b[:n]), Options{})
		wantProblem(t, err, "cut.parquet", "Parquet")
	}
}

// The number of a label is the same in a Parquet file, whatever appears first, also where some appear nowhere, and
// where the file is read by ranges or in pieces.
func TestLabelsKeepTheirNumbersInParquet(t *testing.T) {
	const rows = 300_000 // three groups
	ds := &dataset.Dataset{Points: rows, Columns: []dataset.Column{
		{Name: "live", Values: make([]float32, rows), Categories: []string{"False", "True"}},
		{Name: "kind", Values: make([]float32, rows), Categories: []string{"none", "a", "b", "nowhere", "c"}},
		{Name: "first", Values: make([]float32, rows), Categories: []string{"x", "y"}},
		{Name: "number", Values: make([]float32, rows)}}}
	for i := range rows {
		ds.Columns[0].Values[i] = float32(1 - i%2)
		ds.Columns[1].Values[i] = []float32{4, 2, float32(math.NaN()), 1}[i*7/rows%4]
		ds.Columns[2].Values[i], ds.Columns[3].Values[i] = float32(i%2), float32(i)
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	if err := Save(ctx, path, ds, nil); err != nil {
		t.Fatal(err)
	}
	again, err := Open(ctx, path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range ds.Columns[:3] {
		if got := again.Columns[i]; !slices.Equal(got.Categories, c.Categories) || !same(got.Values, c.Values) {
			t.Errorf("%s has the labels %q, not %q, or other numbers", c.Name, got.Categories, c.Categories)
		}
	}
	wantSameOutline(t, path, Options{})
}

// wideParquet is a table of so many columns of ten rows.
func wideParquet(t testing.TB, columns int) string {
	ds := &dataset.Dataset{Points: 10}
	for i := range columns {
		c := dataset.Column{Name: fmt.Sprintf("gene%d", i), Values: make([]float32, 10)}
		for k := range c.Values {
			c.Values[k] = float32(i * k)
		}
		ds.Columns = append(ds.Columns, c)
	}
	ds.Columns[0].Categories = make([]string, 10)
	for i := range 10 {
		ds.Columns[0].Values[i], ds.Columns[0].Categories[i] = float32(i), fmt.Sprint("c", i)
	}
	var b bytes.Buffer
	if err := parquet.Write(ctx, &b, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	return write(t, "wide.parquet", b.Bytes())
}

// A table of ten thousand columns is read whole, or the columns that are asked for with the labels. Neither
// takes more memory than a wide table should.
func TestTenThousandColumnsOfParquet(t *testing.T) {
	path := wideParquet(t, 10_000)
	for _, c := range []struct {
		wanted  []string
		columns int
	}{{nil, 10_000}, {[]string{"gene7", "gene9999"}, 3}, {[]string{"gene7", "nobody"}, 10_000}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		ds, err := Open(ctx, path, Options{Wanted: c.wanted})
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if len(ds.Columns) != c.columns || warned(ds, "9,997 columns that were not asked for") != (c.columns == 3) {
			t.Errorf("%v: %d columns, %v", c.wanted, len(ds.Columns), ds.Warnings)
		}
		if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
			t.Errorf("%d bytes were taken", taken)
		}
	}
	_, err := Open(ctx, path, Options{Memory: 48 << 20})
	wantProblem(t, err, "wide.parquet", "memory")
}

// Reading ends when nobody wants it any more, and tells how far it is until then.
func TestReadingParquetIsCancelledAndTells(t *testing.T) {
	path := foreignParquet(t, "x.parquet", parquetRows(20_000), pq.Compression(&pq.Uncompressed))
	told := int64(0)
	within, cancel := context.WithCancel(ctx)
	_, err := Open(within, path, Options{Progress: func(done, total int64) {
		if done < told || done > total {
			t.Errorf("%d of %d after %d", done, total, told)
		}
		told = done
		cancel()
	}})
	if told == 0 || err != context.Canceled {
		t.Errorf("%d bytes were told of, %v", told, err)
	}
}

// A few bytes that promise many rows take no memory for them.
func TestPromisesOfParquetTakeNoMemory(t *testing.T) {
	ds := &dataset.Dataset{Points: 1 << 20, Columns: []dataset.Column{{Name: "x", Values: make([]float32, 1<<20),
		Categories: []string{"a"}}}}
	var b bytes.Buffer
	if err := parquet.Write(ctx, &b, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	if b.Len() > 4096 {
		t.Fatalf("%d bytes", b.Len())
	}
	_, err := Open(ctx, write(t, "many.parquet", b.Bytes()), Options{Memory: 64 << 20})
	wantProblem(t, err, "many.parquet", "needs about", "--max-points")
}
