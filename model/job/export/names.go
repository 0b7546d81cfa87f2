package export

import (
	"image/color"

	"blossom/model/base/problem"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/sheet"
	"blossom/model/maps/selection"
)

// Names are what the rows of a table are called.
type Names struct {
	Data   *dataset.Dataset // as it was opened
	Tree   population.Tree
	Labels *population.Labels
	Colour func(ink uint8) color.NRGBA // colours of populations; nil: they are not known
	// Samples is what is known of the samples: counts have it beside them.
	Samples sheet.Sheet

	All bool // a column of 0 and 1 of each population
	// Selected are points that a column of 0 and 1 says of; nil: there is no such column.
	Selected *selection.Set
	Each     Each             // how rows are parted into files
	Before   *dataset.Dataset // the data that stand before labels, with the values that are wanted; nil: none
	Places   *dataset.Dataset // coordinates that stand before labels; nil: none
}

// Whole is the problem of the first population that cannot be evaluated: that it has no rows says nothing of the
// points. It is nil where there is none.
func (n *Names) Whole() error {
	for i, why := range n.Labels.Why {
		if why != nil {
			p := problem.As(why)
			return problem.Wrap(why, n.Data.Path, p.Remedy, "the population %s cannot be evaluated: %s",
				population.Brief(n.Tree.All()[i].Name), p.What)
		}
	}
	return nil
}
