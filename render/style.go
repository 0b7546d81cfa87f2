package render

import (
	"image/color"
	"math"

	"blossom/render/palette"
)

// Theme is the colours of everything that is not data.
type Theme struct {
	Background      color.NRGBA
	Panel           color.NRGBA // behind a legend
	Text, TextDim   color.NRGBA
	Line            color.NRGBA // ticks and borders
	Accent          color.NRGBA
	Landmark        color.NRGBA
	LandmarkOutline color.NRGBA
	Edge            color.NRGBA
	Missing         color.NRGBA // points without a value, and those that are not selected
}

// Haze is what far points fade into in 3D: the ground where all points have one colour, and nothing where colours mean
// something, which a fade would change: a legend must name every colour that is seen.
func Haze(c palette.Colouring, t Theme) color.NRGBA {
	if c.Palette != nil {
		return color.NRGBA{}
	}
	return t.Background
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// Light returns the theme for a light background.
func Light() Theme {
	return Theme{
		Background: rgb(0xFAFAFB), Panel: rgb(0xFFFFFF), Text: rgb(0x1F2328), TextDim: rgb(0x656D76),
		Line:   rgb(0xD0D4DA),
		Accent: rgb(0x1F6FEB), Landmark: rgb(0x4B5563), LandmarkOutline: rgb(0xFFFFFF),
		Edge: color.NRGBA{0x4B, 0x55, 0x63, 0x66}, Missing: rgb(0xC3C7CD),
	}
}

// Dark returns the theme for a dark background.
func Dark() Theme {
	return Theme{
		Background: rgb(0x14161A), Panel: rgb(0x1C1F25), Text: rgb(0xE6E8EB), TextDim: rgb(0x969CA6),
		Line:   rgb(0x3A3F48),
		Accent: rgb(0x4D9BFF), Landmark: rgb(0xC9CED6), LandmarkOutline: rgb(0x14161A),
		Edge: color.NRGBA{0xC9, 0xCE, 0xD6, 0x55}, Missing: rgb(0x4A4F58),
	}
}

// AutoStyle returns the size (diameter in pixels) and the opacity at which n points look good in a
// viewport of w x h pixels at so many pixels per point of length: discs that shrink and thin out as
// the mean distance between points does, so that a few hundred can be seen one by one and a million
// still show where there are more of them.
//
// cover is the share of the viewport's area that the map's bounding box takes on screen: more than 1
// when zoomed in, which makes discs grow slowly; 0 or less where it is not known.
func AutoStyle(n, w, h int, scale, cover float64) (size, opacity float32) {
	if !(scale > 0) || math.IsInf(scale, 0) {
		scale = 1
	}
	if n < 1 || w < 1 || h < 1 {
		return float32(scale), 1
	}
	if !(cover > 0) || math.IsInf(cover, 0) {
		cover = 0.6
	}
	// All lengths in points, so that a screen of twice the resolution shows the same, finer.
	area := float64(w) / scale * float64(h) / scale * cover
	spacing := math.Sqrt(area / float64(n))
	d := 0.95 * math.Pow(spacing, 0.58)
	d = math.Min(math.Max(d, 0.9), 9)
	// Coverage if the points were spread evenly; real maps have places with ten times that.
	coverage := math.Pi / 4 * d * d / (spacing * spacing)
	a := 0.92 / (1 + 1.1*coverage)
	return float32(d * scale), float32(math.Min(math.Max(a, 0.06), 0.9))
}
