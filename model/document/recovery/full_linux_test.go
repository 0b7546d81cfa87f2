package recovery

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"blossom/model/base/problem"
)

// On a folder that is full or cannot be written to, a save fails with a remedy and costs nothing that is there; when
// there is room again it goes on.
func TestFullAndWriteProtected(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skip("this system lets us mount no small disk: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	store := In(dir)
	s := claim(t, store)
	save(t, s, 1, About{})
	big := About{Picture: noise(100 << 10)}
	fails := func(what string, about About) {
		t.Helper()
		err := s.Save(document(t, "demo:x", 2), about, "test", time.Now())
		if problem.As(err).Remedy == "" || problem.As(err).File == "" {
			t.Fatalf("%s: %v", what, err)
		}
		i := list(t, store)[0]
		if speedIn(t, i.Path) != 1 || i.Damage != "" {
			t.Fatalf("%s: %+v", what, i)
		}
		if parts, _ := filepath.Glob(filepath.Join(s.dir, ".*.part")); len(parts) > 0 {
			t.Fatalf("%s: %v are left", what, parts)
		}
	}
	fails("full", big)
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	fails("write-protected", About{})
	if _, err := store.Claim(); problem.As(err).Remedy == "" {
		t.Fatal(err)
	}
	if err := store.Forget(list(t, store)[0]); !errors.Is(err, ErrHeld) {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	save(t, s, 3, About{})
	if err := os.WriteFile(filepath.Join(dir, "fill"), make([]byte, 40<<10), 0o644); err != nil {
		t.Fatal(err)
	}
	fails2 := s.Save(document(t, "demo:x", 4), big, "test", time.Now())
	if fails2 == nil || speedIn(t, s.Path()) != 3 {
		t.Fatal(fails2)
	}
}

// noise is a picture that no compression makes smaller.
func noise(n int) Picture {
	p := make(Picture, n)
	_, _ = rand.Read(p) // it does not fail
	return p
}
