package linkage

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"blossom/model/base/matrix"
)

// countdown is a context that is cancelled after so many looks at it.
type countdown struct {
	context.Context
	left atomic.Int64
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Cancelled anywhere, and called again, a run ends with the same hierarchy; progress is a share of what is settled,
// that never falls.
func TestCancelledAnywhere(t *testing.T) {
	x := cloud(3000, 4, 11)
	want, _ := cluster(t, x, Options{Threads: 1})
	r, err := New(t.Context(), x, Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	stopped, last := 0, int64(0)
	for looks := int64(0); !r.Progress().Rest; looks++ {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(looks % 300)
		p, err := r.Step(ctx, 5)
		if err != nil {
			stopped++
		}
		if p.Done < last || p.Done > p.Total || p.Rest != (p.Done == p.Total) {
			t.Fatalf("%+v after %d", p, last)
		}
		if a, ok := r.body.(*light); ok && !p.Rest {
			open := int64(0)
			for _, task := range a.chunk {
				if task.From < task.To {
					open++
				}
			}
			if p.Done > int64(a.next)-open {
				t.Fatalf("%d blocks are said to be settled, of %d with %d open", p.Done, a.next, open)
			}
		}
		last = p.Done
	}
	if got := known(t, r); !slices.Equal(got.Z, want.Z) || stopped < 10 {
		t.Errorf("stopped %d times it is another hierarchy", stopped)
	}
	for looks := range int64(12) {
		ctx := &countdown{Context: t.Context()}
		ctx.left.Store(looks)
		if l, err := r.Linkage(ctx); err == nil && !slices.Equal(l.Z, want.Z) {
			t.Fatal("half of a hierarchy")
		}
	}
	if got := known(t, r); !slices.Equal(got.Z, want.Z) {
		t.Error("after a linkage that was cancelled it is another one")
	}
}

// Many edges of one height, and many points that come together at it, are put in order as few are.
func TestManyTies(t *testing.T) {
	x := matrix.New(3600, 2) // a lattice
	for i := range x.Rows {
		x.Row(i)[0], x.Row(i)[1] = float32(i*7%60), float32(i*7/60%60)
	}
	light, _ := cluster(t, x, Options{Threads: 2})
	prim, _ := cluster(t, x, Options{Algorithm: "prim"})
	if !slices.Equal(light.Z, prim.Z) {
		t.Fatal("Z differs")
	}
	if !slices.IsSortedFunc(light.Tree, less) || !slices.IsSortedFunc(prim.Tree, less) {
		t.Error("a tree is in no order")
	}
	few := x.Clone()
	few.Rows, few.Data = 400, few.Data[:800]
	part, _ := cluster(t, few, Options{Threads: 2})
	for i := range len(part.Z) / 4 {
		if part.Z[4*i] >= part.Z[4*i+1] || part.Z.Height(i) < 1 {
			t.Fatalf("row %d is %v", i, part.Z[4*i:4*i+4])
		}
	}
}
