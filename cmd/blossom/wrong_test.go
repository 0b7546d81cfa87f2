package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Exit codes and the one line on standard error, for command lines that are wrong.
func TestWrongUsage(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	for line, word := range map[string]string{
		"embed":                             "nothing is named to work on: usage",
		"embed a.csv":                       "output",
		"convert a.csv b.csv c.csv":         "c.csv",
		"embed a.csv -o c.csv --frobnicate": "--frobnicate",
		"embed a.csv -o c.csv --k ten":      `--k: "ten" is not a whole number: `,
		"embed a.csv -o c.csv --k 99999999999999999999999": `--k: "99999999999999999999999" is too large: `,
		"embed a.csv -o c.csv --seed -1":                   `--seed: "-1" is not a whole number from 0: `,
		"embed a.csv -o c.csv --epochs x":                  `--epochs: "x" is not a number: `,
		"embed a.csv -o c.csv --scale=perhaps":             `--scale: "perhaps" is not deviation, robust or none: `,
		"embed a.csv -o c.csv --part":                      "--part",
		"embed a.csv -o c.csv --k 0":                       "--k",
		"embed a.csv -o c.csv --boost -1":                  "--boost",
		"embed a.csv -o c.csv --boost 1x":                  `"1x" is not a number`,
		"embed a.csv -o c.csv --adjust 0.2,3":              `"0.2,3" is not a number`,
		"embed a.csv -o c.csv --part 2x":                   `"2x" is not a number from 1`,
		"embed a.csv -o c.csv --dims 4":                    "dims",
		"embed a.csv -o c.csv --som 20":                    "20",
		"embed a.csv -o c.csv --som 3x3 --kmeans 9":        "one place",
		"embed a.csv -o c.csv --landmarks-hd a.csv":        "--landmarks-ld",
		"embed a.csv -o c.csv --engine abacus":             "abacus",
		"embed a.csv -o c.csv --transform sqrt":            "sqrt",
		"embed a.csv -o c.csv --sample last":               "--sample",
		"embed a.csv -o c.xlsx":                            "c.xlsx",
		"embed demo:mammoth:many -o c.csv":                 "many",
		"train a.csv -o c.csv":                             ".json",
		"render a.csv -o c.jpg":                            "PNG",
		"render a.csv -o c.png --palette rainbow":          "viridis",
		"render a.csv -o c.png --size 10":                  "--size",
		"render a.csv -o c.png --range 9:1":                "--range",
		"convert a.csv":                                    `2 names are needed, only "a.csv" is given: usage`,
		"convert a.csv b.xlsx":                             "b.xlsx",
		"demo mamoth -o c.csv":                             "mammoth",
		"demo -o c.csv":                                    "name",
		"info":                                             "nothing is named to work on: usage",
		"bench speed":                                      "embed",
		"doctor a.csv":                                     `"a.csv" is more than the command takes: usage`,
		"demo:mammut":                                      "mammoth",
		"demo:mammoth:x":                                   `"x"`,
		"--theme pink":                                     "pink",
		"embed a.csv -o c.csv --columns= --k 3":            `--columns "" says nothing`,
		"embed a.csv -o c.csv --kmeans 0":                  "--kmeans 0 says nothing",
		"embed a.csv -o c.csv --max-points 0":              "--max-points 0 says nothing",
		"embed - --join - -o c.csv":                        "named 2 times",
		"render a.csv -o c.png --size 99999x99999":         "99999 x 99999 pixels",
	} {
		if buildTags != "" && strings.HasPrefix(line, "--theme") {
			continue // a flag of the window
		}
		t.Run(line, func(t *testing.T) {
			r := blossom(t, dir, strings.Fields(line)...)
			r.refused(t, exitUsage, word)
			for _, leak := range []string{"strconv", "parsing", "arg(s)", "invalid argument", "syntax"} {
				if strings.Contains(r.stderr, leak) {
					t.Errorf("words of the programming language: %q", r.stderr)
				}
			}
		})
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("a wrong command line left %q", got)
	}
}

