package dataset

import (
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
