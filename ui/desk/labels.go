package desk

import (
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/maps/derived"
)

// Naming is what the desk knows of what points are called.
type Naming struct {
	// Names of the derived columns of labels, kept for data of a revision: a table may have tens of thousands of
	// columns to look through.
	columns map[string]string
	data    revision.Revision
}

// Column is the name of the derived column of labels of a kind ("cluster", "population") for data.
func (n *Naming) Column(data *dataset.Dataset, kind string) string {
	if n.data != data.Rev {
		n.columns, n.data = map[string]string{}, data.Rev
	}
	name, ok := n.columns[kind]
	if !ok {
		name = derived.ByID(kind).ColumnName(data, "")
		n.columns[kind] = name
	}
	return name
}
