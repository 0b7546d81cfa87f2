package export

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/model/base/problem"
)

// Print is the size of a picture on paper: a figure.
type Print struct {
	Width  float64 `json:"width_mm"`
	Height float64 `json:"height_mm"`
	DPI    float64 `json:"dpi"`     // dots per inch of its pixels
	Font   float64 `json:"font_pt"` // size of its text, points of 1/72 inch; what is small in the window is smaller
}

// A figure has these where nothing is said.
const (
	UsualDPI  = 300.0
	UsualFont = 7.0
)

// Column is a width that journals ask for.
type Column struct {
	Title string
	Width float64 // millimetres
}

// Columns are widths of figures: those of Cell Press ("Figure guidelines": 85, 114 and 174 mm), and of Nature ("Guide
// to preparing final artwork": 89 and 183 mm).
var Columns = []Column{{"One column", 85}, {"One and a half columns", 114}, {"Two columns", 174},
	{"Nature, one column", 89}, {"Nature, two columns", 183}}

const (
	inch      = 25.4      // millimetres
	point     = inch / 72 // a printer's
	bodyFont  = 13.0      // size of the text of a picture, in its own points of length
	mostPrint = 1 << 28   // pixels of a picture
)

// Pixels is how large it is in pixels, and how many of these make a point of length of what is drawn.
func (p Print) Pixels() (w, h int, scale float64) {
	side := func(mm float64) int { return int(math.Round(mm / inch * p.DPI)) }
	return side(p.Width), side(p.Height), p.Font * p.DPI / 72 / bodyFont
}

// Check says what cannot be done, as a Problem.
func (p Print) Check() error {
	for _, x := range []struct {
		what, unit       string
		value, low, high float64
	}{{"a width", "mm", p.Width, 5, 5000}, {"a height", "mm", p.Height, 5, 5000},
		{"a resolution", "dpi", p.DPI, 20, 2400}, {"a font", "pt", p.Font, 2, 100}} {
		if !(x.value >= x.low && x.value <= x.high) {
			return problem.New("", fmt.Sprintf("use %g to %g %s", x.low, x.high, x.unit), "%s of %g %s is not possible",
				x.what, x.value, x.unit)
		}
	}
	w, h, _ := p.Pixels()
	if w < 1 || h < 1 || w > mostPrint/h {
		most := math.Floor(p.DPI * math.Sqrt(mostPrint/(float64(w)*float64(h))))
		return problem.New("", fmt.Sprintf("use at most %g dpi, or a smaller size", most),
			"%g x %g mm at %g dpi are %d x %d pixels, which are too many", p.Width, p.Height, p.DPI, w, h)
	}
	return nil
}

// units are lengths in millimetres; a pixel's depends on the resolution.
var units = []struct {
	name string
	mm   float64
}{{"mm", 1}, {"cm", 10}, {"in", inch}, {"pt", point}, {"px", 0}}

// ParseLength reads a length with its unit: 85mm, 8.5cm, 3.35in, 240pt, or 1004px at so many dots per inch, and returns
// millimetres. The error is a Problem.
func ParseLength(s string, dpi float64) (mm float64, err error) {
	t := strings.ToLower(strings.TrimSpace(s))
	for _, u := range units {
		number, ok := strings.CutSuffix(t, u.name)
		if !ok {
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(x > 0) || math.IsInf(x, 0) {
			break
		}
		if u.mm == 0 {
			return x / dpi * inch, nil
		}
		return x * u.mm, nil
	}
	return 0, problem.New("", "write a number with its unit: 85mm, 8.5cm, 3.35in, 240pt or 1004px",
		"the length %q is not understood", s)
}
