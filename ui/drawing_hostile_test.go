package ui

import (
	"bytes"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/ui/uitest/stand"
)

// Pictures that are none, empty, without anything in them or far too large are refused by the dialog that asks for a
// silhouette, in words; nothing is drawn, and the map stays.
func TestHostilePicturesThroughTheDialog(t *testing.T) {
	var blank bytes.Buffer
	if err := png.Encode(&blank, image.NewGray(image.Rect(0, 0, 40, 40))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(blank.Bytes()) // a head that says 60,000 x 60,000
	copy(huge[16:], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60})
	dir := t.TempDir()
	a, d := begin(t, 1800, 900, 1, Options{Paths: []string{"demo:s-sheet:400"}, Still: true})
	opened(t, a, d)
	start := mapOf(a)
	d.Keys("3")
	d.ClickOn("options/Shape/Image")
	for name, text := range map[string][]byte{"text.png": []byte("hello"), "empty.png": nil, "blank.png": blank.Bytes(),
		"huge.png": huge, "cut.png": blank.Bytes()[:50]} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		d.ClickOn("options/Open image…")
		chooseFile(d, path)
		d.Wait(name+" is refused", 20*time.Second, func() bool { return a.troubled() != nil })
		if p := a.troubled(); p.File != path || p.Remedy == "" {
			t.Errorf("%s: %+v", name, p)
		}
		d.Keys("Escape")
		d.Frames(2)
		if a.troubled() != nil || stand.Drawing(a.desk).On || mapOf(a) != start {
			t.Fatalf("%s leaves something behind", name)
		}
	}
}
