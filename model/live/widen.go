package live

import (
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// Widen gives the document of a map data that is its own with more columns after those, none of them in the map, as one
// entry of the history; before it they are off. Nothing may be on its way from the old data.
func Widen(m *Map, data *dataset.Dataset, name string) {
	own := len(m.Doc.Data.Columns)
	m.Doc.Data = data
	parts.Transform.Recast(m.Doc, func(s transform.Spec) transform.Spec { return s.Widened(data) })
	table := *m.table // its points are the same
	table.Spec, table.DataRev = m.table.Spec.Widened(data), data.Rev
	m.table, m.spaced.with = &table, m.Doc.State()
	m.Doc.Do(name, func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		copy(spec.Columns[own:], transform.Default(data).Columns[own:])
		parts.Transform.Put(s, spec)
	})
}
