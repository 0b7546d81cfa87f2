package widget

import (
	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// EntryOpts are what an entry of a list says of something kept: a picture, names, when, how large, what can be done.
type EntryOpts struct {
	Picture func(dl *imgui.DrawList, r Rect)
	Beside  string // after the title, small: what tells it from others of the same title
	Text    string // below the title
	Detail  string // below that, or beside it where there is a warning
	Also    string // after Detail, which is cut for it
	Warning string // below that
	When    string
	Since   string // below When
	Size    string
	Action  string // text of the button; "": none
	Kind    ButtonKind
	Tip     string // tooltip of the button
	Blocked bool   // the button cannot be pressed
	Remark  string // where the buttons are: the entry is dead
	About   string // shown over the names: what there is no room for
	Drop    string // shown over the names: text that there is no room for
	Gone    bool   // marked to be dropped: the button takes it back
}

// EntryHeight is that of an entry, in points, with the line above it.
const EntryHeight = 64

// entryWide is the width from which an entry has columns of their own for times and sizes.
const entryWide = 560

// Entry draws an entry over the width of the window that it is in, with a line above.
func (u *UI) Entry(label string, o EntryOpts) (pressed, dropped bool) {
	shown, name := split(label)
	c, w := imgui.CursorScreenPos(), u.avail()
	r := R(c.X, u.snap(c.Y), w, u.Pt(EntryHeight))
	u.fill(u.dl(), R(r.X0, r.Y0, r.W(), u.hair()), u.theme.Border, 0)
	in := r.Inset(u.Pt(20), 0)
	in.X0 = u.entryPicture(in, &o) + u.Pt(12)
	u.Group(name, func() { pressed, dropped = u.entryButtons(&in, &o) })
	in.X1 -= u.Pt(14)
	in.X1 = u.entryTexts(r, in, shown, o)
	if names := (Rect{r.X0, r.Y0, in.X1, r.Y1}); o.About != "" && imgui.IsWindowHovered() &&
		imgui.IsMouseHoveringRectV(names.Min(), names.Max(), true) {
		u.Tip(names, o.About)
	}
	u.mark(label, r)
	place(c.X, r.Y1)
	imgui.Dummy(imgui.Vec2{X: w, Y: 0})
	place(c.X, r.Y1)
	return pressed, dropped
}

// dead says that nothing can be done with what is kept, or nothing but to take its dropping back.
func (o *EntryOpts) dead() bool { return o.Remark != "" || o.Gone }

// entryPicture draws the picture at the left of in and returns where it ends.
func (u *UI) entryPicture(in Rect, o *EntryOpts) float32 {
	t, dl := &u.theme, u.dl()
	r := R(u.snap(in.X0), u.snap(in.Center().Y-u.Pt(25)), u.snap(u.Pt(66)), u.snap(u.Pt(50)))
	u.fill(dl, r, t.Surface, u.Pt(4))
	if o.Picture != nil {
		dl.PushClipRectV(r.Min(), r.Max(), true)
		o.Picture(dl, r)
		dl.PopClipRect()
		if o.dead() {
			u.fill(dl, r, t.Panel.Alpha(0.55), u.Pt(4))
		}
	}
	u.stroke(dl, r, t.Border, u.Pt(4), u.hair())
	return r.X1
}

// entryButtons draws at the right of in what can be done, or why nothing can, and takes the room for it.
func (u *UI) entryButtons(in *Rect, o *EntryOpts) (pressed, dropped bool) {
	mid := in.Center().Y
	if o.Remark != "" {
		half := Rect{in.X1 - in.W()*0.6, in.Y0, in.X1, in.Y1}
		in.X1 -= u.textIn(u.dl(), Small, half, 1, u.theme.Faint, o.Remark)
		return false, false
	}
	if o.Drop != "" {
		room := u.Pt(26)
		if !o.Gone {
			place(in.X1-room, mid-u.Pt(13))
			dropped = u.iconButton("drop", assets.IconTrash2, o.Drop, 26, false).pressed
		}
		in.X1 -= room + u.Pt(8)
	}
	if o.Action != "" {
		b := u.Width(Body, o.Action) + u.Pt(24)
		place(in.X1-b, mid-u.Pt(12))
		pressed = u.Button(o.Action+"##open", ButtonOpts{Kind: o.Kind, Tip: o.Tip, Width: b / u.scale,
			Disabled: o.Blocked, Height: 24})
		in.X1 -= b
	}
	return pressed, dropped
}

// entryTexts writes into in, a part of the entry r, what is kept and since when. It returns where the names end.
func (u *UI) entryTexts(r, in Rect, shown string, o EntryOpts) (end float32) {
	t, dl := &u.theme, u.dl()
	dim := func(c Color) Color {
		if o.dead() {
			return c.Alpha(0.45)
		}
		return c
	}
	if w := r.W(); w >= u.Pt(entryWide) {
		when := Rect{r.X0 + w*0.52, r.Y0, r.X0 + w*0.72, r.Y1}
		u.lines(dl, when, []string{o.When, o.Since}, []Color{dim(t.Text), dim(t.Muted)}, false)
		u.textIn(dl, Number, Rect{when.X1, r.Y0, r.X0 + w*0.785, r.Y1}, 1, dim(t.Muted), o.Size)
		in.X1 = when.X0 - u.Pt(12)
	} else {
		o.Text = o.When + " · " + o.Text
	}
	third, ink := o.Warning, t.Warning
	switch {
	case third == "":
		third, ink = u.Fit(Small, o.Detail, in.W()-u.Width(Small, o.Also))+o.Also, t.Muted
	case o.Detail != "":
		o.Text += " · " + o.Detail + o.Also
	}
	title := in
	if o.Beside != "" {
		title.X1 -= min(u.Width(Small, o.Beside)+u.Pt(6), in.W()*0.6)
	}
	y := u.lines(dl, in, []string{u.Fit(Body, shown, title.W()), o.Text, third},
		[]Color{dim(t.Text), dim(t.Muted), dim(ink)}, o.Warning != "")
	if o.Beside != "" {
		x := in.X0 + min(u.Width(Body, shown), title.W()) + u.Pt(6)
		u.textIn(dl, Small, u.beside(Rect{x, y, in.X1, y + u.Pt(entryLine)}, Small, Body), 0, dim(t.Muted), o.Beside)
	}
	return in.X1
}

// entryLine is the height of a line in an entry, in points.
const entryLine = 17

// lines writes lines below each other in the middle of r, all but the first small, and returns the top of the first;
// warns: the third has a sign of warning.
func (u *UI) lines(dl *imgui.DrawList, r Rect, texts []string, inks []Color, warns bool) (
	top float32) {
	for len(texts) > 0 && texts[len(texts)-1] == "" {
		texts = texts[:len(texts)-1]
	}
	step := u.Pt(entryLine)
	top = r.Center().Y - step*float32(len(texts))/2
	y := top
	for i, s := range texts {
		line := Rect{r.X0, y, r.X1, y + step}
		if i == 2 && warns {
			u.icon(dl, line.X0+u.Pt(6), line.Center().Y, 12, inks[i], assets.IconTriangleAlert)
			line.X0 += u.Pt(16)
		}
		face := Small
		if i == 0 {
			face = Body
		}
		u.textIn(dl, face, line, 0, inks[i], s)
		y += step
	}
	return top
}
