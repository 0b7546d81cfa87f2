package source

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A pattern stands for what its names fit, by these; a file that is called so itself is that file, and a pattern that
// nothing fits is told.
func TestPatternsStandForTheNamesThatFit(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"s10.csv", "s2.csv", "s1.csv", "s[1].csv", "other.npy", "with space 3.csv"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("a\n1\n"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		given string
		want  []string
	}{
		{"s?.csv", []string{"s1.csv", "s2.csv"}},
		{"s[0-9]*.csv", []string{"s1.csv", "s10.csv", "s2.csv"}},
		{"s[1].csv", []string{"s[1].csv"}}, // and not s1.csv
		{"*3.csv", []string{"with space 3.csv"}},
		{"gone.csv", []string{"gone.csv"}}, // who reads it says so
		{"demo:mammoth:100", []string{"demo:mammoth:100"}},
		{"-", []string{"-"}},
	} {
		if got, err := Named([]string{x.given}); err != nil || !slices.Equal(got, x.want) {
			t.Errorf("%s stands for %q (%v), not %q", x.given, got, err, x.want)
		}
	}
	for _, given := range []string{"x*.csv", "s[", "none/*"} {
		got, err := Named([]string{"other.npy", given})
		if err == nil || !strings.Contains(err.Error(), given+": no file has such a name") {
			t.Errorf("%s stands for %q: %v", given, got, err)
		}
	}
}
