package documents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// Saving writes what is open to the files that the user names.
type Saving struct {
	part
	Files Filing
	asked *desk.Desk // a save of it waits until nothing of it is stale
}

// Busy says whether something that the user wants in a file is not there yet.
func (s *Saving) Busy() bool {
	return s.Files.Busy() || s.asked != nil && s.asked == s.w.Desk() && s.w.Waiting()
}

// abandon leaves what is not written.
func (s *Saving) abandon() {
	s.Files.Abandon()
	s.asked = nil
}

// Session writes the session, asking for a name if it has none or as is set.
func (s *Saving) Session(as bool) {
	path := s.w.Desk().Session
	if path == "" || as {
		s.w.Ask(desk.FileQuestion{Title: "Save session", Save: true, Name: s.docs.Stem() + session.Extension,
			Kind: "Sessions", Kinds: []string{session.Extension}, Answer: s.SessionTo})
		return
	}
	s.SessionTo(path)
}

// SessionTo writes the session, once a transform that is being applied is there, and makes path the file that "save"
// writes to.
func (s *Saving) SessionTo(path string) {
	d := s.w.Desk()
	if !parts.Settled(d.Doc.State()) {
		s.asked = d
		s.w.WhenFresh(func() { s.asked = nil; s.SessionTo(path) })
		return
	}
	if s.docs.IsInput(path) {
		return
	}
	if path == d.Session && !s.Files.Under(path) {
		if at, other := writtenByAnother(path, d.Written); other {
			s.askOverwrite(path, at)
			return
		}
	}
	s.writeSession(path)
}

// writeSession writes the session without asking anything.
func (s *Saving) writeSession(path string) {
	d := s.w.Desk()
	d.Stage.Keep()
	d.Map.Keep()
	doc, saved := d.Doc, d.Doc.State().Stamp(false)
	s.Files.Write(d, path, Whole, func(_ int64, p fingerprint.Print) {
		if path != s.docs.Awaited.path {
			s.docs.Recent.opened(path)
			s.w.Remember()
		}
		s.w.Say("session saved as " + path)
		s.docs.note("Session saved as " + filepath.Base(path))
		d := s.docs.Guest.open()
		if d == nil || d.Doc != doc { // it was put aside meanwhile
			s.docs.Shelf.list.Filed(doc, path, saved, p)
			return
		}
		d.Session, d.Written, d.Saved = path, p, saved
		s.docs.Autosave.Renew()
		if !d.Warned {
			d.Warned = s.warnOfData()
		}
	})
}

// writtenByAnother says whether a session file is another than was, which this window opened or saved, and when
// that was written. One that is gone is no other.
func writtenByAnother(path string, was fingerprint.Print) (at time.Time, other bool) {
	now, err := fingerprint.Of(path)
	if err != nil || now.Same(was) {
		return at, false
	}
	return now.Changed, true
}

// askOverwrite asks before work of another window is written over.
func (s *Saving) askOverwrite(path string, at time.Time) {
	when := at.Local().Format("15:04")
	if s.docs.context.Now().Sub(at) > 20*time.Hour {
		when = at.Local().Format("2 Jan 15:04")
	}
	d := s.w.Desk()
	if d.Written.Changed.After(at) {
		when += " (an older file was put in its place)"
	}
	dialog.Ask.Show(s.docs.dialogs, dialog.Question{Title: "The session was changed elsewhere", About: path,
		Says: []string{"Another window or program wrote this file at " + when + ", after it was opened or saved here"},
		Hint: "Saving here would replace what was saved there.",
		Answers: []dialog.Button{{Label: "Cancel"},
			{Label: "Save anyway", Do: s.stillAt(d, func() { s.writeSession(path) })},
			{Label: "Save as…", Kind: widget.Primary, Do: s.stillAt(d, func() { s.Session(true) })}}})
}

// stillAt returns what does something about a document if that is still the open one.
func (s *Saving) stillAt(d *desk.Desk, do func()) func() {
	return func() {
		if s.w.Desk() == d {
			do()
		}
	}
}

