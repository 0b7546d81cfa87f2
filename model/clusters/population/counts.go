package population

import "blossom/model/data/dataset"

// Counts is how many rows populations have in samples: in files, or in the labels of any column.
type Counts struct {
	Samples []string
	Rows    []int   // rows of each sample
	Points  [][]int // rows of each population in each sample, [population][sample], in none the last

	unknown map[[2]int]bool // population and sample: see Known
}

// Known says whether a population can be told in a sample: not where it could not be evaluated, nor where the sample
// has no value at all of a column that its rule looks at, as a file without that marker has none; nor one below such a
// population. Its number is not 0 there, it is not known. The place behind all is that of points in none, which are not
// known where a population that lies in no other is not.
func (c *Counts) Known(place, sample int) bool { return !c.unknown[[2]int{place, sample}] }

// Ask finds out which populations cannot be told in samples, from the columns of the data; of is the sample of a row,
// why by place why a population could not be evaluated, as Labels has it.
func (c *Counts) Ask(t Tree, data *dataset.Dataset, why []error, of func(row int) int) {
	lacks := c.lacks(t, data, of)
	c.unknown = map[[2]int]bool{}
	for place, p := range t.All() {
		up := t.Place(p.Parent)
		for s := range c.Samples {
			unknown := why[place] != nil || up >= 0 && !c.Known(up, s)
			for _, name := range p.Rule.Needs().Columns {
				unknown = unknown || lacks[name] != nil && lacks[name][s] && c.Rows[s] > 0
			}
			if !unknown {
				continue
			}
			c.unknown[[2]int{place, s}] = true
			if up < 0 {
				c.unknown[[2]int{t.Len(), s}] = true
			}
		}
	}
}

// lacks says of each column that rules look at which samples have no value of it; a column without missing values has
// no entry.
func (c *Counts) lacks(t Tree, data *dataset.Dataset, of func(row int) int) map[string][]bool {
	at, out := data.Places(), map[string][]bool{}
	for _, name := range t.Columns() {
		i, ok := at[name]
		if !ok || data.Columns[i].Stats.Invalid == 0 {
			continue
		}
		none := make([]bool, len(c.Samples))
		for s := range none {
			none[s] = true
		}
		for row, x := range data.Columns[i].Values {
			if x == x {
				if s := of(row); s >= 0 {
					none[s] = false
				}
			}
		}
		out[name] = none
	}
	return out
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
