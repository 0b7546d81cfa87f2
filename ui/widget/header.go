package widget

import (
	"strconv"

	"blossom/assets"

	"github.com/AllenDang/cimgui-go/imgui"
)

// HeaderHeight is the height of a view's header in points.
const HeaderHeight = 28

// HeaderPart is a part of a view's header that can be clicked.
type HeaderPart uint8

// The parts, from the left.
const (
	HeaderNone      HeaderPart = iota
	HeaderEmbedding            // the name of what is shown: a menu
	HeaderColour               // the column it is coloured by: a menu
	HeaderViews                // which view of several is shown where there is room for one: a menu
	HeaderQuality
	HeaderAxes
	HeaderTurn
	HeaderLink
	HeaderSplit
	HeaderMaximise
	HeaderClose
)

// HeaderOpts are the details of a view's header.
type HeaderOpts struct {
	Name, Note string // the embedding, and what is worth knowing of it
	// Quality is one number for how well the embedding keeps neighbours, "": none. Pale: it is of a moment ago;
	// Open: its card is shown.
	Quality                  string
	QualityPale, QualityOpen bool
	By                       string // what it is coloured by; "": none
	Active                   bool   // the view that keys and panels belong to
	Linked                   bool   // it zooms, pans and is coloured together with others
	Maximised                bool
	Solid                    bool // 3D: axes and turntable
	Axes                     bool
	Turning                  bool
	Full                     bool // no view can be added
	Count                    int  // of all views; at 1 there is none to link with, to maximise over or to close
	At                       int  // which one this is, from 1
	Switch                   bool // the others are out of sight for want of room: offer them
}

// HeaderHit is what the user did to a view's header.
type HeaderHit struct {
	Part    HeaderPart // that was clicked
	Under   Rect       // where it is: its menu opens below
	Pressed bool       // the mouse went down somewhere on it: the view becomes the active one
	Right   bool       // right click between the parts
	Double  bool       // double click between the parts
	Held    bool       // dragged between the parts: to another view, to change places
	Hovered bool
}

// headerIcon is a button at the right of a header.
type headerIcon struct {
	part     HeaderPart
	name     string
	icon     string
	tip      string
	lit, off bool
	gap      bool // a line before it
}

func (o *HeaderOpts) icons() []headerIcon {
	var out []headerIcon
	if o.Solid {
		out = append(out, headerIcon{part: HeaderAxes, name: "axes", icon: assets.IconAxis3d, lit: o.Axes,
			tip: "Show the axes and their box"},
			headerIcon{part: HeaderTurn, name: "turn", icon: assets.IconArrowUp, lit: o.Turning,
				tip: "Keep upright: turn about the upright axis only\tT"})
	}
	n := len(out)
	if o.Count > 1 {
		out = append(out, headerIcon{part: HeaderLink, name: "link", icon: assets.IconLink, lit: o.Linked,
			tip: "Zoom, pan and colour together with the active view"})
	}
	tip := "Put another view beside this one"
	if o.Full {
		tip = "There are four views already: close one first"
	}
	out = append(out, headerIcon{part: HeaderSplit, name: "split", icon: assets.IconPanelRight, off: o.Full, tip: tip})
	if o.Count > 1 {
		tip := "Show this view alone"
		if o.Maximised {
			tip = "Show all views again"
		}
		if !o.Switch {
			out = append(out, headerIcon{part: HeaderMaximise, name: "maximise", icon: assets.IconMaximize,
				lit: o.Maximised, tip: tip})
		}
		out = append(out, headerIcon{part: HeaderClose, name: "close", icon: assets.IconX, tip: "Close this view"})
	}
	if n > 0 {
		out[n].gap = true
	}
	return out
}

// headerFit says what of a header there is room for.
type headerFit struct {
	note  bool
	by    float32 // the width left to what it is coloured by, 0: none
	name  float32 // and to the name
	icons int     // how many, from the right
}

