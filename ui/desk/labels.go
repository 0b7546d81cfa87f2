package desk

import (
	"blossom/model/base/revision"
	"blossom/model/maps/derived"
)

// labelColumns are the names of the derived columns of labels, kept for data of a revision: a table may have tens of
// thousands of columns to look through.
type labelColumns struct {
	names map[string]string
	data  revision.Revision
}

// LabelColumn is the name of the derived column of labels of a kind: "cluster", "population".
func (d *Desk) LabelColumn(kind string) string {
	l := &d.labels
	if l.data != d.Doc.Data.Rev {
		*l = labelColumns{map[string]string{}, d.Doc.Data.Rev}
	}
	name, ok := l.names[kind]
	if !ok {
		name = derived.ByID(kind).ColumnName(d.Doc.Data, "")
		l.names[kind] = name
	}
	return name
}
