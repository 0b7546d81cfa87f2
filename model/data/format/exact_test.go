package format

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

// float64Files writes columns of float64 in every format that can hold them, and says how each is called.
func float64Files(t testing.TB, columns [][]float64) map[string]string {
	rows := len(columns[0])
	var byRow, byColumn []byte
	var text, european strings.Builder
	for j := range columns {
		for _, v := range columns[j] {
			byColumn = binary.LittleEndian.AppendUint64(byColumn, math.Float64bits(v))
		}
	}
	names := make([]string, len(columns))
	ds := &dataset.Dataset{Points: rows}
	for j := range columns {
		names[j] = fmt.Sprintf("x%d", j)
		c := dataset.Column{Name: names[j], Exact: columns[j]} // makes the writer write float64
		for _, v := range columns[j] {
			c.Values = append(c.Values, float32(v))
		}
		ds.Columns = append(ds.Columns, c)
	}
	fmt.Fprintln(&text, strings.Join(names, ","))
	fmt.Fprintln(&european, strings.Join(names, ";"))
	for i := range rows {
		var cells []string
		for j := range columns {
			byRow = binary.BigEndian.AppendUint64(byRow, math.Float64bits(columns[j][i]))
			cells = append(cells, strconv.FormatFloat(columns[j][i], 'g', -1, 64))
		}
		fmt.Fprintln(&text, strings.Join(cells, ","))
		fmt.Fprintln(&european, strings.ReplaceAll(strings.Join(cells, ";"), ".", ","))
	}
	shape := fmt.Sprintf("(%d, %d)", rows, len(columns))
	fortran := npyBytes(1, "<f8", true, shape, byColumn)
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	w, err := z.Create("a.npy")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write(fortran)
	_ = z.Close()
	var fcs bytes.Buffer
	if err := writeFCS(ctx, &fcs, ds, func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"rows.npy": npyBytes(1, ">f8", false, shape, byRow),
		"columns.npy": fortran, "packed.npz": archive.Bytes(), "text.csv": []byte(text.String()),
		"european.csv": []byte(european.String()), "double.fcs": fcs.Bytes()} {
		out[name] = filepath.Join(dir, name)
		if err := os.WriteFile(out[name], content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// moments returns mean and deviation in float64, in two passes around the first value.
func momentsOf(v []float64) (mean, sd float64) {
	for _, x := range v {
		mean += x - v[0]
	}
	mean /= float64(len(v))
	for _, x := range v {
		d := x - v[0] - mean
		sd += d * d
	}
	return v[0] + mean, math.Sqrt(sd / float64(len(v)-1))
}

// Whatever the offset and the spread of a column, it is held to 1e-6 of its spread (far values to 6e-8 of their
// distance), with its statistics; and where it is held as float64, no format loses a digit of it.
func TestColumnsThatFloat32CannotHold(t *testing.T) {
	outer := t
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		n := rapid.IntRange(30, 120).Draw(t, "rows")
		columns := make([][]float64, rapid.IntRange(2, 3).Draw(t, "columns"))
		for j := range columns {
			spread := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "spread"))
			offset := spread * math.Pow(10, rapid.Float64Range(-2, 9).Draw(t, "offset"))
			tail := rapid.SampledFrom([]float64{0, 0, 1, 2}).Draw(t, "tail")
			whole := rapid.Bool().Draw(t, "whole")
			for range n {
				x := offset + spread*rng.NormFloat64()*math.Exp(tail*rng.NormFloat64())
				if whole {
					x = math.Round(x)
				}
				columns[j] = append(columns[j], x)
			}
		}
		files := float64Files(outer, columns)
		for _, name := range slices.Sorted(maps.Keys(files))[rapid.IntRange(0, 5).Draw(t, "file"):][:1] {
			path := files[name]
			ds, err := Open(ctx, path, Options{})
			if err != nil {
				t.Fatal(name, err)
			}
			for j, want := range columns {
				checkExact(t, name, &ds.Columns[j], want)
			}
			for _, format := range []string{"csv", "npy", "fcs"} {
				f, _ := byName(format)
				var content bytes.Buffer
				if err := f.Write(ctx, &content, ds, func(int64, int64) {}); err != nil {
					t.Fatal(err)
				}
				out := filepath.Join(filepath.Dir(path), "again."+format)
				if err := os.WriteFile(out, content.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
				back, err := Open(ctx, out, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for j := range ds.Columns {
					for i := range n {
						a, b := ds.Columns[j].At(i), back.Columns[j].At(i)
						if a != b && (ds.Columns[j].Exact != nil || float32(a) != float32(b)) {
							t.Fatalf("%s, %s: column %d row %d: %v became %v", name, out, j, i, a, b)
						}
					}
				}
			}
		}
	})
}

func checkExact(t *rapid.T, name string, c *dataset.Column, want []float64) {
	sorted := slices.Sorted(slices.Values(want))
	mean, sd := momentsOf(want)
	low, median, high := sorted[len(sorted)/4], sorted[len(sorted)/2], sorted[3*len(sorted)/4]
	spread := min((high-low)/1.349, sd)
	if spread == 0 {
		spread = sd
	}
	held := 2e-6 * spread // quartiles are those of the sample here, interpolated there
	for i, x := range want {
		if d := math.Abs(c.At(i) - x); d > held+7e-8*math.Abs(x-median) {
			t.Fatalf("%s, row %d: %v is held as %v, spread %v, median %v", name, i, x, c.At(i), spread, median)
		}
	}
	outer := math.Abs(c.Stats.Max) + math.Abs(c.Stats.Min)
	if math.Abs(c.Stats.Mean-mean) > 2e-6*sd+1e-15*outer || math.Abs(c.Stats.SD-sd) > 4e-6*sd+1e-15*outer {
		t.Fatalf("%s: mean %v, sd %v, want %v, %v", name, c.Stats.Mean, c.Stats.SD, mean, sd)
	}
	if q := c.Quantiles(0, 1); math.Abs(q[0]-sorted[0]) > 1e-6*sd+1e-7*(sorted[len(sorted)-1]-sorted[0]) ||
		q[1] != c.Stats.Max {
		t.Fatalf("%s: quantiles %v, want %v", name, q, sorted[0])
	}
}

func TestWholeNumbersAreExact(t *testing.T) {
	for _, offset := range []int64{1 << 24, 1 << 31, 1_700_000_000_000_000_000 / 1000} {
		var text strings.Builder
		var signed, unsigned []byte
		text.WriteString("row,y\n")
		const n = 1000
		for i := range int64(n) {
			fmt.Fprintf(&text, "%d,%d.5\n", offset+i, i)
			signed = binary.LittleEndian.AppendUint64(signed, uint64(-offset-i))
			unsigned = binary.LittleEndian.AppendUint64(unsigned, uint64(offset+i))
		}
		dir := t.TempDir()
		for name, content := range map[string][]byte{"a.csv": []byte(text.String()),
			"i.npy": npyBytes(1, "<i8", false, "(1000,)", signed),
			"u.npy": npyBytes(1, "<u8", false, "(1000,)", unsigned)} {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, most := range []int{0, 100} {
				ds, err := Open(ctx, path, Options{MaxPoints: most, Sample: "random"})
				if err != nil {
					t.Fatal(err)
				}
				c := &ds.Columns[0]
				if len(c.Exact) != ds.Points || len(ds.Warnings) > 0 {
					t.Fatalf("%s from %d on: %d exact values of %d, %q", name, offset, len(c.Exact), ds.Points,
						ds.Warnings)
				}
				if d := c.Distinct(0); d != ds.Points || c.Stats.SD < 200 || c.Stats.SD > 400 {
					t.Errorf("%s from %d on: %d different of %d, sd %v", name, offset, d, ds.Points, c.Stats.SD)
				}
				if most == 0 {
					for i := range n {
						if want := float64(offset) + float64(i); math.Abs(c.At(i)) != want {
							t.Fatalf("%s: row %d is %v, want %v", name, i, c.At(i), want)
						}
					}
				}
				if len(ds.Columns) > 1 && ds.Columns[1].Exact != nil {
					t.Error("an ordinary column was kept twice")
				}
			}
		}
	}
}

// Values that float32 holds are not kept twice, and a file of such is read once.
func TestOrdinaryColumnsAreKeptOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("fluorescence,year,half,zero,small\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "%g,%d,%g,0.00,%g\n", math.Exp(float64(i%97)/8)+0.1, 2000+i%20, 5000.5+float64(i%2),
			-1+float64(i)/1000)
	}
	text := b.String()
	read := int64(0)
	ds := openText(t, text, Options{Progress: func(done, _ int64) { read = done }})
	for _, c := range ds.Columns {
		if c.Exact != nil {
			t.Errorf("%s is kept twice", c.Name)
		}
	}
	if read > int64(len(text)) {
		t.Errorf("%d bytes of %d were read", read, len(text))
	}
}

// A column that is kept twice counts twice: what does not fit is refused before it is taken.
func TestExactColumnsCountAsMemory(t *testing.T) {
	var text strings.Builder
	text.WriteString("x\n")
	for i := range 60_000 {
		fmt.Fprintln(&text, 1<<40+i)
	}
	path := write(t, "t.csv", []byte(text.String()))
	const rows, slack = 60_000, bytesOfSlack
	if _, err := Open(ctx, path, Options{Memory: slack + rows*(bytesPerPoint+2*bytesPerValue)}); err != nil {
		t.Error(err)
	}
	_, err := Open(ctx, path, Options{Memory: slack + rows*(bytesPerPoint+3*bytesPerValue/2)})
	wantProblem(t, err, "t.csv", "memory", "--max-points")
}

// Thousands that are marked have all their digits too.
func TestMarkedThousandsAreExact(t *testing.T) {
	ds := openText(t, "a;b\n1.000.000.001,25;1\n1.000.000.002,5;2\n1.000.000.003,75;3\n", Options{})
	for i, want := range []float64{1000000001.25, 1000000002.5, 1000000003.75} {
		if got := ds.Columns[0].At(i); got != want {
			t.Errorf("row %d: %v, want %v", i, got, want)
		}
	}
}