// fitHeader drops the note, then lets what it is coloured by shrink to leastBy and drops it, then lets the name shrink
// to leastName, then drops icons from the left. name, note and by are widths of what each adds; icons are the widths
// from each icon to the right end.
func fitHeader(room, name, note, by, leastName, leastBy float32, icons []float32) headerFit {
	f := headerFit{note: note > 0, by: by, icons: len(icons)}
	right := func() float32 {
		if f.icons == 0 {
			return 0
		}
		return icons[len(icons)-f.icons]
	}
	left := func() float32 { return room - right() - pick(f.note, note) - f.by }
	if left() < name {
		f.note = false
	}
	if short := name - left(); short > 0 {
		if f.by -= short; f.by < min(by, leastBy) {
			f.by = 0
		}
	}
	for f.icons > 0 && left() < min(name, leastName)-0.01 { // sums were rounded
		f.icons--
	}
	f.name = max(min(name, left()), 0)
	return f
}

func pick(yes bool, x float32) float32 {
	if yes {
		return x
	}
	return 0
}

// ViewHeader draws the header of a view in r. menus is called inside of it, for menus and lists that open under its
// parts (OpenMenuUnder, OpenList); it may be nil.
func (u *UI) ViewHeader(name string, r Rect, o HeaderOpts, menus func(HeaderHit)) HeaderHit {
	var out HeaderHit
	u.Area(name, r, AreaOpts{Border: SideBottom}, func() {
		dl, t := u.dl(), &u.theme
		out.Hovered = imgui.IsWindowHovered()
		out.Pressed = out.Hovered && (imgui.IsMouseClickedBool(imgui.MouseButtonLeft) ||
			imgui.IsMouseClickedBool(imgui.MouseButtonRight))
		if o.Active {
			u.fill(dl, Rect{r.X0, r.Y0, r.X1, r.Y0 + u.snap(u.Pt(2))}, t.Accent, 0)
		}
		u.headerParts(r, &o, &out)
		if menus != nil {
			menus(out)
		}
	})
	return out
}

// Widths within a header, in points.
const (
	headerPad     = 5 // around what can be clicked
	headerChevron = 15
	headerIconW   = 24
	headerIconH   = 22
	headerGap     = 9   // with a line in its middle
	headerName    = 130 // the least of a name
	headerBy      = 110 // and of what it is coloured by
)

