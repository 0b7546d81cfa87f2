package derived

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
)

// Clusters are the clusters that points are in, as they are cut now. They are not written.
type Clusters struct {
	Values []float32 // in the order of rows: the number of the cluster; NaN for a row in none
	Names  []string  // names of the clusters
	Counts []int     // rows of each
	None   string    // name of rows in no cluster
	Inks   string    // which colour each has, so that a cluster keeps it while the cut moves
	From   string    // source of the clusters, in words
	Rev    revision.Revision
}

// The cluster of each point, by single linkage: the largest is 1.
func init() {
	Register(Kind{
		ID: "cluster", Title: "cluster", Order: 35, Label: true, Needs: NeedClusters, Quick: true,
		Help: "The cluster of each point where the hierarchy of the points is cut: the largest is 1, points in none " +
			"have none.",
		Compute: func(_ context.Context, in Inputs, _ func(done, total int64)) (dataset.Column, error) {
			c := in.Clusters
			return dataset.Column{From: c.From, Values: c.Values, Categories: c.Names, None: c.None, Inks: c.Inks,
				Stats: dataset.LabelStats(c.Counts, len(c.Values))}, nil
		},
	})
}
