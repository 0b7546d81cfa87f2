package page

import (
	"fmt"
	"html/template"
	"image/color"
	"strconv"

	"blossom/model/base/problem"
)

// css is a colour in a style.
func css(c color.NRGBA) template.CSS {
	return template.CSS(fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B))
}

// inkOn is black or white, whichever is read on a colour: by its relative luminance as WCAG 2 has it, near enough with
// an exponent of 2.2.
func inkOn(c color.NRGBA) template.CSS {
	linear := func(x uint8) float64 { v := float64(x) / 255; return v * v }
	if 0.2126*linear(c.R)+0.7152*linear(c.G)+0.0722*linear(c.B) > 0.2 {
		return "#000"
	}
	return "#fff"
}

// Percent is a share, 0 to 1, as people write it; NaN is "".
func Percent(x float64) string {
	switch {
	case x != x:
		return ""
	case x == 0:
		return "0 %"
	case x < 0.0001:
		return "< 0.01 %"
	}
	return strconv.FormatFloat(100*x, 'f', map[bool]int{true: 2, false: 1}[x < 0.1], 64) + " %"
}

func grouped(n int64) string { return problem.Grouped(n) }

// width is a share as a length.
func width(x float64) template.CSS { return template.CSS(strconv.FormatFloat(100*x, 'f', 1, 64) + "%") }

// indent is how far the name of a population at a depth stands from the edge.
func indent(depth int) template.CSS { return template.CSS(fmt.Sprintf("%gem", 0.6+1.2*float64(depth))) }
