package desk

import "blossom/model/maps/derived"

// ClusterColumn is the name of the derived column of clusters.
func (d *Desk) ClusterColumn() string {
	if d.clusterFor != d.Doc.Data.Rev { // a table may have tens of thousands of columns to look through
		d.clusterFor, d.clusterName = d.Doc.Data.Rev, derived.ByID("cluster").ColumnName(d.Doc.Data, "")
	}
	return d.clusterName
}
