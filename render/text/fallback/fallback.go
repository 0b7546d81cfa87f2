// Package fallback finds fonts of the system for characters that the program's own fonts lack: names of columns,
// landmarks and files in other scripts. Nothing is read before a text asks for such a character.
package fallback

import (
	"fmt"
	"os"
	"sync"
	"unicode"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// Font is a font of the system that has been read.
type Font struct {
	Path  string
	Index int    // in a collection, else 0
	Data  []byte // the whole file
	Face  *opentype.Font
}

// Library is the fonts of some folders. Its methods may be used by many goroutines.
type Library struct {
	roots func() []string
	mu    sync.Mutex
	files []*file
	read  bool // files is complete
	fonts map[*sfnt.Font]*Font
	found map[rune]*Font // nil: no font has it
}

// System is the library of this computer. Tests put another in its place.
var System = &Library{roots: systemRoots}

// In returns the library of the fonts in and below some folders.
func In(dirs ...string) *Library { return &Library{roots: func() []string { return dirs }} }

// Find returns the font to draw a character with, nil if there is none. The first call looks through the folders.
func (l *Library) Find(r rune) *Font {
	l.mu.Lock()
	defer l.mu.Unlock()
	if f, ok := l.found[r]; ok {
		return f
	}
	if !l.read {
		l.files, l.read = list(l.roots()), true
		l.fonts, l.found = map[*sfnt.Font]*Font{}, map[rune]*Font{}
	}
	var f *Font
	for _, candidate := range l.files {
		if i, s := candidate.with(r); s != nil {
			if f = l.open(candidate.path, i, s); f != nil {
				break
			}
		}
	}
	l.found[r] = f
	return f
}

// open reads the file of a font, once.
func (l *Library) open(path string, index int, probe *sfnt.Font) *Font {
	if f, ok := l.fonts[probe]; ok {
		return f
	}
	var font *Font
	if data, err := os.ReadFile(path); err == nil {
		if c, err := opentype.ParseCollection(data); err == nil {
			if face, err := c.Font(index); err == nil {
				font = &Font{Path: path, Index: index, Data: data, Face: face}
			}
		}
	}
	l.fonts[probe] = font
	return font
}

// Has reports whether a font has a character.
func Has(f *sfnt.Font, r rune) bool {
	i, err := f.GlyphIndex(nil, r)
	return err == nil && i != 0
}

// Silent reports whether a character is drawn as nothing, with or without a font for it: joiners, marks of direction
// and selectors of variants.
func Silent(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r)
}

// Escape is how a character is written that no font has: "U+4E2D".
func Escape(r rune) string { return fmt.Sprintf("U+%04X", r) }
