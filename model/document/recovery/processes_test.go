package recovery

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"
)

func itoa(n int) string { return strconv.Itoa(n) }

// As another program, the test saves a session again and again until it is killed.
const childVariable = "BLOSSOM_RECOVERY_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVariable); dir != "" {
		if os.Getenv(childVariable+"_LOCKLESS") != "" {
			lockless()
		}
		run := child
		if os.Getenv(childVariable+"_WORK") != "" {
			run = worker
		}
		err := run(dir)
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func child(dir string) error {
	s, err := In(dir).Claim()
	if err != nil {
		return err
	}
	t := &testing.T{}
	for speed := 1.; ; speed++ {
		err := s.Save(document(t, "demo:x", speed), About{Name: "child"}, "test", time.Now())
		if err != nil {
			return err
		}
		fmt.Printf("%g %d %s\n", speed, os.Getpid(), s.Path())
		time.Sleep(2 * time.Millisecond)
	}
}

// lockless makes folders have no locks: those of a file that is no more than named fail, as on a disk without.
func lockless() {
	locking = func(path string) *flock.Flock {
		_ = os.WriteFile(path, nil, 0o644)
		return flock.New(path, flock.SetFlag(0x200000)) // O_PATH of Linux
	}
}

type program struct {
	*exec.Cmd
	out *bufio.Scanner
	pid string // as it sees itself
}

// start runs the test as another program, with words before its name, and waits for its first save.
func start(t *testing.T, dir string, lockless bool, before ...string) *program {
	t.Helper()
	words := append(before, os.Args[0])
	p := &program{Cmd: exec.Command(words[0], words[1:]...)}
	p.Env = append(os.Environ(), childVariable+"="+dir)
	if lockless {
		p.Env = append(p.Env, childVariable+"_LOCKLESS=1")
	}
	pipe, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill(); _ = p.Wait() })
	p.out = bufio.NewScanner(pipe)
	p.next(t)
	return p
}

// next waits for a save and returns its speed.
func (p *program) next(t *testing.T) float64 {
	t.Helper()
	if !p.out.Scan() {
		t.Fatal("the other program ended")
	}
	f := strings.Fields(p.out.Text())
	speed, err := strconv.ParseFloat(f[0], 64)
	if err != nil {
		t.Fatal(p.out.Text())
	}
	p.pid = f[1]
	return speed
}

// die kills it, as kill -9 does, and returns the last save that it told of.
func (p *program) die(t *testing.T) (last float64) {
	t.Helper()
	last = p.next(t)
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	for p.out.Scan() {
		last, _ = strconv.ParseFloat(strings.Fields(p.out.Text())[0], 64)
	}
	_ = p.Wait()
	return last
}

// Killed at any moment, a program leaves its last save or a newer one, at once known as left; what others have open is
// known as open.
func TestKilledAtAnyMomentLeavesASave(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	for _, without := range []bool{false, true} {
		if without && runtime.GOOS != "linux" {
			continue
		}
		store := In(t.TempDir())
		p, q := start(t, store.Dir(), without), start(t, store.Dir(), without)
		for _, i := range list(t, store) {
			if !i.Held {
				t.Fatalf("without locks %v: an open one is taken for left", without)
			}
			if _, err := store.Take(i.Path); !errors.Is(err, ErrHeld) && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		}
		last := p.die(t)
		items := list(t, store)
		if len(items) != 2 || items[0].Held || !items[1].Held {
			t.Fatalf("without locks %v: %+v", without, items)
		}
		if got := speedIn(t, items[0].Path); got < last || items[0].Damage != "" {
			t.Fatalf("save %g of %g, %s", got, last, items[0].Damage)
		}
		// It is taken up again, goes on, and leaves nothing half written.
		s, err := store.Take(items[0].Path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, s, 1e6, About{})
		s.Release()
		if parts, _ := filepath.Glob(filepath.Join(s.dir, ".*.part")); len(parts) > 0 {
			t.Fatalf("%v are left", parts)
		}
		q.die(t)
		for _, i := range list(t, store) {
			if i.Held {
				t.Fatal("a killed one counts as open")
			}
		}
	}
}

