// Package output writes what a window shows: coordinates and columns of the points as tables, views as pictures. What
// is written is one state of the map, so it waits until nothing is stale.
package output

import (
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// Output is that of one window. It is for the main thread, and implements desk.Output.
type Output struct {
	Documents *documents.Documents
	Engines   *engine.Chooser
	Version   string             // the program's, for files
	Program   string             // path of the program itself, which makes films; "": this process's
	Views     func() widget.Rect // where the views of the desk stand
	AllRows   AllRows            // work on all rows of a folder of parts

	w        documents.Window
	dialogs  *dialog.Stack
	film     desk.Film // as it was asked for last
	jobs     *work.Jobs
	context  *shell.Context
	renderer *render.Renderer

	steps    []func()     // outputs that wait until nothing is stale
	resting  []suspension // runs that rest for them, and for drawings
	columns  []string     // derived ones that a table waits for
	drawings []*Drawing   // pictures under way, one after the other
	preview  preview
	children children // processes of the program that make what is asked for
}

var _ desk.Output = &Output{}

// New returns the output of a window.
func New(w documents.Window, dialogs *dialog.Stack) *Output {
	o := &Output{w: w, dialogs: dialogs, film: desk.Film{Seconds: 8, Rate: 25, Width: 1280, Height: 960, Scale: 1}}
	o.AllRows.of = o
	return o
}

// Start tells what draws, and what works beside the window.
func (o *Output) Start(c *shell.Context, jobs *work.Jobs, r *render.Renderer) {
	o.context, o.jobs, o.renderer = c, jobs, r
}

// Landmarks writes those of the document.
func (o *Output) Landmarks(path string) { o.Documents.Landmarks.WriteFile(path) }

// Leave ends processes that make what was asked for, as the window goes, but for those that go on without it.
func (o *Output) Leave() { o.children.leave() }

// Drawing says whether a picture is under way, Waiting whether something waits until nothing is stale.
func (o *Output) Drawing() bool { return len(o.drawings) > 0 }
func (o *Output) Waiting() bool { return len(o.steps) > 0 }

// suspension is runs of a desk that rest while something of it is exported.
type suspension struct {
	at     *desk.Desk
	resume func() error
}

// WhenFresh runs do as soon as nothing in the picture is stale. All runs rest meanwhile, and until the pictures are
// drawn that it begins: what is exported is one state of the map, not a mixture of several.
func (o *Output) WhenFresh(do func()) {
	at := o.w.Desk()
	o.resting = append(o.resting, suspension{at, at.Runs().Suspend()})
	o.steps = append(o.steps, do)
}

// RunWaiting runs what waited for a fresh picture.
func (o *Output) RunWaiting() {
	if o.w.Desk() == nil {
		o.steps, o.resting = nil, nil
		return
	}
	if d := o.w.Desk(); len(o.steps) == 0 || d.Busy() || d.Stage.Moving() {
		return
	}
	todo := o.steps
	o.steps = nil
	for _, f := range todo {
		f()
	}
	o.release()
}

// release lets runs go on once nothing is exported any more for which they rest.
func (o *Output) release() {
	if len(o.steps)+len(o.drawings) > 0 {
		return
	}
	resting := o.resting
	o.resting = nil
	for _, s := range resting {
		if s.at != o.w.Desk() {
			continue // it is gone
		}
		if err := s.resume(); err != nil {
			o.w.Fail(err)
		}
	}
}

// GiveUp gives up what was waiting for a picture of the map that is about to be replaced. Runs that rest for it go on:
// it may come back.
func (o *Output) GiveUp() {
	if len(o.steps)+len(o.drawings) > 0 {
		o.w.Say("an export was given up, because another file was opened")
	}
	for _, d := range o.drawings {
		d.Close()
	}
	o.steps, o.columns, o.drawings = nil, nil, nil
	o.preview.drop()
	o.preview.forget()
	o.preview = preview{}
	o.release()
}

// MakeColumns keeps the columns that an export waits for in the making.
func (o *Output) MakeColumns() {
	for _, name := range o.columns {
		if _, _, err := o.w.Desk().Column(name); err != nil {
			continue // said when it is exported
		}
	}
}
