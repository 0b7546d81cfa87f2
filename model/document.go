// Package model holds the Document: everything the user works on, and the history of its changes.
//
// The picture is a pure function of the data and a State of a few hundred kilobytes. That is why
// undo here is a list of States rather than of inverse operations: a State is made of immutable
// parts that neighbouring entries share, so an entry costs only what it changed.
package model

import (
	"maps"
	"slices"

	"blossom/model/dataset"
	"blossom/model/embedsom"
	"blossom/model/landmark"
	"blossom/model/revision"
	"blossom/model/step"
	"blossom/model/transform"
)

// State is everything that can be undone. Its parts are immutable: change one by replacing it.
type State struct {
	Transform    transform.Spec
	TransformRev revision.Revision
	Landmarks    *landmark.Set
	// CodeSpace is the TransformRev whose space the codebook lives in. It lags behind TransformRev
	// while a changed transform is being applied.
	CodeSpace  revision.Revision
	Projection embedsom.Params
	Train      Train
	Look       Look
	// HandArranged: somebody moved landmarks by hand, so distances on the map are partly a choice.
	// Exports say so.
	HandArranged bool
}

// Train is the chosen training and its parameters.
type Train struct {
	Algorithm string // a train.Algorithm ID
	Values    step.Values
	Speed     float64 // samples per second at most; 0 is as many as fit
}

// Look is how the points are drawn; it moves none of them.
type Look struct {
	Column    string // name of the column to colour by, "" for one colour
	Palette   string // "" for the default of the column's kind
	Reverse   bool
	Low, High float64 // percentiles that the ends of the palette stand for, 0 to 100
	Size      float64 // disc diameter in points; 0 adapts to density
	Opacity   float64 // 0 adapts to density
	Landmarks bool    // shown
	Names     bool    // of landmarks, shown
	Legend    bool
}

// DefaultLook is what a fresh document is drawn with.
func DefaultLook() Look { return Look{Low: 1, High: 99, Landmarks: true, Legend: true} }

// Document is a data set with its State and history. It has one writer, the goroutine of the frame
// loop; readers elsewhere take copies of State, whose parts never change.
type Document struct {
	Data *dataset.Dataset
	Seed uint64
	// Title names what is open, for the window.
	Title string
	// Sampling is how the points were chosen from the file, to choose the same again.
	Sampling Sampling

	state   State
	history History
}

// Sampling is the part of a file that was opened: at most MaxPoints (0: all), the first or random ones.
type Sampling struct {
	MaxPoints int
	How       string // "first" or "random"
	Seed      uint64
}

// New returns a document in the given state, with an empty history.
func New(data *dataset.Dataset, title string, seed uint64, s State) *Document {
	return &Document{Data: data, Title: title, Seed: seed, state: s}
}

// State returns the present state.
func (d *Document) State() State { return d.state }

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
	if !d.history.reopen(name) {
		d.Begin(name)
	}
	d.Change(change)
	d.Commit()
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
		panic("model: Change without Begin")
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
	if parts := differing(&o.before, &d.state); parts != 0 {
		d.history.record(o.name, parts, o.before)
	}
}

// Cancel closes the open interaction and puts back what it changed.
func (d *Document) Cancel() {
	if o := d.history.open; o != nil {
		d.history.open = nil
		restore(&d.state, &o.before, differing(&o.before, &d.state))
	}
}

// StartTraining records that the codebook is about to change by training. What Trained brings from
// here on belongs to this entry, until another StartTraining: a run is one entry however long.
func (d *Document) StartTraining(name string) {
	d.Commit()
	d.history.record(name, partCode, d.state)
}

// Trained replaces the codebook by a newer one of the same shape. It may be called while the user
// is in the middle of an interaction, which then does not count the new codebook as its own.
func (d *Document) Trained(l *landmark.Set) {
	d.state.Landmarks = withCode(d.state.Landmarks, l)
	if o := d.history.open; o != nil && o.before.Landmarks.Len() == l.Len() {
		o.before.Landmarks = withCode(o.before.Landmarks, l)
	}
}

