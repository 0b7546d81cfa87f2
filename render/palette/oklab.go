package palette

import (
	"image/color"
	"math"
)

// oklab is a colour in OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020):
// l is lightness 0 to 1, a and b are green-red and blue-yellow, within about 0.4 of zero.
type oklab struct{ l, a, b float64 }

// lch returns the colour of lightness l, chroma c and hue h in degrees.
func lch(l, c, h float64) oklab {
	sin, cos := math.Sincos(h * math.Pi / 180)
	return oklab{l, c * cos, c * sin}
}

// linear returns linear sRGB, outside of 0..1 for colours that a screen cannot show.
func (c oklab) linear() (r, g, b float64) {
	l := c.l + 0.3963377774*c.a + 0.2158037573*c.b
	m := c.l - 0.1055613458*c.a - 0.0638541728*c.b
	s := c.l - 0.0894841775*c.a - 1.2914855480*c.b
	l, m, s = l*l*l, m*m*m, s*s*s
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

func (c oklab) inGamut() bool {
	r, g, b := c.linear()
	const e = 1e-6
	return r >= -e && g >= -e && b >= -e && r <= 1+e && g <= 1+e && b <= 1+e
}

// colour returns the nearest colour of the same lightness and hue that a screen can show.
func (c oklab) colour() color.NRGBA {
	if !c.inGamut() {
		lo, hi := 0.0, 1.0
		for range 24 {
			mid := (lo + hi) / 2
			if (oklab{c.l, c.a * mid, c.b * mid}).inGamut() {
				lo = mid
			} else {
				hi = mid
			}
		}
		c.a, c.b = c.a*lo, c.b*lo
	}
	r, g, b := c.linear()
	return color.NRGBA{encode(r), encode(g), encode(b), 255}
}

// encode applies the transfer function of sRGB (IEC 61966-2-1).
func encode(x float64) uint8 {
	x = min(max(x, 0), 1)
	if x <= 0.0031308 {
		x *= 12.92
	} else {
		x = 1.055*math.Pow(x, 1/2.4) - 0.055
	}
	return uint8(x*255 + 0.5)
}

// fromColour is the inverse of colour for colours in gamut.
func fromColour(c color.NRGBA) oklab {
	dec := func(u uint8) float64 {
		x := float64(u) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	r, g, b := dec(c.R), dec(c.G), dec(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return oklab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

func distance(x, y oklab) float64 {
	return math.Sqrt((x.l-y.l)*(x.l-y.l) + (x.a-y.a)*(x.a-y.a) + (x.b-y.b)*(x.b-y.b))
}
