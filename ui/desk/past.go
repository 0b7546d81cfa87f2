package desk

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/ui/widget"
)

// Moment is an entry of the history as it is drawn.
type Moment struct {
	state.Entry
	Up    int // index of the moment before, -1 of the first
	Next  int // the moment that follows on the same lane, or -1
	Depth int // how many moments are before it
	Lane  int // 0 is the branch that was worked on last; others have the first lane that is free beside them
	Forks int // branches that begin here, beside the one that goes on
	Tip   string
}

// Past is the history as it is drawn: by the time line and by the History panel.
type Past struct {
	Moments       []Moment // in the order in which they came about
	Now           int
	Depths, Lanes int // how many there are

	rev  revision.Revision
	data *state.Document
	now  time.Time // the times are said for it: a day ago is another day
}

// Past returns the history of the document, made anew when it has changed.
func (d *Desk) Past() *Past {
	p, h := &d.past, d.Doc.History()
	if p.rev == h.Rev() && p.data == d.Doc {
		return p
	}
	entries := h.Entries()
	index := make(map[state.EntryID]int, len(entries))
	p.rev, p.data, p.Now, p.Depths, p.Lanes = h.Rev(), d.Doc, 0, 1, 1
	p.now = d.Doc.Time()
	p.Moments = p.Moments[:0]
	for i, e := range entries {
		index[e.ID] = i
		m := Moment{Entry: e, Up: -1, Next: -1, Lane: -1}
		if up, ok := index[e.Parent]; ok && e.Parent != 0 {
			m.Up, m.Depth = up, p.Moments[up].Depth+1
		}
		p.Depths = max(p.Depths, m.Depth+1)
		if e.ID == h.Now() {
			p.Now = i
		}
		m.Tip = p.tip(&m)
		p.Moments = append(p.Moments, m)
	}
	p.layLanes()
	return p
}

// layLanes gives each branch the first lane that is free over its length; the one with the latest change comes first.
func (p *Past) layLanes() {
	type span struct{ from, to int }
	var taken [][]span // by lane, in depths
	for i := len(p.Moments) - 1; i >= 0; i-- {
		if p.Moments[i].Lane >= 0 {
			continue
		}
		// From the end of a branch up to where it leaves one that has its place.
		at, to := i, p.Moments[i].Depth
		for p.Moments[at].Up >= 0 && p.Moments[p.Moments[at].Up].Lane < 0 {
			at = p.Moments[at].Up
		}
		s := span{p.Moments[at].Depth, to}
		lane := 0
		if up := p.Moments[at].Up; up >= 0 {
			p.Moments[up].Forks++
			lane = p.Moments[up].Lane + 1 // below what it leaves
			s.from--                      // its curve takes room, too
		}
	search:
		for ; lane < len(taken); lane++ {
			for _, o := range taken[lane] {
				if s.from <= o.to && o.from <= s.to {
					continue search
				}
			}
			break
		}
		for len(taken) <= lane {
			taken = append(taken, nil)
		}
		taken[lane] = append(taken[lane], s)
		for m, next := i, -1; ; m = p.Moments[m].Up {
			p.Moments[m].Lane, p.Moments[m].Next = lane, next
			if next = m; m == at {
				break
			}
		}
	}
	p.Lanes = max(1, len(taken))
}

// Line returns how many entries are done on the line of the present, and how many there are on it.
func (p *Past) Line() (done, all int) {
	for i := range p.Moments {
		if m := &p.Moments[i]; m.Line && m.Up >= 0 {
			all++
			if m.Done {
				done++
			}
		}
	}
	return done, all
}

// Between finds a place on the lines: between two moments that follow each other, part of the way, 0 to 1. lane is
// where it is wanted; a lane that has nothing so early is followed back to where it comes from.
func (p *Past) Between(depth float64, lane int) (from, to int, part float64) {
	best, far := 0, 1e9
	for i := range p.Moments { // the branch on that lane that is nearest
		m := &p.Moments[i]
		if m.Lane != lane || m.Next >= 0 {
			continue
		}
		first := i
		for p.Moments[first].Up >= 0 && p.Moments[p.Moments[first].Up].Lane == lane &&
			p.Moments[p.Moments[first].Up].Next == first {
			first = p.Moments[first].Up
		}
		off := max(float64(p.Moments[first].Depth)-1-depth, depth-float64(m.Depth), 0)
		if off < far {
			best, far = i, off
		}
	}
	to = best
	for p.Moments[to].Up >= 0 && float64(p.Moments[p.Moments[to].Up].Depth) >= depth {
		to = p.Moments[to].Up
	}
	from = max(p.Moments[to].Up, 0)
	if a, b := float64(p.Moments[from].Depth), float64(p.Moments[to].Depth); b > a {
		part = min(max((depth-a)/(b-a), 0), 1)
	}
	return from, to, part
}

// Title is how a moment is called in lists: what was done, and the time.
func (p *Past) Title(i int) string { return p.Moments[i].Name }

// When is the time of a moment for people: of the day, with the day where it is another one.
func (p *Past) When(i int) string {
	t := p.Moments[i].When
	if t.IsZero() {
		return ""
	}
	if t = t.Local(); p.now.Sub(t) > 20*time.Hour {
		return t.Format("2 Jan 15:04")
	}
	return t.Format("15:04")
}

