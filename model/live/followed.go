package live

import (
	"strings"

	"blossom/model/base/revision"
)

// Followed keeps the name of a column of the sheet of samples, which something of the window remembers, up to date
// where the column has been renamed, and where that is undone. Its zero value is ready.
type Followed struct {
	rev           revision.Revision
	columns, made []string // names of the columns, and of those that are made of them, when it was asked last
}

// Of returns the name that a column has now: one of the sheet, or of a column that is made of it; another name as it
// is. A column has been renamed where it alone is called otherwise than before. Asking in each frame costs little.
func (f *Followed) Of(s *Samples, name string) string {
	rev := s.Rev()
	if f.rev == rev {
		return name
	}
	was, before, now := f.columns, f.made, s.Sheet().Columns()
	f.rev, f.columns, f.made = rev, now, nil
	for _, column := range now {
		f.made = append(f.made, s.Column(column))
	}
	at := differing(was, now)
	switch {
	case at < 0:
	case name == before[at]:
		return f.made[at]
	case strings.EqualFold(name, was[at]):
		return now[at]
	}
	return name
}

// differing is the only place where two lists differ, -1: there is none, or they do in more.
func differing(a, b []string) int {
	at := -1
	for i := range a {
		switch {
		case len(a) != len(b):
			return -1
		case a[i] == b[i]:
		case at >= 0:
			return -1
		default:
			at = i
		}
	}
	return at
}
