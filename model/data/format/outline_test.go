package format

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
)

// special are columns whose role, deviation or exactness their values decide, late in the column where that is mean.
var special = []func(r *rand.Rand, i, n int) float64{
	func(r *rand.Rand, _, _ int) float64 { return r.NormFloat64() },
	func(r *rand.Rand, _, _ int) float64 { return 1e6 + r.NormFloat64() },
	func(_ *rand.Rand, i, _ int) float64 { return float64(i) },
	func(_ *rand.Rand, i, n int) float64 { return float64((i + n/2) % n) },
	func(_ *rand.Rand, i, n int) float64 { return float64(min(i, n-2)) },
	func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(5)) },
	func(r *rand.Rand, i, n int) float64 { return float64(r.IntN(5)) + float64(i/(n-1))/2 },
	func(_ *rand.Rand, _, _ int) float64 { return 7 },
	func(_ *rand.Rand, _, _ int) float64 { return math.NaN() },
	func(r *rand.Rand, i, _ int) float64 {
		if i%3 > 0 {
			return math.NaN()
		}
		return r.ExpFloat64()
	},
	func(r *rand.Rand, _, _ int) float64 { return float64(1_500_000_000 + r.IntN(1e6)) },
	func(r *rand.Rand, _, _ int) float64 { return float64(r.IntN(1 << 18)) },
	func(r *rand.Rand, _, _ int) float64 { return r.ExpFloat64() * 1e38 },
	func(r *rand.Rand, i, _ int) float64 { return float64(i%2)*1e8 + r.NormFloat64() },
	func(r *rand.Rand, i, n int) float64 {
		if i == n/2 {
			return math.Inf(-1)
		}
		return -r.Float64()
	},
}

// specials returns n rows of the special columns as values of a type of NumPy.
func specials(r *rand.Rand, n int, descr string) []byte {
	var b []byte
	var e binary.AppendByteOrder = binary.LittleEndian
	if descr[0] == '>' {
		e = binary.BigEndian
	}
	for i := range n {
		for _, f := range special {
			x := f(r, i, n)
			whole := int64(0)
			if x-x == 0 && math.Abs(x) < 1e18 {
				whole = int64(x)
			}
			switch descr[1:] {
			case "f4":
				b = e.AppendUint32(b, math.Float32bits(float32(x)))
			case "f8":
				b = e.AppendUint64(b, math.Float64bits(x))
			case "f2", "u2", "i2":
				b = e.AppendUint16(b, uint16(whole))
			case "i4", "u4":
				b = e.AppendUint32(b, uint32(whole))
			case "i8":
				b = e.AppendUint64(b, uint64(whole))
			case "u1":
				b = append(b, byte(whole))
			}
		}
	}
	return b
}

