package arrow

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/decimal128"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/data/encoding/frame"
)

// column is all that was read of a column: numbers or texts, and which are missing.
type column struct {
	numbers []float64
	texts   []string
}

// all reads a column in all pieces: numbers, or texts; NaN and "none" where they are missing.
func all(t testing.TB, f *File, name string) (out column) {
	t.Helper()
	at := -1
	for i, c := range f.Columns() {
		if c.Name == name {
			at = i
		}
	}
	if at < 0 || f.Columns()[at].Kind == frame.Left {
		t.Fatalf("there is no column %q: %+v", name, f.Columns())
	}
	c := &f.Columns()[at]
	for p, rows := range f.Pieces() {
		next := int64(0)
		err := f.Read(context.Background(), p, at, nil, func(r *frame.Run) error {
			if r.Row != next {
				t.Errorf("a run begins with row %d, want %d", r.Row, next)
			}
			next += int64(r.Rows)
			for i := range r.Rows * max(1, c.Width) {
				x, text := math.NaN(), "none"
				switch {
				case r.Missing != nil && r.Missing[i]:
				case r.Floats != nil:
					x = float64(r.Floats[i])
				case r.Doubles != nil:
					x = r.Doubles[i]
				case r.Whole != nil && c.Unsigned:
					x = float64(uint64(r.Whole[i]))
				case r.Whole != nil:
					x = float64(r.Whole[i])
				case r.Texts != nil:
					text = string(r.Texts[i])
				default:
					text = string(r.Names.Texts[r.Codes[i]])
				}
				out.numbers, out.texts = append(out.numbers, x), append(out.texts, text)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if next != rows {
			t.Errorf("piece %d has %d rows, %d were read", p, rows, next)
		}
	}
	return out
}

// kinds add random values as another library has them, and say what they are here.
var kinds = map[string]struct {
	of  arrow.DataType
	add func(b array.Builder, r *rand.Rand) (float64, string)
}{
	"truth": {arrow.FixedWidthTypes.Boolean, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := r.IntN(2)
		b.(*array.BooleanBuilder).Append(x == 1)
		return float64(x), "none"
	}},
	"int8": {arrow.PrimitiveTypes.Int8, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := int8(r.Uint32())
		b.(*array.Int8Builder).Append(x)
		return float64(x), "none"
	}},
	"uint16": {arrow.PrimitiveTypes.Uint16, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := uint16(r.Uint32())
		b.(*array.Uint16Builder).Append(x)
		return float64(x), "none"
	}},
	"int32": {arrow.PrimitiveTypes.Int32, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := int32(r.Uint32())
		b.(*array.Int32Builder).Append(x)
		return float64(x), "none"
	}},
	"uint64": {arrow.PrimitiveTypes.Uint64, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := r.Uint64() >> r.IntN(64)
		b.(*array.Uint64Builder).Append(x)
		return float64(x), "none"
	}},
	"half": {arrow.FixedWidthTypes.Float16, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := float16.New(float32(r.NormFloat64()))
		b.(*array.Float16Builder).Append(x)
		return float64(x.Float32()), "none"
	}},
	"float": {arrow.PrimitiveTypes.Float32, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := float32(r.NormFloat64())
		b.(*array.Float32Builder).Append(x)
		return float64(x), "none"
	}},
	"double": {arrow.PrimitiveTypes.Float64, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := r.NormFloat64()
		b.(*array.Float64Builder).Append(x)
		return x, "none"
	}},
	"decimal": {&arrow.Decimal128Type{Precision: 30, Scale: 2},
		func(b array.Builder, r *rand.Rand) (float64, string) {
			x := r.Int64N(1<<53) - 1<<52
			b.(*array.Decimal128Builder).Append(decimal128.FromI64(x))
			return float64(x), "none"
		}},
	"date": {arrow.FixedWidthTypes.Date32, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := r.Int32N(30000)
		b.(*array.Date32Builder).Append(arrow.Date32(x))
		return float64(x), "none"
	}},
	"moment": {arrow.FixedWidthTypes.Timestamp_us, func(b array.Builder, r *rand.Rand) (float64, string) {
		x := r.Int64N(1 << 50)
		b.(*array.TimestampBuilder).Append(arrow.Timestamp(x))
		return float64(x), "none"
	}},
	"text": {arrow.BinaryTypes.String, func(b array.Builder, r *rand.Rand) (float64, string) {
		s := fmt.Sprint("a", r.IntN(100000))
		b.(*array.StringBuilder).Append(s)
		return math.NaN(), s
	}},
	"large": {arrow.BinaryTypes.LargeString, func(b array.Builder, r *rand.Rand) (float64, string) {
		s := fmt.Sprint("ü", r.IntN(100000))
		b.(*array.LargeStringBuilder).Append(s)
		return math.NaN(), s
	}},
	"view": {arrow.BinaryTypes.StringView, func(b array.Builder, r *rand.Rand) (float64, string) {
		s := "a text of many letters that lies elsewhere"[:r.IntN(40)]
		b.(*array.StringViewBuilder).Append(s)
		return math.NaN(), s
	}},
	"dictionary": {&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String},
		func(b array.Builder, r *rand.Rand) (float64, string) {
			s := fmt.Sprint("label ", r.IntN(20))
			if err := b.(*array.BinaryDictionaryBuilder).AppendString(s); err != nil {
				panic(err)
			}
			return math.NaN(), s
		}},
	"numbers": {&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16, ValueType: arrow.PrimitiveTypes.Float64},
		func(b array.Builder, r *rand.Rand) (float64, string) {
			x := float64(r.IntN(20)) / 8
			if err := b.(*array.Float64DictionaryBuilder).Append(x); err != nil {
				panic(err)
			}
			return x, "none"
		}},
}

