package parquet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// column is all that was read of a column: numbers or texts, and which are missing.
type column struct {
	numbers []float64
	texts   []string
	missing []bool
}

// all reads a column in all pieces.
func all(t testing.TB, f *File, name string) column {
	t.Helper()
	var out column
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
				x, text := math.NaN(), ""
				missing := r.Missing != nil && r.Missing[i]
				switch {
				case missing:
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
				out.numbers, out.texts, out.missing = append(out.numbers, x), append(out.texts, text),
					append(out.missing, missing)
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

func opened(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(context.Background(), bytes.NewReader(b), int64(len(b)), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// kinds are columns as another library writes them: a node, and a random value with what it is here.
var kinds = map[string]struct {
	node  parquet.Node
	value func(r *rand.Rand) (parquet.Value, float64, string)
}{
	"truth": {parquet.Leaf(parquet.BooleanType), func(r *rand.Rand) (parquet.Value, float64, string) {
		b := r.IntN(2) == 1
		return parquet.BooleanValue(b), map[bool]float64{true: 1}[b], ""
	}},
	"int32": {parquet.Leaf(parquet.Int32Type), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := int32(r.Uint32()) >> r.IntN(32)
		return parquet.Int32Value(x), float64(x), ""
	}},
	"uint32": {parquet.Uint(32), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := r.Uint32() >> r.IntN(32)
		return parquet.Int32Value(int32(x)), float64(x), ""
	}},
	"int64": {parquet.Leaf(parquet.Int64Type), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := int64(r.Uint64()) >> r.IntN(64)
		return parquet.Int64Value(x), float64(x), ""
	}},
	"uint64": {parquet.Uint(64), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := r.Uint64() >> r.IntN(64)
		return parquet.Int64Value(int64(x)), float64(x), ""
	}},
	"float": {parquet.Leaf(parquet.FloatType), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := float32(r.NormFloat64())
		return parquet.FloatValue(x), float64(x), ""
	}},
	"double": {parquet.Leaf(parquet.DoubleType), func(r *rand.Rand) (parquet.Value, float64, string) {
		x := r.NormFloat64()
		return parquet.DoubleValue(x), x, ""
	}},
	"decimal": {parquet.Decimal(2, 30, parquet.FixedLenByteArrayType(13)),
		func(r *rand.Rand) (parquet.Value, float64, string) {
			b := make([]byte, 13)
			x := r.Int64N(1 << 53)
			for i := range 8 {
				b[12-i] = byte(x >> (8 * i))
			}
			return parquet.FixedLenByteArrayValue(b), float64(x), ""
		}},
	"text": {parquet.String(), func(r *rand.Rand) (parquet.Value, float64, string) {
		s := "abcdefghijklmnop"[:r.IntN(16)] + fmt.Sprint(r.IntN(50))
		return parquet.ByteArrayValue([]byte(s)), math.NaN(), s
	}},
}

// encodings are what another library can write of each kind.
var encodings = map[string][]encoding.Encoding{
	"truth":   {&parquet.Plain, &parquet.RLE},
	"int32":   {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit},
	"uint32":  {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked},
	"int64":   {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked, &parquet.ByteStreamSplit},
	"uint64":  {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaBinaryPacked},
	"float":   {&parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit},
	"double":  {&parquet.Plain, &parquet.RLEDictionary, &parquet.ByteStreamSplit},
	"decimal": {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaByteArray, &parquet.ByteStreamSplit},
	"text":    {&parquet.Plain, &parquet.RLEDictionary, &parquet.DeltaLengthByteArray, &parquet.DeltaByteArray},
}

