package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// The program, killed during the tour, leaves nothing of it: no session, nothing to be recovered, no file in the state
// folder or among temporary ones that speaks of its data. What a window of the same data leaves in the same time shows
// that there was time for it.
func TestATourThatIsKilledLeavesNothing(t *testing.T) {
	if os.Getenv("DISPLAY") == "" || testing.Short() {
		t.Skip("needs a display")
	}
	k := &killing{T: t, state: t.TempDir(), known: map[string][]byte{}, random: rand.New(rand.NewPCG(1, 2))}
	usual := k.start("demo:cytometry:20000")
	k.open(1)
	takes := time.Since(usual.began)
	k.kill(usual)
	if len(k.list()) != 1 {
		t.Fatalf("a window that was killed leaves %d sessions", len(k.list()))
	}

	k.state = t.TempDir()
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	guided := k.start("--tour")
	time.Sleep(2*takes + 2*time.Second)
	k.kill(guided)
	if code := guided.ProcessState.ExitCode(); code != -1 {
		t.Fatalf("the tour had ended by itself, with %d", code)
	}
	if items := k.list(); len(items) != 0 {
		t.Errorf("a tour that was killed leaves %d sessions: %+v", len(items), items[0])
	}
	for _, dir := range []string{filepath.Join(k.state, "blossom"), temporary} {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return nil
			}
			if info, err := e.Info(); err == nil && info.Size() > 1<<10 && filepath.Ext(path) != ".log" {
				t.Errorf("it leaves %s of %d bytes", path, info.Size())
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}
