package dock

import (
	"fmt"
	"math"
	"time"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/morph"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "time", Title: "Time", Also: "history undo versions play",
		Key: "Alt+L", Icon: assets.IconHistory, Order: 100, Height: 106,
		Help: "The history as a line: drag along it and the picture follows, play it, mark moments, compare them",
		New:  func(d *desk.Desk) Dock { return &timeLine{desk: d, asked: -1} }})
}

// timeLine is the history as a line that can be scrubbed. While the playhead is held, or plays, the document goes from
// moment to moment, and between two the map is shown as it changes.
type timeLine struct {
	desk   *desk.Desk
	scroll widget.TimeScroll
	dots   []widget.TimeDot
	shown  *desk.Past
	rev    revision.Revision // the history that dots were made from
	asked  int               // the moment that its menu is open for, or -1

	head     float64 // where the playhead is, in depths, while it is held or plays
	from, to int     // between these moments
	part     float64
	held     bool
	began    state.EntryID // where it was taken hold of

	playing bool
	way     []int // the moments that are played, in order
	last    time.Time

	pair  pairKey
	morph *morph.Morph

	shownAt float64 // how far along its pair set is
	set     *landmark.Set
}

// pairKey is what the way between two moments was made of.
type pairKey struct {
	from, to state.EntryID
	stretch  int
	rev      revision.Revision // the history that has both
}

func (p *timeLine) Head() widget.DockHead {
	past := p.desk.Past()
	done, all := past.Line()
	now := &past.Moments[past.Now]
	note := now.Name
	if all > 0 {
		note = fmt.Sprintf("entry %d of %d · %s", done, all, now.Name)
	}
	play := widget.DockAction{ID: "play", Icon: assets.IconPlay, Disabled: all == 0,
		Tip: "Play what was done, from the playhead on; at the end, from the beginning"}
	const none = "Nothing has been done yet"
	if play.Disabled {
		play.Tip = none
	}
	if p.playing {
		play.Icon, play.Tip, play.Lit = assets.IconPause, "Stop where the playhead is", true
	}
	mark := widget.DockAction{ID: "bookmark", Label: "Bookmark", Icon: assets.IconBookmark, Lit: now.Bookmark != "",
		Tip: "Mark this moment, to find it again and to compare with it\t" + p.desk.Window.Command("bookmark").Key}
	compare := widget.DockAction{ID: "compare", Label: "Compare…", Icon: assets.IconLayers, Lit: p.desk.Compare.On(),
		Disabled: len(past.Moments) < 2,
		Tip:      "Fade between now and another moment\t" + p.desk.Window.Command("compare").Key}
	if compare.Disabled {
		compare.Tip = none + ": there is no other moment"
	}
	p.menu()
	return widget.DockHead{Lead: play, Note: note, Actions: []widget.DockAction{mark, compare}}
}

func (p *timeLine) Act(id string, _ widget.Rect) {
	switch id {
	case "play":
		p.play()
	default:
		p.desk.Window.Command(id).Run()
	}
}

// menu is what can be done at a moment.
func (p *timeLine) menu() {
	past := p.desk.Past()
	if p.asked >= len(past.Moments) {
		p.asked = -1
	}
	p.desk.UI.ContextMenu("moment", func() {
		if p.asked >= 0 {
			p.desk.MomentMenu(p.asked)
		}
	})
}

func (p *timeLine) Draw(r widget.Rect) {
	past := p.desk.Past()
	p.follow(past)
	if p.playing {
		p.step(past)
		past = p.desk.Past()
	}
	o := widget.TimeLineOpts{Dots: p.dots, Depths: past.Depths, Lanes: past.Lanes, Now: past.Now}
	if p.held || p.playing {
		o.From, o.To, o.Head = p.from, p.to, p.head
	} else {
		o.From, o.To, o.Head = max(past.Moments[past.Now].Up, 0), past.Now, float64(past.Moments[past.Now].Depth)
	}
	x := p.desk.UI.TimeLine("line", r, o, &p.scroll)
	switch {
	case x.Cancelled:
		p.stop()
		p.desk.Go(p.began)
	case x.Began:
		p.stop()
		p.desk.Compare.End()
		p.held, p.began = true, past.Moments[past.Now].ID
		p.scrub(past, x.Depth, x.Lane)
	case x.Active && p.held:
		p.scrub(past, x.Depth, x.Lane)
	}
	if x.Released && p.held {
		p.stop()
	}
	if x.Right >= 0 {
		p.asked = x.Right
		p.desk.UI.OpenMenuUnder("moment", x.Under)
	}
	switch now := &past.Moments[past.Now]; {
	case p.held || p.playing && x.Keys == 0 && x.End == 0:
	case x.Keys < 0 && now.Up >= 0:
		p.leap(past, now.Up)
	case x.Keys > 0:
		if i := past.Ahead(past.Now); i >= 0 {
			p.leap(past, i)
		}
	case x.End < 0:
		p.leap(past, 0)
	case x.End > 0:
		at := past.Now
		for i := past.Ahead(at); i >= 0; i = past.Ahead(i) {
			at = i
		}
		p.leap(past, at)
	}
}

