// Package job is one description of what is to be computed: the data and how it is read, a state made of the parts of a
// document, and what is wanted of both. Window and command line make one, as JSON a script keeps it and a cluster is
// sent it, and Execute does what it says. A job names no machine: threads and cards are said to Execute.
package job

import (
	"context"
	"slices"

	"blossom/model/base/step"
	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
	"blossom/model/data/match"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Job is what is to be computed.
type Job struct {
	Data  []File    // one file, or several that are one table
	Match match.How // how columns of several files are matched
	Join  []File    // tables with a row for each row of the data, whose columns stand beside its own, and gates
	// Subset is which of those rows are the data; nil: all.
	Subset *session.Subset
	// State are the parts of a document that matter, by their IDs. What is missing is as in a new document.
	State map[string]state.Encoded
	// Order are the names of the columns of the map, where they are not in the order of the table.
	Order  []string
	Wanted []Want // in the order in which it is computed
	Seed   uint64
	Engine Engine

	name  string           // name of the file that it was read from
	table *dataset.Dataset // the data, where somebody has read it already
	notes []string         // choices made on the user's behalf, in words
	had   had
}

// had is what a session has of maps, and what was read of a map already.
type had struct {
	given   run.Given // landmarks
	drawn   []string  // recipes of which it has one
	shown   string    // kind of embedding in its window, where that is another than EmbedSOM
	views   parts.ViewList
	looks   parts.LookTable
	named   population.Tree
	ran     map[string]step.Values // values that its maps ran with, by recipe
	session bool                   // it is made of one
	other   bool                   // which is of other data
	state   state.State            // it, whole
	maps    parts.SnapshotTable    // its maps of the kinds that run
}

// Engine is what computes, where somebody has asked for it. The zero Engine is the best that works.
type Engine struct {
	Kind    string `json:"kind,omitempty"`
	Variant string `json:"variant,omitempty"`
}

// Want is one thing that is wanted. Its exported fields are its JSON, beside "what", which is the ID of its kind.
type Want interface {
	What() string
	// Paths are the files that it names: those that it writes, and those that it reads.
	Paths() (written, read []*string)
	// Check says what is wrong with it before any file is touched.
	Check() error
	// Make computes it, and writes its output if it names one.
	Make(ctx context.Context, w *Work) error
}

// Want adds to what is wanted. Landmarks are those that the job trains in any case, if it does.
func (j *Job) Want(wants ...Want) {
	for _, w := range wants {
		if l, ok := w.(*Landmarks); ok && len(j.Wanted) == 1 && l.Beginning.Zero() {
			if trained, ok := j.Wanted[0].(*Landmarks); ok {
				l.Beginning, l.Layout, j.Wanted = trained.Beginning, trained.Layout, nil
			}
		}
		if _, ok := w.(*Embedding); ok && j.had.shown != "" {
			j.Note("the session's window shows another embedding (" + j.had.shown +
				"); these are the coordinates of EmbedSOM")
		}
		j.Wanted = append(j.Wanted, w)
	}
}

// Note adds to what the user should know of the job, which is said when it has been done.
func (j *Job) Note(notes ...string) { j.notes = append(j.notes, notes...) }

// Kind is a member of the family of what can be wanted.
type Kind struct {
	ID    string
	New   func() Want
	Plain bool // it is made without an engine
	// Ranges is what makes such a want while the rows of an outline go by, some at a time: the same to the last bit. It
	// returns nil, and what it returns is dataset.ErrWhole, where all rows are needed at once. nil: they always are.
	Ranges func(Want) func(context.Context, *Work) error
	// Lays is such a want as one of a map of all points together; nil: it is none.
	Lays func(Want) Laying
	// Needs is what the engine is to have for such a want. nil: every engine makes it.
	Needs func(Want) engine.Capability
	// Lacks says why this program cannot make it, before anything is done for it; nil: every program can.
	Lacks func() error
}

var kinds []Kind

// Register adds a kind. It panics if the ID is taken: two packages claim one name.
func Register(k Kind) {
	for _, x := range kinds {
		if x.ID == k.ID {
			panic("job: registered twice: " + k.ID)
		}
	}
	kinds = append(kinds, k)
}

// makeable says what is wanted that this program cannot make.
func (j *Job) makeable() error {
	for _, k := range kinds {
		if k.Lacks == nil || !slices.ContainsFunc(j.Wanted, func(w Want) bool { return w.What() == k.ID }) {
			continue
		}
		if err := k.Lacks(); err != nil {
			return err
		}
	}
	return nil
}

// plain says whether all that is wanted is made without an engine.
func (j *Job) plain() bool {
	return !slices.ContainsFunc(j.Wanted, func(w Want) bool {
		return !slices.ContainsFunc(kinds, func(k Kind) bool { return k.ID == w.What() && k.Plain })
	})
}

// wantable are the IDs of all kinds.
func wantable() (ids []string) {
	for _, k := range kinds {
		ids = append(ids, k.ID)
	}
	return ids
}

// Outputs are the files that the job writes, as it names them, without "" for what is only computed.
func (j *Job) Outputs() []string { out, _ := j.files(); return out }

// Inputs are the files that it reads.
func (j *Job) Inputs() []string { _, in := j.files(); return in }

func (j *Job) files() (written, read []string) {
	for _, f := range j.all() {
		read = append(read, f.Path)
	}
	for _, w := range j.Wanted {
		out, in := w.Paths()
		for _, path := range out {
			if *path != "" {
				written = append(written, *path)
			}
		}
		for _, path := range in {
			if *path != "" {
				read = append(read, *path)
			}
		}
	}
	return written, read
}
