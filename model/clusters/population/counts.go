package population

// Counts is how many rows populations have in samples: in files, or in the labels of any column.
type Counts struct {
	Samples []string
	Rows    []int   // rows of each sample
	Points  [][]int // rows of each population in each sample, [population][sample], in none the last
}

// Count counts the rows of labels in samples; of is the sample of a row, below 0 for none.
func (l *Labels) Count(samples []string, of func(row int) int) *Counts {
	c := &Counts{Samples: samples, Rows: make([]int, len(samples)), Points: make([][]int, len(l.Sets)+1)}
	for i := range c.Points {
		c.Points[i] = make([]int, len(samples))
	}
	none := c.Points[len(l.Sets)]
	for row, label := range l.Values {
		if s := of(row); s >= 0 {
			c.Rows[s]++
			if label != label {
				none[s]++
			}
		}
	}
	for i, set := range l.Sets {
		set.Each(0, len(l.Values), func(row int) {
			if s := of(row); s >= 0 {
				c.Points[i][s]++
			}
		})
	}
	return c
}

// Of is the rows that a share of a population in a sample is of: those of its parent, or of the sample.
func (c *Counts) Of(t Tree, place, sample int, parent bool) int {
	if parent && place < t.Len() {
		if up := t.Place(t.list[place].Parent); up >= 0 {
			return c.Points[up][sample]
		}
	}
	return c.Rows[sample]
}
