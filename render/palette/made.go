package palette

import (
	"image/color"
	"math"
)

const steps = 256

// greys runs from dark to light in even lightness; both ends can be told from both backgrounds.
func greys() []color.NRGBA {
	out := make([]color.NRGBA, steps)
	for i := range out {
		out[i] = oklab{l: 0.28 + 0.60*float64(i)/(steps-1)}.colour()
	}
	return out
}

// ocean runs from deep violet over blue to pale green in even lightness.
func ocean() []color.NRGBA {
	out := make([]color.NRGBA, steps)
	for i := range out {
		t := float64(i) / (steps - 1)
		out[i] = lch(0.20+0.73*t, 0.02+0.075*math.Sin(math.Pi*math.Min(1, 0.15+0.85*t)), 300-145*t).colour()
	}
	return out
}

// diverging runs from hue h1 over a grey of lightness mid to hue h2; lightness is the same function of
// the distance from the middle on both sides, ending at lightness end, so neither sign looks stronger.
func diverging(mid, end, h1, h2 float64) []color.NRGBA {
	out := make([]color.NRGBA, steps)
	for i := range out {
		t := 2*float64(i)/(steps-1) - 1
		d := math.Abs(t)
		h := h1
		if t > 0 {
			h = h2
		}
		out[i] = lch(mid+(end-mid)*d, 0.13*math.Sin(math.Pi*math.Pow(0.72*d, 0.85)), h).colour()
	}
	return out
}

// many returns n colours that are far from each other in OKLab and can be told from white, from black
// and from the grey of missing values: from a grid of candidates it takes, again and again, the one
// that is farthest from all taken so far. There is no randomness in it.
func many(n int) []color.NRGBA {
	var candidates []oklab
	for l := 0.46; l <= 0.84; l += 0.038 {
		for a := -0.24; a <= 0.28; a += 0.02 {
			for b := -0.30; b <= 0.20; b += 0.02 {
				c := oklab{l, a, b}
				if chroma := math.Hypot(a, b); chroma > 0.055 && chroma < 0.20 && c.inGamut() {
					candidates = append(candidates, c)
				}
			}
		}
	}
	taken := []oklab{{l: 1}, {l: 0}, {l: 0.83}, {l: 0.43}} // grounds, and the greys of missing values
	first := len(taken)
	for _, c := range okabeIto()[:5] {
		taken = append(taken, fromColour(c))
	}
	near := make([]float64, len(candidates))
	for i, c := range candidates {
		near[i] = math.Inf(1)
		for _, t := range taken {
			near[i] = math.Min(near[i], distance(c, t))
		}
	}
	for len(taken)-first < n {
		best := 0
		for i := range near {
			if near[i] > near[best] {
				best = i
			}
		}
		taken = append(taken, candidates[best])
		for i, c := range candidates {
			near[i] = math.Min(near[i], distance(c, candidates[best]))
		}
	}
	out := make([]color.NRGBA, n)
	for i, c := range taken[first:] {
		out[i] = c.colour()
	}
	return out
}
