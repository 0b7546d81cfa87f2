package pen

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font/opentype"

	"blossom/model/base/problem"
	"blossom/render/text"
	"blossom/render/text/direction"
)

// SVG is a canvas whose file is SVG 1.1, with text as text. A unit of the file is a pixel of the canvas.
type SVG struct {
	fonts  *text.Fonts
	points float64
	body   bytes.Buffer
	defs   bytes.Buffer
	named  int               // gradients and cuts so far
	ids    map[string]int    // how many groups of a name there are
	used   [2]map[rune]bool  // characters of the regular and of the bold font
	faces  [2]*opentype.Font // these fonts
	err    error             // an error of a picture in it
}

var _ Canvas = (*SVG)(nil)

// NewSVG returns an empty canvas for a paper.
func NewSVG(p Paper) *SVG {
	return &SVG{fonts: p.Fonts, points: p.Points, ids: map[string]int{},
		used: [2]map[rune]bool{{}, {}}}
}

// Scale is pixels per point of length.
func (s *SVG) Scale() float64 { return s.points }

// Width is how far a line of text reaches.
func (s *SVG) Width(f Face, t string) float64 {
	l, _ := lineOf(f, s.points)
	return s.fonts.Advance(l, t)
}

// Text writes a line with its left end at x, around the height middle.
func (s *SVG) Text(f Face, x, middle float64, ink color.NRGBA, t string) {
	written(s, f, x, middle, ink, color.NRGBA{}, t)
}

// Haloed writes it with a rim.
func (s *SVG) Haloed(f Face, x, middle float64, ink, rim color.NRGBA, t string) {
	written(s, f, x, middle, ink, rim, t)
}

// Upright writes a line that runs upwards from bottom, around x.
func (s *SVG) Upright(f Face, x, bottom float64, ink color.NRGBA, t string) {
	l, height := lineOf(f, s.points)
	left := math.Round(x-height/2) + math.Ceil(ascent*height)
	s.write(l, left, math.Round(bottom), ink, Rim{}, t, ` transform="rotate(-90 `+num(left)+" "+num(bottom)+`)"`)
}

// Write writes a line of text.
func (s *SVG) Write(l text.Line, x, y float64, ink color.NRGBA, rim Rim, t string) {
	s.write(l, x, y, ink, rim, t, "")
}

func (s *SVG) write(l text.Line, x, y float64, ink color.NRGBA, rim Rim, t, turned string) {
	var all strings.Builder
	wide := 0.0
	for _, r := range s.fonts.Read(l, t) {
		wide += r.Width
		all.WriteString(r.Text)
		if !r.Own {
			continue // named alone: it is of the reader's system
		}
		face := 0
		if l.Bold {
			face = 1
		}
		s.faces[face] = r.Font
		for _, c := range r.Text {
			s.used[face][c] = true
		}
	}
	if strings.TrimSpace(all.String()) == "" {
		return
	}
	fmt.Fprintf(&s.body, `<text x="%s" y="%s" font-size="%s"`, num(x), num(y), num(l.Size))
	if l.Bold {
		s.body.WriteString(` font-weight="600"`)
	}
	fmt.Fprintf(&s.body, ` textLength="%s"%s%s`, num(wide), inked("fill", ink), turned)
	if direction.FromRight(t) { // it begins at its right end, and ends where it is put
		s.body.WriteString(` direction="rtl" text-anchor="end"`)
	}
	if rim.Width > 0 {
		fmt.Fprintf(&s.body, `%s stroke-width="%s" stroke-linejoin="round" paint-order="stroke"`,
			inked("stroke", rim.Ink), num(2*rim.Width))
	}
	s.body.WriteString(">" + escaped(all.String()) + "</text>\n")
}

// num writes a number of pixels.
func num(x float64) string {
	return strconv.FormatFloat(math.Round(x*1000)/1000+0, 'f', -1, 64)
}

// inked is a colour as an attribute.
func inked(what string, c color.NRGBA) string {
	out := fmt.Sprintf(` %s="#%02x%02x%02x"`, what, c.R, c.G, c.B)
	if c.A < 255 {
		out += fmt.Sprintf(` %s-opacity="%s"`, what, num(float64(c.A)/255))
	}
	return out
}

