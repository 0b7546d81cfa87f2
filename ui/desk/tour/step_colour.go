package tour

import (
	"fmt"
	"slices"

	"blossom/model/data/dataset"
	"blossom/ui/desk"
)

func init() {
	Register(&Step{ID: "colour", Order: 20, Title: "Colour by a marker", Panel: "data",
		Words: "Click the name of a marker, CD3 for instance: each cell has the colour of how much of it was " +
			"measured, and the legend says how much that is.",
		Keys: "Ctrl+P, then type CD3",
		At: func(d *desk.Desk) []string {
			at := slices.IndexFunc(d.Doc.Data.Columns, func(c dataset.Column) bool { return c.Label == "CD3" })
			return []string{fmt.Sprintf("side bar/data/%d", at), SpotColour}
		},
		Begin: func(d *desk.Desk) func() bool {
			from := d.Look().Column
			return func() bool { now := d.Look().Column; return now != "" && now != from }
		}})
}
