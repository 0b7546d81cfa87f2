package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/gpu/cpu"
)

// A variant of an engine can be pinned, is named in the summary, and gives the same bytes again.
func TestVariantIsPinnedAndNamed(t *testing.T) {
	dir := t.TempDir()
	embed := func(out string, more ...string) (text []byte, engine, variant string) {
		t.Helper()
		var said struct{ Engine, Variant string }
		parse(t, ok(t, dir, append([]string{"embed", "demo:tesseract:2000", "--som", "6x6", "--epochs", "2", "--json",
			"-o", out}, more...)...).stdout, &said)
		text, err := os.ReadFile(filepath.Join(dir, out))
		if err != nil {
			t.Fatal(err)
		}
		return text, said.Engine, said.Variant
	}
	for _, v := range cpu.Conforming() {
		a, engine, variant := embed("a.npy", "--variant", "cpu/"+v)
		if engine != "cpu" || variant != v {
			t.Errorf("cpu/%s: the summary says engine %s, variant %s", v, engine, variant)
		}
		b, engine, variant := embed("b.npy", "--engine", "cpu", "--variant", v, "--threads", "1")
		if engine != "cpu" || variant != v || string(a) != string(b) {
			t.Errorf("%s of engine cpu: engine %s, variant %s, same bytes %v", v, engine, variant,
				string(a) == string(b))
		}
	}
	for _, wrong := range [][]string{{"--variant", "abacus"}, {"--variant", "cpu/scalar"},
		{"--engine", "reference", "--variant", "cpu/go"}} {
		r := blossom(t, dir, append([]string{"embed", "demo:tesseract:100", "-o", "c.npy"}, wrong...)...)
		if r.code != 2 || !strings.Contains(r.stderr, "variant") {
			t.Errorf("%v: exit %d, %q", wrong, r.code, r.stderr)
		}
	}
}