func (u *UI) headerParts(r Rect, o *HeaderOpts, out *HeaderHit) {
	t, dl := &u.theme, u.dl()
	icons := o.icons()
	widths := make([]float32, len(icons))
	w := float32(0)
	for i := len(icons) - 1; i >= 0; i-- {
		w += u.Pt(headerIconW)
		if icons[i].gap {
			w += u.Pt(headerGap)
		}
		widths[i] = w
	}
	views, viewsW := "", float32(0)
	if o.Switch && o.Count > 1 {
		views = strconv.Itoa(o.At) + " of " + strconv.Itoa(o.Count)
		viewsW = u.Width(Body, views) + u.Pt(2*headerPad+headerChevron)
	}
	nameW := u.Width(Strong, o.Name) + u.Pt(2*headerPad+headerChevron)
	noteW, byW := float32(0), float32(0)
	if o.Note != "" {
		noteW = u.Width(Small, o.Note) + u.Pt(6)
	}
	if o.By != "" {
		byW = u.Width(Body, "by "+o.By) + u.Pt(2*headerPad+headerChevron+headerGap)
	}
	in := Rect{r.X0 + u.Pt(5), r.Y0, r.X1 - u.Pt(5), r.Y1}
	room := in.W() - viewsW - u.Pt(8)
	chip := u.qualityChip(o, room-w-min(nameW, u.Pt(headerName)), byW, u.Pt(headerBy))
	f := fitHeader(room-chip.width, nameW, noteW, byW, u.Pt(headerName), u.Pt(headerBy), widths)
	part := func(p HeaderPart, x hit) {
		if x.pressed {
			out.Part, out.Under = p, x.Rect
		}
	}

	// Behind all parts, for what is done between them.
	place(r.X0, r.Y0)
	imgui.SetNextItemAllowOverlap()
	back := u.still("back", r.W(), r.H(), "", false)
	out.Held = back.active && imgui.IsMouseDragging(imgui.MouseButtonLeft)
	out.Double, out.Right = back.double, back.right

	face := Medium
	if o.Active {
		face = Strong
	}
	left := in.X0
	tip := "What this view shows"
	x := u.headerMenu("embedding", left, r, f.name+pick(f.note, noteW), tip)
	box := Rect{x.X0 + u.Pt(headerPad), x.Y0, x.X0 + f.name - u.Pt(headerPad+headerChevron), x.Y1}
	used := u.textIn(dl, face, box, 0, t.Text, o.Name)
	if f.note {
		box.X0, box.X1 = box.X0+used+u.Pt(6), x.X1-u.Pt(headerChevron)
		u.textIn(dl, Small, u.beside(box, Small, Body), 0, t.Muted, o.Note)
	}
	u.chevron(dl, x.X0+u.Pt(headerPad+9)+used+pick(f.note, noteW), x)
	part(HeaderEmbedding, x)
	left = x.X1

	if f.by > 0 {
		u.upright(dl, left+u.Pt(headerGap)/2, r.Center().Y, 14)
		left += u.Pt(headerGap)
		x = u.headerMenu("colour", left, r, f.by-u.Pt(headerGap), "The column that this view is coloured by")
		at := x.X0 + u.Pt(headerPad)
		u.text(dl, Body, at, x.Center().Y, t.Muted, "by ")
		at += u.Width(Body, "by ")
		w := u.textIn(dl, Body, Rect{at, x.Y0, x.X1 - u.Pt(headerPad+headerChevron), x.Y1}, 0, t.Text, o.By)
		u.chevron(dl, at+w+u.Pt(9), x)
		part(HeaderColour, x)
	}

	shown := icons[len(icons)-f.icons:]
	right := in.X1
	if len(shown) > 0 {
		right -= widths[len(icons)-f.icons]
	}
	if views != "" {
		x = u.headerMenu("views", right-viewsW, r, viewsW, "Show another view: there is room for one")
		u.text(dl, Body, x.X0+u.Pt(headerPad), x.Center().Y, t.Text, views)
		u.chevron(dl, x.X0+u.Pt(headerPad+9)+u.Width(Body, views), x)
		part(HeaderViews, x)
	}
	if chip.width > 0 {
		part(HeaderQuality, u.drawQualityChip(&chip, o, right-viewsW-chip.width, r))
	}
	for i, b := range shown {
		if b.gap {
			if i > 0 {
				u.upright(dl, right+u.Pt(headerGap)/2, r.Center().Y, 12)
			}
			right += u.Pt(headerGap)
		}
		place(right, u.snap(r.Center().Y-u.Pt(headerIconH)/2+u.Pt(0.5)))
		part(b.part, u.iconToggle(b.name, b.icon, b.tip, headerIconW, headerIconH, b.lit, b.off))
		right += u.Pt(headerIconW)
	}
}

// headerMenu is the place of a menu button in a header; text is drawn over it.
func (u *UI) headerMenu(name string, x float32, r Rect, w float32, tip string) hit {
	place(x, u.snap(r.Center().Y-u.Pt(headerIconH)/2+u.Pt(0.5)))
	h := u.hit(name, w, u.Pt(headerIconH), tip, false)
	u.fill(u.dl(), h.Rect, h.tone(0, u.theme.Control, u.theme.Hover), u.Pt(5))
	if h.focused {
		u.ring(u.dl(), h.Rect, u.Pt(5))
	}
	return h
}

// qualityChip is how a header tells the quality of its embedding.
type qualityChip struct {
	text  string
	width float32 // with the room around it; 0: there is no room
}