// moved are the files of the data that are not there any more, and those that were written since they were opened.
func moved(d *desk.Desk) (gone, written []string) {
	for _, path := range d.Doc.Inputs() {
		if source.Generated(path) {
			continue
		}
		switch d.Doc.Prints[path].Look(path) {
		case fingerprint.Gone:
			gone = append(gone, path)
		case fingerprint.Written:
			written = append(written, path)
		}
	}
	return gone, written
}

// movedSaid says over a file that was written that the data on disk is not what it is of any more; "": it is.
func movedSaid(d *desk.Desk) string {
	if d == nil {
		return ""
	}
	const kept = ": this is of what was read then"
	switch gone, written := moved(d); {
	case len(gone) > 0:
		return named(gone) + " not there any more" + kept
	case len(written) > 0:
		return named(written) + " changed on disk since it was opened" + kept
	}
	return ""
}

// warnOfData says if files of the data are not there any more, or not what was opened: a session needs them.
func (s *Saving) warnOfData() (warned bool) {
	gone, written := moved(s.w.Desk())
	switch {
	case len(gone) > 0:
		s.w.Log("the data is gone: %s", strings.Join(gone, ", "))
		s.offerTable(gone[0], named(gone)+" not there any more, and the session cannot be opened without it")
	case len(written) > 0:
		s.w.Log("the data was written since it was opened: %s", strings.Join(written, ", "))
		s.offerTable(written[0], named(written)+" changed on disk since it was opened; the session will ask about that")
	}
	return len(gone)+len(written) > 0
}

// offerTable says why a file of the open document will be missed, and offers to write its table.
func (s *Saving) offerTable(lost, why string) {
	s.w.Note(desk.Note{Text: why, Sticky: true, Actions: []desk.Action{{Label: "Save the table…",
		Do: s.stillAt(s.w.Desk(), func() { s.saveTable(lost) })}}})
}

// named is files as the subject of a sentence, with its verb.
func named(paths []string) string {
	if len(paths) == 1 {
		return filepath.Base(paths[0]) + " is"
	}
	return fmt.Sprintf("%s and %d more are", filepath.Base(paths[0]), len(paths)-1)
}

// saveTable writes the table as it is in memory, which stands in for a file that is gone.
func (s *Saving) saveTable(lost string) {
	doc, name := s.w.Desk().Doc, filepath.Base(lost)
	if f, ok := format.ForPath(name); !ok || f.Write == nil || len(doc.Files()) > 1 {
		name = strings.TrimSuffix(name, filepath.Ext(name)) + ".csv"
	}
	var kinds []string
	for _, f := range format.All() {
		if f.Write != nil {
			kinds = append(kinds, f.Extensions...)
		}
	}
	s.w.Ask(desk.FileQuestion{Title: "Save the table", Save: true, Folder: filepath.Dir(lost), Name: name,
		Kind: "Tables", Kinds: kinds, Answer: func(path string) {
			if exists(path) && s.docs.IsInput(path) {
				return // it is there after all, with other content
			}
			s.docs.jobs.Start("Saving "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
				err := format.Save(ctx, path, doc.Data.Own(lost), j.Report)
				return func() {
					s.w.Say("the table is saved as " + path)
					s.docs.note("The table is saved as " + filepath.Base(path) +
						". A session that does not find its data can be opened with it.")
				}, err
			})
		}})
}

// Text says how old the last saved state is.
func (s *Saving) Text() string {
	d := s.w.Desk()
	if d == nil {
		return ""
	}
	if d.Session != "" && d.Saved == d.Doc.State().Stamp(false) {
		return "saved as " + filepath.Base(d.Session)
	}
	at, failed := s.docs.Autosave.Saved(d.Doc)
	age := s.docs.context.Now().Sub(at)
	switch {
	case failed:
		return "not saved by itself"
	case at.IsZero():
		return ""
	case age < 5*time.Second:
		return "autosaved"
	case age < time.Minute:
		return fmt.Sprintf("autosaved %d s ago", int(age.Seconds())/5*5)
	}
	return fmt.Sprintf("autosaved %d min ago", int(age.Minutes()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
