package documents

import (
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

// AskRecipe asks for the file that a recipe is saved as.
func (s *Saving) AskRecipe() {
	s.w.Ask(desk.FileQuestion{Title: "Save a recipe", Save: true, Name: s.docs.Stem() + "_recipe" + session.Extension,
		Kind: "Sessions", Kinds: []string{session.Extension}, Answer: s.RecipeTo})
}

// RecipeTo writes the session without its history, once a transform that is being applied is there. The session stays
// the file that "save" writes to.
func (s *Saving) RecipeTo(path string) {
	d := s.w.Desk()
	if !parts.Settled(d.Doc.State()) {
		s.w.WhenFresh(func() { s.RecipeTo(path) })
		return
	}
	if s.docs.IsInput(path) {
		return
	}
	if d.Session != "" && format.SameFile(path, d.Session) != nil {
		s.w.Fail(problem.New(path, "give the recipe another name",
			"it is the session that is open, whose history would be lost"))
		return
	}
	s.Files.Write(d, path, session.Of, func(bytes int64, _ fingerprint.Print) {
		text := fmt.Sprintf("Recipe saved as %s, %s kB", filepath.Base(path), widget.Grouped(int(bytes+999)/1000))
		s.w.Say(text)
		s.docs.note(text + ". With the same data it gives this picture, here and by blossom embed --session")
	})
}

// RecipeBeside puts the session beside a file that is written, so that it can be made again: data, transform,
// landmarks, parameters, seed, and whether the layout was arranged by hand. Where that cannot have the name of the
// file, it is said which it has.
func (s *Saving) RecipeBeside(path string) {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	first := stem + session.Extension
	p := first
	for i := 2; exists(p) || s.Files.Under(p); i++ { // never over a session that the user has named
		p = fmt.Sprintf("%s-%d%s", stem, i, session.Extension)
	}
	s.Files.Write(s.w.Desk(), p, session.Of, func(int64, fingerprint.Print) {
		s.w.Say("recipe saved as " + p)
		if p != first {
			s.docs.note(fmt.Sprintf("%s was there already, so the recipe of %s is saved as %s", filepath.Base(first),
				filepath.Base(path), filepath.Base(p)))
		}
	})
}
