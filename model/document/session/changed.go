package session

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/fingerprint"
)

// Changed says that the data of a session is not what it was when the session was saved. It is a question
// more than an error: the map may be wanted of the data as it is now.
type Changed struct {
	Session string
	Files   []string // files with other content, where they were found, or all where that is not known
	What    []string // is different, a sentence each, without the stop
}

func (c *Changed) Error() string { return c.Unwrap().Error() }

// Unwrap returns the error as where there is nobody to ask.
func (c *Changed) Unwrap() error {
	return problem.New(c.Session, "put the old file back, or open the new one by itself",
		"%s has changed: %s", c.Files[0], strings.Join(c.What, "; "))
}

// Others returns those of the files whose content is not that of the session, by their prints, or all of them if
// there are none.
func (s *Session) Others(files []string, prints fingerprint.Set) []string {
	var out []string
	for path, was := range s.Prints(files) {
		if !prints[path].Same(was) {
			out = append(out, path)
		}
	}
	if slices.Sort(out); len(out) == 0 {
		return files
	}
	return out
}

// Missing says that data of a session is nowhere where it was looked for.
type Missing struct {
	Session string
	Files   []string // as they were when the session was saved
}

func (m *Missing) Error() string { return m.Unwrap().Error() }

// Unwrap returns the error as where there is nobody to ask.
func (m *Missing) Unwrap() error {
	more := ""
	if n := len(m.Files) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	of := "the session"
	if filepath.Ext(m.Session) != Extension { // a picture, or a job
		of = "this file"
	}
	return problem.New(m.Session, "put it beside "+of+", and open that again",
		"its data %s does not exist%s", m.Files[0], more)
}

// mostListed is how many columns are named of those that are gone, or new.
const mostListed = 8

// Differences says what of the data is not as it was when the session was saved, a sentence each; none if it is
// the same. files are where it was found, with their prints.
func (s *Session) Differences(data *dataset.Dataset, files []string, prints fingerprint.Set) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for i, p := range s.Data.places() {
		if p.Print == nil || i >= len(files) {
			continue
		}
		now, name := prints[files[i]], filepath.Base(files[i])
		switch {
		case now.Same(*p.Print):
		case now.Size != p.Print.Size:
			say("%s has %s, where it had %s", name, count(now.Size, "byte"), problem.Grouped(p.Print.Size))
		default:
			say("%s has other content, in as many bytes", name)
		}
	}
	d := &s.Data
	switch {
	case data.Points != d.Points && d.Points > 0:
		say("%s, where there were %s", count(int64(data.Points), "row"), problem.Grouped(int64(d.Points)))
	case d.Total > 0 && max(data.Total, data.Points) != d.Total:
		say("a sample of %s, where there were %s", count(int64(data.Total), "row"), problem.Grouped(int64(d.Total)))
	}
	columns := s.columnDifferences(data)
	if len(out) > 0 && len(columns) == 0 && data.Points == d.Points {
		columns = []string{"it has as many rows as before, and the same columns"}
	}
	return append(out, columns...)
}

func (s *Session) columnDifferences(data *dataset.Dataset) []string {
	d := &s.Data
	if len(d.Names) == 0 || len(d.Names) != min(d.Columns, mostNames) { // an old session, or one that was edited
		if len(data.Columns) != d.Columns && d.Columns > 0 {
			return []string{fmt.Sprintf("%s, where there were %s", count(int64(len(data.Columns)), "column"),
				problem.Grouped(int64(d.Columns)))}
		}
		return nil
	}
	var now, gone, added, renamed, out []string
	for i := range data.Columns[:min(len(data.Columns), mostNames)] {
		now = append(now, data.Columns[i].Name)
	}
	was, is := words(d.Names), words(now)
	for i, name := range d.Names {
		switch {
		case is[name]:
		case i < len(now) && len(now) == len(d.Names) && !was[now[i]]:
			renamed = append(renamed, fmt.Sprintf("%s in place of %s", now[i], name))
		default:
			gone = append(gone, name)
		}
	}
	for i, name := range now {
		if !was[name] && !(i < len(d.Names) && len(now) == len(d.Names) && !is[d.Names[i]]) {
			added = append(added, name)
		}
	}
	if len(renamed) > 0 {
		out = append(out, count(int64(len(renamed)), "column")+" called otherwise: "+listed(renamed))
	}
	if len(gone) > 0 {
		out = append(out, count(int64(len(gone)), "column")+" gone: "+listed(gone))
	}
	if len(added) > 0 {
		out = append(out, count(int64(len(added)), "column")+" new: "+listed(added))
	}
	if len(out) == 0 && (len(data.Columns) != d.Columns || !slices.Equal(now, d.Names)) {
		if len(data.Columns) == d.Columns {
			return []string{"the columns stand in another order"}
		}
		return []string{fmt.Sprintf("%s, where there were %s", count(int64(len(data.Columns)), "column"),
			problem.Grouped(int64(d.Columns)))}
	}
	return out
}

func words(list []string) map[string]bool {
	out := make(map[string]bool, len(list))
	for _, w := range list {
		out[w] = true
	}
	return out
}

func listed(names []string) string {
	if len(names) <= mostListed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostListed], ", "), len(names)-mostListed)
}

func count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return problem.Grouped(n) + " " + thing + "s"
}
