package tour

import (
	"time"

	"blossom/ui/desk"
	"blossom/ui/widget"
)

// pause is how long a step that is done stays, so that it is seen that it was.
const pause = 900 * time.Millisecond

// Tour goes through the steps, one after the other, on a desk. It belongs to the main thread.
type Tour struct {
	UI     *widget.UI
	Desk   func() *desk.Desk
	Narrow func() bool // the window has no room for panels beside the map
	End    func()      // the user wants it to end
	Manual func()      // and to read on
	on     bool
	at     int         // the step; after the last one there is nothing to be done any more
	done   func() bool // asks whether this step is done, once it has begun
	since  time.Time   // it is done since then; zero: it is not
	height float32     // the card has it, in screen units, as it was drawn last
}

// On says whether the tour goes on.
func (t *Tour) On() bool { return t.on }

// Begin begins it at the first step.
func (t *Tour) Begin() {
	t.on = true
	t.turn(0)
}

// Stop ends it.
func (t *Tour) Stop() { t.on, t.done = false, nil }

// Step is the step that it is at, of how many; nil: all of them are behind.
func (t *Tour) Step() (s *Step, at, of int) {
	all := Steps()
	if t.at < len(all) {
		s = all[t.at]
	}
	return s, t.at, len(all)
}

// Done says whether what the step asks for has been done.
func (t *Tour) Done() bool { return !t.since.IsZero() }

// Skip goes on to the next step, and Back to the one before.
func (t *Tour) Skip() { t.turn(t.at + 1) }

// Back goes to the step before.
func (t *Tour) Back() { t.turn(t.at - 1) }

// turn begins a step.
func (t *Tour) turn(to int) {
	all, d := Steps(), t.Desk()
	t.at = min(max(to, 0), len(all))
	t.done, t.since = nil, time.Time{}
	t.UI.Refresh()
	if t.at == len(all) || d == nil {
		return
	}
	s := all[t.at]
	t.done = s.Begin(d)
	if s.Panel != "" && !t.Narrow() {
		d.Window.Reveal(s.Panel)
	}
}

// Tend goes on where the step has been done. Call it in each frame.
func (t *Tour) Tend() {
	now := t.UI.Now()
	switch {
	case !t.on || t.done == nil:
	case t.since.IsZero():
		if t.done() {
			t.since = now
			t.UI.RefreshIn(pause)
		}
	case now.Sub(t.since) >= pause:
		t.Skip()
	default:
		t.UI.RefreshIn(pause - now.Sub(t.since))
	}
}
