package widget

import (
	"math"

	"github.com/AllenDang/cimgui-go/imgui"
)

// Card says what is known of one point: its values against those of all.
type Card struct {
	Title  string // "Cell 33,999"
	Swatch Color  // colour of its category, 0: none
	Group  string // its category, at the right
	Note   string // a line below; "": none
	// Image stands below that, as large as it fits into a square; its size is in pixels. Missing is said in its place.
	Image   *imgui.TextureRef
	Size    imgui.Vec2
	Missing string
	Pending bool   // an image is on its way, and has its room
	Words   string // a text, in as many lines as there is room for; "": none
	Rows    []CardRow
	Foot    string // meaning of the boxes
	Key     string // the key that shows all columns, and what it does
	More    string
}

// CardRow is a column on a card. Places are 0 to 1 along the column's track; NaN: there is none.
type CardRow struct {
	Name, Value string
	Text        bool       // the value is words, which take the place of the track
	Box         [2]float32 // half of all points lie between
	Median      float32
	At          float32 // this point
}

// Lengths of a card in points.
const (
	CardWidth   = 272
	cardPad     = 13
	cardTop     = 12 // above the title
	cardTitle   = 18
	cardNote    = 19
	cardSpace   = 5 // above the rows
	cardRow     = 20
	cardImage   = 168 // the height of an image
	cardLine    = 17  // the height of a line of text
	cardLines   = 7   // lines at most
	cardFoot    = 28
	cardName    = 62  // the columns at least: the name, the track, the number
	cardLong    = 88  // a name at most
	cardTrack   = 112 // less, down to cardShort, where names or numbers are long
	cardShort   = 64
	cardBetween = 10
)

func (c *Card) head() float32 {
	h := float32(cardTop + cardTitle + cardSpace)
	if c.Note != "" {
		h += cardNote
	}
	return h
}

func (c *Card) foot() float32 {
	if c.Foot == "" && c.More == "" {
		return 8
	}
	return cardFoot
}

// CardSize returns the size of a card in screen units.
func (u *UI) CardSize(c *Card) imgui.Vec2 {
	h := c.head() + u.shownHeight(c) + cardRow*float32(len(c.Rows)) + 5 + c.foot()
	return imgui.Vec2{X: u.snap(u.Pt(CardWidth)), Y: u.snap(u.Pt(h))}
}

// DrawCard draws a card into r, which has the size of CardSize.
func (u *UI) DrawCard(dl *imgui.DrawList, r Rect, c *Card) {
	round := u.Pt(8)
	u.shadow(dl, r, round, u.Pt(16))
	u.fill(dl, r, u.theme.Panel, round)
	u.stroke(dl, r, u.theme.Border, round, u.hair())
	u.cardHead(dl, r, c)
	u.cardShown(dl, r, c)
	y := r.Y0 + u.Pt(c.head()+u.shownHeight(c))
	columns := u.cardColumns(c)
	for i := range c.Rows {
		u.cardRow(dl, R(r.X0+u.Pt(cardPad), u.snap(y), r.W()-u.Pt(2*cardPad), u.Pt(cardRow)), &c.Rows[i], columns)
		y += u.Pt(cardRow)
	}
	u.cardFoot(dl, r, c)
}

