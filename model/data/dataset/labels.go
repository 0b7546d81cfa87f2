package dataset

import (
	"maps"
	"math"
	"slices"
	"strconv"
)

// LabelNumbers returns which number stands for each category wherever labels are written as numbers, in a column of
// labels; 0 stands for none. Categories that are whole numbers from 1 stand for themselves, as clusters do; others are
// counted from 1 in their order. What the window shows and every file holds is therefore the same number.
func (c *Column) LabelNumbers() []float32 {
	out := make([]float32, len(c.Categories))
	own, seen := true, map[int]bool{}
	for i, name := range c.Categories {
		n, err := strconv.Atoi(name)
		if err != nil || n < 1 || n > 1<<24 || seen[n] || strconv.Itoa(n) != name {
			own = false
			break
		}
		seen[n], out[i] = true, float32(n)
	}
	if !own {
		for i := range out {
			out[i] = float32(i + 1)
		}
	}
	return out
}

// NumberOf returns what is written for row i of a column where only numbers can be: its value, or the number of its
// label, of numbers as LabelNumbers gives them (nil for a column without categories).
func (c *Column) NumberOf(i int, numbers []float32) float64 {
	if numbers == nil {
		return c.At(i)
	}
	if v := c.Values[i]; v >= 0 && int(v) < len(numbers) {
		return float64(numbers[int(v)])
	}
	return 0
}

// mostNumberLabels is more labels than somebody tells apart: beyond it numbers are numbers.
const mostNumberLabels = 4096

// WithLabels is the table with those columns of labels as categories that hold whole numbers from 1 and gaps: a gap is
// no number, but none of the labels, and is written as such.
func (ds *Dataset) WithLabels() *Dataset {
	out := ds
	for i := range ds.Columns {
		c := &ds.Columns[i]
		if c.Role != Label || c.Categories != nil {
			continue
		}
		if made, ok := c.asLabels(); ok {
			if out == ds {
				copied := *ds
				copied.Columns = slices.Clone(ds.Columns)
				out = &copied
			}
			out.Columns[i] = made
		}
	}
	return out
}

// asLabels is a column of whole numbers from 1 and gaps as labels; ok is false for another.
func (c *Column) asLabels() (made Column, ok bool) {
	at, gaps := map[float32]int{}, false
	for _, v := range c.Values {
		switch {
		case v != v:
			gaps = true
		case v < 1 || v > 1<<24 || float64(v) != math.Trunc(float64(v)):
			return made, false
		default:
			at[v] = 0
		}
		if len(at) > mostNumberLabels {
			return made, false
		}
	}
	if !gaps || len(at) == 0 {
		return made, false
	}
	made = *c
	made.Exact, made.Values, made.Categories = nil, make([]float32, len(c.Values)), nil
	for k, v := range slices.Sorted(maps.Keys(at)) {
		at[v] = k
		made.Categories = append(made.Categories, strconv.Itoa(int(v)))
	}
	for i, v := range c.Values {
		if made.Values[i] = v; v == v {
			made.Values[i] = float32(at[v])
		}
	}
	return made, true
}

// NumberStats are the statistics of the numbers of a column wherever only numbers can be: of labels those of their
// LabelNumbers, without none.
func (c *Column) NumberStats() Stats {
	if len(c.Categories) == 0 {
		return c.Stats
	}
	numbers := c.LabelNumbers()
	values := make([]float32, len(c.Values))
	for i, v := range c.Values {
		if values[i] = float32(math.NaN()); v >= 0 && int(v) < len(numbers) {
			values[i] = numbers[int(v)]
		}
	}
	return Summarise(values)
}

// NoneAmongNumbers reports whether a column of labels that are whole numbers says none by -1, as clusterings do: it
// is the only one below 0.
func NoneAmongNumbers(ascending []float64) bool {
	return len(ascending) > 1 && ascending[0] == -1 && ascending[1] >= 0
}