// qualityChip finds what of the chip fits into a room that what the view is coloured by shares, which gives way down
// to leastBy: the number with its name, the number, or nothing.
func (u *UI) qualityChip(o *HeaderOpts, room, by, leastBy float32) qualityChip {
	if o.Quality == "" {
		return qualityChip{}
	}
	// As wide as the longest number, so that nothing moves with it.
	wide := u.Width(Small, "quality ") + max(u.Width(Small, "0.00"), u.Width(Small, o.Quality)) + u.Pt(chipAround)
	if wide+by <= room {
		return qualityChip{"quality " + o.Quality, wide}
	}
	short := max(u.Width(Small, "0.00"), u.Width(Small, o.Quality)) + u.Pt(chipAround)
	if short+min(by, leastBy) <= room {
		return qualityChip{o.Quality, short}
	}
	return qualityChip{}
}

// chipAround is the width of a chip without its text: its icon, its ends, and the gap at its right.
const chipAround = 43

func (u *UI) drawQualityChip(c *qualityChip, o *HeaderOpts, x float32, r Rect) hit {
	t, dl := &u.theme, u.dl()
	h := u.snap(u.Pt(20))
	place(x, u.snap(r.Center().Y-h/2+u.Pt(0.5)))
	hit := u.hit("quality", c.width-u.Pt(6), h, "How well the view keeps neighbours: R_NX at 32, from 0 (as chance "+
		"would) to 1 (all). Pale while the map is another by now. Click for the curve, trustworthiness and "+
		"continuity.", false)
	fill, ink := hit.tone(t.Control, t.Hover, t.Press), t.Text
	if o.QualityOpen {
		fill, ink = t.AccentSoft, t.Accent
		if t.Dark {
			ink = t.AccentHover
		}
	}
	if o.QualityPale {
		ink = t.Muted
	}
	u.fill(dl, hit.Rect, fill, h/2)
	u.icon(dl, hit.X0+u.Pt(14), hit.Center().Y, 12, ink, assets.IconGauge)
	u.textIn(dl, Small, Rect{hit.X0 + u.Pt(25), hit.Y0, hit.X1, hit.Y1}, 0, ink, c.text)
	if hit.focused {
		u.ring(dl, hit.Rect, h/2)
	}
	return hit
}

// upright draws an upright hairline, so many points long, around a point.
func (u *UI) upright(dl *imgui.DrawList, x, y, length float32) {
	x, h := u.snap(x), u.Pt(length)/2
	u.fill(dl, Rect{x, u.snap(y - h), x + u.hair(), u.snap(y + h)}, u.theme.Border, 0)
}

// chevron draws the sign of a menu with its middle at x.
func (u *UI) chevron(dl *imgui.DrawList, x float32, h hit) {
	u.icon(dl, x, h.Center().Y+u.Pt(0.5), 12, h.fade(h.tone(u.theme.Muted, u.theme.Text, u.theme.Text)),
		assets.IconChevronDown)
}

// iconToggle draws an icon button of w x h points that can be lit.
func (u *UI) iconToggle(name, icon, tip string, w, h float32, lit, disabled bool) hit {
	x := u.hit(name, u.Pt(w), u.Pt(h), tip, disabled)
	t := &u.theme
	fill, ink := x.tone(0, t.Control, t.Hover), x.tone(t.Muted, t.Text, t.Text)
	if lit {
		fill, ink = x.tone(t.AccentSoft, t.AccentSoft.Mix(t.Accent, 0.12), t.AccentSoft.Mix(t.Accent, 0.2)), t.Accent
	}
	dl := u.dl()
	u.fill(dl, x.Rect, x.fade(fill), u.Pt(5))
	u.icon(dl, x.Center().X, x.Center().Y, 14, x.fade(ink), icon)
	if x.focused {
		u.ring(dl, x.Rect, u.Pt(5))
	}
	return x
}
