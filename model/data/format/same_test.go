package format

import (
	"os"
	"path/filepath"
	"testing"

	"blossom/model/base/problem"
)

func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"a.csv", "b.csv"} {
		if err := os.WriteFile(at(name), []byte("x\n1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.csv", at("link.csv")); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(at("a.csv"), at("hard.csv")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		out    string
		inputs []string
		same   bool
	}{
		{at("a.csv"), []string{at("a.csv")}, true},
		{filepath.Join(dir, "..", filepath.Base(dir), ".", "a.csv"), []string{at("a.csv")}, true},
		{at("link.csv"), []string{at("a.csv")}, true},
		{at("a.csv"), []string{at("link.csv")}, true},
		{at("hard.csv"), []string{"", at("b.csv"), at("a.csv")}, true},
		{at("b.csv"), []string{at("a.csv"), at("missing.csv"), "", "demo:mammoth", dir}, false},
		{at("new.csv"), []string{at("a.csv"), at("new.csv")}, false},
		{"-", []string{"-"}, false},
		{"", []string{""}, false},
		{os.DevNull, []string{os.DevNull}, false},
		{dir, []string{dir}, false},
	} {
		err := SameFile(c.out, c.inputs...)
		if (err != nil) != c.same {
			t.Errorf("SameFile(%q, %q) = %v", c.out, c.inputs, err)
		}
		if err != nil && problem.As(err).Error() != c.out+": is the input: choose another name" {
			t.Errorf("%v", err)
		}
	}
}
