package order

import "slices"

// Cut returns which of k clusters each row is in, 0 for the largest and so on, where the k-1 highest joins are not
// made: as many as there are rows at most.
func (t *Tree) Cut(k int) []int {
	n := len(t.Leaves)
	k = min(max(k, 1), max(n, 1))
	// Joins, the highest first; of equal ones the last, so that parents go before children.
	heights := make([]int, len(t.Joins))
	for i := range heights {
		heights[i] = len(heights) - 1 - i
	}
	slices.SortStableFunc(heights, func(a, b int) int {
		switch x, y := t.Joins[a].Height, t.Joins[b].Height; {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	open := make([]bool, len(t.Joins))
	for _, i := range heights[:k-1] {
		open[i] = true
	}
	root := make([]int, n+len(t.Joins)) // the topmost cluster that is whole, from parents to children
	for i := range root {
		root[i] = i
	}
	for i := len(t.Joins) - 1; i >= 0; i-- {
		if j := t.Joins[i]; !open[i] {
			root[j.A], root[j.B] = root[n+i], root[n+i]
		}
	}
	sizes, order := map[int]int{}, []int(nil)
	for i := range n {
		if sizes[root[i]]++; sizes[root[i]] == 1 {
			order = append(order, root[i])
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	out := make([]int, n)
	for i := range out {
		out[i] = slices.Index(order, root[i])
	}
	return out
}
