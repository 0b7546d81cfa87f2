package view

import (
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render/colour"
)

// Operations for each point: a label is looked up, a number transformed and, in a sample, sorted.
const (
	perLabel  work.Ops = 12
	perNumber work.Ops = 56
	perRank   work.Ops = 4 // times as much, to find the rank of a number
)

// costOf is what the values of a column cost.
func costOf(c *dataset.Column) work.Ops {
	if c == nil {
		return 0
	}
	if len(c.Categories) > 0 {
		return perLabel * work.Ops(len(c.Values))
	}
	return perNumber * work.Ops(len(c.Values))
}

// absent are the points that the map cannot place, which are not drawn on it.
type absent struct {
	points []int32
	of     revision.Revision
}

// in returns them for a table; asking each frame costs nothing.
func (a *absent) in(t *transform.Table) []int32 {
	if a.of == t.Rev {
		return a.points
	}
	a.of, a.points = t.Rev, nil
	for i := 0; t.Invalid > 0 && i < t.X.Rows; i++ {
		for _, x := range t.X.Row(i) {
			if x-x != 0 {
				a.points = append(a.points, int32(i))
				break
			}
		}
	}
	return a.points
}

// valuesOf returns the values of a column, with labels counted among the points that are drawn; former is memory that
// is not needed any more, or nil.
func valuesOf(former *colour.Values, c *dataset.Column, t transform.Column, how transform.Spread,
	order, undrawn []int32) *colour.Values {
	if c == nil {
		return nil
	}
	v := colour.Again(former, c, t, how, order)
	v.Leave(undrawn)
	return v
}
