package pen

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/opentype"

	"blossom/model/base/problem"
	"blossom/render/text"
	"blossom/render/text/fallback"
)

// PDF is a canvas whose file is PDF, with text as text in fonts that are embedded as far as they are used. What is
// painted is kept until it is written: before that nobody knows which characters there are.
type PDF struct {
	paper  Paper
	origin Spot
	sheet  *sheet
}

// sheet is what a PDF and the parts of it share.
type sheet struct {
	kx, ky float64 // points of the page per pixel
	high   float64 // height of the page, points
	steps  []func(*fpdf.Fpdf)
	raw    bytes.Buffer // operators of the page since the last step
	fonts  []pdfFont
	images int
	widths map[int]bool // widths of the pictures
	err    error
}

// pdfFont is a font that is used.
type pdfFont struct {
	font *opentype.Font
	bold bool
	used map[rune]bool
}

var _ Canvas = (*PDF)(nil)

// NewPDF returns an empty canvas for a paper.
func NewPDF(p Paper) *PDF {
	const point = 72 / 25.4 // points in a millimetre
	return &PDF{paper: p, sheet: &sheet{widths: map[int]bool{}, kx: p.Width * point / float64(p.Pixels[0]),
		ky: p.Height * point / float64(p.Pixels[1]), high: p.Height * point}}
}

// Scale is pixels per point of length.
func (p *PDF) Scale() float64 { return p.paper.Points }

// Width is how far a line of text reaches.
func (p *PDF) Width(f Face, t string) float64 {
	l, _ := lineOf(f, p.paper.Points)
	return p.paper.Fonts.Advance(l, t)
}

// Text writes a line with its left end at x, around the height middle.
func (p *PDF) Text(f Face, x, middle float64, ink color.NRGBA, t string) {
	written(p, f, x, middle, ink, color.NRGBA{}, t)
}

// Haloed writes it with a rim.
func (p *PDF) Haloed(f Face, x, middle float64, ink, rim color.NRGBA, t string) {
	written(p, f, x, middle, ink, rim, t)
}

// Upright writes a line that runs upwards from bottom, around x.
func (p *PDF) Upright(f Face, x, bottom float64, ink color.NRGBA, t string) {
	l, height := lineOf(f, p.paper.Points)
	x = math.Round(x-height/2) + math.Ceil(ascent*height)
	for _, r := range p.paper.Fonts.Runs(l, t) {
		p.run(r, l, "0 1 -1 0 "+p.at(Spot{x, math.Round(bottom)}), ink, Rim{})
		bottom -= r.Width
	}
}

// Write writes a line of text.
func (p *PDF) Write(l text.Line, x, y float64, ink color.NRGBA, rim Rim, t string) {
	runs := p.paper.Fonts.Runs(l, t)
	if rim.Width > 0 {
		at := x
		for _, r := range runs {
			p.run(r, l, "1 0 0 1 "+p.at(Spot{at, y}), rim.Ink, rim)
			at += r.Width
		}
	}
	for _, r := range runs {
		p.run(r, l, "1 0 0 1 "+p.at(Spot{x, y}), ink, Rim{})
		x += r.Width
	}
}

// run writes what one font has, or a rim around it, at a place that a matrix says.
func (p *PDF) run(r text.Run, l text.Line, at string, ink color.NRGBA, rim Rim) {
	s := p.sheet
	i := slices.IndexFunc(s.fonts, func(f pdfFont) bool { return f.font == r.Font && f.bold == (l.Bold && r.Own) })
	if i < 0 {
		i = len(s.fonts)
		s.fonts = append(s.fonts, pdfFont{font: r.Font, bold: l.Bold && r.Own, used: map[rune]bool{}})
	}
	var shown strings.Builder
	for _, c := range r.Text { // the library knows characters of 16 bits: of others the number is written
		if c > 0xFFFF {
			shown.WriteString(fallback.Escape(c))
			continue
		}
		shown.WriteRune(c)
	}
	line := shown.String()
	for _, c := range line {
		s.fonts[i].used[c] = true
	}
	size, name, width := l.Size*s.ky, "f"+strconv.Itoa(i), ""
	if rim.Width > 0 {
		width = fmt.Sprintf("1 Tr %s w 1 j %s RG ", num(2*rim.Width*s.kx), rgb(ink))
	}
	s.step(func(f *fpdf.Fpdf) {
		f.SetFont(name, "", size)
		f.RawWriteStr("q " + width + rgb(ink) + " rg")
		f.SetAlpha(float64(ink.A)/255, "Normal")
		f.RawWriteStr(at + " cm")
		f.Text(0, s.high, line)
		f.RawWriteStr("Q")
	})
}

// step keeps what a page is told, after what was painted before.
func (s *sheet) step(f func(*fpdf.Fpdf)) {
	if s.raw.Len() > 0 {
		raw := s.raw.String()
		s.raw.Reset()
		s.steps = append(s.steps, func(f *fpdf.Fpdf) { f.RawWriteStr(raw) })
	}
	s.steps = append(s.steps, f)
}

