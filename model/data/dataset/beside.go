package dataset

import (
	"cmp"
	"fmt"
	"slices"

	"blossom/model/base/revision"
)

// Beside returns data with more columns after its own. One whose name is taken gets a number: the data's own
// keep their names.
func Beside(data *Dataset, more ...Column) *Dataset {
	out := *data
	out.Columns = slices.Clone(data.Columns)
	for _, c := range more {
		name := c.Name
		taken := func(o Column) bool { return o.Name == c.Name }
		for i := 2; slices.ContainsFunc(out.Columns, taken); i++ {
			c.Name = fmt.Sprintf("%s (%d)", name, i)
		}
		out.Columns = append(out.Columns, c)
	}
	out.Rev = revision.Next()
	return &out
}

// JoinedTable is a table whose columns stand beside those of the data, a row for each of its rows.
type JoinedTable struct {
	Path    string
	Reading Reading // how the user asked to read it
	Found   Reading // separator and header of a text as it was read
	At, End int     // its columns are Columns[At:End] of the data
}

// Join returns data with the columns of a table that has the same rows. They are not of the map until somebody asks for
// them.
func Join(data, table *Dataset) *Dataset {
	columns := slices.Clone(table.Columns)
	for i := range columns {
		columns[i].Aside, columns[i].Why = true, cmp.Or(columns[i].Why, "joined")
	}
	out := Beside(data, columns...)
	out.Joined = append(slices.Clip(data.Joined), JoinedTable{Path: table.Path, Reading: table.Reading,
		Found: table.Found, At: len(data.Columns), End: len(out.Columns)})
	out.Warnings = append(slices.Clip(data.Warnings), table.Warnings...)
	return out
}

// JoinedFrom is the table that a column was joined from, or nil: it is one of the data's own.
func (ds *Dataset) JoinedFrom(column int) *JoinedTable {
	for i := range ds.Joined {
		if j := &ds.Joined[i]; j.At <= column && column < j.End {
			return j
		}
	}
	return nil
}

// Own returns the table without the columns that were joined, or those alone that were joined from the file at path.
func (ds *Dataset) Own(path string) *Dataset {
	out := *ds
	out.Joined, out.Rev = nil, revision.Next()
	end := len(ds.Columns)
	for i := len(ds.Joined) - 1; i >= 0; i-- {
		if j := &ds.Joined[i]; j.Path == path {
			out.Columns = ds.Columns[j.At:j.End:j.End]
			return &out
		}
		end = ds.Joined[i].At
	}
	out.Columns = ds.Columns[:end:end]
	return &out
}
