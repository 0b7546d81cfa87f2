package dataset

// fewGroups labels are groups, of however few points.
const fewGroups = 20

// Groups is the first of columns, of so many points, whose labels part these into groups; -1: there is none. Labels
// of which each is of a point or two are their names, as barcodes of cells are.
func Groups(columns []Column, points int) int {
	for i := range columns {
		if n := len(columns[i].Categories); n > 1 && columns[i].Role != Index && n <= max(fewGroups, points/2) {
			return i
		}
	}
	return -1
}
