package uitest

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The pictures that are kept with the program take at most 6 MB, and at most twelve of them are of whole windows: such
// a picture fails on what does not matter, and passes where a small thing is wrong.
func TestPicturesAreSmallAndFewAreOfWindows(t *testing.T) {
	root := filepath.Join("..", "..")
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	var bytes int64
	var windows []string
	for _, dir := range []string{"assets", "cmd", "docs", "gpu", "model", "render", "ui"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".png" || strings.HasSuffix(path, ".new.png") ||
				strings.HasSuffix(path, ".diff.png") {
				return err
			}
			info, err := e.Info()
			if err != nil {
				return err
			}
			bytes += info.Size()
			if filepath.Base(filepath.Dir(path)) == "windows" {
				windows = append(windows, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if bytes > 6<<20 || len(windows) > 12 {
		t.Errorf("%d bytes of pictures, %d of whole windows: %q", bytes, len(windows), windows)
	}
	t.Logf("%.1f MB of pictures, %d of whole windows", float64(bytes)/1e6, len(windows))
}