func (p *Past) tip(m *Moment) string {
	var b strings.Builder
	b.WriteString(m.Name)
	if m.Bookmark != "" && m.Bookmark != m.Name {
		fmt.Fprintf(&b, " · bookmark: %s", m.Bookmark)
	}
	if !m.When.IsZero() {
		t := m.When.Local()
		fmt.Fprintf(&b, " · %s", t.Format("15:04:05"))
		if p.now.Sub(t) > 20*time.Hour {
			fmt.Fprintf(&b, ", %s", t.Format("2 Jan"))
		}
	}
	return b.String()
}

// Go takes the document to a moment of its history, as undo and redo do.
func (d *Desk) Go(id state.EntryID) {
	d.Moving(func() { d.Doc.Go(id) })
}

// Moving changes where in its history the document stands: what goes on rests first, else it would go on from what is
// left behind, and what is in hand is let go.
func (d *Desk) Moving(move func()) {
	hand := d.Stage.Hand()
	hand.Cancel()
	before := parts.Landmarks.Of(d.Doc.State())
	d.Training().Pause()
	d.Layout().Pause()
	d.Stage.Seek(move)
	hand.Validate(before, parts.Landmarks.Of(d.Doc.State()))
}

// LandmarksAlong are the landmarks of a moment, and of the way of a run to it: part is 0 where it began, 1 at its end.
// ok is false where they are in another space than the points that are shown.
func (d *Desk) LandmarksAlong(id state.EntryID, part float64) (l *landmark.Set, ok bool) {
	s, ok := d.Doc.StateAlong(id, part)
	if !ok {
		return nil, false
	}
	l = parts.Landmarks.Of(s)
	return l, l.Space == parts.Landmarks.Of(d.Doc.State()).Space && l.Len() > 0
}

// Ahead is the moment that follows i: what Redo leads to on the line of the present, else the next of its lane; -1 at
// an end.
func (p *Past) Ahead(i int) int {
	next := -1
	for j := i + 1; j < len(p.Moments); j++ {
		if p.Moments[j].Up != i {
			continue
		}
		if p.Moments[j].Line {
			return j
		}
		if next < 0 || p.Moments[j].Lane < p.Moments[next].Lane {
			next = j
		}
	}
	return next
}

// Preview shows the map as other landmarks make it, until the end of the next frame that does not ask for it again.
func (d *Desk) Preview(l *landmark.Set) {
	d.previewed = l != nil
	d.Map.Preview(l)
	d.Stage.Hand().Locked = l != nil
}

// Unpreview ends a preview that nobody has asked for in this frame, and says whether it did.
func (d *Desk) Unpreview() bool {
	ended := d.Previewing() && !d.previewed
	if ended {
		d.Preview(nil)
	}
	d.previewed = false
	return ended
}

// MomentMenu draws the items of a menu of what can be done at a moment.
func (d *Desk) MomentMenu(i int) {
	past, u := d.Past(), d.UI
	m := past.Moments[i]
	if u.MenuItem("Go there##go", widget.MenuOpts{Icon: assets.IconClock, Disabled: i == past.Now,
		Tip: "Take the document to this moment; nothing is lost, the line goes on"}) {
		d.Compare.End()
		d.Go(m.ID)
	}
	u.MenuSeparator()
	if m.Bookmark == "" {
		if u.MenuItem("Bookmark##mark", widget.MenuOpts{Icon: assets.IconBookmark,
			Tip: "Mark this moment, to find it again and to compare with it"}) {
			d.Bookmark(m.ID, m.Name)
		}
	} else if u.MenuItem("Take the bookmark away##unmark", widget.MenuOpts{Icon: assets.IconBookmark, Checked: true}) {
		d.Bookmark(m.ID, "")
	}
	if u.MenuItem("Name it…##name", widget.MenuOpts{Icon: assets.IconPencil,
		Tip: "Give this moment a name of your own: a bookmark is called so"}) {
		m.ask(d)
	}
	u.MenuSeparator()
	if u.MenuItem("Compare with now##compare", widget.MenuOpts{Icon: assets.IconLayers, Disabled: i == past.Now,
		Tip: "Fade between this moment and now"}) {
		d.Compare.Begin(d, m.ID)
	}
}

// ask asks for the name of the moment.
func (m *Moment) ask(d *Desk) {
	id, name := m.ID, m.Name
	q := NameQuestion{Title: "Name this moment", Hint: name, Note: "It becomes a bookmark of this name.",
		Verb: "Name it##moment",
		Gone: func() bool { _, ok := d.Doc.History().Entry(id); return !ok },
		Answer: func(text string) error {
			d.Bookmark(id, cmp.Or(text, name))
			return nil
		}}
	if m.Bookmark != name {
		q.Text = m.Bookmark
	}
	d.Window.AskName(q)
}

// Bookmark gives a moment a name to be found by, or takes it away with "".
func (d *Desk) Bookmark(id state.EntryID, name string) {
	d.Doc.Bookmark(id, name)
	d.UI.Again()
}
