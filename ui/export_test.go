package ui

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// What is exported is what the active view shows, and says so.
func TestExportOfTheActiveView(t *testing.T) {
	a, d := begin(t, 1280, 800, 1, Options{Paths: []string{"demo:tesseract:1000"}, Still: true})
	opened(t, a, d)
	d.Keys("Ctrl+D") // the second view is of the principal components
	rest(t, a, d)
	dir := t.TempDir()
	table := filepath.Join(dir, "out.csv")
	uitest.Do(func() { a.exportCoordinates(table, desk.Table{}) })
	d.Wait("the table is written", 20*time.Second, func() bool { return exists(table) && len(a.jobs.List()) == 0 })
	text, err := os.ReadFile(table)
	if err != nil || !strings.HasPrefix(string(text), "pca1,pca2\n") {
		t.Fatalf("%.40q, %v", text, err)
	}
	order, pos := a.desk.Table().Order, a.active().Points().Host()
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	for i := range 1000 {
		for c, field := range strings.Split(lines[order[i]], ",") {
			if v, err := strconv.ParseFloat(field, 32); err != nil || float32(v) != pos[2*i+c] {
				t.Fatalf("point %d: %s in the file, %g on screen", i, field, pos[2*i+c])
			}
		}
	}
	for all, want := range map[bool]string{false: "PCA of 1000 points", true: "; PCA of 1000 points"} {
		name := filepath.Join(dir, "out.png")
		uitest.Do(func() { a.exportPicture(name, desk.Picture{All: all}) })
		d.Wait("the picture is written", 20*time.Second, func() bool { return exists(name) && len(a.jobs.List()) == 0 })
		raw, err := os.ReadFile(name)
		key := []byte("tEXtDescription\x00")
		at := bytes.Index(raw, key)
		if err != nil || at < 4 {
			t.Fatalf("no description: %v", err)
		}
		size := int(binary.BigEndian.Uint32(raw[at-4:])) + len("tEXt")
		said := string(raw[at+len(key) : at+size])
		if !strings.HasSuffix(said, want) || all != strings.HasPrefix(said, "EmbedSOM of 1000 points, ") {
			t.Errorf("all %v: %q", all, said)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}
