package scale

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"blossom/model/job/run"
)

// Said is what reading a file told while a part of it was made.
type Said struct {
	Of   string `json:"of"` // the path of the data, as the plan has it
	What string `json:"what"`
}

const (
	// mostPartSaid is how much a receipt keeps of what reading told, and mostSaid how much the manifest does.
	mostPartSaid = 16
	mostSaid     = 5
)

// heard notes what reading the rows of a part told: nobody sits before the machine that makes it.
func (r *Receipt) heard(of *run.Points) {
	told := of.Data.Warnings
	r.Said = slices.Clone(told[:min(len(told), mostPartSaid)])
	r.SaidMore = len(told) - len(r.Said)
}

// hear takes what reading a part told. The same of another part is no news.
func (m *Manifest) hear(r Receipt, of string) {
	m.SaidMore += r.SaidMore
	for _, what := range r.Said {
		switch {
		case slices.ContainsFunc(m.Said, func(s Said) bool { return s.What == what }):
		case len(m.Said) < mostSaid:
			m.Said = append(m.Said, Said{of, what})
		default:
			m.SaidMore++
		}
	}
}

// Without are the files with rows without a place and how many these are, most first; nil: there is one file alone.
func (m *Manifest) Without() (files []string, rows []int64) {
	count := map[string]int64{}
	for _, p := range m.Parts {
		count[p.Of] += int64(p.Invalid)
	}
	if len(count) < 2 {
		return nil, nil
	}
	maps.DeleteFunc(count, func(_ string, n int64) bool { return n == 0 })
	files = slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b))
	})
	for _, f := range files {
		rows = append(rows, count[f])
	}
	return files, rows
}

// String is what a person is told.
func (s Said) String() string { return fmt.Sprintf("%s: %s", s.Of, s.What) }
