package view

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/document/parts"
	"blossom/model/maps/embedsom"
	"blossom/ui/widget"
)

// overLandmark is the landmark under the mouse: a card says how it stands, and a halo which points it would move.
type overLandmark struct {
	id    int // -1: none, or the mouse has just come
	view  *Scatter
	since time.Time
	last  int // the landmark that the mouse is on

	card   widget.Card
	place  widget.Rect
	of     *embedsom.Influence // the influence that the card tells of
	carded int
	active bool // landmarks were trained then
}

// cardColumns is how many columns the card of a landmark shows.
const cardColumns = 5

// update brings it up to where the mouse is in a view (nil: in none). on says whether it is on a landmark; wait is when
// to look next, or 0.
func (o *overLandmark) update(v *Scatter, now time.Time) (on bool, wait time.Duration) {
	if v == nil || v.View.scene.Hand.busy() || v.View.scene.Hand.Hover < 0 || v.View.scene.Hand.At != Ground(v) ||
		!v.HasLandmarks() {
		*o = overLandmark{id: -1, last: -1, carded: -1}
		return false, 0
	}
	id := v.View.scene.Hand.Hover
	if o.last != id || o.view != v {
		*o = overLandmark{id: -1, last: id, view: v, since: now, carded: -1}
	}
	v.View.scene.Map.Influence() // so that it is there when the mouse has rested
	if rest := hoverDelay - now.Sub(o.since); rest > 0 {
		return true, rest
	}
	o.id = id
	return true, 0
}

// draw draws the card over everything; word is what a point is, "Cell".
func (o *overLandmark) draw(dl *imgui.DrawList, word string) {
	v := o.view
	if o.id < 0 || v == nil || o.id >= v.View.scene.Map.Landmarks().Len() {
		return
	}
	f := v.View.scene.Map.Influence()
	active := v.View.scene.Map.Training().Active()
	if o.carded != o.id || o.of != f || o.active != active {
		o.card, o.carded, o.of, o.active = o.cardOf(v, o.id, f, word), o.id, f, active
	}
	sx, sy, ok := v.Eye.Screen(place(v.View.scene.Map.Landmarks().Pos.Row(o.id)))
	if !ok {
		return
	}
	u := v.View.scene.UI
	r := u.Pt(14)
	anchor := widget.R(float32(sx)-r, float32(sy)-r, 2*r, 2*r)
	o.place = widget.PlaceCard(u.CardSize(&o.card), anchor, v.Rect(), v.density)
	if o.place.Overlaps(anchor) { // a view too small for it
		o.place = widget.PlaceCard(u.CardSize(&o.card), anchor, u.Window(), nil)
	}
	u.DrawCard(dl, o.place, &o.card)
}

// cardOf says how a landmark stands among the points; f may be nil while that is found out.
func (o *overLandmark) cardOf(v *Scatter, id int, f *embedsom.Influence, word string) widget.Card {
	m := v.View.scene.Map
	l, things := m.Landmarks(), strings.ToLower(word)+"s"
	c := widget.Card{Title: fmt.Sprintf("Landmark %d", id+1), Foot: "box: half of all " + things}
	if l.Names != nil {
		c.Group = l.Names[id]
	}
	if f == nil {
		c.Note, c.Foot = "counting its "+things+" …", ""
		if m.Training().Active() {
			c.Note = "its " + things + " are counted when training rests"
		}
		return c
	}
	s := f.Standing(id, cardColumns)
	c.Note = fmt.Sprintf("%s %% of %s", percent(s.Share), things)
	if s.Spread == s.Spread {
		c.Note += fmt.Sprintf(" · spread %.2f (all %.2f)", s.Spread, s.Usual)
	}
	c.Foot = fmt.Sprintf("moves %s %% · %s", percent(s.Carries), c.Foot)
	table, spec := m.Table(), parts.Transform.Of(m.Doc.State())
	for _, x := range s.Columns {
		i := table.Cols[x.Dim]
		raw := math.NaN()
		if k := table.Factor[x.Dim]; k != 0 {
			raw = table.Funcs[x.Dim].Inverse(x.Value / k)
		}
		_, among := m.Value(i, 0)
		c.Rows = append(c.Rows, cardRow(among, raw, spec.Columns[i]))
	}
	return c
}

// percent writes a share without more digits than a sample of some thousand points bears.
func percent(share float64) string {
	if share > 0 && share < 0.0005 {
		return "< 0.1"
	}
	return strconv.FormatFloat(100*share, 'f', 1, 64)
}

// ShownLandmark returns the card of a landmark as it was drawn last, and how many points its halo has, for tests.
func (s *Stage) ShownLandmark() (card widget.Card, halo int) {
	if o := &s.hover.landmark; o.view != nil {
		card = o.card
	}
	return card, len(s.Scene.halo.points)
}

// halo is which points move with the landmarks in the hand, and how much.
type halo struct {
	of     *embedsom.Influence
	ids    []int
	points []int32
	shares []float32
	sum    []float32 // share of each point of the sample
}

// haloMost is how many points a halo has at most.
const haloMost = 4000

// grabbed are the landmarks that the hand holds, or that a press would take after the mouse has rested.
func (s *Scene) grabbed() []int {
	h := s.Hand
	if _, carrying := h.gesture.(*carry); carrying && h.press.moved {
		return h.Landmarks.Selected
	}
	id := s.Hover.landmark.id
	switch {
	case h.Active() || id < 0:
		return nil
	case slices.Contains(h.Landmarks.Selected, id):
		return h.Landmarks.Selected
	}
	return append(s.one[:0], id)
}

// update finds the points of the halo, where landmarks or what they carry have changed.
func (q *halo) update(s *Scene) {
	ids := s.grabbed()
	if len(ids) == 0 {
		q.points, q.ids = q.points[:0], q.ids[:0]
		return
	}
	f := s.Map.Influence()
	if f == nil || f == q.of && slices.Equal(ids, q.ids) {
		return
	}
	q.of, q.ids, q.points, q.shares = f, append(q.ids[:0], ids...), q.points[:0], q.shares[:0]
	if len(q.sum) < f.N {
		q.sum = make([]float32, f.N)
	}
	clear(q.sum)
	for _, id := range ids {
		f.Carried(id, func(point int, share float64) { q.sum[point] += float32(share) })
	}
	for i, share := range q.sum[:f.N] {
		if share > 0 && len(q.points) < haloMost {
			q.points, q.shares = append(q.points, int32(i)), append(q.shares, share)
		}
	}
}

func init() {
	RegisterOver(Over{Order: 40, Draw: func(v *Scatter, dl *imgui.DrawList) { v.View.scene.halo.draw(v, dl) }})
}

// draw lights up the points that move with the landmarks in the hand, the stronger the more they do.
func (q *halo) draw(v *Scatter, dl *imgui.DrawList) {
	if !v.IsMap() {
		return
	}
	q.update(v.View.scene)
	u := v.View.scene.UI
	for k, i := range q.points {
		if sx, sy, ok := v.hovered(int(i)); ok {
			strength := min(1, 1.6*q.shares[k])
			u.HaloDot(dl, imgui.Vec2{X: float32(sx), Y: float32(sy)}, strength)
		}
	}
}