// escaped is text for an XML file: what is no character of one is left out.
func escaped(t string) string {
	t = strings.Map(func(r rune) rune {
		if r == 0xFFFD || r < 0x20 && r != '\t' || r > 0xFFFD && r < 0x10000 || r >= 0xD800 && r < 0xE000 {
			return -1
		}
		return r
	}, t)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(t)
}

// Fill paints a rectangle with round corners.
func (s *SVG) Fill(r Rect, radius float64, ink color.NRGBA) {
	if r = Sharp(r, s.points); ink.A > 0 && !r.Empty() {
		s.rect(r, radius, inked("fill", ink)+s.crisp(r, radius))
	}
}

// crisp keeps seams from showing between patches that share a side.
func (s *SVG) crisp(r Rect, radius float64) string {
	if radius == 0 && min(r.W(), r.H()) > 2*Hair(s.points) {
		return ` shape-rendering="crispEdges"`
	}
	return ""
}

func (s *SVG) rect(r Rect, radius float64, more string) {
	fmt.Fprintf(&s.body, `<rect x="%s" y="%s" width="%s" height="%s"`, num(r.X0), num(r.Y0), num(r.W()), num(r.H()))
	if radius = min(radius, r.W()/2, r.H()/2); radius > 0 {
		fmt.Fprintf(&s.body, ` rx="%s"`, num(radius))
	}
	s.body.WriteString(more + "/>\n")
}

// stops is how many colours a gradient has.
const stops = 65

// Gradient paints a bar with round corners.
func (s *SVG) Gradient(r Rect, radius float64, at func(t float64) color.NRGBA) {
	if r.Empty() {
		return
	}
	id := s.name("gradient")
	fmt.Fprintf(&s.defs, "<linearGradient id=\"%s\">\n", id)
	for i := range stops {
		t := float64(i) / (stops - 1)
		fmt.Fprintf(&s.defs, "<stop offset=\"%s\"%s/>\n", num(t), strings.Replace(strings.Replace(
			inked("stop-color", at(t)), "stop-color-opacity", "stop-opacity", 1), "  ", " ", 1))
	}
	s.defs.WriteString("</linearGradient>\n")
	s.rect(r, radius, ` fill="url(#`+id+`)"`)
}

// name is one for something that is referred to.
func (s *SVG) name(what string) string {
	s.named++
	return what + strconv.Itoa(s.named)
}

// Stroke paints lines.
func (s *SVG) Stroke(lines [][]Spot, width float64, ink color.NRGBA) {
	var d strings.Builder
	for _, l := range lines {
		outline(&d, l)
	}
	if d.Len() > 0 && ink.A > 0 {
		fmt.Fprintf(&s.body, `<path d="%s" fill="none"%s stroke-width="%s" stroke-linecap="round" `+
			"stroke-linejoin=\"round\"/>\n", d.String(), inked("stroke", ink), num(width))
	}
}

// outline writes a line from place to place.
func outline(d *strings.Builder, l []Spot) {
	for i, p := range l {
		d.WriteByte("ML"[min(i, 1)])
		d.WriteString(num(p.X) + " " + num(p.Y))
	}
}

// Polygon fills an outline.
func (s *SVG) Polygon(corners []Spot, ink color.NRGBA) {
	var d strings.Builder
	if outline(&d, corners); len(corners) > 2 {
		fmt.Fprintf(&s.body, "<path d=\"%sZ\"%s/>\n", d.String(), inked("fill", ink))
	}
}

// Ring fills what lies between two circles.
func (s *SVG) Ring(at Spot, inner, outer float64, ink color.NRGBA) {
	if inner > 0 {
		fmt.Fprintf(&s.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\"%s stroke-width=\"%s\"/>\n", num(at.X),
			num(at.Y), num((inner+outer)/2), inked("stroke", ink), num(outer-inner))
		return
	}
	fmt.Fprintf(&s.body, "<circle cx=\"%s\" cy=\"%s\" r=\"%s\"%s/>\n", num(at.X), num(at.Y), num(outer),
		inked("fill", ink))
}

