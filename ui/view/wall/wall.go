// Package wall is walls of small maps, kinds of views: the same points again and again, of which each map shows one
// column, one sample or one population. They follow a landmark that is dragged, a few of them in each frame.
package wall

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/revision"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/render"
	"blossom/render/colour"
	"blossom/ui/view"
	"blossom/ui/widget"
)

// Most is how many maps a wall shows at once. Of more it is scrolled.
const Most = 36

// sample is how many points colours are made for at most: the first of the table, which are in a random order.
const sample = 200_000

// register adds a kind of view that is a wall of maps of some subject.
func register(k view.Kind, of func(*view.View) subject) {
	k.New = func(v *view.View) view.Content { return newContent(v, of(v)) }
	view.RegisterKind(k)
}

// subject is what the maps of a wall stand for. Each is a file of its own, which registers its kind of view.
type subject interface {
	// want says what the maps depend on, and how they are made, beside the window; ok is false where there are none,
	// for which empty has the words.
	want(s *Settings) (k key, tiles func(ctx context.Context) ([]tile, error), ok bool)
	empty() string
	// title names the view, and says what the maps are of: "" for the embedding of the view. by is what is chosen in
	// its menu, which menu draws.
	title() (title, of string)
	by(s *Settings) string
	menu(s *Settings) (changed bool)
	// pick has the view show one of the maps alone.
	pick(t *tile)
}

// key is what the maps of a wall depend on.
type key struct {
	what       string
	made, with revision.Revision
	spread     transform.Spread // columns are coloured so
	among      *selection.Set   // rows whose points the view shows; nil: all
}

// tile is one of the maps.
type tile struct {
	name   string
	note   string         // how many points; "": the ends of its colours
	values *colour.Values // the colours of its first points; nil: those of the view
	inside []uint8        // states of its first points: those that are not selected stand back; nil: those of the view
	column string         // the column that it stands for, or has a label of
	label  int
	plot   *plot // shown in place of the embedding; nil: none is
}

// hide takes first points out of a map whose rows a view does not show.
func (t *tile) hide(order []int32, among *selection.Set) {
	if among == nil {
		return
	}
	for i := range t.inside {
		if !among.Contains(int(order[i])) {
			t.inside[i] = render.Hidden
		}
	}
}

// made are the maps of a wall.
type made struct {
	tiles []tile
	rev   revision.Revision
}

// Settings are what a session keeps of a wall.
type Settings struct {
	Common bool   `json:"common,omitempty"` // one range of colours for all
	Column string `json:"column,omitempty"` // labels that are samples; "": the files, or the first labels
	First  int    `json:"first,omitempty"`  // the first of the maps in sight
}

// content is a wall in a view.
type content struct {
	*view.View
	subject  subject
	settings Settings
	box      view.Box
	ratio    float64
	clock    time.Time

	values work.Values
	made   *work.Value[key, *made]
	now    *made
	points view.Embedded
	placed bool // there are points

	panes []pane // by place in sight
	turn  int    // the pane that is looked at first in the next frame
	over  int    // the pane under the mouse, -1: none
}

func newContent(v *view.View, of subject) *content {
	c := &content{View: v, subject: of, ratio: 1, over: -1}
	c.values = work.Values{Jobs: v.Scene().Map.Values.Jobs, Clock: func() time.Time { return c.clock }}
	c.made = work.Keep[key, *made](&c.values, work.Policy{Title: "Small maps", Quiet: true, Finish: true, Silent: true,
		Share: 2, Remedy: "show something else in the view"})
	v.Settings(&c.settings)
	return c
}

// Label names the view.
func (c *content) Label() (title, note string) {
	title, note = c.subject.title()
	if c.now == nil {
		return title, note
	}
	own := note != ""
	if !own {
		note = c.points.Title
	}
	if n, all := len(c.shown()), len(c.now.tiles); n < all {
		from := c.first()
		note += fmt.Sprintf(" · %d to %d of %s", from+1, from+n, widget.Grouped(all))
	}
	if m, all := c.each(), c.points.Shown; c.placed && m < all && !own {
		note += " · " + widget.Grouped(m) + " points each"
	}
	return title, note
}

// Head names the view, and what its menu has chosen.
func (c *content) Head(o widget.HeaderOpts) widget.HeaderOpts {
	o.Name, o.Note = c.Label()
	o.By = c.subject.by(&c.settings)
	return o
}

// Hit draws the menu.
func (c *content) Hit(h widget.HeaderHit) {
	u, menu := c.Scene().UI, "wall"+c.ID.Key()
	if h.Part == widget.HeaderColour {
		u.OpenMenuUnder(menu, h.Under)
	}
	u.ContextMenu(menu, func() {
		if c.subject.menu(&c.settings) {
			c.settings.First = 0
			c.Keep()
		}
	})
}

// Place tells where the wall is drawn.
func (c *content) Place(b view.Box, ratio float64, _ bool) { c.box, c.ratio = b, ratio }

// Update brings the maps up to the document.
func (c *content) Update(now time.Time) {
	c.clock = now
	c.values.Serve()
	k, tiles, ok := c.subject.want(&c.settings)
	if !ok {
		c.now = nil
		return
	}
	if c.made.Want(k) && (c.made.Rested() || c.now == nil) {
		c.made.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*made, error) {
			list, err := tiles(ctx)
			return &made{list, revision.Next()}, err
		})
	}
	c.now, _ = c.made.Now()
}

