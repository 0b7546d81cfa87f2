package bench

import (
	"testing"

	"blossom/gpu/bench/table"
)

// Ratios are to the fastest of whatever published systems there are, and to no method of ours.
func TestMapsAreComparedWithTheBestPublishedSystem(t *testing.T) {
	row := func(variant string, median float64, failed string) Mapped {
		m := Mapped{Row: table.Row{Variant: variant, Median: median}}
		m.Failed = failed
		return m
	}
	rows := []Mapped{row("field fine", 1, ""), row("wide", 8, ""), row("tree", 2, ""), row("quick", 4, ""),
		row("broken", 1, "no memory")}
	compare(rows)
	for i, want := range []float64{4, 0.5, 2, 1, 0} {
		if rows[i].Ratio != want || want > 0 && rows[i].Baseline != "quick" {
			t.Errorf("%s is %g times as fast as %q", rows[i].Variant, rows[i].Ratio, rows[i].Baseline)
		}
	}
}
