package live

import (
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/layout"
)

// Layout is the layout of the landmarks beside the window, a Run. It goes on from where the landmarks are, whoever put
// them there, and gives the document their positions in every frame. A landmark that the hand holds stays in the hand,
// as if it were pinned, and the rest answers.
type Layout struct {
	m       *Map
	running bool
	once    bool      // pause after one step
	marked  bool      // the run is in the history
	did     int64     // steps of the run since it was started
	given   bool      // the document has been given positions of this run
	rested  time.Time // when it came to rest by itself, or zero
	glide   float64   // of a layout that is done at once: how far the landmarks have come, 0 to 1
	known   layer
	pace    pace
	aside   *turn // under way beside the frame, or nil

	run      revision.Revision // of the blend under way
	selected []int             // those that alone move, or nil
	before   matrix.Matrix32   // where the landmarks were; one that was moved by hand meanwhile was always there
	byHand   bool              // that was arranged by hand
	after    matrix.Matrix32   // where the layouter has them
	shown    matrix.Matrix32   // what the document was given, as
	rev      revision.Revision
	held     []bool // in the hand
	holds    bool   // any is
	moved    []bool // by others, since the layouter was told
	strayed  bool   // any has
}

var _ Run = (*Layout)(nil)

// Layout returns the layout of the landmarks.
func (m *Map) Layout() *Layout { return m.layout }

// Title is what the history calls a run.
func (l *Layout) Title() string {
	if a, ok := parts.LayoutAlgorithm(l.m.Doc.State()); ok {
		return a.Title + " layout"
	}
	return "Layout"
}

// Running says whether it goes on. While a changed transform is being applied it waits.
func (l *Layout) Running() bool { return l.running && l.m.consistent() }

// Active says whether it has been started and not come to an end, also while it waits.
func (l *Layout) Active() bool { return l.running }

// Rested returns when the last run came to rest by itself; zero where it did not.
func (l *Layout) Rested() time.Time { return l.rested }

// Pause stops it where it is.
func (l *Layout) Pause() { l.running = false }

// Run goes on from where the landmarks are. selected are the landmarks that move if the document says that only those
// do. If nothing else was done in between, it is one entry of the history with the run before. An error is a
// problem.Problem: why there is nothing to lay out.
func (l *Layout) Run(selected []int) error { return l.start(selected, false) }

// Step is one step of such a run.
func (l *Layout) Step(selected []int) error { return l.start(selected, true) }

// Resume is Run with the landmarks that moved before.
func (l *Layout) Resume() error { return l.start(l.selected, false) }

// StartOver puts the landmarks where they were before the layout, if nobody has moved them since, and runs it anew.
func (l *Layout) StartOver(selected []int) error {
	if err := l.check(selected); err != nil {
		return err
	}
	l.running = false
	if s := l.m.Doc.State(); parts.Blends.Of(s).Fits(parts.Landmarks.Of(s)) {
		if !l.sameEntry() {
			parts.StartLayout(l.m.Doc, l.Title())
		}
		l.m.Doc.Drift(func(s *state.State, inBefore bool) {
			if b := parts.Blends.Of(*s); !inBefore && b.Fits(parts.Landmarks.Of(*s)) {
				back := *b
				back.Run, back.Share = l.run, 0
				back.Show(s, revision.Next())
			}
		})
	}
	l.forget()
	l.pace.steps = 0
	return l.start(selected, false)
}

func (l *Layout) start(selected []int, once bool) error {
	if err := l.check(selected); err != nil {
		return err
	}
	if l.running {
		l.once = once
		return nil
	}
	s := l.m.Doc.State()
	set, b, a := parts.Landmarks.Of(s), parts.Blends.Of(s), parts.Layout.Of(s)
	l.marked = l.sameEntry()
	if !l.marked {
		l.pace.steps = 0
	}
	l.begin(set)
	switch kind, _ := layout.ByID(a.Algorithm); {
	case kind.Once:
		l.forget() // it would be done
	case b.Fits(set) && b.Layout == a.Algorithm:
		l.before, l.byHand = b.Before, b.ByHand
	}
	if l.selected = nil; a.OnlySelected {
		l.selected = slices.Clone(selected)
	}
	l.pace.most, l.pace.rate, l.pace.window, l.pace.counted, l.did = 0, 0, 0, 0, 0
	l.running, l.once, l.given, l.rested, l.glide = true, once, false, time.Time{}, 0
	return nil
}

// begin goes on from these landmarks, which the layouter is told.
func (l *Layout) begin(set *landmark.Set) {
	if l.aside != nil { // it works on other places
		l.forget()
	}
	l.run = revision.Next()
	l.before, l.byHand = set.Pos, set.ByHand
	l.after, l.shown, l.rev = set.Pos, set.Pos, set.PosRev
	l.held, l.holds, l.given = make([]bool, set.Len()), false, false
	l.moved, l.strayed = make([]bool, set.Len()), false
	l.known.untold = true
}

// sameEntry says whether the last entry of the history is a run of this layout that ended where the landmarks are now.
func (l *Layout) sameEntry() bool {
	h, s := l.m.Doc.History(), l.m.Doc.State()
	b := parts.Blends.Of(s)
	return h.CanRedo() == "" && h.CanUndo() == l.Title() && b.Fits(parts.Landmarks.Of(s)) && b.Run == l.run
}

