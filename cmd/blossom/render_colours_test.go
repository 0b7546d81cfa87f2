package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Each scale, a centre and a second column give a picture of their own, the same each time; what cannot be is said.
func TestAPictureHasScalesACentreAndTwoColumns(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	seen := map[string]string{}
	for i, flags := range [][]string{nil, {"--colour-scale", "linear"}, {"--colour-scale", "log"},
		{"--colour-scale", "quantile"}, {"--palette", "blue-red"}, {"--palette", "blue-red", "--centre", "100"},
		{"--colour-and", "CD8"}} {
		var first []byte
		for range 2 {
			args := append([]string{"render", "demo:cytometry:500", "--at", "FSC-A,SSC-A", "--colour", "CD4", "--size",
				"200x200", "-o", "p.png"}, flags...)
			ok(t, dir, args...)
			b, err := os.ReadFile(filepath.Join(dir, "p.png"))
			if err != nil {
				t.Fatal(err)
			}
			if first != nil && !bytes.Equal(first, b) {
				t.Errorf("%q: another picture the second time", flags)
			}
			first = b
		}
		if was, there := seen[string(first)]; there {
			t.Errorf("%d, %q: the picture of %q", i, flags, was)
		}
		seen[string(first)] = strings.Join(flags, " ")
	}
	for _, x := range []struct{ flag, value, says string }{{"--colour-scale", "steep", "quantile"},
		{"--centre", "middle", "write a number"}, {"--colour-and", "population", "columns of numbers"}} {
		r := blossom(t, dir, "render", "demo:cytometry:200", "--at", "FSC-A,SSC-A", "--colour", "CD4", "-o", "q.png",
			x.flag, x.value)
		if r.code == 0 || !strings.Contains(r.stderr, x.says) {
			t.Errorf("%s %s: %d, %s", x.flag, x.value, r.code, r.stderr)
		}
	}
}