// Random columns that another library writes are read as they are: of every kind and encoding, required and optional,
// in pages of both kinds, packed in every way that is read.
func TestColumnsOfAnotherLibraryAreReadAsTheyAre(t *testing.T) {
	seed := rand.Uint64()
	r := rand.New(rand.NewPCG(seed, 1))
	codecs := []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd, &parquet.Lz4Raw}
	for name, kind := range kinds {
		for _, how := range encodings[name] {
			for _, may := range []bool{false, true} {
				codec, version := codecs[r.IntN(len(codecs))], 1+r.IntN(2)
				what := fmt.Sprintf("seed %d: %s %v, optional %v, %v, page %d", seed, name, how, may, codec, version)
				node := parquet.Encoded(kind.node, how)
				if may {
					node = parquet.Optional(node)
				}
				var b bytes.Buffer
				w := parquet.NewWriter(&b, parquet.NewSchema("t", parquet.Group{"x": node}), parquet.Compression(codec),
					parquet.DataPageVersion(version), parquet.PageBufferSize(1000+r.IntN(100_000)),
					parquet.MaxRowsPerRowGroup(int64(10_000+r.IntN(30_000))))
				var want column
				var rows []parquet.Row
				for range 1 + r.IntN(40_000) {
					v, x, s := kind.value(r)
					missing := may && r.IntN(3) == 0
					if missing {
						v, x, s = parquet.NullValue(), math.NaN(), ""
					}
					rows = append(rows, parquet.Row{v.Level(0, map[bool]int{true: 1}[may && !missing], 0)})
					want.numbers, want.texts, want.missing = append(want.numbers, x), append(want.texts, s),
						append(want.missing, missing)
				}
				if _, err := w.WriteRows(rows); err != nil {
					t.Fatal(err)
				}
				if err := w.Close(); err != nil {
					t.Fatal(err)
				}
				got := all(t, opened(t, b.Bytes()), "x")
				same(t, what, got, want)
			}
		}
	}
}

func same(t testing.TB, what string, got, want column) {
	t.Helper()
	if len(got.numbers) != len(want.numbers) {
		t.Fatalf("%s: %d values, want %d", what, len(got.numbers), len(want.numbers))
	}
	for i := range want.numbers {
		a, b := got.numbers[i], want.numbers[i]
		if a != b && (a == a || b == b) || got.texts[i] != want.texts[i] || got.missing[i] != want.missing[i] {
			t.Fatalf("%s: value %d is %v %q %v, want %v %q %v", what, i, a, got.texts[i], got.missing[i], b,
				want.texts[i], want.missing[i])
		}
	}
}

// Lists of one length that another library writes are numbers side by side; rows without a list have none. Lists of
// different lengths are an error of their own, and lists of texts, maps and old times are named as left out.
func TestListsOfAnotherLibrary(t *testing.T) {
	type inside struct{ X []float32 }
	type pair struct{ A, B float64 }
	type row struct {
		Vector []float64           `parquet:"vector,list"`
		Bare   []int32             `parquet:"bare"`
		Uneven []float32           `parquet:"uneven,list"`
		Words  []string            `parquet:"words,list"`
		Map    map[string]int64    `parquet:"map"`
		Old    deprecated.Int96    `parquet:"old"`
		Lists  []inside            `parquet:"lists"`
		Struct struct{ X float64 } `parquet:"struct"`
		Things []pair              `parquet:"things"`
	}
	r := rand.New(rand.NewPCG(3, 4))
	var rows []row
	var vector, bare, inner column
	add := func(c *column, x float64) {
		c.numbers, c.texts, c.missing = append(c.numbers, x), append(c.texts, ""), append(c.missing, x != x)
	}
	for i := range 20_000 {
		x := row{Uneven: make([]float32, 1+i%2), Words: []string{"a"}, Map: map[string]int64{"a": 1},
			Lists: []inside{{X: []float32{1}}}, Things: []pair{{}}}
		x.Struct.X = r.Float64()
		add(&inner, x.Struct.X)
		for range 5 {
			y := math.NaN()
			if i%7 != 3 {
				y = r.NormFloat64()
				x.Vector = append(x.Vector, y)
			}
			add(&vector, y)
			n := int32(r.Uint32())
			x.Bare = append(x.Bare, n)
			add(&bare, float64(n))
		}
		rows = append(rows, x)
	}
	for version := 1; version <= 2; version++ {
		var b bytes.Buffer
		w := parquet.NewGenericWriter[row](&b, parquet.DataPageVersion(version), parquet.PageBufferSize(20_000),
			parquet.Compression(&parquet.Snappy))
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f := opened(t, b.Bytes())
		same(t, "lists", all(t, f, "vector"), vector)
		same(t, "lists without a group around them", all(t, f, "bare"), bare)
		same(t, "a value in a struct", all(t, f, "struct.X"), inner)
		left := map[string]string{}
		for i, c := range f.Columns() {
			if c.Kind == frame.Left {
				left[c.Name] = c.Why
			}
			if c.Name == "uneven" {
				err := f.Read(t.Context(), 0, i, nil, func(*frame.Run) error { return nil })
				if err != frame.ErrUneven {
					t.Errorf("lists of different lengths: %v", err)
				}
			}
		}
		for _, name := range []string{"words", "map", "old", "lists", "things"} {
			if left[name] == "" {
				t.Errorf("%s is not left out: %v", name, left)
			}
		}
	}
}