// Retransformed replaces the codebook by the same one in the space of the present transform. It is a
// consequence of the entry that changed the transform, so undoing that one takes both back.
func (d *Document) Retransformed(l *landmark.Set) {
	d.history.follow(partTransform, partCode, l.Len())
	d.state.Landmarks = withCode(d.state.Landmarks, l)
	d.state.CodeSpace = d.state.TransformRev
	if o := d.history.open; o != nil && o.before.Landmarks.Len() == l.Len() &&
		o.before.TransformRev == d.state.TransformRev {
		o.before.Landmarks = withCode(o.before.Landmarks, l)
		o.before.CodeSpace = d.state.CodeSpace
	}
}

// Undo takes back the last entry and returns its name, or "" if there is none. Redo does it again.
func (d *Document) Undo() string {
	d.Commit()
	return d.history.move(&d.state, &d.history.undo, &d.history.redo)
}

// Redo does again what Undo took back last, and returns its name, or "".
func (d *Document) Redo() string {
	d.Commit()
	return d.history.move(&d.state, &d.history.redo, &d.history.undo)
}

// History returns the entries for display.
func (d *Document) History() *History { return &d.history }

// part is a set of the pieces of a State that an entry changes, so that undoing a drag does not take
// back the training that went on meanwhile.
type part uint8

const (
	partCode part = 1 << iota
	partPos
	partTransform
	partProjection
	partTrain
	partLook
)

func differing(a, b *State) (p part) {
	if a.Landmarks != b.Landmarks {
		if codeRev(a.Landmarks) != codeRev(b.Landmarks) || a.Landmarks.Len() != b.Landmarks.Len() {
			p |= partCode
		}
		if !samePlaces(a.Landmarks, b.Landmarks) {
			p |= partPos
		}
	}
	if a.CodeSpace != b.CodeSpace {
		p |= partCode
	}
	if a.HandArranged != b.HandArranged {
		p |= partPos
	}
	if a.TransformRev != b.TransformRev {
		p |= partTransform
	}
	if a.Projection != b.Projection {
		p |= partProjection
	}
	if a.Train.Algorithm != b.Train.Algorithm || a.Train.Speed != b.Train.Speed ||
		!maps.Equal(a.Train.Values, b.Train.Values) {
		p |= partTrain
	}
	if a.Look != b.Look {
		p |= partLook
	}
	return p
}

func restore(dst, src *State, p part) {
	if p&partCode != 0 && p&partPos != 0 {
		dst.Landmarks = src.Landmarks
	} else if p&partCode != 0 {
		dst.Landmarks = withCode(dst.Landmarks, src.Landmarks)
	} else if p&partPos != 0 {
		dst.Landmarks = withCode(src.Landmarks, dst.Landmarks)
	}
	if p&partCode != 0 {
		dst.CodeSpace = src.CodeSpace
	}
	if p&partPos != 0 {
		dst.HandArranged = src.HandArranged
	}
	if p&partTransform != 0 {
		dst.Transform, dst.TransformRev = src.Transform, src.TransformRev
	}
	if p&partProjection != 0 {
		dst.Projection = src.Projection
	}
	if p&partTrain != 0 {
		dst.Train = src.Train
	}
	if p&partLook != 0 {
		dst.Look = src.Look
	}
}

// withCode returns a set with the places of s and the codebook of code. Sets of different length
// cannot be mixed; then code wins whole.
func withCode(s, code *landmark.Set) *landmark.Set {
	if s.Len() != code.Len() || s == nil {
		return code
	}
	mixed := *s
	mixed.Codebook, mixed.CodeRev = code.Codebook, code.CodeRev
	return &mixed
}

func codeRev(s *landmark.Set) revision.Revision {
	if s == nil {
		return 0
	}
	return s.CodeRev
}

func samePlaces(a, b *landmark.Set) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.PosRev == b.PosRev && slices.Equal(a.Pinned, b.Pinned) && slices.Equal(a.Names, b.Names) &&
		slices.Equal(a.Edges, b.Edges)
}