// Inputs that are broken or odd: each is refused in one line that names the file, or works.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("good.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	write(t, at("empty.csv"), "")
	write(t, at("header.csv"), "x,y,z\n")
	write(t, at("text.csv"), "a,b\nfoo,bar\nbar,foo\n")
	write(t, at("binary.dat"), "\x00\x01\x02\xff\xfe\x00garbage\x00")
	write(t, at("nan.csv"), "x,y\nNaN,NaN\nNaN,NaN\n")
	write(t, at("cut.fcs"), "FCS3.0         256    1024")
	if err := os.Mkdir(at("folder"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o666); err != nil {
		t.Fatal(err)
	}
	for input, word := range map[string]string{
		"missing.csv": "missing.csv: ", "empty.csv": "empty", "header.csv": "header.csv: ", "text.csv": "text.csv: ",
		"binary.dat": "binary.dat: ", "nan.csv": "nan.csv: no column has a number: open a table",
		"cut.fcs": "cut.fcs: ", "folder": "folder", "pipe": "pipe", "/dev/null": "/dev/null: ",
	} {
		t.Run(strings.TrimPrefix(input, "/"), func(t *testing.T) {
			start := time.Now()
			blossom(t, dir, "embed", input, "-o", "out.csv").refused(t, exitFailed, word)
			if d := time.Since(start); d > 2*time.Minute {
				t.Errorf("it took %v", d)
			}
			if _, err := os.Lstat(at("out.csv")); err == nil {
				t.Error("there is an output")
			}
		})
	}
	t.Run("unknown column", func(t *testing.T) {
		write(t, at("named.csv"), "CD3,CD4,CD19\n1,2,3\n4,5,6\n7,8,10\n")
		blossom(t, dir, "embed", "named.csv", "--columns", "CD3,CDI9", "-o", "out.csv").refused(t, exitFailed,
			`"CDI9"`, `did you mean "CD19"`)
		blossom(t, dir, "embed", "named.csv", "--exclude", "9", "-o", "out.csv").refused(t, exitFailed, "9", "1 to 3")
		blossom(t, dir, "embed", "named.csv", "--transform", "CD44=asinh:5", "-o", "out.csv").refused(t, exitFailed,
			`did you mean "CD4"`)
		blossom(t, dir, "render", "named.csv", "--colour", "CD5", "-o", "out.png").refused(t, exitFailed,
			`no column "CD5"`)
	})
	t.Run("landmarks that do not fit", func(t *testing.T) {
		write(t, at("hd.csv"), "a,b\n0,0\n1,1\n0,1\n")
		write(t, at("ld.csv"), "x,y\n0,0\n1,1\n0,1\n")
		write(t, at("short.csv"), "x,y\n0,0\n1,1\n")
		write(t, at("line.csv"), "x\n0\n1\n2\n")
		write(t, at("holes.csv"), "x,y\n0,0\nNaN,1\n0,1\n")
		blossom(t, dir, "embed", "good.csv", "--landmarks-hd", "hd.csv", "--landmarks-ld", "ld.csv", "-o",
			"out.csv").refused(t, exitFailed, "3 columns", "have 2")
		blossom(t, dir, "embed", "hd.csv", "--landmarks-hd", "hd.csv", "--landmarks-ld", "short.csv", "-o",
			"out.csv").refused(t, exitFailed, "short.csv", "2 rows")
		blossom(t, dir, "embed", "hd.csv", "--landmarks-hd", "hd.csv", "--landmarks-ld", "line.csv", "-o",
			"out.csv").refused(t, exitFailed, "line.csv")
		blossom(t, dir, "embed", "hd.csv", "--landmarks-hd", "holes.csv", "--landmarks-ld", "ld.csv", "-o",
			"out.csv").refused(t, exitFailed, "holes.csv")
		blossom(t, dir, "embed", "hd.csv", "--landmarks", "good.csv", "-o", "out.csv").refused(t, exitFailed,
			"good.csv")
	})
	t.Run("odd but usable", func(t *testing.T) {
		write(t, at("row.csv"), "x,y\n1,2\n")
		write(t, at("column.csv"), "x\n1\n2\n3\n4\n")
		write(t, at("same.csv"), "x,y\n5,5\n5,5\n5,5\n")
		write(t, at("huge.csv"), "x,y\n1e38,-1e38\n-1e38,1e38\n3e38,3e38\n0,1\n")
		write(t, at("inf.csv"), "x,y\n1,2\ninf,3\n2,-inf\n3,1\n")
		for name, n := range map[string]int{"column.csv": 4, "huge.csv": 4, "inf.csv": 4} {
			ok(t, dir, "embed", name, "-o", "out.npy")
			if got := read(t, at("out.npy")).Points; got != n {
				t.Errorf("%s: %d points, want %d", name, got, n)
			}
		}
		// Columns that are all constant are left out, and can be asked for.
		blossom(t, dir, "embed", "same.csv", "-o", "out.csv").refused(t, exitFailed,
			"same.csv: all 2 columns are constant: ", "--columns x,y")
		for _, name := range []string{"row.csv", "same.csv"} {
			ok(t, dir, "embed", name, "--columns", "x,y", "-o", "out.npy")
			for _, c := range read(t, at("out.npy")).Columns {
				if c.Stats.Invalid > 0 {
					t.Errorf("%s: %d points have no place", name, c.Stats.Invalid)
				}
			}
		}
		r := ok(t, dir, "embed", "good.csv", "--som", "2x2", "--k", "50", "-o", "out.npy")
		if !strings.Contains(r.stderr, "more than the 4 landmarks") {
			t.Errorf("k above g: %q", r.stderr)
		}
		if r := ok(t, dir, "embed", "good.csv", "--som", "2x2", "--k", "50", "-o", "out.npy",
			"--quiet"); r.stderr != "" {
			t.Errorf("not quiet: %q", r.stderr)
		}
	})
	t.Run("70,000 columns", func(t *testing.T) {
		var b strings.Builder
		for i := range 70_000 {
			fmt.Fprintf(&b, "%d,", i%7)
		}
		row := strings.TrimSuffix(b.String(), ",") + "\n"
		write(t, at("wide.csv"), row+strings.ReplaceAll(row, "3", "8")+strings.ReplaceAll(row, "5", "1"))
		var got infoFiles
		parse(t, ok(t, dir, "info", "--json", "wide.csv").stdout, &got)
		if n := len(got.Files[0].Columns); n != 70_000 {
			t.Errorf("%d columns", n)
		}
	})
}

