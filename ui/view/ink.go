package view

import (
	"image/color"

	"blossom/model/base/problem"
	"blossom/render/palette"
	"blossom/ui/widget"
)

// Ink is a colour of package render for the window.
func Ink(c color.NRGBA) widget.Color { return widget.RGBA(c.R, c.G, c.B, c.A) }

// Strip is the colours of a palette from left to right: those of labels beside each other, else in even steps.
func Strip(p *palette.Palette, reversed bool, steps int) []widget.Color {
	if p.Kind == palette.Categorical {
		out := make([]widget.Color, len(p.Colours))
		for i, c := range p.Colours {
			out[i] = Ink(c)
		}
		return out
	}
	out := make([]widget.Color, steps)
	for i := range out {
		t := float64(i) / float64(steps-1)
		if reversed {
			t = 1 - t
		}
		out[i] = Ink(p.At(t))
	}
	return out
}

// grouped writes a number with a separator between thousands.
func grouped(n int) string { return widget.Grouped(n) }

func problemText(err error) string {
	p := problem.As(err)
	if p.Remedy == "" {
		return p.What
	}
	return p.What + " – " + p.Remedy
}
