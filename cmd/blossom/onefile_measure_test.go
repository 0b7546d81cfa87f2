package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/gpu/bench"
	"blossom/gpu/bench/table"
)

// A measure that one file adds is in the help, among the commands, in tables, READMEs and JSON, with its flags.
func TestOneFileAddsAMeasure(t *testing.T) {
	bench.Register(bench.Measure{Name: "sums", Title: "adding numbers up", Help: "Adds numbers up.",
		Flags: []bench.Flag{{Name: "terms", Default: 3, Least: 2, Most: 9, Help: "how many are added"}},
		Columns: []table.Column{
			table.Word("sums", func(r table.Row) string { return r.Variant }),
			table.Size("terms", func(r table.Row) int { return r.N }),
			table.Value("sum", func(r table.Row) float64 { return r.Median }),
		},
		Run: func(_ context.Context, r *bench.Run) error {
			n := r.Int("terms")
			r.Add(table.Row{Bench: "sums", Variant: "plain", N: n, Median: float64(n * (n + 1) / 2)})
			return nil
		}})
	dir := t.TempDir()
	file := filepath.Join(dir, "sums.json")
	for line, want := range map[string]string{
		"bench --help":                  "Measure adding numbers up",
		"bench sums --help":             "how many are added (default 3)",
		"bench sums":                    "sums   terms   sum\nplain      3  6.00\n",
		"bench sums --terms 5":          "plain      5  15.0\n",
		"bench sums --markdown":         "| plain | 3 | 6.00 |\n",
		"bench sums --json":             `"ns_per_point": 6,`,
		"bench sums --quiet -o " + file: "plain",
		"help bench":                    "sums: how many are added",
	} {
		var out, said bytes.Buffer
		if code := execute(t.Context(), strings.Fields(line), &out, &said); code != 0 ||
			!strings.Contains(out.String(), want) {
			t.Errorf("%s: exit code %d, %s\n%s", line, code, said.String(), out.String())
		}
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), `"bench": "sums"`) {
		t.Errorf("%v: %s", err, text)
	}
	for line, want := range map[string]string{
		"bench sums --terms 10": "give 2 to 9",
		"bench sums --points 9": "bench sums has no --points, which is of bench cards, cluster",
		"bench load --terms 3":  "which is of bench sums",
		"bench nothing":         "sums",
	} {
		var out, said bytes.Buffer
		if code := execute(t.Context(), strings.Fields(line), &out, &said); code != exitUsage ||
			!strings.Contains(said.String(), want) || strings.Count(said.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: exit code %d, %q, %q", line, code, said.String(), out.String())
		}
	}
}