// HeldCard draws a card that stays in r, of any height: its rows scroll where they do not fit.
func (u *UI) HeldCard(name string, r Rect, c *Card) {
	u.Area(name, r, AreaOpts{Card: true}, func() {
		dl := u.dl()
		u.cardHead(dl, r, c)
		u.cardFoot(dl, r, c)
		u.cardShown(dl, r, c)
		list := Rect{r.X0, u.snap(r.Y0 + u.Pt(c.head()+u.shownHeight(c))), r.X1 - u.hair(),
			u.snap(r.Y1 - u.Pt(c.foot()+5))}
		if list.Empty() {
			return
		}
		place(list.X0, list.Y0)
		imgui.PushStyleVarVec2(imgui.StyleVarWindowPadding, imgui.Vec2{})
		imgui.PushStyleVarVec2(imgui.StyleVarItemSpacing, imgui.Vec2{})
		imgui.BeginChildStrV("##rows", imgui.Vec2{X: list.W(), Y: list.H()}, 0, imgui.WindowFlagsNoScrollbar)
		columns := u.cardColumns(c)
		clip := imgui.NewListClipper()
		h := u.snap(u.Pt(cardRow))
		clip.BeginV(int32(len(c.Rows)), h)
		for clip.Step() {
			for i := int(clip.DisplayStart()); i < int(clip.DisplayEnd()); i++ {
				p := imgui.CursorScreenPos()
				u.cardRow(u.dl(), R(p.X+u.Pt(cardPad), p.Y, r.W()-u.Pt(2*cardPad), h), &c.Rows[i], columns)
				imgui.Dummy(imgui.Vec2{X: 1, Y: h})
			}
		}
		clip.End()
		clip.Destroy()
		u.scrollBar(list, false)
		imgui.EndChild()
		imgui.PopStyleVarV(2)
	})
}

func (u *UI) cardHead(dl *imgui.DrawList, r Rect, c *Card) {
	t := &u.theme
	in := r.Inset(u.Pt(cardPad), 0)
	line := R(in.X0, u.snap(r.Y0+u.Pt(cardTop)), in.W(), u.Pt(cardTitle))
	used := u.textIn(dl, Strong, line, 0, t.Text, c.Title)
	if c.Group != "" {
		room := Rect{line.X0 + used + u.Pt(14), line.Y0, line.X1, line.Y1}
		if c.Swatch != 0 {
			room.X0 += u.Pt(17)
		}
		w := u.textIn(dl, Body, room, 1, t.Text, c.Group)
		if s := u.snap(u.Pt(10)); c.Swatch != 0 && w > 0 {
			u.fill(dl, R(u.snap(room.X1-w-u.Pt(17)), u.snap(line.Center().Y-s/2), s, s), c.Swatch, u.Pt(2.5))
		}
	}
	if c.Note != "" {
		u.textIn(dl, Small, R(in.X0, line.Y1+u.Pt(1), in.W(), u.Pt(cardNote)), 0, t.Muted, c.Note)
	}
}

func (u *UI) cardFoot(dl *imgui.DrawList, r Rect, c *Card) {
	if c.Foot == "" && c.More == "" {
		return
	}
	t := &u.theme
	in := Rect{r.X0 + u.Pt(cardPad), u.snap(r.Y1 - u.Pt(cardFoot)), r.X1 - u.Pt(cardPad), r.Y1}
	u.fill(dl, Rect{in.X0, in.Y0, in.X1, in.Y0 + u.hair()}, t.Border, 0)
	in.Y1 -= u.Pt(1)
	w := u.textIn(dl, Small, in, 1, t.Muted, c.More)
	if c.Key != "" {
		w += u.keysWidth(c.Key) + u.Pt(6)
		u.keys(dl, in.X1-w, in.Center().Y, c.Key, t.Control, t.Muted)
	}
	u.textIn(dl, Small, Rect{in.X0, in.Y0, in.X1 - w - u.Pt(8), in.Y1}, 0, t.Muted, c.Foot)
}

// cardColumns returns the widths of the names and of the tracks of a card. Numbers are never cut: names and tracks
// make room for them.
func (u *UI) cardColumns(c *Card) (w [2]float32) {
	name, value := u.Pt(cardName-cardBetween), float32(0)
	for i := range c.Rows[:min(len(c.Rows), 300)] {
		name = max(name, u.Width(Body, c.Rows[i].Name))
		if c.Rows[i].Text {
			continue
		}
		value = max(value, u.Width(Number, c.Rows[i].Value))
	}
	name = min(name, u.Pt(cardLong)) + u.Pt(cardBetween)
	room := u.Pt(CardWidth-2*cardPad-cardBetween) - value
	track := max(min(room-name, u.Pt(cardTrack)), u.Pt(cardShort))
	return [2]float32{max(min(name, room-track), 0), track}
}

