package format

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
)

func TestEveryFormatIsWhole(t *testing.T) {
	var names []string
	for _, f := range All() {
		names = append(names, f.Name)
		if f.Title == "" || len(f.Extensions) == 0 || f.Sniff == nil || f.Read == nil {
			t.Errorf("%+v lacks something", f)
		}
		for _, ext := range f.Extensions {
			if got, ok := ForPath("dir.x/Name" + strings.ToUpper(ext)); !ok || got.Name != f.Name {
				t.Errorf("%s belongs to %q", ext, got.Name)
			}
		}
	}
	if !slices.Equal(names, []string{"10x", "arrow", "csv", "fcs", "h5ad", "h5mu", "jsonl", "loom", "npy", "npz",
		"parquet", "tsv"}) {
		t.Errorf("%q", names)
	}
	if f, ok := ForPath("a.csv.gz"); !ok || f.Name != "csv" {
		t.Errorf("a.csv.gz is %q", f.Name)
	}
	if _, ok := ForPath("a.xlsx"); ok {
		t.Error("spreadsheets can be written")
	}
	defer func() {
		if recover() == nil {
			t.Error("a name was registered twice")
		}
	}()
	Register(Format{Name: "csv"})
}

// A file is what it holds, whatever it is called.
func TestContentBeforeName(t *testing.T) {
	csv := []byte("x,y\n1,2\n3,4\n5,6\n")
	fcs := twoColumns(3).build()
	npy := npyBytes(1, "<f4", false, "(3, 2)", floats(6))
	npz := npzBytes(t, 0, "x.npy", npy)
	for _, name := range []string{"a.fcs", "a.csv", "a.npy", "a.npz", "a.tsv", "a", "a.weird", "A.FCS"} {
		for want, content := range map[string][]byte{"csv": csv, "fcs": fcs, "npy": npy, "npz": npz,
			"tsv": []byte("x\ty\n1\t2\n3\t4\n5\t6\n")} {
			ds, err := Open(ctx, write(t, name, content), Options{})
			if err != nil {
				t.Errorf("%s called %s: %v", want, name, err)
			} else if ds.Format != want || ds.Points != 3 || len(ds.Columns) != 2 || ds.Name != name ||
				!filepath.IsAbs(ds.Path) || ds.Rev == 0 || ds.Total != 3 {
				t.Errorf("%s called %s: %s, %d x %d, %q", want, name, ds.Format, ds.Points, len(ds.Columns), ds.Name)
			}
		}
	}
}

