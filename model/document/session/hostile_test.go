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
