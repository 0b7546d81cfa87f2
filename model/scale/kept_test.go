package scale

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files of a finished folder that are torn, changed or gone are named, parts that keep their size where all bytes are
// looked at, and to finish once more mends those that are not parts.
func TestDamagedFilesOfAFinishedFolderAreNamed(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	finish := func() {
		t.Helper()
		if _, err := p.Finish(t.Context(), false, nil); err != nil {
			t.Fatal(err)
		}
	}
	damaged := func(all bool, want ...string) {
		t.Helper()
		got, err := Damaged(t.Context(), p, all, nil)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%v (%v), not %q", got, err, want)
		}
		for i, f := range got {
			if !strings.Contains(f.File+" "+f.What, want[i]) {
				t.Errorf("%v, not %q", f, want[i])
			}
		}
	}
	flip := func(path string) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)/2] ^= 1
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	damaged(true) // nothing is finished
	finish()
	damaged(true)
	sample, shown := p.Sample(), filepath.Join(p.Folder(), ShownFile)
	flip(shown)
	if err := os.Truncate(sample, 50); err != nil {
		t.Fatal(err)
	}
	damaged(false, SampleFile+" has 50 of ", ShownFile+" has other bytes")
	if err := os.Remove(shown); err != nil {
		t.Fatal(err)
	}
	damaged(false, SampleFile, ShownFile+" is missing")
	finish()
	flip(p.File(1))
	damaged(false)
	damaged(true, "000001")
}
