package heat

import (
	"context"
	"math"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/clusters/order"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/ui/view"
)

// three is three landmarks in two columns, the second of which has a weight of 0.
func three() *codebook {
	return &codebook{
		set:   &landmark.Set{Codebook: matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{2, 0, 4, 0, 6, 0}}},
		table: &transform.Table{Cols: []int{0, 1}, Factor: []float64{2, 0}},
	}
}

func TestAColumnOfNoWeightHasNoValues(t *testing.T) {
	n := three()
	for _, common := range []bool{false, true} {
		ends := n.scale(common)
		if ends[0] != [2]float64{1, 3} {
			t.Errorf("common %v: the first column is from %v", common, ends[0])
		}
		if x := n.value(1, 1); x == x {
			t.Errorf("the second column is %g", x)
		}
		if !common && ends[1][0] <= ends[1][1] {
			t.Errorf("its palette is from %v", ends[1])
		}
	}
	n.table.Factor[0] = 0
	if ends := n.scale(true); !math.IsInf(ends[0][0], 1) {
		t.Errorf("nothing has a value, and the palette is from %v", ends[0])
	}
}

func TestThereIsNoPictureOfRowsWithoutTheirOrder(t *testing.T) {
	now := time.Unix(0, 0)
	c := &content{numbers: three(), count: 3}
	c.values = work.Values{Clock: func() time.Time { return now }}
	c.rows = work.Keep[rowsKey, *order.Tree](&c.values, work.Policy{Title: "Order", Silent: true})
	if c.lack() == nil {
		t.Error("a picture of nothing")
	}
	if c.Stir() != (view.Stir{}) {
		t.Error("what has nothing to show is waited for")
	}
	c.of, c.drawn.Rows, c.drawn.Cols = drawnKey{key: key{values: revision.Next()}}, 3, 2
	c.rows.Want(rowsKey{c.of.values, 3})
	if c.lack() == nil || !c.Stir().Moving {
		t.Errorf("without an order: %v, %+v", c.lack(), c.Stir())
	}
	c.rows.Make(0, func(ctx context.Context, _ func(done, total int64)) (*order.Tree, error) {
		return order.Of(ctx, c.numbers.vectors())
	})
	if err := c.lack(); err != nil || c.Stir().Moving {
		t.Errorf("with its order: %v, %+v", err, c.Stir())
	}
}
