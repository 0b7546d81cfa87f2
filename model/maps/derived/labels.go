package derived

import (
	"context"
	"strconv"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// Labels are what points are called now: the clusters or the populations that they are in. They are not written.
type Labels struct {
	Values []float32 // in the order of rows: the number of the label; NaN for a row without one
	Names  []string  // names of the labels
	Counts []int     // rows of each
	None   string    // name of rows without a label
	Inks   string    // which colour each has, so that it keeps it while others come and go
	Rests  []bool    // whether each has the rest of what it names; nil: none does
	// Numbers are what is said of rows in the place of names, NaN for nothing: a measure. nil: they are labels.
	Numbers []float64
	From    string // source of the labels, in words
	Rev     revision.Revision
}

// column is the labels as a column.
func (l *Labels) column() dataset.Column {
	if l.Numbers != nil {
		c := dataset.Column{From: l.From, Role: dataset.Measure}
		c.SetExact(l.Numbers)
		if c.Exact != nil && !needsExact(&c) {
			c.Exact = nil // one that is kept makes all of an FCS file numbers of twice the size
		}
		return c
	}
	names := l.Names
	if names == nil { // labels of which no row has one are labels all the same, and no numbers of the map
		names = []string{}
	}
	return dataset.Column{From: l.From, Values: l.Values, Categories: names, None: l.None, Inks: l.Inks,
		Rests: l.Rests,
		Stats: dataset.LabelStats(l.Counts, len(l.Values))}
}

// needsExact says whether float32 does not do for a column: it moves values by what may matter, and does not print them
// as they are written, as it does 41.3 in all rows.
func needsExact(c *dataset.Column) bool {
	printed := func(i int, x float64) bool {
		text := strconv.FormatFloat(float64(c.Values[i]), 'g', -1, 32)
		back, err := strconv.ParseFloat(text, 64)
		return err == nil && back == x || x != x
	}
	for i, x := range c.Exact {
		if !printed(i, x) {
			return dataset.Coarse(c.Values)
		}
	}
	return false
}

func init() {
	Register(Kind{
		ID: "population", Title: "populations", Order: 33, Label: true, Needs: NeedPopulations, Quick: true,
		Help: "The population of each point: the deepest that has it, and of several beside each other the first.",
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			return in.Populations.column(), nil
		},
	})
	Register(Kind{
		ID: "cluster", Title: "cluster", Order: 35, Label: true, Needs: NeedClusters, Quick: true,
		Help: "The cluster of each point where the hierarchy of the points is cut, by a number that it keeps while " +
			"the cut moves; points in none have none.",
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			return in.Clusters.column(), nil
		},
	})
}