// Another library reads a table that is written here as it is; written twice it has the same bytes.
func TestAnotherLibraryReadsWhatIsWritten(t *testing.T) {
	r := rand.New(rand.NewPCG(rand.Uint64(), 1))
	for _, n := range []int{0, 1, 7, 1000, groupRows + 77} {
		columns := []dataset.Column{{Name: "x"}, {Name: "exact"}, {Name: "label", Label: "a :: b"}, {Name: "constant"},
			{Name: "none"}, {Name: "many"}}
		exact := make([]float64, n)
		for k := range columns {
			columns[k].Values = make([]float32, n)
		}
		columns[2].Categories, columns[3].Categories = []string{"ä", "", "c,d"}, []string{"one"}
		columns[4].Categories = []string{}
		columns[5].Categories = []string{}
		for i := range n {
			columns[0].Values[i] = float32(r.NormFloat64())
			exact[i] = 1e9 + r.Float64()
			columns[2].Values[i] = float32(r.IntN(3))
			if r.IntN(4) == 0 {
				columns[2].Values[i] = float32(math.NaN())
			}
			columns[4].Values[i] = float32(math.NaN())
			columns[5].Values[i] = float32(i)
			columns[5].Categories = append(columns[5].Categories, fmt.Sprintf("cell %d", i))
		}
		if n > 0 {
			columns[0].Values[0] = float32(math.NaN())
			columns[1].SetExact(exact)
		}
		ds, err := dataset.FromColumns(t.Context(), "t", columns)
		if err != nil {
			t.Fatal(err)
		}
		var b, again bytes.Buffer
		for _, to := range []io.Writer{&b, &again} {
			if err := Write(t.Context(), to, ds, func(int64, int64) {}); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%d rows: other bytes the second time", n)
		}
		read, err := parquet.OpenFile(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if read.NumRows() != int64(n) {
			t.Fatalf("%d rows, want %d", read.NumRows(), n)
		}
		rows := parquet.NewReader(read)
		got := make([]parquet.Row, 1)
		for i := range n {
			if k, err := rows.ReadRows(got); k != 1 || err != nil && err != io.EOF {
				t.Fatalf("row %d: %v", i, err)
			}
			for k := range columns {
				c, v := &ds.Columns[k], got[0][k]
				switch x := c.At(i); {
				case c.Categories != nil && x != x:
					if !v.IsNull() {
						t.Fatalf("%s %d: %v is not null", c.Name, i, v)
					}
				case c.Categories != nil:
					if v.String() != c.Categories[int(x)] {
						t.Fatalf("%s %d: %v, want %q", c.Name, i, v, c.Categories[int(x)])
					}
				case c.Exact != nil:
					if v.Double() != x {
						t.Fatalf("%s %d: %v, want %v", c.Name, i, v, x)
					}
				default:
					if math.Float32bits(v.Float()) != math.Float32bits(c.Values[i]) {
						t.Fatalf("%s %d: %v, want %v", c.Name, i, v, x)
					}
				}
			}
		}
		f := opened(t, b.Bytes())
		for k := range ds.Columns {
			c, want := &ds.Columns[k], column{}
			for i := range n {
				x, text := c.At(i), ""
				missing := c.Categories != nil && x != x
				if c.Categories != nil && x == x {
					x, text = math.NaN(), c.Categories[int(x)]
				}
				want.numbers, want.texts, want.missing = append(want.numbers, x), append(want.texts, text),
					append(want.missing, missing)
			}
			same(t, c.Name, all(t, f, c.Heading()), want)
		}
	}
}
