package job

import (
	"fmt"
	"slices"
	"strconv"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// longest is how many times as long a run is in a film as a single entry.
const longest = 4

// through are the moments on the way to an entry of a history, with where it begins if that is wanted: those that are
// kept of a run, and its end.
func through(d *state.Document, e state.Entry, beginning bool) (out []Past) {
	add := func(name string, s state.State, ok bool, weight float64) {
		if ok {
			out = append(out, Past{name, s, weight})
		}
	}
	if beginning && e.Parent != 0 {
		s, ok := d.StateAlong(e.ID, 0)
		add(nameOf(e), s, ok, 0)
	}
	steps := e.Moments + 1
	long := min(longest, 1+float64(e.Moments)/8)
	for i := range e.Moments {
		s, ok := d.StateAlong(e.ID, float64(i+1)/float64(steps))
		add(nameOf(e), s, ok, long/float64(steps))
	}
	s, ok := d.StateAt(e.ID)
	add(nameOf(e), s, ok, long/float64(steps))
	return out
}

// nameOf is what a moment is called: its bookmark, else what was done.
func nameOf(e state.Entry) string {
	if e.Bookmark != "" {
		return e.Bookmark
	}
	return e.Name
}

// entryOf is the moment of a history that a number (from 1 on, in the order in which they came about), a bookmark or a
// name means; "" and "now": the present one.
func entryOf(d *state.Document, word string) (state.Entry, error) {
	all := d.History().Entries()
	if word == "" || word == "now" {
		if e, ok := d.History().Entry(d.History().Now()); ok {
			return e, nil
		}
	}
	if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(all) {
		return all[n-1], nil
	}
	for _, by := range []func(state.Entry) string{
		func(e state.Entry) string { return e.Bookmark }, func(e state.Entry) string { return e.Name }} {
		for _, e := range slices.Backward(all) {
			if by(e) == word && word != "" {
				return e, nil
			}
		}
	}
	var some []string
	for i, e := range all {
		if i < 12 {
			some = append(some, fmt.Sprintf("%d (%s)", i+1, nameOf(e)))
		}
	}
	if len(all) > len(some) {
		some = append(some, fmt.Sprintf("… up to %d", len(all)))
	}
	return state.Entry{}, problem.New(d.Data.Path, "the history has "+problem.OneOf(some...), "it has no moment %q",
		word)
}

// FilmsOf are the subjects that there can be films of, of a document.
func FilmsOf(d *state.Document) (out []Subject) {
	set := parts.Landmarks.Of(d.State())
	for _, s := range subjects {
		switch {
		case s.Past != nil:
			past, err := s.Past(d, "", "")
			if err != nil || len(settled(withMaps(past))) < 2 && !(s.One && d.History().Len() > 0) {
				continue
			}
		case s.Trains:
			if set.Len() < 2 {
				continue
			}
		case s.Anywhere:
			if set.Len() == 0 || set.Pos.Cols != 3 {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
