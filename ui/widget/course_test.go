package widget_test

import (
	"fmt"
	"testing"

	"blossom/ui/shell"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// A course whose values differ by rounding alone, are all the same, or far from each other, is drawn: its ticks end.
func TestCourseOfAnyValues(t *testing.T) {
	for _, y := range [][]float32{{4.42008308, 4.42008261}, {1, 1}, {0, 0}, {1e-30, 2e-30}, {-3e7, 2 - 3e7},
		{1e30, 1}, {5, 3, 0.1}} {
		x := make([]float32, len(y))
		for i := range x {
			x[i] = float32(8 * (i + 1))
		}
		t.Run(fmt.Sprint(y), func(t *testing.T) {
			p := &page{t: t, theme: widget.Light(), draw: func(u *widget.UI, _ *shell.Context) {
				u.Course("figure", widget.CourseOpts{X: x, Y: y, To: 1e9, Shade: 4, Word: "early",
					Caption: "nothing yet"})
			}}
			d := uitest.Open(t, p, 400, 200, 1)
			d.Frames(2)
		})
	}
}
