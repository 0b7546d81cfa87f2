// Package text draws short lines of text into pictures. Coordinates are pixels.
package text

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"sort"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"blossom/model/base/problem"
	"blossom/render/text/fallback"
)

// Fonts are the two weights that pictures use; what they lack comes from fonts of the system. Its methods are safe for
// one goroutine at a time.
type Fonts struct {
	regular, semibold *opentype.Font
	faces             map[key]font.Face
}

type key struct {
	bold bool
	size fixed.Int26_6
}

// Parse reads two OpenType or TrueType fonts.
func Parse(regular, semibold []byte) (*Fonts, error) {
	r, err := opentype.Parse(regular)
	if err != nil {
		return nil, problem.Wrap(err, "", "use an OpenType or TrueType font", "the regular font cannot be read: %v",
			err)
	}
	s, err := opentype.Parse(semibold)
	if err != nil {
		return nil, problem.Wrap(err, "", "use an OpenType or TrueType font", "the semibold font cannot be read: %v",
			err)
	}
	return &Fonts{regular: r, semibold: s, faces: map[key]font.Face{}}, nil
}

var builtin = sync.OnceValue(func() [2]*opentype.Font {
	var f [2]*opentype.Font
	for i, data := range [][]byte{goregular.TTF, gobold.TTF} {
		parsed, err := opentype.Parse(data)
		if err != nil {
			panic(err) // part of the program
		}
		f[i] = parsed
	}
	return f
})

// Builtin returns the Go fonts, for callers without fonts of their own.
func Builtin() *Fonts {
	f := builtin()
	return &Fonts{regular: f[0], semibold: f[1], faces: map[key]font.Face{}}
}

// Line is how a line of text is set.
type Line struct {
	Size float64 // size of the font, pixels
	Bold bool
}

func (f *Fonts) face(l Line) font.Face {
	k := key{l.Bold, fixed.Int26_6(l.Size*64 + 0.5)}
	if face, ok := f.faces[k]; ok {
		return face
	}
	src := f.regular
	if l.Bold {
		src = f.semibold
	}
	size := opentype.FaceOptions{Size: max(l.Size, 1), DPI: 72, Hinting: font.HintingNone}
	face, err := opentype.NewFace(src, &size)
	if err != nil {
		panic(err) // only for a font without metrics, which Parse refuses
	}
	f.faces[k] = &chain{face, src, size, map[*fallback.Font]font.Face{}}
	return f.faces[k]
}

// Width returns how far s reaches.
func (f *Fonts) Width(l Line, s string) float64 {
	return float64(font.MeasureString(f.face(l), f.shown(s))) / 64
}

// Heights returns how far capitals reach above the baseline and letters like g below it.
func (f *Fonts) Heights(l Line) (above, below float64) {
	m := f.face(l).Metrics()
	above = float64(m.CapHeight) / 64
	if above <= 0 {
		above = 0.72 * l.Size
	}
	return above, float64(m.Descent) / 64
}

// Draw draws s with the left end of its baseline at (x, y).
func (f *Fonts) Draw(dst draw.Image, l Line, x, y float64, s string, c color.Color) {
	d := font.Drawer{
		Dst: dst, Src: image.NewUniform(c), Face: f.face(l),
		Dot: fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)},
	}
	d.DrawString(f.shown(s))
}

// Haloed draws s with a soft rim, so that it can be read on points. width is that of the rim in pixels.
func (f *Fonts) Haloed(dst draw.Image, l Line, x, y float64, s string, ink, rim color.NRGBA, width float64) {
	rim.A = 110
	for i := range 12 {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / 12)
		f.Draw(dst, l, x+width*cos, y+width*sin, s, rim)
	}
	f.Draw(dst, l, x, y, s, ink)
}

// Shorten cuts s so that it is no wider than width, with an ellipsis for what is missing. It looks at no more of s than
// is near the width.
func (f *Fonts) Shorten(l Line, s string, width float64) string {
	n := f.room(l, s, 1.25*width+4*l.Size) // kerning may bring letters closer
	if n == len(s) && f.Width(l, s) <= width {
		return s
	}
	r := []rune(s[:n])
	fits := sort.Search(len(r), func(n int) bool { return f.Width(l, string(r[:n+1])+"…") > width })
	return string(r[:fits]) + "…"
}

// room returns how many bytes of s it takes to reach further than width without kerning; all of them where it is
// shorter.
func (f *Fonts) room(l Line, s string, width float64) int {
	face, x := f.face(l), fixed.Int26_6(0)
	for at, r := range s {
		if float64(x)/64 > width {
			return at
		}
		if a, ok := face.GlyphAdvance(r); ok {
			x += a
		} else {
			x++ // a character without a glyph is not endless either
		}
	}
	return len(s)
}

// Advance returns how far s reaches without kerning, as the window sets it.
func (f *Fonts) Advance(l Line, s string) float64 {
	face, x := f.face(l), fixed.Int26_6(0)
	for _, r := range f.shown(s) {
		if a, ok := face.GlyphAdvance(r); ok {
			x += a
		}
	}
	return float64(x) / 64
}

// Write is Draw without kerning, as the window sets text.
func (f *Fonts) Write(dst draw.Image, l Line, x, y float64, s string, c color.Color) {
	face, ink := f.face(l), image.NewUniform(c)
	dot := fixed.Point26_6{X: fixed.Int26_6(x * 64), Y: fixed.Int26_6(y * 64)}
	for _, r := range f.shown(s) {
		dr, mask, at, advance, ok := face.Glyph(dot, r)
		if !ok {
			continue
		}
		if !dr.Empty() {
			draw.DrawMask(dst, dr, ink, image.Point{}, mask, at, draw.Over)
		}
		dot.X += advance
	}
}
