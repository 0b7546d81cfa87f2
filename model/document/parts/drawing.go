package parts

import (
	"slices"

	"blossom/model/maps/density"
)

// Drawing is how points become a picture: one by one, or counted in cells that have colours.
type Drawing struct {
	Draw   string        `json:"draw,omitempty"`          // as what draws them names it; "": one by one
	Counts density.Scale `json:"density_scale,omitempty"` // how counts are spread over a palette
	Cell   float64       `json:"cell,omitempty"`          // size of a cell in points of length; 0 adapts
}

// MostCell is how large a cell is at most, in points of length.
const MostCell = 500

// Sane replaces what makes no sense.
func (d Drawing) Sane() Drawing {
	if !slices.Contains(density.Scales, d.Counts) {
		d.Counts = density.Log
	}
	if !(d.Cell >= 0 && d.Cell <= MostCell) {
		d.Cell = 0
	}
	return d
}