// written makes a file or stream of another library with a column of every kind, within a struct too, and lists.
func written(t testing.TB, r *rand.Rand, stream bool, batches, rows int, o ...ipc.Option) ([]byte, map[string]column) {
	var fields, inner []arrow.Field
	for name, kind := range kinds {
		fields = append(fields, arrow.Field{Name: name, Type: kind.of, Nullable: true})
	}
	inner = append(inner, arrow.Field{Name: "x", Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	fields = append(fields,
		arrow.Field{Name: "struct", Type: arrow.StructOf(inner...), Nullable: true},
		arrow.Field{Name: "fixed", Type: arrow.FixedSizeListOf(3, arrow.PrimitiveTypes.Float32), Nullable: true},
		arrow.Field{Name: "list", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
		arrow.Field{Name: "uneven", Type: arrow.ListOf(arrow.PrimitiveTypes.Int32), Nullable: true},
		arrow.Field{Name: "map", Type: arrow.MapOf(arrow.PrimitiveTypes.Int32, arrow.BinaryTypes.String)},
		arrow.Field{Name: "nothing", Type: arrow.Null, Nullable: true},
		arrow.Field{Name: "last", Type: arrow.PrimitiveTypes.Float32})
	schema := arrow.NewSchema(fields, nil)
	want := map[string]column{}
	add := func(name string, x float64, s string) {
		c := want[name]
		want[name] = column{append(c.numbers, x), append(c.texts, s)}
	}
	var b bytes.Buffer
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	}
	o = append(o, ipc.WithSchema(schema), ipc.WithDictionaryDeltas(stream))
	var err error
	if stream {
		w = ipc.NewWriter(&b, o...)
	} else if w, err = ipc.NewFileWriter(&b, o...); err != nil {
		t.Fatal(err)
	}
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	for range batches {
		for range rows {
			for i, f := range fields {
				at := builder.Field(i)
				if kind, ok := kinds[f.Name]; ok && r.IntN(4) == 0 {
					at.AppendNull()
					add(f.Name, math.NaN(), "none")
					continue
				} else if ok {
					x, s := kind.add(at, r)
					add(f.Name, x, s)
					continue
				}
				others(at, f.Name, r, add)
			}
		}
		one := builder.NewRecordBatch()
		if err := w.Write(one); err != nil {
			t.Fatal(err)
		}
		one.Release()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes(), want
}

// others adds a value that has parts.
func others(at array.Builder, name string, r *rand.Rand, add func(name string, x float64, s string)) {
	gone, nan := r.IntN(5) == 0, math.NaN()
	switch b := at.(type) {
	case *array.StructBuilder:
		if gone {
			b.AppendNull()
			add("struct.x", nan, "none")
			return
		}
		x := r.Float64()
		b.Append(true)
		b.FieldBuilder(0).(*array.Float64Builder).Append(x)
		add("struct.x", x, "none")
	case *array.FixedSizeListBuilder:
		if gone {
			b.AppendNull()
			for range 3 {
				add(name, nan, "none")
			}
			return
		}
		b.Append(true)
		for range 3 {
			x := r.Float32()
			b.ValueBuilder().(*array.Float32Builder).Append(x)
			add(name, float64(x), "none")
		}
	case *array.MapBuilder:
		b.Append(true)
	case *array.ListBuilder:
		if name == "uneven" {
			b.Append(true)
			for range 1 + r.IntN(3) {
				b.ValueBuilder().(*array.Int32Builder).Append(1)
			}
			return
		}
		if b.Append(!gone); gone {
			add(name, nan, "none")
			add(name, nan, "none")
			return
		}
		for range 2 {
			x := r.Int32()
			if r.IntN(9) == 0 {
				b.ValueBuilder().AppendNull()
				add(name, nan, "none")
				continue
			}
			b.ValueBuilder().(*array.Int32Builder).Append(x)
			add(name, float64(x), "none")
		}
	case *array.NullBuilder:
		b.AppendNull()
		add(name, nan, "none")
	case *array.Float32Builder:
		x := r.Float32()
		b.Append(x)
		add(name, float64(x), "none")
	}
}

// Random columns of every kind that another library writes, as files and streams, plain and packed, are read as they
// are; what cannot be read is named.
func TestColumnsOfAnotherLibraryAreReadAsTheyAre(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	for name, o := range map[string][]ipc.Option{"plain": nil, "LZ4": {ipc.WithLZ4()}, "zstd": {ipc.WithZstd()}} {
		for _, stream := range []bool{false, true} {
			batches := 1 // a file has one dictionary for all
			if stream {
				batches = 3
			}
			b, want := written(t, r, stream, batches, 1+r.IntN(40_000), o...)
			f := opened(t, b)
			for column, c := range want {
				got := all(t, f, column)
				if len(got.numbers) != len(c.numbers) {
					t.Fatalf("seed %d %s: %d values of %s, want %d", seed, name, len(got.numbers), column,
						len(c.numbers))
				}
				for i, x := range c.numbers {
					if y := got.numbers[i]; x != y && (x == x || y == y) || got.texts[i] != c.texts[i] {
						t.Fatalf("seed %d %s, stream %v: %s %d is %v %q, want %v %q", seed, name, stream, column, i, y,
							got.texts[i], x, c.texts[i])
					}
				}
			}
			for i, c := range f.Columns() {
				if (c.Name == "map") != (c.Kind == frame.Left) {
					t.Errorf("%+v is left out", c)
				}
				if c.Name == "uneven" && len(want["last"].numbers) > 100 {
					err := f.Read(t.Context(), 0, i, nil, func(*frame.Run) error { return nil })
					if !errors.Is(err, frame.ErrUneven) {
						t.Errorf("lists of different lengths: %v", err)
					}
				}
			}
		}
	}
}

func opened(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The unit of days, times and decimals is that of days, seconds and numbers elsewhere.
func TestUnitsOfColumns(t *testing.T) {
	b, _ := written(t, rand.New(rand.NewPCG(1, 1)), false, 1, 3)
	for _, c := range opened(t, b).Columns() {
		want := frame.Column{}
		switch c.Name {
		case "date":
			want.Date = true
		case "moment":
			want.Date, want.Over = true, 86400e6
		case "decimal":
			want.Over = 100
		}
		if c.Date != want.Date || c.Over != want.Over {
			t.Errorf("%+v, want %+v", c, want)
		}
	}
}

var errEnough = errors.New("enough")

// anything reads all that there is in bytes of any kind, up to a million rows a column, and says what it met.
func anything(t testing.TB, b []byte) string {
	f, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), 64<<20)
	if err != nil {
		inWords(t, err)
		return err.Error()
	}
	says := ""
	for i, c := range f.Columns() {
		if c.Kind == frame.Left {
			if c.Why == "" {
				t.Fatalf("%+v is left out without a reason", c)
			}
			says += c.Why
			continue
		}
		for p, rows := range f.Pieces() {
			next := int64(0)
			err := f.Read(context.Background(), p, i, nil, func(r *frame.Run) error {
				n := r.Rows * max(1, c.Width)
				for _, has := range []int{len(r.Floats), len(r.Doubles), len(r.Whole), len(r.Texts), len(r.Codes)} {
					if has != 0 && has != n {
						t.Fatalf("%d values for %d rows of %+v", has, r.Rows, c)
					}
				}
				if r.Row != next || next+int64(r.Rows) > rows || r.Missing != nil && len(r.Missing) != n {
					t.Fatalf("a run of %d rows begins with %d, want %d of %d", r.Rows, r.Row, next, rows)
				}
				if next += int64(r.Rows); next > 1<<20 {
					return errEnough
				}
				return nil
			})
			if err != nil && err != errEnough && !errors.Is(err, frame.ErrUneven) {
				inWords(t, err)
				says += err.Error()
			}
		}
	}
	return says
}

func inWords(t testing.TB, err error) {
	var p *problem.Problem
	if !errors.As(err, &p) || p.What == "" || p.Remedy == "" {
		t.Fatalf("%v is no problem in words", err)
	}
}

// samples are small files and streams.
func samples(t testing.TB) (out [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	for i, o := range [][]ipc.Option{nil, {ipc.WithLZ4()}, {ipc.WithZstd()}} {
		b, _ := written(t, r, i != 0, 1, 9, o...)
		out = append(out, b)
	}
	return out
}

// Damaged files are read or refused, and take no memory that is not there.
func FuzzFile(f *testing.F) { fuzzing.Target(f, samples(f), 1200, anything) }
