// Package fallbacktest makes fonts for tests of texts in other scripts.
package fallbacktest

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"blossom/render/text/fallback"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
)

// With makes the system, until the test ends, one whose only font has the characters of runes, each looking like H.
// It returns the folder of the font.
func With(t testing.TB, runes string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "some.ttf"), Font(t, runes), 0o600); err != nil {
		t.Fatal(err)
	}
	was := fallback.System
	fallback.System = fallback.In(dir)
	t.Cleanup(func() { fallback.System = was })
	return dir
}

// Font returns a TrueType font with these characters, each looking like H.
func Font(t testing.TB, runes string) []byte {
	t.Helper()
	src := goregular.TTF
	f, err := sfnt.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	glyph, err := f.GlyphIndex(nil, 'H')
	if err != nil {
		t.Fatal(err)
	}
	cmap := characters(runes, uint32(glyph))
	n := int(binary.BigEndian.Uint16(src[4:]))
	out := slices.Clone(src[:12+16*n]) // the header and the list of tables
	for i := range n {
		entry := out[12+16*i:]
		at, size := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		table := src[at : at+size]
		if string(entry[:4]) == "cmap" {
			table = cmap
		}
		binary.BigEndian.PutUint32(entry[8:], uint32(len(out)))
		binary.BigEndian.PutUint32(entry[12:], uint32(len(table)))
		out = append(out, table...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	return out
}

// characters is a table "cmap" of format 12 that maps each character to one glyph.
func characters(runes string, glyph uint32) []byte {
	r := []rune(runes)
	slices.Sort(r)
	r = slices.Compact(r)
	var b []byte
	u16 := func(x ...uint16) {
		for _, v := range x {
			b = binary.BigEndian.AppendUint16(b, v)
		}
	}
	u32 := func(x ...uint32) {
		for _, v := range x {
			b = binary.BigEndian.AppendUint32(b, v)
		}
	}
	u16(0, 1, 3, 10) // version 0, one table: Windows, full Unicode
	u32(12)
	u16(12, 0)
	u32(uint32(16+12*len(r)), 0, uint32(len(r)))
	for _, c := range r {
		u32(uint32(c), uint32(c), glyph)
	}
	return b
}
