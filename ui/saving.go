package ui

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
	"blossom/model/work/engine"
	"blossom/ui/desk"
	"blossom/ui/dialog"
	"blossom/ui/documents"
	"blossom/ui/widget"
)

// saveSession writes the session, asking for a name if it has none or as is set.
func (a *App) saveSession(as bool) {
	if a.desk.Session == "" || as {
		name := strings.TrimSuffix(a.desk.Doc.Title, filepath.Ext(a.desk.Doc.Title)) + session.Extension
		a.chooser.Ask(desk.FileQuestion{Title: "Save session", Save: true, Name: name, Kind: "Sessions",
			Kinds:  []string{session.Extension},
			Answer: a.writeSessionTo})
		return
	}
	a.writeSessionTo(a.desk.Session)
}

// writeSessionTo writes the session, once a transform that is being applied is there, and makes path the
// file that "save" writes to.
func (a *App) writeSessionTo(path string) {
	if !parts.Settled(a.desk.Doc.State()) {
		a.files.asked = a.desk
		a.whenFresh(func() { a.files.asked = nil; a.writeSessionTo(path) })
		return
	}
	if a.isInput(path) {
		return
	}
	if path == a.desk.Session && !a.files.Under(path) {
		if at, other := writtenByAnother(path, a.desk.Written); other {
			a.askOverwrite(path, at)
			return
		}
	}
	a.writeSessionNow(path)
}

// writeSessionNow writes the session without asking anything.
func (a *App) writeSessionNow(path string) {
	a.desk.Stage.Keep()
	a.desk.Map.Keep()
	doc, saved := a.desk.Doc, a.desk.Doc.State().Stamp(false)
	a.files.Write(a.desk, path, documents.Whole, func(_ int64, p fingerprint.Print) {
		a.settings.opened(path)
		a.keepSettings()
		a.say("session saved as " + path)
		a.note(note{text: "Session saved as " + filepath.Base(path)})
		d := a.desk
		if d == nil || d.Doc != doc { // it was put aside meanwhile
			a.docs.shelf.Filed(doc, path, saved, p)
			return
		}
		d.Session, d.Written, d.Saved = path, p, saved
		a.docs.saves.Renew()
		if !d.Warned {
			d.Warned = a.warnOfData()
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
func (a *App) askOverwrite(path string, at time.Time) {
	when := at.Local().Format("15:04")
	if a.ctx.Now().Sub(at) > 20*time.Hour {
		when = at.Local().Format("2 Jan 15:04")
	}
	d := a.desk
	if d.Written.Changed.After(at) {
		when += " (an older file was put in its place)"
	}
	dialog.Ask.Show(a.dialogs, dialog.Question{Title: "The session was changed elsewhere", About: path,
		Says: []string{"Another window or program wrote this file at " + when + ", after it was opened or saved here"},
		Hint: "Saving here would replace what was saved there.",
		Answers: []dialog.Button{{Label: "Cancel"},
			{Label: "Save anyway", Do: func() { a.stillAt(d, func() { a.writeSessionNow(path) }) }},
			{Label: "Save as…", Kind: widget.Primary, Do: func() { a.stillAt(d, func() { a.saveSession(true) }) }}}})
}

// stillAt does what was asked about a document if that is still the open one.
func (a *App) stillAt(d *desk.Desk, do func()) {
	if a.desk == d {
		do()
	}
}

// warnOfData says if files of the data are not there any more, or not what was opened: a session needs them.
func (a *App) warnOfData() (warned bool) {
	d := a.desk
	var gone, written []string
	for _, path := range d.Doc.Files() {
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
	switch {
	case len(gone) > 0:
		a.log.add("the data is gone: %s", strings.Join(gone, ", "))
		a.note(note{text: named(gone) + " not there any more, and the session cannot be opened without it",
			sticky: true, actions: []action{{"Save the table…",
				func() { a.stillAt(d, func() { a.saveTable(gone[0]) }) }}}})
	case len(written) > 0:
		a.log.add("the data was written since it was opened: %s", strings.Join(written, ", "))
		a.note(note{text: named(written) + " changed on disk since it was opened; the session will ask about that",
			sticky: true, actions: []action{{"Save the table…",
				func() { a.stillAt(d, func() { a.saveTable(written[0]) }) }}}})
	}
	return len(gone)+len(written) > 0
}

// named is files as the subject of a sentence, with its verb.
func named(paths []string) string {
	if len(paths) == 1 {
		return filepath.Base(paths[0]) + " is"
	}
	return fmt.Sprintf("%s and %d more are", filepath.Base(paths[0]), len(paths)-1)
}

// saveTable writes the table as it is in memory, which stands in for a file that is gone.
func (a *App) saveTable(lost string) {
	name := filepath.Base(lost)
	if f, ok := format.ForPath(name); !ok || f.Write == nil || len(a.desk.Doc.Files()) > 1 {
		name = strings.TrimSuffix(name, filepath.Ext(name)) + ".csv"
	}
	data := a.desk.Doc.Data
	var kinds []string
	for _, f := range format.All() {
		if f.Write != nil {
			kinds = append(kinds, f.Extensions...)
		}
	}
	a.chooser.Ask(desk.FileQuestion{Title: "Save the table", Save: true, Folder: filepath.Dir(lost), Name: name,
		Kind: "Tables", Kinds: kinds, Answer: func(path string) {
			if exists(path) && a.isInput(path) {
				return // it is there after all, with other content
			}
			a.compute.jobs.Start("Saving "+filepath.Base(path), func(ctx context.Context, j *work.Job) (func(), error) {
				err := format.Save(ctx, path, data, j.Report)
				return func() {
					a.say("the table is saved as " + path)
					a.note(note{text: "The table is saved as " + filepath.Base(path) +
						". A session that does not find its data can be opened with it."})
				}, err
			})
		}})
}

// maker is what sessions and landmark files say they were made with: the program, and the engine and its variant,
// for the same input gives the same bytes on the same of them.
func (a *App) maker() string {
	program := "blossom " + a.options.Version
	if e := a.compute.engines.Engine(); e != nil {
		program += ", engine " + engine.FullName(e.Name(), e.Variant())
	}
	return program
}

// savedText says how old the last saved state is.
func (a *App) savedText() string {
	if a.desk == nil {
		return ""
	}
	if a.desk.Session != "" && a.desk.Saved == a.desk.Doc.State().Stamp(false) {
		return "saved as " + filepath.Base(a.desk.Session)
	}
	at, failed := a.docs.saves.Saved(a.desk.Doc)
	d := a.ctx.Now().Sub(at)
	switch {
	case failed:
		return "not saved by itself"
	case at.IsZero():
		return ""
	case d < 5*time.Second:
		return "autosaved"
	case d < time.Minute:
		return fmt.Sprintf("autosaved %d s ago", int(d.Seconds())/5*5)
	}
	return fmt.Sprintf("autosaved %d min ago", int(d.Minutes()))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
