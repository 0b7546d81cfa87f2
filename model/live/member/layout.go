package member

import (
	"math"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/layout"
	"blossom/model/work"
)

// Layout is the layout of the landmarks beside the window, a run. It goes on from where the landmarks are, whoever put
// them there, and gives the document their positions in every frame. A landmark that the hand holds stays in the hand,
// as if it were pinned, and the rest answers.
type Layout struct {
	m      *Ground
	run    *work.Run
	marked bool    // the run is in the history
	given  bool    // the document has been given positions of this run
	glide  float64 // how far the landmarks of a layout that is done at once have come, 0 to 1
	known  layer
	kind   string  // the layout of the run under way, or of the last one
	steps  int64   // all steps of the run, also before it was paused
	most   float64 // the largest movement of the run

	telling float64 // ns of telling a codebook
	toldAt  time.Time

	id       revision.Revision // number of the blend under way
	selected []int             // indices of the landmarks that alone move, or nil
	before   matrix.Matrix32   // where the landmarks were; one that was moved by hand meanwhile was always there
	byHand   bool              // landmarks were moved by hand, before or while it runs
	after    matrix.Matrix32   // where the layouter has them
	shown    matrix.Matrix32   // positions that the document was given, as rev
	rev      revision.Revision
	held     []bool // landmarks in the hand; nil: none
	moved    []bool // landmarks that others have moved since the layouter was told; nil: none
}

var _ work.Member = (*Layout)(nil)

// NewLayout returns a layout that has not been started.
func NewLayout(m *Ground) *Layout {
	l := &Layout{m: m}
	l.run = m.NewRun(l)
	return l
}

// Run is what advances it.
func (l *Layout) Run() *work.Run { return l.run }

// Title is what the history calls a run.
func (l *Layout) Title() string {
	if a, ok := parts.LayoutAlgorithm(l.m.Doc.State()); ok {
		return a.Title + " layout"
	}
	return "Layout"
}

// Ready says whether the landmarks are of the points: while a changed transform is being applied it waits.
func (l *Layout) Ready() bool { return l.m.Consistent() }

// Active says whether it has been started and not come to an end, also while it waits.
func (l *Layout) Active() bool { return l.run.Active() }

// Pause stops it where it is.
func (l *Layout) Pause() { l.stop() }

// Close pauses it, and lets go of what it works with.
func (l *Layout) Close() {
	l.stop()
	l.forget()
}

// stop ends the run where the landmarks are.
func (l *Layout) stop() {
	if l.run.Busy() {
		l.forget()
	}
	l.run.Abandon(false)
}

// Start goes on from where the landmarks are; those that are selected move if the document says that only those do. If
// nothing else was done in between, it is one entry of the history with the run before. An error is a problem.Problem:
// why there is nothing to lay out.
func (l *Layout) Start() error { return l.start(l.chosen(), work.ToRest) }

// Step is one step of such a run.
func (l *Layout) Step() error { return l.start(l.chosen(), work.OneUnit) }

// chosen are the landmarks that are selected.
func (l *Layout) chosen() []int {
	chosen, _ := l.m.Chosen()
	return chosen
}

// Resume is Start with the landmarks that moved before.
func (l *Layout) Resume() error { return l.start(l.selected, work.ToRest) }

// Again puts the landmarks where they were before the layout, if nobody has moved them since, and runs it anew.
func (l *Layout) Again() error {
	selected := l.chosen()
	if err := l.check(selected); err != nil {
		return err
	}
	l.stop()
	if s := l.m.Doc.State(); parts.Blends.Of(s).Fits(parts.Landmarks.Of(s)) {
		if !l.sameEntry() {
			parts.StartLayout(l.m.Doc, l.Title())
		}
		l.m.Doc.Drift(func(s *state.State, inBefore bool) {
			if b := parts.Blends.Of(*s); !inBefore && b.Fits(parts.Landmarks.Of(*s)) {
				back := *b
				back.Run, back.Share = l.id, 0
				back.Show(s, revision.Next())
			}
		})
	}
	l.forget()
	l.steps = 0
	return l.start(selected, work.ToRest)
}

func (l *Layout) start(selected []int, aim work.Aim) error {
	if err := l.check(selected); err != nil {
		return err
	}
	if l.run.Active() {
		l.run.Start(aim)
		return nil
	}
	s := l.m.Doc.State()
	set, b, a := parts.Landmarks.Of(s), parts.Blends.Of(s), parts.Layout.Of(s)
	l.marked = l.sameEntry()
	if !l.marked {
		l.steps = 0
	}
	l.begin(set)
	switch kind, _ := layout.ByID(a.Algorithm); {
	case kind.Once:
		aim = work.ToRest
		l.forget() // it would be done
	case !l.run.Rested().IsZero() && (l.known.code != set.CodeRev || l.known.in.Pos.Rows != set.Len()):
		l.forget() // it is at rest with other landmarks
	case b.Fits(set) && b.Layout == a.Algorithm:
		l.before, l.byHand = b.Before, b.ByHand
	}
	if l.selected = nil; a.OnlySelected {
		l.selected = slices.Clone(selected)
	}
	l.most, l.given, l.glide = 0, false, 0
	l.run.Start(aim)
	return nil
}

// begin goes on from these landmarks, which the layouter is told.
func (l *Layout) begin(set *landmark.Set) {
	if l.run.Busy() { // it works on other places
		l.forget()
	}
	l.id, l.kind = revision.Next(), parts.Layout.Of(l.m.Doc.State()).Algorithm
	l.before, l.byHand = set.Pos, set.ByHand
	l.after, l.shown, l.rev = set.Pos, set.Pos, set.PosRev
	l.held, l.moved, l.given, l.known.untold = nil, nil, false, true
}