// first is the first map in sight.
func (c *content) first() int { return max(min(c.settings.First, len(c.now.tiles)-1), 0) }

// shown are the maps in sight.
func (c *content) shown() []tile {
	from := c.first()
	return c.now.tiles[from:min(from+Most, len(c.now.tiles))]
}

// each is how many points a map has: more in fewer maps, so that all together cost what one large map does.
func (c *content) each() int {
	const all, least = 720_000, 10_000
	return min(c.points.Shown, sample, max(all/max(len(c.shown()), 1), least))
}

// Stir says whether maps are on their way: pictures and files wait for them.
func (c *content) Stir() view.Stir {
	out := view.Stir{Moving: c.now != nil && !c.made.Fresh() && c.made.Err() == nil}
	for i := range c.panes {
		out.Unfinished = out.Unfinished || c.panes[i].stale
	}
	return out
}

// lay are the places of n maps in a picture of w x h pixels, each with a line of so many pixels for its name above it:
// in as many columns as make them largest.
func lay(n int, w, h, line, gap float64) (out []area) {
	best, columns := 0.0, 1
	for k := 1; k <= n; k++ {
		rows := (n + k - 1) / k
		side := math.Min((w-gap)/float64(k)-gap, (h-gap)/float64(rows)-gap-line)
		if side > best {
			best, columns = side, k
		}
	}
	rows := (n + columns - 1) / columns
	cw, ch := (w-gap)/float64(columns), (h-gap)/float64(rows)
	for i := range n {
		x, y := math.Round(gap+float64(i%columns)*cw), math.Round(gap+float64(i/columns)*ch)
		a := area{x0: x, y0: y + line, x1: math.Round(x + cw - gap), y1: math.Round(y + ch - gap), line: line}
		if a.x1-a.x0 < 8 || a.y1-a.y0 < 8 {
			return nil
		}
		out = append(out, a)
	}
	return out
}

// area is the place of a map, in pixels, below the line of its name.
type area struct{ x0, y0, x1, y1, line float64 }

func (a area) w() int { return int(a.x1 - a.x0) }
func (a area) h() int { return int(a.y1 - a.y0) }

// areas are the places of the maps in sight in a picture of w x h pixels with so many pixels a point.
func (c *content) areas(w, h int, scale float64) []area {
	return lay(len(c.shown()), float64(w), float64(h), 20*scale, 6*scale)
}

// PictureSize is the size of the view in framebuffer pixels.
func (c *content) PictureSize() (w, h int) {
	return max(1, int(math.Round(float64(c.box.W())*c.ratio))), max(1, int(math.Round(float64(c.box.H())*c.ratio)))
}

// Keep puts the settings into the document.
func (c *content) Keep() { c.SetSettings(c.settings) }

// Free gives back what the maps hold of OpenGL, and ends what is being made.
func (c *content) Free() {
	c.made.Drop()
	for i := range c.panes {
		c.panes[i].free()
	}
	c.panes = nil
}

// Fit and Reset show the first maps; each always shows all of its points.
func (c *content) Fit(bool) { c.scroll(-len(c.panes)) }
func (c *content) Reset()   { c.Fit(false) }

// Glide scrolls. GlideZoom does nothing: all maps show all points.
func (c *content) Glide(_, dy float64) {
	switch {
	case dy > 0:
		c.scroll(-Most)
	case dy < 0:
		c.scroll(Most)
	}
}
func (c *content) GlideZoom(float64) {}

// scroll shows maps further on, where there are more than fit.
func (c *content) scroll(by int) {
	if c.now == nil || len(c.now.tiles) <= Most {
		return
	}
	at := min(max(c.settings.First+by, 0), (len(c.now.tiles)-1)/Most*Most)
	if at != c.settings.First {
		c.settings.First = at
		c.Keep()
		c.Scene().UI.Again()
	}
}

// mouse does what the mouse does on the wall: a click shows a map alone, the wheel scrolls.
func (c *content) mouse(areas []area) {
	c.over = -1
	hand, at := c.Scene().Hand, imgui.MousePos()
	if hand.Active() || !imgui.IsWindowHovered() || !widget.Rect(c.box).Has(at) {
		return
	}
	if wheel := imgui.CurrentIO().MouseWheel(); wheel != 0 {
		c.Glide(0, float64(wheel))
	}
	x, y := (float64(at.X)-float64(c.box.X0))*c.ratio, (float64(at.Y)-float64(c.box.Y0))*c.ratio
	for i, a := range areas {
		if x >= a.x0 && x < a.x1 && y >= a.y0-a.line && y < a.y1 {
			c.over = i
		}
	}
	if c.over < 0 || c.over >= len(c.shown()) {
		c.over = -1
		return
	}
	t := &c.shown()[c.over]
	says := t.name
	switch note := c.note(t, c.colouring(t, c.Scene().Dark)); {
	case t.note != "":
		says += ", " + note + " points"
	case note != "":
		says += ", " + note
	}
	c.Scene().UI.Tip(widget.R(at.X, at.Y, 1, 1), says+"\nA click shows it alone")
	if imgui.IsMouseClickedBool(imgui.MouseButtonLeft) {
		c.subject.pick(t)
	}
}

// rows are the rows of the data that the points of a table are, in their order.
func rows(t *transform.Table) []int32 {
	if t.Order != nil {
		return t.Order
	}
	out := make([]int32, t.X.Rows)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}