// The bad inputs that people really have: each is one line that says which file, what, and what to do.
func TestBadInputs(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	file := func(name, content string) string {
		if err := os.WriteFile(at(name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	pipe := at("pipe.fcs")
	if err := makePipe(pipe); err != nil {
		t.Skip("no pipes here")
	}
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, say := range map[string]string{
		at("absent.csv"):                    "does not exist",
		at("absent/a.csv"):                  "does not exist",
		dir:                                 "is a folder",
		pipe:                                "is a pipe",
		at("socket"):                        "is a socket",
		"/dev/zero":                         "is a device",
		file("empty.csv", ""):               "is empty",
		file("empty.fcs", ""):               "is empty",
		file("short.fcs", "FCS3.0"):         "cut within its header",
		file("other.fcs", "oi21j08cn\n"):    "not an FCS file",
		file("other.npy", "oi21j08cn\x00"):  "not a NumPy array",
		file("other.npz", "\x00\x01"):       "no whole NumPy archive (it is cut",
		file("cut.npz", "PK\x03\x04 a.npy"): "it is cut, or not compressed as its name says",
		file("book.xlsx", "PK\x03\x04xl/workbook"):   "zip archive",
		file("cells.h5ad", "\x89HDF\r\n\x1a\n\x00"):  "HDF5",
		file("cells.parquet", "PAR1\x00\x00"):        "Parquet",
		file("noise.bin", "\x00\x01\x02\x03\xff"):    "no format",
		file("zeros.csv", strings.Repeat("\x00", 9)): "no format",
		file("a/b.csv"[2:], "x,y\n1\n"):              "line 2",
	} {
		if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && st.Size() > 0 {
			if err := CheckInput(path); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		} else {
			wantProblem(t, CheckInput(path), path, say)
		}
		done := make(chan error, 1)
		go func() {
			_, err := Open(ctx, path, Options{})
			done <- err
		}()
		select {
		case err := <-done:
			wantProblem(t, err, path, say)
		case <-time.After(5 * time.Minute): // a machine may do much else
			t.Fatalf("%s blocks", path)
		}
	}
	if os.Getuid() != 0 {
		secret := file("secret.csv", "x\n1\n")
		os.Chmod(secret, 0)
		_, err := Open(ctx, secret, Options{})
		wantProblem(t, err, secret, "no permission")
	}
	wantProblem(t, fileProblem(&fs.PathError{Op: "open", Path: "x.csv", Err: fs.ErrPermission}, "x.csv"), "x.csv",
		"no permission")
}

// A file of 20 GB of nothing on a machine of 24 GiB: refused before memory is taken, or sampled.
func TestTooLargeForMemory(t *testing.T) {
	dir := t.TempDir()
	const memory = 20 << 30
	sparse := func(name string, head []byte, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, head, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Skip("no sparse files here")
		}
		return path
	}
	const rows = 2_000_000_000
	npy := npyBytes(1, "<f4", false, "(2000000000, 2)", nil)
	path := sparse("big.npy", npy, int64(len(npy))+8*rows)
	_, err := Open(ctx, path, Options{Memory: memory})
	wantProblem(t, err, "big.npy", "memory", "2,000,000,000 points", "--max-points", "--sample random")
	ds, err := Open(ctx, path, Options{Memory: memory, MaxPoints: 50, Sample: "random", Seed: 1})
	if err != nil || ds.Points != 50 || ds.Total != rows || ds.Columns[0].Stats.Max != 0 {
		t.Errorf("sampled: %+v %v", ds, err)
	}
	f := twoColumns(0)
	f.keywords = map[string]string{"$TOT": "2000000000"}
	head := f.build()
	first := int64(len(head))
	f.header, f.textData = &[4]int64{-1, -1, 0, 0}, &[2]int64{first, first + 8*rows - 1}
	path = sparse("big.fcs", f.build(), first+8*rows)
	_, err = Open(ctx, path, Options{Memory: memory})
	wantProblem(t, err, "big.fcs", "memory", "--max-points")
	if ds, err = Open(ctx, path, Options{Memory: memory, MaxPoints: 50, Sample: "random"}); err != nil ||
		ds.Points != 50 || ds.Total != rows {
		t.Errorf("sampled: %+v %v", ds, err)
	}
	path = sparse("big.csv", []byte("x,y\n"+strings.Repeat("1.23456,2.34567\n", 100_000)), 20<<30)
	_, err = Open(ctx, path, Options{Memory: memory})
	wantProblem(t, err, "big.csv", "memory", "--max-points")
	// More points than can be counted, however much memory there is.
	one := npyBytes(1, "|u1", false, "(3000000000,)", nil)
	_, err = Open(ctx, sparse("many.npy", one, int64(len(one))+3_000_000_000), Options{Memory: 1 << 50})
	wantProblem(t, err, "many.npy", "more than the 2,147,483,647", "--max-points 1000000000")
	_, err = Open(ctx, write(t, "small.csv", []byte("x\n1\n")), Options{Memory: 1000})
	wantProblem(t, err, "small.csv", "more memory")
}

// A table that grows far beyond what its beginning promised is refused on the way.
func TestEstimateTooLow(t *testing.T) {
	text := "x,y\n" + strings.Repeat("1,"+strings.Repeat("0", 10_000)+"2\n", 200) + strings.Repeat("1,2\n", 3_000_000)
	_, err := Open(ctx, write(t, "t.csv", []byte(text)), Options{Memory: bytesOfSlack + 100_000*48})
	wantProblem(t, err, "t.csv", "memory", "--max-points")
}

func TestChangedWhileRead(t *testing.T) {
	for name, content := range map[string][]byte{
		"t.csv": []byte(longTable(100_000)), "t.fcs": twoColumns(500_000).build(),
		"t.npy": npyBytes(1, "<f4", false, "(2000000,)", floats(2_000_000)),
	} {
		path := write(t, name, content)
		once := false
		_, err := Open(ctx, path, Options{Progress: func(done, total int64) {
			if !once {
				once = true
				f, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
				f.WriteString("9")
				f.Close()
			}
		}})
		wantProblem(t, err, name, "changed while it was read")
	}
}

func TestProgressAndCancel(t *testing.T) {
	million := floats(1_000_000)
	contents := map[string][]byte{
		"t.csv": []byte(longTable(60_000)), "t.fcs": twoColumns(400_000).build(),
		"t.npy": npyBytes(1, "<f4", false, "(1000000,)", million),
		"t.npz": npzBytes(t, 8, "a.npy", npyBytes(1, "<f4", true, "(500000, 2)", million)),
	}
	if testing.Short() {
		delete(contents, "t.npz") // is read as npy is, once it is unpacked
	}
	for name, content := range contents {
		for _, o := range []Options{{}, {MaxPoints: 1000, Sample: "random"}} {
			path := write(t, name, content)
			var last, end int64
			calls := 0
			o.Progress = func(done, total int64) {
				calls++
				if done < last || done > total {
					t.Errorf("%s: progress %d after %d of %d", name, done, last, total)
				}
				last, end = done, total
			}
			if _, err := Open(ctx, path, o); err != nil {
				t.Fatal(err)
			}
			if calls < 2 || last != end {
				t.Errorf("%s %+v: %d reports, the last %d of %d", name, o.MaxPoints, calls, last, end)
			}
			stop, cancel := context.WithCancel(ctx)
			calls = 0
			o.Progress = func(done, total int64) { calls++; cancel() }
			if _, err := Open(stop, path, o); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: cancelled after the first report, and %v", name, err)
			}
			if calls > 6 {
				t.Errorf("%s: went on for %d reports after it was cancelled", name, calls)
			}
		}
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(gone, "nothing", Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestSampleIsSaid(t *testing.T) {
	ds := openText(t, "x\n1\n2\n3\n4\n", Options{MaxPoints: 2, Sample: dataset.SampleFirst})
	if ds.Points != 2 || ds.Total != 4 || ds.Columns[0].Stats.Max != 2 {
		t.Errorf("%+v", ds)
	}
	_, err := Open(ctx, write(t, "x.csv", []byte("x\n1\n2\n")), Options{MaxPoints: 1, Sample: "every"})
	wantProblem(t, err, "x.csv", "every")
}
