package colour

import (
	"math"

	"blossom/render/legend"
)

// centre tells where the middle of a diverging palette lies: a number under the bar, which others give way to.
func (v *Values) centre(l *legend.Legend) {
	const room = 0.22 // a number and what is beside it take so much of the bar
	c := l.Colouring
	lo, hi, at := float64(c.Lo), float64(c.Hi), 0.5
	if c.Mid > 0 {
		at = float64(c.Mid)
	}
	raw := v.Raw(lo + at*(hi-lo))
	text := end(raw, math.Abs(v.Raw(hi)-v.Raw(lo)))
	if math.Abs(raw) < 1e-6*math.Abs(v.Raw(hi)-v.Raw(lo)) {
		text = "0"
	}
	marks := l.Marks(3)
	if len(marks) < 2 {
		return
	}
	kept := []legend.Mark{marks[0]}
	for _, m := range marks[1 : len(marks)-1] {
		if m.At < at-room {
			kept = append(kept, m)
		}
	}
	kept = append(kept, legend.Mark{At: at, Text: text})
	for _, m := range marks[1:] {
		if m.At > at+room || m.At == 1 {
			kept = append(kept, m)
		}
	}
	l.Numbers = kept
	if text = "centre " + text; l.Subtitle != "" { // first, as the rest may be cut short
		text += ", " + l.Subtitle
	}
	l.Subtitle = text
}
