package view

import (
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/render/colour"
)

// valuesOf returns the values of a column, with labels counted among the points that can be drawn.
func valuesOf(c *dataset.Column, t transform.Column, table *transform.Table, onMap bool) *colour.Values {
	v := colour.Of(c, t, table.Order)
	if table.Invalid > 0 && onMap {
		v.Count(func(i int) bool {
			for _, x := range table.X.Row(i) {
				if x-x != 0 {
					return false
				}
			}
			return true
		})
	}
	return v
}
