package view

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/exhibit"
	"blossom/model/document/parts"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/render/legend"
	"blossom/ui/widget"
)

// Hover is the point under the mouse, which all views mark.
type Hover struct {
	On    bool
	Point int      // in the order of the map
	Row   int      // row of the data
	At    *Scatter // the view that shows the card
	Held  bool     // the card stays, with all columns, until it is let go

	landmark overLandmark
	shown    *exhibits

	cursor point
	since  time.Time
	looked bool // at the cursor's place
	card   widget.Card
	place  widget.Rect // place of the card
	carded int         // the row that card is of, -1: none
	all    bool
	by     revision.Revision // the colours that it names
	on     revision.Revision // where the landmarks are that it names
}

// hoverDelay is how long the mouse rests before a point is looked for.
const hoverDelay = 120 * time.Millisecond

// hoverReach is how far from the cursor a point may be, in points of length.
const hoverReach = 8

// Update looks for the point under a cursor that rests in a view (nil: in none). It returns when to look next,
// or 0.
func (h *Hover) Update(v *Scatter, cursor imgui.Vec2, now time.Time) time.Duration {
	if h.Held {
		return 0
	}
	if on, wait := h.landmark.update(v, now); on {
		h.On, h.since = false, time.Time{}
		return wait
	}
	at := point{float64(cursor.X), float64(cursor.Y)}
	if v == nil || v.View.scene.Hand.busy() {
		h.Leave()
		h.cursor, h.since, h.looked = at, now, true // no card hides what was drawn until the mouse moves on
		return 0
	}
	if at != h.cursor || h.since.IsZero() {
		h.cursor, h.since, h.looked = at, now, false
		if h.On && h.At == v { // the mark stays until the next look, unless the mouse has gone far
			if sx, sy, ok := v.hovered(h.Point); !ok || math.Hypot(sx-at.x,
				sy-at.y) > 2*hoverReach*float64(v.View.scene.Scale) {
				h.On = false
			}
		}
	}
	if h.looked {
		return 0
	}
	if wait := hoverDelay - now.Sub(h.since); wait > 0 {
		return wait
	}
	h.looked, h.On = true, false
	points, ok := v.SelectionPoints()
	if !ok {
		return 0
	}
	points.Pos = points.Pos[:v.field.Shown()*points.Dims]
	if points.Order != nil {
		points.Order = points.Order[:v.field.Shown()]
	}
	x, y := v.Eye.pixel(at.x, at.y)
	hit, found, err := selection.Nearest(context.Background(), v.SelectionView(), points, selection.Point{X: x, Y: y},
		hoverReach*v.View.scene.pixels())
	if err == nil && found {
		h.On, h.Point, h.Row, h.At = true, hit.Point, hit.Row, v
	}
	return 0
}

// Leave lets go of the point.
func (h *Hover) Leave() {
	*h = Hover{carded: -1, landmark: overLandmark{id: -1, last: -1, carded: -1}, shown: h.shown}
}

// Hold holds the card of a point, by its number on the map and its row, in a view that moves to it where it is out of
// sight. It says whether the point has a place there.
func (h *Hover) Hold(v *Scatter, point, row int) bool {
	points := v.Points()
	if points == nil || point >= points.Len() || !points.Ready() || !finiteAt(points, point) || !v.among.shows(point) {
		return false
	}
	if _, _, seen := v.hovered(point); !seen {
		v.Eye.CentreOn(place(points.Host()[point*points.Dims() : (point+1)*points.Dims()]))
	}
	h.On, h.Held, h.Point, h.Row, h.At = true, true, point, row, v
	v.View.scene.UI.Again()
	return true
}

// hovered is where a point is on the screen in the view.
func (v *Scatter) hovered(i int) (sx, sy float64, ok bool) {
	b := v.Points()
	if b == nil || !b.Known(i+1) && !b.Ready() || i >= b.Len() {
		return 0, 0, false
	}
	d := b.Dims()
	p := place(b.Host()[i*d : (i+1)*d])
	if p.X-p.X != 0 || p.Y-p.Y != 0 || p.Z-p.Z != 0 {
		return 0, 0, false
	}
	sx, sy, ok = v.Eye.Screen(p)
	return sx, sy, ok && v.Eye.Contains(sx, sy)
}

func init() {
	RegisterOver(Over{Order: 70, Draw: func(v *Scatter, dl *imgui.DrawList) { v.View.scene.Hover.mark(v, dl) }})
}

