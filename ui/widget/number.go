package widget

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Grouped writes a number with a separator between thousands.
func Grouped(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes a share of a number of things, "<0.1 %" for one that is not nothing and would be written so.
func Percent(n, of int) string {
	part := 100 * float64(n) / float64(max(of, 1))
	if n > 0 && part < 0.05 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", part)
}

// TimeLeft estimates the rest of a job in words, once there is enough to go by.
func TimeLeft(fraction float64, spent time.Duration) string {
	if spent < time.Second || fraction < 0.02 {
		return ""
	}
	left := time.Duration(float64(spent) * (1/fraction - 1))
	switch {
	case left < time.Second:
		return ""
	case left < 90*time.Second:
		return fmt.Sprintf("%.0f s left", left.Seconds())
	}
	return fmt.Sprintf("%.0f min left", left.Minutes())
}

// Figure writes a number for people: at most four digits that matter.
func Figure(x float64) string { return FigureOf(x, 4) }

// Minus gives a written number that is only read a minus sign in place of the hyphen that computers read.
func Minus(number string) string { return strings.ReplaceAll(number, "-", "−") }

// FigureOf writes a number with at most so many digits that matter.
func FigureOf(x float64, digits int) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case x == math.Trunc(x) && math.Abs(x) < max(1e6, math.Pow10(min(digits, 15))):
		return unsigned(strconv.FormatFloat(x, 'f', -1, 64))
	}
	return short(x, digits)
}

// short writes a number with so many digits that matter, and as people do: of four 10000 and 12346, not 1e+04 and
// 1.235e+04, and 1e9 where it is very large.
func short(x float64, digits int) string {
	if a := math.Abs(x); a >= math.Pow10(digits-1) && a < 1e7 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	return general(x, digits)
}

// general writes a number with so many digits that matter, as 1e9 where they do not reach its size.
func general(x float64, digits int) string {
	s := strconv.FormatFloat(x, 'g', digits, 64)
	head, power, large := strings.Cut(s, "e")
	if !large {
		return s
	}
	n, err := strconv.Atoi(power)
	if err != nil {
		return s
	}
	return head + "e" + strconv.Itoa(n)
}

// Bytes writes a size in bytes.
func Bytes(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}
