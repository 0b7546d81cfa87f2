package state

import (
	"encoding/json"
	"slices"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
	"blossom/model/data/match"
)

// Document is a data set with its State and history. It has one writer, the goroutine of the frame
// loop; readers elsewhere take copies of State, whose parts never change.
type Document struct {
	Data *dataset.Dataset
	Seed uint64
	// ID tells the documents of a program apart; copies have the same.
	ID revision.Revision
	// Within is the document of whose points it has those of a population; 0: it is gone, or has never been.
	Within revision.Revision
	// Title names what is open, for the window.
	Title string
	// Sampling is how the points were chosen from the file, to choose the same again.
	Sampling Sampling
	// Prints knows the files of the data again, by their paths.
	Prints fingerprint.Set
	// ForeignData is what a newer program says of the data in the session file: it is saved again.
	ForeignData map[string]json.RawMessage
	// Foreign are the parts of its session file that this program does not know: they are saved again.
	Foreign map[string]Encoded
	// ForeignArrays are the arrays of those.
	ForeignArrays map[string]matrix.Matrix32

	// Clock says when entries of the history are made; nil is the system's.
	Clock func() time.Time

	state   State
	history History
}

// Sampling is how the files were read: at most MaxPoints (0: all), the first or random ones.
type Sampling struct {
	MaxPoints int
	How       string // "first" or "random"
	Seed      uint64
	Match     match.How // how the columns of several files were matched
}

// New returns a document in the given state, with an empty history.
func New(data *dataset.Dataset, title string, seed uint64, s State) *Document {
	d := &Document{Data: data, Title: title, Seed: seed, ID: revision.Next(), state: s}
	d.history = newHistory("Open "+title, d.Time())
	return d
}

// Time is what the clock of the document says.
func (d *Document) Time() time.Time {
	if d.Clock == nil {
		return time.Now()
	}
	return d.Clock()
}

// SetClock sets Clock. A history without entries begins then.
func (d *Document) SetClock(clock func() time.Time) {
	if d.Clock = clock; len(d.history.nodes) == 1 {
		d.history.root.when = d.Time()
		d.history.changed()
	}
}

// Files returns where the data came from: one path, or several where several were opened as one table.
func (d *Document) Files() []string {
	if len(d.Data.Parts) > 0 {
		return d.Data.Parts
	}
	return []string{d.Data.Path}
}

// Inputs are Files, and those of tables that were joined to them.
func (d *Document) Inputs() []string {
	out := slices.Clone(d.Files())
	for _, j := range d.Data.Joined {
		out = append(out, j.Path)
	}
	return out
}

// State returns the present state.
func (d *Document) State() State { return d.state }

// Copy returns a document in the present state, without the history: for a job that saves it.
func (d *Document) Copy() *Document { return d.At(d.state) }

// At returns a document in another state, without the history.
func (d *Document) At(s State) *Document {
	c := *d
	c.state, c.history = s, newHistory(d.history.root.name, d.history.root.when)
	return &c
}

// Do changes the state as one entry of the history. A change that leaves the state as it was adds
// no entry. Any interaction still open is committed first.
func (d *Document) Do(name string, change func(*State)) {
	d.Commit()
	d.Begin(name)
	d.Change(change)
	d.Commit()
}

// Extend is Do, but a change that follows one of the same name becomes part of its entry: a held key
// is one interaction.
func (d *Document) Extend(name string, change func(*State)) {
	d.Commit()
	if !d.history.reopen(name, &d.state) {
		d.Begin(name)
	}
	d.Change(change)
	d.Commit()
}

// Look changes parts that are how things are looked at. It makes no entry; other parts must not change.
func (d *Document) Look(change func(*State)) {
	d.Drift(func(s *State, _ bool) { change(s) })
}

// Begin opens an interaction: all changes until Commit are one entry. An open one is committed.
func (d *Document) Begin(name string) {
	d.Commit()
	d.history.open = &open{name: name, before: d.state}
}

// Open says whether an interaction is open.
func (d *Document) Open() bool { return d.history.open != nil }

// Change changes the state inside the open interaction. Without one it panics, since the change
// could never be undone: that is a mistake of the caller.
func (d *Document) Change(change func(*State)) {
	if d.history.open == nil {
		panic("state: Change without Begin")
	}
	change(&d.state)
}