// Picture lays a picture on a rectangle.
func (s *SVG) Picture(r Rect, img *image.RGBA) {
	if r.Empty() || img.Rect.Empty() {
		return
	}
	fmt.Fprintf(&s.body, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" `+
		`xlink:href="data:image/png;base64,`, num(r.X0), num(r.Y0), num(r.W()), num(r.H()))
	to := base64.NewEncoder(base64.StdEncoding, &s.body)
	if err := png.Encode(to, img); err != nil && s.err == nil {
		s.err = err
	}
	_ = to.Close() // into memory
	s.body.WriteString("\"/>\n")
}

// Seams says whether pictures may show where they meet.
func (*SVG) Seams() bool { return true }

// Group opens a group with an id of its own.
func (s *SVG) Group(id string) (end func()) {
	s.ids[id]++
	if n := s.ids[id]; n > 1 {
		id += "-" + strconv.Itoa(n)
	}
	fmt.Fprintf(&s.body, "<g id=\"%s\">\n", escaped(id))
	return func() { s.body.WriteString("</g>\n") }
}

// Part is the canvas of a part.
func (s *SVG) Part(origin Spot, cut Rect) (Canvas, func()) {
	id := s.name("cut")
	fmt.Fprintf(&s.defs, "<clipPath id=\"%s\"><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/></clipPath>\n", id,
		num(cut.X0), num(cut.Y0), num(max(cut.W(), 0)), num(max(cut.H(), 0)))
	fmt.Fprintf(&s.body, "<g clip-path=\"url(#%s)\"><g transform=\"translate(%s %s)\">\n", id, num(origin.X),
		num(origin.Y))
	return s, func() { s.body.WriteString("</g></g>\n") }
}

// Encode writes the file.
func (s *SVG) Encode(w io.Writer, p Paper) error {
	if s.err != nil {
		return problem.Wrap(s.err, "", "make it smaller", "a picture cannot be put into the figure: %v", s.err)
	}
	var head strings.Builder
	fmt.Fprintf(&head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"+
		"<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" "+
		"width=\"%smm\" height=\"%smm\" viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" "+
		"aria-labelledby=\"figure-title figure-desc\" xml:space=\"preserve\" font-family=\"%s\">\n",
		num(p.Width), num(p.Height), p.Pixels[0], p.Pixels[1], s.family())
	fmt.Fprintf(&head, "<title id=\"figure-title\">%s</title>\n<desc id=\"figure-desc\">%s</desc>\n", escaped(p.Title),
		escaped(p.Detail))
	fmt.Fprintf(&head, "<metadata>%s</metadata>\n", metadata(p))
	styles, err := s.styles()
	if err != nil {
		return err
	}
	head.WriteString("<defs>\n" + styles)
	for _, part := range [][]byte{[]byte(head.String()), s.defs.Bytes(), []byte("</defs>\n"), s.body.Bytes(),
		[]byte("</svg>\n")} {
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

// family names the fonts that text asks for.
func (s *SVG) family() string {
	if name := s.fonts.Family(); name != "" {
		return "'" + escaped(name) + "', sans-serif"
	}
	return "sans-serif"
}

// styles embeds the characters that are used of the two fonts.
func (s *SVG) styles() (string, error) {
	var b strings.Builder
	for i, f := range s.faces {
		if f == nil {
			continue
		}
		var runes []rune
		for r := range s.used[i] {
			runes = append(runes, r)
		}
		slices.Sort(runes)
		weight := []int{400, 600}[i]
		data, err := text.Subset(f, s.fonts.Family(), weight, runes)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "@font-face{font-family:'%s';font-weight:%d;src:url(data:font/ttf;base64,%s)}\n",
			escaped(s.fonts.Family()), weight, base64.StdEncoding.EncodeToString(data))
	}
	if b.Len() == 0 {
		return "", nil
	}
	return "<style type=\"text/css\">\n" + b.String() + "</style>\n", nil
}
