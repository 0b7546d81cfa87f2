//go:build !unix

package format

import (
	"os"
	"time"
)

func hold(*os.File, string) bool { return true }

// place puts a file that is held under its name, where another may be. Windows does not rename what is open: in between
// it is new to removeUnlocked.
func place(f *os.File, path string) error {
	now := time.Now()
	_ = os.Chtimes(f.Name(), now, now)
	err := f.Close()
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// removeUnlocked removes a file that no living process holds: Windows refuses to remove one that is open. One of this
// minute may be about to take its place.
func removeUnlocked(name string) {
	if st, err := os.Stat(name); err == nil && time.Since(st.ModTime()) > time.Minute {
		os.Remove(name)
	}
}
