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
	HeaderOf                   // whose points it shows: a menu
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
	By                       string // name of the column that colours it; "": none
	Of                       string // name of the population whose points it shows; "": none can be chosen
	Active                   bool   // the view that keys and panels belong to
	Linked                   bool   // it zooms, pans and is coloured together with others
	Maximised                bool
	Solid                    bool // 3D: axes and turntable
	Axes                     bool
	Turning                  bool
	Full                     bool // no view can be added
	Count                    int  // number of all views; at 1 there is none to link with, to maximise over or to close
	At                       int  // which one this is, from 1
	Switch                   bool // the others are out of sight for want of room: offer them
}

// HeaderHit is what the user did to a view's header.
type HeaderHit struct {
	Part    HeaderPart // the part that was clicked
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
	note bool
	by   float32 // the width left to what it is coloured by, 0: none
	name float32 // and to the name
	fits int     // how many icons, from the right
}

// fitHeader drops the note, then lets what it is coloured by shrink to leastBy and drops it, then lets the name shrink
// to leastName, then drops icons from the left. name, note and by are widths of what each adds; icons are the widths
// from each icon to the right end.
func fitHeader(room, name, note, by, leastName, leastBy float32, icons []float32) headerFit {
	f := headerFit{note: note > 0, by: by, fits: len(icons)}
	right := func() float32 {
		if f.fits == 0 {
			return 0
		}
		return icons[len(icons)-f.fits]
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
	for f.fits > 0 && left() < min(name, leastName)-0.01 { // sums were rounded
		f.fits--
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
	headerLeastOf = 76  // the least and the most of what it shows the points of
	headerMostOf  = 190
)

// header is a header while it is drawn: how wide its parts would be, and what of them there is room for.
type header struct {
	headerFit
	u                 *UI
	r                 Rect
	o                 *HeaderOpts
	out               *HeaderHit
	icons             []headerIcon
	widths            []float32 // from each icon to the right end
	noteW, byW        float32
	views             string // "2 of 3"
	viewsW            float32
	ofW               float32 // the width of what it shows the points of; 0: it is not said
	chip              qualityChip
	left, right, ends float32 // where the next part begins, where the icons do, and the end of the header
}

func (u *UI) headerParts(r Rect, o *HeaderOpts, out *HeaderHit) {
	h := header{u: u, r: r, o: o, out: out, left: r.X0 + u.Pt(headerPad), ends: r.X1 - u.Pt(headerPad)}
	h.measure()
	// Behind all parts, for what is done between them.
	place(r.X0, r.Y0)
	imgui.SetNextItemAllowOverlap()
	back := u.still("back", r.W(), r.H(), "", false)
	out.Held = back.active && imgui.IsMouseDragging(imgui.MouseButtonLeft)
	out.Double, out.Right = back.double, back.right
	h.drawName()
	if h.by > 0 {
		h.drawBy()
	}
	if h.ofW > 0 {
		h.drawOf()
	}
	if h.views != "" {
		h.drawViews()
	}
	if h.chip.width > 0 {
		h.part(HeaderQuality, u.drawQualityChip(&h.chip, o, h.right-h.viewsW-h.chip.width, r))
	}
	h.drawIcons()
}

// measure finds what there is room for.
func (h *header) measure() {
	u, o := h.u, h.o
	h.icons = o.icons()
	h.widths = make([]float32, len(h.icons))
	w := float32(0)
	for i := len(h.icons) - 1; i >= 0; i-- {
		w += u.Pt(headerIconW) + pick(h.icons[i].gap, u.Pt(headerGap))
		h.widths[i] = w
	}
	if o.Switch && o.Count > 1 {
		h.views = strconv.Itoa(o.At) + " of " + strconv.Itoa(o.Count)
		h.viewsW = u.Width(Body, h.views) + u.Pt(2*headerPad+headerChevron)
	}
	nameW := u.Width(Strong, o.Name) + u.Pt(2*headerPad+headerChevron)
	h.noteW = pick(o.Note != "", u.Width(Small, o.Note)+u.Pt(6))
	h.byW = pick(o.By != "", u.Width(Body, "by "+o.By)+u.Pt(2*headerPad+headerChevron+headerGap))
	room := h.ends - h.left - h.viewsW - u.Pt(8)
	if o.Of != "" {
		free := room - w - min(nameW, u.Pt(headerName)) - min(h.byW, u.Pt(headerBy))
		h.ofW = min(u.Width(Body, "of "+o.Of)+u.Pt(2*headerPad+headerChevron+headerGap), u.Pt(headerMostOf), free)
		if h.ofW < u.Pt(headerLeastOf) {
			h.ofW = 0
		}
		room -= h.ofW
	}
	h.chip = u.qualityChip(o, room-w-min(nameW, u.Pt(headerName)), h.byW, u.Pt(headerBy))
	h.headerFit = fitHeader(room-h.chip.width, nameW, h.noteW, h.byW, u.Pt(headerName), u.Pt(headerBy), h.widths)
	if h.right = h.ends; h.fits > 0 {
		h.right -= h.widths[len(h.icons)-h.fits]
	}
}

// part tells of a part that was clicked.
func (h *header) part(p HeaderPart, x hit) {
	if x.pressed {
		h.out.Part, h.out.Under = p, x.Rect
	}
}

// drawName draws what the view shows, and what is worth knowing of it.
func (h *header) drawName() {
	u, t := h.u, &h.u.theme
	face := Medium
	if h.o.Active {
		face = Strong
	}
	note := pick(h.note, h.noteW)
	x := u.headerMenu("embedding", h.left, h.r, h.name+note, "What this view shows")
	box := Rect{x.X0 + u.Pt(headerPad), x.Y0, x.X0 + h.name - u.Pt(headerPad+headerChevron), x.Y1}
	used := u.textIn(u.dl(), face, box, 0, t.Text, h.o.Name)
	if h.note {
		box.X0, box.X1 = box.X0+used+u.Pt(6), x.X1-u.Pt(headerChevron)
		u.textIn(u.dl(), Small, u.beside(box, Small, Body), 0, t.Muted, h.o.Note)
	}
	u.chevron(u.dl(), x.X0+u.Pt(headerPad+9)+used+note, x)
	h.part(HeaderEmbedding, x)
	h.left = x.X1
}

// drawBy draws what the view is coloured by.
func (h *header) drawBy() {
	u, t, gap := h.u, &h.u.theme, h.u.Pt(headerGap)
	u.upright(u.dl(), h.left+gap/2, h.r.Center().Y, 14)
	x := u.headerMenu("colour", h.left+gap, h.r, h.by-gap, "The column that this view is coloured by")
	at := x.X0 + u.Pt(headerPad)
	u.text(u.dl(), Body, at, x.Center().Y, t.Muted, "by ")
	at += u.Width(Body, "by ")
	at += u.textIn(u.dl(), Body, Rect{at, x.Y0, x.X1 - u.Pt(headerPad+headerChevron), x.Y1}, 0, t.Text, h.o.By)
	u.chevron(u.dl(), at+u.Pt(9), x)
	h.part(HeaderColour, x)
	h.left = x.X1
}

// drawOf draws whose points the view shows.
func (h *header) drawOf() {
	u, t, gap := h.u, &h.u.theme, h.u.Pt(headerGap)
	u.upright(u.dl(), h.left+gap/2, h.r.Center().Y, 14)
	x := u.headerMenu("of", h.left+gap, h.r, h.ofW-gap, "The population whose points this view shows")
	at := x.X0 + u.Pt(headerPad)
	u.text(u.dl(), Body, at, x.Center().Y, t.Muted, "of ")
	at += u.Width(Body, "of ")
	at += u.textIn(u.dl(), Body, Rect{at, x.Y0, x.X1 - u.Pt(headerPad+headerChevron), x.Y1}, 0, t.Text, h.o.Of)
	u.chevron(u.dl(), at+u.Pt(9), x)
	h.part(HeaderOf, x)
}

// drawViews draws which view this is of several that there is no room for.
func (h *header) drawViews() {
	u := h.u
	x := u.headerMenu("views", h.right-h.viewsW, h.r, h.viewsW, "Show another view: there is room for one")
	u.text(u.dl(), Body, x.X0+u.Pt(headerPad), x.Center().Y, u.theme.Text, h.views)
	u.chevron(u.dl(), x.X0+u.Pt(headerPad+9)+u.Width(Body, h.views), x)
	h.part(HeaderViews, x)
}

// drawIcons draws the buttons at the right that there is room for.
func (h *header) drawIcons() {
	u, right := h.u, h.right
	for i, b := range h.icons[len(h.icons)-h.fits:] {
		if b.gap {
			if i > 0 {
				u.upright(u.dl(), right+u.Pt(headerGap)/2, h.r.Center().Y, 12)
			}
			right += u.Pt(headerGap)
		}
		place(right, u.snap(h.r.Center().Y-u.Pt(headerIconH)/2+u.Pt(0.5)))
		h.part(b.part, u.iconToggle(b.name, b.icon, b.tip, headerIconW, headerIconH, b.lit, b.off))
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
