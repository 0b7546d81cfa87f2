package dataset

import "strings"

// headingMark stands between a detector and its antigen in the header of a text table, as FlowJo writes it.
const headingMark = " :: "

// Heading is how the column is called in the header of a text table: "PE-A :: CD4" tells name and label, and a name
// stands alone where there is no label. ParseHeading takes it apart.
func (c *Column) Heading() string {
	if label := strings.TrimSpace(c.Label); label != "" && label != c.Name && !strings.Contains(c.Name, headingMark) {
		return c.Name + headingMark + label
	}
	return c.Name
}

// ParseHeading returns the name and the label that a cell of a header gives, "" for no label.
func ParseHeading(cell string) (name, label string) {
	name, label, found := strings.Cut(cell, headingMark)
	name, label = strings.TrimSpace(name), strings.TrimSpace(label)
	if !found || name == "" || label == "" {
		return cell, ""
	}
	return name, label
}

// Places returns where the columns are, by name, and by heading, as columns were called before headings were taken
// apart: sessions and landmarks of then still know them.
func (ds *Dataset) Places() map[string]int {
	at := make(map[string]int, len(ds.Columns))
	for i := range ds.Columns {
		at[ds.Columns[i].Name] = i
	}
	for i := range ds.Columns {
		h := ds.Columns[i].Heading()
		if _, taken := at[h]; !taken {
			at[h] = i
		}
	}
	return at
}