// FCS files whose keywords are wrong: refused in a line, or read with a warning.
func TestWrongFCS(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "40", "-o", "good.fcs")
	sound := text(t, filepath.Join(dir, "good.fcs"))
	at := strings.Index(sound, "$PAR")
	delimiter := sound[at-1 : at]
	edit := func(name, keyword, value string) {
		before, rest, ok := strings.Cut(sound, delimiter+keyword+delimiter)
		old, after, ok2 := strings.Cut(rest, delimiter)
		if !ok || !ok2 || len(value) > len(old) {
			t.Fatalf("%s of %q cannot be made %q", keyword, old, value)
		}
		value += strings.Repeat(" ", len(old)-len(value)) // offsets stay
		write(t, filepath.Join(dir, name), before+delimiter+keyword+delimiter+value+delimiter+after)
	}
	edit("par.fcs", "$PAR", "0")
	edit("few.fcs", "$PAR", "2")
	edit("bits.fcs", "$P1B", "7")
	edit("type.fcs", "$DATATYPE", "A")
	edit("order.fcs", "$BYTEORD", "x")
	for name, word := range map[string]string{"par.fcs": "$PAR is 0", "few.fcs": "contradicts itself",
		"bits.fcs": "7 bits", "type.fcs": "$DATATYPE A", "order.fcs": "$BYTEORD"} {
		blossom(t, dir, "convert", name, "out.csv").refused(t, exitFailed, name+": ", word)
	}
	edit("tot.fcs", "$TOT", "39")
	var got infoFiles
	parse(t, ok(t, dir, "info", "--json", "tot.fcs").stdout, &got)
	if f := got.Files[0]; f.Points != 40 || len(f.Warnings) != 1 || !strings.Contains(f.Warnings[0], "$TOT") {
		t.Errorf("%d points, %q", f.Points, f.Warnings)
	}
}

// A file that grows while it is read is refused: half of it would be of another table.
func TestChangingFile(t *testing.T) {
	dir := t.TempDir()
	path := write(t, filepath.Join(dir, "a.csv"), "x,y\n"+strings.Repeat("1.25,2.5\n3.75,4\n", 1_500_000))
	c := command(t, dir, "convert", "a.csv", "out.npy")
	ended := make(chan struct{})
	var writer sync.WaitGroup
	writer.Go(func() {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		defer f.Close()
		for {
			select {
			case <-ended:
				return
			case <-time.After(2 * time.Millisecond):
				if _, err := f.WriteString("5,6\n"); err != nil {
					t.Error(err)
				}
			}
		}
	})
	r := finish(t, c)
	close(ended)
	writer.Wait()
	r.refused(t, exitFailed, "a.csv: changed while it was read")
	if _, err := os.Lstat(filepath.Join(dir, "out.npy")); err == nil {
		t.Error("there is an output")
	}
}

