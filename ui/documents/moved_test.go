package documents

import (
	"path/filepath"
	"strings"
	"testing"
)

// A session that was saved by itself is never called by the name of a file that nobody has given it.
func TestSessionsSavedByThemselvesHaveNoName(t *testing.T) {
	d := New(nil, nil, nil, &Remembered{}, Options{StateDir: t.TempDir()})
	slot, err := d.Autosave.Store.Claim()
	if err != nil {
		t.Fatal(err)
	}
	defer slot.Release()
	if text := d.sessionText(slot.Path()); strings.Contains(text, filepath.Base(slot.Path())) {
		t.Errorf("it is called %q", text)
	}
	if text := d.sessionText("/data/mine.blossom"); !strings.Contains(text, "mine.blossom") {
		t.Errorf("the user's own is called %q", text)
	}
}