func (u *UI) cardRow(dl *imgui.DrawList, r Rect, c *CardRow, columns [2]float32) {
	t := &u.theme
	u.textIn(dl, Body, Rect{r.X0, r.Y0, r.X0 + columns[0] - u.Pt(cardBetween), r.Y1}, 0, t.Text, c.Name)
	a := u.snap(r.X0 + columns[0])
	if c.Text {
		u.textIn(dl, Body, Rect{a, r.Y0, r.X1, r.Y1}, 1, t.Text, c.Value)
		return
	}
	b := a + columns[1]
	quiet := t.quiet()
	y := u.snap(r.Center().Y)
	at := func(f float32) float32 { return a + min(max(f, 0), 1)*(b-a) }
	known := func(f float32) bool { return !math.IsNaN(float64(f)) }
	half := u.hair() / 2
	u.fill(dl, Rect{a, y - half, b, y + half}, quiet, 0)
	if known(c.Box[0]) && known(c.Box[1]) {
		q := Rect{at(c.Box[0]), y - u.Pt(4), at(c.Box[1]), y + u.Pt(4)}
		if w := u.Pt(2) - q.W(); w > 0 { // half of all in one place is still seen
			q.X0, q.X1 = q.X0-w/2, q.X1+w/2
		}
		u.fill(dl, q, quiet, u.Pt(1.5))
	}
	if known(c.Median) {
		m := u.snap(at(c.Median))
		u.fill(dl, Rect{m, y - u.Pt(6), m + u.hair(), y + u.Pt(6)}, t.Muted, 0)
	}
	if known(c.At) {
		p := imgui.Vec2{X: at(c.At), Y: y}
		dl.AddCircleFilledV(p, u.Pt(5.2), uint32(t.Panel), 24)
		dl.AddCircleFilledV(p, u.Pt(4), uint32(t.Accent), 24)
	}
	u.textIn(dl, Number, Rect{b + u.Pt(cardBetween), r.Y0, r.X1, r.Y1}, 1, t.Muted, c.Value)
}

// PlaceCard returns where a card of a size hides fewest points: at one of eight places round the anchor, which stays
// in sight, within bounds. density says how many points lie in a rectangle; nil: none. Of equals the first counts,
// from the lower right in the direction in which one reads on. Where none of the eight leaves the anchor in sight it
// is covered.
func PlaceCard(size imgui.Vec2, anchor, bounds Rect, density func(Rect) int) Rect {
	c := anchor.Center()
	left, right, midX := anchor.X0-size.X, anchor.X1, c.X-size.X/2
	above, below, midY := anchor.Y0-size.Y, anchor.Y1, c.Y-size.Y/2
	best, least, bare := Rect{}, 0, false
	for i, p := range [8][2]float32{{right, below}, {right, above}, {left, below}, {left, above},
		{right, midY}, {left, midY}, {midX, below}, {midX, above}} {
		r := R(p[0], p[1], size.X, size.Y).into(bounds)
		free := !(r.X0 < anchor.X1 && anchor.X0 < r.X1 && r.Y0 < anchor.Y1 && anchor.Y0 < r.Y1)
		n := 0
		if density != nil {
			n = density(r)
		}
		if i == 0 || (free && !bare) || (free == bare && n < least) {
			best, least, bare = r, n, free
		}
	}
	return best
}

// into returns r moved into b; where it is larger than b its upper left corner is.
func (r Rect) into(b Rect) Rect {
	dx := max(min(0, b.X1-r.X1), b.X0-r.X0)
	dy := max(min(0, b.Y1-r.Y1), b.Y0-r.Y0)
	return Rect{r.X0 + dx, r.Y0 + dy, r.X1 + dx, r.Y1 + dy}
}
