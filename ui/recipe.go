package ui

import (
	"fmt"
	"path/filepath"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/ui/desk"
)

func init() {
	registerCommand(command{id: "save-recipe", menu: "File", title: "Save a recipe…", below: "save-as",
		help: "Save what makes this very picture, without the history: small enough to mail", icon: assets.IconFileText,
		enabled: hasMap, run: func(a *App) {
			a.chooser.Ask(desk.FileQuestion{Title: "Save a recipe", Save: true,
				Name: a.stem() + "_recipe" + session.Extension, Kind: "Sessions",
				Kinds: []string{session.Extension}, Answer: a.saveRecipe})
		}})
}

// saveRecipe writes the session without its history, once a transform that is being applied is there. The session
// stays the file that "save" writes to.
func (a *App) saveRecipe(path string) {
	if !parts.Settled(a.desk.Doc.State()) {
		a.whenFresh(func() { a.saveRecipe(path) })
		return
	}
	if a.isInput(path) {
		return
	}
	if d := a.desk; d.Session != "" && format.SameFile(path, d.Session) != nil {
		a.fail(problem.New(path, "give the recipe another name",
			"it is the session that is open, whose history would be lost"))
		return
	}
	a.files.Write(a.desk, path, session.Of, func(bytes int64, _ fingerprint.Print) {
		text := fmt.Sprintf("Recipe saved as %s, %s kB", filepath.Base(path), grouped(int(bytes+999)/1000))
		a.say(text)
		a.note(note{text: text + ". With the same data it gives this picture, here and by blossom embed --session"})
	})
}
