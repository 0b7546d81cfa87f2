package job

import (
	"blossom/model/base/problem"
	"blossom/model/document/state"
)

func init() {
	RegisterSubject(Subject{ID: "deed", Title: "One deed of the history",
		Help:  "one entry of a session's history, such as a drag: --from its number or name (default: the last one)",
		Past:  oneDeed,
		Begin: beginMoments})
}

// oneDeed is the way to one moment from the one before.
func oneDeed(d *state.Document, from, _ string) ([]Past, error) {
	e, err := entryOf(d, from)
	if err != nil {
		return nil, err
	}
	if e.Parent == 0 {
		return nil, problem.New(d.Data.Path, "choose a later one", "%q is the first moment: nothing leads to it", e.Name)
	}
	return through(d, e, true), nil
}
