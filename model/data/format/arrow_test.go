package format

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	heap "github.com/apache/arrow-go/v18/arrow/memory"

	"blossom/model/data/dataset"
)

// arrowBytes is a file or stream of another library, with a number, a truth value and a label that pandas had as index.
func arrowBytes(t testing.TB, stream bool) []byte {
	meta := arrow.MetadataFrom(map[string]string{"pandas": `{"index_columns": ["cell"]}`})
	schema := arrow.NewSchema([]arrow.Field{{Name: "x :: CD4", Type: arrow.PrimitiveTypes.Float64},
		{Name: "is_live", Type: arrow.FixedWidthTypes.Boolean, Nullable: true},
		{Name: "cell", Type: arrow.BinaryTypes.String},
		{Name: "v", Type: arrow.FixedSizeListOf(2, arrow.PrimitiveTypes.Float32)}}, &meta)
	b := array.NewRecordBuilder(heap.DefaultAllocator, schema)
	for i := range 5 {
		b.Field(0).(*array.Float64Builder).Append(1e9 + float64(i)/8)
		b.Field(2).(*array.StringBuilder).Append(string(rune('a' + i)))
		b.Field(3).(*array.FixedSizeListBuilder).Append(true)
		b.Field(3).(*array.FixedSizeListBuilder).ValueBuilder().(*array.Float32Builder).AppendValues(
			[]float32{float32(i), float32(-i)}, nil)
	}
	b.Field(1).(*array.BooleanBuilder).AppendValues([]bool{true, false, true, false, false},
		[]bool{true, true, true, true, false})
	var out bytes.Buffer
	one := b.NewRecordBatch()
	if stream {
		w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithZstd())
		if err := w.Write(one); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes()
	}
	w, err := ipc.NewFileWriter(&out, ipc.WithSchema(schema), ipc.WithLZ4())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(one); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// A file and a stream of Arrow are the same table, known by their content, with the roles that Parquet columns have.
func TestArrowFilesAndStreamsAreTables(t *testing.T) {
	for _, stream := range []bool{false, true} {
		b := arrowBytes(t, stream)
		ds, err := Open(ctx, write(t, "x.bin", b), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if ds.Format != "arrow" || ds.Points != 5 || len(ds.Columns) != 5 || ds.Columns[0].Label != "CD4" ||
			ds.Columns[0].At(3) != 1e9+3.0/8 || ds.Columns[1].Role != dataset.Label ||
			ds.Columns[2].Role != dataset.Index || ds.Columns[3].Name != "v0" || ds.Columns[4].Values[4] != -4 {
			t.Errorf("%s, %d points: %+v", ds.Format, ds.Points, ds.Columns)
		}
		if v := ds.Columns[1].Values; v[0] != 1 || v[1] != 0 || v[4] == v[4] {
			t.Errorf("truth values are %v", v)
		}
		some, err := Open(ctx, write(t, "x.bin", b), Options{MaxPoints: 2})
		if err != nil || some.Points != 2 || some.Total != 5 || some.Columns[4].Values[1] != -1 {
			t.Errorf("of a sample: %v", err)
		}
		for n := 9; n < len(b)-10; n += 7 {
			if _, err := Open(ctx, write(t, "cut.arrow", b[:n]), Options{}); err != nil || !stream {
				wantProblem(t, err, "cut.arrow", "Arrow")
			}
		}
	}
}

// Files that Arrow itself keeps for such tests open, those with the other order of bytes are refused in one line.
func TestFilesOfArrowItself(t *testing.T) {
	dir := formatsFolder()
	if dir == "" {
		t.Skip("no folder of files")
	}
	files, err := filepath.Glob(filepath.Join(dir, "parquet", "1.0.0-*"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		ds, err := Open(ctx, path, Options{})
		if bytes.Contains([]byte(path), []byte("bigendian")) {
			wantProblem(t, err, filepath.Base(path), "big-endian")
			continue
		}
		if err != nil || ds.Points == 0 || len(ds.Columns) == 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
}
