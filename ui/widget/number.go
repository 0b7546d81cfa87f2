package widget

import (
	"fmt"
	"math"
	"strconv"
)

// Grouped writes a number with a separator between thousands.
func Grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Figure writes a number for people: at most four digits that matter.
func Figure(x float64) string { return FigureOf(x, 4) }

// FigureOf writes a number with at most so many digits that matter.
func FigureOf(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x == math.Trunc(x) && math.Abs(x) < max(1e6, math.Pow10(min(digits, 15))):
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', digits, 64)
}
