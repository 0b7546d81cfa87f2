package demo

import (
	"context"
	"math"
	"strings"
	"testing"

	"blossom/model/base/problem"
)

// A part of a data set holds what the whole has in these rows.
func TestRows(t *testing.T) {
	const n = 3*block + 17
	whole, err := Generate(context.Background(), "cytometry", n, 5)
	if err != nil {
		t.Fatal(err)
	}
	for name, rows := range map[string][]int64{
		"none": {}, "first": {0, 1, 2, 3}, "spread": {1, block - 1, block, 2*block + 5, n - 1}, "last": {n - 1},
		"gap": {5, 3 * block},
	} {
		part, err := Rows(context.Background(), "cytometry", n, rows, 5)
		if err != nil {
			t.Fatal(err)
		}
		if part.Points != len(rows) || part.Total != n {
			t.Errorf("%s: %d of %d points", name, part.Points, part.Total)
		}
		for c := range whole.Columns {
			for i, r := range rows {
				if got, want := part.Columns[c].Values[i], whole.Columns[c].Values[r]; got != want {
					t.Fatalf("%s: row %d of column %d is %g, not %g", name, r, c, got, want)
				}
			}
			if part.Columns[c].Role != whole.Columns[c].Role {
				t.Errorf("%s: another role", name)
			}
		}
	}
	for _, rows := range [][]int64{{n}, {-1, 2}, {3, 2}} {
		if _, err := Rows(context.Background(), "cytometry", n, rows, 5); err == nil {
			t.Errorf("rows %v were made", rows)
		}
	}
}

// A table that does not fit into memory is refused before any is taken, with a size that does fit.
func TestTooLargeForMemory(t *testing.T) {
	defer func(was func() int64) { available = was }(available)
	available = func() int64 { return 4 << 30 }
	_, err := Generate(context.Background(), "cytometry", MaxPoints, 1)
	if err == nil {
		t.Fatal("100 million points of 35 columns were made in 4 GiB")
	}
	p := problem.As(err)
	if p.File != "demo:cytometry" || !strings.Contains(p.What,
		"100,000,000 points of 35 columns, 4.0 GiB are free") || !strings.Contains(p.Remedy, "demo:cytometry:6000000") {
		t.Errorf("%v", err)
	}
	if _, n, _, err := Parse(p.Remedy[strings.Index(p.Remedy, "demo:"):]); err != nil || n != 6_000_000 {
		t.Errorf("the remedy cannot be typed: %q", p.Remedy)
	}
	if ds, err := Rows(context.Background(), "cytometry", MaxPoints, []int64{0, 1, 2}, 1); err != nil ||
		ds.Points != 3 {
		t.Errorf("three points of many: %v", err)
	}
	available = func() int64 { return math.MaxInt64 }
	if _, err := Generate(context.Background(), "s-sheet", 100, 1); err != nil {
		t.Error(err)
	}
}
