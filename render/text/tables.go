package text

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The tables of a TrueType file, as the OpenType specification 1.9 has them. All numbers are big-endian.

// words appends numbers of 16 bits.
func words(b []byte, v ...int) []byte {
	for _, x := range v {
		b = binary.BigEndian.AppendUint16(b, uint16(x))
	}
	return b
}

// box is the extent of outlines.
type box struct{ x0, y0, x1, y1 int }

func (g *glyph) box() (b box) {
	first := true
	for _, c := range g.contours {
		for _, k := range c {
			if first {
				b, first = box{k.x, k.y, k.x, k.y}, false
			}
			b = box{min(b.x0, k.x), min(b.y0, k.y), max(b.x1, k.x), max(b.y1, k.y)}
		}
	}
	return b
}

// outline is a glyph as the table glyf has it.
func (g *glyph) outline() []byte {
	if len(g.contours) == 0 {
		return nil
	}
	e := g.box()
	b := words(nil, len(g.contours), e.x0, e.y0, e.x1, e.y1)
	last := -1
	for _, c := range g.contours {
		last += len(c)
		b = words(b, last)
	}
	b = words(b, 0) // no instructions
	var flags, xs, ys []byte
	x, y := 0, 0
	for _, c := range g.contours {
		for _, k := range c {
			flag := byte(0)
			if k.on {
				flag = 1
			}
			var more byte
			xs, more = step(xs, k.x-x, 1<<1, 1<<4)
			flag |= more
			ys, more = step(ys, k.y-y, 1<<2, 1<<5)
			flags = append(flags, flag|more)
			x, y = k.x, k.y
		}
	}
	return slices.Concat(b, flags, xs, ys)
}

// step appends a difference of coordinates, in no byte, one or two, and returns the flags that say so.
func step(b []byte, d int, short, same byte) ([]byte, byte) {
	switch {
	case d == 0:
		return b, same
	case d > 0 && d < 256:
		return append(b, byte(d)), short | same
	case d < 0 && d > -256:
		return append(b, byte(-d)), short
	}
	return words(b, d), 0
}

// file assembles the font.
func (b *builder) file() []byte {
	tables := map[string][]byte{"cmap": b.cmap(), "name": b.name(), "post": make([]byte, 32)}
	binary.BigEndian.PutUint32(tables["post"], 0x00030000) // no names of glyphs
	var all box
	points, most, widest := 0, 0, 0
	for i := range b.glyphs {
		g := &b.glyphs[i]
		tables["loca"] = binary.BigEndian.AppendUint32(tables["loca"], uint32(len(tables["glyf"])))
		tables["glyf"] = padded(append(tables["glyf"], g.outline()...))
		e := g.box()
		tables["hmtx"] = words(tables["hmtx"], g.advance, e.x0)
		all = box{min(all.x0, e.x0), min(all.y0, e.y0), max(all.x1, e.x1), max(all.y1, e.y1)}
		n := 0
		for _, c := range g.contours {
			n += len(c)
		}
		points, most, widest = max(points, n), max(most, len(g.contours)), max(widest, g.advance)
	}
	tables["loca"] = binary.BigEndian.AppendUint32(tables["loca"], uint32(len(tables["glyf"])))
	n := len(b.glyphs)
	tables["maxp"] = words(nil, 1, 0, n, points, most, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0)
	up, down, capital, x := b.heights()
	tables["hhea"] = words(nil, 1, 0, up, -down, 0, widest, all.x0, 0, all.x1, 1, 0, 0, 0, 0, 0, 0, 0, n)
	// Version 1.0, a checksum and a magic number; dates are of no file.
	tables["head"] = words(nil, 1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 3, int(b.units), 0, 0, 0, 0, 0, 0, 0, 0, all.x0,
		all.y0, all.x1, all.y1, bold(b.weight, 1), 8, 2, 1, 0)
	tables["OS/2"] = b.os2(up, down, capital, x)
	return assembled(tables)
}

// bold returns flag for a heavy font.
func bold(weight, flag int) int {
	if weight >= 600 {
		return flag
	}
	return 0
}

// heights are how far the font reaches above and below its baseline, and how high capitals and an x are.
func (b *builder) heights() (up, down, capital, x int) {
	m, err := b.font.Metrics(&b.buf, fixed.I(int(b.units)), font.HintingNone)
	if err != nil || m.Ascent <= 0 {
		return int(b.units) * 9 / 10, int(b.units) / 4, int(b.units) * 7 / 10, int(b.units) / 2
	}
	return m.Ascent.Round(), m.Descent.Round(), m.CapHeight.Round(), m.XHeight.Round()
}

