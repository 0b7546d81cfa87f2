package text

import (
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"

	"blossom/model/base/problem"
)

// tolerance is how far, in units of a font, quadratic curves may lie from the cubic ones of an outline.
const tolerance = 0.5

// Subset makes a TrueType font of some characters of a font, whose outlines may be cubic: what a file embeds that is
// to show text anywhere. Characters that the font lacks are left out. The same font and characters give the same
// bytes. Family is what it is called; weight is 400 for regular.
func Subset(f *sfnt.Font, family string, weight int, runes []rune) ([]byte, error) {
	runes = slices.Clone(runes)
	slices.Sort(runes)
	runes = slices.Compact(runes)
	b := builder{font: f, units: f.UnitsPerEm(), family: family, weight: weight}
	if err := b.add(0); err != nil {
		return nil, err
	}
	for _, r := range runes {
		i, err := f.GlyphIndex(&b.buf, r)
		if err != nil || i == 0 {
			continue
		}
		if err := b.add(i); err != nil {
			return nil, err
		}
		b.runes = append(b.runes, r)
	}
	return b.file(), nil
}

// builder collects the glyphs of a font: number 0 is what is shown for missing ones, number i+1 that of runes[i].
type builder struct {
	font   *sfnt.Font
	buf    sfnt.Buffer
	units  sfnt.Units
	family string
	weight int
	runes  []rune
	glyphs []glyph
}

// glyph is an outline of quadratic curves.
type glyph struct {
	advance  int
	contours [][]knot
}

// knot is a place of an outline: on it, or what a curve is drawn towards.
type knot struct {
	x, y int
	on   bool
}

// add appends a glyph of the font.
func (b *builder) add(i sfnt.GlyphIndex) error {
	wrong := func(err error) error {
		return problem.Wrap(err, "", "use another font", "a character of a font cannot be read: %v", err)
	}
	size := fixed.I(int(b.units))
	advance, err := b.font.GlyphAdvance(&b.buf, i, size, font.HintingNone)
	if err != nil {
		return wrong(err)
	}
	segments, err := b.font.LoadGlyph(&b.buf, i, size, nil)
	if err != nil {
		return wrong(err)
	}
	b.glyphs = append(b.glyphs, glyph{advance: advance.Round(), contours: contours(segments)})
	return nil
}

// contours makes closed outlines of what a font draws; y points up in them.
func contours(segments sfnt.Segments) (out [][]knot) {
	var at [2]float64
	place := func(p fixed.Point26_6) [2]float64 { return [2]float64{float64(p.X) / 64, -float64(p.Y) / 64} }
	put := func(p [2]float64, on bool) {
		last := len(out) - 1
		out[last] = append(out[last], knot{int(math.Round(p[0])), int(math.Round(p[1])), on})
	}
	for _, s := range segments {
		p := place(s.Args[0])
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			out = append(out, nil)
			put(p, true)
			at = p
		case sfnt.SegmentOpLineTo:
			put(p, true)
			at = p
		case sfnt.SegmentOpQuadTo:
			end := place(s.Args[1])
			put(p, false)
			put(end, true)
			at = end
		case sfnt.SegmentOpCubeTo:
			end := place(s.Args[2])
			for _, q := range quadratics(at, p, place(s.Args[1]), end) {
				put(q[0], false)
				put(q[1], true)
			}
			at = end
		}
	}
	for i, c := range out {
		if n := len(c); n > 1 && c[0] == c[n-1] { // a contour closes by itself
			out[i] = c[:n-1]
		}
	}
	return slices.DeleteFunc(out, func(c []knot) bool { return len(c) < 3 })
}

// quadratics returns quadratic curves, each as its control and its end, that follow a cubic one. A cubic curve lies
// within sqrt(3)/36 of its third difference from the quadratic one with the same ends and tangents; a part of it of
// 1/n lies n^3 times as near.
func quadratics(a, b, c, d [2]float64) [][2][2]float64 {
	third := math.Hypot(d[0]-3*c[0]+3*b[0]-a[0], d[1]-3*c[1]+3*b[1]-a[1])
	n := max(1, int(math.Ceil(math.Cbrt(math.Sqrt(3)/36*third/tolerance))))
	at := func(t float64) (p, slope [2]float64) {
		u := 1 - t
		for i := range p {
			p[i] = u*u*u*a[i] + 3*u*u*t*b[i] + 3*u*t*t*c[i] + t*t*t*d[i]
			slope[i] = 3 * (u*u*(b[i]-a[i]) + 2*u*t*(c[i]-b[i]) + t*t*(d[i]-c[i]))
		}
		return p, slope
	}
	out := make([][2][2]float64, n)
	p, slope := at(0)
	for i := range out {
		end, after := at(float64(i+1) / float64(n))
		h := 1 / float64(n)
		for k := range end { // the mean of the two controls that the tangents ask for
			out[i][0][k] = (p[k] + end[k] + h/2*(slope[k]-after[k])) / 2
		}
		out[i][1] = end
		p, slope = end, after
	}
	return out
}
