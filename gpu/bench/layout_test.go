package bench

import (
	"context"
	"errors"
	"testing"

	"blossom/model/maps/layout"
)

// Every layout gives a row of each map with numbers that can be, after the row that it is compared with.
func TestLayouts(t *testing.T) {
	rows := told[Laid](t, nil, func(ctx context.Context, r *Run) error { return layouts(ctx, r, []int{30}) })
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
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := silent(nil)
	if err := layouts(ctx, r, []int{100}); !errors.Is(err, context.Canceled) || len(r.rows) != 0 {
		t.Errorf("cancelled: %d rows, %v", len(r.rows), err)
	}
}