// at is a place on the page.
func (p *PDF) at(s Spot) string {
	return num((s.X+p.origin.X)*p.sheet.kx) + " " + num(p.sheet.high-(s.Y+p.origin.Y)*p.sheet.ky)
}

// rgb is a colour in numbers.
func rgb(c color.NRGBA) string {
	return num(float64(c.R)/255) + " " + num(float64(c.G)/255) + " " + num(float64(c.B)/255)
}

// paint adds operators that paint in a colour.
func (p *PDF) paint(ink color.NRGBA, operators string) {
	s := p.sheet
	if ink.A < 255 {
		s.step(func(f *fpdf.Fpdf) { f.RawWriteStr("q"); f.SetAlpha(float64(ink.A)/255, "Normal") })
		fmt.Fprintf(&s.raw, "%s Q\n", operators)
		return
	}
	fmt.Fprintf(&s.raw, "q %s Q\n", operators)
}

// Fill paints a rectangle with round corners.
func (p *PDF) Fill(r Rect, radius float64, ink color.NRGBA) {
	if r = Sharp(r, p.paper.Points); ink.A > 0 && !r.Empty() {
		p.paint(ink, rgb(ink)+" rg "+p.rounded(r, radius)+" f")
	}
}

// arc is how far the controls of a quarter of a circle lie from its ends, in radii: 4/3 (sqrt(2) - 1).
const arc = 0.5522847498307936

// rounded is the outline of a rectangle with round corners.
func (p *PDF) rounded(r Rect, radius float64) string {
	radius = min(radius, r.W()/2, r.H()/2)
	at := func(x, y float64) string { return p.at(Spot{x, y}) + " " }
	if radius <= 0 {
		return at(r.X0, r.Y0) + "m " + at(r.X1, r.Y0) + "l " + at(r.X1, r.Y1) + "l " + at(r.X0, r.Y1) + "l h"
	}
	k, c := radius, radius*(1-arc)
	return at(r.X0+k, r.Y0) + "m " + at(r.X1-k, r.Y0) + "l " +
		at(r.X1-c, r.Y0) + at(r.X1, r.Y0+c) + at(r.X1, r.Y0+k) + "c " + at(r.X1, r.Y1-k) + "l " +
		at(r.X1, r.Y1-c) + at(r.X1-c, r.Y1) + at(r.X1-k, r.Y1) + "c " + at(r.X0+k, r.Y1) + "l " +
		at(r.X0+c, r.Y1) + at(r.X0, r.Y1-c) + at(r.X0, r.Y1-k) + "c " + at(r.X0, r.Y0+k) + "l " +
		at(r.X0, r.Y0+c) + at(r.X0+c, r.Y0) + at(r.X0+k, r.Y0) + "c h"
}

// Gradient paints a bar with round corners: strips of one colour, which overlap so that no seam shows.
func (p *PDF) Gradient(r Rect, radius float64, at func(t float64) color.NRGBA) {
	if r.Empty() {
		return
	}
	fmt.Fprintf(&p.sheet.raw, "q %s W n\n", p.rounded(r, radius))
	n := int(min(max(r.W(), 2), 256))
	for i := range n {
		strip := Rect{r.X0 + r.W()*float64(i)/float64(n), r.Y0, r.X1, r.Y1}
		p.Fill(strip, 0, at((float64(i)+0.5)/float64(n)))
	}
	p.sheet.raw.WriteString("Q\n")
}

// Stroke paints lines.
func (p *PDF) Stroke(lines [][]Spot, width float64, ink color.NRGBA) {
	var d strings.Builder
	for _, l := range lines {
		d.WriteString(p.outline(l))
	}
	if d.Len() > 0 && ink.A > 0 {
		p.paint(ink, fmt.Sprintf("%s RG %s w 1 J 1 j %sS", rgb(ink), num(width*p.sheet.kx), d.String()))
	}
}

// outline is a line from place to place.
func (p *PDF) outline(l []Spot) string {
	var d strings.Builder
	for i, s := range l {
		d.WriteString(p.at(s) + [2]string{" m ", " l "}[min(i, 1)])
	}
	return d.String()
}

// Polygon fills an outline.
func (p *PDF) Polygon(corners []Spot, ink color.NRGBA) {
	if len(corners) > 2 {
		p.paint(ink, rgb(ink)+" rg "+p.outline(corners)+"f")
	}
}

// Ring fills what lies between two circles.
func (p *PDF) Ring(at Spot, inner, outer float64, ink color.NRGBA) {
	middle := outer
	if inner > 0 {
		middle = (inner + outer) / 2
	}
	circle := p.rounded(Rect{at.X - middle, at.Y - middle, at.X + middle, at.Y + middle}, middle)
	if inner > 0 {
		p.paint(ink, fmt.Sprintf("%s RG %s w %s S", rgb(ink), num((outer-inner)*p.sheet.kx), circle))
		return
	}
	p.paint(ink, rgb(ink)+" rg "+circle+" f")
}

