package bench

import (
	"context"
	"errors"
	"slices"
	"testing"

	"blossom/model/maps/layout"
)

// Every layout gives a row of each map with numbers that can be, after the row that it is compared with.
func TestLayouts(t *testing.T) {
	rows, err := Layouts(context.Background(), []int{30}, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	per := len(layout.All()) + 1
	for i, r := range rows {
		want := allPairs
		if i%per > 0 {
			want = layout.All()[i%per-1].ID
		}
		if r.Bench != "layout" || r.Variant != want || r.Dims != 2+i/per || r.G != 30 || r.N != 30 || r.D < 3 {
			t.Errorf("row %d: %+v", i, r)
		}
		if !(r.Median > 0 && r.P05 <= r.Median && r.Median <= r.P95 && r.Steps > 0) ||
			(r.Ratio > 0) != (i%per > 0) || (r.Start > 0) != (i%per > 0) {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if len(rows) != 2*per {
		t.Errorf("%d rows", len(rows))
	}
	for _, g := range []int{0, 1, LayoutMost + 1} {
		if _, err := Layouts(context.Background(), []int{30, g}, func(string) {}); err == nil {
			t.Errorf("%d landmarks are laid out", g)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if rows, err := Layouts(ctx, []int{100}, func(string) {}); !errors.Is(err, context.Canceled) || len(rows) != 0 {
		t.Errorf("cancelled: %d rows, %v", len(rows), err)
	}
	if s := LayoutSizes(true); !slices.Equal(s, []int{100, 400, 1000}) {
		t.Errorf("quick: %v", s)
	}
}
