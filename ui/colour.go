package ui

import (
	"context"

	"blossom/model/dataset"
	"blossom/model/live"
	"blossom/model/parts"
	"blossom/model/revision"
	"blossom/model/transform"
	"blossom/render/colour"
)

// colours is what the picture is coloured by. It follows the document: see update.
type colours struct {
	*colour.Values // nil: one colour
	column         int
	rev            revision.Revision // of Values

	key    colourKey
	job    *live.Job
	jobKey colourKey
	binned [histogramBins]float32
	lo, hi float32           // the ends of the histogram
	binsOf revision.Revision // the values that were binned
}

type colourKey struct {
	data   revision.Revision
	column string
	how    string            // the transform, as text
	table  revision.Revision // the points of the map: they decide which are drawn
}

// histogramBins is the number of bars of the histogram.
const histogramBins = 24

// asyncPoints is the number of points from which values are computed as a job rather than in a frame.
const asyncPoints = 300_000

// update brings the values up to the document's look. Those of many points come later, as a job; until
// then the old colours stay.
func (c *colours) update(m *live.Map, column string) {
	s, data := m.Doc.State(), m.Doc.Data
	col := -1
	for i := range data.Columns {
		if data.Columns[i].Name == column && column != "" {
			col = i
		}
	}
	key := colourKey{data: data.Rev, column: column, table: m.Table().Rev}
	if col >= 0 {
		key.how = parts.Transform.Of(s).How(col)
	}
	if key == c.key || key == c.jobKey {
		return
	}
	if c.job != nil {
		c.job.Cancel()
		c.job, c.jobKey = nil, colourKey{}
	}
	if col < 0 {
		c.take(key, col, nil)
		return
	}
	table, spec := m.Table(), parts.Transform.Of(s)
	if data.Points < asyncPoints {
		c.take(key, col, valuesOf(transform.Mixed(data, spec, col), spec.Columns[col], table))
		return
	}
	c.jobKey = key
	c.job = m.Jobs.Start("Colour", func(context.Context, *live.Job) (func(), error) {
		v := valuesOf(transform.Mixed(data, spec, col), spec.Columns[col], table)
		return func() {
			c.job, c.jobKey = nil, colourKey{}
			c.take(key, col, v)
		}, nil
	})
}

// valuesOf returns the values of a column, with labels counted among the points that can be drawn.
func valuesOf(c *dataset.Column, t transform.Column, table *transform.Table) *colour.Values {
	v := colour.Of(c, t, table.Order)
	if table.Invalid > 0 {
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

func (c *colours) take(key colourKey, col int, v *colour.Values) {
	c.key, c.column, c.Values, c.rev = key, col, v, revision.Next()
}

// histogram returns the bins of a quantity and the values at their ends.
func (c *colours) histogram() (counts []float32, lo, hi float32) {
	if c.binsOf != c.rev {
		c.binsOf = c.rev
		c.lo, c.hi = c.Histogram(c.binned[:])
	}
	return c.binned[:], c.lo, c.hi
}
