package format

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"

	"pgregory.net/rapid"
)

// npyBytes is an array file of the given version, type, order and shape.
func npyBytes(version byte, descr string, fortran bool, shape string, data []byte) []byte {
	order := "False"
	if fortran {
		order = "True"
	}
	dict := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr, order, shape)
	b := append([]byte(npyMagic), version, 0)
	if version == 1 {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(dict)))
	} else {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(dict)))
	}
	return append(append(b, dict...), data...)
}

func openArray(b []byte) (*dataset.Dataset, error) {
	return readNPY(ctx, memory("x.npy", b, Options{}))
}

func TestNPYTypes(t *testing.T) {
	cases := []struct {
		descr string
		put   func(v float64) []byte
	}{
		{"|b1", func(v float64) []byte { return []byte{byte(v)} }},
		{"|u1", func(v float64) []byte { return []byte{byte(v)} }},
		{"|i1", func(v float64) []byte { return []byte{byte(int8(v))} }},
		{"<i2", func(v float64) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(int16(v))) }},
		{">i2", func(v float64) []byte { return binary.BigEndian.AppendUint16(nil, uint16(int16(v))) }},
		{"<u2", func(v float64) []byte { return binary.LittleEndian.AppendUint16(nil, uint16(v)) }},
		{"<i4", func(v float64) []byte { return binary.LittleEndian.AppendUint32(nil, uint32(int32(v))) }},
		{">i4", func(v float64) []byte { return binary.BigEndian.AppendUint32(nil, uint32(int32(v))) }},
		{"<i8", func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(int64(v))) }},
		{">u8", func(v float64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(v)) }},
		{"<f2", func(v float64) []byte { return binary.LittleEndian.AppendUint16(nil, half(v)) }},
		{">f2", func(v float64) []byte { return binary.BigEndian.AppendUint16(nil, half(v)) }},
		{"<f4", func(v float64) []byte { return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v))) }},
		{">f4", func(v float64) []byte { return binary.BigEndian.AppendUint32(nil, math.Float32bits(float32(v))) }},
		{"<f8", func(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }},
		{">f8", func(v float64) []byte { return binary.BigEndian.AppendUint64(nil, math.Float64bits(v)) }},
	}
	for _, c := range cases {
		values := []float64{0, 1, 5, 100, 1, 2} // 2 x 3
		if strings.Contains(c.descr, "b1") {
			values = []float64{0, 1, 1, 0, 1, 0}
		}
		if strings.ContainsAny(c.descr, "if") {
			values[2] = -5
		}
		for _, fortran := range []bool{false, true} {
			for _, version := range []byte{1, 2, 3} {
				var data []byte
				for i := range values {
					at := i
					if fortran { // column by column
						at = i%2*3 + i/2
					}
					data = append(data, c.put(values[at])...)
				}
				ds, err := openArray(npyBytes(version, c.descr, fortran, "(2, 3)", data))
				if err != nil {
					t.Errorf("%s: %v", c.descr, err)
					continue
				}
				for j := range 3 {
					if v := ds.Columns[j].Values; ds.Points != 2 || float64(v[0]) != values[j] ||
						float64(v[1]) != values[3+j] {
						t.Errorf("%s fortran %v: column %d is %v of %v", c.descr, fortran, j, v, values)
					}
				}
				if len(ds.Warnings) > 0 || ds.Columns[2].Name != "c3" || ds.Columns[2].Role != dataset.Marker {
					t.Errorf("%s: %q %q", c.descr, ds.Warnings, ds.Columns[2].Name)
				}
			}
		}
	}
}

// half is the bits of a small whole number as binary16.
func half(v float64) uint16 {
	b := math.Float32bits(float32(v))
	if v == 0 {
		return 0
	}
	return uint16(b>>16&0x8000) | uint16((b>>23&0xff-112)<<10) | uint16(b>>13&0x3ff)
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{0: 0, 1: 0x1p-24, 0x3ff: 0x3ffp-24, 0x400: 0x1p-14, 0x3c00: 1, 0xc000: -2,
		0x7bff: 65504, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1)} {
		if got := frame.Half(h); float64(got) != want {
			t.Errorf("%#x: %v, want %v", h, got, want)
		}
	}
	if got := frame.Half(0x7e00); got == got {
		t.Errorf("NaN is %v", got)
	}
}

