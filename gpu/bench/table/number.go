package table

import (
	"fmt"
	"strconv"
)

// Number has three digits that matter, and more only where they stand before the point.
func Number(v float64) string {
	switch {
	case v >= 99.95 || v <= -100 || v == 0: // rounded up it is 100
		return fmt.Sprintf("%.0f", v)
	case v >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case v >= 1:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.3f", v)
	case v >= 0.001:
		return fmt.Sprintf("%.4f", v)
	}
	return strconv.FormatFloat(v, 'g', 3, 64)
}

// Whole is a number of things.
func Whole(n int) string { return strconv.Itoa(n) }

// Length is a time that is given in ns.
func Length(ns float64) string {
	switch {
	case ns >= 1e9:
		return Number(ns/1e9) + " s"
	case ns >= 1e6:
		return Number(ns/1e6) + " ms"
	}
	return Number(ns/1e3) + " us"
}

// Rate is so many in a second.
func Rate(v float64) string {
	switch {
	case v >= 1e9:
		return fmt.Sprintf("%.2f G", v/1e9)
	case v >= 1e6:
		return fmt.Sprintf("%.2f M", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.1f k", v/1e3)
	}
	return fmt.Sprintf("%.0f", v)
}
