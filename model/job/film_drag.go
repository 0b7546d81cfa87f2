package job

import (
	"blossom/model/base/problem"
	"blossom/model/document/state"
)

func init() {
	RegisterSubject(Subject{ID: "drag", Title: "One drag, or another entry of the history",
		Help:  "one entry of the history, such as a drag, from before it to after it",
		Flags: "--from its number or name (default: the last)",
		One:   true,
		Past:  oneEntry,
		Kept:  beginKept,
		Begin: beginMoments})
}

// oneEntry is the way to one moment from the one before.
func oneEntry(d *state.Document, from, _ string) ([]Past, error) {
	e, err := entryOf(d, from)
	if err != nil {
		return nil, err
	}
	if e.Parent == 0 {
		return nil, problem.New(d.Data.Path, "choose a later one", "%q is the first moment: nothing leads to it",
			e.Name)
	}
	return through(d, e, true), nil
}
