package ui

import (
	"fmt"
	"image/color"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// currentColouring is how points are coloured now.
func (a *App) currentColouring() palette.Colouring {
	return scene.Colouring(a.colours.Values, sceneLook(a.lookNow()), a.settings.Theme == "dark", color.NRGBA{})
}

// sceneLook is a look of the document as pictures take it.
func sceneLook(l parts.Look) scene.Look {
	return scene.Look{Palette: l.Palette, Reverse: l.Reverse, Low: l.Low, High: l.High, Size: l.Size, Opacity: l.Opacity}
}

// legend draws the legend in the lower left corner of the map.
func (a *App) legend(dl *imgui.DrawList) {
	l := a.colours.Legend(a.currentColouring())
	if l == nil {
		return
	}
	u, t, c := a.ui, a.ui.Theme(), a.regions.canvas
	x, bottom := c.X0+u.Pt(18), c.Y1-u.Pt(16)
	ground := t.Surface.Alpha(0.8)
	line := u.Pt(19)
	if c.H() < u.Pt(240) {
		return // a small map would be all legend
	}
	l.Title = u.Fit(widget.Strong, l.Title, u.Pt(190))
	l.Subtitle = u.Fit(widget.Small, l.Subtitle, u.Pt(150))
	title := func(y float32) {
		w := u.DrawText(dl, widget.Strong, x, y, t.Text, l.Title)
		if l.Subtitle != "" {
			u.DrawText(dl, widget.Small, x+w+u.Pt(5), y, t.Muted, l.Subtitle)
		}
	}
	if len(l.Entries) == 0 {
		w, h := min(u.Pt(220), c.W()-u.Pt(36)), u.Pt(9)
		top := bottom - u.Pt(46)
		wide := max(w, u.Width(widget.Strong, l.Title)+u.Pt(5)+u.Width(widget.Small, l.Subtitle))
		a.legendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(18))
		u.FillRect(dl, a.legendBox, ground, 6)
		title(top)
		bar := widget.R(x, top+u.Pt(14), w, h)
		u.Gradient(dl, bar, gradientOf(l.Colouring))
		a.marks(dl, l.Marks(3), x, w, top+u.Pt(35))
		return
	}
	rows := max(1, int((c.H()*0.6-line)/line))
	shown := min(len(l.Entries), rows)
	more := len(l.Entries) - shown
	lines := shown
	if more > 0 {
		lines++
	}
	wide := u.Width(widget.Strong, l.Title) + u.Pt(5) + u.Width(widget.Small, l.Subtitle)
	nameW, countW := float32(0), float32(0)
	for _, e := range l.Entries[:shown] {
		nameW = max(nameW, min(u.Width(widget.Body, e.Name), u.Pt(180)))
		countW = max(countW, u.Width(widget.Small, grouped(e.Count)))
	}
	wide = max(wide, u.Pt(18)+nameW+u.Pt(14)+countW)
	top := bottom - float32(lines)*line - u.Pt(12)
	a.legendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(16))
	u.FillRect(dl, a.legendBox, ground, 6)
	title(top)
	y := top + u.Pt(20)
	for _, e := range l.Entries[:shown] {
		u.FillRect(dl, widget.R(x, y-u.Pt(5), u.Pt(10), u.Pt(10)), ink(e.Colour), 3)
		u.DrawText(dl, widget.Body, x+u.Pt(18), y, t.Text, u.Fit(widget.Body, e.Name, u.Pt(180)))
		n := grouped(e.Count)
		u.DrawText(dl, widget.Small, x+wide-u.Width(widget.Small, n), y, t.Muted, n)
		y += line
	}
	if more > 0 {
		u.DrawText(dl, widget.Small, x+u.Pt(18), y, t.Muted, fmt.Sprintf("+ %d more", more))
	}
}

// marks writes the numbers under the bar: the ends always, those between where they leave room.
func (a *App) marks(dl *imgui.DrawList, marks []legend.Mark, x, w, y float32) {
	u := a.ui
	place := func(m legend.Mark) (lo, hi float32) {
		tw := u.Width(widget.Caption, m.Text)
		lo = min(max(x+float32(m.At)*w-tw/2, x), x+w-tw)
		return lo, lo + tw
	}
	gap := u.Pt(8)
	_, taken := place(marks[0])
	last, _ := place(marks[len(marks)-1])
	for i, m := range marks {
		lo, hi := place(m)
		inner := i > 0 && i < len(marks)-1
		if inner && (lo < taken+gap || hi > last-gap) {
			continue
		}
		if inner {
			taken = hi
		}
		u.DrawText(dl, widget.Caption, lo, y, a.ui.Theme().Muted, m.Text)
	}
}

func gradientOf(c palette.Colouring) []widget.Color {
	if c.Palette == nil {
		return []widget.Color{ink(c.Flat), ink(c.Flat)}
	}
	return desk.Strip(c.Palette, c.Reversed, 96)
}
