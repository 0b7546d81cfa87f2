package bench

import (
	"context"
	"testing"

	"blossom/model/work/engine"
)

// A sample that the others follow keeps less than laying all out, and more than chance; all rows are of all points.
func TestFollow(t *testing.T) {
	e, err := engine.Open("cpu", engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	rows := told[Followed](t, nil, func(ctx context.Context, r *Run) error {
		f := &follower{Run: r, e: e.Engine(), sample: 400, landmarks: []int{60}}
		return f.follow(ctx, 1000)
	})
	of := map[string]Followed{}
	for _, r := range rows {
		of[r.Variant] = r
		if r.N != 1000 || r.Queries != 1000 || !(r.RNX > 0 && r.RNX < 1) || !(r.Trustworthiness > 0.8) {
			t.Errorf("%+v", r)
		}
	}
	all, some, placed := of["t-SNE of all points"], of["sample, 60 landmarks"], of["sample, others placed"]
	if len(rows) != 4 || !(all.RNX > placed.RNX && placed.RNX > some.RNX) || some.G == 0 || some.Sample != 400 {
		t.Errorf("%d rows: R_NX %g, %g by landmarks, %g placed", len(rows), all.RNX, some.RNX, placed.RNX)
	}
}
