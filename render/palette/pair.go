package palette

import "sync"

// PairSteps is how many colours a palette of two quantities has along each of them: together as many as a Table has.
const PairSteps = 32

// Pair is the palette of two quantities at once. Label y*PairSteps+x has the colour of step x of the first and step y
// of the second: what is low in both is near the ground, what is high in the first is magenta, in the second
// green, and in both as far from the ground as can be. Between its corners it is linear in OKLab, so that equal steps
// look equal; magenta and green are told apart without red and green being so. The same ground gives the same palette.
func Pair(dark bool) *Palette {
	if dark {
		return pairDark()
	}
	return pairLight()
}

var (
	pairLight = sync.OnceValue(func() *Palette {
		return pairOf("pair", lch(0.90, 0.005, 260), lch(0.60, 0.27, 345), lch(0.64, 0.20, 145), lch(0.22, 0.04, 280))
	})
	pairDark = sync.OnceValue(func() *Palette {
		return pairOf("pair-dark", lch(0.34, 0.01, 260), lch(0.66, 0.27, 345), lch(0.72, 0.21, 145),
			lch(0.98, 0.005, 100))
	})
)

// PairLabel is the label that Pair has for the entries of two quantities, each in a Table of its own; ok is false where
// one of them is missing.
func PairLabel(x, y uint16) (label uint16, ok bool) {
	if x == MissingEntry || y == MissingEntry {
		return 0, false
	}
	const each = Entries / PairSteps
	return y/each*PairSteps + x/each, true
}

// pairOf makes a palette from its corners: both low, the first high, the second high, both high.
func pairOf(name string, low, first, second, high oklab) *Palette {
	mix := func(a, b oklab, t float64) oklab {
		return oklab{a.l + (b.l-a.l)*t, a.a + (b.a-a.a)*t, a.b + (b.b-a.b)*t}
	}
	p := &Palette{Name: name, Title: "Magenta and green", Kind: Categorical}
	for y := range PairSteps {
		for x := range PairSteps {
			s, t := float64(x)/(PairSteps-1), float64(y)/(PairSteps-1)
			p.Colours = append(p.Colours, mix(mix(low, first, s), mix(second, high, s), t).colour())
		}
	}
	return p
}