// In containers all programs are process 1: their sessions do not hide or replace each other's.
func TestProgramsThatAreAllProcessOne(t *testing.T) {
	if testing.Short() {
		t.Skip("runs other programs")
	}
	alone := []string{"unshare", "--pid", "--fork", "--kill-child", "--mount-proc"}
	if exec.Command(alone[0], append(alone[1:], "true")...).Run() != nil {
		t.Skip("this system lets us have no process numbers of our own")
	}
	store := In(t.TempDir())
	for n := range 3 {
		p := start(t, store.Dir(), n == 1, alone...)
		if p.pid != "1" {
			t.Fatalf("is process %s", p.pid)
		}
		held := 0
		for _, i := range list(t, store) {
			if i.Held {
				held++
			}
		}
		if want := 1; held != want {
			t.Fatalf("%d of %d are open", held, n+1)
		}
		p.die(t)
		time.Sleep(50 * time.Millisecond) // unshare goes first
		if n == 1 {                       // a process of another space of numbers: only the end of its signs tells
			old := time.Now().Add(-time.Minute)
			owners, _ := filepath.Glob(filepath.Join(store.slots(), "*", ownerName))
			for _, o := range owners {
				if err := os.Chtimes(o, old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
		items := list(t, store)
		if len(items) != n+1 {
			t.Fatalf("%d sessions after %d", len(items), n+1)
		}
		for _, i := range items {
			if i.Held {
				t.Fatalf("%d: a killed one counts as open", n)
			}
		}
	}
}

// Without locks, and of another machine, an owner counts as gone when its signs of life have ended, at once when the
// machine has been started since; one that was taken for gone while it slept does not write over the one that took it.
func TestSignsOfLife(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("locks are taken away as Linux has them")
	}
	old := locking
	lockless()
	t.Cleanup(func() { locking = old })
	store := In(t.TempDir())
	s := claim(t, store)
	if s.Note() == "" {
		t.Fatal("nothing is said of missing locks")
	}
	save(t, s, 1, About{})
	file := filepath.Join(s.dir, ownerName)
	as := func(change func(*owner), age time.Duration) bool {
		o := s.hold.owner
		change(&o)
		text, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
		return list(t, store)[0].Held
	}
	for _, c := range []struct {
		what   string
		change func(*owner)
		age    time.Duration
		held   bool
	}{
		{"itself", func(*owner) {}, time.Hour, true},
		{"a process of that number that began at another time", func(o *owner) { o.Born = "1" }, 0, false},
		{"no such process", func(o *owner) { o.Process = 999999999 }, 0, false},
		{"before the system's start", func(o *owner) { o.Boot = "another" }, 0, false},
		{"another machine, just now", func(o *owner) { o.Host, o.Boot = "other", "another" }, 0, true},
		{"another machine, long ago", func(o *owner) { o.Host, o.Boot = "other", "another" }, time.Minute, false},
		{"another container, just now", func(o *owner) { o.Space = "pid:[1]" }, 0, true},
		{"another container, long ago", func(o *owner) { o.Space = "pid:[1]" }, time.Minute, false},
	} {
		if got := as(c.change, c.age); got != c.held {
			t.Errorf("%s: held %v", c.what, got)
		}
	}
	as(func(o *owner) { o.Host, o.Boot = "other", "another" }, time.Minute)
	thief, err := store.Take(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer thief.Release()
	save(t, thief, 2, About{})
	if err := s.Save(document(t, "demo:x", 3), About{}, "test", time.Now()); !errors.Is(err, ErrHeld) {
		t.Fatalf("two write one slot: %v", err)
	}
	if got := speedIn(t, thief.Path()); got != 2 {
		t.Fatalf("save %g", got)
	}
}

// A folder of another machine has locks, but who knows how far they reach.
func TestDistantFolders(t *testing.T) {
	old := distant
	distant = func(string) bool { return true }
	t.Cleanup(func() { distant = old })
	store := In(t.TempDir())
	s := claim(t, store)
	if s.Note() == "" || s.hold.lock == nil || !s.hold.owner.Signs {
		t.Fatalf("%q, %+v", s.Note(), s.hold.owner)
	}
	save(t, s, 1, About{})
	s.Release()
	if i := list(t, store)[0]; i.Held {
		t.Fatal("one that let go counts as open until its signs are old")
	}
}
