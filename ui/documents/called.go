package documents

import (
	"errors"
	"path/filepath"

	"blossom/model/base/problem"
)

// Sessions that were saved by themselves lie in files whose names nobody has given them: users hear of none of these.

// savedText says in the middle of a sentence that a session was saved.
func (s *Autosave) savedText(path string) string {
	if s.Owns(path) {
		return "this work was autosaved"
	}
	return filepath.Base(path) + " was saved"
}

// calls is how a file is called beside what is done with it: one that was saved by itself has no name for users.
func (s *Autosave) calls(path string) string {
	if s.Owns(path) {
		return "what was saved by itself"
	}
	return filepath.Base(folderOf(path))
}

// unnamed is an error about a session that was saved by itself without the name of its file, which nobody has given
// it; others stay.
func (s *Autosave) unnamed(err error) error {
	var p *problem.Problem
	if !errors.As(err, &p) || !s.Owns(p.File) {
		return err
	}
	return problem.Wrap(err, "Work that was saved by itself", p.Remedy, "%s", p.What)
}
