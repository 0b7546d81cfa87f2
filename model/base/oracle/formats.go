package oracle

import (
	"os"
	"path/filepath"
	"testing"
)

// Formats returns the folder of files of other programs, with what these find in them, that stands beside that of
// BLOSSOM_TESTDATA. The test is skipped where it is not there.
func Formats(t testing.TB) string {
	t.Helper()
	data := os.Getenv("BLOSSOM_TESTDATA")
	if data == "" {
		t.Skip("BLOSSOM_TESTDATA names no folder of data")
	}
	dir := filepath.Join(filepath.Dir(data), "formats")
	if _, err := os.Stat(filepath.Join(dir, "expected.json")); err != nil {
		t.Skip("there are no files of other programs beside BLOSSOM_TESTDATA")
	}
	return dir
}