// Files cut anywhere are refused or read as what is there, in bounded time, without a crash.
func TestCutFiles(t *testing.T) {
	dir := t.TempDir()
	for _, ext := range []string{".fcs", ".npy", ".csv"} {
		name := "whole" + ext
		ok(t, dir, "demo", "tesseract", "--points", "40", "-o", name)
		whole, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		var inputs []string
		for i := range 12 {
			cut := fmt.Sprintf("cut%02d%s", i, ext)
			write(t, filepath.Join(dir, cut), string(whole[:1+i*(len(whole)-40)/11]))
			inputs = append(inputs, cut)
		}
		r := blossom(t, dir, append([]string{"info", "--json"}, inputs...)...)
		if r.code > exitFailed || strings.Contains(r.stderr, "panic") {
			t.Errorf("%s: exit code %d: %s", ext, r.code, r.stderr)
		}
		for _, line := range strings.Split(strings.TrimSpace(r.stderr), "\n") {
			if line != "" && !strings.HasPrefix(line, "blossom: cut") {
				t.Errorf("%s: %q", ext, line)
			}
		}
		if ext != ".csv" && strings.Count(r.stderr, "\n") != len(inputs) {
			t.Errorf("%s: %d of %d cut files are refused", ext, strings.Count(r.stderr, "\n"), len(inputs))
		}
	}
}

// A file that is larger than memory is refused before memory is taken, with a way out.
func TestSparseFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("sparse files and peak memory are looked at on Linux")
	}
	dir := t.TempDir()
	header := "{'descr': '<f4', 'fortran_order': False, 'shape': (167772160, 32), }"
	header += strings.Repeat(" ", 117-len(header)) + "\n"
	for name, head := range map[string]string{
		"big.npy": "\x93NUMPY\x01\x00\x76\x00" + header,
		"big.csv": "a,b\n1,2\n3,4\n",
	} {
		path := write(t, filepath.Join(dir, name), head)
		if err := os.Truncate(path, 20<<30+128); err != nil {
			t.Skipf("this file system has no sparse files: %v", err)
		}
		start := time.Now()
		r := blossom(t, dir, "info", name, "--json")
		r.refusedOutput(t, exitFailed, name)
		if name == "big.npy" && !strings.Contains(r.stderr, "--max-points") {
			t.Errorf("no way out: %q", r.stderr)
		}
		if peak := r.state.SysUsage().(*syscall.Rusage).Maxrss; peak > 1<<20 { // KiB
			t.Errorf("%s: it took %d MiB", name, peak>>10)
		}
		if d := time.Since(start); d > 2*time.Minute {
			t.Errorf("%s: it took %v", name, d)
		}
	}
	r := ok(t, dir, "info", "big.npy", "--max-points", "1000")
	if !strings.Contains(r.stdout, "1000 points") || !strings.Contains(r.stdout, "167772160") {
		t.Errorf("%.300s", r.stdout)
	}
}

// Outputs that cannot be written: the error names the place, and nothing is left behind.
func TestBadOutput(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	blossom(t, dir, "convert", "a.csv", "nowhere/b.csv").refused(t, exitFailed, "nowhere/b.csv", "folder")
	blossom(t, dir, "convert", "a.csv", ".").refused(t, exitFailed, "folder")
	if runtime.GOOS == "linux" {
		blossom(t, dir, "convert", "a.csv", "/dev/full").refused(t, exitFailed, "/dev/full", "full")
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer full.Close()
		for _, args := range [][]string{{"info", "a.csv"}, {"info", "--json", "a.csv"}, {"demo"},
			{"convert", "a.csv", "-"}, {"doctor", "--json"}} {
			c := command(t, dir, args...)
			c.Stdout = full
			finish(t, c).refused(t, exitFailed, "standard output")
		}
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("a failed command left %q", got)
	}
}

// Names to be opened in a window are looked at before there is one: also where there is no display.
func TestMistyped(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "empty.csv"), "")
	if err := os.Mkdir(filepath.Join(dir, "nothing"), 0o755); err != nil {
		t.Fatal(err)
	}
	for line, word := range map[string]string{
		"embde":              `embde: is neither a command nor a file: did you mean "blossom embed"?`,
		"rendr a.csv -q":     `did you mean "blossom render"?`,
		"missing.csv":        "missing.csv: does not exist",
		"demo:mammoth m.csv": "m.csv: does not exist",
		"qqqqqqqqq":          "qqqqqqqqq: does not exist",
		"empty.csv":          "empty.csv: is empty",
		"nothing":            "nothing: has no file of a format that can be read",
	} {
		c := command(t, dir, strings.Fields(line)...)
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
		finish(t, c).refused(t, exitFailed, word)
	}
}

