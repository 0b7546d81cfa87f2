package view

import (
	"fmt"
	"strings"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/parts"
	"blossom/render/camera"
	"blossom/render/legend"
	"blossom/render/palette"
	"blossom/ui/widget"
)

// Over draws what lies over the points: names of landmarks, the shape being drawn, axes, the legend.
func (v *View) Over(dl *imgui.DrawList) {
	s := v.State()
	if s.Names && v.HasLandmarks() {
		v.landmarkNames(dl)
	}
	v.drawAxes(dl)
	if v.scene.Hand.At == v {
		v.scene.Hand.drawShape(dl, v.scene.UI, v.Rect())
	}
	v.drawHover(dl)
	v.LegendBox = widget.Rect{}
	if s.Legend {
		v.legend(dl)
	}
	if err := v.field.Err(); err != nil {
		v.drawProblem(err)
	}
}

// Rect is the picture's place for widgets.
func (v *View) Rect() widget.Rect { return widget.Rect(v.Box) }

// landmarkNames writes names on the map, with an edge in the colour of the ground so that they can be
// read over points.
func (v *View) landmarkNames(dl *imgui.DrawList) {
	u, t := v.scene.UI, v.scene.UI.Theme()
	l := parts.Landmarks.Of(v.scene.Map.Doc.State())
	halo := t.Surface.Alpha(0.85)
	for i, name := range l.Names {
		if name == "" {
			continue
		}
		x, y, ok := v.Screen(place(l.Pos.Row(i)))
		if !ok || !v.Contains(x, y) {
			continue
		}
		w := u.Width(widget.Strong, name)
		u.HaloText(dl, widget.Strong, float32(x)-w/2, float32(y)-u.Pt(13), t.Text, halo, name)
	}
}

// place is a row of positions as a point of the world.
func place(row []float32) camera.Vec {
	p := camera.Vec{X: float64(row[0]), Y: float64(row[1])}
	if len(row) > 2 {
		p.Z = float64(row[2])
	}
	return p
}

// legend draws the legend in the lower left corner of the picture.
func (v *View) legend(dl *imgui.DrawList) {
	l := v.Colours.Legend(v.Colouring())
	if l == nil {
		return
	}
	u, t, c := v.scene.UI, v.scene.UI.Theme(), v.Rect()
	x, bottom := c.X0+u.Pt(18), c.Y1-u.Pt(16)
	ground := t.Surface.Alpha(0.88)
	line := u.Pt(19)
	if c.H() < u.Pt(200) {
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
		if c.W() < u.Pt(500) {
			w = min(w, u.Pt(150))
		}
		top := bottom - u.Pt(46)
		wide := max(w, u.Width(widget.Strong, l.Title)+u.Pt(5)+u.Width(widget.Small, l.Subtitle))
		v.LegendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(18))
		u.FillRect(dl, v.LegendBox, ground, 6)
		title(top)
		bar := widget.R(x, top+u.Pt(14), w, h)
		u.Gradient(dl, bar, Gradient(l.Colouring))
		v.legendMarks(dl, l.Marks(3), x, w, top+u.Pt(35))
		return
	}
	share, name := float32(0.6), u.Pt(180)
	if c.W() < u.Pt(560) { // beside other views
		share, name = 0.45, min(name, 0.24*c.W())
	}
	rows := max(1, int((c.H()*share-line)/line))
	shown := min(len(l.Entries), rows)
	more := len(l.Entries) - shown
	lines := shown
	if more > 0 {
		lines++
	}
	wide := u.Width(widget.Strong, l.Title) + u.Pt(5) + u.Width(widget.Small, l.Subtitle)
	nameW, countW := float32(0), float32(0)
	for _, e := range l.Entries[:shown] {
		nameW = max(nameW, min(u.Width(widget.Body, e.Name), name))
		countW = max(countW, u.Width(widget.Small, grouped(e.Count)))
	}
	wide = max(wide, u.Pt(18)+nameW+u.Pt(14)+countW)
	if wide > c.W()*0.6 {
		return // the names would hide the map
	}
	top := bottom - float32(lines)*line - u.Pt(12)
	v.LegendBox = widget.R(x-u.Pt(8), top-u.Pt(12), wide+u.Pt(16), bottom-top+u.Pt(16))
	u.FillRect(dl, v.LegendBox, ground, 6)
	title(top)
	y := top + u.Pt(20)
	for _, e := range l.Entries[:shown] {
		u.FillRect(dl, widget.R(x, y-u.Pt(5), u.Pt(10), u.Pt(10)), Ink(e.Colour), 3)
		u.DrawText(dl, widget.Body, x+u.Pt(18), y, t.Text, u.Fit(widget.Body, e.Name, name))
		n := grouped(e.Count)
		u.DrawText(dl, widget.Small, x+wide-u.Width(widget.Small, n), y, t.Muted, n)
		y += line
	}
	if more > 0 {
		u.DrawText(dl, widget.Small, x+u.Pt(18), y, t.Muted, fmt.Sprintf("+ %d more", more))
	}
}

// legendMarks writes the numbers under the bar: the ends always, those between where they leave room.
func (v *View) legendMarks(dl *imgui.DrawList, marks []legend.Mark, x, w, y float32) {
	u := v.scene.UI
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
		u.DrawText(dl, widget.Caption, lo, y, u.Theme().Muted, m.Text)
	}
}

// Gradient is a colouring as a strip of colours.
func Gradient(c palette.Colouring) []widget.Color {
	if c.Palette == nil {
		return []widget.Color{Ink(c.Flat), Ink(c.Flat)}
	}
	return Strip(c.Palette, c.Reversed, 96)
}

// drawProblem says in the middle of the view why there are no points.
func (v *View) drawProblem(err error) {
	u, t, c := v.scene.UI, v.scene.UI.Theme(), v.Rect()
	dl, width := imgui.WindowDrawList(), min(u.Pt(360), c.W()-u.Pt(40))
	y, line := c.Y0+c.H()*0.4, ""
	put := func() {
		u.DrawText(dl, widget.Body, c.X0+(c.W()-u.Width(widget.Body, line))/2, y, t.Muted, line)
		y += u.Pt(20)
	}
	for word := range strings.FieldsSeq(problemText(err)) {
		if next := strings.TrimSpace(line + " " + word); line == "" || u.Width(widget.Body, next) <= width {
			line = next
			continue
		}
		put()
		line = word
	}
	put()
}
