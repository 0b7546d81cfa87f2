// Package documents is the documents of a window: the one on its desk, how it comes there and what it is kept in, and
// those that were put aside. It opens files and asks what cannot be decided without the user, saves what the user
// names and what is open by itself, and finds again what a crash has left.
package documents

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/live"
	"blossom/model/work"
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/shell"
)

// Window is what documents ask of the window around them.
type Window interface {
	dialog.Window
	// Log puts a line into the log.
	Log(format string, args ...any)
	// Sit makes the desk of a map, with views and panels of its own, in place of the one that there was. Without a map
	// the window is empty.
	Sit(m *live.Map)
	// Swap puts a desk that was taken away before, or none, in place of the one that there is, and returns that as it
	// is, or nil.
	Swap(to *desk.Desk) (former *desk.Desk)
	// Buffers is where positions go.
	Buffers() live.Buffers
	// GiveUp drops what waits for a fresh picture of the open document, and Waiting says whether something does.
	GiveUp()
	Waiting() bool
	// Making says of a folder of parts that is not finished how far it is, and opens it when it is. False: that is not
	// what the path is.
	Making(path string) bool
	// Remember writes the settings.
	Remember()
}

// Options say how documents are opened and kept.
type Options struct {
	Reading  format.Options // how files are read
	Sheets   opening.Sheets // sheets of the files that are opened first
	Still    bool           // a new map does not begin to train by itself
	StateDir string         // folder of sessions saved by themselves; "" is the user's own
	Version  string         // the program's, for files
	To       string         // file of the session that a script waits for; "": none does
	First    bool           // the program was never started before
}

// Documents are those of one window. It is for the main thread.
type Documents struct {
	Options  Options
	Shelf    Shelf
	Recent   Recent
	Saving   Saving
	Autosave *Autosave
	Recovery Recovery
	Welcome  Welcome
	Subset   Subset
	// Landmarks are those of the open document in files of their own.
	Landmarks Landmarks
	Sheets    Sheets
	Gates     Gates
	Unread    Unread
	Awaited   Awaited
	Guest     Guest
	Ahead     Ahead

	w       Window
	context *shell.Context
	dialogs *dialog.Stack
	engines *engine.Chooser
	jobs    *work.Jobs
	opening *work.Job // the document that comes next, or nil
	closing bool      // the window is to close when the last file is written
}

// part is what each part of the documents knows of the others.
type part struct {
	docs *Documents
	w    Window
}

// New returns the documents of a window, of which none is open. What the window remembers between runs of the program
// is theirs to change.
func New(w Window, dialogs *dialog.Stack, engines *engine.Chooser, r *Remembered, o Options) *Documents {
	d := &Documents{Options: o, w: w, dialogs: dialogs, engines: engines, Autosave: NewAutosave(o.StateDir)}
	p := part{d, w}
	d.Subset.part, d.Shelf.part, d.Saving.part, d.Recovery.part, d.Landmarks.part, d.Welcome.part = p, p, p, p, p, p
	d.Sheets.part, d.Gates.part, d.Unread.part, d.Guest.part, d.Ahead.part = p, p, p, p, p
	d.Awaited = Awaited{part: p, path: o.To}
	d.Recent = Recent{part: p, Remembered: r}
	return d
}

// Start is called when the window is there, before anything is opened.
func (d *Documents) Start(c *shell.Context, jobs *work.Jobs) {
	d.context, d.jobs, d.Autosave.Jobs = c, jobs, jobs
	d.Recovery.Left = Left{Store: d.Autosave.Store, Jobs: jobs, Now: c.Now,
		Failed: func(err error) { d.w.Log("%v", err) }}
	d.Saving.Files = Filing{Jobs: jobs, Maker: d.Maker, Now: c.Now, Failed: func() { d.closing = false }}
}

// Opening is the job that opens the document that comes next, or nil.
func (d *Documents) Opening() *work.Job { return d.opening }

// current is the map of the open document, or nil.
func (d *Documents) current() *live.Map {
	if d.w.Desk() == nil {
		return nil
	}
	return d.w.Desk().Map
}

