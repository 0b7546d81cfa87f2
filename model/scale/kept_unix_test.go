//go:build unix

package scale

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Names in a manifest that lead to anything but a plain file are each a flaw, and the others are looked at.
func TestWhatAManifestNamesAndIsNoFileIsAFlaw(t *testing.T) {
	p := prepared(t, wished(t, 2))
	make1(t, p, 0, 1)
	m, err := p.Finish(t.Context(), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(p.Folder(), name) }
	sized := int64(0)
	err = errors.Join(syscall.Mkfifo(in("pipe"), 0o600), os.Symlink("/dev/zero", in("device")),
		os.Symlink("loop", in("loop")), os.Symlink(SampleFile, in("link")), os.Mkdir(in("dir"), 0o700))
	if st, err := os.Stat(in("dir")); err == nil {
		sized = st.Size()
	}
	last := m.Kept[len(m.Kept)-1]
	last.Size = -1
	m.Kept = append([]Kept{{File: "pipe"}, {File: "device"}, {File: "loop"}, {File: "link"}, {"dir", sized, ""},
		{File: "loop/x"}, {File: SampleFile + "/x"}, {File: "a\x00b"}, {File: strings.Repeat("n", 5000)},
		{File: "../x"}, {File: "/etc/passwd"}, last}, m.Kept...)
	text, err2 := json.Marshal(m)
	if err := errors.Join(err, err2, os.WriteFile(in(ManifestFile), text, 0o600)); err != nil {
		t.Fatal(err)
	}
	odd, outside := "is no plain file", "is no file of the folder"
	want := []string{odd, odd, odd, odd, odd, "cannot be read: ", "cannot be read: what stands for its folder",
		"cannot be read: its name holds a zero byte", "cannot be read: its name is longer", outside,
		outside, "has a size below 0"}
	for _, all := range []bool{false, true} {
		got, err := Damaged(t.Context(), p, all, nil)
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d flaws %.300v, not %d: %v", len(got), got, len(want), err)
		}
		for i, f := range got {
			if !strings.HasPrefix(f.What, want[i]) {
				t.Errorf("%.20q %s, not %q", f.File, f.What, want[i])
			}
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if got, err := Damaged(ended, p, false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%.300v, %v", got, err)
	}
	// A part may be a link to where there is room, and is looked at where that leads.
	away := filepath.Join(t.TempDir(), "part")
	if err := errors.Join(os.Rename(p.File(1), away), os.Symlink(away, p.File(1))); err != nil {
		t.Fatal(err)
	}
	if got, err := Damaged(t.Context(), p, true, nil); err != nil || len(got) != len(want) {
		t.Errorf("%d flaws, %v", len(got), err)
	}
}
