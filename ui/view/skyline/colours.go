package skyline

import (
	"image/color"
	"math"
	"slices"

	"blossom/model/clusters/linkage"
	"blossom/render/palette"
)

// Sight is the places of a hierarchy that are in sight, [From, To), and how many columns they are drawn in.
type Sight struct {
	From, To float64
	Columns  int
}

// Colours gives each column the colour of the cluster that has most of it, transparent where there is none. heights are
// those of the columns, out is used again where it is large enough.
func (v Sight) Colours(sky *linkage.Skyline, flat *linkage.Flat, inks palette.Colouring, heights []float64,
	out []color.NRGBA) []color.NRGBA {
	n := v.Columns
	out = slices.Grow(out[:0], n)[:n]
	clear(out)
	scale := float64(n) / (v.To - v.From)
	for i := min(len(flat.Clusters), inks.Labels) - 1; i >= 0; i-- { // large ones last: they are on top
		c := flat.Clusters[i]
		from := int(math.Floor((float64(c.From) - v.From) * scale))
		to := int(math.Ceil((float64(c.To) - v.From) * scale))
		if to <= 0 || from >= n {
			continue
		}
		ink := inks.LabelColour(i)
		ink.A = 255
		for k := max(from, 0); k < min(to, n); k++ {
			out[k] = ink
		}
	}
	if flat.Height == flat.Height {
		return out
	}
	for _, c := range flat.Clusters { // where there is no line, what parts two of them is of neither
		for _, place := range [...]int32{c.From - 1, c.To - 1} {
			k := int(math.Floor((float64(place) - v.From) * scale))
			if k >= 0 && k < n && place >= 0 && int(place) < len(sky.Gap) && heights[k] == sky.Gap[place] {
				out[k] = color.NRGBA{}
			}
		}
	}
	return out
}
