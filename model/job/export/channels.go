package export

import (
	"maps"
	"math"
	"slices"
	"strings"

	"blossom/model/data/dataset"
)

// Keywords of coordinates that are written as channels: what stands in the file is factor * coordinate + offset, with
// an offset for each axis, separated by commas.
const (
	FactorKey = "BLOSSOM_COORDINATES_FACTOR"
	OffsetKey = "BLOSSOM_COORDINATES_OFFSET"
)

// Coordinates as channels lie between margin and channels-margin.
const (
	channels = 1000
	margin   = 50
)

// asChannels returns coordinates as programs for cytometry show channels of an instrument: numbers from 0 up, of a
// range that is said. sized: all axes by one factor, so that the map keeps its shape and takes 1000 channels, and rows
// without a place have 0. Else they are as large as they were, and begin at 0. Other columns stay.
func asChannels(made *dataset.Dataset, sized bool) *dataset.Dataset {
	out := *made
	out.Columns, out.Metadata = slices.Clone(made.Columns), maps.Clone(made.Metadata)
	factor, extent := 1.0, 0.0
	for _, c := range made.Columns {
		if c.Role == dataset.Placed {
			extent = max(extent, c.Stats.Max-c.Stats.Min)
		}
	}
	if sized && extent > 0 {
		factor = (channels - 2*margin) / extent
	}
	var offsets []string
	for i := range out.Columns {
		c := &out.Columns[i]
		if c.Role != dataset.Placed {
			continue
		}
		offset := 0 - c.Stats.Min
		if sized {
			offset = channels/2 - factor*(c.Stats.Min+c.Stats.Max)/2
		}
		offsets = append(offsets, number(offset))
		values := make([]float32, len(c.Values))
		for row, x := range c.Values {
			switch {
			case x-x == 0:
				values[row] = float32(factor*float64(x) + offset)
			case !sized:
				values[row] = x
			}
		}
		c.Values = values
		if c.Range = math.Floor(c.Stats.Max+offset) + 1; sized {
			c.Range = channels
		}
	}
	if len(offsets) == 0 {
		return made
	}
	if out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	out.Metadata[FactorKey], out.Metadata[OffsetKey] = number(factor), strings.Join(offsets, ",")
	return &out
}
