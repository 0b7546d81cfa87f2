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
