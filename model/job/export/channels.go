package export

import (
	"maps"
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

// asChannels returns coordinates as programs for cytometry show channels of an instrument: numbers above 0, of a range
// that is said, all axes by one factor, so that the map keeps its shape. Rows without a place have 0.
func asChannels(places *dataset.Dataset) *dataset.Dataset {
	out := *places
	out.Columns, out.Metadata = slices.Clone(places.Columns), maps.Clone(places.Metadata)
	factor, extent := 1.0, 0.0
	for _, c := range places.Columns {
		extent = max(extent, c.Stats.Max-c.Stats.Min)
	}
	if extent > 0 {
		factor = (channels - 2*margin) / extent
	}
	var offsets []string
	for i := range out.Columns {
		c := &out.Columns[i]
		offset := channels/2 - factor*(c.Stats.Min+c.Stats.Max)/2
		offsets = append(offsets, number(offset))
		values := make([]float32, len(c.Values))
		for row, x := range c.Values {
			if x-x == 0 {
				values[row] = float32(factor*float64(x) + offset)
			}
		}
		c.Values, c.Range = values, channels
	}
	if out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	out.Metadata[FactorKey], out.Metadata[OffsetKey] = number(factor), strings.Join(offsets, ",")
	return &out
}
