package widget

import "github.com/AllenDang/cimgui-go/imgui"

// OfferOpts are what an offer says beside its title.
type OfferOpts struct {
	Icon    string                           // at the left, or
	Picture func(dl *imgui.DrawList, r Rect) // a picture there
	Text    string                           // says what it is, on as many lines as it needs
	Note    string                           // small, at the right of the title
	Tip     string
	Loud    bool // it is the first thing to be tried
}

// Lengths of an offer, in points.
const (
	offerPad  = 10
	offerLine = 16
	offerSide = 44 // the picture has it
)

// Offer draws something that can be chosen, over the width that there is: a picture or an icon, a title, and what it is
// in words below. It reports whether it was chosen.
func (u *UI) Offer(label string, o OfferOpts) bool {
	shown, _ := split(label)
	t, w := &u.theme, u.avail()
	left := u.Pt(2*offerPad + offerSide)
	if o.Picture == nil {
		left = u.Pt(2*offerPad + 22)
	}
	lines := u.wrap(Small, o.Text, w-left-u.Pt(offerPad))
	h := 2*float32(offerPad) + 19 + offerLine*float32(len(lines))
	if o.Picture != nil {
		h = max(h, offerSide+offerPad)
	}
	x := u.hit(label, w, u.snap(u.Pt(h)), o.Tip, false)
	dl, round := u.dl(), u.Pt(8)
	fill, edge := x.tone(t.Panel, t.Row, t.Control), t.Border
	if o.Loud {
		fill, edge = t.AccentSoft, t.Accent
	}
	u.fill(dl, x.Rect, fill, round)
	if x.hovered || x.focused {
		edge = t.Accent
	}
	u.stroke(dl, x.Rect, edge, round, u.hair())
	if x.focused {
		u.ring(dl, x.Rect, round)
	}
	switch at := (Rect{x.X0 + u.Pt(offerPad), x.Y0, x.X0 + left - u.Pt(offerPad), x.Y1}); {
	case o.Picture != nil:
		pic := Rect{at.X0, u.snap(at.Center().Y - u.Pt(offerSide)/2), at.X1, u.snap(at.Center().Y + u.Pt(offerSide)/2)}
		dl.PushClipRectV(pic.Min(), pic.Max(), true)
		o.Picture(dl, pic)
		dl.PopClipRect()
	case o.Icon != "":
		u.icon(dl, at.Center().X, at.Center().Y, 20, t.Accent, o.Icon)
	}
	u.offerTexts(Rect{x.X0 + left, x.Y0, x.X1 - u.Pt(offerPad), x.Y1}, shown, lines, &o)
	return x.pressed
}

// offerTexts writes the title of an offer with its note, and the lines below, in the middle of r.
func (u *UI) offerTexts(r Rect, title string, lines []string, o *OfferOpts) {
	t, dl := &u.theme, u.dl()
	quiet := t.Muted
	if o.Loud {
		quiet = t.Muted.Mix(t.Text, 0.3) // as readable there as on the panel
	}
	y := r.Center().Y - u.Pt(19+offerLine*float32(len(lines)))/2
	end := r.X1
	if w := u.Width(Small, o.Note); o.Note != "" && u.Width(Medium, title)+w+u.Pt(12) < r.W() {
		u.textIn(dl, Small, Rect{r.X1 - w, y, r.X1, y + u.Pt(19)}, 1, quiet, o.Note)
		end -= w + u.Pt(12)
	}
	u.textIn(dl, Medium, Rect{r.X0, y, end, y + u.Pt(19)}, 0, t.Text, title)
	for i, s := range lines {
		top := y + u.Pt(19+offerLine*float32(i))
		u.textIn(dl, Small, Rect{r.X0, top, r.X1, top + u.Pt(offerLine)}, 0, quiet, s)
	}
}

// Columns draws bodies beside each other in r, each as wide as the others with a gap of points between them, or below
// each other where one would be narrower than least points. Call it inside an area that scrolls.
func (u *UI) Columns(r Rect, least, gap float32, bodies ...func()) {
	n := float32(len(bodies))
	w := (r.W() - u.Pt(gap)*(n-1)) / n
	x, y, foot := r.X0, r.Y0, r.Y0
	below := w < u.Pt(least)
	if below {
		w = r.W()
	}
	for i, body := range bodies {
		end := u.within("##column"+string(rune('0'+i)), u.snap(x), u.snap(y), u.snap(w), body)
		if foot = max(foot, end); below {
			y = end
		} else {
			x += w + u.Pt(gap)
		}
	}
	place(r.X0, foot)
	imgui.Dummy(imgui.Vec2{X: 1, Y: 1})
}
