package session

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"hash/crc32"
	"math"
	"runtime"
	"strings"
	"testing"
)

// bomb returns a session with entries that say what they like of their sizes, each of zeros.
func bomb(t *testing.T, good []byte, entries int, full, size uint64, zeros int) []byte {
	t.Helper()
	var packed bytes.Buffer
	f, _ := flate.NewWriter(&packed, flate.BestCompression)
	if _, err := f.Write(make([]byte, zeros)); err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if size == 0 {
		size = uint64(packed.Len())
	}
	z, err := zip.NewReader(bytes.NewReader(good), int64(len(good)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := newWriter(&b)
	for _, f := range z.File {
		if err := w.z.Copy(f); err != nil {
			t.Fatal(err)
		}
	}
	sum := crc32.ChecksumIEEE(make([]byte, zeros))
	for i := range entries {
		w.raw(&zip.FileHeader{Name: fmt.Sprintf("more%04d", i), Method: zip.Deflate, UncompressedSize64: full,
			CompressedSize64: size, CRC32: sum}, bytes.NewReader(packed.Bytes()))
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A file of some kilobytes cannot fill the memory, and sizes that are no sizes end nothing.
func TestHostileContainers(t *testing.T) {
	good := write(t, document(t, "demo:x"), "s.blossom")
	for name, text := range map[string][]byte{
		"a compressed size beyond all numbers": bomb(t, good, 1, 10, 1<<60, 10),
		"the largest compressed size":          bomb(t, good, 1, 10, math.MaxUint64, 10),
		"the largest size":                     bomb(t, good, 1, math.MaxUint64, 0, 10),
		"a size that is not so":                bomb(t, good, 1, 1<<28, 0, 10),
		"hundreds of large files":              bomb(t, good, 300, 1<<22, 0, 1<<22),
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := Read(bytes.NewReader(text), "s.blossom")
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 400 {
			t.Errorf("%s: %d MB for a file of %d kB", name, mb, len(text)>>10)
		}
		if _, _, err = s.Document(data(t, "demo:x"), "s.blossom"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	s, err := Read(bytes.NewReader(bomb(t, good, 100, 1<<22, 0, 1<<22)), "s.blossom")
	if err != nil || !strings.Contains(strings.Join(s.notes, "|"), "too large") {
		t.Errorf("%v: what is left out is not said: %q", err, s.notes)
	}
}

// Texts are bounded by what they become: a part costs itself, the history itself, and neither takes the memory.
func TestTextsThatWouldBecomeLargeAreLeftOut(t *testing.T) {
	good := write(t, document(t, "demo:x"), "s.blossom")
	many := func(head, one, tail string, n int) string {
		return head + strings.Repeat(one+",", n) + one + tail
	}
	for name, c := range map[string]struct{ entry, text, said string }{
		"entries": {historyName, many(`{"now":1,"latest":1,"entries":[`, "{}", "]}", 4_000_000), "history"},
		"views": {partFolder + "views.json", many(`{"version":1,"value":{"active":"1","views":[`, "{}", "]}}",
			8_000_000), "views"},
		"snapshots": {partFolder + "snapshots.json", many(`{"version":2,"value":[`, `{}`, "]}", 8_000_000), ""},
		"deep": {historyName, `{"entries":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "}",
			"history"},
		"numbers": {historyName, `{"now":1e400,"entries":[{"id":1e308}]}`, "history"},
	} {
		text := with(t, good, c.entry, []byte(c.text))
		if len(text) > 1<<20 {
			t.Fatalf("%s: the file has %d kB; it is meant to be small", name, len(text)>>10)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, err := Read(bytes.NewReader(text), "s.blossom")
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 300 {
			t.Errorf("%s: %d MB for a file of %d kB", name, mb, len(text)>>10)
		}
		if !strings.Contains(strings.Join(s.notes, "|"), c.said) || len(s.notes) == 0 {
			t.Errorf("%s: said %q", name, s.notes)
		}
		if _, _, err := s.Document(data(t, "demo:x"), "s.blossom"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestVersionsThatNeverWereAreRefused(t *testing.T) {
	good := write(t, document(t, "demo:x"), "s.blossom")
	s, err := Read(bytes.NewReader(good), "s.blossom")
	if err != nil {
		t.Fatal(err)
	}
	s.Version = -3
	if err := s.check("s.blossom"); err == nil || !strings.Contains(err.Error(), "-3") {
		t.Errorf("a session of version -3: %v", err)
	}
	s.Version = fileVersion
	e := s.Parts["landmarks"]
	e.Version = -1
	s.Parts["landmarks"] = e
	if _, _, err := s.Document(data(t, "demo:x"), "s.blossom"); err == nil {
		t.Error("landmarks of version -1 were read")
	}
}
