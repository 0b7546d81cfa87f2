package widget_test

import (
	"testing"
	"time"

	"blossom/ui/shell"
)

// However often a number is clicked to type another, that takes the place of all of it.
func TestClicksSelectTheWholeNumber(t *testing.T) {
	d, b, _ := openBench(t)
	for clicks := 1; clicks <= 4; clicks++ {
		for _, text := range []string{"2.75", "7.5", "0.0312"} {
			d.Enter("Value", text)
			r := d.Rect("Value/value")
			d.Move(r.X1-10, r.Center().Y) // at its digits
			d.Frames(1)
			for range clicks {
				d.Press(shell.Left)
				d.Frames(1)
				d.Release(shell.Left)
				d.Frames(1)
			}
			d.Frames(2)
			d.Type("5")
			d.Keys("Enter")
			if b.v != 5 {
				t.Errorf("%d clicks on %s and 5 make %g", clicks, text, b.v)
			}
			d.Sleep(time.Second) // the next click is one of its own
		}
	}
}
