package documents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Recent files have their folders beside their names; those that are gone say so, and a click takes them off.
func TestRecentFilesSayWhereTheyAre(t *testing.T) {
	there, gone := filepath.Join(t.TempDir(), "a.csv"), filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(there, []byte("a,b\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := enter(t, 800, 500, Options{})
	a.kept.Recent = []string{gone, there}
	r := &a.docs.Recent
	d.Wait("it has looked", time.Minute, func() bool { return r.gone[gone] })
	d.Frames(2)
	d.ClickOn("welcome/recent0")
	d.Frames(2)
	if !slices.Equal(a.kept.Recent, []string{there}) || a.troubled() != nil || a.docs.Opening() != nil {
		t.Fatalf("%q, %v", a.kept.Recent, a.troubled())
	}
	if !d.Has("welcome/recent0") || d.Has("welcome/recent1") || r.gone[there] {
		t.Fatal("another one is shown")
	}
}

func TestFoldersInMenus(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	long := "/data/" + strings.Repeat("a folder of a study/", 6)
	for path, want := range map[string]string{
		filepath.Join(home, "x", "a.csv"): "~/x",
		filepath.Join(home, "a.csv"):      "~",
		"/data/a.csv":                     "/data",
		home + "er/a.csv":                 shortFolder(home + "er/a.csv"),
		long + "a.csv":                    "…/a folder of a study",
	} {
		if got := shortFolder(path); got != want || strings.HasPrefix(path, home+"er") && strings.HasPrefix(got, "~") {
			t.Errorf("%s: %q, not %q", path, got, want)
		}
	}
}