// sameEntry says whether the last entry of the history is a run of this layout that ended where the landmarks are now.
func (l *Layout) sameEntry() bool {
	h, s := l.m.Doc.History(), l.m.Doc.State()
	b := parts.Blends.Of(s)
	return h.CanRedo() == "" && h.CanUndo() == l.Title() && b.Fits(parts.Landmarks.Of(s)) && b.Run == l.id
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

// forget drops the layouter: the next turn makes another one.
func (l *Layout) forget() {
	l.run.Drop(false)
	l.known = layer{}
}

// Enter records the run in the history and heeds what others have done; a layout that is done glides on.
func (l *Layout) Enter(elapsed time.Duration) (bool, error) {
	if !l.marked {
		if l.m.Doc.Open() {
			return false, nil // the user is in the middle of something that is an entry of its own
		}
		parts.StartLayout(l.m.Doc, l.Title())
		l.marked = true
	}
	if l.left() {
		return false, nil
	}
	if l.heed(); l.run.Active() && l.glide > 0 {
		l.slide(elapsed)
		return false, nil
	}
	return true, nil
}

// Heed notices what others do while a turn is under way.
func (l *Layout) Heed() {
	if !l.left() {
		l.heed()
	}
}

// Show gives the document the landmarks.
func (l *Layout) Show() {
	if l.publish(); l.known.single() {
		l.glide = max(l.glide, 1e-6)
	}
}

// Ends says that the run is over when the layouter rests, but not while the hand is at it.
func (l *Layout) Ends(step.Progress) bool { return !l.known.single() && l.held == nil }

// Left tells how a run has ended.
func (l *Layout) Left(r *work.Run, _ work.Aim) {
	switch {
	case r.Phase() != work.Resting:
	case l.glide == 1:
		l.m.Notice(l.Title() + " is done")
	case r.Done() == 0:
		l.m.Notice(l.Title() + " is at rest already: move something, or change a value")
	default:
		l.m.Notice(restNotice(l.Title(), l.steps))
	}
}

// glideTime is how long landmarks take to where a layout that is done at once puts them, for the eye to follow.
const glideTime = 500 * time.Millisecond

// slide brings the landmarks nearer to where a layout that is done at once has put them.
func (l *Layout) slide(elapsed time.Duration) {
	l.glide = min(1, l.glide+elapsed.Seconds()/glideTime.Seconds())
	l.publish()
	if l.glide == 1 {
		l.run.Rest()
	}
}

// almost is how near to rest a run is that moves little: it rests when that lasts.
const almost = 0.97

// LayoutProgress is how a run stands.
type LayoutProgress struct {
	Steps  int64
	Rate   float64 // steps a second, 0 while it is unknown
	Moving float64 // how far landmarks moved in the last step, as a part of the map's diameter
	Near   float64 // 0 to 1: how near it is to rest; 1 only at rest
	Stage  layout.Stage
	Timed  bool // it ends after a number of steps, if it does not rest before: Near is no more than their share
}

// current says whether the run is what there is to tell of: its layout is the one that is chosen, and it goes on, or
// the landmarks are where it left them.
func (l *Layout) current() bool {
	s := l.m.Doc.State()
	if parts.Layout.Of(s).Algorithm != l.kind {
		return false
	}
	b := parts.Blends.Of(s)
	return l.Active() || b.Fits(parts.Landmarks.Of(s)) && b.Run == l.id && slices.Equal(b.After.Data, l.after.Data)
}

// Progress returns how the run under way stands, or the last one: nothing where another layout is chosen, or landmarks
// have been moved, taken back or played to another moment since.
func (l *Layout) Progress() LayoutProgress {
	if !l.current() {
		return LayoutProgress{}
	}
	p := LayoutProgress{Steps: l.steps, Rate: l.run.Rate()}
	if l.steps > 0 {
		p.Moving, p.Stage = l.known.moving, l.known.stage
	}
	switch {
	case !l.run.Rested().IsZero():
		p.Near = 1
	case l.known.single():
		p.Near = l.glide
	case l.most > layout.Rest && p.Moving > 0:
		p.Near = min(almost, max(0, math.Log(l.most/p.Moving)/math.Log(l.most/layout.Rest)))
	}
	// One that moves little may be far from done: t-SNE while it exaggerates.
	if known := l.known.progress; l.steps > 0 && known.Total > 0 && p.Near < 1 {
		p.Timed, p.Near = true, min(p.Near, known.Fraction())
	}
	return p
}

// Stands says how the layout stands.
func (l *Layout) Stands() Running {
	at := l.Progress()
	return Running{Title: "Layout", Active: l.Active(), Forming: l.run.Running(), Rest: at.Near == 1,
		Rested: l.run.Rested(),
		// not where another has been chosen since
		Just:  just(l.run, l.m.Now()) && l.m.Doc.History().CanUndo() == l.Title(),
		Units: at.Steps, Rate: at.Rate, Share: at.Near}
}

// Params, Values and Choose make a layout one that is Tuned.
func (l *Layout) Params() []step.Param {
	s := l.m.Doc.State()
	a, _ := parts.LayoutAlgorithm(s)
	if a.Suggest == nil {
		return step.Suited(a.Params, nil)
	}
	return step.Suited(a.Params, a.Suggest(parts.Landmarks.Of(s).Len()))
}

func (l *Layout) Values() step.Values { return parts.Layout.Of(l.m.Doc.State()).Values }

func (l *Layout) Choose(s *state.State, id string, v float64) {
	parts.Layout.Edit(s, func(c *parts.LayoutChoice) { c.Values = c.Values.With(id, v) })
}
