package format

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// fuzzed checks what must hold for any bytes: a sound table, or a problem in words.
func fuzzed(t testing.TB, ds *dataset.Dataset, err error) {
	if err != nil {
		var p *problem.Problem
		if !errors.As(err, &p) || p.What == "" || p.Remedy == "" {
			t.Fatalf("%v is no problem in words", err)
		}
		return
	}
	names := map[string]bool{}
	for _, c := range ds.Columns {
		if len(c.Values) != ds.Points || c.Name == "" || names[c.Name] || c.Stats.Count+c.Stats.Invalid != ds.Points {
			t.Fatalf("column %q: %d values of %d points, %+v", c.Name, len(c.Values), ds.Points, c.Stats)
		}
		names[c.Name] = true
		for _, v := range c.Values {
			if c.Categories != nil && v == v && (v < 0 || int(v) >= len(c.Categories)) {
				t.Fatalf("column %q: label %v of %d", c.Name, v, len(c.Categories))
			}
		}
	}
}

// fuzzMemory is what a fuzzed reader may take: a few bytes must not ask for more.
const fuzzMemory = bytesOfSlack + 64<<20

func fuzzOptions(choice byte) Options {
	o := Options{Memory: fuzzMemory, Part: int(choice >> 6)}
	if choice&1 != 0 {
		o.MaxPoints, o.Sample, o.Seed = 1+int(choice>>2&7), dataset.SampleRandom, 1
	}
	return o
}

func FuzzFCS(f *testing.F) {
	sound := twoColumns(3)
	f.Add(sound.build(), byte(0))
	sound.keywords = map[string]string{"$DATATYPE": "I", "$P1B": "16", "$P2B": "24",
		"$SPILLOVER": "2,FSC-A,FITC-A,1,0,0,1", "$TOT": "9"}
	f.Add(sound.build(), byte(1))
	sound.keywords = map[string]string{"$NEXTDATA": "100", "$BEGINSTEXT": "60", "$ENDSTEXT": "90", "$DFC1TO2": "1"}
	f.Add(sound.build(), byte(64))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readFCS(context.Background(), memory("x.fcs", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzText(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n3,\"x\"\"y\"\n"), byte(0))
	f.Add([]byte("# c\r\na;b;c\r\n1,5;NA;x\r\n-inf;1e39;\"two\r\nlines\"\r\n"), byte(1))
	f.Add([]byte("1 2 3\n 4 5  6 \n"), byte(5))
	f.Add([]byte(utf16Text("a\tb\n1\t2\n", true)), byte(0))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		if len(b) == 0 {
			return // Open refuses it before
		}
		ds, err := readText(context.Background(), memory("x.csv", b, fuzzOptions(choice)), ".csv")
		fuzzed(t, ds, err)
		Detect(b, "")
	})
}

func FuzzNPY(f *testing.F) {
	f.Add(npyBytes(1, "<f4", false, "(3, 2)", floats(6)), byte(0))
	f.Add(npyBytes(2, ">i8", true, "(3, 1)", floats(6)), byte(1))
	f.Add(npyBytes(1, "|b1", false, "(24,)", floats(6)), byte(9))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readNPY(context.Background(), memory("x.npy", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzNPZ(f *testing.F) {
	array := npyBytes(1, "<f4", false, "(3, 2)", floats(6))
	f.Add(npzBytes(f, 0, "x.npy", array, "y.npy", npyBytes(1, "|S2", false, "(3,)", []byte("aabbcc"))), byte(0))
	f.Add(npzBytes(f, 8, "x.npy", array, "names.npy", npyBytes(1, "<U1", false, "(2,)", floats(2))), byte(65))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readNPZ(context.Background(), memory("x.npz", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzParquet(f *testing.F) {
	for _, n := range []int{2, 40} {
		b, err := os.ReadFile(foreignParquet(f, "x.parquet", parquetRows(n)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, byte(n))
	}
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readParquet(context.Background(), memory("x.parquet", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzArrow(f *testing.F) {
	f.Add(arrowBytes(f, false), byte(0))
	f.Add(arrowBytes(f, true), byte(9))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		if len(b) == 0 {
			return // Open refuses it before
		}
		ds, err := readArrow(context.Background(), memory("x.arrow", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzJSONLines(f *testing.F) {
	f.Add([]byte(jsonSample), byte(0))
	f.Add([]byte("{\"a\": {\"b\": [1, \"x\"]}, \"v\": []}\n{\"v\": [1, null]}"), byte(9))
	f.Fuzz(func(t *testing.T, b []byte, choice byte) {
		ds, err := readJSONLines(context.Background(), memory("x.jsonl", b, fuzzOptions(choice)))
		fuzzed(t, ds, err)
	})
}

func FuzzNumber(f *testing.F) {
	for _, s := range []string{"1", "-1.5e3", "16777217", ".5", "1e400", "--"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if n := scanNumber([]byte(s), '.'); n.length > 0 {
			want, is := slowNumber([]byte(s[:n.length]), '.')
			if want != n.value || is&overflow != n.is&overflow {
				t.Fatalf("%q: %v, strconv says %v", s[:n.length], n.value, want)
			}
			x, _ := strconv.ParseFloat(s[:n.length], 64)
			if n.is&inexact == 0 && float64(n.value) != x ||
				n.is&overflow == 0 && n.float64([]byte(s[:n.length]), '.') != x {
				t.Fatalf("%q: %v and %v, strconv says %v", s[:n.length], n.value,
					n.float64([]byte(s[:n.length]), '.'), x)
			}
		}
	})
}

// A damaged file's promises take no memory: at most twice what it has, and room for buffers.
func TestPromisesTakeNoMemory(t *testing.T) {
	f := twoColumns(300_000)
	f.keywords = map[string]string{"$TOT": "400000000"}
	whole := f.build()
	begin := int64(len(whole) - len(f.data))
	f.header, f.textData = &[4]int64{-1, -1, 0, 0}, &[2]int64{begin, begin + 8*400_000_000 - 1}
	array := npyBytes(1, "<f4", false, "(400000000, 2)", floats(600_000))
	for name, file := range map[string][]byte{
		"x.fcs": f.build(),
		"y.fcs": append(twoColumns(300_000).build()[:2_000_000], 0),
		"x.npy": array,
		"x.npz": npzBytes(t, 0, "x.npy", array),
		"x.csv": []byte("x,y\n" + strings.Repeat("1,2\n", 600_000) + "1"),
	} {
		path := write(t, name, file)
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, err := Open(ctx, path, Options{Memory: 1 << 50})
		runtime.ReadMemStats(&after)
		taken := after.TotalAlloc - before.TotalAlloc
		limit := 2*len(file) + 16<<20
		if name == "x.csv" {
			limit += 8 * 600_000 // all rows but the last are sound, and kept until it is met
		}
		wantProblem(t, err, name)
		if taken > uint64(limit) {
			t.Errorf("%s of %d bytes: %d were taken", name, len(file), taken)
		}
	}
}
