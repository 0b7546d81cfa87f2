// Package dialog is what takes all input until it is answered, a file for each dialog. A dialog is registered with its
// name, its title and its size, and is made for the subject that it is shown about. Dialogs know the desk and what they
// ask of the window, not the program around it.
package dialog

import (
	"slices"

	"blossom/ui/desk"
	"blossom/ui/widget"
)

// Kind describes a dialog about a subject.
type Kind[Subject any] struct {
	ID    string // stable, and the name of its controls
	Title string
	Width float32 // points
	Top   bool    // near the top of the window and without a title, as a palette
	// Queue: shown again while it is open, it waits for its turn; else it takes the place of the one that is open.
	Queue bool
	New   func(w Window, about Subject) Dialog
}

// Dialog is a dialog that is open.
type Dialog interface {
	// Face says what stands around the body in this frame. It is not ok where the subject is gone, which closes the
	// dialog.
	Face() (f Face, ok bool)
	// Draw draws the body. What it returns has been chosen there: the dialog closes, and it is done.
	Draw() (chosen func())
}

// Face is the frame of a dialog.
type Face struct {
	Title   string // "" is that of the kind
	Buttons []Button
	Cancel  func() // after Esc and the cross, or nil
}

// Button is a button at the foot. It closes the dialog and then does what it stands for, if anything. Where that has to
// be tried first, what Try returns is done; after nil the dialog stays.
type Button struct {
	Label    string
	Kind     widget.ButtonKind
	Tip      string
	Disabled bool
	Do       func()
	Try      func() (chosen func())
}

// Window is what dialogs ask of the window that they stand in.
type Window interface {
	desk.Window
	// Desk is the open document, or nil.
	Desk() *desk.Desk
	UI() *widget.UI
	// WhenFresh runs do as soon as nothing of the open document is stale.
	WhenFresh(do func())
}

// Family is a registered kind, by which it is shown.
type Family[Subject any] struct{ kind Kind[Subject] }

var taken = map[string]bool{}

// Register adds a dialog, from a variable of its file, and panics if the ID is taken.
func Register[Subject any](k Kind[Subject]) *Family[Subject] {
	if taken[k.ID] {
		panic("dialog: registered twice: " + k.ID)
	}
	taken[k.ID] = true
	return &Family[Subject]{k}
}

// Show opens the dialog about a subject, over those that are open.
func (f *Family[Subject]) Show(s *Stack, about Subject) {
	s.show(f.kind.Queue, open{id: f.kind.ID, title: f.kind.Title,
		opts: widget.ModalOpts{Width: f.kind.Width, Top: f.kind.Top}, Dialog: f.kind.New(s.window, about)})
}

// Stack is the dialogs of a window that are open. The last one is seen, the others wait below it.
type Stack struct {
	window Window
	list   []open
	drawn  string // the title of the one of the frame before, ""
}

type open struct {
	id, title string
	opts      widget.ModalOpts
	Dialog
}

// NewStack returns the dialogs of a window, of which none is open.
func NewStack(w Window) *Stack { return &Stack{window: w} }

func (s *Stack) show(queue bool, o open) {
	at := slices.IndexFunc(s.list, func(x open) bool { return x.id == o.id })
	switch {
	case at >= 0 && queue:
		s.list = slices.Insert(s.list, at, o) // below the one that is seen
	case at >= 0:
		s.list = append(slices.Delete(s.list, at, at+1), o)
	default:
		s.list = append(s.list, o)
	}
}

// seen asks for the frame in which a dialog is drawn: its first one measures it.
func (s *Stack) seen(title string) {
	if s.drawn != title {
		s.window.UI().Refresh()
	}
	s.drawn = title
}

// Any says whether a dialog is open: it takes all input.
func (s *Stack) Any() bool { return len(s.list) > 0 }

// Open returns the dialog of an ID that is open, the one that is seen first, or nil.
func (s *Stack) Open(id string) Dialog {
	for i := len(s.list) - 1; i >= 0; i-- {
		if s.list[i].id == id {
			return s.list[i].Dialog
		}
	}
	return nil
}

// Count is how many dialogs of an ID are open or wait for their turn.
func (s *Stack) Count(id string) (n int) {
	for _, o := range s.list {
		if o.id == id {
			n++
		}
	}
	return n
}

// Close closes all dialogs of these IDs without an answer.
func (s *Stack) Close(ids ...string) {
	s.list = slices.DeleteFunc(s.list, func(o open) bool { return slices.Contains(ids, o.id) })
}

// Draw draws the dialog on top and does what is chosen in it.
func (s *Stack) Draw() {
	var face Face
	for ok := false; len(s.list) > 0; s.list = s.list[:len(s.list)-1] {
		if face, ok = s.list[len(s.list)-1].Face(); ok {
			break
		}
	}
	u := s.window.UI()
	if len(s.list) == 0 {
		if shown := false; s.drawn != "" {
			u.Modal(s.drawn, &shown, widget.ModalOpts{}, nil)
			s.seen("")
		}
		return
	}
	top := s.list[len(s.list)-1]
	title, opts := top.title, top.opts
	if face.Title != "" {
		title = face.Title
	}
	for _, b := range face.Buttons {
		opts.Buttons = append(opts.Buttons, widget.ModalButton{Label: b.Label, Kind: b.Kind, Tip: b.Tip,
			Disabled: b.Disabled})
	}
	var do func()
	shown := true
	s.seen(title + "##" + top.id)
	chosen := u.Modal(s.drawn, &shown, opts, func() { do = top.Draw() })
	switch {
	case do != nil:
	case shown:
		return
	case chosen >= 0 && face.Buttons[chosen].Try != nil:
		if do = face.Buttons[chosen].Try(); do == nil {
			return
		}
	case chosen >= 0:
		do = face.Buttons[chosen].Do
	default:
		do = face.Cancel
	}
	s.list = slices.DeleteFunc(s.list, func(o open) bool { return o.Dialog == top.Dialog })
	if do != nil {
		do()
	}
}
