package format

import (
	"context"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// coloursOf ends the name of the colours of a column.
const coloursOf = "_colors"

// colours gives labels the colours that uns has for them, one for each category. What is wrong with them costs them
// alone.
func (in *h5Input) colours(ctx context.Context, uns *hdf5.Object, c *dataset.Column) error {
	if uns == nil || !uns.IsGroup() || len(c.Categories) == 0 {
		return nil
	}
	list, err := uns.Child(c.Name + coloursOf)
	if err == nil && list != nil && list.IsDataset() {
		var d *hdf5.Dataset
		if d, err = list.Dataset(); err == nil && d.Type.IsText() && len(d.Shape) == 1 && d.Shape[0] <= maxLabels {
			var texts []string
			if texts, err = list.Texts(ctx); err == nil {
				c.Own = dataset.ParseColours(texts, len(c.Categories))
			}
		}
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	in.warn("the colours of " + c.Name + " are left out: " + problem.As(err).What)
	return nil
}
