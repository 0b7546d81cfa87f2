package transform

import "blossom/model/data/dataset"

// lostSample is how many rows of a column are looked at.
const lostSample = 1000

// LostRows are the rows of n that Lost looks at, ascending.
func LostRows(n int) []int {
	rows := make([]int, min(n, lostSample))
	for k := range rows {
		rows[k] = k * n / len(rows)
	}
	return rows
}

// Lost returns the columns of the table, by their number in ds, of which float32 does not tell values apart that
// differ: those far from zero against how much they vary, or too small for it. Of a thousand rows at least a tenth are
// then taken for others.
func (t *Table) Lost(ds *dataset.Dataset) (cols []int) {
	rows := LostRows(ds.Points)
	for j, c := range t.Cols {
		column := &ds.Columns[c]
		if column.Exact == nil {
			continue
		}
		wide, narrow, looked := map[float64]bool{}, map[float32]bool{}, 0
		for _, row := range rows {
			v := t.Funcs[j].Forward(column.At(row))
			if v-v != 0 {
				continue
			}
			wide[v], narrow[float32(v)] = true, true
			looked++
		}
		if len(wide)-len(narrow) > looked/10 {
			cols = append(cols, c)
		}
	}
	return cols
}
