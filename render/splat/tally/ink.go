package tally

import (
	"image/color"

	"blossom/render/palette"
)

// faintest is the opacity of a cell at the low end of the scale where opacity says how many points it has.
const faintest = 0.2

// ink is the colour of a cell that has points, laid on a ground: of its points that stand out, over those that stand
// back.
func (c *Canvas) ink(cell int, ground [4]float64) Ink {
	at, n, least := c.levels.At(int32(c.Count(cell))), float64(c.count[cell]), 0.0
	if len(c.soft) > 0 {
		at, n, least = c.levels.Place(c.soft[cell]), c.front[cell], leastSmooth
	}
	by := func(level float64) float64 {
		if o := float64(c.style.Opacity); o > 0 {
			return min(o, 1)
		}
		return faintest + (1-faintest)*level
	}
	if len(c.behind) > 0 && (c.behind[cell] > 0 || len(c.soft) > 0 && c.soft[cell] > c.front[cell]) {
		missing := c.style.Table[palette.MissingEntry]
		ground = laid(missing, by(at), ground)
	}
	if n <= 0 || n < least {
		return inkOn(color.NRGBA{}, 0, ground)
	}
	if len(c.behind) > 0 {
		at = c.levels.Place(n)
	}
	if c.shown == nil {
		return c.inkOfCount(at, ground)
	}
	return inkOn(c.style.Table[c.shown.entry(cell, &c.style)], by(at), ground)
}

// inkOfCount is the colour of a cell that shows how many points it has, by their place on the scale.
func (c *Canvas) inkOfCount(at float64, ground [4]float64) Ink {
	opacity := 1.0
	if c.style.Opacity > 0 {
		opacity = min(float64(c.style.Opacity), 1)
	}
	return inkOn(c.style.Table[uint16(at*(palette.Entries-1)+0.5)], opacity, ground)
}

// inksOfCounts are the colours of cells by how many points they have, where that is all that they show.
func (c *Canvas) inksOfCounts(bare Ink, ground [4]float64) []Ink {
	if c.shown != nil || len(c.behind) > 0 || len(c.soft) > 0 {
		return nil
	}
	_, most := c.levels.Ends()
	few := make([]Ink, min(most+1, 4096))
	for n := range few {
		if few[n] = bare; n > 0 {
			few[n] = c.inkOfCount(c.levels.At(int32(n)), ground)
		}
	}
	return few
}

// float64s is a colour, premultiplied.
func float64s(c color.NRGBA) [4]float64 {
	a := float64(c.A) / 255
	return [4]float64{float64(c.R) * a, float64(c.G) * a, float64(c.B) * a, float64(c.A)}
}

// laid is a colour of an opacity on a premultiplied ground.
func laid(c color.NRGBA, opacity float64, ground [4]float64) [4]float64 {
	a := float64(c.A) / 255 * opacity
	on := [4]float64{float64(c.R), float64(c.G), float64(c.B), 255}
	for i := range on {
		on[i] = on[i]*a + ground[i]*(1-a)
	}
	return on
}

// inkOn is laid, as bytes.
func inkOn(c color.NRGBA, opacity float64, ground [4]float64) (k Ink) {
	for i, x := range laid(c, opacity, ground) {
		k[i] = uint8(x + 0.5)
	}
	return k
}

// straight is an ink as a colour that is not premultiplied.
func straight(k Ink) color.NRGBA {
	if k[3] == 0 {
		return color.NRGBA{}
	}
	up := func(x uint8) uint8 { return uint8(min(255, (int(x)*255+int(k[3])/2)/int(k[3]))) }
	return color.NRGBA{R: up(k[0]), G: up(k[1]), B: up(k[2]), A: k[3]}
}