// mark marks the point under the mouse, in every view.
func (h *Hover) mark(v *Scatter, dl *imgui.DrawList) {
	if !h.On {
		return
	}
	sx, sy, ok := v.hovered(h.Point)
	if !ok {
		return
	}
	at := imgui.Vec2{X: float32(sx), Y: float32(sy)}
	if v.Eye.Solid() {
		if b, ok := v.Extent(); ok {
			host, d := v.Points().Host(), v.dims
			foot := place(host[h.Point*d : (h.Point+1)*d])
			foot.Y = b.Min.Y
			if fx, fy, ok := v.Eye.Screen(foot); ok && v.Eye.Contains(fx, fy) {
				v.View.scene.UI.DropLine(dl, at, imgui.Vec2{X: float32(fx), Y: float32(fy)})
			}
		}
	}
	v.View.scene.UI.HoverRing(dl, at)
}

// Card draws the card of the point under the mouse, over everything.
func (h *Hover) Card(dl *imgui.DrawList, word string) {
	h.landmark.draw(dl, word)
	if !h.On || h.At == nil {
		return
	}
	v := h.At
	sx, sy, ok := v.hovered(h.Point)
	if !ok {
		return
	}
	rev := v.View.scene.Map.Landmarks().PosRev
	if h.carded != h.Row || h.all != h.Held || h.by != v.Colours.Rev {
		h.card = h.cardOf(v, h.Row, word, h.Held)
		h.carded, h.all, h.by, h.on = h.Row, h.Held, v.Colours.Rev, rev
	}
	if h.on != rev { // the point's nearest landmark may be another one
		h.card.Note, h.on = h.landmarkNote(v, h.Row), rev
	}
	u := v.View.scene.UI
	h.shown.put(&h.card, v.View.scene, h.Row)
	size, bounds := u.CardSize(&h.card), v.Rect()
	r := u.Pt(12)
	anchor := widget.R(float32(sx)-r, float32(sy)-r, 2*r, 2*r)
	if size.Y > bounds.H()-u.Pt(16) {
		size.Y = max(u.Pt(120), bounds.H()-u.Pt(16))
	}
	place := widget.PlaceCard(size, anchor, bounds, v.density)
	if place.Overlaps(anchor) { // a view too small for it: beside the point, over another view
		place = widget.PlaceCard(size, anchor, u.Window(), nil)
	}
	card := h.card
	for place.Overlaps(anchor) && len(card.Rows) > 0 { // a window too small for it: as many rows as there is room for
		card.Rows = card.Rows[:len(card.Rows)-1]
		place = widget.PlaceCard(u.CardSize(&card), anchor, u.Window(), nil)
	}
	h.place = place
	if h.Held {
		u.HeldCard("hover card", place, &card)
		return
	}
	u.DrawCard(dl, place, &card)
}

// Shown returns the card as it was drawn last, for tests.
func (h *Hover) Shown() *widget.Card { return &h.card }

// Place is where the card was drawn last, for tests.
func (h *Hover) Place() widget.Rect { return h.place }

// density counts points of a sample in a rectangle of the screen.
func (v *Scatter) density(r widget.Rect) int {
	b, n := v.Points(), 0
	if b == nil {
		return 0
	}
	for i := range min(2000, v.field.Shown()) {
		if sx, sy, ok := v.hovered(i); ok && float32(sx) >= r.X0 && float32(sx) < r.X1 && float32(sy) >= r.Y0 &&
			float32(sy) < r.Y1 {
			n++
		}
	}
	return n
}

// cardRows is how many columns a card shows that is not held.
const cardRows = 8

// cardTexts is how many columns of words are among them: first of all one asks which this is.
const cardTexts = 2

