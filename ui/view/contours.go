package view

import (
	"context"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/maps/density"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/scene"
)

// contourOver is lines of equal density over the points of a view, or in their place. While the map moves they trail.
type contourOver struct {
	value   *work.Value[contourKey, *density.Lines]
	due     bool   // they are to be made, or are being made
	changes uint64 // how often positions had changed in the last frame

	of    revision.Revision // the lines that are drawn; 0: none are
	dark  bool
	lines render.Lines
	// levels are the same lines, with what they enclose.
	levels render.Levels
}

// contourKey is what lines are made from.
type contourKey struct {
	points  *render.PointBuffer
	changes uint64 // how often positions had changed
	ready   bool   // they had all come from the card
	looked  int    // it looked at so many points
	sample  int    // and took so many of them, at most
	among   uint64 // how often the view has shown others of them
}

// mostLooked is how many points are looked at, to find a sample of those that the view shows, and movingSample how many
// are taken while the map moves.
const (
	mostLooked   = 1 << 20
	movingSample = 10_000
)

// After lines were made while the map moves, they rest for this many times what it took.
const contourShare = 2

func keepContours(all *work.Values, c *contourOver) {
	c.value = work.Keep[contourKey, *density.Lines](all, work.Policy{Title: "Contours", Quiet: true, Background: true,
		Finish: true, Share: contourShare, Remedy: "show them again"})
}

// update brings the lines up to the points and says whether they have to be drawn anew.
func (c *contourOver) update(v *Scatter) bool {
	points := v.Points()
	c.due = v.View.State().Contours != parts.NoContours && v.dims == 2
	if !c.due {
		was := c.of != 0
		c.of, c.lines, c.levels = 0, render.Lines{}, render.Levels{}
		c.value.Forget()
		return was
	}
	c.want(v, points)
	rev := c.value.Rev()
	if c.value.Of().points != points { // they are of another embedding
		rev = 0
	}
	if rev == c.of && (rev == 0 || c.dark == v.View.scene.Dark) {
		return false
	}
	c.of, c.dark, c.lines, c.levels = rev, v.View.scene.Dark, render.Lines{}, render.Levels{}
	if rev != 0 {
		now, _ := c.value.Now()
		c.lines, c.levels = scene.Contours(now, v.View.scene.Theme), scene.Levels(now)
	}
	return true
}

// want has the lines made of the points as they are now, from a sample of those that are shown.
func (c *contourOver) want(v *Scatter, points *render.PointBuffer) {
	looked := min(v.field.Shown(), mostLooked)
	if points == nil || looked == 0 {
		c.due = false
		return
	}
	ready := points.Ready()
	if !points.Known(looked) {
		looked = min(looked, BoundsSample) // so many come from the card while the map moves
	}
	if !points.Known(looked) {
		c.due = false // they are on their way
		return
	}
	changes, sample := points.Changes(), scene.ContourSample
	moving := changes != c.changes || v.View.scene.Map.Doc.Open() || v.Stir().Moving
	if c.changes = changes; moving {
		sample = movingSample
	}
	due := c.value.Want(contourKey{points, changes, ready, looked, sample, v.among.changes})
	c.due = due || c.value.Busy()
	if !due || moving && !c.value.Rested() {
		return
	}
	pos := scene.Sample(points.Host()[:2*looked], sample, v.among.shows)
	c.value.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*density.Lines, error) {
		return scene.ContoursOf(ctx, pos)
	})
}

// alone says whether the lines stand in the place of the points.
func (c *contourOver) alone(v *Scatter) bool {
	return v.View.State().Contours == parts.ContoursAlone && len(c.lines.Edges) > 0
}

// shown are the lines that are drawn; nil: none are.
func (c *contourOver) shown() *density.Lines {
	if c.of == 0 {
		return nil
	}
	now, _ := c.value.Now()
	return now
}

// draw draws the lines over the points.
func (c *contourOver) draw(v *Scatter) {
	v.picture.layer.DrawEdges(c.lines.Places, c.lines.Edges, float32(v.View.scene.pixels()))
}
