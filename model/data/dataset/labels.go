package dataset

import "strconv"

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

// NoneAmongNumbers reports whether a column of labels that are whole numbers says none by -1, as clusterings do: it
// is the only one below 0.
func NoneAmongNumbers(ascending []float64) bool {
	return len(ascending) > 1 && ascending[0] == -1 && ascending[1] >= 0
}
