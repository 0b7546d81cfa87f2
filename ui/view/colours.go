package view

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/live"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render/colour"
)

// Colours is what a view is coloured by. It follows the document: see update.
type Colours struct {
	*colour.Values        // nil: one colour
	Column         string // name of the column that Values are of, "" for none
	Rev            revision.Revision

	key    colourKey
	job    *work.Job
	jobKey colourKey
	binned [HistogramBins]float32
	lo, hi float32           // the ends of the histogram
	binsOf revision.Revision // the values that were binned
}

type colourKey struct {
	column string
	rev    revision.Revision // of the column
	how    string            // the transform, as text
	table  revision.Revision // the points of the map: they decide which are drawn
	map_   bool              // labels are counted among the points of the map only
}

// HistogramBins is the number of bars of a histogram.
const HistogramBins = 24

// asyncPoints is the number of points from which values are computed as a job rather than in a frame.
const asyncPoints = 300_000

// update brings the values up to the column of that name. Those of many points come later, as a job; until
// then the old colours stay. onMap says that points which the map cannot place are not drawn.
func (c *Colours) update(m *live.Map, name string, onMap bool) {
	key := colourKey{column: name, table: m.Table().Rev, map_: onMap}
	var column *dataset.Column
	var setting transform.Column
	if name != "" {
		var err error
		if column, setting, err = m.Column(name); column == nil && err == nil {
			return // it is being made: the old colours stay
		}
		if column != nil {
			key.rev, key.how = column.Rev, setting.String()
		}
	}
	if key == c.jobKey {
		return
	}
	if c.job != nil && c.jobKey.column == key.column && c.jobKey.table == key.table {
		return // one that changes in every frame would never be there: each is finished, and the latest follows
	}
	if c.job != nil { // of another column
		c.job.Cancel()
		c.job, c.jobKey = nil, colourKey{}
	}
	if key == c.key {
		return
	}
	if column == nil {
		c.take(key, nil)
		return
	}
	table := m.Table()
	values := func() *colour.Values {
		return valuesOf(column, setting, table, onMap)
	}
	if m.Doc.Data.Points < asyncPoints {
		c.take(key, values())
		return
	}
	c.jobKey = key
	c.job = m.Jobs.Start("Colour", func(context.Context, *work.Job) (func(), error) {
		v := values()
		return func() {
			c.job, c.jobKey = nil, colourKey{}
			c.take(key, v)
		}, nil
	})
}

func (c *Colours) take(key colourKey, v *colour.Values) {
	c.key, c.Values, c.Column, c.Rev = key, v, "", revision.Next()
	if v != nil {
		c.Column = key.column
	}
}

// Bins returns the histogram of a quantity and the values at its ends.
func (c *Colours) Bins() (counts []float32, lo, hi float32) {
	if c.binsOf != c.Rev {
		c.binsOf = c.Rev
		c.lo, c.hi = c.Histogram(c.binned[:])
	}
	return c.binned[:], c.lo, c.hi
}
