// Package icon draws the icon of the program, in any size: for its window, and for packages.
package icon

import (
	"image"
	"image/color"
	"math"
)

// Blossom draws the icon n pixels wide, smooth by taking 4 x 4 samples per pixel.
func Blossom(n int) *image.NRGBA {
	const sub = 4
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			var r, g, b, a float64
			for i := range sub * sub {
				px := (float64(x)+(float64(i%sub)+0.5)/sub)/float64(n)*2 - 1
				py := (float64(y)+(float64(i/sub)+0.5)/sub)/float64(n)*2 - 1
				if c, ok := at(px, py); ok {
					r, g, b, a = r+float64(c.R), g+float64(c.G), b+float64(c.B), a+1
				}
			}
			if a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{uint8(r / a), uint8(g / a), uint8(b / a), uint8(255 * a / (sub * sub))})
			}
		}
	}
	return img
}

// at returns the colour at a place in [-1,1]^2.
func at(x, y float64) (color.NRGBA, bool) {
	radius, angle := math.Hypot(x, y), math.Atan2(x, -y)
	if radius < 0.24 {
		return color.NRGBA{R: 0xfd, G: 0xe7, B: 0x25}, true
	}
	petal := math.Abs(math.Cos(2.5 * angle)) // 1 on a petal's axis, 0 between two
	if radius < 0.34+0.62*math.Sqrt(petal) {
		if radius < 0.52*petal {
			return color.NRGBA{R: 0x4f, G: 0x9c, B: 0xf9}, true
		}
		return color.NRGBA{R: 0x1f, G: 0x6f, B: 0xeb}, true
	}
	return color.NRGBA{}, false
}
