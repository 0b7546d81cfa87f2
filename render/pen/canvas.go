package pen

import (
	"image"
	"image/color"
	"math"

	"blossom/render/text"
)

// Spot is a place, in pixels.
type Spot struct{ X, Y float64 }

// Rim is what lies around letters, so that they can be read on points.
type Rim struct {
	Ink   color.NRGBA
	Width float64 // pixels beyond the letters
}

// Canvas is a pen for a file: it paints what a window leaves to OpenGL, too. Image paints into a picture, SVG and PDF
// into files of lines and letters.
type Canvas interface {
	Pen
	// Write writes a line of text with the left end of its baseline at (x, y). A rim without width is none.
	Write(l text.Line, x, y float64, ink color.NRGBA, rim Rim, s string)
	// Stroke paints lines of two and more places each, with round ends and corners. Lines thinner than a pixel lose
	// opacity where there are pixels.
	Stroke(lines [][]Spot, width float64, ink color.NRGBA)
	// Polygon fills an outline that is closed by itself.
	Polygon(corners []Spot, ink color.NRGBA)
	// Ring fills what lies between two circles; where inner is 0 it is a disc.
	Ring(at Spot, inner, outer float64, ink color.NRGBA)
	// Picture lays a picture of premultiplied colours on a rectangle.
	Picture(r Rect, img *image.RGBA)
	// Seams says whether pictures side by side may show where they meet: then one is to be laid, however large.
	Seams() bool
	// Group says what is painted until it is ended, in a word for those who open the file.
	Group(id string) (end func())
	// Part is a canvas whose places count from origin; what lies outside of cut is cut off. Paint on it alone until it
	// is ended.
	Part(origin Spot, cut Rect) (part Canvas, end func())
}

// lineOf is how a face is set on a canvas with so many pixels per point, and the height of its lines.
func lineOf(f Face, points float64) (l text.Line, height float64) {
	height = math.Floor(f.Size()*lineHeight*points + 0.5)
	return text.Line{Size: height / lineHeight, Bold: f == Strong}, height
}

// baseline is where letters of a line of a height stand whose middle is given: a whole pixel, as in the window.
func baseline(middle, height float64) float64 {
	return math.Round(middle-height/2) + math.Ceil(ascent*height)
}

// rimWidth is that of the rim of Haloed, in points.
const rimWidth = 1.0

// written writes text of a face on a canvas that has no pixels, with a rim where that has a colour.
func written(c Canvas, f Face, x, middle float64, ink, rim color.NRGBA, s string) {
	l, height := lineOf(f, c.Scale())
	r := Rim{Ink: rim}
	if rim.A > 0 {
		r.Width = rimWidth * c.Scale()
	}
	c.Write(l, math.Round(x), baseline(middle, height), ink, r, s)
}
