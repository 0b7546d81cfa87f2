package heat

import (
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/work"
)

// cells are numbers of a subject that is nothing but them.
type cells struct {
	of    [][]float64
	names []string
}

func (n *cells) vectors() matrix.Matrix32 {
	x := matrix.Matrix32{Rows: len(n.of), Cols: len(n.names)}
	for _, row := range n.of {
		for _, v := range row {
			x.Data = append(x.Data, float32(v))
		}
	}
	return x
}
func (n *cells) columns() []string            { return n.names }
func (n *cells) value(row, col int) float64   { return n.of[row][col] }
func (n *cells) ends(bool) (low, high string) { return "", "" }
func (n *cells) title(int) string             { return "" }
func (n *cells) tip(row, col int) string      { return n.names[col] }
func (n *cells) scale(common bool) [][2]float64 {
	return [][2]float64{{0, 10}, {0, 1}, {0, 1}, {0, 10}}
}

// Columns that are coloured alike stand together with their names and their cells, where that is wanted.
func TestColumnsThatAreAlikeStandTogether(t *testing.T) {
	now := time.Unix(0, 0)
	c := &content{numbers: &cells{of: [][]float64{{1, 0.9, 0.1, 9}, {2, 0.8, 0.2, 8}, {9, 0.1, 0.9, 1}},
		names: []string{"a", "b", "c", "d"}}, count: 3}
	c.values = work.Values{Clock: func() time.Time { return now }}
	keep := work.Policy{Title: "Order", Silent: true}
	c.rows, c.cols = work.Keep[rowsKey, *order.Tree](&c.values, keep), work.Keep[drawnKey, *order.Tree](&c.values, keep)
	c.settings.Alike = true
	of := key{values: revision.Next()}
	c.compareColumns(drawnKey{key: of})
	c.of = drawnKey{key: of, cols: c.cols.Rev()}
	if c.of.cols == 0 {
		t.Fatal("the columns are not compared")
	}
	c.fill()
	at := map[string]int{}
	for i, name := range c.drawn.Columns {
		at[name] = i
	}
	if d := at["a"] - at["c"]; d != 1 && d != -1 {
		t.Errorf("the columns are %v", c.drawn.Columns)
	}
	ends := c.numbers.scale(false)
	for i, name := range c.drawn.Columns {
		col := c.column(i)
		if c.numbers.tip(0, col) != name {
			t.Errorf("column %d is called %s, its cells are of %s", i, name, c.numbers.tip(0, col))
		}
		for row := range 3 {
			if got, want := c.drawn.Share(row, i), share(c.numbers.value(row, col), ends[col]); got != want {
				t.Errorf("cell %d of %s is %g, want %g", row, name, got, want)
			}
		}
	}
	c.settings.Alike = false
	c.of = drawnKey{key: of}
	if c.fill(); c.drawn.Columns[0] != "a" || c.drawn.Columns[3] != "d" {
		t.Errorf("in the order of the data they are %v", c.drawn.Columns)
	}
}
