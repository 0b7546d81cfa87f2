package ui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/work/embedding"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// A table of one column has axes, too: that column twice.
func TestAxesOfOneColumn(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one.csv")
	if err := os.WriteFile(name, []byte("a\n"+strings.Repeat("1\n2.5\n4\n", 30)), 0o644); err != nil {
		t.Fatal(err)
	}
	a, d := begin(t, 900, 600, 1, Options{Paths: []string{name}})
	opened(t, a, d)
	uitest.Do(func() { dialog.Axes.Show(a.dialogs, a.active().View) })
	d.Frames(3)
	d.ClickOn("columns-as-axes/Show")
	rest(t, a, d)
	if v := a.active(); !v.View.State().Recipe.Equal(embedding.Columns("a", "a")) || v.Field().Err() != nil {
		t.Fatalf("%v, %v", v.View.State().Recipe, v.Field().Err())
	}
}