// os2 is the table of metrics, version 4, that may be embedded in any file.
func (b *builder) os2(up, down, capital, x int) []byte {
	first, last := 0, 0
	if len(b.runes) > 0 {
		first, last = int(min(b.runes[0], 0xFFFF)), int(min(b.runes[len(b.runes)-1], 0xFFFF))
	}
	u := int(b.units)
	t := words(nil, 4, u/2, b.weight, 5, 0, u/2, u/2, 0, u/10, u/2, u/2, 0, u/3, u/20, u/4, 0)
	t = append(t, make([]byte, 10+16)...) // no classification, no ranges
	t = append(t, "none"...)
	style := 0x40 // regular
	if b.weight >= 600 {
		style = 0x20
	}
	t = words(t, style, first, last, up, -down, 0, up, down)
	t = append(t, make([]byte, 8)...)
	return words(t, x, capital, 0, 32, 1)
}

// name is the table of names, with the copyright and the licence of the font that this is a part of.
func (b *builder) name() []byte {
	kept := func(id sfnt.NameID) string {
		s, err := b.font.Name(&b.buf, id)
		if err != nil {
			return ""
		}
		return s
	}
	style := "Regular"
	if b.weight >= 600 {
		style = "Bold"
	}
	names := []struct {
		id   int
		text string
	}{{0, kept(sfnt.NameIDCopyright)}, {1, b.family}, {2, style}, {4, b.family + " " + style},
		{6, b.family + "-" + style}, {13, kept(sfnt.NameIDLicense)}, {14, kept(sfnt.NameIDLicenseURL)}}
	var records, texts []byte
	count := 0
	for _, n := range names {
		if n.text == "" {
			continue
		}
		at := len(texts)
		for _, c := range utf16.Encode([]rune(n.text)) {
			texts = words(texts, int(c))
		}
		records = words(records, 3, 1, 0x409, n.id, len(texts)-at, at)
		count++
	}
	return slices.Concat(words(nil, 0, count, 6+len(records)), records, texts)
}

// cmap is the table of characters: of format 4 for those of 16 bits, and of format 12 beside it where there are others.
func (b *builder) cmap() []byte {
	type segment struct{ from, to, glyph int }
	var segments []segment
	for i, r := range b.runes {
		if n := len(segments); n > 0 && segments[n-1].to == int(r)-1 && (r > 0xFFFF) == (r-1 > 0xFFFF) {
			segments[n-1].to++
			continue
		}
		segments = append(segments, segment{int(r), int(r), i + 1})
	}
	var ends, starts, deltas, offsets, groups []byte
	count, far := 0, false
	for _, s := range segments {
		groups = binary.BigEndian.AppendUint32(groups, uint32(s.from))
		groups = binary.BigEndian.AppendUint32(groups, uint32(s.to))
		groups = binary.BigEndian.AppendUint32(groups, uint32(s.glyph))
		if s.to > 0xFFFF || s.to == 0xFFFF {
			far = true
			continue
		}
		ends, starts = words(ends, s.to), words(starts, s.from)
		deltas, offsets = words(deltas, s.glyph-s.from), words(offsets, 0)
		count++
	}
	ends, starts, deltas, offsets = words(ends, 0xFFFF), words(starts, 0xFFFF), words(deltas, 1), words(offsets, 0)
	count++
	exponent := bits.Len(uint(count)) - 1
	search := 2 << exponent
	near := words(nil, 4, 16+8*count, 0, 2*count, search, exponent, 2*count-search)
	near = slices.Concat(near, ends, words(nil, 0), starts, deltas, offsets)
	if !far {
		return slices.Concat(words(nil, 0, 1, 3, 1, 0, 12), near)
	}
	head := words(nil, 0, 2, 3, 1, 0, 20, 3, 10, 0, 20+len(near))
	all := words(nil, 12, 0)
	for _, v := range []int{16 + len(groups), 0, len(groups) / 12} {
		all = binary.BigEndian.AppendUint32(all, uint32(v))
	}
	return slices.Concat(head, near, all, groups)
}

// padded fills up to whole numbers of 32 bits.
func padded(b []byte) []byte {
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	return b
}

// sum is the checksum of a table.
func sum(b []byte) (s uint32) {
	b = padded(slices.Clone(b))
	for i := 0; i < len(b); i += 4 {
		s += binary.BigEndian.Uint32(b[i:])
	}
	return s
}

// assembled is a file of tables.
func assembled(tables map[string][]byte) []byte {
	var names []string
	for n := range tables {
		names = append(names, n)
	}
	slices.Sort(names)
	exponent := bits.Len(uint(len(names))) - 1
	search := 16 << exponent
	out := words(nil, 1, 0, len(names), search, exponent, 16*len(names)-search)
	at, head := len(out)+16*len(names), 0
	var body []byte
	for _, n := range names {
		if n == "head" {
			head = at + len(body)
		}
		out = append(out, n...)
		for _, v := range []uint32{sum(tables[n]), uint32(at + len(body)), uint32(len(tables[n]))} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = padded(append(body, tables[n]...))
	}
	out = append(out, body...)
	binary.BigEndian.PutUint32(out[head+8:], 0xB1B0AFBA-sum(out))
	return out
}