// Maker is what sessions and landmark files say they were made with: the program, and the engine and its variant,
// for the same input gives the same bytes on the same of them.
func (d *Documents) Maker() string {
	program := "blossom " + d.Options.Version
	if e := d.engines.Engine(); e != nil {
		program += ", engine " + engine.FullName(e.Name(), e.Variant())
	}
	return program
}

// Stem is the name of what is open, without its ending, for suggested file names.
func (d *Documents) Stem() string {
	title := d.w.Desk().Doc.Title
	title = strings.TrimSuffix(title, filepath.Ext(title))
	return strings.NewReplacer("/", "-", `\`, "-").Replace(title) // a population may have been called so
}

// IsInput refuses to write over the user's data, which is never changed.
func (d *Documents) IsInput(path string) bool {
	if err := format.SameFile(path, d.w.Desk().Doc.Inputs()...); err != nil {
		d.w.Fail(err)
		return true
	}
	return false
}

// Write writes a file as a job, unless it is one of the user's data, and says so.
func (d *Documents) Write(path string, write func(io.Writer) error) {
	if d.IsInput(path) {
		return
	}
	d.jobs.Start("Writing "+filepath.Base(path), func(context.Context, *work.Job) (func(), error) {
		var files format.Files
		defer files.Discard()
		err := files.Write(path, write)
		if err == nil {
			err = files.Commit()
		}
		return func() { d.Wrote("", path) }, err
	})
}

// Wrote says which files were written, and has the next dialog begin in their folder. What there is to be said of them,
// as that they do not hold everything, or that the data has changed on disk, stays until it is closed.
func (d *Documents) Wrote(said string, paths ...string) {
	d.Recent.Folder = beside(paths[0])
	names := make([]string, len(paths))
	for i := range paths {
		names[i] = filepath.Base(paths[i])
	}
	if data := movedSaid(d.w.Desk()); data != "" && said != "" {
		said += "; " + data
	} else if data != "" {
		said = data
	}
	d.w.Say("written: " + strings.Join(few(paths), ", "))
	note := desk.Note{Text: "Written: " + strings.Join(few(names), " and ")}
	if said != "" {
		d.w.Say(said)
		note.Text, note.Sticky = note.Text+" — "+said, true
	}
	d.w.Note(note)
}

// few are as many files as a message has room for, and how many more there are.
func few(files []string) []string {
	const most = 3
	if len(files) <= most {
		return files
	}
	return append(slices.Clone(files[:most]), fmt.Sprintf("%d more", len(files)-most))
}

// Due returns when the open document should be saved by itself next; ok is false if nothing has changed.
func (d *Documents) Due() (at time.Time, ok bool) {
	if d.Guest.Here() {
		return time.Time{}, false
	}
	at, ok = d.Autosave.Due(d.current())
	if soon, due := d.Awaited.due(); due && (!ok || soon.Before(at)) {
		return soon, true
	}
	return at, ok
}

// Tick does what has to be done now and then.
func (d *Documents) Tick(now time.Time) {
	if !d.Guest.Here() { // nothing is kept of it, and the document that waits was saved when it came
		d.Autosave.Tick(now, d.current(), d.Maker(), d.About, d.w.Fail)
		d.Awaited.tick(now)
		d.Recovery.offer()
	}
	if d.closing && !d.Saving.Busy() {
		d.Quit()
	}
}

// KeepNow saves what is open at once, as it is saved by itself.
func (d *Documents) KeepNow() {
	if d.Guest.Here() {
		return
	}
	if err := d.Autosave.Keep(d.current(), d.About(), d.Maker(), d.context.Now()); err != nil {
		d.w.Log("%v", err)
	}
}

// Finish writes what is still to be written before the program ends.
func (d *Documents) Finish() {
	d.Guest.Go()
	for _, err := range d.Saving.Files.Finish() {
		d.w.Log("%v", err)
	}
}

// End saves what is open by itself for the last time.
func (d *Documents) End() {
	d.Awaited.now()
	if err := d.Autosave.End(d.current(), d.About(), d.Maker(), time.Now()); err != nil {
		d.w.Log("%v", err)
	}
}