// leap goes to a moment by a key.
func (p *timeLine) leap(past *desk.Past, i int) {
	p.stop()
	p.desk.Compare.End()
	p.desk.Go(past.Moments[i].ID)
}

// follow makes the dots of a history that has changed.
func (p *timeLine) follow(past *desk.Past) {
	rev := p.desk.Doc.History().Rev()
	if rev == p.rev && p.shown == past {
		return
	}
	p.rev, p.shown = rev, past
	p.dots = p.dots[:0]
	for i := range past.Moments {
		m := &past.Moments[i]
		p.dots = append(p.dots, widget.TimeDot{Up: m.Up, Depth: m.Depth, Lane: m.Lane, Name: m.Name, Tip: m.Tip,
			Bookmark: m.Bookmark != "", Run: m.Run, Done: m.Done, Ahead: m.Line && !m.Done, End: m.Next < 0})
	}
}

// scrub puts the playhead to a place on the lines.
func (p *timeLine) scrub(past *desk.Past, depth float64, lane int) {
	p.from, p.to, p.part = past.Between(depth, lane)
	p.show(past)
}

// show takes the document to the moment that is nearer, and shows the map on the way between both.
func (p *timeLine) show(past *desk.Past) {
	a, b := &past.Moments[p.from], &past.Moments[p.to]
	p.head = float64(a.Depth) + p.part*float64(b.Depth-a.Depth)
	near := a
	if p.part >= 0.5 {
		near = b
	}
	if near.ID != p.desk.Doc.History().Now() {
		p.desk.Go(near.ID)
	}
	// A dot is easy to hit: close to it, it is that moment.
	const magnet = 0.08
	f := min(max((p.part-magnet)/(1-2*magnet), 0), 1)
	if f == 0 || f == 1 || p.from == p.to {
		p.desk.Preview(nil)
		return
	}
	steps := b.Moments + 1 // stretches between the moments of a run
	stretch := min(int(f*float64(steps)), steps-1)
	if k := (pairKey{a.ID, b.ID, stretch, p.desk.Doc.History().Rev()}); k != p.pair || p.morph == nil {
		p.pair, p.morph, p.shownAt = k, nil, -1
		from, ok := p.desk.LandmarksAlong(b.ID, float64(stretch)/float64(steps))
		to, also := p.desk.LandmarksAlong(b.ID, float64(stretch+1)/float64(steps))
		if ok && also {
			p.morph = morph.New(from, to, parts.Projection.Of(p.desk.Doc.State()), morph.FrameEffort)
		}
	}
	if p.morph == nil { // they are in different spaces, or there are none
		p.desk.Preview(nil)
		return
	}
	if f != p.shownAt || !p.desk.Previewing() {
		_, in := math.Modf(f * float64(steps))
		p.shownAt, p.set = f, p.morph.At(in)
	}
	p.desk.Preview(p.set)
}

// stop lets the playhead go: the moment that it is nearest to is the present.
func (p *timeLine) stop() {
	if p.held || p.playing {
		p.desk.Preview(nil)
	}
	p.held, p.playing, p.morph = false, false, nil
}

// Speeds of playing.
const (
	playEntry = 450 * time.Millisecond
	playRun   = 1600 * time.Millisecond
	playStep  = 100 * time.Millisecond // a frame advances by no more, however long it took
)

// play starts or stops playing.
func (p *timeLine) play() {
	if p.playing {
		p.stop()
		return
	}
	past := p.desk.Past()
	p.stop()
	p.desk.Compare.End()
	p.way = p.way[:0]
	at := past.Now
	for i := at; i >= 0; i = past.Ahead(i) {
		p.way = append(p.way, i)
	}
	if len(p.way) == 1 { // from the beginning, then
		p.way = p.way[:0]
		for i := at; i >= 0; i = past.Moments[i].Up {
			p.way = append([]int{i}, p.way...)
		}
	}
	if len(p.way) < 2 {
		return
	}
	p.playing, p.last = true, p.desk.UI.Now()
	p.from, p.to, p.part = p.way[0], p.way[1], 0
	p.show(past)
	p.desk.UI.Again()
}

// step plays on.
func (p *timeLine) step(past *desk.Past) {
	now := p.desk.UI.Now()
	passed := min(now.Sub(p.last), playStep)
	p.last = now
	p.desk.UI.Again()
	at := -1
	for i := 1; i < len(p.way); i++ {
		if p.way[i] == p.to && p.way[i-1] == p.from {
			at = i
		}
	}
	if at < 0 || p.to >= len(past.Moments) || past.Moments[past.Now].ID != past.Moments[p.near()].ID {
		p.stop() // somebody has changed or gone somewhere else meanwhile
		return
	}
	length := playEntry
	if past.Moments[p.to].Run {
		length = playRun
	}
	p.part += passed.Seconds() / length.Seconds()
	if p.part >= 1 {
		if at == len(p.way)-1 {
			p.part = 1
			p.show(past)
			p.stop()
			return
		}
		p.from, p.to, p.part = p.to, p.way[at+1], p.part-1
	}
	p.show(past)
}

// near is the moment that the playhead is nearest to.
func (p *timeLine) near() int {
	if p.part >= 0.5 {
		return p.to
	}
	return p.from
}
