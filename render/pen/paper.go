package pen

import (
	"strings"

	"blossom/render/text"
)

// Paper is the size of a file, what it is drawn with, and what it says of itself.
type Paper struct {
	Width, Height float64 // millimetres
	Pixels        [2]int  // the size that it is laid out in
	Points        float64 // pixels per point of length of what is painted
	Fonts         *text.Fonts

	Title, Detail, Software string
	Says                    [][2]string // keys and values, of files that have a place for them
	Recipe                  string      // text that makes the picture again; "": none
}

// OnScreen is how many millimetres pixels of a picture are that has no size on paper, with so many of them to a point
// of length: there are 96 points to an inch.
func OnScreen(pixels int, scale float64) float64 {
	const inch, screen = 25.4, 96
	return float64(pixels) * (inch / (screen * scale))
}

// metadata is what a file says of itself, in RDF, as SVG and PDF have it.
func metadata(p Paper) string {
	var b strings.Builder
	b.WriteString(`<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" ` +
		`xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/" ` +
		`xmlns:blossom="urn:blossom:figure"><rdf:Description rdf:about="">`)
	if p.Title != "" {
		b.WriteString(`<dc:title><rdf:Alt><rdf:li xml:lang="x-default">` + escaped(p.Title) +
			`</rdf:li></rdf:Alt></dc:title>`)
	}
	if p.Detail != "" {
		b.WriteString(`<dc:description><rdf:Alt><rdf:li xml:lang="x-default">` + escaped(p.Detail) +
			`</rdf:li></rdf:Alt></dc:description>`)
	}
	if p.Software != "" {
		b.WriteString(`<xmp:CreatorTool>` + escaped(p.Software) + `</xmp:CreatorTool>`)
	}
	if p.Recipe != "" {
		b.WriteString(`<blossom:recipe>` + escaped(p.Recipe) + `</blossom:recipe>`)
	}
	b.WriteString(`</rdf:Description></rdf:RDF>`)
	return b.String()
}
