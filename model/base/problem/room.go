package problem

import (
	"fmt"
	"math"
)

// Fewer is how many of n things fit into so many bytes, of which bytes tells what some of them take: rounded down to
// one digit, as it is said to people; 0: less than 100 of them do.
func Fewer(n int, room float64, bytes func(n int) float64) int {
	fit := 0
	for over := n + 1; over-fit > 1; {
		if mid := fit + (over-fit)/2; bytes(mid) <= room {
			fit = mid
		} else {
			over = mid
		}
	}
	if fit < 100 {
		return 0
	}
	digit := int(math.Pow(10, math.Floor(math.Log10(float64(fit)))))
	return fit / digit * digit
}

// Count writes a number of things: "1 column", "3 columns".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// Grouped writes a number that is not negative with a comma between thousands.
func Grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
