package dataset

import (
	"math"
	"testing"
)

// Days since 1970 are written as days, with a time where they have one.
func TestDaysAreWrittenAsDates(t *testing.T) {
	for days, want := range map[float64]string{0: "1970-01-01", -1: "1969-12-31", 20780: "2026-11-23",
		20780.25: "2026-11-23 06:00", 19783.010416666668: "2024-03-01 00:15", -0.5: "1969-12-31 12:00", 1e9: "",
		-1e9: "", math.Inf(1): "", math.NaN(): ""} {
		if got := DateText(days); got != want {
			t.Errorf("%g days are %q, want %q", days, got, want)
		}
	}
}
