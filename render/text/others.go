package text

import (
	"image"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"blossom/render/text/direction"
	"blossom/render/text/fallback"
)

// shown returns what is drawn for s, from left to right: characters that no font has are written as their numbers
// ("U+4E2D"), as in the window.
func (f *Fonts) shown(s string) string { return f.spelled(direction.Line(s)) }

// spelled returns s with the numbers of characters that no font has.
func (f *Fonts) spelled(s string) string {
	odd := func(r rune) bool { return r > 0x7e && !fallback.Has(f.regular, r) }
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case !odd(r) || !fallback.Silent(r) && fallback.System.Find(r) != nil:
			b.WriteRune(r)
		case !fallback.Silent(r):
			b.WriteString(fallback.Escape(r))
		}
	}
	return b.String()
}

// chain is a face that takes from fonts of the system what its own font lacks.
type chain struct {
	font.Face
	own    *opentype.Font
	size   opentype.FaceOptions
	others map[*fallback.Font]font.Face
}

// face returns the face that has a character.
func (c *chain) face(r rune) font.Face {
	if r <= 0x7e || fallback.Has(c.own, r) {
		return c.Face
	}
	f := fallback.System.Find(r)
	if f == nil {
		return c.Face
	}
	face, ok := c.others[f]
	if !ok {
		face = c.Face
		if made, err := opentype.NewFace(f.Face, &c.size); err == nil {
			face = made
		}
		c.others[f] = face
	}
	return face
}

// Glyph returns the picture of a character.
func (c *chain) Glyph(dot fixed.Point26_6, r rune) (image.Rectangle, image.Image, image.Point, fixed.Int26_6, bool) {
	return c.face(r).Glyph(dot, r)
}

// GlyphBounds returns where a character has ink.
func (c *chain) GlyphBounds(r rune) (fixed.Rectangle26_6, fixed.Int26_6, bool) {
	return c.face(r).GlyphBounds(r)
}

// GlyphAdvance returns how far a character reaches.
func (c *chain) GlyphAdvance(r rune) (fixed.Int26_6, bool) { return c.face(r).GlyphAdvance(r) }

// Kern returns the correction between two characters, which only those of one font have.
func (c *chain) Kern(a, b rune) fixed.Int26_6 {
	if face := c.face(a); face == c.face(b) {
		return face.Kern(a, b)
	}
	return 0
}
