package widget

import (
	"strings"

	"blossom/render/text/direction"
)

// mostTurned is how many lines with words that are read from the right are remembered.
const mostTurned = 1000

// turn returns a line from left to right.
func (o *others) turn(s string) string {
	if !direction.Mixed(s) {
		return s
	}
	line, known := o.turned[s]
	if !known {
		if line = direction.Line(s); len(o.turned) >= mostTurned || o.turned == nil {
			o.turned = map[string]string{}
		}
		o.turned[s] = line
	}
	return line
}

// fromLeft is a mark without ink after which a line as a whole is read from the left.
const fromLeft = "\u200e"

// broken is shown for a text of the program that is broken at a width. Where words of it are read from the right it is
// broken here, in the order in which it is read: each of its lines is turned by itself.
func (u *UI) broken(f Face, s string, width float32) string {
	if !direction.Mixed(s) {
		return u.shown(f, s)
	}
	var out []string
	for _, part := range strings.Split(s, "\n") {
		line := ""
		for _, word := range strings.Fields(part) {
			switch longer := line + " " + word; {
			case line == "":
				line = word
			case u.Width(f, longer) <= width:
				line = longer
			default:
				out, line = append(out, fromLeft+line), word
			}
		}
		out = append(out, fromLeft+line)
	}
	return u.shown(f, strings.Join(out, "\n"))
}
