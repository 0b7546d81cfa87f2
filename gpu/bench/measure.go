// Package bench is the family of what can be measured on a machine: a measure is a file, here or anywhere, that
// registers it. The command line, its help, tables and JSON know the family only.
package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"blossom/gpu/bench/table"
	"blossom/model/base/problem"
)

// Measure is one thing that can be measured.
type Measure struct {
	Name    string // "cluster"
	Title   string // "single linkage", in lists
	Help    string // how, in paragraphs
	Flags   []Flag // beside --threads, which all have
	Inputs  bool   // names of data may stand behind its own
	Columns []table.Column

	// Run measures. It hands rows over by Run.Add, all of one type or of several, with columns for each.
	Run func(context.Context, *Run) error
	// Head is a line above a table of rows that were told together, Note one below it, "" for none; both may be nil.
	Head, Note func(rows []any) string
	// End lays all rows out once more when all are told, for a README or not; nil: a README has the same table.
	End func(all Numbers, readme bool) string
}

var measures = map[string]*Measure{}

// Register adds a measure to the family. It panics if there is another of that name.
func Register(m Measure) {
	if measures[m.Name] != nil || m.Run == nil {
		panic(fmt.Sprintf("bench: the measure %q is there already, or runs nothing", m.Name))
	}
	m.Flags = append(slices.Clone(m.Flags), threadsFlag)
	slices.SortFunc(m.Flags, func(a, b Flag) int { return cmp.Compare(a.Name, b.Name) })
	measures[m.Name] = &m
}

// All returns the measures by name.
func All() []*Measure {
	var all []*Measure
	for _, m := range measures {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b *Measure) int { return cmp.Compare(a.Name, b.Name) })
	return all
}

// Names returns the names of all measures.
func Names() (names []string) {
	for _, m := range All() {
		names = append(names, m.Name)
	}
	return names
}

// flag returns the flag of that name.
func (m *Measure) flag(name string) (Flag, bool) {
	i := slices.IndexFunc(m.Flags, func(f Flag) bool { return f.Name == name })
	if i < 0 {
		return Flag{}, false
	}
	return m.Flags[i], true
}

// Lacks is the error about a flag that the measure does not have; it names those that do.
func (m *Measure) Lacks(flag string) error {
	var with []string
	for _, other := range All() {
		if _, has := other.flag(flag); has {
			with = append(with, other.Name)
		}
	}
	if with == nil {
		return problem.New("", "see 'blossom bench "+m.Name+" --help'", "bench %s has no --%s", m.Name, flag)
	}
	return problem.New("", "leave it out", "bench %s has no --%s, which is of bench %s", m.Name, flag,
		problem.OneOf(with...))
}
