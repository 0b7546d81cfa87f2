package dataset

import "blossom/model/base/revision"

// Given is what a file says of a column that a panel says other things of.
type Given struct {
	Label string
	Role  Role
	Why   string
	Aside bool
}

// Restore has a column be as its file has it.
func (c *Column) Restore() {
	if g := c.Given; g != nil {
		c.Label, c.Role, c.Why, c.Aside, c.Given = g.Label, g.Role, g.Why, g.Aside, nil
	}
}

// Described returns the table with the same values in its columns, of which other things are said.
func (ds *Dataset) Described(columns []Column) *Dataset {
	out := *ds
	out.Columns, out.Rev = columns, revision.Next()
	return &out
}
