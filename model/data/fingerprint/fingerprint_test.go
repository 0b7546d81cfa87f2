package fingerprint

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func file(t *testing.T, name string, size int) (path string, text []byte) {
	t.Helper()
	text = make([]byte, size)
	for i := range text {
		text[i] = byte(i*7 + i/251)
	}
	path = filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path, text
}

func of(t *testing.T, path string) Print {
	t.Helper()
	p, err := Of(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Every byte of a small file counts; of a large one its size, its ends and the blocks between, and with the whole
// hash every byte.
func TestFingerprintCountsBytes(t *testing.T) {
	for _, size := range []int{0, 1, 1000, 100_000, 384 << 10} {
		path, text := file(t, "small", size)
		p := of(t, path)
		if q := of(t, path); p != q || p.Zero() || p.Size != int64(size) {
			t.Fatalf("%d bytes: %+v and %+v", size, p, q)
		}
		for _, at := range []int{0, size / 3, size - 1} {
			if size == 0 {
				continue
			}
			text[at] ^= 1
			if err := os.WriteFile(path, text, 0o644); err != nil {
				t.Fatal(err)
			}
			if of(t, path).Same(p) {
				t.Errorf("%d bytes: a change of byte %d is not seen", size, at)
			}
			text[at] ^= 1
		}
	}
	path, text := file(t, "large", 3<<20)
	p := of(t, path)
	whole, err := Whole(context.Background(), path, nil)
	if err != nil || !whole.Same(p) || len(whole.Whole) != 64 {
		t.Fatalf("%+v, %v", whole, err)
	}
	missed := 0
	for at := 0; at < len(text); at += 50_001 {
		text[at] ^= 0x40
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if of(t, path).Same(p) {
			missed++
		}
		if now, err := Whole(context.Background(), path, nil); err != nil || now.Same(whole) {
			t.Errorf("the whole hash does not see byte %d (%v)", at, err)
		}
		text[at] ^= 0x40
	}
	if missed == 0 {
		t.Error("the sample reads all of a large file")
	}
	if err := os.WriteFile(path, append(text, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	if of(t, path).Same(p) {
		t.Error("a byte more is not seen")
	}
}

func TestWholeIsCancelled(t *testing.T) {
	path, _ := file(t, "large", 4<<20)
	ctx, cancel := context.WithCancel(context.Background())
	var told int64
	_, err := Whole(ctx, path, func(done, total int64) { told = total; cancel() })
	if !errors.Is(err, context.Canceled) || told != 4<<20 {
		t.Fatalf("%v, told of %d", err, told)
	}
}

func TestLook(t *testing.T) {
	path, text := file(t, "x", 5000)
	p := of(t, path)
	if now := p.Look(path); now != There {
		t.Fatal(now)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if now := p.Look(path); now != Written {
		t.Fatal(now)
	}
	if err := os.WriteFile(path, text[1:], 0o644); err != nil {
		t.Fatal(err)
	}
	if now := p.Look(path); now != Written {
		t.Fatal(now)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if now := p.Look(path); now != Gone {
		t.Fatal(now)
	}
	if now := (Print{}).Look(path); now != Gone {
		t.Fatal(now)
	}
}

// A folder or a pipe has no print, and taking it does not wait.
func TestFoldersHaveNoPrint(t *testing.T) {
	if p, err := Of(t.TempDir()); err != nil || !p.Zero() {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := Of(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Fatal("a print of nothing")
	}
	if !(Print{}).Same(Print{Size: 3, Sampled: "x"}) {
		t.Fatal("nothing known is a difference")
	}
}