// Engines whose names are promised and that this build does not have say so.
func TestEngineNotHere(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	for _, e := range doctorEngines(t) {
		if e.Available {
			continue
		}
		if e.Why == "" {
			t.Errorf("engine %s: no why", e.Name)
		}
		blossom(t, dir, "embed", "a.csv", "--engine", e.Name, "-o", "out.csv").refused(t, exitFailed, e.Name, e.Why)
	}
}

func doctorEngines(t *testing.T) map[string]engineHealth {
	t.Helper()
	var h health
	parse(t, ok(t, t.TempDir(), "doctor", "--json").stdout, &h)
	engines := map[string]engineHealth{}
	for _, e := range h.Engines {
		engines[e.Name] = e
	}
	for _, name := range []string{"cpu", "gl", "cuda", "reference"} {
		if _, listed := engines[name]; !listed {
			t.Errorf("doctor does not list engine %s", name)
		}
	}
	return engines
}

// An output that is one of the inputs, by any name, is refused and the input stays.
func TestOutputIsInput(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const points, places = "x,y,z\n1,2,3\n4,5,6\n7,8,10\n", "x,y\n0,0\n1,1\n0,1\n"
	files := map[string]string{"a.csv": points, "hd.csv": points, "ld.csv": places,
		"map.csv": "embedsom1,embedsom2\n0,0\n1,1\n0,1\n", "odd.png": points, "odd.json": points}
	for name, text := range files {
		write(t, at(name), text)
	}
	if err := os.Symlink("a.csv", at("link.csv")); err != nil {
		t.Fatal(err)
	}
	ok(t, dir, "train", "a.csv", "--som", "2x2", "-o", "trained.json")
	files["trained.json"] = text(t, at("trained.json"))
	for _, line := range []string{
		"embed a.csv -o a.csv",
		"embed a.csv -o ./link.csv",
		"embed link.csv -o DIR/a.csv",
		"embed a.csv --landmarks-hd hd.csv --landmarks-ld ld.csv -o hd.csv",
		"embed a.csv --landmarks-hd hd.csv --landmarks-ld ld.csv -o ld.csv",
		"embed a.csv --landmarks trained.json -o trained.json",
		"convert a.csv a.csv",
		"train odd.json -o odd.json",
		"render odd.png -o odd.png",
		"render a.csv --coordinates odd.png -o odd.png",
	} {
		args := strings.Fields(line) // and then the folder, whose name may have blanks
		args[len(args)-1] = strings.Replace(args[len(args)-1], "DIR", dir, 1)
		blossom(t, dir, args...).refused(t, exitFailed, "is the input: choose another name")
	}
	for name, was := range files {
		if text(t, at(name)) != was {
			t.Errorf("%s was changed", name)
		}
	}
	ok(t, dir, "convert", "a.csv", "hd.csv") // another file is replaced as ever
}

// As a user without rights: a file that cannot be read, a folder that cannot be written.
func TestNoPermission(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	secret := write(t, filepath.Join(dir, "secret.csv"), "x,y\n1,2\n3,5\n")
	closed := filepath.Join(dir, "closed")
	if err := os.Mkdir(closed, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(secret, 0); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) result {
		c := command(t, dir, args...)
		if os.Getuid() == 0 { // root may do everything: be nobody
			for d := dir; len(d) > len(os.TempDir()); d = filepath.Dir(d) {
				if err := os.Chmod(d, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		return finish(t, c)
	}
	run("info", "secret.csv").refused(t, exitFailed, "secret.csv", "permission")
	run("convert", "a.csv", "closed/b.csv").refused(t, exitFailed, "closed/b.csv", "permission")
	run("embed", "a.csv", "--som", "2x2", "-o", "closed/b.npy").refused(t, exitFailed, "closed/b.npy", "permission")
}

// An output that exists is replaced whole, or stays as it was.
func TestReplacing(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n")
	out := write(t, filepath.Join(dir, "out.csv"), "old")
	blossom(t, dir, "embed", "missing.csv", "-o", "out.csv").refused(t, exitFailed)
	if text, _ := os.ReadFile(out); string(text) != "old" {
		t.Errorf("a failed command changed the output: %q", text)
	}
	ok(t, dir, "embed", "a.csv", "--som", "2x2", "-o", "out.csv")
	if got := read(t, out); got.Points != 3 {
		t.Errorf("%d points", got.Points)
	}
	if got := names(t, dir); len(got) != 2 {
		t.Errorf("left behind: %q", got)
	}
}
