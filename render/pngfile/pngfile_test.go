package pngfile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

// chunks reads a PNG file as the specification says.
func chunks(t *testing.T, b []byte) (kinds []string, data [][]byte) {
	t.Helper()
	if !bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatal("no PNG signature")
	}
	for b = b[8:]; len(b) > 0; {
		n := binary.BigEndian.Uint32(b)
		if binary.BigEndian.Uint32(b[8+n:]) != crc32.ChecksumIEEE(b[4:8+n]) {
			t.Fatalf("wrong checksum of %s", b[4:8])
		}
		kinds, data = append(kinds, string(b[4:8])), append(data, b[8:8+n])
		b = b[12+n:]
	}
	return
}

func TestEncode(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 37, 11))
	img.SetNRGBA(3, 4, color.NRGBA{200, 100, 50, 128})
	var buf bytes.Buffer
	err := Encode(&buf, img, Meta{DPI: 300, Text: []Text{
		{"Software", "blossom"}, {"Source", "naïve.fcs"}, {"Comment", "σ = 1.5"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	kinds, data := chunks(t, buf.Bytes())
	if got := strings.Join(kinds[:5], " "); got != "IHDR pHYs tEXt tEXt iTXt" {
		t.Errorf("chunks %s", got)
	}
	if x := binary.BigEndian.Uint32(data[1]); x != 11811 || data[1][8] != 1 {
		t.Errorf("%d pixels per metre, unit %d", x, data[1][8])
	}
	if string(data[2]) != "Software\x00blossom" || string(data[3]) != "Source\x00na\xefve.fcs" ||
		string(data[4]) != "Comment\x00\x00\x00\x00\x00σ = 1.5" {
		t.Errorf("texts %q %q %q", data[2], data[3], data[4])
	}
	back, err := png.Decode(&buf)
	if err != nil || back.(*image.NRGBA).NRGBAAt(3, 4) != (color.NRGBA{200, 100, 50, 128}) {
		t.Errorf("%v %v", back, err)
	}
}

func TestPlain(t *testing.T) {
	var with, without bytes.Buffer
	img := image.NewGray(image.Rect(0, 0, 3, 3))
	if err := Encode(&with, img, Meta{}); err != nil {
		t.Fatal(err)
	}
	png.Encode(&without, img)
	if !bytes.Equal(with.Bytes(), without.Bytes()) {
		t.Error("a file without metadata is not a plain one")
	}
}

func TestErrors(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 3, 3))
	for _, key := range []string{"", "σ", strings.Repeat("x", 80), "a\x00b"} {
		if Encode(&bytes.Buffer{}, img, Meta{Text: []Text{{key, "v"}}}) == nil {
			t.Errorf("key %q accepted", key)
		}
	}
	for n := range 100 { // a disk that is full after n bytes
		if err := Encode(&limited{n}, img, Meta{DPI: 72, Text: []Text{{"Title", "t"}}}); !errors.Is(err, errFull) {
			t.Fatalf("full after %d bytes: %v", n, err)
		}
	}
}

var errFull = errors.New("full")

type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if len(p) > l.left {
		n := l.left
		l.left = 0
		return n, errFull
	}
	l.left -= len(p)
	return len(p), nil
}
