package main

import (
	"slices"
	"strings"
	"testing"
)

// A table whose name does not say how it is written is written with a word on that.
func TestFormatOfAName(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"map.txt", "Comma-separated values (CSV)"}, {"MAP.TXT", "Comma-separated values (CSV)"},
		{"map.tab", "Tab-separated values (TSV)"}, {"map.csv", ""}, {"map.csv.gz", ""}, {"map.npy", ""}, {"-", ""},
		{"landmarks.json", ""},
	} {
		notes := withFormat(c.output, []string{"first"})
		want := []string{"first"}
		if c.want != "" {
			want = append(want, c.output+": written as "+c.want)
		}
		if !slices.Equal(notes, want) {
			t.Errorf("%s: %q", c.output, notes)
		}
	}
	r := ok(t, t.TempDir(), "demo", "mammoth:100", "-o", "table.txt")
	if note := "note: table.txt: written as Comma-separated values (CSV)"; !strings.Contains(r.stderr, note) {
		t.Errorf("said %q", r.stderr)
	}
}
