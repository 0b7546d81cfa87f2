package derived

import (
	"slices"
	"testing"
)

// Measures of a sheet are float32, as channels beside them are in FCS, unless that moves them by what may matter.
func TestMeasuresOfASheetAreExactWhereItMatters(t *testing.T) {
	for _, x := range []struct {
		numbers []float64
		exact   bool
	}{
		{[]float64{41.3, 41.3, 39.5}, false},
		{[]float64{41.3, 41.3, 41.3}, false},
		{[]float64{16777217, 16777219, 16777221}, true},
		{[]float64{20231101.5, 20231101.25, 20231101.75}, true},
		{[]float64{1, 2, 3}, false},
	} {
		l := &Labels{Numbers: slices.Clone(x.numbers)}
		if c := l.column(); (c.Exact != nil) != x.exact || len(c.Values) != len(x.numbers) {
			t.Errorf("%v: exact %v", x.numbers, c.Exact)
		}
	}
}
