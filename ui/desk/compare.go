package desk

import (
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/morph"
)

// Compare fades between two moments of the history. Nothing changes in the document; whatever else changes it ends the
// comparison.
type Compare struct {
	From, To state.EntryID
	At       float64 // 0 shows From, 1 shows To
	Other    bool    // a key is held: the other end is shown

	desk  *Desk
	on    bool
	stamp state.Stamp // the document must keep it meanwhile
	morph *morph.Morph
	key   [2]state.EntryID
	space revision.Revision // the codebooks of morph are in it
	shown float64           // how far between the two the preview is
	why   string            // the two cannot be faded between
}

// Begin compares the present with another moment.
func (c *Compare) Begin(d *Desk, with state.EntryID) {
	d.Stage.Hand().Cancel()
	d.Runs().PauseAll()
	now := d.Doc.History().Now()
	*c = Compare{desk: d, on: true, From: with, To: now, At: 1, stamp: d.Doc.State().Stamp(false), shown: -1}
	d.UI.Again()
}

// On says whether two moments are compared now.
func (c *Compare) On() bool { return c.on }

// Why says why the picture cannot show both moments as they were, "" where it does.
func (c *Compare) Why() string { return c.why }

// End shows the document again.
func (c *Compare) End() {
	if c.on {
		c.on = false
		c.desk.Preview(nil)
		c.desk.UI.Again()
	}
}

// Showing is what is shown: 0 From, 1 To.
func (c *Compare) Showing() float64 {
	if !c.Other {
		return c.At
	}
	if c.At < 0.5 {
		return 1
	}
	return 0
}

// Update brings what the map shows up to the comparison, once a frame.
func (c *Compare) Update() {
	if !c.on {
		return
	}
	d := c.desk
	now := d.Doc.State()
	_, from := d.Doc.History().Entry(c.From)
	_, to := d.Doc.History().Entry(c.To)
	if now.Stamp(false) != c.stamp || !from || !to || d.Runs().Running() {
		c.End()
		return
	}
	if key, space := [2]state.EntryID{c.From, c.To}, parts.Landmarks.Of(now).Space; c.morph == nil || key != c.key ||
		space != c.space {
		c.key, c.space, c.shown, c.why = key, space, -1, ""
		c.morph = c.between()
	}
	at := c.Showing()
	if at == c.shown {
		d.Preview(d.Landmarks())
		return
	}
	c.shown = at
	d.Preview(c.morph.At(at))
}

// between prepares the way from one moment to the other. Landmarks of another transform cannot be drawn over the
// points as they are now: their places are shown with the codebook of now, where there are as many.
func (c *Compare) between() *morph.Morph {
	d := c.desk
	now := parts.Landmarks.Of(d.Doc.State())
	a, ok := d.LandmarksAlong(c.From, 1)
	b, also := d.LandmarksAlong(c.To, 1)
	if !ok {
		a = c.inSpaceOf(a)
	}
	if !also {
		b = c.inSpaceOf(b)
	}
	if a == nil || b == nil {
		c.why = "the transform was another one then, and there were other landmarks: only now can be shown"
		a, b = now, now
	} else if !ok || !also {
		c.why = "the transform was another one then: places of landmarks fade, not what they stand for"
	}
	return morph.New(a, b, parts.Projection.Of(d.Doc.State()), morph.Effort)
}

func (c *Compare) inSpaceOf(l *landmark.Set) *landmark.Set {
	now := parts.Landmarks.Of(c.desk.Doc.State())
	if l.Len() != now.Len() {
		return nil
	}
	return l.WithCodeOf(now)
}
