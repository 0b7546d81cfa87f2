package job

import "blossom/model/document/state"

func init() {
	RegisterSubject(Subject{ID: "history", Title: "The history",
		Help:  "what was done to the map, from the first moment of the history to now",
		Fits:  func(session, _ bool) bool { return session },
		Past:  wholePast,
		Kept:  beginKept,
		Begin: beginMoments})
}

// wholePast is the way from the first moment to the present one.
func wholePast(d *state.Document, _, _ string) (out []Past, err error) {
	for _, e := range d.History().Entries() {
		if !e.Done {
			continue
		}
		out = append(out, through(d, e, len(out) == 0)...)
	}
	return out, nil
}
