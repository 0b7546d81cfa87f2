package live

import (
	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// mark records in the history that positions are about to change, unless the user is in the middle of something
// else. The document is given them as they are, so that they are other ones than before: undoing the entry is
// then seen while the run goes on.
func (w *stepwise) mark(name string) bool {
	if w.e.m.Doc.Open() || !w.there {
		return false
	}
	w.e.m.Doc.Mark(name, parts.Snapshots.Whole())
	w.store()
	return true
}

// rest says that the positions stay as they are for now.
func (w *stepwise) rest() {
	w.store()
	w.e.rev = revision.Next()
}

// store gives the document the positions as they are, and what the run knows beside them.
func (w *stepwise) store() {
	t := w.e.m.table
	ahead := w.ahead // the positions are further than what is remembered of them
	w.ahead = false
	was := w.kept
	w.unblend()
	w.kept = parts.NewSnapshot(w.e.recipe, w.host(), w.e.Pinned(), t.Order, w.e.m.Doc.Data.Points)
	switch {
	case w.Ready() && !w.run.Busy():
		if m, err := w.prep.runner.Memory(); err == nil {
			p := w.run.Progress()
			w.ran(w.e.kind.Run.Every(w.prep.told))
			told := parts.Outcome{Total: p.Total, Rest: p.Rest, Stirred: w.stirred, Early: w.standing.Early,
				Placed: w.standing.Points, Warning: w.standing.Warning, Values: w.made}
			w.kept = w.kept.Remember(m, t.Order, t.Print(), p.Done, told, w.curve)
		}
	case w.prep.runner == nil && was != nil && was.Memory != nil && !ahead: // none has moved since, but by hand
		memory := *was.Memory
		memory.Outcome.Stirred = w.stirred
		w.kept.Memory = &memory
	}
	w.e.m.Doc.Drift(func(s *state.State, inBefore bool) {
		parts.Snapshots.Put(s, parts.Snapshots.Of(*s).With(w.kept))
	})
}

// unkept says whether the document should be given the positions while the run goes on. A run that is not in the
// history yet cannot be, and more positions than a session holds need not.
func (w *stepwise) unkept() bool {
	return w.run.Active() && w.ahead && w.marked && w.there && w.e.target.Len()*w.e.recipe.Dims <= parts.MaxSnapshot
}

// Unkept says whether there is what only memory has: where a run has come to since the document was given it.
func (m *Map) Unkept() bool {
	for _, e := range m.list {
		if e.steps != nil && e.steps.unkept() {
			return true
		}
	}
	return false
}

// Keep gives the document what only memory has. Runs go on; a unit that is under way is called back, as positions
// without what a run knows beside them would begin anew.
func (m *Map) Keep() {
	for _, e := range m.list {
		if e.steps != nil && e.steps.unkept() {
			e.steps.run.Finish()
			e.steps.store()
		}
	}
}
