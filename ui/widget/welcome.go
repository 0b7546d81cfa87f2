package widget

import (
	"github.com/AllenDang/cimgui-go/imgui"
)

// EmptyOpts describe what an empty place shows.
type EmptyOpts struct {
	Icon, Title, Text string
	Drop              bool    // a dashed frame: files can be dropped here
	Width             float32 // points; 0: 440
}

// Empty draws a card in the middle of r that says what could be here; body adds buttons and lists below
// the text, in a column of the card's width. Call it inside an area. It returns where the card is.
func (u *UI) Empty(r Rect, o EmptyOpts, body func()) Rect {
	t := &u.theme
	if o.Width <= 0 {
		o.Width = 440
	}
	w := min(u.Pt(o.Width), r.W()-u.Pt(32))
	h := kept[float32](u, "empty "+o.Title)
	if *h == 0 {
		*h = u.Pt(260)
	}
	top := r.Y0 + max((r.H()-*h)*0.42, u.Pt(12))
	card := R(u.snap(r.X0+(r.W()-w)/2), u.snap(top), w, *h)
	dl := u.dl()
	if o.Drop {
		u.dashed(dl, card, t.Faint.Mix(t.Border, 0.4), u.Pt(12))
	}
	mid := card.Center().X
	y := card.Y0 + u.Pt(28)
	if o.Icon != "" {
		u.icon(dl, mid, y+u.Pt(14), 30, t.Accent, o.Icon)
		y += u.Pt(44)
	}
	if o.Title != "" {
		f := Display
		if u.Width(f, o.Title) > w-u.Pt(32) {
			f = Title
		}
		u.textIn(dl, f, R(card.X0+u.Pt(16), y, w-u.Pt(32), u.Pt(30)), 0.5, t.Text, o.Title)
		y += u.Pt(36)
	}
	if o.Text != "" {
		for _, s := range u.wrap(Body, o.Text, w-u.Pt(56)) {
			u.textIn(dl, Body, R(card.X0+u.Pt(28), y, w-u.Pt(56), u.Pt(20)), 0.5, t.Muted, s)
			y += u.Pt(20)
		}
	}
	y += u.Pt(14)
	if body != nil {
		place(card.X0+u.Pt(28), y)
		y = u.within("##empty", card.X0+u.Pt(28), y, w-u.Pt(56), body)
	}
	if need := y + u.Pt(24) - card.Y0; need != *h {
		*h = need
		u.env.Within(0)
	}
	return card
}

// within draws what stands in a column of the area, w wide, from a place on, and returns where it ends. The keyboard
// goes through it as through the area.
func (u *UI) within(id string, x, y, w float32, body func()) (end float32) {
	place(x, y)
	imgui.BeginChildStrV(id, imgui.Vec2{X: w, Y: 0}, imgui.ChildFlagsAutoResizeY|imgui.ChildFlagsNavFlattened, 0)
	body()
	imgui.EndChild()
	return imgui.ItemRectMax().Y
}

// wrap cuts text into lines of at most a width, at spaces.
func (u *UI) wrap(f Face, s string, width float32) []string {
	var out []string
	start, space := 0, -1
	for i := 0; i <= len(s); i++ {
		if i < len(s) && s[i] != ' ' && s[i] != '\n' {
			continue
		}
		if space >= start && u.Width(f, s[start:i]) > width {
			out = append(out, s[start:space])
			start = space + 1
		}
		space = i
		if i < len(s) && s[i] == '\n' {
			out = append(out, s[start:i])
			start = i + 1
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// dashed draws a dashed rounded frame.
func (u *UI) dashed(dl *imgui.DrawList, r Rect, c Color, round float32) {
	var p []imgui.Vec2
	corner := func(cx, cy, from float32) {
		for i := range 9 {
			s, k := sincos(from + float32(i)*0.19635)
			p = append(p, imgui.Vec2{X: cx + round*k, Y: cy + round*s})
		}
	}
	corner(r.X1-round, r.Y0+round, -1.5708)
	corner(r.X1-round, r.Y1-round, 0)
	corner(r.X0+round, r.Y1-round, 1.5708)
	corner(r.X0+round, r.Y0+round, 3.14159)
	p = append(p, p[0])
	u.line(dl, p, c, max(u.Pt(1.3), 1), u.Pt(6))
}

// Card draws a clickable card with a picture, a title and a note below, w x h points: a demo data set.
// draw paints the picture into its rectangle.
func (u *UI) Card(label, note string, w, h float32, tip string, draw func(*imgui.DrawList, Rect)) bool {
	shown, _ := split(label)
	t := &u.theme
	x := u.hit(label, min(u.Pt(w), u.avail()), u.Pt(h), tip, false)
	dl := u.dl()
	u.fill(dl, x.Rect, x.tone(t.Panel, t.Row, t.Control), u.Pt(8))
	edge := t.Border
	if x.hovered || x.focused {
		edge = t.Accent
	}
	u.stroke(dl, x.Rect, edge, u.Pt(8), u.hair())
	text := u.Pt(22)
	if note != "" {
		text = u.Pt(38)
	}
	pic := Rect{x.X0 + u.Pt(6), x.Y0 + u.Pt(6), x.X1 - u.Pt(6), x.Y1 - text - u.Pt(4)}
	if draw != nil && !pic.Empty() {
		dl.PushClipRectV(pic.Min(), pic.Max(), true)
		draw(dl, pic)
		dl.PopClipRect()
	}
	in := Rect{x.X0 + u.Pt(10), x.Y1 - text - u.Pt(2), x.X1 - u.Pt(8), x.Y1}
	u.textIn(dl, Medium, Rect{in.X0, in.Y0, in.X1, in.Y0 + u.Pt(20)}, 0, t.Text, shown)
	if note != "" {
		u.textIn(dl, Small, Rect{in.X0, in.Y0 + u.Pt(17), in.X1, in.Y0 + u.Pt(35)}, 0, t.Muted, note)
	}
	return x.pressed
}