// Picture lays a picture on a rectangle.
func (p *PDF) Picture(r Rect, img *image.RGBA) {
	if r.Empty() || img.Rect.Empty() {
		return
	}
	s := p.sheet
	img, r.X1 = s.widened(img, r)
	var data bytes.Buffer
	if err := png.Encode(&data, img); err != nil && s.err == nil {
		s.err = err
	}
	s.images++
	name := "picture" + strconv.Itoa(s.images)
	// Readers that draw pictures on whole pixels would take one more where a side lies between two.
	const less = 0.01
	x, y := (r.X0+less+p.origin.X)*s.kx, (r.Y0+less+p.origin.Y)*s.ky
	w, h := (r.W()-2*less)*s.kx, (r.H()-2*less)*s.ky
	s.step(func(f *fpdf.Fpdf) {
		o := fpdf.ImageOptions{ImageType: "PNG", AllowNegativePosition: true}
		f.RegisterImageOptionsReader(name, o, &data)
		f.ImageOptions(name, x, y, w, h, false, o, 0, "")
	})
}

// Seams says whether pictures may show where they meet.
func (*PDF) Seams() bool { return true }

// widened gives a picture a width that no other picture of the file has, by columns without colour at its right, and
// returns where it ends then: the library orders pictures by their widths, and those of one width by chance.
func (s *sheet) widened(img *image.RGBA, r Rect) (*image.RGBA, float64) {
	b := img.Rect
	w := b.Dx()
	for s.widths[w] {
		w++
	}
	s.widths[w] = true
	if w == b.Dx() {
		return img, r.X1
	}
	out := image.NewRGBA(image.Rect(0, 0, w, b.Dy()))
	draw.Draw(out, image.Rectangle{Max: b.Size()}, img, b.Min, draw.Src)
	return out, r.X0 + r.W()*float64(w)/float64(b.Dx())
}

// Group marks what is painted.
func (p *PDF) Group(id string) (end func()) {
	fmt.Fprintf(&p.sheet.raw, "/%s BMC\n", strings.Map(func(r rune) rune {
		if r > 0x20 && r < 0x7f && !strings.ContainsRune("()<>[]{}/%#", r) {
			return r
		}
		return '-'
	}, id))
	return func() { p.sheet.raw.WriteString("EMC\n") }
}

// Part is the canvas of a part.
func (p *PDF) Part(origin Spot, cut Rect) (Canvas, func()) {
	fmt.Fprintf(&p.sheet.raw, "q %s W n\n", p.rounded(cut, 0))
	part := *p
	part.origin = Spot{p.origin.X + origin.X, p.origin.Y + origin.Y}
	return &part, func() { p.sheet.raw.WriteString("Q\n") }
}

// Encode writes the file.
func (p *PDF) Encode(w io.Writer, paper Paper) error {
	s := p.sheet
	wrong := func(err error) error {
		return problem.Wrap(err, "", "write an SVG or a PNG, or use other letters", "the PDF cannot be made: %v", err)
	}
	if s.err != nil {
		return wrong(s.err)
	}
	const point = 72 / 25.4
	f := fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: paper.Width * point,
		Ht: paper.Height * point}})
	f.SetCatalogSort(true) // the same bytes each time
	f.SetCreationDate(time.Unix(0, 0).UTC())
	f.SetModificationDate(time.Unix(0, 0).UTC())
	f.SetMargins(0, 0, 0)
	f.SetAutoPageBreak(false, 0)
	f.SetProducer(paper.Software, true)
	f.SetTitle(paper.Title, true)
	f.SetSubject(paper.Detail, true)
	f.SetXmpMetadata([]byte(`<?xpacket begin="` + "\uFEFF" + `" id="W5M0MpCehiHzreSzNTczkc9d"?>` +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/">` + metadata(paper) + `</x:xmpmeta><?xpacket end="r"?>`))
	for i, font := range s.fonts {
		var runes []rune
		for r := range font.used {
			runes = append(runes, r)
		}
		weight := 400
		if font.bold {
			weight = 600
		}
		data, err := text.Subset(font.font, "Inter", weight, runes)
		if err != nil {
			return wrong(err)
		}
		f.AddUTF8FontFromBytes("f"+strconv.Itoa(i), "", data)
	}
	f.AddPage()
	s.step(func(*fpdf.Fpdf) {})
	for _, step := range s.steps {
		step(f)
	}
	var made bytes.Buffer
	if err := f.Output(&made); err != nil {
		return wrong(err)
	}
	_, err := w.Write(made.Bytes()) // its error is that of the file, not of the PDF
	return err
}