// check says why there is nothing to lay out.
func (l *Layout) check(selected []int) error {
	s := l.m.Doc.State()
	choice := parts.Layout.Of(s)
	switch _, ok := parts.LayoutAlgorithm(s); {
	case !ok:
		return problem.New("", "choose another in the Layout panel", "there is no layout named %q", choice.Algorithm)
	case parts.Landmarks.Of(s).Len() < 2:
		return problem.New("", "add landmarks", "a layout needs at least two landmarks")
	case choice.OnlySelected && len(selected) == 0:
		return problem.New("", "select some, or let all of them move", "no landmarks are selected")
	}
	return nil
}

// forget drops the layouter: the next step makes another one.
func (l *Layout) forget() {
	if l.aside != nil {
		l.aside.cancel()
		l.aside = nil
	}
	l.known = layer{}
}

// Advance goes on for about budget. A step that would hold up the frame is done beside it.
func (l *Layout) Advance(elapsed, budget time.Duration) (spent time.Duration, err error) {
	begun := l.m.now()
	l.pace.passed(elapsed)
	if l.aside != nil {
		if !l.aside.over() {
			if !l.left() {
				l.heed()
			}
			return 0, nil
		}
		t := l.aside
		l.aside = nil
		if l.left() {
			return 0, nil
		}
		if l.heed(); !l.running || t.known.in.Pos.Rows != l.after.Rows || t.known.in.Pos.Cols != l.after.Cols {
			return 0, nil // there are other landmarks now
		}
		if err := l.took(t); err != nil {
			return 0, err
		}
		l.publish()
		l.end()
		if !l.running {
			return l.m.now().Sub(begun), nil
		}
	}
	if !l.marked {
		if l.m.Doc.Open() {
			return 0, nil // the user is in the middle of something that is an entry of its own
		}
		parts.StartLayout(l.m.Doc, l.Title())
		l.marked = true
	}
	if l.left() {
		return 0, nil
	}
	l.heed()
	if !l.running {
		return 0, nil
	}
	if l.glide > 0 {
		l.slide(elapsed)
		return l.m.now().Sub(begun), nil
	}
	t := l.next()
	if l.pace.long(t, budget) || l.m.holding && l.pace.cost > small {
		l.aside = t
		l.tell()
		t.start()
		return l.m.now().Sub(begun), nil
	}
	for ; spent < budget && l.running && !l.known.single(); t = l.next() {
		l.tell()
		t.steps = l.pace.units(budget-spent, l.once)
		t.do()
		spent += max(1, t.told+t.stepped)
		if err := l.took(t); err != nil {
			return spent, err
		}
		if l.once || l.known.progress.Rest {
			break
		}
	}
	l.publish()
	l.end()
	return max(spent, l.m.now().Sub(begun)), nil
}

// glideTime is how long landmarks take to where a layout that is done at once puts them, for the eye to follow.
const glideTime = 500 * time.Millisecond

// slide brings the landmarks nearer to where a layout that is done at once has put them.
func (l *Layout) slide(elapsed time.Duration) {
	l.glide = min(1, l.glide+elapsed.Seconds()/glideTime.Seconds())
	l.publish()
	if l.glide == 1 {
		l.running, l.rested = false, l.m.now()
		l.m.notice(l.Title() + " is done")
	}
}

// end notices that a run is over.
func (l *Layout) end() {
	switch {
	case l.known.single():
		l.glide = max(l.glide, 1e-6)
	case l.known.progress.Rest && !l.holds: // the hand is not done yet
		l.running, l.rested = false, l.m.now()
		if l.did == 0 {
			l.m.notice(l.Title() + " is at rest already: move something, or change a value")
			return
		}
		l.m.notice(restNotice(l.Title(), l.pace.steps))
	case l.once:
		l.running = false
	}
}

// almost is how near to rest a run is that moves little: it rests when that lasts.
const almost = 0.97

// LayoutProgress is how a run stands.
type LayoutProgress struct {
	Steps  int64
	Rate   float64 // steps a second, 0 while it is unknown
	Moving float64 // of the last step, as a part of the map's diameter
	Near   float64 // 0 to 1: how near it is to rest; 1 only at rest
	Stage  layout.Stage
	Timed  bool // it ends after a number of steps, if it does not rest before: Near is no more than their share
}

// Progress returns how the run under way stands, or the last one.
func (l *Layout) Progress() LayoutProgress {
	p := LayoutProgress{Steps: l.pace.steps, Rate: l.pace.rate, Moving: l.known.moving, Stage: l.known.stage}
	switch {
	case !l.rested.IsZero():
		p.Near = 1
	case l.known.single():
		p.Near = l.glide
	case l.pace.most > layout.Rest && p.Moving > 0:
		p.Near = min(almost, max(0, math.Log(l.pace.most/p.Moving)/math.Log(l.pace.most/layout.Rest)))
	}
	// One that moves little may be far from done: t-SNE while it exaggerates.
	if known := l.known.progress; known.Total > 0 && p.Near < 1 {
		p.Timed, p.Near = true, min(p.Near, known.Fraction())
	}
	return p
}
