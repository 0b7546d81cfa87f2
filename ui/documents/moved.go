package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Sessions whose data has moved, or is not what it was.

// opensWith says what to ask where err is a question about the data of what is being opened, or nil. again opens
// it with a file that the user has chosen in place of the one called wanted.
func (d *Documents) opensWith(err error, path string, again func(wanted, chosen string)) func() {
	var missing *session.Missing
	var changed *opening.Changed
	var text *unread
	var doubtful *opening.Undecided
	switch {
	case errors.As(err, &doubtful):
		return func() { d.askMatching(doubtful, path) }
	case errors.As(err, &text):
		return func() { d.askUnread(text) }
	case errors.As(err, &missing):
		return func() { d.askMissing(missing, again) }
	case errors.As(err, &changed):
		return func() { d.askChanged(changed, path, again) }
	}
	return nil
}

// askMissing asks where the data of a session is.
func (d *Documents) askMissing(m *session.Missing, again func(wanted, chosen string)) {
	d.w.Log("%v", d.Autosave.unnamed(m.Unwrap()))
	q := dialog.Question{Title: "Where is the data?", About: m.Files[0],
		Says: []string{d.sessionText(m.Session) + " needs this file, which is not there"}}
	if n := len(m.Files) - 1; n > 0 {
		q.Says = append(q.Says, fmt.Sprintf("So do %d others, which are looked for in the same folder", n))
	}
	if !d.Autosave.Owns(m.Session) {
		q.Hint = "Beside " + filepath.Base(m.Session) + " it is found by itself."
	}
	q.Answers = []dialog.Button{{Label: "Cancel"},
		{Label: "Look for it…", Kind: widget.Primary, Do: func() { d.lookFor(m.Session, m.Files[0], again) }}}
	dialog.Ask.Show(d.dialogs, q)
}

// sessionText is how a session is called in a sentence: one that was saved by itself has no name that anybody gave it.
func (d *Documents) sessionText(path string) string {
	if d.Autosave.Owns(path) {
		return "What was saved by itself"
	}
	kind := "The session "
	switch strings.ToLower(filepath.Ext(path)) { // a sentence begins with a word: names keep their letters
	case session.Extension:
	case ".json":
		kind = "The job "
	default:
		kind = "The picture "
	}
	return kind + filepath.Base(path)
}

// lookFor asks for the file that stands for one of a session: beside it, and where that is none of the user's folders,
// in what is left of the folder where the file was.
func (d *Documents) lookFor(path, file string, found func(wanted, chosen string)) {
	folder := filepath.Dir(path)
	if d.Autosave.Owns(path) {
		folder = filepath.Dir(file)
		for !exists(folder) && filepath.Dir(folder) != folder {
			folder = filepath.Dir(folder)
		}
	}
	d.w.Ask(desk.FileQuestion{Title: "Look for " + session.Base(file), Folder: folder, Name: session.Base(file),
		Kind: "Data", Kinds: dialog.DataKinds(), Answer: func(chosen string) { found(file, chosen) }})
}

// askChanged says what of the data of a session is different, and asks what to do.
func (d *Documents) askChanged(c *opening.Changed, path string, again func(wanted, chosen string)) {
	d.w.Log("%v", d.Autosave.unnamed(c.Unwrap()))
	q := dialog.Question{Title: "The data has changed", About: c.Files[0],
		Says: []string{"It is not what it was when " + d.Autosave.savedText(c.Session)}, List: c.What,
		Answers: []dialog.Button{{Label: "Cancel"}}}
	look := dialog.Button{Label: "Look for another file…", Do: func() { d.lookFor(c.Session, c.Files[0], again) }}
	stays := "The session file stays as it is until you save."
	if d.Autosave.Owns(c.Session) {
		stays = "The autosaved work stays until you open or forget it."
	}
	if c.Unfit != nil {
		look.Kind = widget.Primary
		q.Says = append(q.Says, "The map cannot be opened with it: "+c.Unfit.What)
		q.Hint = "With the file that the map was made of, all of it is there again. Opened by itself, this data " +
			"gets a new map. " + stays
		q.Answers = append(q.Answers, dialog.Button{Label: "Open the data by itself",
			Do: func() { d.Open(c.Alone()...) }}, look)
	} else {
		q.Hint = "Opened with the data as it is now, the map keeps what belongs to columns of the same names and to " +
			"rows that are still there. " + stays
		q.Answers = append(q.Answers, look, dialog.Button{Label: "Open with the data as it is", Kind: widget.Primary,
			Do: func() { d.opens("Opening "+d.Autosave.calls(path), path, c.Open, again) }})
	}
	dialog.Ask.Show(d.dialogs, q)
}

// openSession opens a session with a file that the user has chosen in place of the one called wanted.
func (d *Documents) openSession(path, wanted, chosen string) {
	o := d.Options.Reading
	load := func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
		return opening.LoadSession(ctx, path, wanted, chosen, o, j)
	}
	d.opens("Opening "+d.Autosave.calls(path), path, load,
		func(wanted, chosen string) { d.openSession(path, wanted, chosen) })
}

// noteOtherContent says that the data of the open session is not what it was after all, which only a look at all
// of it could show.
func (d *Documents) noteOtherContent(path string) {
	d.w.Log("%s is not what it was when the session was saved: its whole content differs", path)
	note := desk.Note{Text: filepath.Base(path) + " has changed since the session was saved, though neither its " +
		"size nor its beginning and end did", Sticky: true}
	if d.w.Desk() == nil || d.w.Desk().Session == "" { // it came in a picture
		note.Text = filepath.Base(path) + " is not what the picture was made of: it has as many bytes, and others"
		d.w.Note(note)
		return
	}
	s := d.w.Desk().Session
	note.Actions = []desk.Action{{Label: "Look for another file…", Do: func() {
		d.lookFor(s, path, func(wanted, chosen string) { d.openSession(s, wanted, chosen) })
	}}}
	d.w.Note(note)
}
