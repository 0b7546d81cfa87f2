package dataset

import (
	"fmt"
	"testing"
)

// The first labels of groups are found behind names of points, and few points may have a label each.
func TestLabelsOfGroupsAreNoNames(t *testing.T) {
	labels := func(n int) Column {
		c := Column{Name: fmt.Sprint(n)}
		for i := range n {
			c.Categories = append(c.Categories, fmt.Sprint("l", i))
		}
		return c
	}
	index := labels(3)
	index.Role = Index
	for _, c := range []struct {
		columns []Column
		points  int
		want    int
	}{
		{[]Column{{Name: "x"}, labels(700), labels(10)}, 700, 2},
		{[]Column{labels(400), labels(350), labels(10)}, 700, 1},
		{[]Column{labels(1), labels(3)}, 3, 1},
		{[]Column{index, labels(2)}, 700, 1},
		{[]Column{labels(700)}, 700, -1},
		{nil, 0, -1},
	} {
		if got := Groups(c.columns, c.points); got != c.want {
			t.Errorf("%d columns, %d points: column %d, not %d", len(c.columns), c.points, got, c.want)
		}
	}
}
