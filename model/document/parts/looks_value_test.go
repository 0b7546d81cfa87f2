package parts

import (
	"math"
	"testing"
)

// Values at the ends of a palette are those of one column, and only where they make sense.
func TestRangeByValue(t *testing.T) {
	l := DefaultLook()
	l.Column, l.From, l.To, l.Of = "CD4", 1, 3, "CD4"
	if !l.ByValue() || !l.sane().ByValue() {
		t.Error("values do not hold")
	}
	other := l
	other.Column = "CD8"
	if other.ByValue() {
		t.Error("another column has them")
	}
	for _, x := range [][2]float64{{3, 1}, {1, 1}, {math.NaN(), 1}, {-1e300, 1e300}} {
		bad := l
		bad.From, bad.To = x[0], x[1]
		if bad.sane().ByValue() {
			t.Errorf("%g to %g holds", x[0], x[1])
		}
	}
}
