package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/gpu/bench/table"
)

// told is what bench writes for programs, as far as the tests look at it.
type told struct {
	Sizes struct{ Done, Of int }
	Rows  []contest.Row
	Means []contest.Mean
}

// interruptedGrid runs the papers' grid until some sizes are done, and then sends the signal.
func interruptedGrid(t *testing.T, signal os.Signal, args ...string) (result, told, string) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "numbers.json")
	c := command(t, dir, append([]string{"bench", "embed", "--engine", "cpu", "--grid", "papers", "--points", "500",
		"--repeats", "3", "-o", file}, args...)...)
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	var numbers told
	for start := time.Now(); numbers.Sizes.Done < 2; time.Sleep(time.Millisecond) {
		if text, err := os.ReadFile(file); err == nil {
			if err := json.Unmarshal(text, &numbers); err != nil {
				t.Fatalf("while it measures the file is not whole: %v", err)
			}
		}
		if time.Since(start) > time.Minute {
			c.Process.Kill()
			c.Wait()
			t.Fatalf("nothing was written: %s", said.String())
		}
	}
	if err := c.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	c.Wait() // the exit code tells
	r := result{code: c.ProcessState.ExitCode(), stdout: out.String(), stderr: said.String()}
	if r.code != exitInterrupted || r.stderr != "blossom: interrupted\n" {
		t.Errorf("exit code %d, %q", r.code, r.stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	numbers = told{}
	parse(t, string(text), &numbers)
	if n := numbers.Sizes; n.Done < 2 || n.Of != 80 || n.Done == n.Of || n.Done != len(contest.Sizes(numbers.Rows)) {
		t.Errorf("sizes %+v, of %d rows", n, len(numbers.Rows))
	}
	if left := names(t, dir); len(left) != 1 {
		t.Errorf("it left %q", left)
	}
	return r, numbers, file
}

// Rows measured before an interrupt are told, in the table and in the file.
func TestInterruptedBenchKeepsWhatWasMeasured(t *testing.T) {
	r, numbers, file := interruptedGrid(t, os.Interrupt)
	_, text, _ := strings.Cut(r.stdout, "\n") // after the machine
	head, means := contest.MeansTable(numbers.Means, numbers.Sizes.Done, 80)
	want := ""
	for _, size := range contest.Sizes(numbers.Rows) {
		var rows []any
		for _, r := range size {
			rows = append(rows, r)
		}
		want += "\n" + contest.Head(size[0]) + "\n" + table.Of(contest.Columns, rows).Text()
	}
	if want += "\n" + head + "\n" + means.Text(); text != want || !strings.Contains(head, " of 80 sizes") {
		t.Errorf("printed:\n%s\nmeasured:\n%s", text, want)
	}
	again := ok(t, filepath.Dir(file), "bench", "embed", "--from", file, "--json").stdout
	var same told
	parse(t, again, &same)
	if fmt.Sprint(same) != fmt.Sprint(numbers) {
		t.Errorf("read again they are other numbers: %s", again)
	}
}

func TestInterruptedBenchPrintsJSON(t *testing.T) {
	r, numbers, file := interruptedGrid(t, syscall.SIGTERM, "--json")
	text, err := os.ReadFile(file)
	if err != nil || string(text) != r.stdout || !json.Valid(text) {
		t.Errorf("printed is not what is in the file, %v: %s", err, r.stdout)
	}
	for _, row := range numbers.Rows {
		if row.Median <= 0 || row.Repeats != 3 {
			t.Errorf("%+v", row)
		}
	}
}

// The mean of a part of the sizes says so; many sizes are a line each in the table for a README.
func TestBenchOfAPartOfTheGrid(t *testing.T) {
	dir := t.TempDir()
	var rows []string
	for _, sh := range contest.Grid(1000)[:10] {
		for _, v := range []string{`"variant":"bitonic + registers","ns_per_point":6000`,
			`"variant":"papers' best: bitonic + registers","ns_per_point":6000`,
			`"variant":"a card","device":"a card","ns_per_point":2000,` +
				`"baseline":"papers' best: bitonic + registers","ratio":3`} {
			rows = append(rows, fmt.Sprintf(
				`{"bench":"embed","engine":"cuda",%s,"n":1000,"d":%d,"g":%d,"k":%d,"stage":"total"}`, v, sh.D, sh.G,
				sh.K))
		}
	}
	write(t, filepath.Join(dir, "numbers.json"), `{"machine":{},"sizes":{"done":10,"of":80},"rows":[`+strings.Join(
		rows, ",")+`]}`)
	text := ok(t, dir, "bench", "embed", "--from", "numbers.json", "--markdown").stdout
	for _, want := range []string{"| d, g, k | papers' best, ms | cuda, ms | ratio |\n",
		"| 4, 128, 7 | 6.00 (bitonic + registers) | 2.00 | 3.00 x |\n",
		"geometric mean over 10 of 80 sizes, stage total"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	if n := strings.Count(text, "\n| "); n != 15 { // a line for each size, and the means
		t.Errorf("%d lines of the table:\n%s", n, text)
	}
	// numbers of an older blossom do not say how many sizes there were to be
	write(t, filepath.Join(dir, "old.json"), `{"rows":[`+strings.Join(rows, ",")+`]}`)
	if text := ok(t, dir, "bench", "embed", "--from", "old.json").stdout; !strings.Contains(text,
		"geometric mean over 10 sizes") || strings.Count(text, "d 4, g ") != 10 {
		t.Errorf("older numbers:\n%s", text)
	}
}

func TestBenchOutputIsCheckedFirst(t *testing.T) {
	dir := t.TempDir()
	blossom(t, dir, "bench", "embed", "-o", filepath.Join("none", "numbers.json")).refused(t, exitFailed, "folder")
	r := ok(t, dir, "bench", "embed", "--engine", "cpu", "--points", "500", "--repeats", "3", "--shape", "3,9,4",
		"-o", "-")
	var numbers told
	parse(t, r.stdout, &numbers)
	if numbers.Sizes.Done != 1 || numbers.Sizes.Of != 1 || len(names(t, dir)) != 0 {
		t.Errorf("%+v, left %q", numbers.Sizes, names(t, dir))
	}
}
