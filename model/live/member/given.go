package member

import (
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/work"
)

// left says whether the document has gone elsewhere, back in time or on from another place, and pauses then: a layout
// must not go on from what was taken back. Where another algorithm was chosen it goes on with that, as a run of its
// own.
func (l *Layout) left() bool {
	s := l.m.Doc.State()
	if b := parts.Blends.Of(s); l.given && (b == nil || b.Run != l.id) {
		l.stop()
		return true
	}
	if id := parts.Layout.Of(s).Algorithm; l.known.layouter != nil && id != l.known.kind.ID {
		l.forget()
		if _, ok := parts.LayoutAlgorithm(s); !ok {
			l.stop()
			return true
		}
		l.begin(parts.Landmarks.Of(s))
		l.marked, l.glide, l.steps, l.most, l.run.Cost = false, 0, 0, 0, work.Cost{}
		return true
	}
	return false
}

// heed notices what others have done to the landmarks since the document was given them.
func (l *Layout) heed() {
	s := l.m.Doc.State()
	set := parts.Landmarks.Of(s)
	if set.Len() != l.shown.Rows || set.Pos.Cols != l.shown.Cols {
		l.forget()
		l.begin(set)
		if l.selected != nil || set.Len() < 2 {
			l.stop()
			l.m.Notice("the layout is paused: there are other landmarks now")
		}
		return
	}
	if l.held != nil && !l.m.Held() {
		l.held, l.known.untold = nil, true
	}
	if set.PosRev == l.rev {
		return
	}
	shown := l.shown
	l.shown, l.rev = set.Pos, set.PosRev
	if b := parts.Blends.Of(s); b.Fits(set) && b.Run == l.id {
		return // another share of it is shown
	}
	before, after := l.before.Clone(), l.after.Clone()
	for i := range set.Len() {
		now := set.Pos.Row(i)
		if slices.Equal(now, shown.Row(i)) {
			continue
		}
		copy(before.Row(i), now)
		copy(after.Row(i), now)
		l.moved, l.byHand = marking(l.moved, i, set.Len()), true
		if l.m.Held() {
			l.held = marking(l.held, i, set.Len())
		}
	}
	l.before, l.after, l.known.untold = before, after, true
	l.m.Doc.Drift(func(s *state.State, inBefore bool) {
		if b := parts.Blends.Of(*s); l.given && !inBefore && b != nil {
			now := *b
			now.Before, now.After, now.PosRev = before, after, set.PosRev
			parts.Blends.Put(s, &now) // so that it is undone with the move
		}
	})
}

// marking marks one of n landmarks among those that are marked, nil for none.
func marking(marked []bool, i, n int) []bool {
	if marked == nil {
		marked = make([]bool, n)
	}
	marked[i] = true
	return marked
}

// publish gives the document the landmarks as they are now.
func (l *Layout) publish() {
	if l.known.layouter == nil {
		return
	}
	after := l.known.layouter.Pos().Clone()
	if l.moved != nil || l.held != nil { // who was moved meanwhile stays there
		for i := range after.Rows {
			if l.moved != nil && l.moved[i] || l.held != nil && l.held[i] {
				copy(after.Row(i), l.after.Row(i))
			}
		}
	}
	l.after = after
	b := parts.Blend{Layout: l.known.kind.ID, Run: l.id, Before: l.before, After: l.after, Share: 1, ByHand: l.byHand}
	was := l.rev
	l.rev = revision.Next()
	var now state.State
	l.m.Doc.Drift(func(s *state.State, inBefore bool) {
		set, old := parts.Landmarks.Of(*s), parts.Blends.Of(*s)
		switch {
		case set.Len() != after.Rows || set.Pos.Cols != after.Cols:
		case !inBefore:
			l.share(b, old).Show(s, l.rev)
			now = *s
			l.shown = parts.Landmarks.Of(now).Pos
		case set.PosRev == was: // training that goes on there leaves the places alone
			mine := *set
			from := parts.Landmarks.Of(now)
			mine.Pos, mine.PosRev, mine.ByHand = from.Pos, from.PosRev, from.ByHand
			parts.Landmarks.Put(s, &mine)
			parts.Blends.Take(s, now)
		default:
			other := b
			other.Before, other.After = l.unheld(l.before, set), l.unheld(after, set)
			rev := revision.Next()
			l.share(other, old).Show(s, rev)
		}
	})
	l.given = true
}

// share is a blend with the share that is shown.
func (l *Layout) share(b parts.Blend, old *parts.Blend) parts.Blend {
	if old != nil && old.Run == l.id {
		b.Share = old.Share
	}
	if l.known.kind.Once {
		b.Share = l.glide * l.glide * (3 - 2*l.glide)
	}
	return b
}

// unheld are positions in which the landmarks in the hand are where they are in set.
func (l *Layout) unheld(pos matrix.Matrix32, set *landmark.Set) matrix.Matrix32 {
	if l.held == nil {
		return pos
	}
	pos = pos.Clone()
	for i, on := range l.held {
		if on {
			copy(pos.Row(i), set.Pos.Row(i))
		}
	}
	return pos
}