// Commit closes the open interaction, if any, and records it if it changed anything.
func (d *Document) Commit() {
	o := d.history.open
	if o == nil {
		return
	}
	d.history.open = nil
	touches := o.touches(&d.state)
	switch {
	case len(touches) == 0:
	case o.again != nil:
		d.history.attach(o.again, touches, &o.before)
	default:
		d.history.record(o.name, touches, &o.before, d.Time(), false)
	}
}

// Cancel closes the open interaction and puts back what it changed.
func (d *Document) Cancel() {
	if o := d.history.open; o != nil {
		d.history.open = nil
		touches := o.touches(&d.state)
		restore(&d.state, slotsOf(&o.before, touches), touches)
	}
}

// Mark records an entry for what is about to change bit by bit outside of interactions, by Drift: a run
// is one entry however long.
func (d *Document) Mark(name string, what ...Touch) EntryID {
	d.Commit()
	n := d.history.record(name, what, &d.state, d.Time(), true)
	d.history.begin(n, &d.state)
	return n.id
}

// Drift changes the state outside of interactions, as runs do. It may be called while the user is in the
// middle of one, which then does not count the change as its own: change is called for the present state,
// and with inBefore for the one that the interaction began with.
func (d *Document) Drift(change func(s *State, inBefore bool)) {
	before := d.state.Stamp(true)
	change(&d.state, false)
	if o := d.history.open; o != nil {
		change(&o.before, true)
	}
	for i := range kinds {
		if d.state.slots[i].rev != before.revs[i] {
			d.history.drifted |= 1 << i
		}
	}
	d.history.ran(&d.state)
}

// Always changes the state as if it had always been so: undo and redo leave the change alone.
func (d *Document) Always(change func(*State)) {
	present := d.state
	d.Drift(func(s *State, _ bool) { change(s) })
	d.history.always(present, change)
}

// Follow makes what is about to change a consequence of the last entry that changed cause, so that undoing
// that one takes both back; fits looks at the state on the other side of it.
func (d *Document) Follow(cause, what Touch, fits func(State) bool) {
	d.history.follow(d.state, cause, what, fits)
}

// Undo takes back the last entry and returns its name, or "" if there is none.
func (d *Document) Undo() string {
	d.Commit()
	h := &d.history
	name := h.CanUndo()
	if h.now != h.root {
		h.undo(&d.state)
		h.changed()
	}
	return name
}

// Redo does again what was done after the present moment, on the branch that was there last, and returns its name, or
// "".
func (d *Document) Redo() string {
	d.Commit()
	h := &d.history
	name := h.CanRedo()
	if h.now.last != nil {
		h.redo(&d.state, h.now.last)
		h.changed()
	}
	return name
}

// Go takes the document to any moment of its history: what was done since both ways parted is undone, and what led to
// that moment done again. It says whether there is such a moment.
func (d *Document) Go(id EntryID) bool {
	d.Commit()
	n := d.history.find(id)
	if n == nil {
		return false
	}
	if n != d.history.now {
		d.history.goTo(&d.state, n)
	}
	return true
}

// StateAt returns the state at a moment of the history without going there, and whether there is one. An open
// interaction does not count.
func (d *Document) StateAt(id EntryID) (State, bool) { return d.StateAlong(id, 1) }

// StateAlong is StateAt on the way of a run, from where it began, 0, to its end, 1.
func (d *Document) StateAlong(id EntryID, part float64) (State, bool) {
	n := d.history.find(id)
	if n == nil {
		return State{}, false
	}
	present := d.state
	if o := d.history.open; o != nil {
		touches := o.touches(&present)
		restore(&present, slotsOf(&o.before, touches), touches)
	}
	at := d.history.stateAt(present, n)
	if i := int(part * float64(len(n.kept)+1)); part < 1 && n.parent != nil {
		if i <= 0 {
			return d.history.stateAt(present, n.parent), true
		}
		restore(&at, n.kept[i-1], n.touches)
	}
	return at, true
}

// Bookmark gives a moment a name to be found by, or takes it away with "". It is no entry of the history.
func (d *Document) Bookmark(id EntryID, name string) bool {
	n := d.history.find(id)
	if n == nil {
		return false
	}
	if n.bookmark != name {
		n.bookmark = name
		d.history.changed()
	}
	return true
}

// Rename gives an entry another name: that of a run says how long it was.
func (d *Document) Rename(id EntryID, name string) bool {
	n := d.history.find(id)
	if n == nil {
		return false
	}
	if n.name != name {
		n.name = name
		d.history.changed()
	}
	return true
}

// History returns the entries for display.
func (d *Document) History() *History { return &d.history }
