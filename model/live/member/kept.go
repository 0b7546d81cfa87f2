package member

import (
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// mark records in the history that positions are about to change, unless the user is in the middle of something
// else. The document is given them as they are, so that they are other ones than before: undoing the entry is
// then seen while the run goes on.
func (w *Forming) mark(name string) bool {
	if w.m.Doc.Open() || !w.there {
		return false
	}
	w.m.Doc.Mark(name, parts.Snapshots.Whole())
	w.Store()
	return true
}

// rest says that the positions stay as they are for now.
func (w *Forming) rest() {
	w.Store()
	w.at.Rev = revision.Next()
}

// Store gives the document the positions as they are, and what the run knows beside them.
func (w *Forming) Store() {
	t := w.m.Table()
	ahead := w.ahead // the positions are further than what is remembered of them
	w.ahead = false
	was := w.kept
	w.Unblend()
	w.kept = parts.NewSnapshot(w.recipe, w.Host(), w.hand.pins, t.Order, w.m.Doc.Data.Points)
	switch {
	case w.Ready() && !w.run.Busy():
		if m, err := w.prep.runner.Memory(); err == nil {
			p := w.run.Progress()
			w.ran(w.kind.Run.Every(w.prep.told))
			told := parts.Outcome{Total: p.Total, Rest: p.Rest, Stirred: w.hand.stirred, Early: w.standing.Early,
				Placed: w.standing.Points, Warning: w.standing.Warning, Values: w.made}
			w.kept = w.kept.Remember(m, t.Order, t.Print(), p.Done, told, w.curve)
		}
	case w.prep.runner == nil && was != nil && was.Memory != nil && !ahead: // none has moved since, but by hand
		memory := *was.Memory
		memory.Outcome.Stirred = w.hand.stirred
		w.kept.Memory = &memory
	}
	w.m.Doc.Drift(func(s *state.State, inBefore bool) {
		parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(w.kept))
	})
}

// Unkept says whether the document should be given the positions while the run goes on. A run that is not in the
// history yet cannot be, and more positions than a session holds need not.
func (w *Forming) Unkept() bool {
	return w.run.Active() && w.ahead && w.marked && w.there && w.at.Target.Len()*w.recipe.Dims <= parts.MaxSnapshot
}

// Keep gives the document what only memory has. A unit that is under way is called back, as positions without what a
// run knows beside them would begin anew.
func (w *Forming) Keep() {
	if w.Unkept() {
		w.run.Finish()
		w.Store()
	}
}
