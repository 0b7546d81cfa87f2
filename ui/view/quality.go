package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"blossom/model/document/parts"
	"blossom/model/live"
	"blossom/model/maps/quality"
	"blossom/ui/widget"
)

// qualityOver is what a view tells of its quality: a number in its header, and a card.
type qualityOver struct {
	live.Quality
	open  bool
	card  widget.QualityCard
	chip  chipText
	of    *live.Measured // the measure that the rows of card are made of
	place widget.Rect    // place of the card as it was drawn last
}

// chipText is what a header says, made anew only when that is something else.
type chipText struct {
	now   *live.Measured
	older bool
	text  string
}

func (c *chipText) of(q live.Quality) string {
	if c.now != q.Now || c.older != q.Older {
		*c = chipText{q.Now, q.Older, figure(q.Now.Value(), 2)}
		if q.Older && q.Now.Runs { // a run leaves it behind soon: it is not to be read as what is shown
			c.text += "…"
		}
	}
	return c.text
}

// text measures the view's embedding, and returns what its header says.
func (q *qualityOver) text(v *Scatter) (text string, pale, open bool) {
	if v.field == nil || v.field.Err() != nil || v.View.scene.Map.Table().X.Rows < 3 {
		q.open = false
		return "", false, false
	}
	q.Quality = v.View.scene.Map.QualityOf(v.field)
	switch {
	case q.Blended:
		text = "–"
	case q.Now == nil:
		text = "…"
	default:
		text = q.chip.of(q.Quality)
	}
	return text, q.Older, q.open
}

// Quality is what is known of the view's quality, and where its card is; empty: it is closed.
func (v *Scatter) Quality() (live.Quality, widget.Rect) {
	if !v.quality.open {
		return v.quality.Quality, widget.Rect{}
	}
	return v.quality.Quality, v.quality.place
}

// Qualities draws the cards that are open. things are the points in words.
func (s *Stage) Qualities(things string, now time.Time) {
	for _, v := range s.scatters {
		q := &v.quality
		if !q.open {
			continue
		}
		if q.of != q.Now || q.Now == nil || q.card.Older != q.Older || q.Older {
			v.quality.fill(v, things, now)
		}
		room := v.Rect().Inset(s.Scene.UI.Pt(8), s.Scene.UI.Pt(8))
		size := s.Scene.UI.QualityCardSize(&q.card, room)
		q.place = widget.R(room.X1-size.X, room.Y0, size.X, size.Y)
		if s.Scene.UI.QualityCard("quality"+v.View.ID.Key(), q.place, &q.card) {
			q.open = false
		}
	}
}

// CloseQuality closes an open card, and says whether there was one: of the active view, or of another.
func (s *Stage) CloseQuality() bool {
	if v := s.Scatter(); v.quality.open {
		v.quality.open = false
		return true
	}
	for _, v := range s.scatters {
		if v.quality.open {
			v.quality.open = false
			return true
		}
	}
	return false
}

func (q *qualityOver) fill(v *Scatter, things string, now time.Time) {
	c := &q.card
	q.of = q.Now
	c.Title, c.Older, c.Rows = "Quality of this map", q.Older, c.Rows[:0]
	if !v.IsMap() {
		c.Title = "Quality of this view"
	}
	if q.Now == nil {
		c.Now, c.Before, c.K, c.Foot = nil, nil, 0, "measuring…"
		if q.Blended {
			c.Foot = "nothing is told of what lies between two maps"
		}
		return
	}
	c.Now, c.Before, c.K = q.Now.RNX, nil, quality.K(q.Now.Points)
	if q.Before != nil {
		c.Before = q.Before.RNX
	}
	c.Rows = append(c.Rows,
		widget.QualityRow{Name: "Neighbours kept",
			Value: figure(q.Now.Value(), 3) + errorOf(q.Now),
			Tip: fmt.Sprintf("R_NX: of the %d nearest in the space, the share that is also nearest on the map, above "+
				"what chance would keep.", c.K) + amongSample(q.Now, c.K)},
		widget.QualityRow{Name: "Trustworthiness", Value: figure(q.Now.Trustworthiness, 3),
			Tip: fmt.Sprintf("1 where the %d nearest on the map also are near in the space. Low: strangers were put "+
				"side by side.", quality.Trusted)},
		widget.QualityRow{Name: "Continuity", Value: figure(q.Now.Continuity, 3),
			Tip: fmt.Sprintf("1 where the %d nearest in the space also are near on the map. Low: what belongs "+
				"together was torn apart.", quality.Trusted)})
	if share := q.Now.Far.Share; share == share {
		c.Rows = append(c.Rows, widget.QualityRow{Name: "Far from any landmark", Value: figure(100*share, 1) + " %",
			Tip: fmt.Sprintf("Further than %.3g from the nearest landmark in the space: more than what is usual "+
				"for noise and for the gaps between landmarks. The map says little of these %s; add landmarks there.",
				q.Now.Far.Bound, things)})
	}
	c.Foot = widget.Grouped(q.Now.Points) + " " + things
	if q.Now.Sampled() {
		c.Foot += " sampled, among each other"
	}
	switch {
	case q.Older && q.Now.Runs:
		c.Foot += " · at unit " + widget.Grouped(int(q.Now.Unit))
	case q.Older:
		c.Foot += fmt.Sprintf(" · older, %.1f s ago", max(0, now.Sub(q.Now.At).Seconds()))
		v.View.scene.UI.RefreshIn(100 * time.Millisecond)
	}
}

// amongSample says what a number of a sample is not: that of all points.
func amongSample(q *live.Measured, k int) string {
	if !q.Sampled() {
		return ""
	}
	return fmt.Sprintf(" Neighbours are those among the %s that are measured, with what another sample might differ "+
		"by: the %d nearest of so few lie further apart than those among all points, of which fewer are kept. "+
		"The commands tsne and umap print those.", widget.Grouped(q.Points), k)
}

// errorOf is the standard error of what was measured on a sample, in words.
func errorOf(q *live.Measured) string {
	if !q.Sampled() || q.Error != q.Error {
		return ""
	}
	return " ± " + figure(q.Error, 3)
}

// figure is a number with so many places, with the sign of minus that people write.
func figure(x float64, places int) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strings.ReplaceAll(strconv.FormatFloat(x, 'f', places, 64), "-", "−")
}

// landmarkCount is the note of a map's header: how many landmarks carry it, and whether somebody has moved them.
func (v *Scatter) landmarkCount(note string) string {
	if n := parts.Landmarks.Of(v.View.scene.Map.Doc.State()).Len(); n > 0 {
		if note != "" {
			note += ", "
		}
		note += widget.Grouped(n) + " landmarks"
	}
	if v.Arranged() {
		note += ", arranged"
	}
	if l := v.View.scene.Map.Layout(); l.Active() {
		if stage := l.Progress().Stage; stage.Word != "" { // the picture alone does not explain it
			note += " · " + stage.Word + ": " + stage.Help
		}
	}
	return note
}
