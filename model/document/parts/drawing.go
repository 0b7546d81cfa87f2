package parts

import (
	"slices"
	"strings"

	"blossom/model/maps/density"
)

// Drawing is how points become a picture: one by one, or counted in cells that have colours.
type Drawing struct {
	Draw   string        `json:"draw,omitempty"`          // as what draws them names it; "": one by one
	Counts density.Scale `json:"density_scale,omitempty"` // how counts are spread over a palette
	Cell   float64       `json:"cell,omitempty"`          // size of a cell in points of length; 0 adapts
	// Smooth is the standard deviation, in points of length, of the Gaussian that counts are smoothed by; 0: they are
	// not.
	Smooth float64 `json:"smooth,omitempty"`
	// Show is what cells show of the column that points are coloured by: ShowMedian of numbers, ShowShare with the name
	// of a label of labels; "": the mean, and the commonest label.
	Show string `json:"cells_show,omitempty"`
}

// ShowMedian and ShowShare are what cells can show beside means and the commonest label.
const (
	ShowMedian = "median"
	ShowShare  = "share:"
)

// Share is the label whose share cells show; ok is false where they show none.
func (d Drawing) Share() (label string, ok bool) {
	if label, ok = strings.CutPrefix(d.Show, ShowShare); !ok || label == "" {
		return "", false
	}
	return label, true
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
	if !(d.Smooth >= 0 && d.Smooth <= MostCell) {
		d.Smooth = 0
	}
	if _, share := d.Share(); !share && d.Show != ShowMedian {
		d.Show = ""
	}
	return d
}
