// Package pngfile writes PNG files with a resolution and with text that says where they come from.
package pngfile

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"

	"blossom/model/base/problem"
)

// Text is a line of metadata. Keys are 1 to 79 Latin-1 characters; "Title", "Author", "Description",
// "Software", "Source", "Comment" and "Creation Time" have a meaning in the PNG specification.
type Text struct{ Key, Value string }

// Meta is what a file says besides its pixels.
type Meta struct {
	DPI  float64 // pixels per inch; 0: not said
	Text []Text
}

// MetaOf is a file that says keys and values.
func MetaOf(says [][2]string) (m Meta) {
	for _, s := range says {
		m.Text = append(m.Text, Text{Key: s[0], Value: s[1]})
	}
	return m
}

// Encode writes img.
func Encode(w io.Writer, img image.Image, m Meta) error {
	var chunks bytes.Buffer
	if m.DPI > 0 && m.DPI < 1e6 {
		perMetre := uint32(math.Round(m.DPI / 0.0254))
		data := binary.BigEndian.AppendUint32(nil, perMetre)
		data = binary.BigEndian.AppendUint32(data, perMetre)
		chunk(&chunks, "pHYs", append(data, 1))
	}
	for _, t := range m.Text {
		key, ok := latin1(t.Key)
		if !ok || len(key) < 1 || len(key) > 79 || bytes.IndexByte(key, 0) >= 0 {
			return problem.New("", "use a key of 1 to 79 Latin letters", "%q cannot be a key of a PNG text", t.Key)
		}
		value := bytes.ReplaceAll([]byte(t.Value), []byte{0}, nil)
		if plain, ok := latin1(string(value)); ok {
			chunk(&chunks, "tEXt", append(append(key, 0), plain...))
			continue
		}
		// No compression, no language, no translated key.
		chunk(&chunks, "iTXt", append(append(key, 0, 0, 0, 0, 0), value...))
	}
	return (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(
		&inserter{w: w, left: afterHeader, insert: chunks.Bytes()}, img)
}

// afterHeader is the length of the signature and of the IHDR chunk, which comes first in every file.
const afterHeader = 8 + 4 + 4 + 13 + 4

// inserter passes everything on and puts insert after the first left bytes.
type inserter struct {
	w      io.Writer
	left   int
	insert []byte
}

func (i *inserter) Write(p []byte) (int, error) {
	if i.left == 0 {
		return i.w.Write(p)
	}
	head := p[:min(len(p), i.left)]
	n, err := i.w.Write(head)
	i.left -= n
	if err != nil || i.left > 0 {
		return n, err
	}
	if _, err := i.w.Write(i.insert); err != nil {
		return n, err
	}
	rest, err := i.w.Write(p[n:])
	return n + rest, err
}

func chunk(b *bytes.Buffer, kind string, data []byte) {
	var word [4]byte
	binary.BigEndian.PutUint32(word[:], uint32(len(data)))
	b.Write(word[:])
	start := b.Len()
	b.WriteString(kind)
	b.Write(data)
	binary.BigEndian.PutUint32(word[:], crc32.ChecksumIEEE(b.Bytes()[start:]))
	b.Write(word[:])
}

func latin1(s string) ([]byte, bool) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 255 {
			return nil, false
		}
		out = append(out, byte(r))
	}
	return out, true
}