func TestNPYShapes(t *testing.T) {
	data := floats(6)
	for shape, want := range map[string][2]int{"(6,)": {6, 1}, "(3, 2)": {3, 2}, "(6L, 1L)": {6, 1}, "(1, 6)": {1, 6},
		"(3, 2, 1)": {3, 2}, "(0, 4)": {0, 4}, "(2, 1)": {2, 1}} {
		ds, err := openArray(npyBytes(1, "<f4", false, shape, data))
		if err != nil {
			t.Errorf("%s: %v", shape, err)
		} else if ds.Points != want[0] || len(ds.Columns) != want[1] {
			t.Errorf("%s: %d x %d", shape, ds.Points, len(ds.Columns))
		}
	}
	nan, err := openArray(npyBytes(1, "<f4", false, "(2, 1)",
		binary.LittleEndian.AppendUint32(floats(1), math.Float32bits(nan32))))
	if err != nil || nan.Points != 2 || nan.Columns[0].Stats.Invalid != 1 {
		t.Errorf("NaN: %+v %v", nan, err)
	}
	big, err := openArray(npyBytes(1, "<i8", false, "(2,)", binary.LittleEndian.AppendUint64(
		binary.LittleEndian.AppendUint64(nil, 1<<60+1), 1<<40)))
	if err != nil || !warned(big, "1 whole numbers beyond 9,007") {
		t.Errorf("%+v %v", big, err)
	}
	for name, c := range map[string]struct {
		file []byte
		say  string
	}{
		"no dimension":       {npyBytes(1, "<f4", false, "()", data), "0 dimensions"},
		"three":              {npyBytes(1, "<f4", false, "(1, 2, 3)", data), "3 dimensions"},
		"no columns":         {npyBytes(1, "<f4", false, "(6, 0)", data), "no columns"},
		"too long":           {npyBytes(1, "<f4", false, "(7, 1)", data), "is cut"},
		"absurd":             {npyBytes(1, "<f4", false, "(9000000000000000000, 9000000000)", data), "damaged"},
		"negative":           {npyBytes(1, "<f4", false, "(-1, 2)", data), "damaged"},
		"wide, no rows":      {npyBytes(1, "<f4", false, "(0, 1000000000000)", nil), "1,000,000,000,000 columns"},
		"objects":            {npyBytes(1, "|O", false, "(6,)", data), "Python objects"},
		"objects 8":          {npyBytes(1, "|O8", false, "(6,)", data), "Python objects"},
		"complex":            {npyBytes(1, "<c8", false, "(3,)", data), "<c8"},
		"long double":        {npyBytes(1, "<f16", false, "(1,)", data), "<f16"},
		"texts side by side": {npyBytes(1, "<U2", false, "(1, 3)", data), "several texts"},
		"texts cut":          {npyBytes(1, "<U2", false, "(4,)", data), "is cut"},
		"records": {append([]byte(npyMagic), append([]byte{1, 0, 80, 0},
			[]byte(fmt.Sprintf("%-80s",
				"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }"))...)...), "records"},
		"version 9":    {npyBytes(9, "<f4", false, "(6,)", data), "version 9"},
		"no header":    {append([]byte(npyMagic), 1, 0, 4, 0, '{', '}', ' ', '\n'), "damaged"},
		"not an array": {[]byte("something else"), "not a NumPy array"},
	} {
		_, err := openArray(c.file)
		t.Run(name, func(t *testing.T) { wantProblem(t, err, "x.npy", c.say) })
	}
	extra, err := openArray(append(npyBytes(1, "<f4", false, "(6,)", data), 1, 2, 3))
	if err != nil || !warned(extra, "3 bytes after the array") {
		t.Errorf("%+v %v", extra, err)
	}
}

func TestNPYCutAnywhere(t *testing.T) {
	whole := npyBytes(1, "<f4", false, "(3, 2)", floats(6))
	for n := range whole {
		_, err := openArray(whole[:n])
		wantProblem(t, err, "x.npy")
	}
}

func TestNPYRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := matrix.New(rapid.IntRange(0, 40).Draw(t, "n"), rapid.IntRange(1, 6).Draw(t, "d"))
		copy(m.Data, rapid.SliceOfN(rapid.Float32(), len(m.Data), len(m.Data)).Draw(t, "v"))
		if len(m.Data) > 1 {
			m.Data[1] = nan32
		}
		ds, err := dataset.FromMatrix(nil, m)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := writeNPY(ctx, &b, ds, func(int64, int64) {}); err != nil {
			t.Fatal(err)
		}
		if values := bytes.IndexByte(b.Bytes(), '\n') + 1; values%64 != 0 || b.Len() != values+4*len(m.Data) {
			t.Fatalf("values begin at byte %d of %d", values, b.Len())
		}
		back, err := openArray(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if got := back.Matrix(seq(m.Cols)); got.Rows != m.Rows || !same(got.Data, m.Data) {
			t.Fatalf("%v, want %v", got, m)
		}
	})
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// A large array goes through the mapped file, in blocks, in both orders, and sampled.
func TestNPYMappedAndSampled(t *testing.T) {
	const n = 700_000
	for _, fortran := range []bool{false, true} {
		path := write(t, "x.npy", npyBytes(2, "<f4", fortran, fmt.Sprintf("(%d, 2)", n), floats(2*n)))
		all, err := Open(ctx, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if v := all.Columns[1].Values; !fortran && v[n-1] != 2*n-1 || fortran && v[0] != n {
			t.Errorf("fortran %v: %v", fortran, v[n-1])
		}
		got, err := Open(ctx, path, Options{MaxPoints: 1000, Sample: "random", Seed: 9})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := dataset.Sample(ctx, all, 1000, "random", 9)
		if !slices.Equal(got.Columns[1].Values, want.Columns[1].Values) || got.Total != n {
			t.Errorf("fortran %v: a sample of the file is not the sample of the table", fortran)
		}
	}
}

// A mapped file that becomes shorter is an error, not a crash.
func TestNPYShortenedWhileMapped(t *testing.T) {
	const n = 1 << 20
	path := write(t, "x.npy", npyBytes(1, "<f4", false, fmt.Sprintf("(%d,)", n), floats(n)))
	once := false
	_, err := Open(ctx, path, Options{Progress: func(done, total int64) {
		if !once {
			once = true
			if err := os.Truncate(path, 4096); err != nil {
				t.Error(err)
			}
		}
	}})
	wantProblem(t, err, "x.npy", "changed while it was read")
}

// npzBytes is an archive of the named arrays, in order; stored or compressed.
func npzBytes(t testing.TB, method uint16, arrays ...any) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(arrays); i += 2 {
		w, err := z.CreateHeader(&zip.FileHeader{Name: arrays[i].(string), Method: method})
		if err != nil {
			t.Fatal(err)
		}
		w.Write(arrays[i+1].([]byte))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNPZ(t *testing.T) {
	texts := func(width int, words ...string) []byte {
		var b []byte
		for _, w := range words {
			cell := make([]byte, 4*width)
			for i, r := range []rune(w) {
				binary.LittleEndian.PutUint32(cell[4*i:], uint32(r))
			}
			b = append(b, cell...)
		}
		return b
	}
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		file := npzBytes(t, method,
			"small.npy", npyBytes(1, "<f4", false, "(1, 2)", floats(2)),
			"X.npy", npyBytes(1, "<f4", false, "(3, 2)", floats(6)),
			"cell_type.npy", npyBytes(1, "<U4", false, "(3,)", texts(4, "Zell", "T", "")),
			"batch.npy", npyBytes(1, "<i2", false, "(3,)", []byte{1, 0, 2, 0, 1, 0}),
			"genes.npy", npyBytes(1, "|S3", false, "(2,)", []byte("CD4CD8")),
			"weights.npy", npyBytes(1, "<f4", false, "(3,)", floats(3)),
			"objects.npy", npyBytes(1, "|O8", false, "(3,)", floats(6)),
			"readme.txt", []byte("hello"))
		ds, err := Open(ctx, write(t, "x.npz", file), Options{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, c := range ds.Columns {
			names = append(names, c.Name)
		}
		if !slices.Equal(names, []string{"CD4", "CD8", "cell_type", "batch"}) || ds.Points != 3 || ds.Format != "npz" {
			t.Fatalf("%q %d %s", names, ds.Points, ds.Format)
		}
		if c := ds.Columns[2]; !same(c.Values, []float32{0, 1, nan32}) || c.Categories[1] != "T" ||
			c.Role != dataset.Label || ds.Columns[3].Role != dataset.Label {
			t.Errorf("%+v", c)
		}
		if !slices.Equal(ds.Columns[1].Values, []float32{1, 3, 5}) || !warned(ds, `"X" was read, part 1`) {
			t.Errorf("%v %q", ds.Columns[1].Values, ds.Warnings)
		}
		part, err := Open(ctx, write(t, "x.npz", file), Options{Part: 1})
		if err != nil || part.Points != 1 || !warned(part, `"small" was read`) {
			t.Errorf("%+v %v", part, err)
		}
		_, err = Open(ctx, write(t, "x.npz", file), Options{Part: 9})
		wantProblem(t, err, "x.npz", "no array number 10")
		one, err := Open(ctx, write(t, "x.npz", file), Options{MaxPoints: 2, Sample: "random", Seed: 1})
		if err != nil || one.Points != 2 || one.Total != 3 {
			t.Errorf("%+v %v", one, err)
		}
	}
	for name, file := range map[string][]byte{
		"no arrays":  npzBytes(t, zip.Store, "readme.txt", []byte("hello")),
		"only texts": npzBytes(t, zip.Store, "a.npy", npyBytes(1, "|S1", false, "(2,)", []byte("ab"))),
		"cut entry":  npzBytes(t, zip.Store, "a.npy", npyBytes(1, "<f4", false, "(20,)", floats(3))),
		"bad entry":  npzBytes(t, zip.Store, "a.npy", []byte("nothing")),
	} {
		_, err := Open(ctx, write(t, "x.npz", file), Options{})
		t.Run(name, func(t *testing.T) { wantProblem(t, err, "x.npz") })
	}
}

// An array of texts is a column of labels, alone and beside others.
func TestAnArrayOfTextsIsLabels(t *testing.T) {
	for _, shape := range []string{"(4,)", "(4, 1)"} {
		ds, err := openArray(npyBytes(1, "|S2", false, shape, []byte("ab\x00\x00cdab")))
		if err != nil || len(ds.Columns) != 1 {
			t.Fatalf("%s: %v", shape, err)
		}
		if c := &ds.Columns[0]; c.Role != dataset.Label || !same(c.Values, []float32{0, nan32, 1, 0}) ||
			!slices.Equal(c.Categories, []string{"ab", "cd"}) {
			t.Errorf("%s: %+v", shape, c)
		}
	}
}

// Arrays that come along with a table are about its rows: few whole numbers are labels, many number the rows, and none
// is a dimension of the map.
func TestArraysBesideATableAreNoDimensions(t *testing.T) {
	n := 400
	many, few := make([]byte, 8*n), make([]byte, 8*n)
	for i := range n {
		binary.LittleEndian.PutUint64(many[8*i:], uint64(i*i))
		binary.LittleEndian.PutUint64(few[8*i:], uint64(i%5))
	}
	shape := fmt.Sprintf("(%d,)", n)
	file := npzBytes(t, zip.Store, "X.npy", npyBytes(1, "<f4", false, fmt.Sprintf("(%d, 2)", n), floats(2*n)),
		"y.npy", npyBytes(1, "<i8", false, shape, few), "many.npy", npyBytes(1, "<i8", false, shape, many))
	ds, err := Open(t.Context(), write(t, "x.npz", file), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var roles []dataset.Role
	for _, c := range ds.Columns[2:] {
		roles = append(roles, c.Role)
	}
	if want := []dataset.Role{dataset.Label, dataset.Index}; !slices.Equal(roles, want) {
		t.Errorf("%v, want %v", roles, want)
	}
}

func TestNPZCutAnywhere(t *testing.T) {
	whole := npzBytes(t, zip.Deflate, "X.npy", npyBytes(1, "<f4", false, "(3, 2)", floats(6)))
	for n := 1; n < len(whole); n++ {
		_, err := readNPZ(ctx, memory("x.npz", whole[:n], Options{}))
		wantProblem(t, err, "x.npz")
	}
	// Any byte may be wrong: never a panic.
	for i := range whole {
		b := bytes.Clone(whole)
		b[i] ^= 0x55
		if ds, err := readNPZ(ctx, memory("x.npz", b, Options{})); err != nil {
			wantProblem(t, err, "x.npz")
		} else if ds.Points > 3 {
			t.Errorf("byte %d changed: %d points", i, ds.Points)
		}
	}
}

// The cases of the exact projection are read from arrays.
func TestOracleArrays(t *testing.T) {
	var files []string
	for _, dir := range oracle.Cases(t, oracle.Embedding) {
		arrays, _ := filepath.Glob(filepath.Join(dir, "*.npy"))
		files = append(files, arrays...)
	}
	if len(files) == 0 {
		t.Fatal("the cases have no arrays")
	}
	for _, f := range files {
		ds, err := Open(ctx, f, Options{})
		if err != nil || ds.Points == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
}
