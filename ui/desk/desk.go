// Package desk is everything that belongs to one open document in the window: the map behind it, the views
// of it, and what panels and tools ask of the window. A Desk is replaced as a whole when another document is
// opened; what works at a desk keeps nothing that outlives it.
package desk

import (
	"blossom/model/data/fingerprint"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/live"
	"blossom/ui/view"
	"blossom/ui/widget"
	"io"
)

// Desk is one open document. It embeds the map: desk.Doc is the document, desk.Table() its points.
type Desk struct {
	*live.Map
	Stage  *view.Stage // the views of it
	UI     *widget.UI
	Window Window
	Output Output // writes what the window shows to files

	// Session is the path that "save" writes to, or ""; Saved is what that file holds.
	Session string
	Saved   state.Stamp
	// Written knows that file again as it was opened or saved here. Warned: the user knows that the data is gone.
	Written fingerprint.Print
	Warned  bool
	// Rows is what a table of the points holds, as the Export panel has it chosen.
	Rows Table
	// Start is how the next new landmarks are made.
	Start Start
	// Placed is how many landmarks are made of an embedding that runs; 0: as many as there are.
	Placed int
	// Steered says that the panel of what runs was shown once.
	Steered bool
	// Subject is what the transform is shown of: 0 all columns of the map, else 1 + the column.
	Subject int

	// Compare fades between two moments of the history.
	Compare Compare

	columns columnList

	Naming Naming

	past      Past
	previewed bool // somebody has asked for a preview in this frame
}

// Window is what a desk asks of the window that it stands in.
type Window interface {
	// Say puts a message into the status bar and the log, Note shows one over the map, Fail shows an error with its
	// remedy.
	Say(text string)
	Note(n Note)
	Fail(err error)
	// Copy puts a text on the clipboard, Pasted is the text that is there.
	Copy(text string)
	Pasted() string
	// Command returns the command of an ID that is known to exist, for controls that stand for it.
	Command(id string) Command
	// Reveal opens a panel and scrolls to it.
	Reveal(panel string)
	// AskName asks for a name.
	AskName(q NameQuestion)
	// RemoveFile takes one of several files away from those that are open.
	RemoveFile(file int)
	// Write writes a file as a job, unless it is one of the user's data, and says so.
	Write(path string, write func(io.Writer) error)
	// ReadColumn reads a column of the file that is not of the table, and colours by it.
	ReadColumn(name string)
	// Ask asks for a file.
	Ask(q FileQuestion)
	Dark() bool
}

// Note is a message over the map: it stays for a while, or until it is closed where it is sticky, and at most as long
// as the open document is there, for what it offers would act on another one.
type Note struct {
	Text    string
	Sticky  bool
	Actions []Action
}

// Action is what can be done about a note.
type Action struct {
	Label string
	Do    func()
}

// Command is an entry of the window's table of commands.
type Command struct {
	Tip  string // with its key
	Key  string // "" for none
	Help string
	Can  bool
	Run  func()
}

// NameQuestion asks for the name of something.
type NameQuestion struct {
	Title string
	Text  string      // the name to begin with
	Hint  string      // shown while there is none
	Note  string      // a line below it, or ""
	Verb  string      // on the button
	Gone  func() bool // says that there is nothing to be named any more; nil: there always is
	// Answer takes the name, without blanks around it. An error is shown.
	Answer func(name string) error
}

// FileQuestion asks for a file: to open, or to save under a name.
type FileQuestion struct {
	Title  string
	Save   bool
	Folder string
	Name   string   // suggested, when saving
	Kinds  []string // endings, ".fcs"
	Kind   string   // names the endings: "Data and sessions"
	Answer func(path string)
	// Folders says which folders are an answer, too, and are not entered; nil: none is.
	Folders func(path string) bool
	// Several, where more than one file may be chosen, gets them if there are more.
	Several func(paths []string)
}

// Change carries what a control did to the document: one entry of the history from press to release.
func (d *Desk) Change(name string, e widget.Edit, change func(*state.State)) {
	if e.Changed {
		if !d.Doc.Open() {
			d.Doc.Begin(name)
		}
		d.Doc.Change(change)
	}
	if e.Committed {
		d.Doc.Commit()
	}
}

// Active is the active view as the document has it: the one that panels and commands speak of.
func (d *Desk) Active() parts.View {
	l := parts.Views.Of(d.Doc.State())
	return l.Get(l.Active)
}

// Look is the look of the active view.
func (d *Desk) Look() parts.Look { return d.LookOf(d.Active().ID) }

// LookOf is the look of a view.
func (d *Desk) LookOf(view string) parts.Look {
	s := d.Doc.State()
	return parts.Looks.Of(s).Get(parts.Views.Of(s).LookOf(view))
}

// EditLook changes the look of the active view in s.
func (d *Desk) EditLook(s *state.State, change func(*parts.Look)) {
	parts.EditLook(s, parts.Views.Of(*s).LookOf(d.Active().ID), change)
}

// SetLook changes the look of the active view as one entry of the history.
func (d *Desk) SetLook(name string, change func(*parts.Look)) {
	d.Doc.Do(name, func(s *state.State) { d.EditLook(s, change) })
}

// Show changes what the active view shows over its points, which is no entry of the history.
func (d *Desk) Show(change func(*parts.View)) {
	id := d.Active().ID
	d.Doc.Look(func(s *state.State) {
		parts.Views.Put(s, parts.Views.Of(*s).Edit(id, change))
	})
}

// ColourBy colours the active view by the column of that name, "" for none.
func (d *Desk) ColourBy(name string) {
	title := "nothing"
	if name != "" {
		title = d.ColumnTitle(name)
	}
	d.SetLook("Colour by "+title, func(l *parts.Look) { l.Column = name })
}
