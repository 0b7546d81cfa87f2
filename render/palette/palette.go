// Package palette holds the colours of points: perceptual palettes for numbers, qualitative ones for
// labels, and the table that both drawing paths (OpenGL and the CPU) look colours up in.
package palette

import (
	"image/color"
	"strings"
	"sync"
)

// Kind says what a palette is for.
type Kind uint8

const (
	Sequential  Kind = iota // low to high
	Diverging               // signed values around a middle
	Categorical             // labels without an order
)

// String returns the kind in lower case.
func (k Kind) String() string { return [...]string{"sequential", "diverging", "categorical"}[k] }

// Palette is a list of colours. It is immutable; two palettes are the same if their pointers are.
type Palette struct {
	Name    string // as typed on the command line: "viridis"
	Title   string // as shown: "Viridis"
	Kind    Kind
	Colours []color.NRGBA // opaque; evenly spaced for numbers, one per label for categories
}

var all = sync.OnceValue(func() []*Palette {
	return []*Palette{
		table("viridis", "Viridis"),
		table("cividis", "Cividis"),
		table("magma", "Magma"),
		table("inferno", "Inferno"),
		table("plasma", "Plasma"),
		table("turbo", "Turbo"),
		{"ocean", "Ocean", Sequential, ocean()},
		{"greys", "Greys", Sequential, greys()},
		{"blue-red", "Blue to red", Diverging, diverging(0.97, 0.32, 255, 27)},
		{"blue-red-dark", "Blue to red, dark middle", Diverging, diverging(0.22, 0.82, 250, 38)},
		{"purple-green", "Purple to green", Diverging, diverging(0.97, 0.34, 310, 148)},
		{"okabe-ito", "Okabe-Ito", Categorical, okabeIto()},
		{"many", "Many labels", Categorical, many(48)},
	}
})

// All returns every palette, the best default of each kind first among its kind. Do not change it.
func All() []*Palette { return all() }

// Names returns the names of All, in order.
func Names() []string {
	var names []string
	for _, p := range all() {
		names = append(names, p.Name)
	}
	return names
}

// ByName returns the palette of that name, whatever its case, or nil.
func ByName(name string) *Palette {
	for _, p := range all() {
		if strings.EqualFold(p.Name, strings.TrimSpace(name)) {
			return p
		}
	}
	return nil
}

// Default returns the palette that numbers get unless the user chooses.
func Default() *Palette { return ByName("viridis") }

// ForLabels returns the palette that n labels get unless the user chooses: Okabe-Ito as far as it
// goes, then the long one.
func ForLabels(n int) *Palette {
	if p := ByName("okabe-ito"); n <= len(p.Colours) {
		return p
	}
	return ByName("many")
}

// At returns the colour at t, 0 to 1 (clamped; NaN gives the first colour), linear between the
// neighbours in sRGB.
func (p *Palette) At(t float64) color.NRGBA {
	last := len(p.Colours) - 1
	if !(t > 0) || last == 0 {
		return p.Colours[0]
	}
	if t >= 1 {
		return p.Colours[last]
	}
	x := t * float64(last)
	i := int(x)
	f := x - float64(i)
	a, b := p.Colours[i], p.Colours[i+1]
	mix := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*f + 0.5) }
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 255}
}

// Label returns the colour of label i of n: the i-th colour, starting over where labels outnumber
// colours; a palette for numbers is cut into n even steps.
func (p *Palette) Label(i, n int) color.NRGBA {
	if i < 0 {
		return p.Colours[0]
	}
	if p.Kind == Categorical {
		return p.Colours[i%len(p.Colours)]
	}
	if n < 2 {
		return p.At(0.5)
	}
	return p.At(float64(i) / float64(n-1))
}
