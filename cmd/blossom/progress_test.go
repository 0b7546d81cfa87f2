package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgressLine(t *testing.T) {
	for _, c := range []struct {
		stage       string
		done, total int64
		since       time.Duration
		want        []string
	}{
		{"training", 0, 1000, 0, []string{"training", "0 %"}},
		{"training", 500_000, 1_000_000, time.Second, []string{"50 %", "500.0 k/s", "1 s left"}},
		{"reading", 2e9, 8e9, 2 * time.Second, []string{"25 %", "1.0 GB/s", "6 s left"}},
		{"projecting", 1, 1e6, time.Second, []string{"0 %", "1 /s", "h left"}},
		{"projecting", 1e6, 1e6, time.Second, []string{"100 %"}},
		{"reading", 3e6, 0, time.Second, []string{"3.0 MB", "3.0 MB/s"}},
		{"over", 20, 10, time.Second, []string{"100 %"}},
	} {
		far := 0.0
		if c.total > 0 {
			far = min(1, float64(c.done)/float64(c.total))
		}
		line := progressLine(c.stage, c.done, c.total, far, c.since)
		for _, w := range c.want {
			if !strings.Contains(line, w) {
				t.Errorf("%q does not say %q", line, w)
			}
		}
	}
}

// The bar draws at most ten times a second, fits its terminal, and takes itself away.
func TestBar(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	b := &bar{out: &out, now: func() time.Time { return now }, width: func() int { return 30 }}
	for i := range int64(100) {
		b.report("training", i, 100)
		now = now.Add(10 * time.Millisecond)
	}
	b.end()
	lines := strings.Split(out.String(), "\r\x1b[K")
	if n := len(lines); n < 8 || n > 13 {
		t.Errorf("drawn %d times in a second", n)
	}
	for _, l := range lines {
		if n := len([]rune(l)); n > 29 {
			t.Errorf("%d wide: %q", n, l)
		}
	}
	if !strings.HasSuffix(out.String(), "\r\x1b[K") {
		t.Error("the line stays")
	}
	b.end()
	if strings.HasSuffix(out.String(), "\r\x1b[K\r\x1b[K") {
		t.Error("ended twice")
	}
}

// No terminal, no bar: a log file holds errors and remarks only.
func TestNoBarWithoutTerminal(t *testing.T) {
	r := ok(t, t.TempDir(), "embed", "demo:tesseract:2000", "--som", "5x5", "-o", "out.npy")
	if r.stderr != "" || r.stdout != "" {
		t.Errorf("%q, %q", r.stdout, r.stderr)
	}
}

// --json says what was done; standard output holds one thing only.
func TestSummary(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"embed", "demo:tesseract:300", "--som", "4x4", "-o", "out.npy"},
		{"train", "demo:tesseract:300", "--som", "4x4", "-o", "out.json"},
		{"convert", "demo:tesseract:300", "out.csv"},
	} {
		var s summary
		r := ok(t, dir, append(args, "--json")...)
		parse(t, r.stdout, &s)
		if s.Input != "demo:tesseract:300" || s.Output != args[len(args)-1] || s.Points != 300 || s.Total != 300 ||
			len(s.Columns) < 4 || s.Seconds <= 0 || s.Notes == nil {
			t.Errorf("%s: %+v", args[0], s)
		}
		if args[0] != "convert" && (s.Landmarks != 16 || s.Dims != 2 || s.Engine == "") {
			t.Errorf("%s: %+v", args[0], s)
		}
	}
	blossom(t, dir, "embed", "demo:tesseract:300", "--json", "-o", "-").refused(t, exitUsage, "--json")
}
