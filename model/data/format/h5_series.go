package format

import "blossom/model/data/dataset"

// of makes a column of some of the rows that were read, and says what float32 does not hold of it. every has it kept as
// float64 for a single value.
func (s *h5Series) of(name string, rows picked, every bool) (dataset.Column, tally) {
	c := dataset.Column{Name: name, Categories: s.categories}
	if s.numbers == nil {
		c.Values = pickedOf(s.labels, rows)
		return c, tally{}
	}
	numbers := pickedOf(s.numbers, rows)
	c.Values = make([]float32, len(numbers))
	var t tally
	for i, x := range numbers {
		c.Values[i] = float32(x)
		t.fraction = t.fraction || s.wide && float64(c.Values[i]) != x && x == x
	}
	if t.fraction && (every || dataset.Coarse(c.Values)) {
		c.SetExact(numbers)
	}
	return c, t
}

// pickedOf are the values of some rows, of those of all.
func pickedOf[T any](values []T, rows picked) []T {
	if rows.list == nil {
		return values[rows.from : rows.from+rows.n]
	}
	out := make([]T, rows.n)
	for i, row := range rows.list {
		out[i] = values[row]
	}
	return out
}
