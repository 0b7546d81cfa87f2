package bench

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// Every case gives a row of each map with numbers that can be; what is picked is compared on the way.
func TestSelect(t *testing.T) {
	rows := told[Selected](t, nil, func(ctx context.Context, r *Run) error { return selects(ctx, r, []int{1, 2000}) })
	cases := []string{"rectangle pick", "ellipse pick", "brush of 200 pick", "lasso of 200 pick",
		"lasso of 100,000 pick", "", "all points hover", "index build", "index hover"}
	for i, r := range rows {
		per := i / len(cases)
		cases[5] = []string{"live region pick", "lasso, in front pick"}[per%2]
		if r.Bench != "select" || r.Engine != "cpu" || r.Variant+" "+r.Stage != cases[i%len(cases)] || r.D != 2+per%2 ||
			r.N != []int{1, 2000}[per/2] {
			t.Errorf("row %d: %+v", i, r)
		}
		if !(r.Median > 0 && r.P05 <= r.Median && r.Median <= r.P95 && r.Total > 0) ||
			(r.Ratio > 0) != (r.Baseline == naive) || (r.Stage == "build") != (r.Baseline == "") {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if len(rows) != 4*len(cases) {
		t.Errorf("%d rows", len(rows))
	}
	r := silent(nil)
	if err := selects(context.Background(), r, []int{1 << 60 / selectBytes}); err == nil {
		t.Error("more points than there is memory for")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := selects(ctx, r, []int{100}); !errors.Is(err, context.Canceled) || len(r.rows) != 0 {
		t.Errorf("cancelled: %d rows, %v", len(r.rows), err)
	}
	if s := selectSizes(true); !slices.Equal(s, []int{1_000_000}) {
		t.Errorf("quick: %v", s)
	}
}