// wantSameOutline checks that an outline says of a file what reading all of it says, and that its ranges have its
// values.
func wantSameOutline(t *testing.T, path string, o Options) {
	t.Helper()
	want, err := Open(ctx, path, o)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Outline(ctx, path, o)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Outlined() || want.Points != got.Points || want.Total != got.Total || want.Cells != got.Cells ||
		!slices.Equal(want.Warnings, got.Warnings) || fmt.Sprint(want.Metadata) != fmt.Sprint(got.Metadata) ||
		!want.Spillover.Equal(got.Spillover) || want.Name != got.Name || want.Format != got.Format {
		t.Errorf("other tables:\n%+v\n%+v", want.Warnings, got.Warnings)
	}
	parts := make([]dataset.Column, len(got.Columns))
	err = got.EachRange(ctx, func(from int, rows *dataset.Dataset) error {
		if rows.Outlined() || from != len(parts[0].Values) {
			t.Errorf("a range from %d on follows %d rows", from, len(parts[0].Values))
		}
		for i := range parts {
			parts[i].Values = append(parts[i].Values, rows.Columns[i].Values...)
			parts[i].Exact = append(parts[i].Exact, rows.Columns[i].Exact...)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	text := func(c *dataset.Column) string {
		a, b, d := c.Quartiles()
		return fmt.Sprintf("%q %q %v %q %+v %x %x %x %x %v %v", c.Name, c.Label, c.Role, c.Why, c.Stats, a, b, d,
			c.Spread(), c.Gain, c.Range)
	}
	for i := range want.Columns {
		w, g := &want.Columns[i], &got.Columns[i]
		if text(w) != text(g) {
			t.Errorf("column %d:\n%s\n%s", i, text(w), text(g))
		}
		whole, err := got.Fetched(ctx, i)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []*dataset.Column{&parts[i], whole} {
			if !same(w.Values, c.Values) || !sameExact(w.Exact, c.Exact) {
				t.Errorf("column %d has other values", i)
			}
		}
		if g.Values != nil || g.Exact != nil {
			t.Errorf("column %d keeps values", i)
		}
	}
}

// sameExact says whether both are the same bits, NaN aside.
func sameExact(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || x != x && y != y })
}

// An outline says what reading the whole file says, for every type of number and every role.
func TestAnOutlineSaysWhatTheWholeSays(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	for _, descr := range []string{"<f4", ">f4", "<f8", ">f8", "<i4", "<u4", "<i8", "|u1", "<f2", "<u2", ">i2"} {
		for _, n := range []int{dataset.SurveyBlock * 4, 66_001} {
			t.Run(fmt.Sprint(descr, n), func(t *testing.T) {
				shape := fmt.Sprintf("(%d, %d)", n, len(special))
				array := npyBytes(1, descr, false, shape, specials(r, n, descr))
				wantSameOutline(t, write(t, "a.npy", array), Options{})
			})
		}
	}
	if testing.Short() {
		return
	}
	n := 2*dataset.SurveyPiece + 4321 // several pieces
	shape := fmt.Sprintf("(%d, %d)", n, len(special))
	wantSameOutline(t, write(t, "a.npy", append(npyBytes(1, "<f8", false, shape, specials(r, n, "<f8")), 1, 2)),
		Options{})
}

// The columns of FCS have names, by which few whole numbers are labels, and keep scales and matrix.
func TestAnOutlineOfFCS(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	names := []string{"FSC-A", "cluster", "Time", "FITC-A", "PE-A", "sample", "is gated", "event", "y"}
	n := 70_000
	var data []byte
	for i := range n {
		for _, x := range []float64{r.Float64() * 1e5, float64(r.IntN(9)), float64(i), r.NormFloat64() * 300,
			r.ExpFloat64() * 1e4, float64(i) / float64(n-1), float64(i & 1), float64(i),
			float64(r.IntN(3) + i/(n-1)*400)} {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		}
	}
	f := fcsFixture{names: names, data: data, rows: n, keywords: map[string]string{"$P4S": "CD4", "$P5S": "CD8",
		"$SPILLOVER": "2,FITC-A,PE-A,1,0.1,0.02,1", "$P5G": "2"}}
	wantSameOutline(t, write(t, "a.fcs", f.build()), Options{})
	ints := twoColumns(40_000)
	ints.data = make([]byte, 40_000*8)
	for i := range 80_000 {
		binary.LittleEndian.PutUint32(ints.data[4*i:], uint32(r.Uint64()))
	}
	ints.keywords = map[string]string{"$DATATYPE": "I", "$P1R": "1024", "$P2R": "4294967296"}
	wantSameOutline(t, write(t, "b.fcs", ints.build()), Options{})
}

// A file without ranges is said to be read as a whole: few rows, samples, other formats and orders.
func TestWhatHasNoOutline(t *testing.T) {
	big := make([]byte, 20_000*8)
	for name, b := range map[string][]byte{
		"few.npy":     npyBytes(1, "<f4", false, "(10, 2)", make([]byte, 80)),
		"fortran.npy": npyBytes(1, "<f4", true, "(20000, 2)", big),
		"texts.npy":   npyBytes(1, "<U2", false, "(20000,)", big),
		"cut.npy":     npyBytes(1, "<f4", false, "(20000, 3)", big),
		"a.csv":       []byte("a,b\n1,2\n"),
	} {
		if _, err := Outline(ctx, write(t, name, b), Options{}); !errors.Is(err, dataset.ErrWhole) {
			t.Errorf("%s: %v", name, err)
		}
	}
	whole := write(t, "a.npy", npyBytes(1, "<f4", false, "(20000, 2)", big))
	if _, err := Outline(ctx, whole, Options{MaxPoints: 5}); !errors.Is(err, dataset.ErrWhole) {
		t.Errorf("a sample: %v", err)
	}
}

// A file that changes after its outline was made is refused by name, cut or rewritten.
func TestAFileThatChangesUnderItsOutline(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"cut":       func(path string) error { return os.Truncate(path, 3000) },
		"rewritten": func(path string) error { return os.Chtimes(path, time.Time{}, time.Unix(5e8, 0)) },
		"removed":   os.Remove,
	} {
		path := write(t, "a.npy", npyBytes(1, "<f4", false, "(20000, 2)", make([]byte, 20_000*8)))
		ds, err := Outline(ctx, path, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := change(path); err != nil {
			t.Fatal(err)
		}
		_, err = ds.Range(ctx, 10, 20)
		words := "changed while it was read"
		if name == "removed" {
			words = "does not exist"
		}
		if wantProblem(t, err, "a.npy", words); !strings.Contains(fmt.Sprint(err), "a.npy") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A table that comes by ranges makes the file that it makes as a whole.
func TestAFileWrittenByRanges(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	a, b := make([]float32, 5000), make([]float64, 5000)
	labels := make([]float32, 5000)
	for i := range a {
		a[i], b[i], labels[i] = float32(r.NormFloat64()), 1e9+r.NormFloat64(), float32(r.IntN(3))
	}
	columns := []dataset.Column{{Name: "a, b", Values: a}, {Name: "b"}, {Name: "label", Values: labels,
		Categories: []string{"x", "y", "z;"}}}
	columns[1].SetExact(b)
	ds, err := dataset.FromColumns(ctx, "t", columns)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, name := range []string{"t.csv", "t.tsv", "t.npy", "t.csv.gz"} {
		if !WritesRanges(name) {
			t.Fatalf("%s is not written by ranges", name)
		}
		if err := Save(ctx, dir+"/whole-"+name, ds, nil); err != nil {
			t.Fatal(err)
		}
		var f Files
		err := f.SaveRanges(ctx, dir+"/"+name, ds.Points, func(put func(*dataset.Dataset) error) error {
			for from := 0; from < ds.Points; from += 777 {
				rows := make([]int32, min(777, ds.Points-from))
				for i := range rows {
					rows[i] = int32(from + i)
				}
				part, err := dataset.Take(ctx, ds, rows)
				if err == nil {
					err = put(part)
				}
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err == nil {
			err = f.Commit()
		}
		if err != nil {
			t.Fatal(err)
		}
		want, _ := os.ReadFile(dir + "/whole-" + name)
		got, _ := os.ReadFile(dir + "/" + name)
		if strings.HasSuffix(name, ".gz") { // a compressor may cut its blocks elsewhere
			a, err1 := Open(ctx, dir+"/whole-"+name, Options{})
			b, err2 := Open(ctx, dir+"/"+name, Options{})
			if err1 != nil || err2 != nil || !same(a.Columns[0].Values, b.Columns[0].Values) {
				t.Errorf("%s: %v, %v", name, err1, err2)
			}
			continue
		}
		if len(want) == 0 || !slices.Equal(want, got) {
			t.Errorf("%s: %d bytes by ranges, %d as a whole", name, len(got), len(want))
		}
	}
	var f Files
	defer f.Discard()
	err = f.SaveRanges(ctx, dir+"/short.csv", 10, func(put func(*dataset.Dataset) error) error { return nil })
	wantProblem(t, err, "short.csv", "0 of 10 rows")
	if err := f.SaveRanges(ctx, "/dev/full", 5000, func(put func(*dataset.Dataset) error) error {
		for {
			if err := put(ds); err != nil {
				return err
			}
		}
	}); err == nil {
		t.Error("a full disk is no error")
	}
}
