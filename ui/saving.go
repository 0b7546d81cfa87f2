package ui

import (
	"path/filepath"
	"strings"

	"blossom/model/parts"
	"blossom/model/session"
)

// saveSession writes the session, asking for a name if it has none or as is set.
func (a *App) saveSession(as bool) {
	if a.desk.Session == "" || as {
		name := strings.TrimSuffix(a.desk.Doc.Title, filepath.Ext(a.desk.Doc.Title)) + session.Extension
		a.ask(fileQuestion{title: "Save session", save: true, name: name, kind: "Sessions",
			kinds:  []string{session.Extension},
			answer: a.writeSessionTo})
		return
	}
	a.writeSessionTo(a.desk.Session)
}

// writeSessionTo writes the session, once a transform that is being applied is there, and makes path the
// file that "save" writes to.
func (a *App) writeSessionTo(path string) {
	if !parts.Settled(a.desk.Doc.State()) {
		a.whenFresh(func() { a.writeSessionTo(path) })
		return
	}
	if a.isInput(path) {
		return
	}
	a.desk.Stage.Keep()
	if err := writeSession(a.desk.Doc, path, a.options.Version, a.ctx.Now()); err != nil {
		a.fail(err)
		return
	}
	a.desk.Session = path
	a.settings.opened(a.desk.Session)
	a.keepSettings()
	a.desk.Saved = a.desk.Doc.State().Stamp(false)
	a.say("session saved as " + a.desk.Session)
	a.note(note{text: "Session saved as " + filepath.Base(a.desk.Session)})
}
