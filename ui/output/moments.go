package output

import (
	"fmt"
	"strconv"

	"blossom/ui/desk"
)

// Moments writes a page of so many moments of the history, as blossom render --moments makes it of the session.
func (o *Output) Moments(path string, p desk.Picture, n int) {
	o.send(path, errand{what: "Drawing moments", command: []string{"render", "--session"},
		failed: "the moments could not be drawn: %s",
		args:   func(d *desk.Desk) []string { return o.momentArgs(d, p, n) }})
}

// momentArgs are the flags of blossom render that say what the window shows, and how large the page is.
func (o *Output) momentArgs(d *desk.Desk, p desk.Picture, n int) []string {
	p.All = false
	args := append([]string{"--moments", strconv.Itoa(n), "--one-range", "--background", o.background(p)},
		shownArgs(d, p.Bare)...)
	if p.Letters {
		args = append(args, "--letters")
	}
	if p.Size == desk.OnPaper {
		return append(args, "--width", fmt.Sprintf("%gmm", p.Print.Width), "--height",
			fmt.Sprintf("%gmm", p.Print.Height), "--font", fmt.Sprintf("%gpt", p.Print.Font), "--dpi",
			fmt.Sprint(p.Print.DPI))
	}
	w, h, scale := o.pictureSize(p)
	return append(args, "--size", fmt.Sprintf("%dx%d", w, h), "--zoom", fmt.Sprint(scale))
}
