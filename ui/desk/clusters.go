package desk

import (
	"blossom/model/base/revision"
	"blossom/model/maps/derived"
)

// clusterColumn is the name of the derived column of clusters, kept for data of a revision: a table may have tens of
// thousands of columns to look through.
type clusterColumn struct {
	name string
	data revision.Revision
}

// ClusterColumn is the name of the derived column of clusters.
func (d *Desk) ClusterColumn() string {
	if c := &d.clusters; c.data != d.Doc.Data.Rev {
		c.data, c.name = d.Doc.Data.Rev, derived.ByID("cluster").ColumnName(d.Doc.Data, "")
	}
	return d.clusters.name
}