// cardOf is the card of a row of the data: its first words and its most unusual columns, or all.
func (h *Hover) cardOf(v *Scatter, row int, word string, all bool) widget.Card {
	m := v.View.scene.Map
	data, spec := m.Doc.Data, parts.Transform.Of(m.Doc.State())
	c := widget.Card{Title: word + " " + grouped(row+1), Foot: "box: half of all " + strings.ToLower(word) + "s"}
	if v.Colours.Values != nil && v.Colours.Labels != nil {
		if x := v.Colours.Numbers[v.View.scene.Hover.Point]; x == x && int(x) < len(v.Colours.Labels) {
			colouring := v.Colouring()
			c.Group, c.Swatch = v.Colours.Labels[int(x)], Ink(colouring.LabelColour(int(x)))
		}
	}
	if point := v.View.scene.Hover.Point; v.Colours.Second() != nil {
		if c.Group = v.Colours.Told(point); c.Group != "" {
			colouring := v.Colouring()
			c.Swatch = Ink(colouring.LabelColour(int(v.Colours.Numbers[point])))
		}
	}
	c.Note = h.landmarkNote(v, row)
	type entry struct {
		column  int
		unusual float64
	}
	var list []entry
	texts := textRows(data, exhibit.Of(data), row, v.Colours.Column, all)
	for i := range data.Columns {
		col := &data.Columns[i]
		if col.Categories != nil || !all && spec.Columns[i].Use != transform.InMap {
			continue
		}
		x, col := m.Value(i, row)
		unusual := math.Abs(col.Rank(x) - 0.5)
		if unusual != unusual {
			unusual = -1 // a missing value says least
		}
		list = append(list, entry{i, unusual})
	}
	if !all {
		slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(b.unusual, a.unusual) })
		list = list[:min(len(list), cardRows-len(texts))]
		c.Key, c.More = "I", fmt.Sprintf("all %d columns", len(data.Columns))
	}
	own := func(c dataset.Column) bool { return c.Name == v.Colours.Column }
	if v.Colours.Column != "" && !slices.ContainsFunc(data.Columns, own) {
		if made, shown, err := m.Column(v.Colours.Column); err == nil && made != nil && made.Categories == nil {
			// Made from the map: what the view is coloured by.
			c.Rows = append(c.Rows, cardRow(made, made.At(row), shown))
		}
	}
	c.Rows = append(c.Rows, texts...)
	for _, e := range list {
		x, col := m.Value(e.column, row)
		c.Rows = append(c.Rows, cardRow(col, x, spec.Columns[e.column]))
		if was := data.Columns[e.column].At(row); was != was && x == x {
			c.Rows[len(c.Rows)-1].Value += "*"
			c.Foot = "* filled, there is no value"
		}
	}
	return c
}

// textRows are the first columns of words on a card, or all, but for the one that points are coloured by, which stands
// in its head, and those that are shown in another way.
func textRows(data *dataset.Dataset, shown exhibit.Columns, row int, coloured string,
	all bool) (rows []widget.CardRow) {
	for i := range data.Columns {
		c := &data.Columns[i]
		if c.Categories != nil && c.Name != coloured && (all || len(rows) < cardTexts && !shown.Has(i)) {
			rows = append(rows, textRow(c, row))
		}
	}
	return rows
}

// textRow is a column of words on a card.
func textRow(c *dataset.Column, row int) widget.CardRow {
	r := widget.CardRow{Name: c.Short(), Value: "–", Text: true}
	if x := c.Values[row]; x == x && int(x) < len(c.Categories) {
		r.Value = c.Categories[int(x)]
	}
	return r
}

// cardRow is a column on a card: where the value x stands between the extremes of the column, transformed.
func cardRow(c *dataset.Column, x float64, t transform.Column) widget.CardRow {
	f := transform.FunctionOf(c, t)
	ends := c.Quantiles(0.01, 0.99)
	lo, hi := f.Forward(ends[0]), f.Forward(ends[1])
	at := func(x float64) float32 {
		if !(hi > lo) {
			return 0.5
		}
		return float32(min(1, max(0, (f.Forward(x)-lo)/(hi-lo))))
	}
	low, median, high := c.Quartiles()
	r := widget.CardRow{Name: c.Short(), Value: number(x, c.Stats.Digits(4)), Box: [2]float32{at(low), at(high)},
		Median: at(median), At: at(x)}
	if x-x != 0 {
		r.At = float32(math.NaN())
	}
	if day := dataset.DateText(x); c.HoldsDates() && day != "" {
		r.Value = day
	}
	return r
}

// landmarkNote says which landmark is nearest on the map.
func (h *Hover) landmarkNote(v *Scatter, row int) string {
	if !v.IsMap() || v.Eye.Solid() {
		return ""
	}
	b, l := v.Points(), v.View.scene.Map.Landmarks()
	i := v.View.scene.Hover.Point
	p := b.Host()[i*b.Dims() : (i+1)*b.Dims()]
	id, d2 := l.Nearest2D(p[0], p[1])
	if id < 0 {
		return ""
	}
	name := fmt.Sprintf("landmark %d", id+1)
	if l.Names != nil && l.Names[id] != "" {
		name += " " + l.Names[id]
	}
	return fmt.Sprintf("%s · %.2f away on the map", name, math.Sqrt(d2))
}

// number writes a value for people: whole numbers with separators, else so many digits that matter, 4 or more.
func number(x float64, digits int) string {
	switch {
	case x != x:
		return "–"
	case digits > 4 && math.Abs(x) >= 1000 && math.Abs(x) < 1e15: // a column far from 0
		whole := int(math.Log10(math.Abs(x))) + 1
		return legend.FormatStep(x, 1, max(0, digits-whole))
	case x == math.Trunc(x) && math.Abs(x) < 1e9:
		return grouped(int(x))
	case math.Abs(x) >= 1000 && math.Abs(x) < 1e9:
		return grouped(int(math.Round(x)))
	}
	return strings.ReplaceAll(strconv.FormatFloat(x, 'g', digits, 64), "-", "−")
}

var _ Ground = (*Scatter)(nil)
