package text

import (
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"

	"blossom/render/text/fallback"
)

// Run is a part of a line that one font has all characters of.
type Run struct {
	Font  *opentype.Font
	Own   bool    // it is one of the two weights, not a font of the system
	Text  string  // as it is shown
	Width float64 // how far it reaches, in pixels
}

// Runs cuts a line into parts of one font each, as Write sets them: for files that embed fonts.
func (f *Fonts) Runs(l Line, s string) []Run { return f.runs(l, f.shown(s)) }

// Read is Runs in the order in which the line is read: for files whose readers put it into the order of its scripts.
func (f *Fonts) Read(l Line, s string) []Run { return f.runs(l, f.spelled(s)) }

// runs cuts what is shown.
func (f *Fonts) runs(l Line, shown string) (runs []Run) {
	face := f.face(l).(*chain)
	for _, r := range shown {
		font, own := face.own, true
		if r > 0x7e && !fallback.Has(face.own, r) {
			if other := fallback.System.Find(r); other != nil {
				font, own = other.Face, false
			}
		}
		if n := len(runs); n == 0 || runs[n-1].Font != font {
			runs = append(runs, Run{Font: font, Own: own})
		}
		last := &runs[len(runs)-1]
		last.Text += string(r)
		if a, ok := face.GlyphAdvance(r); ok {
			last.Width += float64(a) / 64
		}
	}
	return runs
}

// Family is the name of the fonts, for files that ask for them by it; "" where they have none.
func (f *Fonts) Family() string {
	name, err := f.regular.Name(nil, sfnt.NameIDFamily)
	if err != nil {
		return ""
	}
	return name
}
