package recovery

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// mine is the file of the user's in the folder of a worker.
const mine = "mine.blossom"

// worker is a window without a window: it trains, saves itself, saves the user's file and opens it, again and again,
// and says what it is about to do and has done.
func worker(dir string) error {
	s, err := In(dir).Claim()
	if err != nil {
		return err
	}
	t := &testing.T{}
	path := filepath.Join(dir, mine)
	d := document(t, "demo:x", 1)
	for n := 1; ; n++ {
		fmt.Println("train", n, s.Path())
		for range 20 {
			train(d, 1)
		}
		fmt.Println("keep", n, s.Path())
		if err := s.Save(d.Snapshot(d.State()), About{Name: "child"}, "test", time.Now()); err != nil {
			return err
		}
		fmt.Println("save", n, s.Path())
		f, err := session.Full(d, path, "test", time.Now(), nil)
		if err == nil {
			err = format.AtomicWrite(path, func(w io.Writer) error { return f.Write(w) })
		}
		if err != nil {
			return err
		}
		fmt.Println("load", n, s.Path())
		if d, err = openMine(path); err != nil {
			return err
		}
	}
}

func openMine(path string) (*state.Document, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	s, err := session.Read(bytes.NewReader(text), path)
	if err != nil {
		return nil, err
	}
	d, notes, err := s.Document(document(&testing.T{}, "demo:x", 0).Data, path)
	if err == nil && len(notes) > 0 {
		err = fmt.Errorf("%q", notes)
	}
	return d, err
}

// Killed while it trains, saves itself, saves a file or opens one, three times each (ten with BLOSSOM_LONG), a program
// leaves files that are whole, with their history, and no older than what it was last told to have saved.
func TestKilledAtWork(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	times := 3
	if os.Getenv("BLOSSOM_LONG") != "" {
		times = 10
	}
	for _, what := range []string{"train", "keep", "save", "load"} {
		for range times {
			kill(t, what)
		}
	}
}

func kill(t *testing.T, what string) {
	t.Helper()
	dir := t.TempDir()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childVariable+"="+dir, childVariable+"_WORK=1")
	pipe, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	lines := bufio.NewScanner(pipe)
	rounds, kept, saved := 2+rand.Intn(4), 0, 0
	note := func() (word string, n int) {
		_, _ = fmt.Sscan(lines.Text(), &word, &n)
		switch word {
		case "save":
			kept = n // the saves before it are done
		case "load":
			saved = n
		case "failed:":
			t.Fatal(lines.Text())
		}
		return word, n
	}
	for lines.Scan() {
		if word, n := note(); n >= rounds && word == what {
			break
		}
	}
	time.Sleep(time.Duration(rand.Int63n(int64(4 * time.Millisecond))))
	_ = c.Process.Kill()
	for lines.Scan() {
		note()
	}
	_ = c.Wait()

	items, err := In(dir).List(context.Background())
	if err != nil || len(items) != 1 || items[0].Path == "" || items[0].Damage != "" || !items[0].Crashed() {
		t.Fatalf("killed at %s: %+v, %v", what, items, err)
	}
	for path, least := range map[string]int{items[0].Path: kept, filepath.Join(dir, mine): saved} {
		d, err := openMine(path)
		if err != nil {
			t.Fatalf("killed at %s: %v", what, err)
		}
		code := parts.Landmarks.Of(d.State()).Codebook.Data[0]
		entries := len(d.History().Entries())
		if int(code+0.5) < 20*least || entries != int(code+0.5)+1 || entries%20 != 1 {
			t.Fatalf("killed at %s: %g steps of %d, %d entries", what, code, 20*least, entries)
		}
	}
	// A window that takes it up leaves nothing of what was cut short.
	s, err := In(dir).Take(items[0].Path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	save(t, s, 1e6, About{})
	save(t, s, 2e6, About{})
	list, _ := os.ReadDir(s.dir)
	for _, e := range list {
		if strings.HasSuffix(e.Name(), ".part") {
			t.Fatalf("%s is left", e.Name())
		}
	}
	if packs, _ := onDisk(t, s); packs > 1 {
		t.Fatalf("%d packs are left", packs)
	}
}
